//! Every row of every table of every kernel, against the evaluation of its model at random sizes: reuse intervals with their
//! operations for each byte, those of each access by itself, and reuse distances.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests stop at the first surprise")]

#[path = "../../locality/tests/exact/mod.rs"]
mod exact;

use std::path::Path;
use std::process::Command;

use symloc_model::Model;

fn derive(arguments: &[&str]) -> Model {
    let output = Command::new(env!("CARGO_BIN_EXE_symloc"))
        .arg("derive")
        .args(arguments)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    Model::parse(&String::from_utf8(output.stdout).unwrap()).unwrap()
}

fn kernels() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../polybench");
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut kernels: Vec<_> = names.filter(|name| name.ends_with(".mlir")).map(|n| format!("polybench/{n}")).collect();
    kernels.sort();
    kernels
}

/// Derives a kernel with some options and checks its tables at random sizes; says how many held of each kind.
fn check(kernel: &str, options: &[&str]) -> [usize; 3] {
    let model = derive(&[&[kernel], options].concat());
    let held = exact::check_at_random(&model, 7, SAMPLES).unwrap_or_else(|error| panic!("{kernel}: {error}"));
    println!("{kernel} {options:?}: tables held {held:?} times");
    held
}

/// Sizes for each kernel.
const SAMPLES: usize = 16;

#[test]
fn rows_of_all_kernels_are_right() {
    for kernel in &kernels() {
        let [intervals, accesses, _] = check(kernel, &[]);
        assert!(intervals > 0 && accesses > 0, "{kernel}: no table ever held");
    }
}

/// Kernels whose distances are derived quickly.
const QUICK: [&str; 8] = ["matmul", "atax", "mvt", "bicg", "gesummv", "trisolv", "gemm", "jacobi-1d"];

#[test]
fn rows_of_reuse_distances_are_right() {
    for kernel in QUICK {
        let [.., distances] = check(&format!("polybench/{kernel}.mlir"), &["--exact"]);
        assert!(distances > 0, "{kernel}: no table ever held");
    }
}
