//! Computes the misses of all caches at one size, without a histogram.
//!
//! With B(x) = Σ v·c and K(x) = Σ c over the accesses with an interval v ≤ x, the working set (see
//! [`denning`](super::histogram)) is N·s(x) = B(x) + x·(N − K(x)), and N − K(x) is its slope from x to x + 1. It is concave,
//! so Newton's method from the left never goes too far:
//!
//! ```text
//! x ← x + ⌊(N·C − N·s(x)) / (N − K(x))⌋
//! ```
//!
//! This ends, after a few steps, at x* = max {x : s(x) ≤ C}, exactly; from the right, its first step leads to the left. The start
//! is estimated from a few points of the working set (see `survey`). B and K are the cumulative histogram of all intervals.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use symloc_model::NamedSizes;
use symloc_quasi::Int;

use super::histogram::Misses;
use super::survey::{SurveyPoint, WorkingSetSurvey};
use crate::count::Parts;
use crate::cumulative::{Below, Cumulative, Limit};
use crate::error::EvalError;

/// The misses of a fully associative cache of each size, at one size of the program. These are exact.
#[derive(Debug)]
pub struct Locality {
    place: Instance,
    accesses: Int,
    blocks: Int,
    intervals: Cumulative,
    /// The number of windows that were requested, up to [`SURVEYED_FROM`].
    questions: AtomicU32,
    survey: OnceLock<WorkingSetSurvey>,
}

/// The program at one size, with one line size, to which a [`Locality`] refers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The size.
    pub parameters: Vec<(String, i128)>,
    /// Bytes per cache line, if all arrays agree on them.
    pub line_bytes: Option<u64>,
    /// True if a line holds one element of each array.
    pub element: bool,
}

impl Instance {
    /// Returns the size, for another evaluation at it.
    pub fn sizes(&self) -> NamedSizes {
        // Sizes were 64 bits before they were evaluated.
        let values = self.parameters.iter();
        values.filter_map(|(name, value)| Some((name.clone(), i64::try_from(*value).ok()?))).collect()
    }
}

/// The number of requests that are served without a survey.
const SURVEYED_FROM: u32 = 2;

/// The largest number of rows or digits that are searched for a point of the survey; other points are left out.
const SURVEYED: i128 = 1 << 10;

impl Locality {
    /// Prepares all caches; the error describes the contradiction if the classes do not add up.
    pub(crate) fn new(
        place: Instance,
        accesses: Int,
        blocks: Int,
        parts: Parts,
        limit: &Arc<Limit>,
    ) -> Result<Self, String> {
        let intervals = Cumulative::new(parts, limit);
        check(&intervals.all(), &accesses, &blocks)?;
        Ok(Self { place, accesses, blocks, intervals, questions: AtomicU32::new(0), survey: OnceLock::new() })
    }

    /// Returns the size and the line size.
    pub fn place(&self) -> &Instance {
        &self.place
    }

    /// Returns N, the number of accesses.
    pub fn accesses(&self) -> &Int {
        &self.accesses
    }

    /// Returns m, the number of distinct blocks; also the number of first touches.
    pub fn blocks(&self) -> &Int {
        &self.blocks
    }

    /// Returns the number of points, or rows of points, that were enumerated because no closed form was known.
    pub fn enumerated(&self) -> u64 {
        self.intervals.enumerated()
    }

    /// Returns the number of different ends of intervals, and that of the parts of classes between them.
    pub fn parts(&self) -> (usize, usize) {
        self.intervals.parts()
    }

    pub(crate) fn intervals(&self) -> &Cumulative {
        &self.intervals
    }

    /// Returns the misses of a fully associative cache of `blocks` blocks.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub fn misses(&self, blocks: &Int) -> Result<Misses, EvalError> {
        let reuse = match self.window_of(blocks)? {
            Some(point) => &(&self.accesses - &self.blocks) - &point.data.real,
            None => Int::ZERO,
        };
        Ok(Misses { cold: self.blocks.clone(), reuse })
    }

    /// Returns x*, the largest window whose working set fits in `blocks` blocks; `None` if every window fits.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub fn window(&self, blocks: &Int) -> Result<Option<Int>, EvalError> {
        Ok(self.window_of(blocks)?.map(|point| point.x))
    }

    fn window_of(&self, blocks: &Int) -> Result<Option<SurveyPoint<Below>>, EvalError> {
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
        let point = |x| if self.intervals.searched(&x) <= SURVEYED { self.point(x).ok() } else { None };
        Some(self.survey.get_or_init(|| WorkingSetSurvey::new(&self.intervals.largest(), point)))
    }

    fn point(&self, x: Int) -> Result<SurveyPoint<Below>, EvalError> {
        let below = self.intervals.below(&x)?;
        let (working_set, slope) = (self.working_set(&x, &below), &self.accesses - &below.count);
        Ok(SurveyPoint { x, working_set, slope, data: below })
    }

    /// Returns N·s(x); `below` are the sums up to `x`.
    pub(crate) fn working_set(&self, x: &Int, below: &Below) -> Int {
        &below.weighted + &(x * &(&self.accesses - &below.count))
    }
}

/// Checks the invariants of every program: each access is in one class, each block has one first touch, and the intervals,
/// imaginary ones included, sum to N·m (RI sum invariance).
fn check(all: &Below, accesses: &Int, blocks: &Int) -> Result<(), String> {
    if all.count != *accesses {
        return Err(format!("the classes hold {} accesses, the program makes {accesses}", all.count));
    }
    let touches = &all.count - &all.real;
    if touches != *blocks {
        return Err(format!("{touches} first touches of {blocks} blocks"));
    }
    let expected = accesses * blocks;
    if all.weighted != expected {
        let sum = &all.weighted;
        return Err(format!("the reuse intervals sum to {sum}, accesses times blocks is {expected}"));
    }
    Ok(())
}
