//! `--passes`: the kernels after MLIR's passes are analysed, and the models agree with the traces.
//!
//! Every run is one process of the `symloc` binary. A pass that leaves a kernel as it is would test nothing, so each
//! test first checks that the program differs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn kernel(name: &str) -> PathBuf {
    repository().join("polybench").join(name).with_extension("mlir")
}

/// Runs `symloc`; words of `options` are separated by spaces.
fn symloc(command: &str, file: &Path, passes: Option<&str>, options: &str) -> Output {
    let mut symloc = Command::new(env!("CARGO_BIN_EXE_symloc"));
    symloc.arg(command).arg(file).args(options.split_whitespace());
    symloc.args(passes.iter().flat_map(|passes| ["--passes", passes])).output().unwrap()
}

fn stdout(output: &Output, what: &str) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{what}: {}\n{stderr}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the affine program as text.
fn program(file: &Path, passes: Option<&str>, options: &str) -> String {
    let what = format!("{} {passes:?}", file.display());
    stdout(&symloc("derive", file, passes, &format!("--emit affine {options}")), &what)
}

/// Verifies a program: it must be compared at `sizes` sizes, without a difference.
#[track_caller]
fn verify(file: &Path, passes: &str, options: &str, sizes: usize) {
    let what = format!("{} --passes '{passes}' {options}", file.display());
    let text = stdout(&symloc("verify", file, Some(passes), options), &what);
    assert_eq!(text.lines().filter(|line| line.starts_with("ok ")).count(), sizes, "{what}: {text}");
}

/// Verifies a kernel that the pass changes.
#[track_caller]
fn changed_and_verified(name: &str, passes: &str, options: &str, sizes: usize) {
    let file = kernel(name);
    assert_ne!(program(&file, None, ""), program(&file, Some(passes), ""), "{name}: {passes} changes nothing");
    verify(&file, passes, options, sizes);
}

#[test]
fn tiled() {
    changed_and_verified("gemm", "func.func(affine-loop-tile{tile-size=4})", "-D ni=8,9 -D nj=7 -D nk=5", 2);
}

#[test]
fn parallel() {
    let file = kernel("gemm");
    let passes = "func.func(affine-parallelize)";
    let output = symloc("verify", &file, Some(passes), "-D ni=9 -D nj=7 -D nk=5");
    let notes = String::from_utf8_lossy(&output.stderr).into_owned();
    let text = stdout(&output, passes);
    assert!(text.starts_with("ok ") && text.lines().count() == 1, "{text}");
    let expected = "gemm.mlir:12:3: note: `affine.parallel` is analysed in sequential order, its last iterator varying fastest; --parallel marked gives it threads\n  affine.for %i = 0 to %ni {\n  ^\n";
    assert!(notes.contains(expected), "{notes}");
    assert_eq!(notes.matches(": note: ").count(), 3, "{notes}");
}

#[test]
fn unrolled_and_jammed() {
    let passes = "func.func(affine-loop-unroll-jam{unroll-jam-factor=2})";
    changed_and_verified("gemm", passes, "-D ni=8,9 -D nj=7 -D nk=5", 2);
    changed_and_verified("mvt", passes, "-D n=8,11", 2);
}

#[test]
fn scalar_replacement() {
    changed_and_verified("cholesky", "func.func(affine-scalrep)", "-D n=8,11", 2);
    changed_and_verified("covariance", "func.func(affine-scalrep)", "-D m=9 -D n=8,6", 2);
}

#[test]
fn copies_of_data() {
    changed_and_verified("durbin", "func.func(affine-data-copy-generate)", "-D n=8,13", 2);
    changed_and_verified("correlation", "func.func(affine-data-copy-generate)", "-D m=7 -D n=8", 1);
}

#[test]
fn vectors() {
    let passes = "func.func(affine-super-vectorize{virtual-vector-size=4})";
    // Transfers may exceed the array, so its extent is a parameter.
    let jacobi = "--assume A_dim0=n,B_dim0=n -D tsteps=3 -D n=13 -D A_dim0=13 -D B_dim0=13";
    changed_and_verified("jacobi-1d", passes, jacobi, 1);
    changed_and_verified("mvt", passes, "-D n=8,9 -D x2_dim0=11 -D A_dim1=9", 2);
    let gemm = "--assume C_dim1=nj,B_dim1=nj -D ni=3 -D nj=13 -D nk=5 -D C_dim1=13 -D B_dim1=13";
    changed_and_verified("gemm", passes, gemm, 1);
}

#[test]
fn normalized() {
    let passes = "func.func(affine-loop-normalize,affine-simplify-structures)";
    changed_and_verified("trmm", passes, "-D m=8,9 -D n=5", 2);
    changed_and_verified("jacobi-2d", passes, "-D tsteps=2 -D n=8,11", 2);
}

#[test]
fn linalg_and_inlined() {
    let file = repository().join("tests/pass/passes.mlir");
    verify(
        &file,
        "inline,func.func(convert-linalg-to-affine-loops)",
        "--function matmul -D A_dim0=9 -D B_dim1=8 -D A_dim1=5",
        1,
    );
    let called = inlined("gemm", "inlined", &[9, 8, 7]);
    let without = program(&called, None, "--function main");
    assert_eq!(without, program(&called, Some("inline"), "--function main"), "MLIR inlines as symloc does");
    verify(&called, "inline", "--function main", 1);
}

