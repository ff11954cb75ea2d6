//! The state of the walk: accesses, iterators and errors so far.

use std::collections::BTreeSet;

use symloc_affine::{AccessKind, AssumptionKind, Constraint, Expr, IterId};
use symloc_frontend::raising::Reason;
use symloc_frontend::raising::{Raising, RaisingMark, WalkLimit};
use symloc_frontend::{Diagnostic, Note};

use crate::input::rules::Rules;
use crate::ir::cfg::{Cfg, Node};
use crate::ir::ffi::Value;
use crate::memory::base_objects::RootId;
use crate::values::environment::Values;
use crate::values::lattice::Pointer;
use crate::walk::doubts::Doubts;
use crate::walk::recorder::Recorder;

/// An access whose array is not laid out yet.
#[derive(Clone, Debug)]
pub(crate) struct RawAccess<'m> {
    pub(crate) kind: AccessKind,
    pub(crate) pointer: Pointer,
    pub(crate) bytes: u64,
    pub(crate) at: Value<'m>,
    /// The conditions under which it is made.
    pub(crate) facts: Vec<Constraint>,
}

/// A block of memory that nested loops fill or copy.
#[derive(Clone, Debug)]
pub(crate) struct ProductBlock<'m> {
    pub(crate) call: Value<'m>,
    /// The objects.
    pub(crate) roots: Vec<RootId>,
    /// The extents of the loops, outermost first.
    pub(crate) extents: Vec<Expr>,
}

const LIMIT: WalkLimit = WalkLimit { input: "function", steps: "instructions", most: 2_000_000 };

/// The state of the walk. After an error the walk goes on, to find further errors; its result is then dropped.
pub(crate) struct Walker<'m, 'o> {
    pub(crate) cfg: Cfg<'m>,
    pub(crate) values: Values<'m>,
    pub(crate) rules: &'o Rules,
    pub(crate) raising: Raising<RawAccess<'m>>,
    /// The accesses since the last write or loop; the elements that they read can be in registers.
    pub(crate) recent: Vec<usize>,
    /// The recorder of marks, if the walk is for characteristics: then accesses do not count.
    pub(crate) recorder: Option<Recorder>,
    /// The blocks that the walk has reached.
    pub(super) reached: BTreeSet<Node>,
    /// Conditions that do not hold together, because another side of a branch is followed.
    pub(super) excluded: Vec<Vec<Constraint>>,
    /// The innermost loop around the current block.
    pub(crate) around: Option<InnermostLoop>,
    /// The blocks of memory that are filled or copied in several loops each.
    pub(super) blocks: Vec<ProductBlock<'m>>,
    /// The conditions on data so far.
    pub(crate) doubts: Doubts,
    /// The block at which a dry run ends, besides the ends of an iteration.
    pub(super) horizon: Option<Node>,
}

/// The iterator of a loop, and its step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InnermostLoop {
    pub(crate) iter: IterId,
    /// `None` if it is no constant.
    pub(crate) step: Option<i64>,
}

/// A state of the walk that a dry run returns to.
pub(crate) struct Mark {
    pub(crate) raising: RaisingMark,
    required: usize,
    recent: Vec<usize>,
    pub(crate) facts: Vec<Constraint>,
}

impl<'m, 'o> Walker<'m, 'o> {
    pub(crate) fn new(cfg: Cfg<'m>, values: Values<'m>, rules: &'o Rules, notes: Vec<Note>) -> Self {
        Self {
            cfg,
            values,
            rules,
            raising: Raising::new(LIMIT, notes),
            recent: Vec::new(),
            recorder: None,
            reached: BTreeSet::new(),
            excluded: Vec::new(),
            around: None,
            blocks: Vec::new(),
            doubts: Doubts::default(),
            horizon: None,
        }
    }

    /// Returns true if an instruction is in the region to analyse.
    pub(crate) fn counts(&self, at: Value<'m>) -> bool {
        let Some(region) = &self.rules.region else { return true };
        self.values.places.in_function(at).is_none_or(|place| region.contains(&place))
    }

    /// Reports an error, unless it is outside the region to analyse.
    pub(crate) fn refuse(&mut self, at: Value<'m>, message: impl Into<String>, reason: &Reason) {
        if self.counts(at) {
            self.raising.refuse(Some(self.values.places.or_start(at)), message, reason);
        }
    }

    /// Reports an error that has no place yet, unless it is outside the region to analyse.
    pub(crate) fn report(&mut self, at: Value<'m>, error: Diagnostic) {
        if self.counts(at) {
            self.raising.errors.push(error.at(Some(self.values.places.or_start(at))));
        }
    }

    pub(crate) fn refuse_with(
        &mut self,
        at: Value<'m>,
        message: impl Into<String>,
        why: impl Into<String>,
        hint: Option<&str>,
    ) {
        self.refuse(at, message, &Reason::new(why, None, hint));
    }

    /// Adds an assumption to the notes.
    pub(crate) fn assuming(&mut self, at: Value<'m>, kind: AssumptionKind, text: impl Into<String>) {
        if self.counts(at) {
            self.raising.add_note(Note::assuming(kind, self.values.places.of(at), text));
        }
    }

    #[must_use]
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            raising: self.raising.mark(),
            required: self.values.required.len(),
            recent: self.recent.clone(),
            facts: self.values.ranges.facts().to_vec(),
        }
    }

    /// Drops everything that has been added since a mark.
    pub(crate) fn back_to(&mut self, mark: &Mark) {
        self.raising.back_to(&mark.raising);
        self.values.required.truncate(mark.required);
        self.recent.clone_from(&mark.recent);
        self.values.ranges.replace_facts(mark.facts.clone());
    }
}
