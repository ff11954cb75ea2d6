//! A symbolic line size on every kernel of polybench/ and on the einsums: derived once, compared with the trace by `symloc
//! verify` at lines of 2, 4, 8 and 16 elements, where the context allows them, and at three sizes.
//!
//! The list is that of docs/affine-support.md.

#![allow(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;

/// The parameters that count time steps.
const STEPS: [&str; 2] = ["tsteps", "tmax"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn symloc(args: &[&str]) -> (String, String, Option<i32>) {
    let command = Command::new(env!("CARGO_BIN_EXE_symloc")).args(args).current_dir(root()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(command.stdout), text(command.stderr), command.status.code())
}

/// A row of the table in the documentation.
struct Kernel {
    file: String,
    least: i64,
    slow: bool,
}

/// The kernels that fit: `| polybench/gemm.mlir | 1 | 0.5 |`.
fn documented() -> Vec<Kernel> {
    let text = fs::read_to_string(root().join("docs/affine-support.md")).unwrap();
    let row = |line: &str| {
        let cells: Vec<_> = line.strip_prefix("| `")?.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let [file, least, seconds, ..] = cells.as_slice() else { return None };
        let known = file.starts_with("polybench/") || file.starts_with("einsum/");
        let seconds: f64 = seconds.parse().ok()?;
        known.then(|| Kernel { file: (*file).to_owned(), least: least.parse().unwrap(), slow: seconds > 3.0 })
    };
    text.lines().filter_map(row).collect()
}

/// The parameters, from `program gemm(ni, nj, nk, b)`.
fn parameters(kernel: &str) -> Vec<String> {
    let (text, errors, status) = symloc(&["derive", kernel, "--line", "line", "--emit", "affine"]);
    assert_eq!(status, Some(0), "{kernel}: {errors}");
    let head = text.lines().next().unwrap_or_default();
    let list = head.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap();
    list.split(", ").filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Three sizes, not all of them multiples of a line; of several parameters the first has three values.
fn sizes(parameters: &[String]) -> Vec<String> {
    let few = parameters.len() > 7;
    let mut nth = 0;
    let mut value = |name: &String| {
        if STEPS.contains(&name.as_str()) {
            return "3".to_owned();
        }
        nth += 1;
        let choices = match (nth, few) {
            (1, false) => "16,19,21",
            (1, true) => "3,4,5",
            (_, true) => ["2", "5", "3"][nth % 3],
            (_, false) => ["9", "16", "7"][nth % 3],
        };
        choices.to_owned()
    };
    parameters.iter().filter(|name| *name != "line").map(|name| format!("-D{name}={}", value(name))).collect()
}

/// What is wrong with a kernel, if anything is.
fn difference(kernel: &Kernel) -> Option<String> {
    let lines: Vec<_> = [2, 4, 8, 16].into_iter().filter(|b| *b >= kernel.least).map(|b| b.to_string()).collect();
    let mut definitions = sizes(&parameters(&kernel.file));
    definitions.push(format!("-Dline={}", lines.join(",")));
    let mut args = vec!["verify", &kernel.file, "--line", "line"];
    args.extend(definitions.iter().map(String::as_str));
    let (text, errors, status) = symloc(&args);
    let compared = text.lines().filter(|line| line.starts_with("ok ")).count();
    let fine = status == Some(0) && compared == 3 * lines.len() && compared == text.lines().count();
    (!fine).then(|| format!("symloc {}\n{text}{errors}", args.join(" ")))
}

fn compare(kernels: Vec<Kernel>) {
    let work = Mutex::new(kernels.iter());
    let differences = Mutex::new(Vec::new());
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let next = work.lock().unwrap().next();
                    let Some(kernel) = next else { return };
                    differences.lock().unwrap().extend(difference(kernel));
                }
            });
        }
    });
    let differences = differences.into_inner().unwrap();
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

#[test]
fn kernels_that_fit_equal_their_traces() {
    let kernels = documented();
    assert!(kernels.len() >= 34, "only {} kernels", kernels.len());
    compare(kernels.into_iter().filter(|kernel| !kernel.slow).collect());
}

/// Derivations of more than 3 seconds.
#[test]
#[ignore = "minutes of computation"]
fn slow_kernels_that_fit_equal_their_traces() {
    compare(documented().into_iter().filter(|kernel| kernel.slow).collect());
}
