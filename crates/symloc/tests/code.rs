//! C, C++ and LLVM IR programs that are refused, with the messages, and those that are read with a condition or a note.
//!
//! Each file of tests/c/fail has its message beside it; each file of tests/c/noted has the program that is read and the
//! notes. `SYMLOC_BLESS=1` writes the actual output; read the difference.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{nothing_from, root, symloc};

/// Returns the sources in a folder, sorted.
fn sources(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let is_source = |path: &PathBuf| path.extension().is_some_and(|e| ["c", "cpp", "ll", "bc"].iter().any(|s| e == *s));
    let mut sources: Vec<_> = entries.filter(is_source).collect();
    sources.sort();
    sources
}

/// Returns the output and the exit code of `derive` for a source, with the function and the flags that its first lines
/// name, and more options.
fn said(source: &Path, folder: &str, emit: bool, more: &[String]) -> (String, Option<i32>) {
    let text = String::from_utf8_lossy(&fs::read(source).unwrap()).into_owned();
    let head: Vec<_> = text.lines().filter_map(|line| line.trim_start_matches(['/', ';']).strip_prefix(' ')).collect();
    let value =
        |key: &str| head.iter().find_map(|line| line.strip_prefix(key)).map(str::trim).filter(|v| !v.is_empty());
    let path = format!("{folder}/{}", source.file_name().unwrap().to_str().unwrap());
    let mut args = vec!["derive".to_owned(), path];
    let mut flags = value("flags:").map(|flags| shlex::split(flags).unwrap()).unwrap_or_default();
    if let Some(own) = flags.iter().position(|flag| flag == "--registers" && more.contains(flag)) {
        flags.drain(own..own + 2);
    }
    let is_chosen = |flags: &[String]| flags.iter().any(|flag| flag == "--function");
    if let Some(function) = value("function:").filter(|_| !is_chosen(&flags) && !is_chosen(more)) {
        args.extend(["--function".to_owned(), function.to_owned()]);
    }
    if emit {
        args.extend(["--emit", "affine"].map(str::to_owned));
    }
    // Flags for the compiler come last.
    let end = more.iter().position(|word| word == "--").unwrap_or(more.len());
    let its_end = flags.iter().position(|word| word == "--").unwrap_or(flags.len());
    args.extend_from_slice(&flags[..its_end]);
    args.extend_from_slice(&more[..end]);
    args.extend_from_slice(if its_end < flags.len() { &flags[its_end..] } else { &more[end..] });
    let args: Vec<_> = args.iter().map(String::as_str).collect();
    let (out, errors, status) = symloc(&args);
    (format!("{out}{errors}"), status)
}

/// Returns the difference between the actual and the expected output; writes the expected output when blessing.
fn unexpected(source: &Path, extension: &str, said: &str) -> Option<String> {
    let expectation = source.with_extension(extension);
    if std::env::var_os("SYMLOC_BLESS").is_some() {
        fs::write(&expectation, said).unwrap();
    }
    let expected = fs::read_to_string(&expectation).unwrap_or_default();
    (expected != said).then(|| format!("{}:\n{said}\ninstead of\n{expected}", source.display()))
}

#[test]
fn refusals_name_the_place_the_reason_and_what_to_do() {
    let folder = "tests/c/fail";
    nothing_from(sources(folder).into_iter(), |source| {
        let (said, status) = said(&source, folder, false, &[]);
        if status != Some(2) {
            return Some(format!("{}: exit code {status:?}\n{said}", source.display()));
        }
        unexpected(&source, "stderr", &said)
    });
}

#[test]
fn what_a_model_relies_on_is_said() {
    let folder = "tests/c/noted";
    nothing_from(sources(folder).into_iter(), |source| {
        let (said, status) = said(&source, folder, true, &[]);
        if status != Some(0) {
            return Some(format!("{}: exit code {status:?}\n{said}", source.display()));
        }
        unexpected(&source, "expected", &said)
    });
}

