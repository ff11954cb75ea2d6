//! Tests the page of `curve --html` in a browser, if there is one: `tests/page/test.py` compares its numbers with this program's.

#![allow(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

use std::process::Command;

const MODELS: [&str; 11] = [
    "gemm",
    "gemm-element",
    "jacobi-1d-threads",
    "jacobi-2d",
    "lu",
    "lu-element",
    "matmul",
    "matmul-exact",
    "matmul-lines-exact",
    "one_row",
    "triangle",
];

#[test]
fn pages_have_the_numbers_of_the_command_line() {
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests");
    let mut command = Command::new("python3");
    command.arg(format!("{tests}/page/test.py")).arg(env!("CARGO_BIN_EXE_symloc-query"));
    command.args(MODELS.map(|model| format!("{tests}/models/{model}.loc.json")));
    match command.output() {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stdout);
            // Without a browser, it prints so.
            println!("{said}");
            assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
        }
        Err(error) => println!("note: no python3, so the page is not tested in a browser: {error}"),
    }
}
