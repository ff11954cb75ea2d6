//! Tables against exact evaluation at one size.

#![allow(dead_code, reason = "every test uses some of it")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise, in its helpers too")]

use num_bigint::BigInt;
use symloc_evaluate::{Attribution, Distribution, Evaluator, Instance, Int, MissModel, Prediction};
use symloc_locality::{Counts, LocalityError, Row, Share, Table, regime_near, regimes_counting, shares, stack_places};
use symloc_model::{IntervalKind, LineChoice, Model, NamedSizes, Owner};
use symloc_quasi::{Quotient, Rational};

fn value(quotient: &Quotient, point: &[BigInt]) -> Rational {
    quotient.numerator().evaluate(point) / quotient.denominator().evaluate(point)
}

fn rational(value: &Int) -> Rational {
    Rational::from_integer(value.to_big())
}

/// Returns the columns of the row at x, computed from their definitions.
fn columns(distribution: &Distribution, x: &BigInt) -> [Rational; 4] {
    let number = |value: &BigInt| Rational::from_integer(value.clone());
    let pairs = |bins: &[symloc_evaluate::Bin]| {
        bins.iter().map(|b| (b.interval.to_big(), b.count.to_big())).collect::<Vec<_>>()
    };
    let (real, imaginary) = (pairs(&distribution.real), pairs(&distribution.imaginary));
    let all: Vec<_> = real.iter().chain(&imaginary).cloned().collect();
    let count = |bins: &[(BigInt, BigInt)], wanted: &dyn Fn(&BigInt) -> bool| {
        number(&bins.iter().filter(|(v, _)| wanted(v)).map(|(_, c)| c).sum())
    };
    let accesses = number(&distribution.accesses.to_big());
    let cold = count(&imaginary, &|v| v <= x);
    let late = count(&all, &|v| v > x);
    let working_set = number(&all.iter().map(|(v, c)| v.min(x) * c).sum());
    [count(&all, &|v| v == x), late + &cold, cold, working_set].map(|column| column / &accesses)
}

/// Compares the columns of a row that are known with those that are right.
fn check_columns(row: &Row, expected: &[Rational; 4], ranges: bool, point: &[BigInt], place: &str) {
    let found = [&row.portion, &row.miss_ratio, &row.cold, &row.cache];
    let found = found.map(|column| column.as_ref().map(|column| value(column, point)));
    for ((found, expected), name) in found.iter().zip(expected).zip(["portion", "miss ratio", "cold", "cache"]) {
        let Some(found) = found else { continue };
        match name {
            // A range of intervals may end at x, or hold it.
            "portion" if ranges => assert!(found <= expected, "{place}: {name} {found} > {expected}"),
            _ => assert_eq!(found, expected, "{place}: {name}"),
        }
    }
}

/// Compares what a row says about operations with their number, the misses and the bytes of a line.
fn check_operations(
    row: &Row,
    operations: Option<&Int>,
    misses: &Rational,
    at: &Instance,
    place: &str,
    point: &[BigInt],
) {
    let Some(found) = &row.operations_per_byte else { return };
    let bytes = misses * &Rational::from_integer(at.line_bytes.unwrap().into());
    // As a product, since there may be no misses.
    assert_eq!(value(found, point) * bytes, rational(operations.unwrap()), "{place}: operations per byte");
}

fn point(sizes: &[i64]) -> Vec<BigInt> {
    sizes.iter().map(|&s| BigInt::from(s)).collect()
}

fn named(model: &Model, sizes: &[i64]) -> NamedSizes {
    model.parameters.iter().cloned().zip(sizes.iter().copied()).collect()
}

/// Checks a table at a size, if it claims to hold there, and returns whether it does.
pub(crate) fn check(model: &Model, table: &Table, sizes: &[i64]) -> bool {
    let point = point(sizes);
    if !table.holds_at(&point) {
        return false;
    }
    let evaluator = Evaluator::new(model, LineChoice::Only).unwrap();
    let named = named(model, sizes);
    let distribution = evaluator.distribution(MissModel::Denning, &named).unwrap();
    let operations = evaluator.operations(&named).unwrap();
    if let Some(formula) = &table.operations {
        assert_eq!(formula.evaluate(&point), rational(operations.as_ref().unwrap()), "operations at {sizes:?}");
    }
    let ranges = table.rows.iter().any(|row| !row.iterators.is_empty());
    for row in table.rows.iter().filter(|row| row.iterators.is_empty()) {
        let x = row.interval.evaluate(&point).to_integer();
        let expected = columns(&distribution, &x);
        let place = format!("{}: row {x} at {sizes:?}", model.function);
        check_columns(row, &expected, ranges, &point, &place);
        let misses = &expected[1] * &rational(&distribution.accesses);
        check_operations(row, operations.as_ref(), &misses, &distribution.place, &place, &point);
    }
    true
}

