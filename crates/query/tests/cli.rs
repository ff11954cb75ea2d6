//! Runs the commands as a user types them; `tests/cmd` holds their output.

use std::io::{BufRead, BufReader, Write};
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

/// The first answer must come long before a million of them are computed, and the others must not be computed for a reader that
/// has closed the stream.
#[test]
fn json_lines_and_csv_come_as_they_are_computed() {
    for (format, first) in [("jsonl", "{\"schema\":\"symloc.query/1\",\"parameters\":{\"n\":16},"), ("csv", "n,level,")]
    {
        let grid = ["-D", "n=16..8000000:+8", "--max-grid", "1000000", "--cache", "32KiB", "--format", format];
        let mut child = symloc_query(&[["query", "-"].as_slice(), &grid].concat()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(MATMUL.as_bytes()).unwrap();
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        assert!(line.starts_with(first), "{line}");
        drop(reader);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty());
    }
}

#[test]
fn data_define_sums_over_one_iterator() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../locality/tests/models/covariance-exact.loc.json");
    let print = |format: &str| {
        let arguments = ["formula", model, "-D", "m=160", "-D", "n=100", "--format", format];
        String::from_utf8(symloc_query(&arguments).output().unwrap().stdout).unwrap()
    };
    let json: serde_json::Value = serde_json::from_str(&print("json")).unwrap();
    let rows = &json["formulas"][0]["sums"][0]["rows"];
    let texts = [&rows["iterator"], &rows["at_most"], &rows["count"], &rows["root"]["name"], &rows["root"]["at_most"]];
    assert_eq!(texts, ["u_j_2", "m/8 - 2", "k + 1", "k", "n - 2"], "{rows}");
    let sympy = print("sympy");
    let sums = sympy.split_once("\nsums = [\n").unwrap().1;
    assert!(
        sums.lines().next().unwrap().contains(r#"{"name": sympify("p1", names), "iterator": sympify("u_j_2", names)"#),
        "{sums}"
    );
    assert!(sympy.contains(" + p1 + p2") && !sympy.contains(r#""misses": None"#), "{sympy}");
}

#[test]
fn completions_and_the_manual_know_every_command() {
    let print = |arguments: &[&str]| String::from_utf8(symloc_query(arguments).output().unwrap().stdout).unwrap();
    let manual = print(&["man"]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = print(&["completions", shell]);
        for command in [
            "query",
            "explain",
            "find-cache",
            "find-size",
            "bound",
            "histogram",
            "curve",
            "annotate",
            "table",
            "scaling",
            "formula",
            "completions",
            "man",
        ] {
            assert!(script.contains(command), "{shell}: {command}");
            assert!(manual.contains(&format!("\n.SH {}\n", command.to_uppercase())), "{command}");
        }
        assert!(script.contains("max-miss-ratio"), "{shell}");
    }
    assert!(manual.contains("max\\-miss\\-ratio"), "{manual}");
}

#[test]
fn a_reader_that_has_gone_is_no_error() {
    let annotated = ["annotate", "../evaluate/tests/models/gemm.loc.json", "../evaluate/tests/models/gemm.mlir"];
    let annotated = [annotated.as_slice(), &["-D", "ni=nj=nk=16", "--cache", "32KiB"]].concat();
    let questions: [&[&str]; 7] = [
        &annotated,
        &["histogram", "-", "-D", "n=16", "--json"],
        &["table", "-"],
        &["query", "-", "-D", "n=16..8000:+8", "--cache", "32KiB", "--format", "jsonl"],
        &["curve", "-", "-D", "n=16"],
        &["curve", "-", "-D", "n=16", "--svg", "-"],
        &["compare", "-", "../../tests/models/matmul.loc.json", "-D", "n=16"],
    ];
    for arguments in questions {
        let mut child = symloc_query(arguments).spawn().unwrap();
        drop(child.stdout.take());
        // A command that needs no model from there may have ended.
        let _ = child.stdin.take().unwrap().write_all(MATMUL.as_bytes());
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && told.is_empty(), "{arguments:?}: {}, {told}", output.status);
    }
}
