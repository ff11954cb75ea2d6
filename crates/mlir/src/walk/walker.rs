//! The state of the walk: the parts of the program so far, and errors. Each module for a kind of operation adds to it.

use num_rational::Ratio;
use symloc_affine::{Access, AccessId, Array, AssumptionKind, Constraint, Expr, Location, Node};
use symloc_frontend::assumed::Assumed;
use symloc_frontend::poly::Poly;
use symloc_frontend::raising::{Raising, WalkLimit};
use symloc_frontend::{Diagnostic, Draft, Kind, Note};

use super::origins::WalkOrigins;
use super::recorder::Recorder;
use crate::expressions::refusal::Refusal;
use crate::ffi::{self, Op};
use crate::input::fixed::Fixed;
use crate::input::places::Places;
use crate::lowering::structured::StructuredOperation;
use crate::memory::arrays::Arrays;
use crate::ops::unsupported;
use crate::values::Values;

/// The declaration of rows that data choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gather {
    /// Different places of the data choose different rows.
    Distinct,
    /// All places of the data choose the same row.
    Same,
}

/// The changes of the source before the walk, for those who write it anew.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceChanges {
    /// True if it is in the syntax of another MLIR, and was rewritten.
    pub(crate) is_upgraded: bool,
    /// The functions and variables that the rewritten text lacks, with their places.
    pub(crate) lost: Vec<(String, Option<Location>)>,
    /// True if the function had tensors.
    pub(crate) had_tensors: bool,
    /// The operations of `linalg` that it had, with whole arrays as operands.
    pub(crate) structured: Vec<StructuredOperation>,
}

/// The function to walk, with the options of the walk.
#[derive(Clone)]
pub(crate) struct Task<'a, 's> {
    pub(crate) function: Op<'a>,
    pub(crate) places: &'s Places<'s>,
    /// The names of `--ignore-calls`.
    pub(crate) ignored_calls: &'s [String],
    /// The declaration of rows that data choose (`--gather`).
    pub(crate) gather: Option<Gather>,
    /// The shares of conditions on data (`--branch`), by line.
    pub(crate) branches: &'s [(u32, Ratio<i64>)],
    /// The names of the parameters that loops may go in steps of (`--tile`).
    pub(crate) tiles: &'s [String],
    /// The arguments that have become constants.
    pub(crate) fixed: Vec<Fixed>,
    /// The conditions of `--assume`.
    pub(crate) assumed: Assumed,
    /// The notes of the stages before the walk.
    pub(crate) notes: Vec<Note>,
    /// What became of the source.
    pub(crate) changes: SourceChanges,
    /// True if both sides of a condition on data are taken to run.
    pub(crate) both_sides: bool,
}

const LIMIT: WalkLimit = WalkLimit { input: "program", steps: "operations", most: 200_000 };

/// An access to an array of rank 1 whose subscript is a polynomial. Its subscripts in rows are determined when all
/// accesses are known.
pub(crate) struct LinearAccess<'a> {
    pub(crate) op: Op<'a>,
    pub(crate) access: AccessId,
    pub(crate) offset: Poly,
    /// The facts that hold at it.
    pub(crate) facts: Vec<Constraint>,
}

/// The state of the walk. After an error the walk goes on, to find further errors; its result is then dropped.
pub(crate) struct Walker<'a, 's> {
    pub(crate) places: &'s Places<'s>,
    pub(crate) values: Values<'a, 's>,
    pub(crate) arrays: Arrays<'a>,
    pub(crate) raising: Raising<Access>,
    /// True if both sides of a condition on data are taken to run.
    pub(crate) both_sides: bool,
    /// The operations that accesses and iterators come from.
    pub(crate) origins: WalkOrigins<'a>,
    /// The accesses whose subscripts are determined at the end.
    pub(crate) linear: Vec<LinearAccess<'a>>,
    /// The conditions on the sizes.
    pub(crate) context: Vec<Constraint>,
    /// The call stack of functions that are being walked, the chosen one first.
    pub(crate) callees: Vec<Op<'a>>,
    pub(crate) loop_depth: usize,
    /// The names of `--ignore-calls`.
    pub(crate) ignored_calls: &'s [String],
    /// The declaration of rows that data choose (`--gather`).
    pub(crate) gather: Option<Gather>,
    /// The shares of conditions on data (`--branch`), by line.
    pub(crate) branches: &'s [(u32, Ratio<i64>)],
    /// The names of the parameters that loops may go in steps of (`--tile`).
    pub(crate) tiles: &'s [String],
    /// The number of the iteration of the innermost loop.
    pub(crate) iteration: Option<Expr>,
    /// The recorder of basic blocks, if the walk is for characteristics.
    pub(crate) recorder: Option<Recorder>,
}

impl<'a, 's> Walker<'a, 's> {
    /// Returns the state at the start of a function; with a recorder, the walk is for characteristics.
    pub(crate) fn new(task: Task<'a, 's>, recorder: Option<Recorder>) -> Self {
        let Task {
            function, places, ignored_calls, gather, branches, tiles, fixed, assumed, notes, both_sides, ..
        } = task;
        let mut values = Values::new(function, places);
        let context = values.fix(&fixed);
        values.assume(&assumed);
        Self {
            recorder,
            ignored_calls,
            gather,
            branches,
            tiles,
            iteration: None,
            places,
            values,
            arrays: Arrays::default(),
            raising: Raising::new(LIMIT, notes),
            origins: WalkOrigins::default(),
            both_sides,
            linear: Vec::new(),
            context,
            callees: vec![function],
            loop_depth: 0,
        }
    }

