//! Compares every row of the tables of every kernel with the evaluation of its model at random sizes: reuse intervals
//! with their operations per byte, the intervals of each single access, and reuse distances.

#[path = "../../../locality/tests/exact/mod.rs"]
mod exact;

use std::path::Path;

use crate::common::{model, nothing_from, share};
use symloc_model::Model;

fn kernels() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../polybench");
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut kernels: Vec<_> = names.filter(|name| name.ends_with(".mlir")).map(|n| format!("polybench/{n}")).collect();
    kernels.sort();
    kernels
}

/// Derives a kernel with some options and checks its tables at random sizes; returns how many of each kind held.
fn check(kernel: &str, options: &[&str]) -> [usize; 3] {
    let model = Model::load(model(&[&[kernel], options].concat()).unwrap().as_ref()).unwrap();
    let held = exact::check_at_random(&model, 7, SAMPLES).unwrap_or_else(|error| panic!("{kernel}: {error}"));
    println!("{kernel} {options:?}: tables held {held:?} times");
    held
}

/// The number of sizes for each kernel.
const SAMPLES: usize = 16;

#[test]
fn rows_of_all_kernels_are_right() {
    nothing_from(share([0, 2], kernels().iter()), |kernel| {
        let [intervals, accesses, _] = check(kernel, &[]);
        (intervals == 0 || accesses == 0).then(|| format!("{kernel}: no table ever held"))
    });
}

/// Kernels whose distances are derived quickly.
const QUICK: [&str; 8] = ["matmul", "atax", "mvt", "bicg", "gesummv", "trisolv", "gemm", "jacobi-1d"];

#[test]
fn rows_of_reuse_distances_are_right() {
    nothing_from(QUICK.iter(), |kernel| {
        let [.., distances] = check(&format!("polybench/{kernel}.mlir"), &["--exact"]);
        (distances == 0).then(|| format!("{kernel}: no table ever held"))
    });
}
