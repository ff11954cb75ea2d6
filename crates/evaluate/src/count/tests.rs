//! Compares closed forms of random pieces with the sum over all of their points.

mod digits;
mod fans;
mod shared;

use num_bigint::BigInt;
use proptest::prelude::*;
use symloc_model::{Bounds, CountPiece, IntervalKind, ReuseClass};
use symloc_quasi::{Constraint, Int, Poly, Rational, Var};

use super::{Decomposition, Parts, Plan, Sums, Trouble};
use crate::error::Stop;

/// The powers of two that are added to all intervals: the intervals are positive for all random polynomials, in machine words at
/// sizes up to 100, and at sizes up to 2^32 or so.
const HIGH: [u32; 2] = [40, 110];

/// A term of a random value: a coefficient, exponents of the iterators, and a floor `⌊(a·i + b·j + c·n + d)/e⌋`.
type RandomTerm = (i64, (u32, u32), Option<(i64, i64, i64, i64, i64)>);

#[derive(Clone, Debug)]
struct RandomClass {
    iterators: usize,
    /// One of [`HIGH`].
    high: u32,
    /// `a·i + b·j + c·n + d ≥ 0`
    conditions: Vec<(i64, i64, i64, i64)>,
    /// `a·i + b·j + c ≡ 0 mod d`
    congruence: Option<(i64, i64, i64, i64)>,
    value: Vec<RandomTerm>,
    count: usize,
    period: i64,
}

fn var(v: u32) -> Poly {
    Poly::var(Var(v))
}

fn int(value: i64) -> Poly {
    Poly::integer(value)
}

/// Returns `a·i + b·j + c·n + d`, without j where there is none.
fn affine(iterators: usize, (a, b, c, d): (i64, i64, i64, i64)) -> Poly {
    let b = if iterators > 1 { b } else { 0 };
    let j = var(if iterators > 1 { 2 } else { 1 });
    &(&(&var(1) * &int(a)) + &(&j * &int(b))) + &(&(&var(0) * &int(c)) + &int(d))
}

impl RandomClass {
    /// Returns the last iterator.
    fn last(&self) -> Poly {
        var(self.iterators as u32)
    }

    fn value(&self) -> Poly {
        let mut sum = Poly::integer(BigInt::from(1) << self.high);
        for (coefficient, (p, q), floor) in &self.value {
            let mut term = &(&var(1).pow(*p) * &self.last().pow(*q)) * &int(*coefficient);
            if let Some((a, b, c, d, e)) = floor {
                term = &term * &affine(self.iterators, (*a, *b, *c, *d)).floor_div(&BigInt::from(*e));
            }
            sum = &sum + &term;
        }
        sum
    }

    /// Returns a count that is nowhere negative.
    fn count(&self) -> Poly {
        let floor = |shift: i64| (&self.last() + &int(shift)).floor_div(&BigInt::from(self.period));
        let first = var(1);
        match self.count {
            0 => Poly::one(),
            1 => &first + &int(40),
            2 => &floor(self.period - 1) - &floor(0),
            3 => &(&first * &first) * &(&floor(2) - &floor(0)),
            4 => &self.last() - &(&floor(0) * &int(self.period)),
            _ => {
                let half = Rational::new(1.into(), 2.into());
                (&(&first + &int(50)) * &(&first + &int(51))).scale(&half)
            }
        }
    }

    fn piece(&self) -> (ReuseClass, CountPiece) {
        let mut domain: Vec<Constraint> = Vec::new();
        for v in 1..=self.iterators as u32 {
            domain.push(Constraint::non_negative(&var(v) + &int(12)));
            domain.push(Constraint::non_negative(&var(0) - &var(v)));
        }
        domain.extend(self.conditions.iter().map(|c| Constraint::non_negative(affine(self.iterators, *c))));
        if let Some((a, b, c, d)) = self.congruence {
            let number = affine(self.iterators, (a, b, 0, c));
            domain.push(Constraint::zero(&(&number.floor_div(&BigInt::from(d)) * &int(d)) - &number));
        }
        let bounds = Bounds { lower: vec![int(-12)], upper: vec![var(0)] };
        let iterators = ["i", "j"][..self.iterators].iter().map(|name| (*name).to_owned()).collect();
        let piece = CountPiece {
            access: None,
            previous: None,
            bounds: vec![bounds; self.iterators],
            domain,
            count: self.count(),
        };
        (ReuseClass { kind: IntervalKind::Real, iterators, value: self.value(), counts: vec![piece.clone()] }, piece)
    }
}

