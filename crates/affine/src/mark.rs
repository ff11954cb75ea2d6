//! Marks: places of a program whose executions are counted.
//!
//! A [`Mark`] is a node of the tree: "execution passes here". The count of a mark is the number of iterations in which one
//! of its nodes is reached, each times its [`Weight`]. That is how what an analysis cannot see, a branch on data, is
//! stated: the nodes of both sides follow each other, each with the share of the executions that goes there. Nothing
//! that concerns locality looks at marks.

use std::collections::BTreeSet;

use num_rational::BigRational;

use crate::ids::MarkId;

/// Execution passes here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The count that the mark adds to; several nodes may share it.
    pub id: MarkId,
    /// The weight of one pass.
    pub weight: Weight,
}

impl Mark {
    /// Returns a mark that counts every pass.
    pub fn new(id: MarkId) -> Self {
        Self { id, weight: Weight::default() }
    }
}

/// The number of times that a place is passed for each time that execution of the tree reaches it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Once.
    #[default]
    Once,
    /// On average so often, because somebody said so: what is counted is an estimate.
    Estimate(BigRational),
    /// Not known: it hangs on branches on data at these lines of the source, of whose probabilities nobody said anything.
    Unknown(BTreeSet<u32>),
}

impl Weight {
    /// Returns the weight of a place that is passed `other` times for each pass of this one.
    pub fn times(&self, other: &Weight) -> Weight {
        match (self, other) {
            (Weight::Unknown(one), Weight::Unknown(two)) => Weight::Unknown(one | two),
            (Weight::Unknown(lines), _) | (_, Weight::Unknown(lines)) => Weight::Unknown(lines.clone()),
            (Weight::Estimate(one), Weight::Estimate(two)) => Weight::Estimate(one * two),
            (Weight::Once, weight) | (weight, Weight::Once) => weight.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_multiply() {
        let half = Weight::Estimate(BigRational::new(1.into(), 2.into()));
        let quarter = Weight::Estimate(BigRational::new(1.into(), 4.into()));
        let unknown = |lines: &[u32]| Weight::Unknown(lines.iter().copied().collect());
        assert_eq!(half.times(&half), quarter);
        assert_eq!(Weight::Once.times(&half), half);
        assert_eq!(half.times(&unknown(&[7])), unknown(&[7]));
        assert_eq!(unknown(&[7]).times(&unknown(&[3])), unknown(&[3, 7]));
        assert_eq!(Weight::Once.times(&Weight::Once), Weight::Once);
    }
}
