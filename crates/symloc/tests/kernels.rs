//! Every kernel of polybench/, derived and compared with its trace by `symloc verify`: all reuse intervals, all miss
//! counts, at 64-byte lines and at lines of one element; at 64-byte lines all reuse distances too, none of them estimated.

#![allow(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::thread;

/// The parameters that count time steps; a few steps show all there is.
const STEPS: [&str; 2] = ["tsteps", "tmax"];

/// Values for the other parameters, in turn: a multiple of 8 and two that are not. Neighbours differ, so that no
/// two parameters are equal by accident.
const SIZES: [[i64; 3]; 4] = [[16, 19, 21], [8, 13, 11], [24, 9, 15], [8, 10, 7]];

fn symloc(args: &[&str]) -> (String, String, Option<i32>) {
    let command = Command::new(env!("CARGO_BIN_EXE_symloc"))
        .args(args)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(command.stdout), text(command.stderr), command.status.code())
}

fn kernels() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../polybench");
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut kernels: Vec<_> = names.filter(|name| name.ends_with(".mlir")).map(|n| format!("polybench/{n}")).collect();
    kernels.sort();
    kernels
}

/// The parameters, from `program gemm(ni, nj, nk)`.
fn parameters(kernel: &str) -> Vec<String> {
    let (text, errors, status) = symloc(&["derive", kernel, "--emit", "affine"]);
    assert_eq!(status, Some(0), "{kernel}: {errors}");
    let head = text.lines().next().unwrap_or_default();
    let list = head.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap();
    list.split(", ").filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Three values for the only parameter that is a size; two for each of the last two of several, of which four sizes come.
fn grid(parameters: &[String]) -> Vec<String> {
    let sizes = parameters.iter().filter(|name| !STEPS.contains(&name.as_str())).count();
    let mut nth = 0;
    let mut values = |name: &String| {
        if STEPS.contains(&name.as_str()) {
            return vec![3];
        }
        let choice = SIZES[nth % SIZES.len()];
        nth += 1;
        match sizes {
            1 => choice.to_vec(),
            _ if nth + 2 > sizes => choice[..2].to_vec(),
            _ => vec![choice[2]],
        }
    };
    let text = |list: Vec<i64>| list.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    parameters.iter().map(|name| format!("-D{name}={}", text(values(name)))).collect()
}

/// What is wrong with a kernel, if anything is.
fn difference(kernel: &str, lines: &[&str]) -> Option<String> {
    let definitions = grid(&parameters(kernel));
    let mut args = vec!["verify", kernel];
    args.extend(lines);
    args.extend(definitions.iter().map(String::as_str));
    let (text, errors, status) = symloc(&args);
    let exact = lines.contains(&"--exact");
    let agrees = |line: &&str| line.starts_with("ok ") && (!exact || line.contains(" distances and "));
    let compared = text.lines().filter(agrees).count();
    let fine = status == Some(0) && compared >= 3 && compared == text.lines().count();
    (!fine).then(|| format!("symloc {}\n{text}{errors}", args.join(" ")))
}

#[test]
fn models_equal_traces() {
    let kernels = kernels();
    assert_eq!(kernels.len(), 31, "the 30 kernels of PolyBench/C and matmul");
    let choices = kernels.iter().flat_map(|kernel| [(kernel, vec!["--exact"]), (kernel, vec!["--element"])]);
    let work = Mutex::new(choices);
    let differences = Mutex::new(Vec::new());
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let next = work.lock().unwrap().next();
                    let Some((kernel, lines)) = next else { return };
                    differences.lock().unwrap().extend(difference(kernel, &lines));
                }
            });
        }
    });
    let differences = differences.into_inner().unwrap();
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}
