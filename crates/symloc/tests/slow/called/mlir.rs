//! `verify --compiled` for MLIR: the files of tests/pass, tests/addresses and polybench as read are compared with the
//! programs that MLIR lowers them to.
//!
//! Planted misreadings show that it finds them: a wrapper around Clang links the module of one text while another one
//! is read.

use std::fs;
use std::path::{Path, PathBuf};

use super::{answered, compiler, disagreement};
use crate::common::traced::scratch;
use crate::common::{STEPS, nothing_from, root, share, symloc};

/// Values of the parameters in their order: odd, different and descending.
const SIZES: [i64; 5] = [13, 11, 9, 7, 6];

/// Files with other sizes: for flags, rows that have to be long enough, and operands that need the same shape.
const OTHER_SIZES: [(&str, &[i64]); 9] = [
    ("arrays", &[7]),
    ("elements_of_vectors", &[3]),
    ("flag_jumps", &[1]),
    ("flags_of_callees", &[3, 1, 9]),
    ("guarded_rows", &[9, 13]),
    ("layouts", &[5]),
    ("llvm11_linalg_generic", &[13, 11, 13, 11]),
    ("outside", &[7]),
    ("rows", &[9, 13, 7]),
];

/// Files that cannot be called, each with a part of the reason.
const UNCALLABLE: [(&str, &str); 25] = [
    ("arrays", "the addresses of the rows of `%tiled` are not known"),
    ("barriers", "its accesses in `llvm.nvvm.barrier"),
    ("branches_on_data", "--compiled does not go with --branch"),
    ("collapsed", "the parameter C_dim0_C_dim1 is not an argument of `collapsed`"),
    ("copies_onto_themselves", "this copy of each element onto itself is left out"),
    ("elements_of_vectors", "some of its vectors are elements of arrays"),
    ("flat_views", "MLIR does not lower this `memref.expand_shape`"),
    ("foreign_arrays", "MLIR does not lower it to LLVM IR"),
    ("foreign_scalars", "registration for dialect for op: fixed.round"),
    ("harmless", "`printClose` is not defined here"),
    ("ignored_calls", "`check` is not defined here"),
    ("krnl", "MLIR does not lower it to LLVM IR"),
    ("layouts", "the addresses of the rows of `%parts` are not known"),
    ("library_calls", "`rtclock` is not defined here"),
    ("llvm11_partitioned", "the addresses of the rows of `%arg1` are not known"),
    ("llvm13_pointers", "registration for dialect for op: symloc.address"),
    ("masked_vectors", "its accesses in `llvm.masked.load"),
    ("openmp_cases", "MLIR does not lower it to LLVM IR"),
    ("openmp_loops", "MLIR does not lower it to LLVM IR"),
    ("products", "the parameter n_m is not an argument of `f`"),
    ("scopes", "MLIR does not lower it to LLVM IR"),
    ("transfers", "MLIR does not lower it to LLVM IR"),
    ("unranked", "`%u` is a memref without a rank"),
    ("vector_masks", "MLIR does not lower it to LLVM IR"),
    ("vectors", "some of its vectors are elements of arrays"),
];

/// Files that behave differently from their reading, each with the difference.
const DIFFERENT: [(&str, &str); 1] = [
    // The second call of a function has the same memory on the stack as the first, which a note says.
    ("calls", "write to `scratch_1[i_1]` at tests/pass/calls.mlir:7:5: its element is accessed for the first time"),
];

/// The least number of files of tests/pass that are called.
const CALLED: usize = 125;

/// Returns the parameters of a file of tests/pass, from the first line of its program: `program gemm(ni, nj, nk)`.
fn parameters(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file.with_extension("affine")).unwrap();
    let (_, list) = text.lines().next().unwrap().split_once('(').unwrap();
    let list = list.trim_end_matches(')');
    list.split(", ").filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Returns the options of a file of tests/pass.
fn options(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("// OPTIONS: ")).unwrap_or_default();
    shlex::split(line).unwrap()
}

