//! The classification of integers as sizes and bounds, by their uses.

use std::collections::BTreeSet;

use crate::draft::Domain;

/// One use of an integer.
#[derive(Clone, Debug)]
pub enum Use<V> {
    /// It is a size.
    Size,
    /// It is part of an address, or a loop starts or ends there.
    Bound,
    /// These integers are equal to it or computed from it; none if it is a condition, or data. A product or quotient
    /// with a value that is not constant makes a bound a size.
    PassedOn(Vec<V>, Factor),
}

/// The answer to whether a use multiplies or divides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// It does, by a value that is not constant.
    Yes,
    /// It does not.
    No,
}

/// Returns the domain of a value that is a size or a bound, by the uses of values; `None` if it is neither. Values with
/// equal `key`s are the same value.
pub fn size<V, K: Ord>(value: V, key: impl Fn(&V) -> K, mut uses: impl FnMut(V) -> Vec<Use<V>>) -> Option<Domain> {
    let mut seen = BTreeSet::from([key(&value)]);
    let mut open = vec![value];
    let (mut is_bound, mut is_factor) = (false, false);
    while let Some(value) = open.pop() {
        for found in uses(value) {
            match found {
                Use::Size => return Some(Domain::Size),
                Use::Bound => is_bound = true,
                Use::PassedOn(values, factor) => {
                    is_factor |= factor == Factor::Yes;
                    open.extend(values.into_iter().filter(|value| seen.insert(key(value))));
                }
            }
        }
    }
    is_bound.then_some(if is_factor { Domain::Size } else { Domain::Bound })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_multiplied_is_a_size_and_no_bound() {
        let size_of = |uses: &[(u32, Use<u32>)]| {
            let of = |value| uses.iter().filter(|(of, _)| *of == value).map(|(_, found)| found.clone()).collect();
            size(0, |value| *value, of)
        };
        let passed = |to: u32, factor| Use::PassedOn(vec![to], factor);
        assert_eq!(size_of(&[(0, passed(1, Factor::No)), (1, passed(0, Factor::No))]), None);
        assert_eq!(size_of(&[(0, passed(1, Factor::No)), (1, Use::Bound)]), Some(Domain::Bound));
        assert_eq!(size_of(&[(0, passed(1, Factor::Yes)), (1, Use::Bound)]), Some(Domain::Size));
        assert_eq!(size_of(&[(0, Use::Bound), (0, passed(1, Factor::No)), (1, Use::Size)]), Some(Domain::Size));
        assert_eq!(size_of(&[(0, passed(1, Factor::Yes))]), None);
    }
}
