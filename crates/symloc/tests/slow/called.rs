//! `verify --compiled`: the program as read is compared with the compiled function.
//!
//! It runs on the kernels of polybench/c and the files of tests/c/pass, whose first lines have their options. Planted
//! misreadings show that it finds them: a wrapper around Clang compiles one text the first time, which symloc reads,
//! and another one the second time, which is called.

mod mlir;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::traced::scratch;
use crate::common::{STEPS, nothing_from, root, share, symloc};

/// Returns the files of a folder in C and C++, sorted.
fn files(folder: &str) -> Vec<String> {
    let names = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name.ends_with(".c") || name.ends_with(".cpp")).collect();
    names.sort();
    names.into_iter().map(|name| format!("{folder}/{name}")).collect()
}

/// Returns the error if the comparison does not agree at all sizes.
fn disagreement(args: &[&str], sizes: usize) -> Option<String> {
    let (text, errors, status) = symloc(args);
    let agree = text.lines().count() == sizes && text.lines().all(|line| line.starts_with("ok "));
    (status != Some(0) || !agree).then(|| format!("symloc {}\n{text}{errors}", args.join(" ")))
}

/// Sizes that are not multiples of a line.
const SIZES: [u64; 5] = [13, 7, 6, 9, 11];

#[test]
fn kernels_of_c_do_what_is_read() {
    let kernels = files("polybench/c");
    assert_eq!(kernels.len(), 30, "the kernels of PolyBench/C");
    nothing_from(share([1, 3], kernels.into_iter()), |file| {
        let text = fs::read_to_string(root().join(&file)).unwrap();
        let (_, list) = text.split_once("\nvoid ").unwrap().1.split_once('(').unwrap();
        let arguments = list.split_once(") {").unwrap().0.split(',').map(str::trim);
        let names = arguments.filter_map(|argument| argument.strip_prefix("int ").filter(|name| !name.contains('[')));
        let mut sizes = SIZES.into_iter();
        let mut size = |name: &str| if STEPS.contains(&name) { 3 } else { sizes.next().unwrap() };
        let sizes: Vec<_> = names.map(|name| format!("-D{name}={}", size(name))).collect();
        let mut args = vec!["verify", &file, "--compiled"];
        args.extend(sizes.iter().map(String::as_str));
        disagreement(&args, 1)
    });
}

/// The files of tests/c/pass that cannot be called, each with a part of the reason.
const UNCALLABLE: [(&str, &str); 13] = [
    ("blas_increment_one.c", "--compiled does not go with --branch"),
    ("branch_share.c", "--compiled does not go with --branch"),
    ("branch_shares_in_each_other.c", "--compiled does not go with --branch"),
    ("cube_of_pointers.c", "it reads a pointer from memory"),
    ("flags_in_structure.c", "the parameter options_4 is not an argument of `by_options`"),
    ("no_registers_addresses.c", "it reads a pointer from memory"),
    ("pointer_set_first.c", "it reads a pointer from memory"),
    ("pointers_in_four_levels.c", "it reads a pointer from memory"),
    ("sizes_beside_arrays.c", "it reads a pointer from memory"),
    ("struct_matrix_in_memory.c", "it reads a pointer from memory"),
    ("table_of_rows.c", "it reads a pointer from memory"),
    ("table_of_structures.c", "it reads a pointer from memory"),
    ("vector_size.cpp", "it reads a pointer from memory"),
];

/// The least number of files of tests/c/pass that are called.
const CALLED: usize = 200;

/// Returns `n=64,300` and 2 for the runs `n=64` and `n=300`, which one compiled program makes; none for runs of several
/// sizes.
fn values_of_one_size(runs: &[&str]) -> Option<(String, usize)> {
    let (name, _) = runs.first()?.split_once('=')?;
    let values: Option<Vec<&str>> =
        runs.iter().map(|run| run.strip_prefix(name)?.strip_prefix('=').filter(|value| !value.contains('='))).collect();
    Some((format!("{name}={}", values?.join(",")), runs.len()))
}

