//! Rust: the models of rustc's IR are compared with the compiled program.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{Compared, HistogramSource, aligned, difference, scratch};
use crate::common::traced::{self, ACCESSES, TRACING, observer, run};
use crate::common::{nothing_from, parameters, root, symloc};

/// Sizes at which rows of m and of m + 2 elements fill whole lines; some for one function alone, which has no conditions on them.
const RUNS: [(&str, [i64; 2]); 4] =
    [("inclusive", [9, 14]), ("added_backwards", [2, 16]), ("", [24, 16]), ("", [11, 24])];

/// Compiles a file to LLVM IR with rustc, as described in docs/c-support.md.
fn ir(source: &Path, folder: &str) -> String {
    let ir = scratch("rust", folder, "source.ll");
    let flags = ["--emit=llvm-ir", "-Copt-level=1", "-Cno-prepopulate-passes", "-Cdebuginfo=2", "--crate-type=lib"];
    run(Command::new("rustc").args(flags).arg("-o").arg(&ir).arg(source));
    ir.to_str().unwrap().to_owned()
}

/// Compiles a function with tracing. Code that panics is not linked: it is never called.
fn compile(ir: &str, function: &str) -> std::path::PathBuf {
    let [registers, traced, executable] =
        ["registers.ll", "traced.bc", "program"].map(|name| scratch("rust", function, name));
    let text = fs::read_to_string(ir).unwrap().replace(" noinline ", " ");
    fs::write(&registers, aligned(&text)).unwrap();
    let passes = format!("-passes=cgscc(inline),function(sroa),{TRACING}");
    run(Command::new("opt-22")
        .args([&passes, "-inline-threshold=1000000"])
        .args(ACCESSES)
        .arg(&registers)
        .arg("-o")
        .arg(&traced));
    run(Command::new("clang-22")
        .args(["-O1", "-Wl,--unresolved-symbols=ignore-all", &format!("-DFUNCTION={function}")])
        .arg(&traced)
        .args([root().join("tests/c/rust/main.c"), observer("tests/c/tracer.c")])
        .arg("-o")
        .arg(&executable));
    executable
}

#[test]
fn models_of_rust_equal_compiled_functions() {
    let source = root().join("tests/c/rust/ranges.rs");
    let text = fs::read_to_string(&source).unwrap();
    let functions: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("pub fn ")?.split('(').next()).collect();
    let ir = ir(&source, "ranges");
    nothing_from(functions.into_iter(), |function| {
        let model = scratch("rust", function, "model.loc.json");
        let model = model.to_str().unwrap();
        let (_, errors, status) = symloc(&["derive", &ir, "--function", function, "-o", model, "--exact"]);
        if status != Some(0) {
            return Some(format!("{function}: {errors}"));
        }
        let executable = compile(&ir, function);
        let names = parameters(&ir, &["--function", function]);
        let runs = RUNS.iter().filter(|(only, _)| *only == function || only.is_empty() && function != "inclusive");
        runs.into_iter().find_map(|(_, [n, m])| {
            let sizes = [("n", *n), ("m", *m)].map(|(name, value)| (name.to_owned(), value));
            let length = (n + 2) * (m + 2);
            let all = [("n", *n), ("m", *m), ("a", length), ("b", length)];
            let of_model: Vec<_> = all
                .iter()
                .filter(|(name, _)| names.iter().any(|other| other == name))
                .map(|(name, value)| ((*name).to_owned(), *value))
                .collect();
            assert_eq!(of_model.len(), names.len(), "{function}: {names:?}");
            let trace = traced::trace(&executable, &sizes, &[]);
            assert!(trace.len() > 4, "{function} accesses hardly anything");
            let unlike = difference(&trace, &HistogramSource::Model(model), &of_model, Compared::Distances)?;
            Some(format!("{function}, {sizes:?}: {unlike}"))
        })
    });
}
