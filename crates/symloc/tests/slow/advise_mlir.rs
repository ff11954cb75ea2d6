//! `symloc advise` for MLIR: the text in a new order is valid, can be read again, and computes the same.

mod misses;
mod programs;
mod transform;

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{STEPS, nothing_from, parameters, root, share, symloc};
use programs::PROGRAMS;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs `advise` with small caches on a function `f`; returns the answer.
fn advised(file: &Path, sizes: &str, new: &Path) -> Result<String, String> {
    let _ = fs::remove_file(new);
    let sizes: Vec<&str> = if sizes.is_empty() { Vec::new() } else { vec!["-D", sizes] };
    let options = ["--function", "f", "--cache", "1KiB,4", "--cache", "4KiB,8", "--search-time", "3", "--top", "3"];
    let (file, new) = (file.to_str().unwrap(), new.to_str().unwrap());
    let (answer, errors, status) =
        symloc(&[&["advise", file][..], &sizes, &options, &["--format", "json", "--run", "-o", new]].concat());
    if status == Some(0) && !answer.contains("\"is_equal\":false") && answer.contains("\"is_equal\":true") {
        Ok(answer)
    } else {
        Err(format!("{answer}{errors}"))
    }
}

#[test]
fn programs_compute_the_same_in_new_orders() {
    let folder = folder("advise-mlir");
    nothing_from(share([0, 4], PROGRAMS.iter().enumerate()), |(index, (what, sizes, program))| {
        let [file, new] = ["", "_new"].map(|end| folder.join(format!("program{index}{end}.mlir")));
        fs::write(&file, format!("{program}\n")).unwrap();
        let answer = match advised(&file, sizes, &new) {
            Err(error) => return Some(format!("{what}: {error}")),
            Ok(answer) => answer,
        };
        // Without a new order, nothing was tested.
        if !answer.contains("\"moves\":[") || answer.contains("\"orders\":[]") {
            return Some(format!("{what}: no other order: {answer}"));
        }
        let (_, errors, status) = match new.exists() {
            true => symloc(&["derive", new.to_str().unwrap(), "--function", "f", "--emit", "affine"]),
            false => return None,
        };
        // Where conditions depend on data, the function as written has no model either.
        if program.contains("arith.cmpf") {
            return None;
        }
        (status != Some(0)).then(|| format!("{what}: {errors}"))
    });
}

#[test]
fn what_is_not_in_the_loops_stays() {
    let folder = folder("advise-mlir-kept");
    let (file, new) = (folder.join("kept.mlir"), folder.join("kept_new.mlir"));
    let (.., program) = PROGRAMS[PROGRAMS.len() - 1];
    fs::write(&file, program).unwrap();
    let options = ["--function", "f", "-D", "n=77", "--cache", "1KiB,4", "--search-time", "2", "-o"];
    let (_, errors, status) =
        symloc(&[&["advise", file.to_str().unwrap()][..], &options, &[new.to_str().unwrap()]].concat());
    assert_eq!(status, Some(0), "{errors}");
    let text = fs::read_to_string(&new).unwrap();
    for kept in ["test.kept", "test.own", "@numbers", "@other", "%a[0, 0]", "%b[0, 0]", "%n: index, %a: memref"] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
    let loops = (text.find("affine.for %i"), text.find("affine.for %j"));
    assert!(loops.0.is_some() && loops.0 < loops.1, "{text}");
}

