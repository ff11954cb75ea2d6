//! How sizes grow: all alike, or some of them faster than every power of the others, `n >> m`.

use crate::limit::scale::Scales;

/// The weight of a size that no power of another one in a formula reaches.
const FAST: u64 = 1 << 16;

/// Samples of sizes, and the distance between two of them, where some grow faster; of both kinds the slow ones come first.
const STARTS: [(i128, i128); 2] = [(1 << 20, 1 << 10), (1 << 100, 1 << 60)];

/// How the sizes of a program grow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Growth {
    faster: Vec<usize>,
}

impl Growth {
    /// These parameters grow faster than all others; without any, all are of like size.
    pub fn faster(parameters: Vec<usize>) -> Self {
        Self { faster: parameters }
    }

    pub(crate) fn is_fast(&self, parameter: usize) -> bool {
        self.faster.contains(&parameter)
    }

    pub(crate) fn scales(&self, variables: usize) -> Scales {
        Scales::new((0..variables).map(|variable| if self.is_fast(variable) { FAST } else { 1 }).collect())
    }

    /// Do the faster parameters come first?
    pub(crate) fn allows(&self, order: &[usize]) -> bool {
        order.is_sorted_by_key(|&parameter| !self.is_fast(parameter))
    }

    /// A value far out, of values with more steps the larger; nothing if all are of like size.
    pub(crate) fn start(&self, parameter: usize, steps: i128) -> Option<i128> {
        let (base, step) = STARTS[usize::from(self.is_fast(parameter))];
        (!self.faster.is_empty()).then(|| base + steps * step)
    }
}
