//! Small models, evaluated and damaged.

mod distances;

use super::*;
use crate::distribution::Bin;
use crate::triangle;
use symloc_model::ReuseClass;
use symloc_quasi::{Poly, Var};

fn sizes(n: i64) -> NamedSizes {
    [("n", n)].into_iter().collect()
}

fn intervals(model: &Model, n: i64) -> Result<Distribution, EvalError> {
    Evaluator::new(model, LineChoice::Only)?.distribution(MissModel::Denning, &sizes(n))
}

fn denning(model: &Model, n: i64) -> Result<Prediction, EvalError> {
    Evaluator::new(model, LineChoice::Only)?.predict(MissModel::Denning, &sizes(n))
}

fn bin(interval: i64, count: i64) -> Bin {
    Bin { interval: interval.into(), count: count.into() }
}

#[test]
fn classes_become_a_histogram() {
    let model = triangle();
    let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
    for n in 2..12 {
        let distribution = evaluator.distribution(MissModel::Denning, &sizes(n)).unwrap();
        let accesses = n * (n + 1) / 2;
        assert_eq!(distribution.real, [bin(1, accesses - n)]);
        assert_eq!(distribution.imaginary, (0..n).rev().map(|i| bin(accesses - i, 1)).collect::<Vec<_>>());
        assert_eq!(distribution.blocks, Int::from(n));
    }
}

#[test]
fn operations_are_counted_where_they_are_known() {
    let mut model = triangle();
    assert_eq!(Evaluator::new(&model, LineChoice::Only).unwrap().operations(&sizes(5)), Ok(Some(Int::from(30))));
    assert!(Evaluator::new(&model, LineChoice::Only).unwrap().operations(&sizes(1)).is_err());
    model.operations = None;
    assert_eq!(Evaluator::new(&model, LineChoice::Only).unwrap().operations(&sizes(5)), Ok(None));
}

#[test]
fn sizes_outside_the_context_are_refused() {
    let error = intervals(&triangle(), 1).unwrap_err();
    assert_eq!(error.to_string(), "n = 1 is outside the model's context: n >= 2 is required");
}

#[test]
fn a_model_that_does_not_add_up_gives_no_numbers() {
    let mut model = triangle();
    model.lines[0].classes.pop();
    let error = intervals(&model, 4).unwrap_err().to_string();
    assert_eq!(error, "the model is wrong at n = 4: the classes hold 4 accesses, the program makes 10");
    let mut model = triangle();
    model.lines[0].classes[1].value = Poly::integer(2);
    let error = intervals(&model, 4).unwrap_err().to_string();
    assert!(error.contains("the reuse intervals sum to 46, accesses times blocks is 40"), "{error}");
    model.lines[0].classes[1].value = Poly::integer(-2);
    let error = intervals(&model, 4).unwrap_err().to_string();
    assert!(error.contains("6 accesses with a reuse interval of -2"), "{error}");
}

/// Eight loops to n round one read of a scalar: all intervals are 1, and there are n⁸ accesses.
#[test]
fn deep_nests_at_large_sizes_are_exact() {
    let accesses = Poly::var(Var(0)).pow(8);
    let mut model = triangle();
    model.accesses[0].value = accesses.clone();
    model.lines[0].blocks[0].value = Poly::one();
    let [imaginary, real] = model.lines[0].classes.as_mut_slice() else { panic!() };
    real.counts[0].count = &accesses - &Poly::one();
    *imaginary = ReuseClass { kind: IntervalKind::Imaginary, ..real.clone() };
    imaginary.counts[0].count = Poly::one();
    let distribution = intervals(&model, 1 << 31).unwrap();
    assert_eq!(distribution.accesses.to_big(), num_bigint::BigInt::from(1) << 248);
    assert_eq!(distribution.real[0].count, &distribution.accesses - &Int::from(1));
    let prediction = denning(&model, 1 << 31).unwrap();
    assert_eq!(prediction.misses(&Int::ZERO).unwrap().reuse, distribution.real[0].count);
    assert_eq!(prediction.misses(&Int::from(1)).unwrap().reuse, Int::ZERO);
}

/// Closed forms, like histograms, refuse a model that contradicts itself.
#[test]
fn closed_forms_check_what_they_sum() {
    let refused = |damage: fn(&mut Model)| {
        let mut model = triangle();
        damage(&mut model);
        denning(&model, 40).unwrap_err().to_string()
    };
    let error = refused(|model| drop(model.lines[0].classes.pop()));
    assert_eq!(error, "the model is wrong at n = 40: the classes hold 40 accesses, the program makes 820");
    let error = refused(|model| model.lines[0].classes[0].value = Poly::var(Var(1)));
    assert!(error.contains("accesses with a reuse interval of 0"), "{error}");
    let error = refused(|model| model.lines[0].classes[0].value = &Poly::var(Var(1)) + &Poly::one());
    assert!(error.contains("the reuse intervals sum to 1600, accesses times blocks is 32800"), "{error}");
    let error = refused(|model| model.lines[0].classes[0].counts[0].count = &Poly::var(Var(1)) - &Poly::one());
    assert!(error.contains("a negative number of accesses"), "{error}");
    let error = refused(|model| model.lines[0].classes[0].counts[0].count = Poly::integer(2));
    assert!(error.contains("80 first touches of 40 blocks") || error.contains("the classes hold 860"), "{error}");
}

#[test]
fn large_triangles_are_not_enumerated() {
    let model = triangle();
    let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap().with_limit(10);
    let prediction = evaluator.predict(MissModel::Denning, &sizes(1 << 40)).unwrap();
    assert_eq!((prediction.enumerated(), prediction.blocks()), (0, &Int::from(1_i64 << 40)));
    // One access in N is a first touch: x* = 1 from the first block on.
    assert_eq!(prediction.misses(&Int::from(1)).unwrap().reuse, Int::ZERO);
    assert_eq!(prediction.misses(&Int::ZERO).unwrap().total(), *prediction.accesses());
}

#[test]
fn a_limit_ends_long_enumerations() {
    let model = triangle();
    let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap().with_limit(10);
    assert!(evaluator.distribution(MissModel::Denning, &sizes(9)).is_ok());
    assert!(matches!(evaluator.distribution(MissModel::Denning, &sizes(10)), Err(EvalError::Limit { points: 10, .. })));
}
