//! Parts that serve at several sizes.

use proptest::prelude::*;
use symloc_model::{Bounds, CountPiece, IntervalKind, ReuseClass};
use symloc_quasi::{Constraint, Int, Poly};

use super::{any_high, int, random, up_to, var};
use crate::count::{Decomposition, Parts, Plan};

/// Compares parts that sizes share with those of each size by itself; returns the shared ones.
fn compare(class: &ReuseClass, piece: &CountPiece, sizes: &[i64]) -> Result<Vec<Parts>, TestCaseError> {
    let plan = || Plan::new(&class.value, piece, 1);
    let Some((plan, sharing)) = plan().zip(plan().map(|plan| plan.fix(&[]))) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for n in sizes {
        let size = [i128::from(*n)];
        let (mut left, mut alone, mut shared) = ([1_000_000; 2], Parts::default(), Parts::default());
        let outcomes = [
            Decomposition::run(&plan, IntervalKind::Real, &size, &mut left[0], &mut alone).is_ok(),
            Decomposition::run(&sharing, IntervalKind::Real, &size, &mut left[1], &mut shared).is_ok(),
        ];
        prop_assert_eq!(outcomes[0], outcomes[1], "n = {}", n);
        if !outcomes[0] {
            continue;
        }
        let both = [&alone, &shared].into_iter();
        let ends = both.clone().flat_map(|parts| parts.parts.iter().flat_map(|part| [&part.low, &part.high]));
        let atoms = both.flat_map(|parts| parts.atoms.iter().map(|atom| &atom.interval));
        let thresholds: Vec<Int> =
            ends.chain(atoms).flat_map(|value| [-1, 0, 7].map(|more| value + &Int::from(more))).collect();
        for x in &thresholds {
            prop_assert_eq!(up_to(&alone, x), up_to(&shared, x), "n = {}, up to {}", n, x);
        }
        found.push(shared);
    }
    Ok(found)
}

/// Returns a class with its piece on a window of i that moves with n: step·n ≤ i < step·n + length and 0 ≤ j < width.
fn on_window(
    (class, piece): (ReuseClass, CountPiece),
    step: i64,
    length: i64,
    width: i64,
    tilted: bool,
) -> (ReuseClass, CountPiece) {
    let (start, end) = (&var(0) * &int(step), &(&var(0) * &int(step)) + &int(length - 1));
    let mut domain = vec![&var(1) - &start, &end - &var(1), var(2), &int(width - 1) - &var(2)];
    domain.extend(tilted.then(|| &(&var(2) + &var(1)) - &(&start + &int(2))));
    let bounds = [(start, end), (Poly::zero(), int(width - 1))];
    let bounds = bounds.map(|(low, high)| Bounds { lower: vec![low], upper: vec![high] }).to_vec();
    let piece = CountPiece { bounds, domain: domain.into_iter().map(Constraint::non_negative).collect(), ..piece };
    (ReuseClass { counts: vec![piece.clone()], ..class }, piece)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// A size that comes back, and sizes with the same floors, may share their parts; others must not.
    #[test]
    fn shared_parts_are_those_of_the_size(random in random(2, any_high()), sizes in prop::collection::vec(0_i64..25, 1..24)) {
        let (class, piece) = random.piece();
        compare(&class, &piece, &sizes)?;
    }

    /// Pieces that move with the size may share their parts if they are alike.
    #[test]
    fn moved_parts_are_those_of_the_size(
        random in random(2, any_high()), step in 1_i64..6, length in 1_i64..40, width in 1_i64..12, tilted in any::<bool>(),
        sizes in prop::collection::vec(0_i64..25, 1..24),
    ) {
        let (class, piece) = on_window(random.piece(), step, length, width, tilted);
        compare(&class, &piece, &sizes)?;
    }
}

/// A line of eight elements at a time: windows that begin at the same place in a line share their parts, with values that are longer by 3
/// for each element.
#[test]
fn windows_that_begin_at_the_same_place_in_a_line_are_alike() {
    let value = &(&(&var(1) * &int(3)) + &(&var(2) * &int(500))) + &int(1000);
    let count = &(&var(1) + &int(8)).floor_div(&8.into()) - &(&var(1) + &int(7)).floor_div(&8.into());
    let piece = CountPiece { access: None, previous: None, bounds: Vec::new(), domain: Vec::new(), count };
    let class = ReuseClass {
        kind: IntervalKind::Real,
        iterators: ["i", "j"].map(String::from).to_vec(),
        value,
        counts: Vec::new(),
    };
    let (class, piece) = on_window((class, piece), 4, 200, 30, false);
    let found = compare(&class, &piece, &[0, 1, 2, 3, 10, 11]).unwrap();
    let offsets: Vec<bool> =
        found.iter().map(|parts| format!("{parts:?}").contains("offset: Int(Small(24))")).collect();
    assert_eq!(offsets, [false, false, true, true, false, false]);
}