/// Like the check of a table of reuse intervals, but for a table of reuse distances.
fn check_lru(model: &Model, table: &Table, sizes: &[i64]) -> bool {
    let point = point(sizes);
    if !table.holds_at(&point) {
        return false;
    }
    let evaluator = Evaluator::new(model, LineChoice::Only).unwrap();
    let named = named(model, sizes);
    let lru = evaluator.predict(MissModel::Lru, &named).unwrap();
    let found = evaluator.distribution(MissModel::Lru, &named).unwrap();
    let operations = evaluator.operations(&named).unwrap();
    let ranges = table.rows.iter().any(|row| !row.iterators.is_empty());
    for row in table.rows.iter().filter(|row| row.iterators.is_empty()) {
        let distance = Int::from(row.interval.evaluate(&point).to_integer());
        let cache = &distance + &Int::from(1);
        let own = found.distances.iter().find(|bin| bin.interval == distance);
        let own = own.map_or(Int::ZERO, |bin| bin.count.clone());
        let misses = lru.misses(&cache).unwrap().total();
        let accesses = rational(lru.accesses());
        let portion = |count: &Int| rational(count) / &accesses;
        let expected = [portion(&own), portion(&misses), portion(lru.blocks()), rational(&cache)];
        let place = format!("{}: distance {distance} at {sizes:?}", model.function);
        check_columns(row, &expected, ranges, &point, &place);
        check_operations(row, operations.as_ref(), &rational(&misses), lru.place(), &place, &point);
    }
    true
}

/// A size of a program, and the locality of its accesses at this size.
struct ProgramSize<'p> {
    sizes: Vec<BigInt>,
    prediction: &'p Prediction,
    attribution: Attribution<'p>,
}

/// Returns the number of reuses of an access that have exactly the interval x.
fn with_interval(case: &ProgramSize<'_>, access: usize, x: &Int) -> Int {
    let longer = |x: &Int| case.attribution.above(access, x).unwrap();
    &longer(&(x - &Int::from(1))) - &longer(x)
}

/// Returns the interval of a share at a size, if it is a single one.
fn interval(case: &ProgramSize<'_>, share: &Share) -> Option<Int> {
    let single = share.interval.as_ref().filter(|_| share.iterators.is_empty());
    single.map(|interval| Int::from(interval.evaluate(&case.sizes).to_integer()))
}

fn count(case: &ProgramSize<'_>, share: &Share) -> Option<Int> {
    share.count.as_ref().map(|count| Int::from(count.evaluate(&case.sizes).to_integer()))
}

/// Checks the shares of one access.
fn check_access(case: &ProgramSize<'_>, access: usize, shares: &[&Share], place: &str) {
    let sum = |wanted: &dyn Fn(&Share) -> bool| {
        let mut wanted = shares.iter().filter(|share| wanted(share));
        wanted.try_fold(Int::ZERO, |sum, share| Some(&sum + &count(case, share)?))
    };
    let all = sum(&|_| true);
    assert!(all.is_none_or(|all| all == *case.attribution.accesses(access)), "{place}");
    let first = sum(&|share| share.kind == IntervalKind::Imaginary);
    assert!(first.is_none_or(|first| first == case.attribution.first_touches(access)), "{place}");
    let ranges = shares.iter().any(|share| !share.iterators.is_empty());
    for share in shares {
        let Some(x) = interval(case, share) else { continue };
        // Intervals that differ elsewhere may be equal at this size.
        let found = sum(&|other| interval(case, other).as_ref() == Some(&x));
        let exact = with_interval(case, access, &x);
        match ranges {
            // A range of intervals may hold x as well.
            true => assert!(found.is_none_or(|found| found <= exact), "{place}: {share:?}"),
            false => assert_eq!(found, Some(exact), "{place}: {share:?}"),
        }
        let Some(cache) = &share.cache else { continue };
        let smallest = Int::from(value(cache, &case.sizes).ceil().to_integer());
        let fits = |blocks: &Int| case.prediction.window(blocks).unwrap().is_none_or(|window| window >= x);
        assert!(fits(&smallest), "{place}: {share:?} in {smallest} blocks");
        assert!(!fits(&(&smallest - &Int::from(1))), "{place}: {share:?} in less than {smallest} blocks");
    }
}

/// Checks the shares of all accesses at a size, if their table claims to hold there, and returns whether it does.
pub(crate) fn check_shares(model: &Model, table: &Table, shares: &[Share], sizes: &[i64]) -> bool {
    let point = point(sizes);
    if !table.holds_at(&point) {
        return false;
    }
    let evaluator: Evaluator<'_> = Evaluator::new(model, LineChoice::Only).unwrap();
    let named = named(model, sizes);
    let prediction = &evaluator.predict(MissModel::Denning, &named).unwrap();
    let case = ProgramSize { sizes: point, prediction, attribution: evaluator.attribution(prediction).unwrap() };
    for access in 0..case.attribution.count() {
        let own: Vec<_> = shares.iter().filter(|share| share.group == access).collect();
        check_access(&case, access, &own, &format!("{}, access {access}, at {sizes:?}", model.function));
    }
    true
}