/// Returns the values and counts of all points. The bounds of the iterators depend on n alone.
fn enumerated(class: &ReuseClass, piece: &CountPiece, n: i64) -> Vec<(Int, Int)> {
    let mut points = vec![vec![n]];
    for Bounds { lower, upper } in &piece.bounds {
        let bound = |poly: &Poly| i64::try_from(poly.evaluate(&[n.into()]).to_integer()).unwrap();
        let range = bound(&lower[0])..=bound(&upper[0]);
        points = points.iter().flat_map(|point| range.clone().map(|x| [&point[..], &[x]].concat())).collect();
    }
    let mut found = Vec::new();
    for point in points {
        let point: Vec<BigInt> = point.into_iter().map(BigInt::from).collect();
        let holds = |c: &Constraint| c.relation.holds(c.poly.evaluate(&point).cmp(&Rational::from_integer(0.into())));
        if piece.domain.iter().all(holds) {
            let at = |poly: &Poly| Int::from(poly.evaluate(&point).to_integer());
            found.push((at(&class.value), at(&piece.count)));
        }
    }
    found.sort();
    found
}

fn cut(class: &ReuseClass, piece: &CountPiece, size: &[i128]) -> Option<Parts> {
    cut_within(class, piece, size, u64::MAX)
}

/// Cuts a piece; `None` if that visits more points than the limit.
fn cut_within(class: &ReuseClass, piece: &CountPiece, size: &[i128], limit: u64) -> Option<Parts> {
    let plan = Plan::new(&class.value, piece, 1)?;
    let (mut left, mut parts) = (limit, Parts::default());
    match Decomposition::run(&plan, IntervalKind::Real, size, &mut left, &mut parts) {
        Ok(()) => Some(parts),
        Err(Trouble::Beyond | Trouble::Stop(Stop::Limit)) => None,
        Err(Trouble::Stop(Stop::Contradiction(reason))) => panic!("{reason}"),
        Err(Trouble::Stop(Stop::Refused(error))) => panic!("{error}"),
    }
}

fn up_to(parts: &Parts, x: &Int) -> Sums {
    let mut sums = Sums::default();
    for atom in parts.atoms.iter().filter(|atom| atom.interval <= *x) {
        sums.add(&Sums { count: atom.count.clone(), weighted: &atom.count * &atom.interval });
    }
    for part in &parts.parts {
        assert!(part.low <= part.high);
        match () {
            () if part.high <= *x => sums.add(&part.total),
            () if part.low <= *x => sums.add(&part.up_to(x)),
            () => assert_eq!(part.up_to(x), Sums::default()),
        }
        if part.high <= *x {
            assert_eq!(part.up_to(x), part.total);
        }
    }
    sums
}

fn compare((class, piece): (ReuseClass, CountPiece), n: i64) -> Result<(), TestCaseError> {
    let points = enumerated(&class, &piece, n);
    let parts = cut(&class, &piece, &[i128::from(n)]);
    prop_assert!(parts.is_some(), "it must be cut: there are bounds, few residues and few iterators");
    let Some(parts) = parts else { return Ok(()) };
    let mut sums = Sums::default();
    for (index, (value, count)) in points.iter().enumerate() {
        sums.add(&Sums { count: count.clone(), weighted: value * count });
        if points.get(index + 1).is_none_or(|(next, _)| next != value) {
            prop_assert_eq!(up_to(&parts, value), sums.clone(), "up to {}", value);
        }
    }
    if let Some((least, _)) = points.first() {
        prop_assert_eq!(up_to(&parts, &(least - &Int::from(1))), Sums::default());
    }
    Ok(())
}

/// The limit on enumeration; sets that need more are left out.
const LIMIT: u64 = 64;

