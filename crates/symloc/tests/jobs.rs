//! Several processes derive what one derives.

use std::fs;

use crate::common::model;

/// Whoever derives an access, and whatever it has derived before: the model is the same.
#[test]
fn models_do_not_depend_on_the_number_of_jobs() {
    for kernel in ["polybench/trisolv.mlir", "polybench/jacobi-1d.mlir", "polybench/gesummv.mlir"] {
        for options in [&["--exact"][..], &["--line-bytes", "32,64"]] {
            let with = |jobs| {
                let arguments = [&[kernel][..], options, &["--jobs", jobs]].concat();
                fs::read_to_string(model(&arguments).unwrap()).unwrap()
            };
            let alone = with("1");
            assert!(alone == with("2") && alone == with("5"), "{kernel} {options:?}");
        }
    }
}
