//! C programs, compiled with the system's compiler and linked with the library: what they count has to be what a cache
//! counts, and valgrind has to report no error.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

use std::collections::{BTreeMap, HashMap};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The options of valgrind. Memory that LLVM and Barvinok keep until the end is no leak, since it can be reached.
const VALGRIND: [&str; 4] = ["-q", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite"];

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn root() -> PathBuf {
    here().join("../..")
}

/// Returns the directory of the library: cargo puts it beside this test.
fn libraries() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().to_owned()
}

fn run(command: &mut Command) -> String {
    let output = output(command);
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn output(command: &mut Command) -> Output {
    command.env("LD_LIBRARY_PATH", libraries());
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// Compiles a source below this crate, and links it with the library. Each test has its own `name` of the program.
fn compile(compiler: &[&str], source: &str, name: &str) -> PathBuf {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut command = Command::new(compiler[0]);
    command.args(&compiler[1..]).args(["-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pedantic"]);
    command.args(["include", "../capi/include"].map(|folder| format!("-I{}", here().join(folder).display())));
    command.arg(here().join(source)).arg("-o").arg(&program);
    command.arg("-L").arg(libraries()).args(["-lsymloc_derive", "-lpthread"]);
    run(&mut command);
    program
}

const C99: [&str; 2] = ["cc", "-std=c99"];

/// Returns the misses of a cache of so many lines in a trace, by the definition of LRU.
fn lru_misses(trace: impl Iterator<Item = (char, u64)>, capacity: usize) -> u64 {
    let (mut used, mut order, mut misses) = (HashMap::new(), BTreeMap::new(), 0);
    for (time, line) in trace.enumerate() {
        match used.insert(line, time) {
            Some(before) => drop(order.remove(&before)),
            None => misses += 1,
        }
        order.insert(time, line);
        if used.len() > capacity {
            let (_, oldest) = order.pop_first().unwrap();
            used.remove(&oldest);
        }
    }
    misses
}

/// Returns the lines that `polybench/matmul.mlir` touches at a multiple of 8.
fn matmul(n: u64) -> impl Iterator<Item = (char, u64)> {
    let line = move |array, row, column| (array, (row * n + column) / 8);
    let points = (0..n).flat_map(move |i| (0..n).flat_map(move |j| (0..n).map(move |k| (i, j, k))));
    points.flat_map(move |(i, j, k)| [line('A', i, k), line('B', k, j), line('C', i, j), line('C', i, j)])
}

#[test]
fn the_example_derives_and_counts_what_a_cache_counts() {
    let program = compile(&C99, "../../examples/c/derive.c", "derive");
    let counted = |n| format!("n = {n}: {} of {} miss\n", lru_misses(matmul(n), 512), 4 * n * n * n);
    let expected = [16, 32, 64].map(counted).concat();
    assert_eq!(run(Command::new(&program).arg(root().join("polybench/matmul.mlir"))), expected);
    let refused = output(Command::new(&program).arg("nowhere.mlir"));
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).starts_with("nowhere.mlir: cannot read it"));
}

#[test]
fn the_example_is_the_one_of_the_page_and_short() {
    let page = std::fs::read_to_string(root().join("docs/library.md")).unwrap();
    let example = std::fs::read_to_string(root().join("examples/c/derive.c")).unwrap();
    assert!(page.contains(&format!("```c\n{example}```\n")), "docs/library.md has another examples/c/derive.c");
    assert!(example[example.find("int main").unwrap()..].lines().count() <= 20);
}

#[test]
fn every_function_can_be_called_rightly_and_wrongly() {
    let program = compile(&C99, "tests/c/api.c", "api");
    assert_eq!(run(&mut Command::new(program)), "all is as expected\n");
}

#[test]
fn the_header_is_one_of_cpp_too() {
    let program = compile(&["c++", "-std=c++11"], "tests/c/include.cpp", "include");
    run(&mut Command::new(program));
}

/// Returns the functions that a header declares.
fn declared(header: &Path) -> Vec<String> {
    let header = std::fs::read_to_string(header).unwrap();
    let lines = header.lines().filter(|line| !line.starts_with([' ', '/']));
    let words = lines.filter_map(|line| line.split_once('('));
    words.filter_map(|(before, _)| before.rsplit([' ', '*']).next()).map(str::to_owned).collect()
}

#[test]
fn the_library_has_the_functions_of_both_headers_and_no_symbol_of_llvm() {
    let mut declared =
        ["include/symloc-derive.h", "../capi/include/symloc.h"].map(|header| declared(&here().join(header))).concat();
    declared.sort_unstable();
    let output = run(Command::new("nm").args(["-D", "--defined-only"]).arg(libraries().join("libsymloc_derive.so")));
    let mut exported: Vec<_> = output.lines().filter_map(|line| line.rsplit(' ').next()).collect();
    exported.sort_unstable();
    assert_eq!(exported, declared);
    assert!(declared.len() > 30 && declared.iter().all(|name| name.starts_with("symloc_")), "{declared:?}");
}

mod slow {
    use super::*;

    /// Puts a copy of the library without debug information into a folder: valgrind does not know all forms of it.
    fn stripped() -> PathBuf {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stripped");
        std::fs::create_dir_all(&folder).unwrap();
        let name = "libsymloc_derive.so";
        run(Command::new("strip").arg("--strip-debug").arg("-o").arg(folder.join(name)).arg(libraries().join(name)));
        folder
    }

    /// Reads one row; a line has 8 of its elements.
    const ROW: &str = "func.func @row(%n: index, %A: memref<?xf64>) {
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i] : memref<?xf64>
  }
  return
}
";

    #[test]
    fn valgrind_finds_nothing() {
        if Command::new("valgrind").arg("--version").output().is_err() {
            // Written to the stream itself, because the test harness captures the output of `eprintln!`.
            let _ = writeln!(std::io::stderr(), "note: valgrind is not installed, so nothing is run under it");
            return;
        }
        let program = compile(&C99, "../../examples/c/derive.c", "derive-valgrind");
        let kernel = Path::new(env!("CARGO_TARGET_TMPDIR")).join("row.mlir");
        std::fs::write(&kernel, ROW).unwrap();
        let mut valgrind = Command::new("valgrind");
        valgrind.args(VALGRIND).arg(format!("--suppressions={}", here().join("tests/c/loader.supp").display()));
        let output = valgrind.arg(program).arg(kernel).env("LD_LIBRARY_PATH", stripped()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let counted = |n| format!("n = {n}: {} of {n} miss\n", lru_misses((0..n).map(|i| ('A', i / 8)), 512));
        assert_eq!(String::from_utf8(output.stdout).unwrap(), [16, 32, 64].map(counted).concat());
    }
}