/// The bodies of functions that cannot be advised on, and what is said of them.
const REFUSED: [(&str, &str, &str); 12] = [
    ("affine.store %zero, %a[0] : memref<?xf64>", ":2:1", "the function has no loop"),
    (
        "affine.for %i = 0 to %n {
  %v = affine.load %a[%i] : memref<?xf64>
  %w = func.call @other(%v) : (f64) -> f64
  affine.store %w, %a[%i] : memref<?xf64>
}",
        ":6:8",
        "this `func.call` cannot be moved: a call between the loops",
    ),
    (
        "affine.for %i = 0 to %n {
  %k = affine.load %p[%i] : memref<?xindex>
  memref.store %zero, %a[%k] : memref<?xf64>
}",
        ":6:3",
        "subscript 1 of this `memref.store` is not affine",
    ),
    (
        "%r = affine.for %i = 0 to %n iter_args(%k = %c0) -> (index) {
  memref.store %zero, %a[%k] : memref<?xf64>
  %next = arith.addi %k, %c2 : index
  affine.yield %next : index
}",
        ":4:6",
        "`affine.for` has a result",
    ),
    (
        "affine.parallel (%i) = (0) to (%n) {
  affine.store %zero, %a[%i] : memref<?xf64>
}",
        ":4:1",
        "only `affine.for` and `scf.for` are reordered",
    ),
    (
        "affine.for %i = 0 to %n step 4 {
  %v = affine.vector_load %a[%i] : memref<?xf64>, vector<4xf64>
  affine.vector_store %v, %a[%i] : memref<?xf64>, vector<4xf64>
}",
        ":5:8",
        "it accesses several elements at once",
    ),
    (
        "affine.for %i = 0 to %n {
  %v = affine.load %a[%i] : memref<?xf64>
  %h = arith.cmpf ogt, %v, %zero : f64
  cf.assert %h, \"positive\"
  affine.store %zero, %a[%i] : memref<?xf64>
}",
        ":7:3",
        "this `cf.assert` cannot be moved",
    ),
    (
        "affine.for %i = 0 to %n {
  %m = affine.load %p[%i] : memref<?xindex>
  scf.for %j = %c0 to %m step %c2 {
    memref.store %zero, %a[%j] : memref<?xf64>
  }
}",
        ":6:3",
        "the upper bound of this loop is not affine",
    ),
    (
        "affine.for %i = 0 to %n {
  %q = memref.load %p[%c0] : memref<?xindex>
  affine.for %j = 0 to %n {
    memref.store %q, %p[%j] : memref<?xindex>
  }
}",
        ":7:5",
        "`%q` is read or computed outside of the loop or branch that this `memref.store` is in",
    ),
    (
        "scf.while : () -> () {
  %v = memref.load %a[%c0] : memref<?xf64>
  %h = arith.cmpf ogt, %v, %zero : f64
  scf.condition(%h)
} do {
  memref.store %zero, %a[%c0] : memref<?xf64>
  scf.yield
}",
        ":4:1",
        "the number of iterations of this `scf.while` is not known",
    ),
    (
        "affine.for %i = 0 to %n {
  affine.prefetch %a[%i], read, locality<3>, data : memref<?xf64>
  affine.store %zero, %a[%i] : memref<?xf64>
}",
        ":5:3",
        "this `affine.prefetch` cannot be moved",
    ),
    (
        "affine.for %i = 0 to %n {
  %v = affine.load %a[%i] : memref<?xf64>
  %h = arith.cmpf ogt, %v, %zero : f64
  scf.if %h {
    affine.for %j = 0 to %n {
      affine.store %zero, %a[%j] : memref<?xf64>
    }
  }
}",
        ":8:5",
        "whether this loop runs depends on data",
    ),
];

#[test]
fn what_cannot_be_moved_is_refused() {
    let folder = folder("advise-mlir-refused");
    nothing_from(REFUSED.iter().enumerate(), |(index, (body, place, reason))| {
        let file = folder.join(format!("refused{index}.mlir"));
        let text = format!(
            "func.func @other(%x: f64) -> f64 {{ return %x : f64 }}\n\
             func.func @f(%n: index, %a: memref<?xf64>, %p: memref<?xindex>) {{\n\
             %zero = arith.constant 0.0 : f64 %c0 = arith.constant 0 : index %c2 = arith.constant 2 : index\n\
             {body}\nreturn\n}}\n"
        );
        fs::write(&file, text).unwrap();
        let file = file.to_str().unwrap();
        let (_, errors, status) = symloc(&["advise", file, "--function", "f", "-D", "n=100", "--cache", "1KiB"]);
        let is_said = errors.contains(reason) && errors.contains(&format!("{file}{place}: error: "));
        (status == Some(0) || !is_said).then(|| format!("{body}: {status:?}: {errors}"))
    });
}

/// Options that would hide accesses, and files that are not written anew.
#[test]
fn what_would_hide_accesses_is_refused() {
    let cases: [(&[&str], &str); 4] = [
        (&["polybench/gemm.mlir", "--gather", "distinct"], "--gather declares which elements are read"),
        (&["polybench/gemm.mlir", "--ignore-calls", "all"], "--ignore-calls leaves accesses out"),
        (&["tests/c/fortran/arrays.f90"], "orders of loops are for C, C++, MLIR and einsums only"),
        (&["polybench/gemm.mlir", "--assume", "ni in 8, 16"], "--assume gives several values"),
    ];
    for (options, reason) in cases {
        let (_, errors, status) = symloc(&[&["advise"], options, &["--dataset", "mini", "--cache", "1KiB"]].concat());
        assert!(status != Some(0) && errors.contains(reason), "{options:?}: {errors}");
    }
}

/// An einsum is written as loops in MLIR.
#[test]
fn einsums_compute_the_same_in_new_orders() {
    let new = folder("advise-einsum").join("new.mlir");
    let options = ["-D", "i=j=k=40,b=3", "--cache", "1KiB,4", "--order", "b1, k1:8, i1, j1", "--run", "-o"];
    let (answer, errors, _) =
        symloc(&[&["advise", "einsum/batch_matmul.einsum"], &options[..], &[new.to_str().unwrap()]].concat());
    assert!(answer.contains("1. predicted") && !answer.contains("OTHER RESULTS"), "{answer}{errors}");
    let text = fs::read_to_string(new).unwrap();
    assert!(text.contains("func.func @batch_matmul") && text.contains("affine.for"), "{text}");
}

