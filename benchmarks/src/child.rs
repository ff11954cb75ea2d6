//! Runs this program as a child with a limit on its processor time, which other programs on the machine do not use up.

use std::ffi::OsStr;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, Signal, setrlimit};
use rustix::time::{ClockId, clock_gettime};

use crate::BoxedError;

/// The option with which a child limits itself.
const OPTION: &str = "--cpu-limit";

/// The end of a child.
pub(crate) enum ChildEnd {
    /// The exit code is 0; with its standard output.
    Success(String),
    /// The child failed; with its standard output and standard error.
    Failure(String),
    /// The limit was reached; with its standard output until then.
    Limit(String),
}

/// Runs this program with other arguments and a limit on its processor time in seconds.
pub(crate) fn run(args: &[&OsStr], limit: u64) -> Result<ChildEnd, BoxedError> {
    let child = Command::new(std::env::current_exe()?).args([OPTION, &limit.to_string()]).args(args).output()?;
    let text = String::from_utf8_lossy(&child.stdout).into_owned();
    if child.status.success() {
        return Ok(ChildEnd::Success(text));
    }
    if child.status.signal() == Some(Signal::XCPU.as_raw()) {
        return Ok(ChildEnd::Limit(text));
    }
    let errors = String::from_utf8_lossy(&child.stderr);
    Ok(ChildEnd::Failure(format!("{}\n{text}{errors}", child.status)))
}

/// Makes the system end this process, a child, after `seconds` seconds of processor time.
pub(crate) fn limit_self(seconds: u64) -> Result<(), BoxedError> {
    Ok(setrlimit(Resource::Cpu, Rlimit { current: Some(seconds), maximum: None })?)
}

/// Returns the processor time of this process so far, user and system.
pub(crate) fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    // The fields of elapsed time are never negative.
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}
