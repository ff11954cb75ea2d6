//! A symbolic line size on the kernels of polybench/ and the einsums: derived once, compared with the trace by `symloc verify`
//! at lines of several sizes and at several sizes of the program, not all of them multiples of a line.
//!
//! The list is that of docs/affine-support.md. What it does not name is not known to fit.

#![allow(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

mod common;

use std::fs;
use std::time::Instant;

use common::{STEPS, nothing_from, parameters, root, symloc};

/// A row of the table in the documentation.
struct Kernel {
    file: String,
    least: i64,
    slow: bool,
}

/// What a kernel is compared at.
#[derive(Clone, Copy)]
struct Effort {
    lines: &'static [i64],
    /// Values of the first parameter, and of the first of many parameters.
    sizes: [&'static str; 2],
}

const QUICK: Effort = Effort { lines: &[2, 8], sizes: ["16,19", "3,5"] };
const COMPLETE: Effort = Effort { lines: &[2, 4, 8, 16], sizes: ["16,19,21", "3,4,5"] };

/// The kernels that fit: `| polybench/gemm.mlir | 1 | 0.5 |`.
fn documented() -> Vec<Kernel> {
    let text = fs::read_to_string(root().join("docs/affine-support.md")).unwrap();
    let row = |line: &str| {
        let cells: Vec<_> = line.strip_prefix("| `")?.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let [file, least, seconds, ..] = cells.as_slice() else { return None };
        let known = file.starts_with("polybench/") || file.starts_with("einsum/");
        let seconds: f64 = seconds.parse().ok()?;
        known.then(|| Kernel { file: (*file).to_owned(), least: least.parse().unwrap(), slow: seconds > 2.0 })
    };
    text.lines().filter_map(row).collect()
}

/// Sizes, not all of them multiples of a line; of several parameters the first has several values.
fn sizes(parameters: &[String], effort: Effort) -> Vec<String> {
    let few = parameters.len() > 7;
    let mut nth = 0;
    let mut value = |name: &String| {
        if STEPS.contains(&name.as_str()) {
            return "3";
        }
        nth += 1;
        match (nth, few) {
            (1, false) => effort.sizes[0],
            (1, true) => effort.sizes[1],
            (_, true) => ["2", "5", "3"][nth % 3],
            (_, false) => ["9", "16", "7"][nth % 3],
        }
    };
    parameters.iter().filter(|name| *name != "line").map(|name| format!("-D{name}={}", value(name))).collect()
}

/// What is wrong with a kernel, if anything is.
fn difference(kernel: &Kernel, effort: Effort) -> Option<String> {
    let start = Instant::now();
    let lines: Vec<_> = effort.lines.iter().filter(|b| **b >= kernel.least).map(i64::to_string).collect();
    let mut definitions = sizes(&parameters(&kernel.file, &["--line", "line"]), effort);
    definitions.push(format!("-Dline={}", lines.join(",")));
    let mut args = vec!["verify", &kernel.file, "--line", "line"];
    args.extend(definitions.iter().map(String::as_str));
    let (text, errors, status) = symloc(&args);
    let compared = text.lines().filter(|line| line.starts_with("ok ")).count();
    let expected = effort.sizes[0].split(',').count() * lines.len();
    let fine = status == Some(0) && compared == expected && compared == text.lines().count();
    println!("{}: {compared} of {expected} agree, {:.1} s", kernel.file, start.elapsed().as_secs_f64());
    (!fine).then(|| format!("symloc {}\n{text}{errors}", args.join(" ")))
}

#[test]
fn kernels_that_fit_equal_their_traces() {
    let kernels = documented();
    assert!(kernels.len() >= 35, "only {} kernels", kernels.len());
    nothing_from(kernels.iter().filter(|kernel| !kernel.slow), |kernel| difference(kernel, QUICK));
}

/// `cargo test -p symloc --test lines -- --ignored --nocapture` tells the time of each.
#[test]
#[ignore = "minutes of computation"]
fn all_kernels_that_fit_equal_their_traces_at_all_lines() {
    nothing_from(documented().iter(), |kernel| difference(kernel, COMPLETE));
}