/// Kernels with an order in tiles of two levels, whose sizes no tile divides.
const IN_LEVELS: [(&str, &str, &str); 3] = [
    ("gemm", "ni=29,nj=31,nk=37", "k:16:4, i:9:3, j:all:8"),
    ("trmm", "m=23,n=31", "j:12:4, i, k:all:5"),
    ("syrk", "m=23,n=31", "k:8:2, i:15:5, j"),
];

#[test]
fn tiles_in_tiles_compute_the_same() {
    let folder = folder("advise-levels");
    nothing_from(IN_LEVELS.iter(), |(kernel, sizes, order)| {
        let (file, new) = (format!("polybench/{kernel}.mlir"), folder.join(format!("{kernel}.mlir")));
        let options = ["-D", sizes, "--cache", "1KiB,4", "--order", order, "--run", "-o", new.to_str().unwrap()];
        let (answer, errors, status) = symloc(&[&["advise", &file][..], &options].concat());
        let is_right = status == Some(0) && answer.contains("in them tiles of") && !answer.contains("OTHER RESULTS");
        let (_, read_errors, read) = symloc(&["derive", new.to_str().unwrap(), "--emit", "affine"]);
        (!is_right || read != Some(0)).then(|| format!("{kernel}: {status:?} {answer}{errors}{read_errors}"))
    });
}

fn kernels() -> Vec<String> {
    let entries = fs::read_dir(root().join("polybench")).unwrap();
    let names = entries.filter_map(|entry| entry.unwrap().file_name().into_string().ok());
    let mut names: Vec<_> = names.filter_map(|name| name.strip_suffix(".mlir").map(str::to_owned)).collect();
    names.sort();
    names
}

/// Kernels whose new text the front end does not read, with the reason.
const NOT_DERIVED: [(&str, &str); 0] = [];

#[test]
fn kernels_compute_the_same_in_new_orders() {
    let kernels = kernels();
    assert!(kernels.len() >= 30, "{kernels:?}");
    nothing_from(share([1, 8], kernels.iter()), |kernel| check(kernel).err());
}

/// Returns options for odd sizes, which no tile divides, if `first` is odd.
fn sizes_of(file: &str, first: usize) -> Vec<String> {
    let size = |(index, name): (usize, &String)| {
        let value = if STEPS.contains(&name.as_str()) { 3 } else { first + 6 * index };
        ["-D".to_owned(), format!("{name}={value}")]
    };
    parameters(file, &[]).iter().enumerate().flat_map(size).collect()
}

fn check(kernel: &str) -> Result<(), String> {
    let file = format!("polybench/{kernel}.mlir");
    let new = folder("advise-mlir-kernels").join(format!("{kernel}.mlir"));
    let _ = fs::remove_file(&new);
    let wrong = |said: &str| format!("{kernel}: {said}");
    let caches = ["--cache", "512,2", "--cache", "4KiB,8", "--run", "--top", "3", "--search-time", "3", "-o"];
    let given = sizes_of(&file, 37);
    let given: Vec<&str> = given.iter().map(String::as_str).collect();
    let new_path = new.to_str().unwrap();
    let (answer, errors, status) = symloc(&[&["advise", &file], &given[..], &caches, &[new_path]].concat());
    if status != Some(0) || !answer.contains("\nas written: misses L1") || answer.contains("OTHER RESULTS") {
        return Err(wrong(&format!("{answer}{errors}")));
    }
    if !new.exists() {
        let nothing = ["no order that was tried", "none of these is faster"];
        let is_nothing = nothing.iter().any(|said| answer.contains(said));
        return if is_nothing { Ok(()) } else { Err(wrong(&answer)) };
    }
    let (_, read_errors, status) = symloc(&["derive", new_path, "--emit", "affine"]);
    let is_known = NOT_DERIVED.iter().any(|(name, reason)| *name == kernel && read_errors.contains(reason));
    if status != Some(0) {
        return if is_known { Ok(()) } else { Err(wrong(&read_errors)) };
    }
    // At other sizes than it was made for it touches the same elements as often; what is kept in memory is touched more.
    if errors.contains("kept in arrays of one element") {
        return Ok(());
    }
    for first in [1, 2, 8, 19] {
        let given = sizes_of(&file, first);
        let given: Vec<&str> = given.iter().map(String::as_str).collect();
        let counts = |file: &str| {
            let (answer, errors, status) =
                symloc(&[&["simulate", file], &given[..], &["--histogram", "--json", "--element"]].concat());
            let number = |key: &str| {
                let rest = answer.split_once(&format!("\"{key}\":")).map_or("", |(_, rest)| rest);
                rest.split([',', '}']).next().unwrap_or_default().to_owned()
            };
            if status == Some(0) { Ok((number("accesses"), number("blocks"))) } else { Err(wrong(&errors)) }
        };
        let (written, reordered) = (counts(&file)?, counts(new_path)?);
        if written != reordered || written.0.is_empty() {
            return Err(wrong(&format!("{given:?}: {written:?} became {reordered:?}")));
        }
    }
    Ok(())
}