    /// Adds an access of an operation.
    pub(crate) fn push_access(&mut self, op: Op<'a>, access: Access) -> AccessId {
        let id = self.raising.push_access(access);
        self.origins.access(id, op);
        id
    }

    /// Returns true if there are errors.
    pub(crate) fn has_errors(&self) -> bool {
        !self.raising.errors.is_empty()
    }

    /// Returns the draft with the body of the function.
    ///
    /// # Errors
    ///
    /// All errors of the walk.
    pub(crate) fn finish(mut self, body: Vec<Node>) -> Result<(Draft, Option<Recorder>), Vec<Diagnostic>> {
        if self.has_errors() {
            return Err(self.raising.errors);
        }
        self.say_orders();
        self.say_overlap();
        self.say_buffers();
        self.say_spaces();
        let relied = self.values.ranges.relied();
        let variables = self.arrays.allocated(&self.raising.iters);
        let draft = Draft {
            relied,
            function: ffi::text_attribute(self.values.function(), "sym_name").unwrap_or_default(),
            candidates: self.values.into_candidates(),
            arrays: self.arrays.into_list(),
            variables,
            iters: self.raising.iters,
            accesses: self.raising.accesses,
            body,
            notes: self.raising.notes,
            context: self.context,
        };
        Ok((draft, self.recorder))
    }

    /// Returns the node of the floating-point operations of an operation; `None` is an unknown number, which a note
    /// tells.
    pub(crate) fn counted(&mut self, op: Op<'a>, count: Option<u64>) -> Vec<Node> {
        if count.is_none() {
            let name = ffi::name(op);
            let text = format!("floating-point operations are not counted: how many `{name}` makes is not defined");
            self.assuming(op, AssumptionKind::Operations, text);
        }
        vec![Node::Operations(count)]
    }

    /// Adds a note about an operation.
    pub(crate) fn note(&mut self, op: Op<'a>, text: impl Into<String>) {
        self.raising.add_note(Note::new(self.places.of(op), text));
    }

    /// Adds an assumption to the notes.
    pub(crate) fn assuming(&mut self, op: Op<'a>, kind: AssumptionKind, text: impl Into<String>) {
        self.raising.add_note(Note::assuming(kind, self.places.of(op), text));
    }

    /// Notes the arrays whose subscripts differ from those in the source.
    fn say_orders(&mut self) {
        let note = |array: &Array| {
            let text = "the subscripts of this array are shown in the order in which its elements lie in memory";
            Note::new(Some(array.location.clone()), text)
        };
        self.raising.notes.extend(self.arrays.reordered().map(note));
    }

    /// Notes that arguments are assumed not to overlap. The note is silent: MLIR allows overlap, but it is unusual.
    fn say_overlap(&mut self) {
        if self.arrays.may_overlap() {
            let text = "arrays that are arguments are assumed not to overlap other arrays";
            let location = self.places.of(self.values.function());
            self.raising.add_note(Note::assuming(AssumptionKind::NoOverlap, location, text).silent());
        }
    }

    /// Says that a function that is called several times has buffers of its own in each call.
    fn say_buffers(&mut self) {
        let text =
            "each call has this buffer for itself; when compiled, calls one after the other may share the memory";
        let places: Vec<_> = self.arrays.of_several_calls().map(|array| array.location.clone()).collect();
        for place in places {
            self.raising.add_note(Note::assuming(AssumptionKind::SeparateBuffers, Some(place), text));
        }
    }

    /// Notes that arrays in several memory spaces are treated as if they had one cache.
    fn say_spaces(&mut self) {
        let mut spaces: Vec<&str> = self.arrays.spaces().map(|(_, space)| space.unwrap_or("the default one")).collect();
        spaces.sort_unstable();
        spaces.dedup();
        let first = self.arrays.spaces().find(|(_, space)| space.is_some()).map(|(array, _)| array.location.clone());
        if spaces.len() > 1 {
            let text = format!("memory spaces are taken for one memory behind one cache: {}", spaces.join(", "));
            self.raising.notes.push(Note::assuming(AssumptionKind::MemorySpace, first, text));
        }
    }

    /// Returns true, and reports it once, if the program has become too large to go on.
    pub(crate) fn exhausted(&mut self, op: Op<'a>) -> bool {
        self.raising.exhausted(|| self.places.of(op))
    }

    pub(crate) fn error(&self, op: Op<'a>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Kind::Unsupported, self.places.of(op), message)
    }

    pub(crate) fn push_error(&mut self, error: Diagnostic) {
        self.raising.errors.push(error);
    }

    pub(crate) fn refuse(&mut self, op: Op<'a>, name: &str) {
        let (why, hint) = unsupported::reason(name);
        self.push_error(self.error(op, format!("`{name}` is not supported")).note(why).hint(hint));
        self.values.refuse(op);
    }

    /// Returns the value; reports an error and returns `None` if there is none.
    pub(crate) fn report<T>(&mut self, op: Op<'a>, what: &str, result: Result<T, Refusal>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(Refusal::Reported) => None,
            Err(Refusal::Because(reason)) => {
                self.raising.refuse(self.places.of(op), what, &reason);
                None
            }
        }
    }

    /// Reports a malformed operation: MLIR's verifier does not check everything in the generic form.
    pub(crate) fn malformed(&mut self, op: Op<'a>, what: &str) {
        self.push_error(self.error(op, format!("`{}` {what}", ffi::name(op))));
    }
}
