//! Orders of loops that LLVM chooses, read back and simulated, beside the first choice of `symloc order`.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::common::symloc;

/// Each iteration of the outer loop uses three elements eight times, so they miss once for each line.
const BROADCAST: &str = "enum { n = 4096, m = 8 };
void broadcast(double c[restrict m][n], const double x[restrict n], const double y[restrict n],
               const double z[restrict n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      c[j][i] = x[i] * y[i] + z[i];
}
";

/// More lines than an order needs at once, and fewer than x, y and z have.
const CACHE: &str = "--cache=64lines,full";

/// Passes that leave every load and store of the source.
const READY: &str = "function(sroa,simplifycfg,loop-simplify,lcssa,loop(loop-rotate),indvars)";

fn run(program: &str, arguments: &[&OsStr]) {
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Runs passes on a file in LLVM IR; returns the new file.
fn passes(file: &Path, passes: &str, options: &[&str], name: &str) -> PathBuf {
    let new = file.with_file_name(name);
    let passes = format!("-passes={passes}");
    let options = options.iter().map(OsStr::new);
    let all: Vec<&OsStr> = ["-S", &passes, "-o"].map(OsStr::new).into_iter().chain([new.as_os_str()]).collect();
    run("opt-22", &all.into_iter().chain(options).chain([file.as_os_str()]).collect::<Vec<_>>());
    new
}

fn simulated(file: &Path) -> (u64, u64) {
    let (text, errors, _) = symloc(&["simulate", file.to_str().unwrap(), CACHE, "--json"]);
    let answer: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{errors}"));
    (answer["accesses"].as_u64().unwrap(), answer["levels"][0]["misses"].as_u64().unwrap())
}

#[test]
fn the_cache_cost_of_llvm_exchanges_loops_that_are_better_as_written() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compilers");
    fs::create_dir_all(&folder).unwrap();
    let (source, ir) = (folder.join("broadcast.c"), folder.join("broadcast.ll"));
    fs::write(&source, BROADCAST).unwrap();
    let options =
        ["-O1", "-g", "-Xclang", "-disable-llvm-passes", "-fno-discard-value-names", "-S", "-emit-llvm", "-o"];
    let files = [ir.as_os_str(), source.as_os_str()];
    run("clang-22", &options.map(OsStr::new).into_iter().chain(files).collect::<Vec<_>>());
    let ready = passes(&ir, READY, &[], "ready.ll");
    let by_cost = ["-loop-interchange-profitabilities=cache", "-cache-line-size=64"];
    let interchanged = passes(&ready, "loop(loop-interchange)", &by_cost, "interchanged.ll");

    // Lines of 8 numbers: those of c miss once in both orders, those of x, y and z once or in each iteration of j.
    let (n, m) = (4096, 8);
    let (once, each) = (n * m / 8 + 3 * n / 8, n * m / 8 + 3 * n / 8 * m);
    assert_eq!(simulated(&ready), (4 * n * m, once));
    assert_eq!(simulated(&interchanged), (4 * n * m, each));

    let (text, errors, _) = symloc(&["order", source.to_str().unwrap(), CACHE, "--format", "json"]);
    let answer: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{errors}"));
    let orders = answer["nests"][0]["orders"].as_array().unwrap().iter();
    let orders: Vec<_> = orders.map(|order| (order["order"].as_str().unwrap(), &order["misses"][0])).collect();
    assert_eq!(orders, [("i, j", &Value::from(once)), ("j, i", &Value::from(each))]);
}
