//! The progress of a command on the terminal, its limits, and the times that `--timing` prints.

use std::cell::Cell;
use std::fmt;
use std::io::Write;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::check::Checked;
use crate::phases::Phases;
use crate::watchdog::WatchArgs;

/// The phases of a command and their times.
#[derive(Debug)]
pub(crate) struct Clock {
    progress: ProgressBar,
    phases: Phases,
    start: Instant,
    checked: Cell<Option<Checked>>,
}

impl Clock {
    /// Starts the clock and the watchdog.
    pub(crate) fn start(watch: &WatchArgs) -> Self {
        let progress = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} [{elapsed}]") {
            progress.set_style(style);
        }
        // Called once, because each call starts a thread.
        progress.enable_steady_tick(Duration::from_millis(100));
        let clock = Self { progress, phases: Phases::default(), start: Instant::now(), checked: Cell::default() };
        let (watch, phases) = (watch.clone(), clock.phases.clone());
        std::thread::spawn(move || watch.watch(&phases));
        clock
    }

    /// Enters a phase.
    pub(crate) fn enter(&self, phase: impl fmt::Display) {
        self.progress.set_message(phase.to_string());
        self.phases.lock().entered.push((phase.to_string(), Instant::now()));
    }

    /// Keeps the result of the RI sum test, to be printed at the end.
    pub(crate) fn checked(&self, checked: Checked) {
        self.checked.set(Some(checked));
    }

    /// Keeps a hint for when a limit is reached, besides raising it.
    pub(crate) fn advise(&self, advice: Option<String>) {
        self.phases.lock().advice = advice;
    }

    /// Returns the hint for a limit that an option raises.
    pub(crate) fn help(&self, option: &str) -> String {
        self.phases.lock().help(option)
    }

    /// Returns the name of the current phase.
    pub(crate) fn phase(&self) -> String {
        self.phases.lock().entered.last().map_or(String::new(), |(phase, _)| phase.clone())
    }

    /// Ends the clock.
    pub(crate) fn finish(self) {
        self.end();
    }

    /// Ends the clock; returns the phases with their starts.
    fn end(&self) -> Vec<(String, Instant)> {
        self.progress.finish_and_clear();
        std::mem::take(&mut self.phases.lock().entered)
    }

    /// Ends the clock, and prints the time of each phase.
    pub(crate) fn finish_with_times(self) {
        let phases = self.end();
        let end = Instant::now();
        let mut stderr = std::io::stderr().lock();
        // If standard error is closed, the times are lost.
        let line = |stderr: &mut dyn Write, name: &str, time: Duration| {
            let _ = writeln!(stderr, "{name:<20} {:>9.3} s", time.as_secs_f64());
        };
        let ends = phases.iter().skip(1).map(|(_, start)| *start).chain([end]);
        let times = phases.iter().zip(ends).map(|((name, start), end)| (name.as_str(), end - *start));
        for (name, time) in summed(times) {
            line(&mut stderr, name, time);
        }
        line(&mut stderr, "total", end - self.start);
        if let Some(Checked { identities, undecided, samples }) = self.checked.get() {
            let _ = writeln!(
                stderr,
                "RI sum test: {identities} identities hold, {undecided} undecided on formulas, {samples} sizes sampled"
            );
        }
    }
}

/// Adds up the times of each phase, in the order in which the phases first began; some begin repeatedly.
fn summed<'p>(times: impl Iterator<Item = (&'p str, Duration)>) -> Vec<(&'p str, Duration)> {
    let mut sums: Vec<(&str, Duration)> = Vec::new();
    for (name, time) in times {
        match sums.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += time,
            None => sums.push((name, time)),
        }
    }
    sums
}
