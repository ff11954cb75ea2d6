//! Tables against exact evaluation at one size.

#![allow(dead_code, reason = "every test uses some of it")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise, in its helpers too")]

use num_bigint::BigInt;
use symloc_locality::{Table, regimes};
use symloc_model::{Distribution, LineChoice, Model, Sizes};
use symloc_quasi::{Quotient, Rational};

fn value(quotient: &Quotient, point: &[BigInt]) -> Rational {
    quotient.numerator().evaluate(point) / quotient.denominator().evaluate(point)
}

/// The columns of the row at x, straight from their definitions.
fn columns(distribution: &Distribution, x: &BigInt) -> [Rational; 4] {
    let number = |value: &BigInt| Rational::from_integer(value.clone());
    let pairs =
        |bins: &[symloc_model::Bin]| bins.iter().map(|b| (b.interval.to_big(), b.count.to_big())).collect::<Vec<_>>();
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

/// Checks a table at a size, if it claims to hold there; says whether it does.
pub(crate) fn check(model: &Model, table: &Table, sizes: &[i64]) -> bool {
    let point: Vec<BigInt> = sizes.iter().map(|&s| BigInt::from(s)).collect();
    if !table.holds_at(&point) {
        return false;
    }
    let named: Sizes = model.parameters.iter().cloned().zip(sizes.iter().copied()).collect();
    let distribution = model.at(LineChoice::Only, &named).unwrap();
    let ranges = table.rows.iter().any(|row| !row.iterators.is_empty());
    for row in table.rows.iter().filter(|row| row.iterators.is_empty()) {
        let x = row.interval.evaluate(&point).to_integer();
        let expected = columns(&distribution, &x);
        let found = [&row.portion, &row.miss_ratio, &row.cold, &row.cache];
        let found = found.map(|column| column.as_ref().map(|column| value(column, &point)));
        for ((found, expected), name) in found.iter().zip(&expected).zip(["portion", "miss ratio", "cold", "cache"]) {
            let Some(found) = found else { continue };
            let place = format!("{}: {name} of the row {x} at {sizes:?}", model.function);
            match name {
                // A range of intervals may end at x, or hold it.
                "portion" if ranges => assert!(found <= expected, "{place}: {found} > {expected}"),
                _ => assert_eq!(found, expected, "{place}"),
            }
        }
    }
    true
}

/// Checks all tables of a model at random sizes that are allowed by its context; says how often one of them held.
pub(crate) fn check_at_random(model: &Model, seed: u64, samples: usize) -> usize {
    let regimes = match regimes(model, &model.lines[0]) {
        Ok(regimes) => regimes,
        Err(error) => panic!("{}: {error}", model.function),
    };
    let tables: Vec<_> = regimes.iter().map(Table::new).collect();
    // Knuth's linear congruential generator; its upper bits are the good ones.
    let mut state = seed;
    let mut size = |greatest: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        1 + i64::try_from((state >> 33) % greatest).unwrap()
    };
    let mut held = 0;
    for sample in 0..samples {
        // Small sizes are where conditions matter; large ones that descend are where they hold.
        let mut sizes: Vec<i64> = match sample % 4 {
            0 => model.parameters.iter().map(|_| size(40)).collect(),
            _ => model.parameters.iter().map(|_| 24 + size(24)).collect(),
        };
        if sample % 4 > 1 {
            sizes.sort_unstable_by(|a, b| b.cmp(a));
        }
        held += tables.iter().filter(|table| check(model, table, &sizes)).count();
    }
    held
}
