//! Programs that are run in turns: times, and checksums of their arrays.
//!
//! A program is a function with a `main` behind it that fills the function's arrays, calls it and reports the time and a
//! checksum of all arrays. Programs run in turns, so that what disturbs the machine disturbs all. How a program is made,
//! its language says.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::error::AdviseError;

/// The measurement of one order.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The shortest time, in seconds; infinite if it was stopped because it ran so long.
    pub seconds: f64,
    /// True if all arrays have the same bytes as after the program as written.
    pub is_equal: bool,
}

/// The runs of each program.
const ROUNDS: usize = 3;
/// A program that has run for so many seconds is not run again: long runs vary less.
const ENOUGH: f64 = 6.0;

/// Runs programs, the one as written first.
///
/// # Errors
///
/// [`AdviseError::Run`] if a program cannot be run.
pub(crate) fn measure_in_turns(programs: &[PathBuf]) -> Result<Vec<Measured>, AdviseError> {
    let mut measured: Vec<Measured> = Vec::new();
    let mut spent = vec![0.0; programs.len()];
    let mut expected = None;
    for round in 0..ROUNDS {
        for (index, program) in programs.iter().enumerate() {
            if spent[index] > ENOUGH {
                continue;
            }
            let limit = measured.first().map_or(Duration::MAX, |written| patience(written.seconds));
            let ran = run(program, limit)?;
            let seconds = ran.map_or(f64::INFINITY, |(seconds, _)| seconds);
            spent[index] += seconds;
            let expected = *expected.get_or_insert(ran.map_or(0, |(_, sum)| sum));
            let is_equal = ran.is_none_or(|(_, sum)| sum == expected);
            if round == 0 {
                measured.push(Measured { seconds, is_equal });
            } else {
                let known = &mut measured[index];
                known.seconds = known.seconds.min(seconds);
                known.is_equal &= is_equal;
            }
        }
    }
    Ok(measured)
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
        "int main(void) {{\n  unsigned long long symloc_sum = 14695981039346656037ull;\n{before}  \
         const double symloc_start = symloc_now();\n{call}  const double symloc_end = symloc_now();\n{after}  \
         printf(\"%.9f %llu\\n\", symloc_end - symloc_start, symloc_sum);\n  return 0;\n}}\n"
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

/// Runs a program; returns its time in seconds and its checksum, or `None` if it had to be stopped.
fn run(program: &Path, limit: Duration) -> Result<Option<(f64, u64)>, AdviseError> {
    let failed = |why: String| AdviseError::Run { why };
    let mut command = Command::new(program);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
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
    let found = seconds.zip(sum).ok_or_else(|| failed(format!("the program ended with {}", output.status)))?;
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
static void symloc_add(unsigned long long *sum, const void *start, unsigned long count) {
  const unsigned char *bytes = (const unsigned char *)start;
  for (unsigned long i = 0; i < count; i++) *sum = (*sum ^ bytes[i]) * 1099511628211ull;
}
static double symloc_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}
"#;
