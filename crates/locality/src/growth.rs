//! Relative growth of the sizes: all alike, or some of them faster than every power of the others, `n >> m`.

use crate::scale::Scales;

/// The weight of a size that no power of another one in a formula reaches.
const FAST: u64 = 1 << 16;

/// Bases and step widths of the samples of sizes if some grow faster: first those of the slow sizes, then those of the
/// fast ones.
const STARTS: [(i128, i128); 2] = [(1 << 20, 1 << 10), (1 << 100, 1 << 60)];

/// The relative growth of a program's sizes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Growth {
    faster: Vec<usize>,
}

impl Growth {
    /// Declares that these parameters grow faster than all others; if there are none, all grow alike.
    pub fn faster(parameters: Vec<usize>) -> Self {
        Self { faster: parameters }
    }

    pub(crate) fn is_fast(&self, parameter: usize) -> bool {
        self.faster.contains(&parameter)
    }

    pub(crate) fn scales(&self, variables: usize) -> Scales {
        Scales::new((0..variables).map(|variable| if self.is_fast(variable) { FAST } else { 1 }).collect())
    }

    /// Returns true if the faster parameters come first.
    pub(crate) fn allows(&self, order: &[usize]) -> bool {
        order.is_sorted_by_key(|&parameter| !self.is_fast(parameter))
    }

    /// Returns a large value, the larger the more steps; `None` if all sizes grow alike.
    pub(crate) fn start(&self, parameter: usize, steps: i128) -> Option<i128> {
        let (base, step) = STARTS[usize::from(self.is_fast(parameter))];
        (!self.faster.is_empty()).then(|| base + steps * step)
    }
}
