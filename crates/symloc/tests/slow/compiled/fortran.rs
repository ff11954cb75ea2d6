//! Fortran, if flang is installed: the models of its IR are compared with the compiled program.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::{Compared, HistogramSource, aligned, difference, scratch};
use crate::common::traced::{self, ACCESSES, TRACING, observer, run};
use crate::common::{nothing_from, parameters, root, symloc};

/// Sizes at which columns fill whole lines.
const RUNS: [[i64; 2]; 3] = [[24, 16], [8, 11], [40, 5]];

/// The addresses at which tests/c/fortran/main.c puts descriptors.
const DESCRIPTORS: std::ops::Range<u64> = 0x1000_0000_0000..0x1000_0000_1000;

/// Returns the subroutines of the file, or none without flang, which ./setup does not install.
fn subroutines(text: &str) -> Vec<&str> {
    let missing = Command::new("flang-22").arg("--version").output().is_err();
    let names = text.lines().filter_map(|line| line.strip_prefix("subroutine ")?.split('(').next());
    names.filter(|_| !missing).collect()
}

/// Compiles a subroutine with tracing.
fn compile(function: &str) -> PathBuf {
    let [source, registers, executable] =
        ["source.ll", "traced.bc", "program"].map(|name| scratch("fortran", function, name));
    let flags = ["-O1", "-mllvm", "-opt-bisect-limit=0", "-mllvm", "-opt-bisect-verbose=0", "-S", "-emit-llvm", "-o"];
    run(Command::new("flang-22").args(flags).arg(&source).arg(root().join("tests/c/fortran/arrays.f90")));
    fs::write(&source, aligned(&fs::read_to_string(&source).unwrap())).unwrap();
    let passes = format!("-passes=function(sroa),{TRACING}");
    run(Command::new("opt-22").arg(passes).args(ACCESSES).arg(&source).arg("-o").arg(&registers));
    run(Command::new("clang-22")
        .args(["-O1", "-Wl,--wrap=malloc", &format!("-DFUNCTION={function}_")])
        .arg(&registers)
        .args([root().join("tests/c/fortran/main.c"), observer("tests/c/tracer.c")])
        .arg("-o")
        .arg(&executable));
    executable
}

#[test]
fn models_of_fortran_equal_compiled_subroutines() {
    let source = "tests/c/fortran/arrays.f90";
    let text = fs::read_to_string(root().join(source)).unwrap();
    nothing_from(subroutines(&text).into_iter(), |function| {
        let model = scratch("fortran", function, "model.loc.json");
        let model = model.to_str().unwrap();
        let (_, errors, status) = symloc(&["derive", source, "--function", function, "-o", model, "--exact"]);
        if status != Some(0) {
            return Some(format!("{function}: {errors}"));
        }
        let executable = compile(function);
        let names = parameters(source, &["--function", function]);
        RUNS.iter().find_map(|[n, m]| {
            let sizes = [("n", *n), ("m", *m)].map(|(name, value)| (name.to_owned(), value));
            let value = |name: &String| if name == "n" || name.ends_with("_1") { *n } else { *m };
            let of_model: Vec<_> = names.iter().map(|name| (name.clone(), value(name))).collect();
            let trace = traced::trace(&executable, &sizes, &[]);
            let trace: Vec<u64> = trace.into_iter().filter(|address| !DESCRIPTORS.contains(address)).collect();
            assert!(trace.len() > 4, "{function} accesses hardly anything");
            let unlike = difference(&trace, &HistogramSource::Model(model), &of_model, Compared::Distances)?;
            Some(format!("{function}, {sizes:?}: {unlike}"))
        })
    });
}

#[test]
fn loops_that_directives_mark_have_threads() {
    let source = "tests/c/fortran/threads.f90";
    let cases = [
        ("product", "  parallel for i0 = 0 to n in chunks of 4\n", None),
        ("region", "    parallel for i1 = 0 to n - 1\n", None),
        ("shared", "", Some("`t` has no model with threads")),
        ("own", "    parallel for i1 = 0 to n\n", None),
        ("sum_of", "", Some("note: it is an argument or outlives the procedure")),
    ];
    let text = fs::read_to_string(root().join(source)).unwrap();
    let known = subroutines(&text);
    nothing_from(cases.into_iter().filter(|(function, ..)| known.contains(function)), |(function, loops, error)| {
        let asked = ["derive", source, "--function", function, "--parallel", "marked", "--emit", "affine"];
        let (program, errors, status) = symloc(&asked);
        let is_right = match error {
            None => status == Some(0) && program.contains(loops),
            Some(error) => status != Some(0) && errors.contains(error),
        };
        (!is_right).then(|| format!("{function}: {program}{errors}"))
    });
}
