//! Functions in MLIR's LLVM dialect: they are read as the LLVM IR that MLIR translates them to, with the names and
//! places of the text.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::symloc;

const TEXT: &str = r#"func.func @loads(%A: memref<8xf64>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %A[%i] : memref<8xf64>
  }
  return
}
llvm.func @inc(%p: !llvm.ptr, %n: i64) {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^head(%c0 : i64)
^head(%i: i64):
  %more = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %more, ^body, ^end
^body:
  %at = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f64
  %x = llvm.load %at : !llvm.ptr -> f64
  llvm.store %x, %at : f64, !llvm.ptr
  %j = llvm.add %i, %c1 : i64
  llvm.br ^head(%j : i64)
^end:
  llvm.return
}
"#;

fn file(name: &str, text: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&file, text).unwrap();
    file
}

fn derived(file: &Path, options: &[&str]) -> (String, String, Option<i32>) {
    symloc(&[&["derive", file.to_str().unwrap(), "--emit", "affine"], options].concat())
}

#[test]
fn its_functions_are_read_as_llvm_ir() {
    let own = TEXT.split_once("llvm.func").map(|(_, text)| format!("llvm.func{text}")).unwrap();
    let alone = derived(&file("llvm-alone.mlir", &own), &[]);
    let chosen = derived(&file("llvm-chosen.mlir", TEXT), &["--function", "inc"]);
    let expected = "program inc(n)\n  context n - 1 >= 0\n  array p: rank 1, 8 bytes per element\n  for i0 = 0 to n\n    read p[i0]\n    write p[i0]\n";
    assert_eq!((alone.0.as_str(), alone.2), (expected, Some(0)), "{}", alone.1);
    assert_eq!((chosen.0.as_str(), chosen.2), (expected, Some(0)), "{}", chosen.1);
}

#[test]
fn a_function_of_memrefs_beside_them_comes_first() {
    let (text, errors, status) = derived(&file("llvm-both.mlir", TEXT), &[]);
    assert!(status == Some(0) && text.starts_with("program loads()"), "{text}{errors}");
}

#[test]
fn what_is_refused_is_told_at_its_place_in_the_text() {
    let text = TEXT
        .replace("%at = llvm.getelementptr %p[%i]", "%k = llvm.mul %i, %i : i64\n  %at = llvm.getelementptr %p[%k]");
    let (_, errors, status) = derived(&file("llvm-refused.mlir", &text), &["--function", "inc"]);
    assert_eq!(status, Some(2), "{errors}");
    assert!(errors.contains("llvm-refused.mlir:17:"), "{errors}");
    assert!(errors.contains("%x = llvm.load %at : !llvm.ptr -> f64"), "{errors}");
}

#[test]
fn what_mlir_does_not_translate_is_said() {
    let text = TEXT.replace("%j = llvm.add", "\"some.operation\"() : () -> ()\n  %j = llvm.add");
    let (_, errors, status) = derived(&file("llvm-untranslated.mlir", &text), &["--function", "inc"]);
    assert_eq!(status, Some(2), "{errors}");
    assert!(
        errors.contains("llvm-untranslated.mlir:7:1: error: MLIR does not translate this function to LLVM IR"),
        "{errors}"
    );
    assert!(errors.contains("llvm-untranslated.mlir:18:3: error: cannot be converted to LLVM IR"), "{errors}");
}
