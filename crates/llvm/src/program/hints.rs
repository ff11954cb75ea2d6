//! Hints to say with `--branch` how often conditions on data hold, where the walk itself cannot tell whether that helps: it
//! is tried, and said if the error is then gone.
//!
//! Such are `return` in a loop, which compilers make one exit with the loop's own, and values that a loop carries.

use std::collections::BTreeMap;

use num_rational::Ratio;
use symloc_affine::Location;
use symloc_frontend::{Diagnostic, Kind, shares};

use crate::values::refusals::ON_DATA;
use crate::walk::doubts::Doubts;

/// The most walks for the hints of a function.
const MOST_TRIALS: usize = 24;
/// The most conditions that a hint names.
const MOST_LINES: usize = 4;
/// The message about loops, by which their hints are told from those of accesses.
const LOOP: &str = "the number of iterations of this loop is not affine";

/// Conditions on data with their shares, by line.
pub(crate) type BranchShares = Vec<(u32, Ratio<i64>)>;

/// The errors of a walk under some shares, and the conditions on data that it has met.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trial {
    pub(crate) errors: Vec<Diagnostic>,
    pub(crate) doubts: Doubts,
}

/// Returns the errors of a walk, with the hints that lead on by trial; `walk` is run with further shares.
pub(crate) fn tried(first: Trial, walk: &dyn Fn(&BranchShares) -> Trial) -> Vec<Diagnostic> {
    let errors = first.errors.clone();
    if first.doubts.is_long {
        return errors;
    }
    let mut trials = Trials { walk, done: BTreeMap::from([(Vec::new(), first)]) };
    errors.into_iter().map(|error| trials.hinted(error)).collect()
}

/// Returns an error about optimised code, with the hint that the source may be easier to read.
pub(crate) fn as_written(error: Diagnostic) -> Diagnostic {
    if error.kind != Kind::Unsupported || doubt(&error).is_some() {
        return error;
    }
    let own = "leave out --registers optimized: the loops of the source may be easier to follow".to_owned();
    let hint = error.hint.clone().into_iter().chain([own]).collect::<Vec<_>>().join("; or ");
    error.hint(hint)
}

/// The walks so far, by what they took to hold.
struct Trials<'w> {
    walk: &'w dyn Fn(&BranchShares) -> Trial,
    done: BTreeMap<BranchShares, Trial>,
}

impl Trials<'_> {
    /// Returns an error with the hint that is found for it.
    fn hinted(&mut self, error: Diagnostic) -> Diagnostic {
        let is_told = error.hint.as_ref().is_some_and(|hint| hint.contains("--branch"));
        if error.kind != Kind::Unsupported || is_told || doubt(&error).is_none() {
            return error;
        }
        if error.message == LOOP {
            return Diagnostic { hint: self.for_loop(&error).or(error.hint.clone()), ..error };
        }
        let hint = self.for_access(&error).into_iter().chain(error.hint).collect::<Vec<_>>().join("; ");
        Diagnostic { hint: Some(hint).filter(|hint| !hint.is_empty()), ..error }
    }

    /// Returns the shares under which a loop is counted and does not end at once, as a hint.
    fn for_loop(&mut self, error: &Diagnostic) -> Option<String> {
        let mut shares = BranchShares::new();
        let mut last = error.clone();
        while shares.len() < MOST_LINES {
            let (next, left) = self.step(&last, &shares)?;
            shares = next;
            match left {
                Some(left) => last = left,
                None => return Some(never_left(&shares)),
            }
        }
        None
    }

    /// Returns the shares with a further one, under which the reason of a loop's error is another one, or there is none.
    fn step(&mut self, error: &Diagnostic, shares: &BranchShares) -> Option<(BranchShares, Option<Diagnostic>)> {
        let lines = self.get(shares)?.doubts.lines.get(doubt(error)?).cloned()?;
        for line in lines {
            for share in [0, 1].map(Ratio::from_integer) {
                let more: BranchShares = shares.iter().copied().chain([(line, share)]).collect();
                let Some(trial) = self.get(&more).filter(|trial| is_heard(trial)) else { continue };
                let ends_at_once = error.location.as_ref().is_some_and(|place| trial.doubts.once.contains(place));
                let left = still(error, trial).cloned();
                let is_other = left.as_ref().is_none_or(|left| doubt(left).is_some_and(|d| Some(d) != doubt(error)));
                if !ends_at_once && is_other {
                    return Some((more, left));
                }
            }
        }
        None
    }

    /// Returns a hint if an access can be followed both where a condition never holds and where it always does.
    fn for_access(&mut self, error: &Diagnostic) -> Option<String> {
        let lines = self.get(&Vec::new())?.doubts.lines.get(doubt(error)?).cloned()?;
        let mut helps = |line: u32, share: Ratio<i64>| {
            self.get(&vec![(line, share)]).is_some_and(|trial| is_heard(trial) && still(error, trial).is_none())
        };
        let whole = [0, 1].map(Ratio::from_integer);
        let line = lines.into_iter().find(|line| whole.iter().all(|share| helps(*line, *share)))?;
        Some(shares::hint(line, helps(line, Ratio::new(1, 2))))
    }

    /// Returns the walk under some shares; `None` after too many walks.
    fn get(&mut self, shares: &BranchShares) -> Option<&Trial> {
        if !self.done.contains_key(shares) {
            if self.done.len() > MOST_TRIALS {
                return None;
            }
            let trial = (self.walk)(shares);
            self.done.insert(shares.clone(), trial);
        }
        self.done.get(shares)
    }
}

/// Returns the place of the data that an error depends on.
fn doubt(error: &Diagnostic) -> Option<&Location> {
    error.notes.iter().find(|note| note.text.contains(ON_DATA)).and_then(|note| note.location.as_ref())
}

/// Returns true if each line that a walk was told has a condition on data.
fn is_heard(trial: &Trial) -> bool {
    trial.errors.iter().all(|error| error.kind == Kind::Unsupported)
}

/// Returns the error at the same place with the same message.
fn still<'t>(error: &Diagnostic, trial: &'t Trial) -> Option<&'t Diagnostic> {
    trial.errors.iter().find(|other| other.location == error.location && other.message == error.message)
}

/// Returns the hint for a loop that ends on data.
fn never_left(shares: &BranchShares) -> String {
    let options: Vec<_> = shares.iter().map(|(line, share)| format!("--branch {line}={share}")).collect();
    let is = |number: i64| shares.iter().all(|(_, share)| *share == Ratio::from_integer(number));
    let what = match (shares.len(), is(0), is(1)) {
        (1, true, _) => "that this condition never holds",
        (1, _, true) => "that this condition always holds",
        (_, true, _) => "that these conditions never hold",
        (_, _, true) => "that these conditions always hold",
        _ => "which of these conditions hold",
    };
    format!("say with {} {what}, or end the loop by parameters and counters alone", options.join(" "))
}