/// Compares a set cut in two with the sums of both halves, at sizes that cannot be enumerated. The halves have other origins,
/// lengths and parts, so agreement is no accident.
fn compare_halves(random: &RandomClass, n: i64, at: (i64, i64)) -> Result<(), TestCaseError> {
    let (class, piece) = random.piece();
    let size = [i128::from(n)];
    let line = &(&(&var(1) + &random.last()) + &int(at.0)) - &(&var(0) * &int(1 + at.1 % 2));
    let half = |poly: Poly| {
        let mut half = piece.clone();
        half.domain.push(Constraint::non_negative(poly));
        cut_within(&class, &half, &size, LIMIT)
    };
    let whole = cut_within(&class, &piece, &size, LIMIT);
    let (Some(whole), Some(below), Some(above)) = (whole, half(&-&line - &Poly::one()), half(line)) else {
        // Such sets are refused: there is nothing to compare.
        return Ok(());
    };
    let value = class.value.evaluate(&[BigInt::from(n), BigInt::from(at.1), BigInt::from(n / 2 + at.0)]).to_integer();
    let ends = whole.parts.iter().flat_map(|part| [part.low.clone(), part.high.clone()]);
    let atoms = whole.atoms.iter().map(|atom| atom.interval.clone());
    let mut thresholds: Vec<Int> = ends.chain(atoms).chain([Int::from(value)]).collect();
    let middles: Vec<Int> =
        thresholds.windows(2).filter_map(|pair| (&pair[0] + &pair[1]).div_floor(&Int::from(2))).collect();
    thresholds.extend(middles);
    for x in thresholds.iter().take(12) {
        let mut sums = up_to(&below, x);
        sums.add(&up_to(&above, x));
        prop_assert_eq!(&up_to(&whole, x), &sums, "up to {}", x);
    }
    Ok(())
}

fn any_high() -> impl Strategy<Value = u32> {
    prop::sample::select(HIGH.to_vec())
}

