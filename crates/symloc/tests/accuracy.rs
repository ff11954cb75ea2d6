//! Compares predictions with simulations at small sizes, as docs/accuracy.md does at PolyBench's MEDIUM sizes.
//!
//! The caches are so small that all kernels miss in them, and so are their sets: a few rows of an array decide the
//! conflicts, and the estimate for sets is worse than at sizes that matter. The bounds are only little above the
//! measured errors, so that a model that gets worse fails.

use crate::common::{model, symloc};
use serde_json::Value;

/// Kernels and their MINI sizes.
const KERNELS: [(&str, &str); 10] = [
    ("atax", "m=38,n=42"),
    ("cholesky", "n=40"),
    ("deriche", "w=64,h=64"),
    ("doitgen", "nq=8,nr=10,np=12"),
    ("durbin", "n=40"),
    ("gemm", "ni=20,nj=25,nk=30"),
    ("gramschmidt", "m=20,n=30"),
    ("jacobi-2d", "tsteps=20,n=30"),
    ("symm", "m=20,n=30"),
    ("trmm", "m=20,n=30"),
];

/// The caches: 1 KiB and 3 KiB, fully associative and 4-way set-associative.
const CACHES: [&str; 4] = ["1KiB", "3KiB", "1KiB,4", "3KiB,4"];

/// Returns the number of accesses, and the misses in each cache.
fn misses(command: &[&str], sizes: &str) -> (f64, Vec<f64>) {
    let mut args = command.to_vec();
    sizes.split(',').for_each(|size| args.extend(["-D", size]));
    CACHES.iter().for_each(|cache| args.extend(["--cache", cache]));
    args.push("--json");
    let (answer, errors, status) = symloc(&args);
    assert_eq!(status, Some(0), "{args:?}: {errors}");
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let levels = answer["levels"].as_array().unwrap();
    (answer["accesses"].as_f64().unwrap(), levels.iter().map(|level| level["misses"].as_f64().unwrap()).collect())
}

#[test]
fn predicted_misses_are_close_to_simulated_ones() {
    let (mut full, mut ways, mut missing) = (Vec::new(), Vec::new(), 0);
    for (kernel, sizes) in KERNELS {
        let file = format!("polybench/{kernel}.mlir");
        let (accesses, predicted) = misses(&["query", &model(&[&file]).unwrap(), "--model", "denning"], sizes);
        let (simulated_accesses, simulated) = misses(&["simulate", &file, "--layout", "padded", "--apart"], sizes);
        assert_eq!(accesses, simulated_accesses, "{kernel}");
        let errors: Vec<_> = predicted.iter().zip(&simulated).map(|(p, s)| 100.0 * (p - s).abs() / accesses).collect();
        println!("{kernel}: {errors:.2?} % of accesses; simulated {simulated:?}");
        full.extend_from_slice(&errors[..2]);
        ways.extend_from_slice(&errors[2..]);
        missing += simulated.iter().filter(|misses| **misses > 0.01 * accesses).count();
    }
    let mean = |errors: &[f64]| errors.iter().sum::<f64>() / errors.len() as f64;
    let most = |errors: &[f64]| errors.iter().copied().fold(0.0, f64::max);
    println!(
        "full: {:.2} % up to {:.2} %; sets: {:.2} % up to {:.2} %",
        mean(&full),
        most(&full),
        mean(&ways),
        most(&ways)
    );
    assert!(missing > 30, "{missing} cells with misses test little");
    assert!(mean(&full) < FULL.0 && most(&full) < FULL.1);
    assert!(mean(&ways) < WAYS.0 && most(&ways) < WAYS.1);
}

/// Bounds on the average and on the maximum, in percent of the accesses.
const FULL: (f64, f64) = (0.7, 10.0);
const WAYS: (f64, f64) = (3.0, 18.0);