/// All tables of a model: of reuse intervals, of each access by itself, and of reuse distances if it has them.
pub(crate) struct Tables {
    intervals: Vec<Table>,
    accesses: Vec<(Table, Vec<Share>)>,
    distances: Vec<Table>,
}

impl Tables {
    pub(crate) fn new(model: &Model) -> Result<Self, LocalityError> {
        let line = &model.lines[0];
        let counts = Counts { operations: true, by: Owner::Program };
        let intervals = regimes_counting(model, line, counts)?.iter().map(Table::new).collect();
        let shares = |regime: &_| {
            let table = Table::new(regime);
            let shares = shares(regime, &table, |access| access);
            (table, shares)
        };
        let by_access = Counts { operations: false, by: Owner::Access };
        let accesses = match &model.program {
            Some(_) => regimes_counting(model, line, by_access)?.iter().map(shares).collect(),
            None => Vec::new(),
        };
        let distances = match stack_places(line) {
            Some(places) => regimes_counting(model, &places, counts)?.iter().map(Table::lru).collect(),
            None => Vec::new(),
        };
        Ok(Self { intervals, accesses, distances })
    }

    /// Returns true if any table of reuse intervals claims to hold at a size.
    fn hold(&self, sizes: &[i64]) -> bool {
        self.intervals.iter().any(|table| table.holds_at(&point(sizes)))
    }

    /// Checks all of them at a size, and returns how many held of each kind.
    pub(crate) fn check(&self, model: &Model, sizes: &[i64]) -> [usize; 3] {
        [
            self.intervals.iter().filter(|table| check(model, table, sizes)).count(),
            self.accesses.iter().filter(|(table, shares)| check_shares(model, table, shares, sizes)).count(),
            self.distances.iter().filter(|table| check_lru(model, table, sizes)).count(),
        ]
    }
}

/// Checks all tables of a model at random sizes that are allowed by its context. Returns how many held of each kind, or
/// why there are no tables.
pub(crate) fn check_at_random(model: &Model, seed: u64, samples: usize) -> Result<[usize; 3], LocalityError> {
    let tables = Tables::new(model)?;
    // Knuth's linear congruential generator; its upper bits are the good ones.
    let mut state = seed;
    let mut size = |greatest: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        1 + i64::try_from((state >> 33) % greatest).unwrap()
    };
    let mut held = [0; 3];
    for sample in 0..samples {
        // Small sizes are where conditions matter; large ones that descend are where they hold.
        let mut sizes: Vec<i64> = match sample % 4 {
            0 => model.parameters.iter().map(|_| size(40)).collect(),
            _ => model.parameters.iter().map(|_| 24 + size(24)).collect(),
        };
        if sample % 4 > 1 {
            sizes.sort_unstable_by(|a, b| b.cmp(a));
        }
        if sample % 4 == 3 {
            // Some tables hold only where parameters are far apart.
            (1..).zip(sizes.iter_mut().rev()).for_each(|(step, size)| *size += 24 * step);
        }
        for _ in 0..2 {
            // Or large.
            if sample % 4 > 0 && !tables.hold(&sizes) {
                sizes.iter_mut().for_each(|size| *size *= 2);
            }
        }
        for (held, more) in held.iter_mut().zip(tables.check(model, &sizes)) {
            *held += more;
        }
    }
    Ok(held)
}

/// Checks tables of sizes like small random ones: they must hold there, and be right there and at the sizes around for
/// which they claim to hold. Says how many sizes were checked.
pub(crate) fn check_near(model: &Model, seed: u64, samples: usize) -> Result<usize, LocalityError> {
    let mut state = seed;
    let mut size = |greatest: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        1 + i64::try_from((state >> 33) % greatest).unwrap()
    };
    let mut checked = 0;
    for _ in 0..samples {
        let sizes: Vec<i64> = model.parameters.iter().map(|_| size(30)).collect();
        let exact: Vec<i128> = sizes.iter().map(|&s| i128::from(s)).collect();
        let found = regime_near(model, &model.lines[0], Counts::default(), &exact);
        let regime = match found {
            Err(LocalityError::Outside) => continue,
            found => found?,
        };
        let table = Table::new(&regime);
        assert!(check(model, &table, &sizes), "{}: the table of {sizes:?} does not hold there", model.function);
        checked += 1;
        for _ in 0..8 {
            // A table is about the residues of its size, mostly those modulo 8.
            let near: Vec<i64> = sizes.iter().map(|s| s + 8 * (size(5) - 3)).filter(|s| *s > 0).collect();
            if near.len() < sizes.len() {
                continue;
            }
            checked += usize::from(check(model, &table, &near));
        }
    }
    Ok(checked)
}
