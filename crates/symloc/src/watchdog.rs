//! The limits on time and memory.
//!
//! isl and Barvinok cannot be interrupted in an operation, so a thread watches the limits and ends the whole program.

use std::time::{Duration, Instant};

use clap::Args;
use indicatif::BinaryBytes;
use symloc_machine::Capacity;

use crate::phases::Phases;
use crate::scratch;

/// The limits on time and memory.
#[derive(Clone, Debug, Args)]
pub(crate) struct WatchArgs {
    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    time_limit: Option<Duration>,
    /// Give up when the program, with those that it runs, holds more memory than that
    #[arg(long, value_name = "SIZE", value_parser = bytes, default_value = "8GiB")]
    max_memory: u64,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let value = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    value.ok_or_else(|| format!("`{text}` is not a number of seconds"))
}

fn bytes(text: &str) -> Result<u64, String> {
    match text.parse()? {
        Capacity::Bytes(bytes) => Ok(bytes),
        Capacity::Lines(_) => Err("memory is not measured in lines; use B, KiB, MiB or GiB".to_owned()),
    }
}

/// The time between two checks. Memory that is allocated and freed in between is not noticed.
const INTERVAL: Duration = Duration::from_millis(20);

impl WatchArgs {
    /// Returns true if the user says how long it may take.
    pub(crate) fn has_time_limit(&self) -> bool {
        self.time_limit.is_some()
    }

    /// Watches the limits for ever. They apply only while there is a phase: without one, the work has not begun or is
    /// done.
    pub(crate) fn watch(&self, phases: &Phases) {
        let start = Instant::now();
        loop {
            let rest = self.time_limit.map(|limit| limit.saturating_sub(start.elapsed()));
            std::thread::sleep(rest.map_or(INTERVAL, |rest| rest.clamp(Duration::from_millis(1), INTERVAL)));
            let Some((limit, option)) = self.reached(start) else { continue };
            let state = phases.lock();
            if let Some((phase, _)) = state.entered.last() {
                eprintln!("error: limit: {limit} during {phase}\nhelp: {}", state.help(option));
                // Workers end with this process; other processes, such as those of torch-mlir, would continue.
                let workers = symloc_workers::running();
                let others = symloc_workers::descendants().into_iter().filter(|process| !workers.contains(process));
                symloc_workers::end(&others.collect::<Vec<_>>());
                scratch::remove_all();
                // Without destructors: those of a library would run while other threads still use it.
                signal_hook::low_level::exit(2);
            }
        }
    }

    /// Returns a description of the limit that is reached, and the option that raises it.
    fn reached(&self, start: Instant) -> Option<(String, &'static str)> {
        if let Some(limit) = self.time_limit.filter(|limit| start.elapsed() >= *limit) {
            return Some((format!("{} s passed", limit.as_secs_f64()), "--time-limit"));
        }
        // `None` if the system does not report the memory.
        let held = memory_stats::memory_stats()?.physical_mem as u64;
        (held + held_by_others() > self.max_memory)
            .then(|| (format!("more than {} of memory are held", BinaryBytes(self.max_memory)), "--max-memory"))
    }
}

/// Returns the memory of this process's descendants in bytes, without the pages that files back; 0 if the system does
/// not report it.
fn held_by_others() -> u64 {
    symloc_workers::descendants().into_iter().filter_map(anonymous_memory).sum()
}

/// Returns the anonymous memory of a process, from the line `RssAnon: 1234 kB` on Linux. Pages that a worker shares
/// with its parent since the fork count for both.
fn anonymous_memory(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}
