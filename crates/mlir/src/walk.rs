//! The operations of a function, in order, to loops, guards and accesses.

use symloc_affine::{Access, AccessKind, Array, Constraint, Node};
use symloc_frontend::cases::Cases;
use symloc_frontend::library;
use symloc_frontend::{Branches, Diagnostic, Draft, Kind, Note};

use crate::arrays::Arrays;
use crate::calls;
use crate::characterise::Recorder;
use crate::ffi::{self, Op, Region};
use crate::lifetimes;
use crate::linear::Linear;
use crate::places::Places;
use crate::refusal::Refusal;
use crate::unsupported;
use crate::values::Values;

/// What is declared of the rows that data choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gather {
    /// Each is read once.
    Distinct,
    /// All are one.
    Same,
}

/// What is to be read.
pub(crate) struct Task<'a, 's> {
    pub(crate) function: Op<'a>,
    pub(crate) places: &'s Places<'s>,
    /// What `--ignore-calls` names.
    pub(crate) ignored_calls: &'s [String],
    /// What is declared of rows that data choose.
    pub(crate) gather: Option<Gather>,
    /// What is already to be said.
    pub(crate) notes: Vec<Note>,
}

/// Reads the body of a function.
pub(crate) fn walk(task: Task) -> Result<Draft, Vec<Diagnostic>> {
    walk_with(task, None).map(|(draft, _)| draft)
}

/// Reads the basic blocks of a function: marks in place of accesses and operations.
pub(crate) fn walk_blocks(task: Task, branches: Branches) -> Result<(Draft, Recorder), Vec<Diagnostic>> {
    let (draft, recorder) = walk_with(task, Some(Recorder::new(branches.clone())))?;
    let draft = Draft { arrays: Vec::new(), accesses: Vec::new(), ..draft };
    Ok((draft, recorder.unwrap_or_else(|| Recorder::new(branches))))
}

fn walk_with(task: Task, recorder: Option<Recorder>) -> Result<(Draft, Option<Recorder>), Vec<Diagnostic>> {
    let Task { function, places, ignored_calls, gather, notes } = task;
    let mut walker = Walker {
        recorder,
        ignored_calls,
        gather,
        places,
        values: Values::new(function, places),
        arrays: Arrays::default(),
        iters: Vec::new(),
        accesses: Vec::new(),
        errors: Vec::new(),
        notes,
        linear: Vec::new(),
        context: Vec::new(),
        callees: vec![function],
        loop_depth: 0,
        operations: 0,
    };
    let mut body = walker.function_begins(function);
    for region in ffi::regions(function) {
        body.extend(walker.region(region));
    }
    body.extend(walker.function_ends(function));
    if walker.errors.is_empty() {
        walker.shape_linear();
    }
    if !walker.errors.is_empty() {
        return Err(walker.errors);
    }
    walker.say_orders();
    let draft = Draft {
        function: ffi::text_attribute(function, "sym_name").unwrap_or_default(),
        candidates: walker.values.into_candidates(),
        arrays: walker.arrays.into_list(),
        iters: walker.iters,
        accesses: walker.accesses,
        body,
        notes: walker.notes,
        context: walker.context,
    };
    Ok((draft, walker.recorder))
}

/// The most operations that are visited: each inlined call and each case of a loop's bounds visits a region again.
const MOST_OPERATIONS: usize = 200_000;

/// The most static accesses.
pub(crate) const MOST_ACCESSES: usize = 20_000;

/// After an error the walk goes on, to find the others; what it builds is then thrown away.
pub(crate) struct Walker<'a, 's> {
    pub(crate) places: &'s Places<'s>,
    pub(crate) values: Values<'a, 's>,
    pub(crate) arrays: Arrays<'a>,
    pub(crate) iters: Vec<Option<String>>,
    pub(crate) accesses: Vec<Access>,
    /// Accesses whose subscripts are found at the end.
    pub(crate) linear: Vec<Linear<'a>>,
    /// What has to hold of the sizes.
    pub(crate) context: Vec<Constraint>,
    errors: Vec<Diagnostic>,
    notes: Vec<Note>,
    /// The functions that are being read: the one asked for, and from call to call those that it inlines.
    pub(crate) callees: Vec<Op<'a>>,
    pub(crate) loop_depth: usize,
    /// What `--ignore-calls` names.
    pub(crate) ignored_calls: &'s [String],
    /// What is declared of rows that data choose.
    pub(crate) gather: Option<Gather>,
    /// Collects basic blocks, if they are what is asked for.
    pub(crate) recorder: Option<Recorder>,
    operations: usize,
}