#[test]
fn files_of_c_do_what_is_read() {
    let only = std::env::var("SYMLOC_ONLY").unwrap_or_default();
    let files: Vec<_> = files("tests/c/pass").into_iter().filter(|file| file.contains(&only)).collect();
    let called = files.len().saturating_sub(UNCALLABLE.len());
    assert!(called >= CALLED || !only.is_empty(), "{called} files are called");
    // Other files than those whose models are compared (`compiled`).
    nothing_from(share([2, 8], files.into_iter()), |file| {
        let text = fs::read_to_string(root().join(&file)).unwrap();
        let head: Vec<_> = text.lines().map_while(|line| line.strip_prefix("// ")).collect();
        let value = |key: &str| head.iter().find_map(|line| line.strip_prefix(key)?.strip_prefix(':')).map(str::trim);
        let flags = value("flags").map(|flags| shlex::split(flags).unwrap()).unwrap_or_default();
        let is = |name: &str| file.ends_with(&format!("/{name}"));
        let reason = UNCALLABLE.iter().find(|(name, _)| is(name)).map(|(_, reason)| *reason);
        let sizes: Vec<&str> = value("sizes").unwrap_or_default().split(';').map(str::trim).collect();
        let together = values_of_one_size(&sizes).filter(|_| reason.is_none());
        let runs = together.map_or_else(|| sizes.iter().map(|&run| (run.to_owned(), 1)).collect(), |all| vec![all]);
        runs.into_iter().find_map(|(sizes, count)| {
            let sizes: Vec<_> = sizes.split_whitespace().map(|size| format!("-D{size}")).collect();
            let mut args = vec!["verify", &file, "--compiled", "--function", value("function").unwrap()];
            args.extend(sizes.iter().map(String::as_str));
            args.extend(flags.iter().map(String::as_str));
            let Some(reason) = reason else { return disagreement(&args, count) };
            let (text, errors, status) = symloc(&args);
            let refused = status == Some(2) && text.is_empty() && errors.contains(reason);
            (!refused).then(|| format!("symloc {}\n{text}{errors}", args.join(" ")))
        })
    });
}

/// Models have local arrays apart that a compiler may lay in the same memory; a note says so.
#[test]
fn local_arrays_of_several_scopes_are_apart() {
    let file = "tests/c/noted/local_arrays_apart.c";
    assert_eq!(disagreement(&["verify", file, "--compiled", "--function", "twice_each"], 1), None);
}

// --- Misreadings

/// A planted misreading: a part of a function, the wrong text that is read, and the heading of the difference.
struct Planted {
    name: &'static str,
    right: &'static str,
    wrong: &'static str,
    found: &'static str,
}

/// The text around the part that is misread.
const AROUND: [&str; 2] = [
    "void sweep(int n, int m, double a[n][m], double b[n][m], double *c) {\n  for (int i = 1; i < n; i++)\n    \
     for (int j = 1; j < m; j++)\n      ",
    ";\n}\n",
];

const PLANTED: [Planted; 8] = [
    Planted { name: "row", right: "a[i][j] = a[i - 1][j]", wrong: "a[i][j] = a[i][j - 1]", found: "reuse of access" },
    // Found by lines only: the reuse of elements is the same, but they are shifted by one.
    Planted {
        name: "shift",
        right: "c[i * m + j] = b[i][j]",
        wrong: "c[i * m + j - 1] = b[i][j]",
        found: "reuse of access",
    },
    Planted {
        name: "order",
        right: "a[i][j] = a[i - 1][j] + b[i][j]",
        wrong: "a[i][j] = b[i][j] + a[i - 1][j]",
        found: "array of access 1",
    },
    Planted { name: "kind", right: "c[i] += b[i][j]", wrong: "c[i] = b[i][j]", found: "kind of access 2" },
    Planted { name: "array", right: "a[i][j] = a[0][j]", wrong: "a[i][j] = b[0][j]", found: "array of access 1" },
    // The reuse is the same, but in another array.
    Planted { name: "swap", right: "a[i][j] = b[i][j]", wrong: "b[i][j] = a[i][j]", found: "array of access 1" },
    Planted {
        name: "fewer",
        right: "if (i + j > 3) a[i][j] = 0",
        wrong: "if (i + j > 4) a[i][j] = 0",
        found: "number of",
    },
    Planted { name: "more", right: "a[i][j] = 0", wrong: "a[i][j] = 0, c[i * m + j] = 0", found: "array of access 2" },
];

