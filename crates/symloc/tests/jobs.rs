//! Tests that several processes derive the same model as one.

use std::fs;

use crate::common::model;

/// The model does not depend on which process derives an access or a part of one, nor on what that process has derived
/// before. In cholesky one access takes a third of the time, so several processes derive its distances.
#[test]
fn models_do_not_depend_on_the_number_of_jobs() {
    for kernel in ["trisolv", "jacobi-1d", "gesummv", "cholesky"] {
        let kernel = &format!("polybench/{kernel}.mlir");
        for options in [&["--exact"][..], &["--line-bytes", "32,64"]] {
            let with = |jobs| {
                let arguments = [&[kernel.as_str()][..], options, &["--jobs", jobs]].concat();
                fs::read_to_string(model(&arguments).unwrap()).unwrap()
            };
            let alone = with("1");
            assert!(alone == with("2") && alone == with("5"), "{kernel} {options:?}");
        }
    }
}