/// Returns the options that a line of help names, as they would be typed. Several functions give several alternatives.
fn hinted(help: &str, said: &str) -> Vec<Vec<String>> {
    let words = |options: &[&str]| options.iter().map(|option| (*option).to_owned()).collect::<Vec<_>>();
    let mut ways = Vec::new();
    // Several conditions next to each other are told together, alternatives are apart.
    for together in help.split([',', ';', '(']) {
        let told = together.match_indices("--branch ").map(|(position, _)| &together[position + 9..]);
        let told: Vec<_> = told.flat_map(|rest| ["--branch", rest.split(' ').next().unwrap()]).collect();
        ways.extend((!told.is_empty()).then(|| words(&told)));
    }
    if let Some((_, loops)) = help.split_once("--parallel ").filter(|(_, rest)| rest.contains("takes the loop")) {
        ways.push(words(&["--parallel", loops.split(' ').next().unwrap()]));
    }
    for option in ["--skip-refused", "--ignore-calls"] {
        if let Some((_, rest)) = help.split_once(option) {
            let value = rest.split_whitespace().next().filter(|_| option == "--ignore-calls");
            ways.push(
                [vec![option], value.into_iter().collect()].concat().iter().map(|&word| word.to_owned()).collect(),
            );
        }
    }
    if help.contains("leave out --registers optimized") {
        ways.push(words(&["--registers", "source"]));
    }
    if let Some((_, rest)) = help.split_once("--assume '") {
        ways.extend(rest.split_once('\'').map(|(conditions, _)| words(&["--assume", conditions])));
    }
    if help.contains("--function NAME") {
        let functions = said.lines().find_map(|line| line.strip_prefix("note: the functions are ")).unwrap();
        ways.extend(functions.split('`').skip(1).step_by(2).map(|name| words(&["--function", name])));
    }
    if let Some((_, flags)) = help.split_once(" -- ") {
        ways.push([words(&["--"]), flags.split_whitespace().map(str::to_owned).collect()].concat());
    }
    ways
}

/// After following a hint, the same message does not occur at the same place again.
#[test]
fn hints_of_refused_code_lead_on() {
    let folder = "tests/c/fail";
    let followed = std::sync::atomic::AtomicUsize::new(0);
    nothing_from(sources(folder).into_iter(), |source| {
        let (first, _) = said(&source, folder, false, &[]);
        let mut message = String::new();
        for line in first.lines() {
            if line.contains(": error: ") {
                line.clone_into(&mut message);
            }
            for options in line.strip_prefix("help: ").map(|help| hinted(help, &first)).unwrap_or_default() {
                followed.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let (then, _) = said(&source, folder, false, &options);
                if then.lines().any(|line| line == message) {
                    return Some(format!("{}: {options:?} leads to the same message:\n{then}", source.display()));
                }
            }
        }
        None
    });
    let followed = followed.into_inner();
    assert!(followed >= 40, "{followed} hints can be followed");
}

/// Each file that docs/c-support.md names exists, and it names each file of tests/c/fail and tests/c/noted.
#[test]
fn the_page_of_c_support_names_its_tests() {
    let page = fs::read_to_string(root().join("docs/c-support.md")).unwrap();
    let is_test = |word: &&str| word.starts_with("tests/c/") || word.starts_with("crates/");
    let named: BTreeSet<&str> = page.split('`').filter(is_test).filter(|word| word.contains('.')).collect();
    for file in &named {
        assert!(root().join(file).is_file(), "docs/c-support.md names {file}, which does not exist");
    }
    for folder in ["tests/c/fail", "tests/c/noted"] {
        for source in sources(folder) {
            let file = format!("{folder}/{}", source.file_name().unwrap().to_str().unwrap());
            assert!(named.contains(file.as_str()), "docs/c-support.md does not name {file}");
        }
    }
    let is_row = |line: &&str| line.starts_with('|') && !line.contains("---") && !line.ends_with("| Test |");
    for row in page.lines().filter(is_row) {
        assert!(row.contains("`tests/c/") || row.contains("`crates/"), "a row without a test: {row}");
    }
}

/// LLVM IR of rustc is read: bounds checks are branches to code that does not return, and ranges are loops.
#[test]
fn what_rustc_makes_is_read() {
    let ir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("matmul.ll");
    let source = root().join("tests/c/rust/matmul.rs");
    let flags = ["--emit=llvm-ir", "-Copt-level=1", "-Cno-prepopulate-passes", "-o"];
    let status = std::process::Command::new("rustc").args(flags).arg(&ir).arg(source).status().unwrap();
    assert!(status.success());
    let (text, errors, status) = symloc(&["derive", ir.to_str().unwrap(), "--function", "matmul", "--emit", "affine"]);
    assert_eq!(status, Some(0), "{errors}");
    assert!(errors.contains("a branch to code that never returns"), "{errors}");
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    assert_eq!(lines[0], "program matmul(n)");
    assert_eq!(
        lines.iter().filter(|line| line.starts_with("for ") && line.ends_with(" = 0 to n")).count(),
        3,
        "{text}"
    );
    let accesses = lines.iter().filter(|line| line.starts_with("read ") || line.starts_with("write "));
    let arrays: Vec<&str> = accesses.map(|line| line.split('[').next().unwrap()).collect();
    assert_eq!(arrays, ["read a", "read b", "read c", "write c"], "{text}");
}