/// Writes a wrapper around Clang with its name, in a folder of its own: a script in which `CLANG` is the compiler and
/// `STATE` a file that does not exist at first.
fn compiler(name: &str, script: &str) -> PathBuf {
    let clang = Command::new("sh").args(["-c", "command -v clang-22"]).output().unwrap();
    let clang = String::from_utf8(clang.stdout).unwrap();
    let folder = scratch(&format!("called/{name}"), "bin");
    fs::create_dir_all(&folder).unwrap();
    let (compiler, state) = (folder.join("clang-22"), folder.join("state"));
    let _ = fs::remove_file(&state);
    let script = script.replace("CLANG", clang.trim()).replace("STATE", &state.display().to_string());
    fs::write(&compiler, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// Runs `verify --compiled` with the compiler in a folder; returns the output and the exit code.
fn answered(file: &Path, compiler: &Path) -> (String, Option<i32>) {
    let path = format!("{}:{}", compiler.display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new(env!("CARGO_BIN_EXE_symloc"));
    command.args(["verify", file.to_str().unwrap(), "--compiled", "-Dn=6", "-Dm=9"]).env("PATH", path);
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (text.concat(), output.status.code())
}

/// A compiler that defines MISREAD in its first call.
const MISREADING: &str = "if [ -e STATE ]; then exec CLANG \"$@\"; fi\n: > STATE\nexec CLANG -DMISREAD \"$@\"";

/// Compares a function with a misreading of it; returns the output and the exit code.
fn compared(name: &str, right: &str, wrong: &str) -> (String, Option<i32>) {
    let file = scratch(&format!("called/{name}"), "sweep.c");
    let [before, behind] = AROUND;
    fs::write(&file, format!("{before}\n#ifdef MISREAD\n{wrong}\n#else\n{right}\n#endif\n{behind}")).unwrap();
    answered(&file, &compiler(name, MISREADING))
}

#[test]
fn misreadings_are_found() {
    nothing_from(PLANTED.iter(), |planted| {
        let (text, status) = compared(planted.name, planted.right, planted.wrong);
        let found = status == Some(1) && text.contains(&format!("compiled: {}", planted.found));
        (!found).then(|| format!("{}, {status:?}:\n{text}", planted.name))
    });
    let Planted { right, .. } = PLANTED[0];
    let (text, status) = compared("none", right, right);
    assert_eq!(status, Some(0), "{text}");
}

// --- Ends

/// Compiles and calls a function that does not return; returns the message and the exit code.
fn ended(name: &str, text: &str, more: &[&str]) -> (String, Option<i32>) {
    let file = scratch(&format!("called/{name}"), "ended.c");
    fs::write(&file, text).unwrap();
    let (text, errors, status) = symloc(&[&["verify", file.to_str().unwrap(), "--compiled"], more].concat());
    (format!("{text}{errors}"), status)
}

#[test]
fn a_killed_program_is_said_to_be_killed() {
    let text = "int raise(int);\nvoid f(int n, double *a) {\n  for (int i = 0; i < n; i++)\n    a[i] = 0;\n  raise(SIGNAL);\n}\n";
    for (signal, name) in [(9, "SIGKILL"), (15, "SIGTERM")] {
        let text = text.replace("SIGNAL", &signal.to_string());
        let (said, status) = ended("killed", &text, &["--ignore-calls", "raise", "-Dn=9"]);
        let expected = format!("the compiled program was killed by signal {signal} ({name})");
        assert!(status == Some(2) && said.contains(&expected), "{status:?}: {said}");
    }
}

/// The compiled program of this test touches 1.6 GB, a page with each access.
#[test]
fn a_compiled_program_is_held_to_the_limit_on_memory() {
    let text = "void f(long n, double *a) {\n  for (long i = 0; i < n; i += 512)\n    a[i] = 0;\n}\n";
    let (said, status) = ended("memory", text, &["-Dn=200000000", "--max-memory", "400MiB", "--element"]);
    let expected = "more than 400.00 MiB of memory are held during running the compiled program";
    assert!(status == Some(2) && said.contains(expected), "{status:?}: {said}");
}
