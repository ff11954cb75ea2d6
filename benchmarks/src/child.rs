//! This program again, as a child with a time limit.

use std::ffi::OsStr;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Failure;

/// How a child ended.
pub(crate) enum Outcome {
    /// With exit code 0; its standard output.
    Success(String),
    /// In another way; its standard output and standard error.
    Failure(String),
    /// Not within the limit.
    Limit,
}

/// Runs this program with other arguments.
pub(crate) fn run(args: &[&OsStr], limit: Duration) -> Result<Outcome, Failure> {
    let mut child =
        Command::new(std::env::current_exe()?).args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let start = Instant::now();
    // What a child prints fits into the pipes, so waiting first is safe.
    while child.try_wait()?.is_none() {
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(Outcome::Limit);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut text = String::new();
    if let Some(mut out) = child.stdout.take() {
        out.read_to_string(&mut text)?;
    }
    if child.wait()?.success() {
        return Ok(Outcome::Success(text));
    }
    if let Some(mut err) = child.stderr.take() {
        err.read_to_string(&mut text)?;
    }
    Ok(Outcome::Failure(text))
}
