//! The working set at one size, and Denning's window of a cache, without a histogram.
//!
//! The time-window miss ratio is m(x) = P(RI > x) and the working set s(x+1) = s(x) + m(x), s(0) = 0, so that N·s(x) = Σ min(RI,
//! x) over all accesses, imaginary intervals included (infinite repeat: the paper's section 4). A cache of C blocks corresponds
//! to the window x* = max {x : s(x) ≤ C}; since s(x) ≤ s(∞) = m, every window fits in m blocks.
//!
//! With B(x) = Σ v·c and K(x) = Σ c over the accesses with an interval v ≤ x, the working set is N·s(x) = B(x) + x·(N − K(x)),
//! and N − K(x) is its slope from x to x + 1. It is concave, so Newton's method from the left never goes too far:
//!
//! ```text
//! x ← x + ⌊(N·C − N·s(x)) / (N − K(x))⌋
//! ```
//!
//! This ends, after a few steps, at x*, exactly; from the right, its first step leads to the left. The start is estimated from a
//! few points of the working set (see `survey`). B and K are the cumulative histogram of all intervals.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use symloc_quasi::Int;

use super::reuses::Reuses;
use super::survey::{SurveyPoint, WorkingSetSurvey};
use crate::count::Parts;
use crate::cumulative::{Below, Limit};
use crate::error::EvalError;
use crate::invariants::check_intervals;

/// The mean number of distinct blocks in windows of every length, from all reuse intervals at one size. It is exact.
#[derive(Debug)]
pub(crate) struct WorkingSet {
    accesses: Int,
    blocks: Int,
    pub(super) intervals: Reuses,
    /// The number of windows that were requested, up to [`SURVEYED_FROM`].
    questions: AtomicU32,
    survey: OnceLock<WorkingSetSurvey>,
}

/// The number of requests that are served without a survey.
const SURVEYED_FROM: u32 = 2;

/// The largest number of rows or digits that are searched for a point of the survey; other points are left out.
const SURVEYED: i128 = 1 << 10;

impl WorkingSet {
    /// Prepares all windows; the error describes the contradiction if the classes do not add up.
    pub(crate) fn new(accesses: Int, blocks: Int, parts: Parts, limit: &Arc<Limit>) -> Result<Self, String> {
        let intervals = Reuses::new(parts, limit);
        check_intervals(&intervals.values.all(), &accesses, &blocks)?;
        Ok(Self { accesses, blocks, intervals, questions: AtomicU32::new(0), survey: OnceLock::new() })
    }

    /// Returns x*, the largest window whose working set fits in `blocks` blocks, as its point `x`; `None` if every window fits.
    pub(super) fn window(&self, blocks: &Int) -> Result<Option<SurveyPoint<Below>>, EvalError> {
        if *blocks >= self.blocks {
            return Ok(None);
        }
        let room = &self.accesses * blocks;
        let survey = self.survey();
        // No window of C blocks is shorter than C.
        let safe = || survey.map_or_else(|| blocks.clone(), |survey| survey.safe(&room));
        let mut x = survey.map_or_else(|| blocks.clone(), |survey| survey.near(&room));
        loop {
            let point = self.point(x)?;
            let left = &room - &point.working_set;
            if !left.is_negative() && left < point.slope {
                return Ok(Some(point));
            }
            x = safe().max(point.reach(&room).unwrap_or(Int::ZERO));
        }
    }

    /// Returns the survey, made on first use. It takes as long as many requests, so the first ones go without.
    fn survey(&self) -> Option<&WorkingSetSurvey> {
        if self.questions.load(Ordering::Relaxed) < SURVEYED_FROM {
            self.questions.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        let point = |x| if self.intervals.values.searched(&x) <= SURVEYED { self.point(x).ok() } else { None };
        Some(self.survey.get_or_init(|| WorkingSetSurvey::new(&self.intervals.values.largest(), point)))
    }

    fn point(&self, x: Int) -> Result<SurveyPoint<Below>, EvalError> {
        let below = self.intervals.values.below(&x)?;
        let (working_set, slope) = (self.working_set(&x, &below), &self.accesses - &below.count);
        Ok(SurveyPoint { x, working_set, slope, data: below })
    }

    /// Returns N·s(x); `below` are the sums up to `x`.
    fn working_set(&self, x: &Int, below: &Below) -> Int {
        &below.weighted + &(x * &(&self.accesses - &below.count))
    }

    /// Returns s(x), rounded; `below` are the sums up to `x`.
    pub(super) fn mean(&self, x: &Int, below: &Below) -> f64 {
        let working_set = self.working_set(x, below);
        match (working_set.to_i128(), self.accesses.to_i128()) {
            (Some(sum), Some(accesses)) => sum as f64 / accesses as f64,
            _ => working_set.ratio(&self.accesses),
        }
    }
}
