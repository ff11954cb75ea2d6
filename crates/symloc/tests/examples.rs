//! The folder `examples`: the example for continuous integration, and the list of all examples.
//!
//! Others are run with their language: Rust in `crates/reuse` (`test = true`), C in `crates/capi/tests`, Python in
//! `python/tests`.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::common::root;

/// Writes a C file that copies an n × n array by columns or by rows; returns its path.
fn copy(subscripts: &str) -> PathBuf {
    let name = if subscripts == "[i][j]" { "rows.c" } else { "columns.c" };
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let text = format!(
        "void copy(int n, double a[restrict n][n], double b[restrict n][n]) {{\n  for (int i = 0; i < n; i++)\n    \
         for (int j = 0; j < n; j++)\n      b{subscripts} = a{subscripts};\n}}\n"
    );
    fs::write(&path, text).unwrap();
    path
}

fn check_locality(before: &PathBuf, after: &PathBuf) -> Output {
    let mut command = Command::new(root().join("examples/ci/check-locality"));
    command.env("SYMLOC", env!("CARGO_BIN_EXE_symloc")).args([before, after]);
    command.args(["-D", "n=1000", "--cache", "32KiB", "--layout", "rows"]).output().unwrap()
}

#[test]
#[cfg(unix)]
fn a_change_that_misses_more_fails() {
    let (rows, columns) = (copy("[i][j]"), copy("[j][i]"));
    assert_eq!(check_locality(&rows, &rows).status.code(), Some(0));
    assert_eq!(check_locality(&columns, &rows).status.code(), Some(0));
    let worse = check_locality(&rows, &columns);
    let errors = String::from_utf8(worse.stderr).unwrap();
    assert_eq!(worse.status.code(), Some(1), "{errors}");
    let failure = "failed: misses in 32 KiB at n = 1000: 250000 in rows.c, 2000000 in columns.c, more than 5% above\n";
    assert!(errors.ends_with(failure), "{errors}");
}

#[test]
fn every_example_is_listed() {
    let page = fs::read_to_string(root().join("examples/README.md")).unwrap();
    for folder in fs::read_dir(root().join("examples")).unwrap().map(|entry| entry.unwrap().path()) {
        for example in fs::read_dir(&folder).into_iter().flatten().map(|entry| entry.unwrap().path()) {
            let name = example.strip_prefix(root().join("examples")).unwrap().display().to_string();
            assert!(name.contains("__pycache__") || page.contains(&format!("({name})")), "{name}");
        }
    }
}

/// Returns the C library, which a test of the whole workspace has built.
fn library() -> PathBuf {
    let built = std::env::current_exe().unwrap().with_file_name("libsymloc_capi.a");
    if !built.exists() {
        let target = built.ancestors().nth(3).unwrap();
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--locked", "--package", "symloc-capi", "--target-dir"]).arg(target);
        assert!(cargo.current_dir(root()).status().unwrap().success());
        return target.join("debug/libsymloc_capi.a");
    }
    built
}

#[test]
#[cfg(target_os = "linux")]
fn the_pass_takes_the_order_that_misses_least() {
    let llvm = PathBuf::from(std::env::var("MLIR_SYS_220_PREFIX").unwrap());
    let plugin = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("libLoopOrder.so");
    let mut compiler = Command::new("c++");
    compiler.args("-std=c++17 -O1 -fPIC -fno-rtti -fno-exceptions -shared -Wall -Werror -I".split(' '));
    compiler.arg(llvm.join("include")).arg("-I").arg(root().join("crates/capi/include"));
    compiler.arg(root().join("examples/mlir/LoopOrder.cpp")).arg("-L").arg(llvm.join("lib"));
    compiler.args(["-lMLIR", "-lLLVM"]).arg(library()).args("-lgcc_s -lutil -lrt -lpthread -lm -ldl -o".split(' '));
    let compiled = compiler.arg(&plugin).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let mut optimiser = Command::new(llvm.join("bin/mlir-opt"));
    optimiser.env("SYMLOC", env!("CARGO_BIN_EXE_symloc")).arg(root().join("examples/mlir/matmul.mlir"));
    optimiser.arg(format!("--load-pass-plugin={}", plugin.display()));
    optimiser.arg("--pass-pipeline=builtin.module(func.func(symloc-loop-order{cache-lines=128}))");
    let output = optimiser.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // The innermost loop now traverses a row of B instead of a column.
    assert!(text.contains("symloc.misses = 1010000") && text.contains("affine.load %arg1[%arg4, %arg5]"), "{text}");
}
