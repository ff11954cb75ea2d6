//! Pieces in which one iterator is divided into several, as by cache lines.

use proptest::prelude::*;
use symloc_model::{Bounds, CountPiece, IntervalKind, ReuseClass};
use symloc_quasi::{Constraint, Int, Poly};

use super::{HIGH, compare, cut, int, up_to, var};

/// Points (high, low, x) of which everything depends on `w = base·high + low` and x.
#[derive(Clone, Debug)]
struct DividedPiece {
    base: i64,
    /// The first value of the lower digit, and by how many values it has less than the base.
    first: i64,
    missing: i64,
    /// The number of values of the higher digit, and of x.
    lengths: (i64, i64),
    /// A coefficient, and the exponents of w and x.
    terms: Vec<(i64, (u32, u32))>,
    /// `w + a·x ≤ b`
    cut: Option<(i64, i64)>,
    /// `high ≤ a·x + b`, or `≥`
    steps: Option<(i64, i64, bool)>,
    /// True if c is w plus a constant.
    counts_grow: bool,
    /// What is added to v for each step of the higher digit: with anything but 0, the digits are not one number.
    apart: i64,
    /// A coefficient, and the shift and divisor of `⌊(w + shift)/divisor⌋`, which is added to v.
    rounded: Option<(i64, i64, i64)>,
}

impl DividedPiece {
    fn piece(&self) -> (ReuseClass, CountPiece) {
        let [high, low, x] = [1, 2, 3].map(var);
        let w = &(&high * &int(self.base)) + &low;
        let mut value = &Poly::integer(num_bigint::BigInt::from(1) << HIGH[0]) + &(&high * &int(self.apart));
        for (coefficient, (p, q)) in &self.terms {
            value = &value + &(&(&w.pow(*p) * &x.pow(*q)) * &int(*coefficient));
        }
        if let Some((coefficient, shift, divisor)) = self.rounded {
            let floor = (&w + &int(shift)).floor_div(&divisor.into());
            value = &value + &(&floor * &int(coefficient));
        }
        let ranges = [(0, self.lengths.0), (self.first, self.base - self.missing), (0, self.lengths.1)];
        let bounds =
            ranges.map(|(first, length)| Bounds { lower: vec![int(first)], upper: vec![int(first + length - 1)] });
        let mut domain = Vec::new();
        for (iterator, Bounds { lower, upper }) in [&high, &low, &x].into_iter().zip(&bounds) {
            domain.push(Constraint::non_negative(iterator - &lower[0]));
            domain.push(Constraint::non_negative(&upper[0] - iterator));
        }
        let line = |a: i64, b: i64| &(&x * &int(a)) + &int(b);
        domain.extend(self.cut.map(|(a, b)| Constraint::non_negative(&line(-a, b) - &w)));
        domain.extend(self.steps.map(|(a, b, below)| {
            let above = &line(a, b) - &high;
            Constraint::non_negative(if below { above } else { -&above })
        }));
        let count = if self.counts_grow { &w + &int(40) } else { Poly::one() };
        let piece = CountPiece { access: None, previous: None, bounds: bounds.to_vec(), domain, count };
        let iterators = ["high", "low", "x"].map(str::to_owned).to_vec();
        (ReuseClass { kind: IntervalKind::Real, iterators, value, counts: vec![piece.clone()] }, piece)
    }
}

fn divided() -> impl Strategy<Value = DividedPiece> {
    let exponents = prop::sample::select(vec![(0, 1), (1, 0), (1, 1), (2, 0), (1, 2)]);
    let terms = prop::collection::vec((-30_i64..30, exponents), 1..4);
    let cut = prop::option::of((-3_i64..4, 0_i64..90));
    let steps = prop::option::of((-2_i64..3, 0_i64..9, any::<bool>()));
    let sizes = (2_i64..13, -9_i64..10, (1_i64..12, 1_i64..12));
    let apart = prop_oneof![4 => Just(0_i64), 1 => -3_i64..4];
    let rounded = prop::option::of((-40_i64..40, -9_i64..9, prop::sample::select(vec![2_i64, 3, 4])));
    let missing = prop_oneof![2 => Just(0_i64), 1 => 1_i64..4];
    (sizes, missing, terms, cut, steps, any::<bool>(), apart, rounded).prop_map(
        |((base, first, lengths), missing, terms, cut, steps, counts_grow, apart, rounded)| DividedPiece {
            base,
            first,
            missing: missing.min(base - 1),
            lengths,
            terms,
            cut,
            steps,
            counts_grow,
            apart,
            rounded,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn digits_of_one_number(divided in divided()) {
        compare(divided.piece(), 1)?;
    }
}

/// Of n values of w and n of x, none is enumerated if the digits are one number; otherwise those of an iterator are.
#[test]
fn one_number_is_not_enumerated() {
    let divided = |apart| DividedPiece {
        base: 1000,
        first: 0,
        missing: 0,
        lengths: (1000, 1000),
        terms: vec![(3, (1, 1)), (1, (1, 0)), (7, (0, 1))],
        // It holds everywhere, but the points are no box.
        cut: Some((1, 2_000_000)),
        steps: None,
        counts_grow: false,
        apart,
        rounded: None,
    };
    let parts = |divided: DividedPiece| {
        let (class, piece) = divided.piece();
        cut(&class, &piece, &[1]).unwrap()
    };
    let (merged, apart) = (parts(divided(0)), parts(divided(5)));
    assert_eq!((merged.enumerated, merged.parts.len()), (0, 1));
    assert!(apart.enumerated >= 1000);
    // With a floor of w, there are so many numbers as residues.
    let rounded = parts(DividedPiece { rounded: Some((2, 3, 8)), ..divided(0) });
    assert_eq!((rounded.enumerated, rounded.parts.len()), (0, 8));
    for parts in [merged, apart, rounded] {
        assert_eq!(up_to(&parts, &Int::from(1_i128 << 90)).count, Int::from(1_000_000_000));
    }
    // With a missing value, there are all numbers less those that end on it.
    let gaps = parts(DividedPiece { missing: 1, ..divided(0) });
    assert_eq!((gaps.enumerated, gaps.parts.len()), (0, 2));
    assert_eq!(up_to(&gaps, &Int::from(1_i128 << 90)).count, Int::from(999_000_000));
}
