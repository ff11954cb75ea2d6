//! Reuse distances, known and unknown.

use super::*;
use crate::{Sets, WholeCurve};
use symloc_model::Distances;

/// The triangle reads each of its n scalars several times in a row: all distances are 0.
fn with_distances(change: impl FnOnce(&mut Distances)) -> Model {
    let mut model = triangle();
    let real = model.lines[0].classes.iter().find(|class| class.kind == IntervalKind::Real).unwrap();
    let mut distances = Distances::default();
    distances.classes.push(ReuseClass { value: Poly::zero(), ..real.clone() });
    change(&mut distances);
    model.lines[0].distances = Some(distances);
    model
}

#[test]
fn distance_zero_hits_in_one_block() {
    let model = with_distances(|_| ());
    let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
    let lru = evaluator.predict(MissModel::Lru, &sizes(7)).unwrap();
    assert_eq!(lru.misses(&Int::ZERO).unwrap().total(), Int::from(28));
    assert_eq!(lru.misses(&Int::from(1)).unwrap().total(), Int::from(7));
    let found = evaluator.distribution(MissModel::Lru, &sizes(7)).unwrap();
    assert_eq!(found.distances, [Bin { interval: Int::ZERO, count: Int::from(21) }]);
    let intervals = evaluator.distribution(MissModel::Denning, &sizes(7)).unwrap();
    let curve = WholeCurve::new(&found, &intervals);
    assert_eq!(curve.steps().iter().map(|s| s.blocks.clone()).collect::<Vec<_>>(), [Int::ZERO, Int::from(1)]);
    for step in curve.steps() {
        assert_eq!(step.misses, lru.misses(&step.blocks).unwrap());
    }
}

#[test]
fn unknown_distances_follow_denning() {
    let model = with_distances(|distances| {
        let mut class = distances.classes.remove(0);
        class.value = Poly::one();
        distances.estimated.push(class);
    });
    let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
    let lru = evaluator.predict(MissModel::Lru, &sizes(7)).unwrap();
    assert_eq!(lru.estimated(), Int::from(21));
    let denning = evaluator.predict(MissModel::Denning, &sizes(7)).unwrap();
    let found = evaluator.distribution(MissModel::Lru, &sizes(7)).unwrap();
    let intervals = evaluator.distribution(MissModel::Denning, &sizes(7)).unwrap();
    let curve = WholeCurve::new(&found, &intervals);
    for blocks in (0..9).map(Int::from) {
        assert_eq!(lru.misses(&blocks).unwrap(), denning.misses(&blocks).unwrap());
        let step = curve.steps().iter().rev().find(|step| step.blocks <= blocks).unwrap();
        assert_eq!(step.misses, lru.misses(&blocks).unwrap());
    }
    let attribution = evaluator.attribution(&lru).unwrap();
    assert_eq!(attribution.count(), 1);
    assert_eq!((attribution.accesses(0), attribution.estimated(0)), (lru.accesses(), Int::from(21)));
    for blocks in (0..9).map(Int::from) {
        assert_eq!(attribution.misses(&blocks).unwrap(), [lru.misses(&blocks).unwrap()]);
    }
    for (lines, ways) in [(2, 1), (4, 2), (6, 3), (8, 1)] {
        let cache = Sets::new(lines, ways).unwrap();
        assert_eq!(lru.misses_in_sets(&cache), denning.misses_in_sets(&cache));
    }
}

#[test]
fn distances_that_do_not_add_up_give_no_numbers() {
    let (whole, model) = (with_distances(|_| ()), with_distances(|distances| distances.classes.clear()));
    let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
    let error = evaluator.predict(MissModel::Lru, &sizes(4)).unwrap_err().to_string();
    assert!(error.contains("hold 0 accesses, the program makes 6 that are no first touches"), "{error}");
    assert_eq!(evaluator.distribution(MissModel::Lru, &sizes(4)).unwrap_err().to_string(), error);
    let lru = Evaluator::new(&whole, LineChoice::Only).unwrap().predict(MissModel::Lru, &sizes(4)).unwrap();
    assert_eq!(evaluator.attribution(&lru).unwrap_err().to_string(), error);
    let model = triangle();
    let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
    assert_eq!(evaluator.predict(MissModel::Lru, &sizes(4)).unwrap_err(), EvalError::NoDistances);
    assert_eq!(evaluator.distribution(MissModel::Lru, &sizes(4)).unwrap_err(), EvalError::NoDistances);
    assert_eq!(evaluator.attribution(&lru).unwrap_err(), EvalError::NoDistances);
}
