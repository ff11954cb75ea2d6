//! Derivation times.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use symloc_affine::{Layout, Line, Program};
use symloc_isl::Context;
use symloc_query::export::text::Columns;
use symloc_reuse::Phase;

use crate::Failure;
use crate::child::{self, Outcome};

const PHASES: [Phase; 5] = [Phase::Timestamps, Phase::Rank, Phase::Prev, Phase::Intervals, Phase::Count];
const EXACT: [Phase; 3] = [Phase::PrevLines, Phase::Distances, Phase::CountDistances];

/// One derivation at 64-byte lines: `phase seconds` lines, then `total seconds classes`.
pub(crate) fn one(program: &Program, exact: bool) -> Result<(), Failure> {
    let start = Instant::now();
    let isl = Context::new()?;
    let mut entered: Vec<(Phase, Instant)> = Vec::new();
    let lines = [Line::Bytes(64)];
    let enter = &mut |p| entered.push((p, Instant::now()));
    let derived = symloc_reuse::derive(&isl, program, Layout::Rows, &lines, enter)?;
    let classes = &derived.lines[0].classes;
    let mut counted = classes.len().to_string();
    if exact {
        let limits = symloc_reuse::Limits::default();
        let found = symloc_reuse::distances(&isl, program, Layout::Rows, lines[0], classes, limits, enter)?;
        counted = format!("{}+{}", found.classes.len(), found.estimated.len());
    }
    let end = Instant::now();
    let ends = entered.iter().skip(1).map(|(_, start)| *start).chain([end]);
    for ((phase, start), end) in entered.iter().zip(ends) {
        println!("{phase:?} {}", (end - *start).as_secs_f64());
    }
    println!("total {} {counted}", (end - start).as_secs_f64());
    Ok(())
}

/// What a child process measured: the lines that it printed, or nothing after the limit.
struct Measured(Vec<(String, f64, String)>);

impl Measured {
    fn seconds(&self, name: &str) -> Option<f64> {
        self.0.iter().find(|(n, _, _)| n == name).map(|(_, seconds, _)| *seconds)
    }

    fn classes(&self) -> String {
        self.0.last().map_or(String::new(), |(_, _, classes)| classes.clone())
    }
}

/// Measures in a process of its own.
fn child(subcommand: &str, file: &Path, limit: Duration) -> Result<Option<Measured>, Failure> {
    match child::run(&[subcommand.as_ref(), file.as_os_str()], limit)? {
        Outcome::Success(text) => Ok(Some(Measured(text.lines().filter_map(measurement).collect()))),
        Outcome::Failure(_) | Outcome::Limit => Ok(None),
    }
}

fn measurement(line: &str) -> Option<(String, f64, String)> {
    let mut words = line.split(' ');
    Some((words.next()?.to_owned(), words.next()?.parse().ok()?, words.next().unwrap_or_default().to_owned()))
}

/// The table of all kernels.
pub(crate) fn run(files: Vec<PathBuf>, paper: bool, exact: bool, limit: Duration) -> Result<(), Failure> {
    let files = if files.is_empty() { kernels()? } else { files };
    let mut head = vec!["kernel", "classes"];
    let phases: Vec<Phase> = PHASES.into_iter().chain(EXACT.into_iter().filter(|_| exact)).collect();
    let names: Vec<String> = phases.iter().map(|phase| format!("{phase:?}").to_lowercase()).collect();
    head.extend(names.iter().map(String::as_str));
    head.push("total");
    if paper {
        head.extend(["paper", "ratio"]);
    }
    let mut table = Columns::new(&head, 1);
    let (mut totals, mut ratios, mut unfinished) = (Vec::new(), Vec::new(), 0);
    for file in &files {
        let name = file.file_stem().map_or(String::new(), |n| n.to_string_lossy().into_owned());
        eprintln!("{name}");
        let Some(ours) = child(if exact { "one-exact" } else { "one" }, file, limit)? else {
            return Err(format!("{name}: not derived within {} s", limit.as_secs()).into());
        };
        let seconds = |s: Option<f64>| s.map_or("-".to_owned(), |s| format!("{s:.3}"));
        let total = ours.seconds("total").unwrap_or_default();
        totals.push(total);
        let mut row = vec![name, ours.classes()];
        row.extend(phases.iter().map(|phase| seconds(ours.seconds(&format!("{phase:?}")))));
        row.push(seconds(Some(total)));
        if paper {
            let theirs = child("paper", file, limit)?.and_then(|m| m.seconds("total"));
            row.push(seconds(theirs));
            row.push(theirs.map_or("-".to_owned(), |theirs| format!("{:.0}", theirs / total)));
            match theirs {
                Some(theirs) => ratios.push(theirs / total),
                None => unfinished += 1,
            }
        }
        table.push(row);
    }
    table.write(&mut std::io::stdout().lock())?;
    summary(&mut totals);
    if paper {
        println!(
            "paper's formulation: {} finished within {} s, {unfinished} did not; geometric mean of ratios {:.0}",
            ratios.len(),
            limit.as_secs(),
            geometric_mean(&ratios)
        );
    }
    Ok(())
}

fn summary(totals: &mut [f64]) {
    totals.sort_by(f64::total_cmp);
    let mean = totals.iter().sum::<f64>() / totals.len() as f64;
    let (median, worst) = (totals[totals.len() / 2], totals[totals.len() - 1]);
    let geometric = geometric_mean(totals);
    println!(
        "\nseconds: geometric mean {geometric:.3}, median {median:.3}, mean {mean:.3}, worst {worst:.3}, of {} kernels",
        totals.len()
    );
}

fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

fn kernels() -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../polybench"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "mlir") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
