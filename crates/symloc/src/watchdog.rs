//! Limits on time and memory.
//!
//! Nothing interrupts isl or Barvinok in the middle of an operation, so a thread watches and ends the whole program.

use std::time::{Duration, Instant};

use clap::Args;
use indicatif::BinaryBytes;
use symloc_machine::Capacity;

use crate::phases::Phases;
use crate::scratch;

/// Limits of everything that may take long.
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

/// How often to look. What is allocated in between goes unnoticed.
const INTERVAL: Duration = Duration::from_millis(20);

impl WatchArgs {
    /// Watches for ever. While there is no phase, the work is done or has not begun, and no limit applies.
    pub(crate) fn watch(&self, phases: &Phases) {
        let start = Instant::now();
        loop {
            let rest = self.time_limit.map(|limit| limit.saturating_sub(start.elapsed()));
            std::thread::sleep(rest.map_or(INTERVAL, |rest| rest.clamp(Duration::from_millis(1), INTERVAL)));
            let Some((limit, option)) = self.reached(start) else { continue };
            let state = phases.lock();
            if let Some((phase, _)) = state.entered.last() {
                eprintln!("error: limit: {limit} during {phase}\nhelp: {}", state.help(option));
                // Workers end with this process; others, such as those of torch-mlir, would go on.
                let workers = symloc_workers::running();
                let others = symloc_workers::descendants().into_iter().filter(|process| !workers.contains(process));
                symloc_workers::end(&others.collect::<Vec<_>>());
                scratch::remove_all();
                // At once: the destructors of a library would meet it at work.
                signal_hook::low_level::exit(2);
            }
        }
    }

    /// The limit that is reached, in words, and the option that raises it.
    fn reached(&self, start: Instant) -> Option<(String, &'static str)> {
        if let Some(limit) = self.time_limit.filter(|limit| start.elapsed() >= *limit) {
            return Some((format!("{} s passed", limit.as_secs_f64()), "--time-limit"));
        }
        // None: a system that does not tell.
        let held = memory_stats::memory_stats()?.physical_mem as u64;
        (held + held_by_others() > self.max_memory)
            .then(|| (format!("more than {} of memory are held", BinaryBytes(self.max_memory)), "--max-memory"))
    }
}

/// The memory of the processes that this one has started, and of those that they have, in bytes, where the system tells: what they
/// do not share with files.
fn held_by_others() -> u64 {
    symloc_workers::descendants().into_iter().filter_map(anonymous_memory).sum()
}

/// Linux says it in a line `RssAnon: 1234 kB`. Pages that a worker has not written to since it was forked are its parent's, too.
fn anonymous_memory(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}
