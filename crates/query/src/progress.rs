//! The progress of a long query, shown on standard error if that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The time before a bar appears.
const PATIENCE: Duration = Duration::from_millis(500);

/// Whether a bar may appear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressBarUse {
    /// It appears if the query is long.
    Shown,
    /// It never appears, since the result itself does, line by line on the same terminal.
    Hidden,
}

/// A bar that appears once the work has taken some time.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// True if nothing is left to decide about whether the bar is shown.
    settled: bool,
}

impl Progress {
    /// Starts the bar.
    pub fn start(points: u128, bar_use: ProgressBarUse) -> Self {
        let length = u64::try_from(points).unwrap_or(u64::MAX);
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos} of {len} points, {eta} left") {
            bar.set_style(style);
        }
        Self { bar, settled: bar_use == ProgressBarUse::Hidden }
    }

    /// Counts a point as done.
    pub fn step(&mut self) {
        if !self.settled && self.bar.elapsed() > PATIENCE {
            self.settled = true;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
