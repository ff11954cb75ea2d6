//! The state of a raising: what the walk over a function has found so far, in any language.
//!
//! After an error the walk goes on, to find further errors; its result is then dropped. Reasons of errors are in
//! `reason`.

mod reason;

use symloc_affine::{AccessId, CarriedValue, IterId, Location, ParallelLoops};

use crate::diagnostics::{Diagnostic, Kind, Note};
use crate::draft::DraftIter;
use crate::shares::ToldConditions;

pub use reason::{Cause, Reason};

/// The most static accesses.
const MOST_ACCESSES: usize = 20_000;

/// The limit of a walk, with its words for messages.
#[derive(Clone, Copy, Debug)]
pub struct WalkLimit {
    /// The name of the input: function or program.
    pub input: &'static str,
    /// The name of a step: instructions or operations.
    pub steps: &'static str,
    /// The most steps: inlined calls, dry runs and cases visit some again.
    pub most: usize,
}

/// The accesses, iterators, errors and notes of a walk.
#[derive(Clone, Debug)]
pub struct Raising<A> {
    /// The accesses.
    pub accesses: Vec<A>,
    /// The iterators.
    pub iters: Vec<DraftIter>,
    /// The errors.
    pub errors: Vec<Diagnostic>,
    /// The notes.
    pub notes: Vec<Note>,
    /// The conditions on data that `--branch` has decided.
    pub told: ToldConditions,
    limit: WalkLimit,
    steps: usize,
}

/// A state that a dry run returns to.
#[derive(Clone, Copy, Debug)]
pub struct RaisingMark {
    /// The number of accesses.
    pub accesses: usize,
    /// The number of errors.
    pub errors: usize,
    notes: usize,
}

impl<A> Raising<A> {
    /// Returns the state before the walk, with the notes of the stages before it.
    pub fn new(limit: WalkLimit, notes: Vec<Note>) -> Self {
        let (accesses, iters, errors, told) = (Vec::new(), Vec::new(), Vec::new(), ToldConditions::default());
        Self { accesses, iters, errors, notes, told, limit, steps: 0 }
    }

    /// Adds the iterator of a loop at a place.
    pub fn new_iterator(&mut self, name: Option<String>, location: Option<Location>) -> IterId {
        let iter = IterId(u32::try_from(self.iters.len()).unwrap_or(u32::MAX));
        self.iters.push(DraftIter { name, location, ..DraftIter::default() });
        iter
    }

    /// Sets the front end's own number of the loop of an iterator.
    pub fn set_number(&mut self, iter: IterId, number: usize) {
        if let Some(iter) = self.iters.get_mut(iter.index()) {
            iter.number = Some(number);
        }
    }

    /// Adds a value that an iteration of a loop takes from the one before it in a register.
    pub fn carry(&mut self, iter: IterId, value: CarriedValue) {
        if let Some(iter) = self.iters.get_mut(iter.index()) {
            iter.carried.push(value);
        }
    }

    /// Says that the loop of an iterator is left by a test behind accesses.
    pub fn end_midway(&mut self, iter: IterId) {
        if let Some(iter) = self.iters.get_mut(iter.index()) {
            iter.ends_midway = true;
        }
    }

    /// Lets threads share the iterations of a loop, or of a nest of which it is the outermost one.
    pub fn share(&mut self, iter: IterId, parallel: ParallelLoops) {
        if let Some(iter) = self.iters.get_mut(iter.index()) {
            iter.parallel = Some(parallel);
        }
    }

    /// Adds an access.
    pub fn push_access(&mut self, access: A) -> AccessId {
        let id = AccessId(u32::try_from(self.accesses.len()).unwrap_or(u32::MAX));
        self.accesses.push(access);
        id
    }

    /// Adds a note, once.
    pub fn add_note(&mut self, note: Note) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Adds an error with its reason.
    pub fn refuse(&mut self, at: Option<Location>, message: impl Into<String>, reason: &Reason) {
        let mut error = Diagnostic::new(Kind::Unsupported, at, message).note_at(reason.at().cloned(), reason.why());
        error.hint = reason.hint().map(str::to_owned);
        self.errors.push(error);
    }

    /// Counts a step. Returns true, and reports it once, if the program has become too large to go on.
    pub fn exhausted(&mut self, at: impl FnOnce() -> Option<Location>) -> bool {
        self.steps += 1;
        let WalkLimit { input, steps, most } = self.limit;
        let message = if self.steps > most {
            format!("limit: the {input} has more than {most} {steps} once calls are inlined")
        } else if self.accesses.len() > MOST_ACCESSES {
            format!("limit: the {input} has more than {MOST_ACCESSES} accesses once cases are expanded")
        } else {
            return false;
        };
        if !self.errors.iter().any(|error| error.message == message) {
            let error = Diagnostic::new(Kind::Unsupported, at(), message);
            self.errors.push(error.hint("analyse a smaller function"));
        }
        true
    }

    /// Returns the number of steps so far.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Returns the present state.
    #[must_use]
    pub fn mark(&self) -> RaisingMark {
        let (accesses, errors, notes) = (self.accesses.len(), self.errors.len(), self.notes.len());
        RaisingMark { accesses, errors, notes }
    }

    /// Drops the accesses, errors and notes since a mark.
    pub fn back_to(&mut self, mark: &RaisingMark) {
        self.accesses.truncate(mark.accesses);
        self.errors.truncate(mark.errors);
        self.notes.truncate(mark.notes);
    }
}
