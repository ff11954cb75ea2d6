//! The progress of a command on the terminal, its limits, and the times that `--timing` prints.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::io::Write;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use symloc_derivation::check::Checked;

use crate::phases::Phases;
use crate::progress::{DoneShare, WHOLE};
use crate::watchdog::WatchArgs;

/// The phases of a command and their times.
#[derive(Debug)]
pub(crate) struct Clock {
    progress: ProgressBar,
    phases: Phases,
    start: Instant,
    checked: Cell<Option<Checked>>,
    /// The share of a command that is one derivation; `None` for others.
    share: Cell<Option<DoneShare>>,
    /// Where the time went: lines to be printed below the phases.
    costs: RefCell<Vec<String>>,
}

impl Clock {
    /// Starts the clock and the watchdog.
    pub(crate) fn start(watch: &WatchArgs) -> Self {
        Self::with(watch, None, "{spinner} {msg} [{elapsed}]")
    }

    /// Starts the clock and the watchdog of a command that is one derivation, with a bar for the share that is done.
    pub(crate) fn start_with_share(watch: &WatchArgs) -> Self {
        Self::with(watch, Some(DoneShare::default()), "{spinner} {msg} {wide_bar} {percent} % [{elapsed}]")
    }

    fn with(watch: &WatchArgs, share: Option<DoneShare>, template: &str) -> Self {
        let progress = ProgressBar::new(WHOLE);
        if let Ok(style) = ProgressStyle::with_template(template) {
            progress.set_style(style);
        }
        // Called once, because each call starts a thread.
        progress.enable_steady_tick(Duration::from_millis(100));
        let clock = Self {
            progress,
            phases: Phases::default(),
            start: Instant::now(),
            checked: Cell::default(),
            share: Cell::new(share),
            costs: RefCell::default(),
        };
        let (watch, phases) = (watch.clone(), clock.phases.clone());
        std::thread::spawn(move || watch.watch(&phases));
        clock
    }

    /// Moves the bar on, if there is one: accesses of the weight `done` out of `total` have been derived.
    pub(crate) fn advance(&self, done: u64, total: u64) {
        if let Some(share) = self.share.get() {
            let share = share.after(done, total);
            self.share.set(Some(share));
            self.progress.set_position(share.thousandths());
        }
    }

    /// Keeps the lines that say which accesses took long, to be printed at the end.
    pub(crate) fn costs(&self, lines: Vec<String>) {
        *self.costs.borrow_mut() = lines;
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
        for cost in self.costs.take() {
            let _ = writeln!(stderr, "{cost}");
        }
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
