//! Bounds of whole kernels, from their models, beside the misses of exact LRU and the bounds of the literature.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use std::path::Path;

use symloc_bound::{LineContent, LowerBound, ProgramBounds, ProgramCounts};
use symloc_evaluate::{Attribution, Evaluator, MissModel, Prediction};
use symloc_model::{LineChoice, Model, NamedSizes};
use symloc_quasi::Int;

/// The kernels, with their sizes at LARGE, the leading term of the literature there, in elements in a cache of 1, and how
/// many times the bound it may be. For products of a matrix with itself a factor √2 is the truth; the
/// factorisations lose the lines of a matrix besides.
const KERNELS: [(&str, &[i64], f64, f64); 7] = [
    ("gemm", &[1000, 1100, 1200], 2.64e9, 1.01),
    ("2mm", &[800, 900, 1100, 1200], 3.312e9, 1.02),
    ("syrk", &[1200, 1000], 1.44e9, 1.43),
    ("covariance", &[1200, 1400], 2.016e9, 1.43),
    ("trmm", &[1000, 1200], 1.2e9, 1.1),
    ("lu", &[2000], 16e9 / 3.0, 1.07),
    ("cholesky", &[2000], 8e9 / 3.0, 1.55),
];

/// Caches in lines.
const CACHES: [u64; 6] = [4, 13, 32, 100, 384, 2000];

fn model(kernel: &str) -> Model {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    Model::load(&folder.join(format!("{kernel}.loc.json"))).unwrap()
}

fn counts(attribution: &Attribution<'_>) -> ProgramCounts {
    ProgramCounts {
        executions: (0..attribution.count()).map(|access| attribution.accesses(access).to_big()).collect(),
        array_lines: attribution.blocks().iter().map(Int::to_big).collect(),
    }
}

fn at(model: &Model, sizes: &[i64], check: impl Fn(&Prediction, &dyn Fn(u64) -> LowerBound)) {
    let evaluator = Evaluator::new(model, LineChoice::Only).unwrap();
    let named: NamedSizes = model.parameters.iter().cloned().zip(sizes.iter().copied()).collect();
    let prediction = evaluator.predict(MissModel::Lru, &named).unwrap();
    let counts = counts(&evaluator.attribution(&prediction).unwrap());
    let bounds = ProgramBounds::new(model, LineContent::Bytes(64));
    check(&prediction, &|lines| bounds.at(&counts, &lines.into()));
}

#[test]
fn programs_as_written_miss_at_least_so_often() {
    for (kernel, large, ..) in KERNELS {
        let model = model(kernel);
        for index in 0..50 {
            let size = |position: usize| 3 + index * 3 + (index * (position as i64 + 2) * 7) % 11;
            let sizes: Vec<i64> = (0..large.len()).map(size).collect();
            at(&model, &sizes, |prediction, bound| {
                for lines in CACHES {
                    let misses = prediction.misses(&Int::from(lines)).unwrap().total();
                    let bound = bound(lines);
                    assert!(bound.misses <= misses.to_big(), "{kernel} {sizes:?} {lines}: {bound:?} > {misses}");
                    assert!(bound.misses >= prediction.blocks().to_big(), "{kernel} {sizes:?} {lines}: {bound:?}");
                }
            });
        }
    }
}

#[test]
fn large_sizes_are_near_the_literature() {
    for (kernel, large, elements, factor) in KERNELS {
        at(&model(kernel), large, |_, bound| {
            let misses = Int::from(bound(768).misses).to_f64();
            let ratio = elements / 6144_f64.sqrt() / 8.0 / misses;
            assert!(ratio < factor && ratio > 0.95, "{kernel}: {misses}, the literature {ratio} times that");
        });
    }
}

/// A cache that holds everything leaves first touches; a model without its program says no more than that anywhere.
#[test]
fn first_touches_are_what_is_left() {
    at(&model("gemm"), &[40, 40, 40], |prediction, bound| {
        let bound = bound(10_000);
        assert_eq!(bound.misses, prediction.blocks().to_big());
        assert!(bound.partitions.is_empty());
    });
    let mut without = model("gemm");
    without.program.as_mut().unwrap().tree = None;
    at(&without, &[400, 400, 400], |prediction, bound| {
        assert_eq!(bound(16).misses, prediction.blocks().to_big());
    });
}
