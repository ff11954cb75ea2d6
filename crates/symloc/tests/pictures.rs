//! Tests that the pictures of docs/reading-formulas.md are those of `symloc curve --rows`, and those of docs/parallel.md of
//! `symloc curve --threads`. `SYMLOC_BLESS=1` writes them; look at them.

use std::env;
use std::fs;

use crate::common::{model, root, symloc};

/// The pictures, each with the program, its options and the sizes.
const PICTURES: [(&str, &[&str], &[&str]); 3] = [
    ("gemm-rows.svg", &["polybench/gemm.mlir", "--exact"], &["ni=1000", "nj=1000", "nk=1000"]),
    ("stencil-rows.svg", &["tests/kernels/five_points.mlir"], &["n=2000", "m=2000"]),
    ("lu-rows.svg", &["polybench/lu.mlir", "--exact"], &["n=2000"]),
];

/// A picture over threads.
struct OverThreads {
    file: &'static str,
    /// The programs, each with its options.
    programs: &'static [&'static [&'static str]],
    /// The options of the curve.
    options: &'static [&'static str],
}

const OVER_THREADS: [OverThreads; 4] = [
    OverThreads {
        file: "jacobi-threads.svg",
        programs: &[&[
            "polybench/c/jacobi-2d.c",
            "--assume-noalias",
            "--parallel",
            "12",
            "--parallel",
            "15",
            "--exact",
        ]],
        options: &["-D", "n=2000,tsteps=10", "--threads", "1..64", "--cache", "32KiB", "--cache", "2MiB"],
    },
    OverThreads {
        file: "gemm-threads.svg",
        programs: &[&["polybench/c/gemm.c", "--assume-noalias", "--parallel", "18", "--exact"]],
        options: &["-D", "ni=nj=nk=400", "--threads", "1..64", "--cache", "32KiB", "--cache", "2MiB", "--scale", "log"],
    },
    OverThreads {
        file: "counters-threads.svg",
        programs: &[
            &["examples/openmp/counters.c", "--function", "count", "--assume-noalias", "--parallel", "marked"],
            &["examples/openmp/counters.c", "--function", "count_padded", "--assume-noalias", "--parallel", "marked"],
        ],
        options: &["-D", "n=1000,threads=64", "--threads", "1..64:*2", "--interleave", "random:1", "--cache", "32KiB"],
    },
    OverThreads {
        file: "lu-threads.svg",
        programs: &[&["polybench/c/lu.c", "--assume-noalias", "--parallel", "17"]],
        options: &["-D", "n=120", "--threads", "1..16", "--cache", "16KiB", "--cache", "64KiB"],
    },
];

/// Compares a picture with the one in the documentation.
fn check(picture: &str, drawn: &str) {
    let path = root().join("docs").join(picture);
    if env::var_os("SYMLOC_BLESS").is_some() {
        fs::write(&path, drawn).unwrap();
    }
    assert!(drawn == fs::read_to_string(&path).unwrap(), "docs/{picture} is not what is drawn now");
}

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
        check(picture, &drawn);
    }
    for OverThreads { file, programs, options } in OVER_THREADS {
        let models: Vec<String> = programs.iter().map(|program| model(program).unwrap()).collect();
        let models: Vec<&str> = models.iter().map(String::as_str).collect();
        check(file, &run(&[&["curve", "--svg", "-"], models.as_slice(), options].concat()));
    }
}
