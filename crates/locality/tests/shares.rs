//! What the table says of single accesses, against the evaluation of the model at sizes for which the table holds.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use num_bigint::BigInt;
use symloc_locality::{Counts, Share, Table, regimes_counting, shares};
use symloc_model::{Attribution, Int, Kind, LineChoice, Locality, Model, Sizes};

struct Case {
    sizes: Vec<BigInt>,
    locality: Locality,
    attribution: Attribution,
}

/// How many reuses of an access have exactly the interval x.
fn with_interval(case: &Case, access: usize, x: &Int) -> Int {
    let longer = |x: &Int| case.attribution.shares()[access].misses(Some(x)).reuse;
    &longer(&(x - &Int::from(1))) - &longer(x)
}

fn check(case: &Case, share: &Share, ranges: bool) {
    let count = share.count.as_ref().map(|count| Int::from(count.evaluate(&case.sizes).to_integer()));
    let of_access = &case.attribution.shares()[share.group];
    if share.kind == Kind::Imaginary {
        assert!(count.is_none_or(|count| count == of_access.first_touches()), "{share:?}");
        return;
    }
    let interval = share.interval.as_ref().unwrap();
    if !share.iterators.is_empty() {
        return;
    }
    let x = Int::from(interval.evaluate(&case.sizes).to_integer());
    let exact = with_interval(case, share.group, &x);
    match ranges {
        // A range of intervals may hold x as well.
        true => assert!(count.is_none_or(|count| count <= exact), "{share:?}"),
        false => assert_eq!(count, Some(exact), "{share:?}"),
    }
    let Some(cache) = &share.cache else { return };
    let cache = cache.numerator().evaluate(&case.sizes) / cache.denominator().evaluate(&case.sizes);
    let smallest = Int::from(cache.ceil().to_integer());
    let fits = |blocks: &Int| case.locality.window(blocks).is_none_or(|window| window >= x);
    assert!(fits(&smallest), "{share:?} in {smallest} blocks");
    assert!(!fits(&(&smallest - &Int::from(1))), "{share:?} in less than {smallest} blocks");
}

/// Checks all shares of a model at the sizes that its tables hold for; says how many sizes that were.
fn check_model(name: &str, sizes: &[i64]) -> usize {
    let path = format!("{}/../model/tests/models/{name}.loc.json", env!("CARGO_MANIFEST_DIR"));
    let model = Model::parse(&std::fs::read_to_string(path).unwrap()).unwrap();
    let evaluator = model.evaluator(LineChoice::Only).unwrap();
    let regimes = regimes_counting(&model, &model.lines[0], Counts::ByAccess).unwrap();
    let mut checked = 0;
    for regime in &regimes {
        let table = Table::new(regime);
        let shares = shares(regime, &table, |access| access);
        let ranges = shares.iter().any(|share| !share.iterators.is_empty());
        for size in sizes {
            let values: Vec<i64> = (0..model.parameters.len() as i64).map(|p| size + 5 * p).collect();
            let point: Vec<BigInt> = values.iter().map(|&value| BigInt::from(value)).collect();
            if !table.holds_at(&point) {
                continue;
            }
            let named: Sizes = model.parameters.iter().cloned().zip(values).collect();
            let case = Case {
                sizes: point,
                locality: evaluator.locality(&named).unwrap(),
                attribution: evaluator.attribution(&named).unwrap(),
            };
            shares.iter().for_each(|share| check(&case, share, ranges));
            for (access, exact) in case.attribution.shares().iter().enumerate() {
                let own = shares.iter().filter(|share| share.group == access);
                let sum = own.map(|share| share.count.as_ref()).try_fold(Int::ZERO, |sum, count| {
                    Some(&sum + &Int::from(count?.evaluate(&case.sizes).to_integer()))
                });
                assert!(sum.is_none_or(|sum| sum == *exact.accesses()), "{name} access {access} at {size}");
            }
            checked += 1;
        }
    }
    checked
}

#[test]
fn formulas_of_accesses_agree_with_numbers() {
    let sizes: Vec<i64> = (24..60).collect();
    for name in ["gemm", "syrk", "trisolv"] {
        let checked = check_model(name, &sizes);
        assert!(checked >= 8, "{name}: {checked} sizes");
    }
}
