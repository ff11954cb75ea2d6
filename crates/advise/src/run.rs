//! Programs that are run in turns: times, and checksums of their arrays.
//!
//! A program is a function with a `main` behind it that fills the function's arrays, calls it and reports the time and a
//! checksum of all arrays; if it is given the name of a file, it writes the arrays to it. Programs run in turns, so that
//! what disturbs the machine disturbs all. How a program is made, its language says.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::error::AdviseError;
use crate::results::{Agreement, ResultComparison, ResultKind, compare};

/// The measurement of one order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The shortest time, in seconds; infinite if it was stopped because it ran so long.
    pub seconds: f64,
    /// The agreement of the arrays with those after the program as written.
    pub agreement: Agreement,
}

impl Measured {
    /// Returns true if the results are those of the program as written, but for rounding where sums are reordered.
    pub fn is_equal(&self) -> bool {
        self.agreement != Agreement::Different
    }
}

/// The results of programs.
#[derive(Clone, Debug)]
pub(crate) struct RunResults {
    /// The kinds of their numbers, in the order in which `symloc_add` has them.
    pub(crate) kinds: Vec<ResultKind>,
    /// Their comparison.
    pub(crate) comparison: ResultComparison,
}

/// The runs of each program.
const ROUNDS: usize = 3;
/// A program that takes longer, in seconds, runs once: long runs vary less.
const LONG: f64 = 4.0;

/// Runs programs, the one as written first.
///
/// # Errors
///
/// [`AdviseError::Run`] if a program cannot be run.
pub(crate) fn measure_in_turns(programs: &[PathBuf], results: &RunResults) -> Result<Vec<Measured>, AdviseError> {
    let Some((written, others)) = programs.split_first() else { return Ok(Vec::new()) };
    let kept = |program: &Path| match results.comparison {
        ResultComparison::Bytes => None,
        ResultComparison::Rounding => Some(program.with_extension("results")),
    };
    let of_written = kept(written);
    let (first, sum) = measured(run(written, Duration::MAX, of_written.as_deref())?);
    let mut all = vec![(first, sum)];
    for program in others {
        let own = kept(program);
        let (mut first_run, own_sum) = measured(run(program, patience(first.seconds), own.as_deref())?);
        if own_sum.is_some_and(|own_sum| Some(own_sum) != sum) {
            first_run.agreement = match (&of_written, &own) {
                (Some(written), Some(own)) => compare(written, own, &results.kinds)?,
                _ => Agreement::Different,
            };
        }
        // Results may be as large as all memory.
        own.into_iter().for_each(|own| drop(std::fs::remove_file(own)));
        all.push((first_run, own_sum));
    }
    for _ in 1..ROUNDS {
        for place in 0..all.len() {
            let limit = if place == 0 { Duration::MAX } else { patience(all[0].0.seconds) };
            let (known, sum) = &mut all[place];
            if known.seconds <= LONG {
                let (again, same) = measured(run(&programs[place], limit, None)?);
                known.seconds = known.seconds.min(again.seconds);
                if same.is_some() && same != *sum {
                    known.agreement = Agreement::Different;
                }
            }
        }
    }
    Ok(all.into_iter().map(|(measured, _)| measured).collect())
}

/// Returns the measurement of a run, and its checksum; a run that was stopped has none.
fn measured(ran: Option<(f64, u64)>) -> (Measured, Option<u64>) {
    let seconds = ran.map_or(f64::INFINITY, |(seconds, _)| seconds);
    (Measured { seconds, agreement: Agreement::Identical }, ran.map(|(_, sum)| sum))
}

/// Runs a compiler.
pub(crate) fn compile(command: &mut Command) -> Result<(), AdviseError> {
    let output = command.stdin(Stdio::null()).output();
    let name = command.get_program().to_string_lossy().into_owned();
    let output = output.map_err(|error| AdviseError::Run { why: format!("{name}: {error}") })?;
    match output.status.success() {
        true => Ok(()),
        false => Err(AdviseError::Run { why: String::from_utf8_lossy(&output.stderr).into_owned() }),
    }
}

/// Returns the error of a file that cannot be written.
pub(crate) fn unwritten(error: &std::io::Error) -> AdviseError {
    AdviseError::Run { why: error.to_string() }
}

/// Returns a `main` that executes `before`, then `call`, whose time is measured, and then `after`, which adds arrays to
/// the checksum.
pub(crate) fn main_around(before: &str, call: &str, after: &str) -> String {
    format!(
        "int main(int count, char **arguments) {{\n  unsigned long long symloc_sum = 14695981039346656037ull;\n  \
         if (count > 1) symloc_file = fopen(arguments[1], \"wb\");\n{before}  \
         const double symloc_start = symloc_now();\n{call}  const double symloc_end = symloc_now();\n{after}  \
         printf(\"%.9f %llu\\n\", symloc_end - symloc_start, symloc_sum);\n  \
         return symloc_file && fclose(symloc_file);\n}}\n"
    )
}

/// The distance of the diagonal's elements of an array with these extents, in elements; 0 if it is not square. Diagonals
/// are filled with large numbers, so that factorisations stay finite.
pub(crate) fn diagonal(extents: &[i64]) -> i64 {
    match extents {
        [rows, columns] if rows == columns => columns + 1,
        _ => 0,
    }
}

/// Returns the time after which a program that is slower than the one as written is stopped; its arrays have to be filled
/// in it as well.
fn patience(written: f64) -> Duration {
    Duration::from_secs_f64(3.0 * written + 10.0)
}

/// Runs a program, which writes its results to a file if there is one; returns its time in seconds and its checksum, or
/// `None` if it had to be stopped.
fn run(program: &Path, limit: Duration, results: Option<&Path>) -> Result<Option<(f64, u64)>, AdviseError> {
    let failed = |why: String| AdviseError::Run { why };
    let mut command = Command::new(program);
    let child = command.args(results).stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| failed(error.to_string()))?;
    let start = Instant::now();
    // The program prints one line at its end, which the pipe holds.
    while child.try_wait().map_err(|error| failed(error.to_string()))?.is_none() {
        if start.elapsed() > limit {
            // If it has just ended, there is nothing to stop.
            let _ = child.kill();
            let _ = child.wait();
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text.split_whitespace();
    let seconds = numbers.next().and_then(|seconds| seconds.parse().ok());
    let sum = numbers.next().and_then(|sum| sum.parse().ok());
    let found = seconds
        .zip(sum)
        .filter(|_| output.status.success())
        .ok_or_else(|| failed(format!("the program ended with {}", output.status)))?;
    Ok(Some(found))
}

/// The functions of the driver.
pub(crate) const DRIVER: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#define SYMLOC_FILL(kind, array, elements, diagonal) \
  for (unsigned long i = 0, d = (diagonal); i < (elements); i++) \
    ((kind *)(void *)(array))[i] = (kind)((kind)((i * 7 + 3) % 11 + 1) / 4 + (d && i % d == 0 ? (kind)(4 * d) : 0))
static FILE *symloc_file;
static void symloc_add(unsigned long long *sum, const void *start, unsigned long count) {
  const unsigned long long written = count;
  if (symloc_file && (fwrite(&written, sizeof(written), 1, symloc_file) != 1 || fwrite(start, 1, count, symloc_file) != count))
    exit(1);
  const unsigned char *bytes = (const unsigned char *)start;
  for (unsigned long i = 0; i < count; i++) *sum = (*sum ^ bytes[i]) * 1099511628211ull;
}
static double symloc_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}
"#;
