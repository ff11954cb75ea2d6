//! Miss curves: finds their steps, and where one curve is below another.
//!
//! A larger cache never misses more. So there is no step between two cache sizes with equally many misses; between others the
//! middle one is evaluated, and so on until two sizes are neighbours, or as close as the requested detail. A curve of k steps
//! over caches of up to m blocks takes about k·log₂ m evaluations. Two curves are compared in the same way: between two cache
//! sizes one is certainly below the other if its misses in the smaller cache are fewer than the other's in the larger one.

use std::cmp::Ordering;

use symloc_quasi::Int;

use crate::error::EvalError;

/// The misses in one cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misses {
    /// First touches: they miss in every cache.
    pub cold: Int,
    /// Reuses that miss, because their interval or distance is too long.
    pub reuse: Int,
}

impl Misses {
    /// Returns the number of all misses.
    pub fn total(&self) -> Int {
        &self.cold + &self.reuse
    }
}

/// A step of the miss curve: the misses of all caches from `blocks` up to those of the next step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The smallest cache of this step, in blocks.
    pub blocks: Int,
    /// Its misses.
    pub misses: Misses,
}

/// The misses of a fully associative cache of each size, at one size of the program.
pub trait MissCurve {
    /// Returns the misses of a cache of `blocks` blocks.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    fn misses(&self, blocks: &Int) -> Result<Misses, EvalError>;

    /// Returns the number of distinct blocks: in a cache of this size or larger only first touches miss.
    fn blocks(&self) -> &Int;

    /// Returns the steps of the curve, by ascending cache size, from the empty cache on; each has fewer misses than the one
    /// before. The iterator finds them one after the other, so that reading the first of many takes little time.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    fn steps(&self, detail: Detail) -> Result<Steps<'_, Self>, EvalError> {
        let empty = RangeEnd::new(self, Int::ZERO)?;
        let first = Step { blocks: empty.blocks.clone(), misses: empty.misses.clone() };
        let cells = vec![(empty, RangeEnd::new(self, self.blocks().clone())?)];
        Ok(Steps { curve: self, detail, first: Some(first), cells })
    }
}

/// The resolution at which the steps of a curve are distinguished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Every step.
    Every,
    /// Steps whose distance is less than a fraction of the cache size may be merged: with `Part(100)`, one hundredth. Each pair
    /// of a size and its misses that is returned is exact, and so is each step that has no other so close to it.
    Part(u32),
}

impl Detail {
    /// Returns true if the detail needs nothing between two cache sizes.
    fn suffices(self, low: &Int, high: &Int) -> bool {
        let between = high - low;
        let parts = match self {
            Detail::Every => 0,
            Detail::Part(parts) => parts,
        };
        between <= Int::from(1) || (parts > 0 && &between * &Int::from(i64::from(parts)) < *low)
    }
}

/// The steps of a miss curve; see [`MissCurve::steps`].
#[derive(Debug)]
#[must_use = "steps are found when they are asked for"]
pub struct Steps<'c, C: ?Sized> {
    curve: &'c C,
    detail: Detail,
    first: Option<Step>,
    /// Ranges of cache sizes that are still to be examined, the smallest caches last.
    cells: Vec<(RangeEnd, RangeEnd)>,
}

/// A cache size at the end of a range.
#[derive(Clone, Debug)]
struct RangeEnd {
    blocks: Int,
    misses: Misses,
}

impl RangeEnd {
    fn new<C: MissCurve + ?Sized>(curve: &C, blocks: Int) -> Result<Self, EvalError> {
        Ok(Self { misses: curve.misses(&blocks)?, blocks })
    }
}

