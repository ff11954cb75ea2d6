//! `--fail-above`: collects the caches that miss too much and reports them after the result.

use symloc_evaluate::Int;
use symloc_machine::Capacity;
use symloc_report::{AnswerHeader, text};

use crate::error::ExitStatus;
use crate::output::tell;
use crate::ratio::Ratio;

/// The largest number of failures that are described.
const DESCRIBED: u64 = 10;

/// The caches that exceed the bound of `--fail-above`.
pub(super) struct Failures<'r> {
    bound: Option<&'r Ratio>,
    found: Vec<String>,
    count: u64,
}

impl<'r> Failures<'r> {
    pub(super) fn new(bound: Option<&'r Ratio>) -> Self {
        Self { bound, found: Vec::new(), count: 0 }
    }

    /// Checks the levels of one answer: their names, their sizes and their misses.
    pub(super) fn check<'l>(
        &mut self,
        header: &AnswerHeader,
        levels: impl Iterator<Item = (Option<&'l str>, Capacity, Int)>,
    ) {
        let Some(bound) = self.bound else { return };
        for (number, (name, capacity, misses)) in (1..).zip(levels) {
            if bound.allows(&misses, &header.accesses) {
                continue;
            }
            self.count += 1;
            if self.count <= DESCRIBED {
                let at = header.at();
                let name = name.map_or_else(|| format!("level {number}"), str::to_owned);
                let ratio = text::ratio(misses.ratio(&header.accesses));
                self.found.push(format!("{name} ({capacity}){at} misses {ratio} of the accesses, more than {bound}"));
            }
        }
    }

    /// Reports the failures, after the result.
    pub(super) fn finish(self) -> ExitStatus {
        self.found.iter().for_each(|failure| tell("failed", failure));
        if self.count > DESCRIBED {
            tell("failed", &format!("and {} more", self.count - DESCRIBED));
        }
        if self.count == 0 { ExitStatus::Success } else { ExitStatus::CheckFailed }
    }
}
