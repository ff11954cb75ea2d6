//! The progress of a long query, shown on standard error if that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The time before a bar appears.
const PATIENCE: Duration = Duration::from_millis(500);

/// A bar that appears once the work has taken some time.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    shown: bool,
}

impl Progress {
    /// Starts the bar; it stays hidden if `quiet`, since the result itself appears line by line on the same terminal.
    pub fn start(points: u128, quiet: bool) -> Self {
        let length = u64::try_from(points).unwrap_or(u64::MAX);
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos} of {len} points, {eta} left") {
            bar.set_style(style);
        }
        Self { bar, shown: quiet }
    }

    /// Counts a point as done.
    pub fn step(&mut self) {
        if !self.shown && self.bar.elapsed() > PATIENCE {
            self.shown = true;
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