fn files(folder: &str) -> Vec<PathBuf> {
    let paths = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|found| found == "mlir")).collect();
    paths.sort();
    paths
}

fn listed<T: Copy>(list: &[(&str, T)], name: &str) -> Option<T> {
    list.iter().find(|(listed, _)| *listed == name).map(|(_, what)| *what)
}

#[test]
fn files_of_mlir_do_what_is_read() {
    let files = files("tests/pass");
    let called = files.len() - UNCALLABLE.len() - DIFFERENT.len();
    assert!(called >= CALLED, "{called} files are called");
    nothing_from(share([0, 4], files.into_iter()), |path| {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let values = listed(&OTHER_SIZES, name).unwrap_or(&SIZES);
        let sizes = parameters(&path).into_iter().zip(values).map(|(name, value)| format!("-D{name}={value}"));
        let more: Vec<String> = options(&path).into_iter().chain(sizes).collect();
        let file = format!("tests/pass/{name}.mlir");
        let mut args = vec!["verify", &file, "--compiled"];
        args.extend(more.iter().map(String::as_str));
        let (expected, reason) = match (listed(&UNCALLABLE, name), listed(&DIFFERENT, name)) {
            (Some(reason), _) => (2, reason),
            (_, Some(found)) => (1, found),
            _ => return disagreement(&args, 1),
        };
        let (text, errors, status) = symloc(&args);
        let is_so = status == Some(expected) && format!("{text}{errors}").contains(reason);
        (!is_so).then(|| format!("symloc {}\n{text}{errors}", args.join(" ")))
    });
}

/// Files of tests/addresses that cannot be called, each with a part of the reason.
const WITHOUT_CALL: [(&str, &str); 3] = [
    ("masks", "its accesses in `llvm.masked.load"),
    ("units_with_strides", "the addresses of the rows of `%D` are not known"),
    ("unranked", "`%U` is a memref without a rank"),
];

/// Views, copies, layouts and buffers; the first lines of the files have their options.
#[test]
fn addresses_are_those_of_what_is_called() {
    let files = files("tests/addresses");
    assert!(files.len() >= 40 + WITHOUT_CALL.len(), "{} files", files.len());
    nothing_from(files.into_iter(), |path| {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let value =
            |key: &str| text.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(key)).map(str::trim);
        let words = |text: Option<&str>| shlex::split(text.unwrap_or_default()).unwrap();
        let mut more = words(value("flags:"));
        if let Some(passes) = value("passes:").filter(|_| !more.iter().any(|word| word == "--passes")) {
            more.extend(["--passes".to_owned(), passes.to_owned()]);
        }
        more.extend(value("function:").into_iter().flat_map(|name| ["--function".to_owned(), name.to_owned()]));
        let runs = ["rows:", "linear:", "simulated:"].into_iter().find_map(value).unwrap_or_default();
        let first = words(runs.split(';').next());
        more.extend(first.into_iter().map(|size| format!("-D{size}")));
        let file = format!("tests/addresses/{name}.mlir");
        let mut args = vec!["verify", &file, "--compiled"];
        args.extend(more.iter().map(String::as_str));
        let Some(reason) = listed(&WITHOUT_CALL, name) else { return disagreement(&args, 1) };
        let (text, errors, status) = symloc(&args);
        let refused = status == Some(2) && text.is_empty() && errors.contains(reason);
        (!refused).then(|| format!("symloc {}\n{text}{errors}", args.join(" ")))
    });
}

#[test]
fn kernels_of_mlir_do_what_is_read() {
    let kernels = files("polybench");
    assert!(kernels.len() >= 30, "the kernels of PolyBench");
    nothing_from(share([2, 3], kernels.into_iter()), |path| {
        let file = format!("polybench/{}", path.file_name().unwrap().to_str().unwrap());
        let mut sizes = SIZES.into_iter();
        let mut size = |name: &str| if STEPS.contains(&name) { 3 } else { sizes.next().unwrap() };
        let sizes = crate::common::parameters(&file, &[]);
        let sizes: Vec<_> = sizes.iter().map(|name| format!("-D{name}={}", size(name))).collect();
        let mut args = vec!["verify", &file, "--compiled"];
        args.extend(sizes.iter().map(String::as_str));
        disagreement(&args, 1)
    });
}