/// Files with the code that real programs have around their loops: the derivation agrees with the trace at odd sizes.
const AROUND_LOOPS: &[(&str, &str, usize)] = &[
    ("collapsed", "-D n=5 -D s=3 -D C_dim0_C_dim1=7 -D n_s=15", 1),
    ("copies", "-D A_dim0=5", 1),
    ("counters", "-D n=9,14", 2),
    ("linalg", "--function net -D y_dim0=5 -D x_dim0=5", 1),
    ("llvm13_tensors", "-D A_dim0=7", 1),
    ("llvm14_buffers", "", 1),
    ("llvm15_pooling", "", 1),
    ("tensor_loops", "-D n=3 -D x_dim0=3", 1),
    ("tensors", "--function mlp", 1),
    ("jumps", "--function jumps -D n=5,13 -D m=1,6", 4),
    ("llvm11_jumps", "-D p0=11", 1),
    ("llvm11_parallel", "-D m=5 -D n=9", 1),
    ("loop_buffers", "--function kernel -D m=4 -D n=9", 1),
    ("products", "-D n_m=12", 1),
    ("rows", "-D m=3,5 -D n=7 -D k=5", 2),
    ("while_loops", "-D n=1,7,10", 3),
];

#[test]
fn around_loops() {
    for (name, options, sizes) in AROUND_LOOPS {
        let file = repository().join("tests/pass").join(name).with_extension("mlir");
        let text = stdout(&symloc("verify", &file, None, options), name);
        assert_eq!(text.lines().filter(|line| line.starts_with("ok ")).count(), *sizes, "{name}: {text}");
    }
}

/// At one size, an array of dynamic extents has the same layout as one of constant extents.
#[test]
fn rows_without_padding() {
    let kernel = |shape: &str, name: &str| {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let text = format!(
            "func.func @f(%A: memref<{shape}xf64>, %m: index, %n: index) {{\n  affine.for %j = 0 to %n {{\n    \
             affine.for %i = 0 to %m {{\n      %x = affine.load %A[%i, %j] : memref<{shape}xf64>\n    }}\n  }}\n  return\n}}\n"
        );
        fs::write(&file, text).unwrap();
        file
    };
    let options = "-D m=9 -D n=13 --cache 256B --layout linear --json";
    let dynamic = symloc("simulate", &kernel("?x?", "dynamic.mlir"), None, options);
    let constant = symloc("simulate", &kernel("9x13", "constant.mlir"), None, options);
    let said = "note: arrays are taken to be as large as what is accessed: A[9][13]\n";
    assert_eq!(String::from_utf8_lossy(&dynamic.stderr), said);
    // Rows of constant length hold so many elements only, which is an assumption.
    let numbers = |output, name| {
        let mut answer: serde_json::Value = serde_json::from_str(&stdout(output, name)).unwrap();
        answer.as_object_mut().unwrap().remove("assumptions");
        answer
    };
    assert_eq!(numbers(&dynamic, "dynamic"), numbers(&constant, "constant"));
    let rows = symloc("simulate", &kernel("?x?", "dynamic.mlir"), None, &options.replace("linear", "rows"));
    assert_ne!(stdout(&dynamic, "dynamic"), stdout(&rows, "rows"));
}

/// A parameter without its own name can also be given by the name of its argument, in programs and in models.
#[test]
fn sizes_go_by_the_names_of_arguments() {
    let file = repository().join("tests/pass/llvm14_arith.mlir");
    let note = symloc("simulate", &file, None, "-D arg0=2 -D p1=9 --cache 1KiB");
    assert!(
        String::from_utf8_lossy(&note.stderr)
            .contains("note: `p0` is `arg0` in the source, `p1` is `arg1` in the source")
    );
    let simulated = stdout(&note, "simulate");
    let model = Path::new(env!("CARGO_TARGET_TMPDIR")).join("arguments.loc.json");
    stdout(&symloc("derive", &file, None, &format!("-o {}", model.display())), "derive");
    let queried = stdout(&symloc("query", &model, None, "-D p0=2 -D arg1=9 --cache 1KiB"), "query");
    let sizes = "p0 = 2, p1 = 9";
    assert!(simulated.contains(sizes) && queried.contains(sizes), "{simulated}{queried}");
}

const FUSION: &str = "func.func(affine-loop-fusion)";

/// The kernels that fusion changes at symbolic sizes: it needs trip counts to fuse, so it only permutes loops.
const FUSION_CHANGES: &[&str] = &["heat-3d", "lu"];

/// The kernels that fusion changes at constant sizes.
const FUSION_CHANGES_CONSTANT: &[&str] = &["adi", "deriche", "doitgen", "fdtd-2d", "gemver", "heat-3d", "lu"];

/// Passes with fusion. They hoist the buffers that fusion makes in loops, because allocations in loops are refused.
const INLINED_FUSION: &str =
    "inline,canonicalize,func.func(affine-simplify-structures,canonicalize,affine-loop-fusion,buffer-loop-hoisting)";