impl<'a> Walker<'a, '_> {
    pub(crate) fn region(&mut self, region: Region<'a>) -> Vec<Node> {
        Node::merged(ffi::operations(region).flat_map(|op| self.operation(op)).collect::<Vec<_>>())
    }

    /// What an operation adds to the tree.
    fn operation(&mut self, op: Op<'a>) -> Vec<Node> {
        if self.exhausted(op) {
            return Vec::new();
        }
        match ffi::name(op).as_str() {
            "affine.for" => self.affine_for(op),
            "scf.for" => self.scf_for(op),
            "affine.parallel" => self.affine_parallel(op),
            "scf.parallel" => self.scf_parallel(op),
            "scf.forall" => self.scf_forall(op),
            "scf.while" => self.scf_while(op),
            "affine.if" => self.affine_if(op),
            "scf.if" => self.scf_if(op),
            "scf.index_switch" => self.index_switch(op),
            "memref.alloca_scope" | "scf.execute_region" => self.branch(op, &Cases::Always(0), None),
            "affine.load" | "memref.load" => self.access(op, AccessKind::Read),
            "affine.store" | "memref.store" => self.access(op, AccessKind::Write),
            "affine.vector_load" | "vector.load" => self.vector_access(op, AccessKind::Read),
            "affine.vector_store" | "vector.store" => self.vector_access(op, AccessKind::Write),
            "vector.maskedload" => self.masked_access(op, AccessKind::Read),
            "vector.maskedstore" => self.masked_access(op, AccessKind::Write),
            "vector.transfer_read" => self.transfer(op, AccessKind::Read),
            "vector.transfer_write" => self.transfer(op, AccessKind::Write),
            "memref.atomic_rmw" => self.update(op),
            "memref.copy" => self.copy(op),
            "krnl.memcpy" => self.memcpy(op),
            "func.call" => self.call(op),
            "func.call_indirect" => self.call_outside(op, "", library::indirect()),
            "llvm.call" | calls::LLVM_CALL => self.call_library(op),
            "scf.reduce" | "scf.forall.in_parallel" => {
                ffi::regions(op).into_iter().flat_map(|region| self.region(region)).collect()
            }
            "memref.alloc" | "memref.alloca" => {
                self.allocation(op);
                Vec::new()
            }
            "affine.prefetch" | "memref.prefetch" => {
                self.remark(op, "prefetches are left out: none of them is counted as an access");
                Vec::new()
            }
            "affine.yield"
            | "func.return"
            | "scf.yield"
            | "scf.reduce.return"
            | "memref.alloca_scope.return"
            | "scf.condition" => Vec::new(),
            _ if unsupported::touches_no_memory(op) => {
                if ffi::name(op) == "cf.assert" {
                    self.assertion(op);
                }
                self.values.define(op);
                self.registers(op)
            }
            name if unsupported::is_foreign_on_registers(op) => {
                self.remark(
                    op,
                    format!("`{name}` is not known: it is taken to touch none of the arrays, as it is given none"),
                );
                self.values.define(op);
                Vec::new()
            }
            name => {
                self.refuse(op, name);
                Vec::new()
            }
        }
    }

    /// The floating-point operations of an operation.
    pub(crate) fn counted(&mut self, op: Op<'a>, count: Option<u64>) -> Vec<Node> {
        if count.is_none() {
            let name = ffi::name(op);
            self.note(op, format!("floating-point operations are not counted: how many `{name}` makes is not defined"));
        }
        vec![Node::Operations(count)]
    }

    /// True, and reported once, when the program has become too large to go on.
    fn exhausted(&mut self, op: Op<'a>) -> bool {
        self.operations += 1;
        let message = if self.operations > MOST_OPERATIONS {
            format!("limit: the program has more than {MOST_OPERATIONS} operations once calls are inlined")
        } else if self.accesses.len() > MOST_ACCESSES {
            format!("limit: the program has more than {MOST_ACCESSES} accesses once cases are expanded")
        } else {
            return false;
        };
        if !self.errors.iter().any(|error| error.message == message) {
            let hint = "analyse a smaller function";
            self.errors.push(self.error(op, message).hint(hint));
        }
        true
    }

    pub(crate) fn error(&self, op: Op<'a>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Kind::Unsupported, self.places.of(op), message)
    }

    pub(crate) fn push_error(&mut self, error: Diagnostic) {
        self.errors.push(error);
    }

    /// Says something about the program that is no error.
    pub(crate) fn note(&mut self, op: Op<'a>, text: impl Into<String>) {
        self.add_note(op, text.into(), false);
    }

    /// Says something that belongs to every answer: what is left out or taken for granted.
    pub(crate) fn remark(&mut self, op: Op<'a>, text: impl Into<String>) {
        self.add_note(op, text.into(), true);
    }

    /// Says of which arrays the subscripts are not what is written.
    fn say_orders(&mut self) {
        let note = |array: &Array| {
            let text = "the subscripts of this array are shown in the order in which its elements lie in memory";
            Note { location: Some(array.location.clone()), text: text.to_owned(), is_remark: false }
        };
        self.notes.extend(self.arrays.reordered().map(note));
    }

    fn add_note(&mut self, op: Op<'a>, text: String, is_remark: bool) {
        let note = Note { location: self.places.of(op), text, is_remark };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    pub(crate) fn refuse(&mut self, op: Op<'a>, name: &str) {
        let (why, hint) = unsupported::reason(name);
        self.errors.push(self.error(op, format!("`{name}` is not supported")).note(why).hint(hint));
        self.values.refuse(op);
    }

    /// The value, or none after reporting what is wrong with it.
    pub(crate) fn report<T>(&mut self, op: Op<'a>, what: &str, result: Result<T, Refusal>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(Refusal::Reported) => None,
            Err(Refusal::Because(reason)) => {
                let mut error = self.error(op, what).note_at(reason.at, reason.why);
                error.hint = reason.hint;
                self.errors.push(error);
                None
            }
        }
    }

    /// The generic form allows things that MLIR's verifier does not look at.
    pub(crate) fn malformed(&mut self, op: Op<'a>, what: &str) {
        self.errors.push(self.error(op, format!("`{}` {what}", ffi::name(op))));
    }

    /// In a loop: one buffer that every iteration uses, unless one of them passes it on.
    fn allocation(&mut self, op: Op<'a>) {
        if self.loop_depth == 0 {
            return self.values.define(op);
        }
        if lifetimes::is_passed_on(op) {
            let why = "an iteration passes on what it allocates, and where that lies is not known";
            return self.refuse_allocation(op, why, "allocate before the loops what iterations pass on");
        }
        self.values.define(op);
        if self.values.size_varies(op) {
            let why = "its size differs from iteration to iteration, and with it where its rows lie";
            return self.refuse_allocation(op, why, "allocate the largest size before the loops");
        }
        let name = ffi::name(op);
        let one = format!("`{name}` in a loop is one buffer for all iterations");
        if name == "memref.alloca" {
            self.note(op, format!("{one}: the stack gives every iteration the same memory"));
        } else if lifetimes::is_freed_in_block(op) {
            let why = "the allocator is taken to return the memory that was freed in the iteration before";
            self.note(op, format!("{one}: {why}"));
        } else {
            self.remark(op, format!("{one}, as `buffer-loop-hoisting` makes of it: it is never freed"));
        }
    }

    fn refuse_allocation(&mut self, op: Op<'a>, why: &str, hint: &str) {
        let error = self.error(op, format!("`{}` inside a loop is not supported", ffi::name(op)));
        self.push_error(error.note(why).hint(hint));
        self.values.refuse(op);
    }
}
