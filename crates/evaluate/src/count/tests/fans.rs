//! Boxes on which v has products of iterators.

use symloc_quasi::Int;

use super::{Nest, cut_within, up_to};

/// With one factor of a product fixed, the others are digits whose steps grow: no slice is cut until a question comes to it.
#[test]
fn fans_are_not_enumerated() {
    let n = 1_000_000;
    let nest =
        |terms: [(i64, Vec<usize>); 3]| Nest { lengths: vec![n; 3], terms: terms.to_vec(), corner: None, period: None };
    // On the first slice both steps are zero; then on each end one.
    let upwards = nest([(2 * n, vec![0, 2]), (1, vec![1, 2]), (1, vec![2])]);
    let both = nest([(n * n * (n - 1), vec![0]), (-n * n, vec![0, 2]), (1, vec![1, 2])]);
    for (nest, parts) in [(upwards, 1), (both, 3)] {
        let (class, piece) = nest.piece();
        let found = cut_within(&class, &piece, &[1], 2).unwrap();
        assert_eq!((found.enumerated, found.parts.len()), (0, parts));
        assert_eq!(up_to(&found, &Int::from(1_i128 << 90)).count, Int::from(i128::from(n).pow(3)));
    }
    // The smaller digit reaches over all values of the other one.
    let (class, piece) = nest([(1, vec![0, 2]), (1, vec![1, 2]), (1, vec![0])]).piece();
    assert!(cut_within(&class, &piece, &[1], 1000).is_none());
}
