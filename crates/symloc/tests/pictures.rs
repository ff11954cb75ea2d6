//! Tests that the pictures of docs/reading-formulas.md are those of `symloc curve --rows`. `SYMLOC_BLESS=1` writes
//! them; look at them.

use std::env;
use std::fs;

use crate::common::{model, root, symloc};

/// The pictures, each with the program, its options and the sizes.
const PICTURES: [(&str, &[&str], &[&str]); 3] = [
    ("gemm-rows.svg", &["polybench/gemm.mlir", "--exact"], &["ni=1000", "nj=1000", "nk=1000"]),
    ("stencil-rows.svg", &["tests/kernels/five_points.mlir"], &["n=2000", "m=2000"]),
    ("lu-rows.svg", &["polybench/lu.mlir", "--exact"], &["n=2000"]),
];

fn run(arguments: &[&str]) -> String {
    let (text, errors, status) = symloc(arguments);
    assert_eq!(status, Some(0), "{arguments:?}: {errors}");
    text
}

#[test]
fn pictures_of_the_documentation_are_those_of_the_program() {
    for (picture, program, sizes) in PICTURES {
        let model = model(program).unwrap();
        let sizes: Vec<&str> = sizes.iter().flat_map(|size| ["-D", size]).collect();
        let drawn = run(&[&["curve", &model, "--rows", "--svg", "-"], sizes.as_slice()].concat());
        let path = root().join("docs").join(picture);
        if env::var_os("SYMLOC_BLESS").is_some() {
            fs::write(&path, &drawn).unwrap();
        }
        assert!(drawn == fs::read_to_string(&path).unwrap(), "docs/{picture} is not what is drawn now");
    }
}