const INLINED: &str = "inline,canonicalize,func.func(affine-simplify-structures,canonicalize)";

fn kernels() -> Vec<String> {
    let entries = fs::read_dir(repository().join("polybench")).unwrap();
    let names = entries.filter_map(|entry| entry.unwrap().file_name().into_string().ok());
    let mut names: Vec<_> = names.filter_map(|name| name.strip_suffix(".mlir").map(str::to_owned)).collect();
    names.sort();
    names
}

#[test]
fn fusion_changes_these_kernels() {
    let changed = |name: &String| {
        let file = kernel(name);
        program(&file, None, "") != program(&file, Some(FUSION), "")
    };
    assert_eq!(kernels().into_iter().filter(changed).collect::<Vec<_>>(), FUSION_CHANGES);
}

#[test]
fn fusion_changes_these_kernels_of_constant_size() {
    let changed = |name: &String| {
        let file = inlined(name, "listed", &[40, 44, 48, 52, 56]);
        let main = "--function main";
        program(&file, Some(INLINED), main) != program(&file, Some(INLINED_FUSION), main)
    };
    assert_eq!(kernels().into_iter().filter(changed).collect::<Vec<_>>(), FUSION_CHANGES_CONSTANT);
}

#[test]
fn fused_kernels() {
    changed_and_verified("heat-3d", FUSION, "-D tsteps=2 -D n=8,11", 2);
    changed_and_verified("lu", FUSION, "-D n=8,13", 2);
}

#[test]
fn fused_kernels_of_constant_size() {
    for name in FUSION_CHANGES_CONSTANT {
        for sizes in [[8, 16, 8, 16], [3, 9, 11, 13]] {
            let file = inlined(name, &format!("fused{}", sizes[0]), &sizes);
            verify(&file, INLINED_FUSION, "--function main", 1);
        }
    }
}

/// The rows of the table in `docs/fusion.md` are those of `compare` on the kernels with and without fusion.
#[test]
fn what_fusion_does_to_misses_is_documented() {
    let page = fs::read_to_string(repository().join("docs/fusion.md")).unwrap();
    let table: Vec<_> = page.lines().filter(|line| line.starts_with("| ")).skip(2).collect();
    let rows: Vec<_> = FUSION_CHANGES_CONSTANT.iter().map(|name| fusion_row(name)).collect();
    assert_eq!(table, rows, "\n{}\n", rows.join("\n"));
}

fn fusion_row(name: &str) -> String {
    let file = inlined(name, "compared", &[60, 120, 120]);
    let model = |passes: &str, suffix: &str| {
        let model = file.with_extension(suffix);
        let options = format!("--function main -o {}", model.display());
        stdout(&symloc("derive", &file, Some(passes), &options), name);
        model
    };
    let (before, after) = (model(INLINED, "before.loc.json"), model(INLINED_FUSION, "after.loc.json"));
    let caches = "--cache 4KiB --cache 32KiB --cache 256KiB --json";
    let text = stdout(&symloc("compare", &before, None, &format!("{} {caches}", after.display())), name);
    let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
    let comparison = &answer["comparisons"][0];
    let levels = comparison["levels"].as_array().unwrap().iter().map(|level| &level["misses"]);
    let pairs = std::iter::once(&comparison["accesses"]).chain(levels);
    let cells: Vec<_> = pairs.map(|pair| format!("{} | {}", pair[0], pair[1])).collect();
    format!("| {name} | {} |", cells.join(" | "))
}

/// Writes a file in which `main` calls a kernel with constant sizes.
fn inlined(name: &str, purpose: &str, sizes: &[i64]) -> PathBuf {
    let text = fs::read_to_string(kernel(name)).unwrap();
    let start = text.find("func.func @").unwrap();
    let (function, rest) = text[start + "func.func @".len()..].split_once('(').unwrap();
    let (arguments, _) = rest.split_once(')').unwrap();
    let arguments: Vec<(&str, &str)> = arguments.split(',').map(|a| a.trim().split_once(": ").unwrap()).collect();
    let join = |parts: Vec<String>| parts.join(", ");
    let names = join(arguments.iter().map(|(name, _)| (*name).to_owned()).collect());
    let types = join(arguments.iter().map(|(_, kind)| (*kind).to_owned()).collect());
    let is_size = |kind: &str| kind == "index";
    let passed = arguments.iter().filter(|(_, kind)| !is_size(kind));
    let passed = join(passed.map(|(name, kind)| format!("{name}: {kind}")).collect());
    let constants = arguments.iter().filter(|(_, kind)| is_size(kind)).zip(sizes);
    let constants: String =
        constants.map(|((name, _), n)| format!("  {name} = arith.constant {n} : index\n")).collect();
    let main = format!(
        "func.func @main({passed}) {{\n{constants}  call @{function}({names}) : ({types}) -> ()\n  return\n}}\n"
    );
    let private = text.replacen("func.func @", "func.func private @", 1);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{purpose}.mlir"));
    fs::write(&file, format!("{private}{main}")).unwrap();
    file
}
