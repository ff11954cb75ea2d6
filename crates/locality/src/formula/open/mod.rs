//! Misses that no polynomial counts.

mod rows;

use num_bigint::BigInt;
use symloc_quasi::{Poly, Var};

use crate::class::Class;
use crate::formula::member::{Above, Segment};
use crate::formula::threshold::Near;

pub use crate::formula::open::rows::RowSum;

/// Misses of a class in a range of thresholds that no polynomial counts: the accesses with values above the threshold.
#[derive(Clone, Debug)]
pub struct Sum {
    /// The least threshold.
    pub from: Poly,
    /// The end of the range, exclusive.
    pub to: Option<Poly>,
    /// A number of accesses that the sum does not exceed in this range, if it has a formula: that at the cache before.
    pub at_most: Option<Poly>,
    /// The class; its iterators come after the threshold.
    pub class: Class,
    /// The sum as one over the rows of the class, if values rise or fall along them.
    pub rows: Option<RowSum>,
}

impl Sum {
    /// Returns the sum over an open segment of a class.
    pub(super) fn new(class: &Class, segments: &[Segment], segment: usize, near: &mut Near<'_>) -> Self {
        let threshold: Var = near.threshold();
        let from = segments[segment].from.clone();
        let before = segment.checked_sub(1).map(|before| &segments[before].above);
        let at_most = before.and_then(|before| match before {
            Above::Sums([count, _]) => Some(count.with_value(threshold, &(&from - &Poly::one()))),
            Above::Open => None,
        });
        Self {
            from,
            to: segments.get(segment + 1).map(|next| next.from.clone()),
            at_most: at_most.filter(|most| most.last_var().is_none_or(|last| last < threshold)),
            class: class.clone(),
            rows: RowSum::of(class, near),
        }
    }

    /// Returns the number of accesses at a point with values for the sizes and the threshold; `None` if it is not a sum
    /// over rows.
    pub fn value(&self, point: &[BigInt]) -> Option<BigInt> {
        self.rows.as_ref().map(|rows| rows.value(point))
    }
}