impl<C: MissCurve + ?Sized> Steps<'_, C> {
    fn middle(&self, low: &RangeEnd, high: &RangeEnd) -> Result<RangeEnd, EvalError> {
        RangeEnd::new(self.curve, middle(&low.blocks, &high.blocks))
    }

    /// Returns the step in a range in which one suffices: its exact place, unless there are several.
    fn settle(&self, mut low: RangeEnd, mut high: RangeEnd) -> Result<Step, EvalError> {
        while &high.blocks - &low.blocks > Int::from(1) {
            let middle = self.middle(&low, &high)?;
            if middle.misses == high.misses {
                high = middle;
            } else if middle.misses == low.misses {
                low = middle;
            } else {
                break;
            }
        }
        Ok(Step { blocks: high.blocks, misses: high.misses })
    }

    fn find(&mut self) -> Result<Option<Step>, EvalError> {
        while let Some((low, high)) = self.cells.pop() {
            if low.misses == high.misses {
                continue;
            }
            if self.detail.suffices(&low.blocks, &high.blocks) {
                return self.settle(low, high).map(Some);
            }
            let middle = self.middle(&low, &high)?;
            self.cells.push((middle.clone(), high));
            self.cells.push((low, middle));
        }
        Ok(None)
    }
}

/// Ends after an error.
impl<C: MissCurve + ?Sized> Iterator for Steps<'_, C> {
    type Item = Result<Step, EvalError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(first) = self.first.take() {
            return Some(Ok(first));
        }
        let found = self.find();
        if found.is_err() {
            self.cells.clear();
        }
        found.transpose()
    }
}

fn middle(low: &Int, high: &Int) -> Int {
    (low + high).div_floor(&Int::from(2)).unwrap_or(Int::ZERO)
}

/// A range of cache sizes, up to the start of the next one, in which two programs compare in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lead {
    /// The smallest cache of the range, in blocks.
    pub blocks: Int,
    /// [`Ordering::Less`] if the first program misses less than the second.
    pub misses: Ordering,
}

/// Returns the ranges of cache sizes in which one of two programs misses less, ascending from one block on; the last range has no
/// end. The blocks of both must have one size. With [`Detail::Every`] the ranges are exact; otherwise the comparison at the end
/// of a range that is not examined is taken for all of it.
///
/// # Errors
///
/// [`EvalError::Limit`] if too many rows would have to be searched.
pub fn leads<C: MissCurve + ?Sized>(first: &C, second: &C, detail: Detail) -> Result<Vec<Lead>, EvalError> {
    let end = |blocks: Int| -> Result<ComparedEnd, EvalError> {
        Ok(ComparedEnd { misses: [first.misses(&blocks)?.total(), second.misses(&blocks)?.total()], blocks })
    };
    let one = Int::from(1);
    let last = first.blocks().max(second.blocks()).max(&one).clone();
    let mut cells = vec![(end(one.clone())?, end(last)?)];
    let mut leads: Vec<Lead> = Vec::new();
    while let Some((low, high)) = cells.pop() {
        let neighbours = &high.blocks - &low.blocks == one;
        let known = match order(&low, &high) {
            None if !neighbours && detail.suffices(&low.blocks, &high.blocks) => Some(high.order()),
            known => known,
        };
        match known {
            Some(misses) if leads.last().is_some_and(|lead| lead.misses == misses) => {}
            Some(misses) => leads.push(Lead { blocks: low.blocks, misses }),
            None => {
                let middle = middle(&low.blocks, &high.blocks);
                cells.push((end(&middle + &one)?, high));
                cells.push((low, end(middle)?));
            }
        }
    }
    Ok(leads)
}

/// A cache size at the end of a range, with the misses of both programs.
struct ComparedEnd {
    blocks: Int,
    misses: [Int; 2],
}

impl ComparedEnd {
    fn order(&self) -> Ordering {
        self.misses[0].cmp(&self.misses[1])
    }
}

/// Returns how the misses compare in all caches from `low` to `high`, if that follows from those at the ends.
fn order(low: &ComparedEnd, high: &ComparedEnd) -> Option<Ordering> {
    let ([first, second], [first_last, second_last]) = (&low.misses, &high.misses);
    if first < second_last {
        Some(Ordering::Less)
    } else if second < first_last {
        Some(Ordering::Greater)
    } else {
        (first == first_last && second == second_last).then(|| low.order())
    }
}
