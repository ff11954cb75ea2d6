//! Compares curves found by search with those of the whole histogram, and leads with a comparison at all cache sizes.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::path::Path;

use symloc_evaluate::{Detail, Evaluator, Int, MissCurve, MissModel, Prediction, Step, WholeCurve, leads};
use symloc_model::{LineChoice, Model, NamedSizes};

const KERNELS: [&str; 6] = ["cholesky", "durbin", "gemm", "lu", "syrk", "trisolv"];

fn model(name: &str) -> Model {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    Model::load(&folder.join(name).with_extension("loc.json")).unwrap()
}

/// Returns sizes from `n` on, each parameter larger by one than the one before.
fn sizes(model: &Model, n: i64) -> NamedSizes {
    model.parameters.iter().cloned().zip(n..).collect()
}

fn prediction(name: &str, n: i64) -> Prediction {
    let model = model(name);
    Evaluator::new(&model, LineChoice::Only).unwrap().predict(MissModel::Denning, &sizes(&model, n)).unwrap()
}

fn steps(curve: &impl MissCurve, detail: Detail) -> Vec<Step> {
    curve.steps(detail).unwrap().collect::<Result<_, _>>().unwrap()
}

#[test]
fn every_step_is_that_of_the_histogram() {
    for name in KERNELS {
        let model = model(name);
        for n in [1, 2, 8, 13, 40, 65] {
            let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
            let distribution = evaluator.distribution(MissModel::Denning, &sizes(&model, n)).unwrap();
            let whole = WholeCurve::new(&distribution, &distribution);
            let expected = whole.steps();
            assert_eq!(steps(&prediction(name, n), Detail::Every), expected, "{name} at {n}");
            assert_eq!(steps(&whole, Detail::Every), expected, "{name} at {n}");
        }
    }
}

#[test]
fn a_coarser_curve_has_points_of_the_exact_one() {
    let prediction = prediction("lu", 200);
    let every = steps(&prediction, Detail::Every);
    let coarse = steps(&prediction, Detail::Part(16));
    assert!(coarse.len() * 4 < every.len(), "{} of {}", coarse.len(), every.len());
    let at = |steps: &[Step], blocks: &Int| steps[steps.partition_point(|step| step.blocks <= *blocks) - 1].clone();
    for step in &coarse {
        assert_eq!(at(&every, &step.blocks).misses, step.misses);
    }
    // A step that is left out has a step at most a sixteenth further on in the result.
    for step in &every {
        let later = &step.blocks + &step.blocks.div_floor(&Int::from(16)).unwrap();
        assert!(at(&coarse, &later).misses.total() <= step.misses.total(), "{}", step.blocks);
    }
    assert_eq!((coarse.first(), &coarse.last().unwrap().misses), (every.first(), &every.last().unwrap().misses));
}

#[test]
fn steps_far_apart_are_exact_whatever_the_detail() {
    let prediction = prediction("gemm", 1000);
    let last = |detail| steps(&prediction, detail).pop().unwrap();
    assert_eq!(last(Detail::Part(2)), last(Detail::Every));
}

#[test]
fn leads_are_those_of_every_cache_size() {
    let mut changes = 0;
    let predictions: Vec<Prediction> =
        KERNELS.iter().flat_map(|name| [prediction(name, 24), prediction(name, 40)]).collect();
    for (a, b) in predictions.iter().flat_map(|a| predictions.iter().map(move |b| (a, b))) {
        let found = leads(a, b, Detail::Every).unwrap();
        let last = a.blocks().max(b.blocks()).to_i128().unwrap() + 2;
        for blocks in 1..i64::try_from(last).unwrap() {
            let blocks = Int::from(blocks);
            let lead = found.iter().rfind(|lead| lead.blocks <= blocks).unwrap();
            let expected = a.misses(&blocks).unwrap().total().cmp(&b.misses(&blocks).unwrap().total());
            assert_eq!(lead.misses, expected, "{:?} and {:?} in {blocks} blocks", a.place(), b.place());
        }
        assert!(found.windows(2).all(|pair| pair[0].misses != pair[1].misses), "ranges are as long as can be");
        changes += found.len() - 1;
    }
    assert!(changes > 20, "{changes} changes test nothing");
}

#[test]
fn coarser_leads_hold_where_they_are_looked_at() {
    let (a, b) = (prediction("lu", 200), prediction("cholesky", 240));
    let (every, coarse) = (leads(&a, &b, Detail::Every).unwrap(), leads(&a, &b, Detail::Part(64)).unwrap());
    assert!(!coarse.is_empty() && coarse.len() <= every.len(), "{coarse:?} of {every:?}");
    let same = leads(&a, &a, Detail::Part(64)).unwrap();
    assert_eq!(same.iter().map(|lead| lead.misses).collect::<Vec<_>>(), [std::cmp::Ordering::Equal]);
}
