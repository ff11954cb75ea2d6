//! Compiles and runs a function in several orders, and compares times and results.
//!
//! Each order is a program of its own: the source with a `main` behind it that fills the function's arrays, calls it and
//! reports the time and a checksum of all arrays. Programs run in turns, so that what disturbs the machine disturbs all.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use symloc_affine::Program;

use crate::driver::Driver;
use crate::error::AdviseError;
use crate::source::SourceFunction;

/// The measurement of one order.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The shortest time, in seconds; infinite if it was stopped because it ran so long.
    pub seconds: f64,
    /// True if all arrays have the same bytes as after the program as written.
    pub is_equal: bool,
}

/// The compiler and the function.
#[derive(Clone, Copy, Debug)]
pub struct Runner<'r> {
    /// The compiler.
    pub compiler: &'r str,
    /// Its flags.
    pub flags: &'r [String],
    /// The folder of the source, for what it includes.
    pub folder: &'r Path,
    /// True for C++.
    pub is_cpp: bool,
    /// The function.
    pub source: &'r SourceFunction,
    /// The program.
    pub program: &'r Program,
    /// The sizes, in the order of the program's parameters.
    pub sizes: &'r [i64],
}

/// How often each program runs.
const ROUNDS: usize = 3;

impl Runner<'_> {
    /// Runs sources, the one as written first.
    ///
    /// # Errors
    ///
    /// [`AdviseError::Run`] if a program cannot be built or run.
    pub fn measure(&self, sources: &[String]) -> Result<Vec<Measured>, AdviseError> {
        let folder = tempfile::tempdir().map_err(|error| AdviseError::Run { why: error.to_string() })?;
        let driver =
            Driver { source: self.source, program: self.program, sizes: self.sizes, is_cpp: self.is_cpp }.text()?;
        let ending = if self.is_cpp { "cpp" } else { "c" };
        let programs = sources.iter().enumerate().map(|(index, source)| {
            let file = folder.path().join(format!("order{index}.{ending}"));
            std::fs::write(&file, format!("{source}\n{driver}"))
                .map_err(|error| AdviseError::Run { why: error.to_string() })?;
            let program = folder.path().join(format!("order{index}"));
            let mut command = Command::new(self.compiler);
            command.args(self.flags).arg("-iquote").arg(self.folder).args(["-w", "-Dmain=symloc_main"]);
            if !self.is_cpp {
                // For the clock, whatever -std says.
                command.arg("-D_GNU_SOURCE");
            }
            let output = command.arg("-o").arg(&program).arg(&file).arg("-lm").stdin(Stdio::null()).output();
            let output = output.map_err(|error| AdviseError::Run { why: format!("{}: {error}", self.compiler) })?;
            match output.status.success() {
                true => Ok(program),
                false => Err(AdviseError::Run { why: String::from_utf8_lossy(&output.stderr).into_owned() }),
            }
        });
        let programs = programs.collect::<Result<Vec<_>, AdviseError>>()?;
        let mut measured: Vec<Measured> = Vec::new();
        let mut expected = None;
        for round in 0..ROUNDS {
            for (index, program) in programs.iter().enumerate() {
                if measured.get(index).is_some_and(|known| known.seconds.is_infinite()) {
                    continue;
                }
                let limit = measured.first().map_or(Duration::MAX, |written| patience(written.seconds));
                let ran = run(program, limit)?;
                let seconds = ran.map_or(f64::INFINITY, |(seconds, _)| seconds);
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
