//! Output of tilers in tiles of 32, at sizes that need not be multiples of 32: derived in tile coordinates and compared
//! with its trace by `symloc verify`, at sizes below, at and above whole tiles.

use super::kernels::difference;
use crate::common::{nothing_from, symloc};

const KERNELS: [(&str, &[&str], usize); 7] = [
    ("matmul", &["n=1,5,31,32,33,47"], 6),
    ("gemm", &["ni=5,33", "nj=32,37", "nk=31,34"], 8),
    ("syrk", &["n=31,35", "m=3,33"], 4),
    ("trmm", &["m=3,33", "n=31,35"], 4),
    ("2mm", &["ni=5,33", "nj=32", "nk=31,34", "nl=7,33"], 8),
    ("cholesky", &["n=5,32,33,65"], 4),
    ("lu", &["n=5,32,33,65"], 4),
];

/// The tiled kernels, the kernels without tiles, and sizes of several tiles.
const TILINGS: [(&str, &str, &[&str]); 8] = [
    ("2mm", "2mm", &["ni=33", "nj=40", "nk=65", "nl=31"]),
    ("3mm", "3mm", &["ni=33", "nj=40", "nk=65", "nl=31", "nm=34"]),
    ("gemm-twice", "gemm", &["ni=130", "nj=33", "nk=131"]),
    ("cholesky", "cholesky", &["n=70"]),
    ("lu", "lu", &["n=70"]),
    ("jacobi-2d", "jacobi-2d", &["tsteps=35", "n=41"]),
    ("seidel-2d", "seidel-2d", &["tsteps=35", "n=41"]),
    ("heat-3d", "heat-3d", &["tsteps=20", "n=23"]),
];

#[test]
fn models_equal_traces() {
    nothing_from(KERNELS.iter(), |(name, sizes, several)| {
        let sizes: Vec<_> = sizes.iter().map(|size| format!("-D{size}")).collect();
        difference(&format!("tests/tiled/{name}.mlir"), &[], &sizes, *several)
    });
}

#[test]
fn distances_equal_those_of_traces() {
    assert_eq!(difference("tests/tiled/matmul.mlir", &["--exact"], &["-Dn=7,32,33".to_owned()], 3), None);
}

#[test]
fn tiled_kernels_access_what_the_others_do() {
    nothing_from(TILINGS.iter(), |(tiled, kernel, sizes)| {
        let sizes: Vec<_> = sizes.iter().map(|size| format!("-D{size}")).collect();
        let counts = |file: &str| {
            let fixed = ["simulate", file, "--cache", "1GiB", "--json"];
            let (text, errors, _) =
                symloc(&fixed.into_iter().chain(sizes.iter().map(String::as_str)).collect::<Vec<_>>());
            // The assumptions have places in the text, which differ.
            let without_places =
                |(before, after): (&str, &str)| format!("{before}{}", after.split_once("}],").unwrap().1);
            let counts = text.split_once("\"assumptions\"").map(without_places).unwrap_or(text);
            format!("{counts}{errors}")
        };
        let (one, other) = (counts(&format!("tests/tiled/{tiled}.mlir")), counts(&format!("polybench/{kernel}.mlir")));
        (one != other || !one.contains("first_touches")).then(|| format!("{tiled}: {one}{kernel}: {other}"))
    });
}
