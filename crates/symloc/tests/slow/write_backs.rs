//! The write-backs that `query` prints of models derived with `--write-backs`, beside `simulate`, for every kernel of
//! polybench/, in fully associative LRU caches from one line to more than all; and the writes of every kernel by their longest
//! reuse, interval and distance, beside its trace.

use std::fs;

use serde_json::Value;

use super::kernels::{grid, kernels};
use crate::common::traced::scratch;
use crate::common::{STEPS, model, nothing_from, parameters, share, symloc};

/// Numbers of lines of caches, odd ones among them.
const CACHES: [u64; 14] = [1, 2, 3, 5, 7, 14, 23, 37, 61, 97, 150, 255, 400, 1000];

/// Values of the parameters that are not time steps, in turn, at each of two sizes.
const SIZES: [[i64; 2]; 4] = [[16, 19], [8, 13], [24, 9], [8, 10]];

/// Returns the write-backs in each cache; none where an answer has none.
fn write_backs(args: &[&str]) -> Result<Vec<Option<u64>>, String> {
    let caches: Vec<String> = CACHES.iter().map(|lines| format!("--cache={lines}lines")).collect();
    let args: Vec<&str> = args.iter().copied().chain(caches.iter().map(String::as_str)).chain(["--json"]).collect();
    let (text, errors, status) = symloc(&args);
    if status != Some(0) {
        return Err(format!("symloc {}\n{text}{errors}", args.join(" ")));
    }
    let answer: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    // Caches that are run are levels of one hierarchy, unless they are `--apart`; so they have other write-backs than formulas give.
    if args[0] == "query" && answer["model"] != "lru" {
        return Err(format!("symloc {} does not answer by formulas", args.join(" ")));
    }
    Ok(answer["levels"].as_array().unwrap().iter().map(|level| level["write_backs"].as_u64()).collect())
}

/// Returns the error if the write-backs of a kernel are not those of its run.
fn difference(kernel: &str, lines: &[&str]) -> Result<(), String> {
    let options = [lines, &["--layout", "rows"]].concat();
    let derived = model(&[&[kernel, "--write-backs"], &options[..]].concat())?;
    let names = parameters(kernel, &[]);
    for choice in 0..2 {
        let mut sizes = SIZES.iter().cycle();
        let definition = |name: &String| match STEPS.contains(&name.as_str()) {
            true => format!("-D{name}=3"),
            false => format!("-D{name}={}", sizes.next().unwrap()[choice]),
        };
        let definitions: Vec<String> = names.iter().map(definition).collect();
        let definitions: Vec<&str> = definitions.iter().map(String::as_str).collect();
        let predicted = write_backs(&[&["query", derived.as_str()], &definitions[..]].concat())?;
        let run = options.iter().filter(|option| **option != "--exact").copied().collect::<Vec<_>>();
        let simulated = write_backs(&[&["simulate", kernel, "--apart"], &run[..], &definitions].concat())?;
        if predicted != simulated || simulated.iter().any(Option::is_none) {
            return Err(format!("{kernel} {lines:?} {definitions:?}: {predicted:?} in place of {simulated:?}"));
        }
    }
    Ok(())
}

#[test]
fn write_backs_equal_those_of_runs() {
    let kernels = kernels();
    let choices = kernels.iter().flat_map(|kernel| [(kernel, vec!["--exact"]), (kernel, vec!["--exact", "--element"])]);
    nothing_from(share([0, 7], choices), |(kernel, lines)| difference(kernel, &lines).err());
}

#[test]
fn longest_reuses_after_writes_equal_those_of_traces() {
    let kernels = kernels();
    let choices = kernels.iter().flat_map(|kernel| [(kernel, vec![]), (kernel, vec!["--element"])]);
    nothing_from(share([1, 7], choices), |(kernel, lines)| {
        let definitions = grid(&parameters(kernel, &[]));
        let args = [&["verify", kernel, "--exact", "--write-backs"], &lines[..]].concat();
        let args: Vec<&str> = args.into_iter().chain(definitions.iter().map(String::as_str)).collect();
        let (text, errors, status) = symloc(&args);
        let is_known = |line: &str| line.contains(", write-backs by interval and by distance and ");
        let compared = text.lines().filter(|line| line.starts_with("ok ") && is_known(line)).count();
        let fine = status == Some(0) && compared > 0 && compared == text.lines().count();
        (!fine).then(|| format!("symloc {}\n{text}{errors}", args.join(" ")))
    });
}

/// `derive` says at which write a model has no write-backs, also of a model that was kept, as its answers do.
#[test]
fn writes_without_write_backs_are_named() {
    let source = scratch("write-backs", "ring.c");
    let text = "void ring(int n, int m, double *restrict x, double *restrict y) {\n  for (int i = 0; i < n; i++) {\n    \
                for (int j = 0; j < m; j++)\n      y[i] += x[j];\n    if (i % 3 == 1)\n      x[i % 4] = y[i];\n  }\n}\n";
    fs::write(&source, text).unwrap();
    let [source, kept] = [source, scratch("write-backs", "kept")].map(|path| path.to_str().unwrap().to_owned());
    let derived = scratch("write-backs", "ring.loc.json");
    let args = ["derive", source.as_str(), "--element", "--cache-dir", &kept, "-o", derived.to_str().unwrap()];
    for (option, notes) in [(&["--write-backs"][..], 1), (&["--write-backs"], 1), (&[], 0)] {
        let (_, errors, status) = symloc(&[&args[..], option].concat());
        let lines = errors.lines().filter(|line| line.contains("ring.c:6:16: write-backs are not known"));
        assert_eq!((status, lines.count()), (Some(0), notes), "{errors}");
    }
}
