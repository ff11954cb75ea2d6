//! The misses that are explained, and searches for the caches with a given number of misses.
//!
//! Let M(C) be the misses in C lines, and L_a(C) the reuses of some accesses a that miss in them. Neither grows with C, so binary
//! search finds the smallest cache with at most a given number of misses.

use symloc_evaluate::{Attribution, EvalError, Evaluator, Int, Misses, Prediction};
use symloc_report::explanation::{Threshold, ThresholdGoal};

use crate::search::first;

/// The misses of a program at one size, with their attribution.
#[derive(Debug)]
pub struct AttributedMisses<'p> {
    /// The misses.
    pub prediction: &'p Prediction,
    /// The shares of the accesses.
    pub shares: Attribution<'p>,
}

impl<'p> AttributedMisses<'p> {
    /// Attributes the misses of a prediction.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::attribution`].
    pub fn new(prediction: &'p Prediction, evaluator: &Evaluator<'_>) -> Result<Self, EvalError> {
        Ok(Self { prediction, shares: evaluator.attribution(prediction)? })
    }

    /// Returns the misses of all accesses in `lines` lines.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub fn total(&self, lines: &Int) -> Result<Int, EvalError> {
        Ok(self.prediction.misses(lines)?.total())
    }

    /// Returns the number of reuses of an access.
    pub fn reuses(&self, access: usize) -> Int {
        self.shares.accesses(access) - &self.shares.first_touches(access)
    }

    /// Returns the sum of a quantity over some accesses.
    pub fn sum(&self, accesses: &[usize], of: impl Fn(&Self, usize) -> Int) -> Int {
        accesses.iter().fold(Int::ZERO, |sum, access| &sum + &of(self, *access))
    }

    /// Returns the misses of some accesses in `lines` lines.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub fn misses(&self, accesses: &[usize], lines: &Int) -> Result<Misses, EvalError> {
        let (none, all) = (Misses { cold: Int::ZERO, reuse: Int::ZERO }, self.shares.misses(lines)?);
        let own = accesses.iter().map(|access| &all[*access]);
        Ok(own.fold(none, |sum, own| Misses { cold: &sum.cold + &own.cold, reuse: &sum.reuse + &own.reuse }))
    }

    /// Returns the smallest cache of at least one line in which at most `at_most` accesses miss, or reuses of the given accesses.
    pub(super) fn threshold(
        &self,
        goal: ThresholdGoal,
        accesses: Option<&[usize]>,
        at_most: Int,
    ) -> Result<Option<Threshold>, EvalError> {
        let left = |lines: &Int| match accesses {
            None => self.total(lines),
            Some(accesses) => Ok(self.misses(accesses, lines)?.reuse),
        };
        let all = self.prediction.blocks().max(&Int::from(1)).clone();
        let lines = first(&Int::ZERO, &all, |lines| Ok::<_, EvalError>(left(lines)? <= at_most))?;
        Ok(lines.map(|lines| Threshold { goal, accesses: accesses.map(<[usize]>::to_vec), at_most, lines }))
    }

    /// Returns the smallest caches in which the first of `late` late reuses hits, and in which all of them do; `None` if there
    /// are none.
    pub(super) fn reach(&self, accesses: &[usize], late: &Int) -> Result<Option<[Threshold; 2]>, EvalError> {
        if late.is_zero() {
            return Ok(None);
        }
        let some = self.threshold(ThresholdGoal::Some, Some(accesses), late - &Int::from(1))?;
        let all = self.threshold(ThresholdGoal::All, Some(accesses), Int::ZERO)?;
        Ok(some.zip(all).map(|(some, all)| [some, all]))
    }
}

/// Returns a number of tenths, rounded down.
pub(super) fn tenths(count: &Int, tenths: i64) -> Int {
    (count * &Int::from(tenths)).div_floor(&Int::from(10)).unwrap_or(Int::ZERO)
}
