//! What tilers print, in tiles of 32 with sizes that 32 need not divide: derived in tile coordinates and compared with its trace
//! by `symloc verify`, at sizes below, at and above whole tiles.

use super::kernels::difference;
use crate::common::nothing_from;

const KERNELS: [(&str, &[&str], usize); 4] = [
    ("matmul", &["n=1,5,31,32,33,47"], 6),
    ("gemm", &["ni=5,33", "nj=32,37", "nk=31,34"], 8),
    ("syrk", &["n=31,35", "m=3,33"], 4),
    ("trmm", &["m=3,33", "n=31,35"], 4),
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
