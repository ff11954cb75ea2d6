//! The state of the walk: accesses, iterators and errors so far.

use std::collections::BTreeSet;

use symloc_affine::{AccessKind, AssumptionKind, Constraint, IterId};
use symloc_frontend::{Diagnostic, Kind, Note};

use crate::input::rules::Rules;
use crate::ir::cfg::{Cfg, Node};
use crate::ir::ffi::Value;
use crate::values::environment::Values;
use crate::values::lattice::{Pointer, Reason};
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

/// The most instructions that are visited: inlined calls, dry runs and cases visit some again.
const MOST_INSTRUCTIONS: usize = 2_000_000;

/// The most static accesses.
const MOST_ACCESSES: usize = 20_000;

/// The state of the walk. After an error the walk goes on, to find further errors; its result is then dropped.
pub(crate) struct Walker<'m, 'o> {
    pub(crate) cfg: Cfg<'m>,
    pub(crate) values: Values<'m>,
    pub(crate) rules: &'o Rules,
    pub(crate) accesses: Vec<RawAccess<'m>>,
    pub(crate) iters: Vec<Option<String>>,
    pub(crate) errors: Vec<Diagnostic>,
    pub(crate) notes: Vec<Note>,
    /// The accesses since the last write or loop; the elements that they read can be in registers.
    pub(crate) recent: Vec<usize>,
    /// The recorder of marks, if the walk is for characteristics: then accesses do not count.
    pub(crate) recorder: Option<Recorder>,
    /// The lines of branches on data that `--branch` has decided.
    pub(crate) told_lines: BTreeSet<u32>,
    /// The blocks that the walk has reached.
    pub(super) reached: BTreeSet<Node>,
    /// Conditions that do not hold together, because another side of a branch is followed.
    pub(super) excluded: Vec<Vec<Constraint>>,
    /// The innermost loop around the current block.
    pub(crate) around: Option<InnermostLoop>,
    visited: usize,
}

/// The iterator of a loop, and its step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InnermostLoop {
    pub(crate) iter: IterId,
    pub(crate) step: i64,
}

/// A state of the walk that a dry run returns to.
pub(crate) struct Mark {
    accesses: usize,
    pub(crate) errors: usize,
    notes: usize,
    required: usize,
    recent: Vec<usize>,
    facts: Vec<Constraint>,
}

impl<'m, 'o> Walker<'m, 'o> {
    pub(crate) fn new(cfg: Cfg<'m>, values: Values<'m>, rules: &'o Rules) -> Self {
        Self {
            cfg,
            values,
            rules,
            accesses: Vec::new(),
            iters: Vec::new(),
            errors: Vec::new(),
            notes: Vec::new(),
            recent: Vec::new(),
            recorder: None,
            told_lines: BTreeSet::new(),
            reached: BTreeSet::new(),
            excluded: Vec::new(),
            around: None,
            visited: 0,
        }
    }

    pub(crate) fn new_iterator(&mut self, name: Option<String>) -> IterId {
        let iter = IterId(u32::try_from(self.iters.len()).unwrap_or(u32::MAX));
        self.iters.push(name);
        iter
    }

    /// Returns true if an instruction is in the region to analyse.
    pub(crate) fn counts(&self, at: Value<'m>) -> bool {
        let Some(region) = &self.rules.region else { return true };
        self.values.places.in_function(at).is_none_or(|place| region.contains(&place))
    }

    /// Returns true, and reports it once, if the function has become too large to go on.
    pub(super) fn exhausted(&mut self, at: Value<'m>) -> bool {
        self.visited += 1;
        let message = if self.visited > MOST_INSTRUCTIONS {
            format!("limit: the function has more than {MOST_INSTRUCTIONS} instructions once calls are inlined")
        } else if self.accesses.len() > MOST_ACCESSES {
            format!("limit: the function has more than {MOST_ACCESSES} accesses once cases are expanded")
        } else {
            return false;
        };
        if !self.errors.iter().any(|error| error.message == message) {
            self.errors.push(self.error(at, message).hint("analyse a smaller function"));
        }
        true
    }

    pub(crate) fn error(&self, at: Value<'m>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Kind::Unsupported, Some(self.values.places.or_start(at)), message)
    }

    /// Reports an error, unless it is outside the region to analyse.
    pub(crate) fn refuse(&mut self, at: Value<'m>, message: impl Into<String>, reason: &Reason) {
        if !self.counts(at) {
            return;
        }
        let mut error = self.error(at, message).note_at(reason.at().cloned(), reason.why());
        error.hint = reason.hint().map(str::to_owned);
        self.errors.push(error);
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
        let note = Note::assuming(kind, self.values.places.of(at), text);
        if self.counts(at) && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    #[must_use]
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            accesses: self.accesses.len(),
            errors: self.errors.len(),
            notes: self.notes.len(),
            required: self.values.required.len(),
            recent: self.recent.clone(),
            facts: self.values.ranges.facts().to_vec(),
        }
    }

    /// Drops everything that has been added since a mark.
    pub(crate) fn back_to(&mut self, mark: &Mark) {
        self.accesses.truncate(mark.accesses);
        self.errors.truncate(mark.errors);
        self.notes.truncate(mark.notes);
        self.values.required.truncate(mark.required);
        self.recent.clone_from(&mark.recent);
        self.values.ranges.replace_facts(mark.facts.clone());
    }
}
