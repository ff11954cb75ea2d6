//! Scripts of the transform dialect: `mlir-opt` makes the order that they are for, with its misses and its results.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::folder;
use crate::common::{nothing_from, symloc};

const CACHES: [&str; 4] = ["--cache", "1KiB,full", "--cache", "2KiB,full"];

/// A function `f` of three matrices of constant extents, 13 × 19, 19 × 23 and 13 × 23, and the orders that are looked at.
const CASES: [(&str, &[&str]); 3] = [
    (
        "linalg.matmul ins(%a, %b : memref<13x19xf64>, memref<19x23xf64>) outs(%c : memref<13x23xf64>)",
        &["i2, i0, i1", "i2:4, i0, i1:8", "i1:5, i0:3, i2:7", "i1, i2:4"],
    ),
    (
        "linalg.generic {indexing_maps = [affine_map<(i,j,k) -> (i,k)>, affine_map<(i,j,k) -> (k,j)>, affine_map<(i,j,k) -> (i,j)>], \
         iterator_types = [\"parallel\", \"parallel\", \"reduction\"]} \
         ins(%a, %b : memref<13x19xf64>, memref<19x23xf64>) outs(%c : memref<13x23xf64>) {\n\
         ^bb0(%x: f64, %y: f64, %z: f64):\n%p = arith.mulf %x, %y : f64\n%s = arith.addf %z, %p : f64\nlinalg.yield %s : f64\n}",
        &["i2:4, i1, i0", "i0:4, i2:6, i1:8"],
    ),
    (
        "%zero = arith.constant 0.0 : f64\nlinalg.fill ins(%zero : f64) outs(%c : memref<13x23xf64>)\n\
         linalg.matmul ins(%a, %b : memref<13x19xf64>, memref<19x23xf64>) outs(%c : memref<13x23xf64>)",
        &["i4, i2:4, i3:8"],
    ),
];

fn function(body: &str) -> String {
    format!(
        "func.func @f(%a: memref<13x19xf64>, %b: memref<19x23xf64>, %c: memref<13x23xf64>) {{\n{body}\nreturn\n}}\n"
    )
}

#[test]
fn a_script_makes_the_order_that_it_is_for() {
    let folder = folder("advise-mlir-transform");
    let cases = CASES.iter().enumerate().flat_map(|(index, (body, orders))| {
        orders.iter().enumerate().map(move |(place, order)| (format!("{index}_{place}"), *body, *order))
    });
    nothing_from(cases, |(name, body, order)| {
        let file = |end: &str| folder.join(format!("{name}{end}"));
        fs::write(file(".mlir"), function(body)).unwrap();
        let [source, script, new] = [".mlir", "_script.mlir", "_new.mlir"].map(file);
        compare(&source, order, &script, &new).err().map(|error| format!("{body} {order}: {error}"))
    });
}

/// Compares what `mlir-opt` makes of a source by the script for an order with what is said of the order.
fn compare(source: &Path, order: &str, script: &Path, new: &Path) -> Result<(), String> {
    let path = |path: &Path| path.to_str().unwrap().to_owned();
    let options = ["--order", order, "--format", "json", "--transform", &path(script)];
    let (answer, errors, _) = symloc(&[&["advise", &path(source)][..], &CACHES, &options].concat());
    let advice: Value = serde_json::from_str(&answer).map_err(|_| errors)?;
    let library = format!("--transform-preload-library=transform-library-paths={}", path(script));
    let passes = [&library, "--transform-interpreter", "--convert-linalg-to-loops"];
    fs::write(new, mlir_opt(source, &passes)?).unwrap();
    let (answer, errors, _) = symloc(&[&["simulate", &path(new), "--json"][..], &CACHES].concat());
    let simulated: Value = serde_json::from_str(&answer).map_err(|_| errors)?;
    let simulated: Vec<_> =
        simulated["levels"].as_array().unwrap().iter().map(|level| level["misses"].as_f64()).collect();
    let said: Vec<_> = advice["orders"][0]["misses"].as_array().unwrap().iter().map(Value::as_f64).collect();
    let written: Vec<_> = advice["written"]["misses"].as_array().unwrap().iter().map(Value::as_f64).collect();
    if advice["orders"][0]["exact"] != true || said != simulated || written == said {
        return Err(format!("written {written:?}, said {said:?}, simulated {simulated:?}"));
    }
    match (results(source)?, results(new)?) {
        (before, after) if before == after && before.lines().count() == 13 * 23 => Ok(()),
        (before, after) => Err(format!("{before}became {after}")),
    }
}