fn random(iterators: usize, high: impl Strategy<Value = u32>) -> impl Strategy<Value = RandomClass> {
    let slope = || -2_i64..3;
    let condition = (-3_i64..4, -5_i64..6, slope(), -20_i64..40);
    let floor = (-3_i64..4, -3_i64..4, slope(), -9_i64..9, prop::sample::select(vec![2_i64, 3, 4, 8]));
    let exponents = prop::sample::select(vec![(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2)]);
    let term = (-20_i64..20, exponents, prop::option::weighted(0.3, floor));
    let congruence = prop::option::of((0_i64..4, 0_i64..4, -4_i64..9, prop::sample::select(vec![2_i64, 4, 8])));
    let conditions = prop::collection::vec(condition, 0..3);
    let period = prop::sample::select(vec![2_i64, 4, 8]);
    (conditions, congruence, prop::collection::vec(term, 1..4), 0_usize..6, period, high).prop_map(
        move |(conditions, congruence, value, count, period, high)| RandomClass {
            iterators,
            high,
            conditions,
            congruence,
            value,
            count,
            period,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn one_iterator(random in random(1, any_high()), n in -3_i64..90) {
        compare(random.piece(), n)?;
    }

    #[test]
    fn two_iterators(random in random(2, any_high()), n in -3_i64..30) {
        compare(random.piece(), n)?;
    }
}

/// Nested loops, as in contractions of tensors: boxes, with products of iterators among the terms of v.
#[derive(Clone, Debug)]
struct Nest {
    /// The number of values of each iterator.
    lengths: Vec<i64>,
    /// A coefficient, and the iterators with which it is multiplied.
    terms: Vec<(i64, Vec<usize>)>,
    /// `x₀ + x₁ ≤ …`, if there is such a condition.
    corner: Option<i64>,
    /// `⌊x₂/…⌋` is another term of v, and the last residue of x₂ counts twice.
    period: Option<i64>,
}

impl Nest {
    fn piece(&self) -> (ReuseClass, CountPiece) {
        let x = |k: usize| var(k as u32 + 1);
        let product = |factors: &[usize]| factors.iter().fold(Poly::one(), |product, k| &product * &x(*k));
        let mut value = Poly::integer(BigInt::from(1) << HIGH[0]);
        for (coefficient, factors) in &self.terms {
            value = &value + &(&product(factors) * &int(*coefficient));
        }
        let mut count = Poly::one();
        if let Some(period) = self.period {
            let floor = |shift: i64| (&x(2) + &int(shift)).floor_div(&BigInt::from(period));
            value = &value + &floor(0);
            count = &count + &(&floor(1) - &floor(0));
        }
        let lasts = || self.lengths.iter().enumerate();
        let lower = lasts().map(|(k, _)| Constraint::non_negative(x(k)));
        let upper = lasts().map(|(k, length)| Constraint::non_negative(&int(length - 1) - &x(k)));
        let corner = self.corner.map(|most| Constraint::non_negative(&(&int(most) - &x(0)) - &x(1)));
        let bounds = lasts().map(|(_, length)| Bounds { lower: vec![int(0)], upper: vec![int(length - 1)] });
        let domain = lower.chain(upper).chain(corner).collect();
        let piece = CountPiece { access: None, previous: None, bounds: bounds.collect(), domain, count };
        let iterators = lasts().map(|(k, _)| format!("x{k}")).collect();
        (ReuseClass { kind: IntervalKind::Real, iterators, value, counts: vec![piece.clone()] }, piece)
    }
}

/// Generates three or four iterators, some of them long enough not to be enumerated at once.
fn nest() -> impl Strategy<Value = Nest> {
    let lengths = prop::collection::vec(prop::sample::select(vec![1_i64, 3, 10, 11]), 3..=4);
    let rest = (prop::option::weighted(0.2, 5_i64..15), prop::option::weighted(0.3, 2_i64..5));
    (lengths, rest).prop_flat_map(|(lengths, (corner, period))| {
        let factors = prop::collection::vec(0..lengths.len(), 1..=2);
        let terms = prop::collection::vec((-200_i64..200, factors), 1..6);
        terms.prop_map(move |terms| Nest { lengths: lengths.clone(), terms, corner, period })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nests_of_loops(nest in nest()) {
        compare(nest.piece(), 11)?;
    }
}

/// Two iterators above a product of two others are digits, whatever the direction in which they count; the plane below is cut once.
#[test]
fn digits_above_a_plane_are_not_enumerated() {
    let nest = |steps: [i64; 2], length| Nest {
        lengths: vec![length; 4],
        terms: vec![(steps[0], vec![0]), (steps[1], vec![1]), (1, vec![2, 3]), (1, vec![2])],
        corner: None,
        period: None,
    };
    for steps in [[1 << 20, 1 << 30], [-(1 << 30), 1 << 20], [0, -(1 << 20)]] {
        let (class, piece) = nest(steps, 1000).piece();
        let parts = cut(&class, &piece, &[1]).unwrap();
        assert_eq!((parts.enumerated, parts.parts.len()), (0, 1), "{steps:?}");
        assert_eq!(up_to(&parts, &Int::from(1_i128 << 90)).count, Int::from(1_000_000_000_000_i64));
    }
    // The digit's values overlap: one of the others is enumerated.
    let (class, piece) = nest([1, 1 << 30], 2000).piece();
    assert!(cut(&class, &piece, &[1]).unwrap().enumerated >= 2000);
}

/// Only every second point of a line is counted, and between these the value is no integer; at odd n that holds for the first
/// point.
#[test]
fn values_where_nothing_is_counted_need_not_be_integers() {
    let (i, n) = (var(1), var(0));
    let sum = &i + &n;
    let half = Rational::new(1.into(), 2.into());
    let count = &sum.floor_div(&2.into()) - &(&sum - &Poly::one()).floor_div(&2.into());
    let domain = vec![Constraint::non_negative(i.clone()), Constraint::non_negative(&n - &i)];
    let bounds = vec![Bounds { lower: vec![int(0)], upper: vec![n] }];
    let piece = CountPiece { access: None, previous: None, bounds, domain, count };
    let (iterators, value) = (vec!["i".to_owned()], &sum.scale(&half) + &Poly::one());
    let class = ReuseClass { kind: IntervalKind::Real, iterators, value, counts: vec![piece.clone()] };
    for n in [0, 1, 6, 7, 40, 41] {
        compare((class.clone(), piece.clone()), n).unwrap();
    }
}

/// Rows whose ends move only once in a billion rows: that many residues are refused, unless rows in the
/// other direction need fewer.
#[test]
fn flat_bounds_are_refused_or_right() {
    let flat = |slope: (i64, i64)| RandomClass {
        iterators: 2,
        high: HIGH[0],
        conditions: vec![(slope.0, -slope.1, 0, 0), (0, 1, 0, 0)],
        congruence: None,
        value: vec![(3, (1, 0), None), (2, (0, 1), None)],
        count: 0,
        period: 2,
    };
    let n = 1 << 40;
    let (class, piece) = flat((1, 1_000_000_000)).piece();
    let parts = cut_within(&class, &piece, &[n], LIMIT);
    // For each j, i from 10^9·j to n.
    let points = (0..=n / 1_000_000_000).map(|j| n + 1 - 1_000_000_000 * j).sum::<i128>();
    let count = parts.map(|parts| up_to(&parts, &Int::from(1_i128 << 90)).count);
    assert_eq!(count, Some(Int::from(points)));
    let (class, piece) = flat((1_000_003, 1_000_000_007)).piece();
    assert!(cut_within(&class, &piece, &[n], LIMIT).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn one_iterator_at_large_sizes(random in random(1, Just(HIGH[1])), n in (1_i64 << 31) - 9..(1 << 31) + 9, i in -40_i64..40, j in 0_i64..1000) {
        compare_halves(&random, n, (i, j))?;
    }
}
