//! File-driven tests of the front end; one target, because every binary that links LLVM is large.
//!
//! - `tests/pass/NAME.mlir` becomes the program in `NAME.affine`,
//! - `tests/fail/NAME.mlir` is refused with the rendering in `NAME.stderr`.
//!
//! A line `// OPTIONS: …` in a source gives command line options, one per word; `'…'` holds several words together.
//! `SYMLOC_BLESS=1 cargo test -p symloc-mlir` writes what comes out instead of comparing; read the difference before
//! you commit it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests stop at the first surprise")]

use std::fs;
use std::path::{Path, PathBuf};

use symloc_affine::Program;
use symloc_mlir::{Errors, Options, Source, read};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The `.mlir` files of a folder of the repository, as paths relative to it, in order.
fn sources(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(repository().join(folder)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut paths: Vec<_> = names.filter(|n| n.ends_with(".mlir")).map(|n| format!("{folder}/{n}")).collect();
    paths.sort();
    assert!(!paths.is_empty(), "no sources in {folder}");
    paths
}

fn read_file(path: &str) -> Result<Program, Errors> {
    let text = fs::read_to_string(repository().join(path)).unwrap();
    let options = options(&text);
    read(&Source { name: path.to_owned(), text }, &options)
}

fn options(text: &str) -> Options {
    let mut options = Options::default();
    let line = text.lines().find_map(|line| line.strip_prefix("// OPTIONS: ")).unwrap_or_default();
    let mut words = words(line).into_iter();
    while let Some(option) = words.next() {
        let value = words.next().unwrap();
        match option.as_str() {
            "--function" => options.function = Some(value),
            "--passes" => options.passes = Some(value),
            "--name" => {
                let (old, new) = value.split_once('=').unwrap();
                options.renames.push((old.to_owned(), new.to_owned()));
            }
            _ => panic!("unknown option {option}"),
        }
    }
    options
}

fn words(line: &str) -> Vec<String> {
    let unquoted = line.split('\'').enumerate();
    let parts = unquoted.flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    parts.collect()
}

/// Compares with, or blesses, the file next to the source. Returns what differs.
fn compare(path: &str, extension: &str, actual: &str) -> Option<String> {
    let expected_path = repository().join(path).with_extension(extension);
    if std::env::var_os("SYMLOC_BLESS").is_some() {
        fs::write(expected_path, actual).unwrap();
        return None;
    }
    let expected = fs::read_to_string(&expected_path).unwrap_or_default();
    (expected != actual).then(|| format!("{path}: expected\n{expected}\nbut got\n{actual}"))
}

#[track_caller]
fn no_differences(differences: Vec<String>) {
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

#[test]
fn accepted_sources_become_these_programs() {
    let check = |path: &String| match read_file(path) {
        Ok(program) => compare(path, "affine", &program.to_string()),
        Err(errors) => Some(errors.to_string()),
    };
    no_differences(sources("tests/pass").iter().filter_map(check).collect());
}

#[test]
fn rejected_sources_give_these_errors() {
    let check = |path: &String| match read_file(path) {
        Ok(program) => Some(format!("{path} was accepted:\n{program}")),
        Err(errors) => compare(path, "stderr", &errors.to_string()),
    };
    no_differences(sources("tests/fail").iter().filter_map(check).collect());
}