// --- Misreadings

/// A planted misreading: the body of two loops, the wrong text that is read, and the heading of the difference.
struct Planted {
    name: &'static str,
    right: &'static str,
    wrong: &'static str,
    found: &'static str,
}

const PLANTED: [Planted; 5] = [
    Planted {
        name: "row",
        right: "%x = affine.load %a[%i - 1, %j] : memref<?x?xf64>\naffine.store %x, %a[%i, %j] : memref<?x?xf64>",
        wrong: "%x = affine.load %a[%i, %j - 1] : memref<?x?xf64>\naffine.store %x, %a[%i, %j] : memref<?x?xf64>",
        found: "reuse of access",
    },
    Planted {
        name: "kind",
        right: "%x = affine.load %c[%j] : memref<?xf64>\naffine.store %x, %c[%j] : memref<?xf64>",
        wrong: "%x = affine.load %c[%j] : memref<?xf64>\n%y = affine.load %c[%j] : memref<?xf64>",
        found: "kind of access 2",
    },
    Planted {
        name: "order",
        right: "%x = affine.load %a[%i, %j] : memref<?x?xf64>\n%y = affine.load %c[%j] : memref<?xf64>",
        wrong: "%y = affine.load %c[%j] : memref<?xf64>\n%x = affine.load %a[%i, %j] : memref<?x?xf64>",
        found: "array of access 1",
    },
    Planted {
        name: "fewer",
        right: "affine.if affine_set<(d0, d1) : (d0 + d1 - 4 >= 0)>(%i, %j) {\n\
                %x = affine.load %a[%i, %j] : memref<?x?xf64>\n}",
        wrong: "affine.if affine_set<(d0, d1) : (d0 + d1 - 5 >= 0)>(%i, %j) {\n\
                %x = affine.load %a[%i, %j] : memref<?x?xf64>\n}",
        found: "number of",
    },
    // Found by lines only: the reuse of elements is the same, but they are shifted by one.
    Planted {
        name: "shift",
        right: "%x = affine.load %c[%j] : memref<?xf64>",
        wrong: "%x = affine.load %c[%j - 1] : memref<?xf64>",
        found: "reuse of access",
    },
];

fn text(body: &str) -> String {
    format!(
        "func.func @sweep(%n: index, %m: index, %a: memref<?x?xf64>, %c: memref<?xf64>) {{\n  affine.for %i = 1 to %n {{\n    \
         affine.for %j = 1 to %m {{\n{body}\n    }}\n  }}\n  return\n}}\n"
    )
}

/// A compiler that always links the first module that it was given.
const STUBBORN: &str = "for file in \"$@\"; do case \"$file\" in\n*/module.bc)\nif [ -e STATE ]; then cp STATE \"$file\"; \
                        else cp \"$file\" STATE; fi;;\nesac; done\nexec CLANG \"$@\"";

/// Compares a text, with this compiler; returns the output and the exit code.
fn answered_for(name: &str, compiler: &Path, body: &str) -> (String, Option<i32>) {
    let file = scratch(&format!("called/mlir/{name}"), "sweep.mlir");
    fs::write(&file, text(body)).unwrap();
    answered(&file, compiler)
}

#[test]
fn misreadings_of_mlir_are_found() {
    nothing_from(PLANTED.iter(), |planted| {
        let folder = compiler(&format!("mlir/{}", planted.name), STUBBORN);
        let (text, status) = answered_for(planted.name, &folder, planted.right);
        if status != Some(0) {
            return Some(format!("{}, as it is, {status:?}:\n{text}", planted.name));
        }
        let (text, status) = answered_for(planted.name, &folder, planted.wrong);
        let found = status == Some(1) && text.contains(&format!("compiled: {}", planted.found));
        (!found).then(|| format!("{}, {status:?}:\n{text}", planted.name))
    });
}
