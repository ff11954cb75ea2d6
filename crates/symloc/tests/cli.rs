//! What the program prints, as a user sees it: `tests/cmd` of this crate, and the sessions in the documentation.
//!
//! Each set of sessions runs in a folder of its own, with copies of the kernels, so that a session can write files and
//! uses the same paths as a reader in the root of the repository. `TRYCMD=overwrite cargo test -p symloc --test cli`
//! writes what comes out instead of comparing; read the difference before you commit it.

#![allow(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// An empty folder with copies of the folders of the repository that sessions mention.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    for source in ["polybench", "tests/fail", "tests/kernels"] {
        fs::create_dir_all(folder.join(source)).unwrap();
        for entry in fs::read_dir(repository().join(source)).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, folder.join(source).join(path.file_name().unwrap())).unwrap();
        }
    }
    // What stands in for a model, and is none.
    fs::write(folder.join("foreign.json"), r#"{"schema":"symloc.table/1","rows":[]}"#).unwrap();
    fs::write(folder.join("newer.loc.json"), r#"{"schema":"symloc.model/99","generator":"symloc 9.0"}"#).unwrap();
    let model = fs::read_to_string(repository().join("tests/models/matmul.loc.json")).unwrap();
    fs::write(folder.join("truncated.loc.json"), &model[..500]).unwrap();
    folder
}

/// One test, because the working directory is the whole process's.
#[test]
fn sessions_print_what_is_documented() {
    for (name, cases) in [("cmd", "crates/symloc/tests/cmd/*.trycmd"), ("readme", "README.md"), ("docs", "docs/*.md")] {
        std::env::set_current_dir(folder(name)).unwrap();
        trycmd::TestCases::new().case(repository().join(cases)).run();
    }
}

#[test]
fn every_command_has_an_example() {
    let help = |command: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_symloc")).args(command).arg("--help").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let overview = help(&[]);
    let list = overview.split("Commands:").nth(1).and_then(|rest| rest.split("Options:").next()).unwrap();
    let commands: Vec<_> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"derive") && commands.contains(&"query"), "{overview}");
    for command in commands.iter().filter(|name| **name != "help") {
        let text = help(&[command]);
        assert!(text.contains(&format!("Example:\n  symloc {command} ")), "{text}");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_symloc"))
        .args(["derive", "polybench/gemm.mlir"])
        .current_dir(repository())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(0), String::new()));
}
