//! The commands as a user types them; `tests/cmd` holds what they print.

use std::io::Write;
use std::process::{Command, Stdio};

const MATMUL: &str = include_str!("../../../tests/models/matmul.loc.json");

fn symloc_query(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_symloc-query"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn commands_print_what_is_documented() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}

#[test]
fn a_model_may_come_from_standard_input() {
    let mut child = symloc_query(&["query", "-", "-D", "n=128", "--cache", "32KiB", "--json"]).spawn().unwrap();
    child.stdin.take().unwrap().write_all(MATMUL.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains("\"misses\":266240"));
}

#[test]
fn a_reader_that_has_gone_is_no_error() {
    let questions: [&[&str]; 5] = [
        &["histogram", "-", "-D", "n=16", "--json"],
        &["table", "-"],
        &["curve", "-", "-D", "n=16"],
        &["curve", "-", "-D", "n=16", "--svg", "-"],
        &["compare", "-", "../../tests/models/matmul.loc.json", "-D", "n=16"],
    ];
    for arguments in questions {
        let mut child = symloc_query(arguments).spawn().unwrap();
        drop(child.stdout.take());
        child.stdin.take().unwrap().write_all(MATMUL.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        assert!(output.stderr.is_empty());
    }
}
