//! `symloc advise`: orders that are proposed compute what the program computes, and their source can be read again.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{nothing_from, root, symloc};

/// Kernels that are refused, with the reason: conditions on data, and rows that are not known to hold their subscripts
/// where every variable is in memory.
const REFUSED: [(&str, &str); 5] = [
    ("correlation", "the condition under which this read is executed is not affine"),
    ("floyd-warshall", "the condition under which this read is executed is not affine"),
    ("nussinov", "the condition under which this read is executed is not affine"),
    ("syr2k", "the position of this access in the array is not affine"),
    ("syrk", "the position of this access in the array is not affine"),
];

fn kernels() -> Vec<String> {
    let entries = fs::read_dir(root().join("polybench/c")).unwrap();
    let names = entries.filter_map(|entry| entry.unwrap().file_name().into_string().ok());
    let mut names: Vec<_> = names.filter_map(|name| name.strip_suffix(".c").map(str::to_owned)).collect();
    names.sort();
    names
}

#[test]
fn proposed_orders_compute_the_same() {
    let kernels = kernels();
    assert!(kernels.len() >= 30, "{kernels:?}");
    nothing_from(kernels.iter(), |kernel| check(kernel).err());
}

fn check(kernel: &str) -> Result<(), String> {
    let file = format!("polybench/c/{kernel}.c");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advise");
    fs::create_dir_all(&folder).unwrap();
    let new = folder.join(format!("{kernel}.c"));
    let _ = fs::remove_file(&new);
    let caches = ["--cache", "1KiB,4", "--cache", "8KiB,8", "--dataset", "mini"];
    let options = ["--run", "--top", "3", "--search-time", "3", "-o", new.to_str().unwrap()];
    let (answer, errors, status) = symloc(&[&["advise", &file][..], &caches, &options].concat());
    if let Some((_, reason)) = REFUSED.iter().find(|(name, _)| *name == kernel) {
        return if status != Some(0) && errors.contains(reason) { Ok(()) } else { Err(format!("{kernel}: {errors}")) };
    }
    if status != Some(0) || !answer.starts_with("as written: misses L1") || answer.contains("OTHER RESULTS") {
        return Err(format!("{kernel}: {answer}{errors}"));
    }
    if !new.exists() {
        let nothing = ["no order that was tried", "none of these is faster"];
        return if nothing.iter().any(|said| answer.contains(said)) {
            Ok(())
        } else {
            Err(format!("{kernel}: {answer}"))
        };
    }
    compiles_and_derives(kernel, new.to_str().unwrap())
}

/// Checks that an emitted file compiles without warnings, and that the front end reads it.
fn compiles_and_derives(kernel: &str, file: &str) -> Result<(), String> {
    let compiler =
        Command::new("clang-22").args(["-O2", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", file]).output();
    let messages = String::from_utf8(compiler.unwrap().stderr).unwrap();
    if !messages.is_empty() {
        return Err(format!("{kernel}: {messages}"));
    }
    let (_, errors, status) = symloc(&["derive", file, "--emit", "affine"]);
    if status == Some(0) { Ok(()) } else { Err(format!("{kernel}: {errors}")) }
}