fn mlir_opt(source: &Path, passes: &[&str]) -> Result<Vec<u8>, String> {
    let output = Command::new("mlir-opt-22").arg(source).args(passes).output().map_err(|error| error.to_string())?;
    if output.status.success() { Ok(output.stdout) } else { Err(String::from_utf8(output.stderr).unwrap()) }
}

/// Calls `f` with some numbers, whose sums are rounded; prints the bits of the last matrix.
const DRIVER: &str = r#"
#include <stdio.h>
#include <string.h>
#define MATRIX double *, double *, long, long, long, long, long
void f(MATRIX, MATRIX, MATRIX);
static double a[13][19], b[19][23], c[13][23];
int main(void) {
  for (int i = 0; i < 13 * 19; i++) a[0][i] = (i * 7 + 3) % 11 / 3.0;
  for (int i = 0; i < 19 * 23; i++) b[0][i] = (i * 5 + 1) % 13 / 7.0;
  for (int i = 0; i < 13 * 23; i++) c[0][i] = i % 17 / 9.0;
  f(a[0], a[0], 0, 13, 19, 19, 1, b[0], b[0], 0, 19, 23, 23, 1, c[0], c[0], 0, 13, 23, 23, 1);
  for (int i = 0; i < 13 * 23; i++) {
    unsigned long bits;
    memcpy(&bits, &c[0][i], 8);
    printf("%lx\n", bits);
  }
  return 0;
}
"#;

/// Returns what [`DRIVER`] prints of a function.
fn results(source: &Path) -> Result<String, String> {
    let file = |end: &str| source.with_extension(end);
    let passes = [
        "--convert-linalg-to-loops",
        "--expand-strided-metadata",
        "--lower-affine",
        "--convert-scf-to-cf",
        "--finalize-memref-to-llvm",
        "--convert-to-llvm",
        "--reconcile-unrealized-casts",
    ];
    fs::write(file("llvm.mlir"), mlir_opt(source, &passes)?).unwrap();
    fs::write(file("c"), DRIVER).unwrap();
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().map_err(|error| error.to_string())?;
        let text = |bytes| String::from_utf8(bytes).unwrap();
        if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
    };
    let [lowered, ir, driver, program] = ["llvm.mlir", "ll", "c", "program"].map(|end| file(end).display().to_string());
    run("mlir-translate-22", &["--mlir-to-llvmir", &lowered, "-o", &ir])?;
    run("clang-22", &["-w", "-O1", "-ffp-contract=off", &ir, &driver, "-o", &program])?;
    run(&program, &[])
}

/// Orders for which there is no script, with the reason.
const REFUSED: [(&str, &str, &str); 2] = [
    (
        "affine.for %i = 0 to 13 {\naffine.for %j = 0 to 23 {\n%x = affine.load %c[%i, %j] : memref<13x23xf64>\n\
         affine.store %x, %c[%i, %j] : memref<13x23xf64>\n}\n}",
        "j, i",
        "in loops of its own",
    ),
    (
        "affine.for %i = 0 to 3 {\n\
         linalg.matmul ins(%a, %b : memref<13x19xf64>, memref<19x23xf64>) outs(%c : memref<13x23xf64>)\n}",
        "scheduler",
        ":3:1: no script of the transform dialect reproduces this order: this operation is in a loop or a branch",
    ),
];

#[test]
fn an_order_without_a_script_is_refused() {
    let folder = folder("advise-mlir-transform-refused");
    nothing_from(REFUSED.iter().enumerate(), |(index, (body, order, reason))| {
        let [file, script] = ["", "_script"].map(|end| folder.join(format!("refused{index}{end}.mlir")));
        let _ = fs::remove_file(&script);
        fs::write(&file, function(body)).unwrap();
        let [file, script] = [&file, &script].map(|path| path.to_str().unwrap());
        let options = ["--order", order, "--transform", script];
        let (_, errors, status) = symloc(&[&["advise", file][..], &CACHES, &options].concat());
        let fits = status != Some(0) && errors.contains(reason) && !Path::new(script).exists();
        (!fits).then(|| format!("{body}: {status:?}: {errors}"))
    });
}
