//! `--fail-above`: caches that miss too much, or more than before, named after the result.

use symloc_evaluate::Int;
use symloc_machine::Capacity;
use symloc_report::AnswerHeader;
use symloc_report::answers::comparison::ModelComparison;
use symloc_report::answers::misses::{CacheMisses, LevelMisses};
use symloc_report::formats::text;

use crate::error::ExitStatus;
use crate::output::tell;
use symloc_report::ratio::{MissGrowth, Ratio};

/// The most failures that are described.
const DESCRIBED: u64 = 10;

/// The failures that `--fail-above` has found.
#[derive(Default)]
pub(crate) struct Failures {
    found: Vec<String>,
    count: u64,
}

impl Failures {
    /// Adds the levels of an answer that miss more than a bound allows: each level with its name, its size and its misses.
    pub(crate) fn check<'l>(
        &mut self,
        bound: Option<&Ratio>,
        header: &AnswerHeader,
        levels: impl Iterator<Item = (Option<&'l str>, Capacity, Int)>,
    ) {
        let Some(bound) = bound else { return };
        for (number, (name, capacity, misses)) in (1..).zip(levels) {
            if !bound.allows(&misses, &header.accesses) {
                let name = name.map_or_else(|| format!("level {number}"), str::to_owned);
                let (at, ratio) = (header.at(), text::ratio(misses.ratio(&header.accesses)));
                self.add(format!("{name} ({capacity}){at} misses {ratio} of the accesses, more than {bound}"));
            }
        }
    }

    /// Adds the levels of some answers that miss more than a bound allows.
    pub(crate) fn check_all(&mut self, bound: Option<&Ratio>, answers: &[LevelMisses]) {
        for answer in answers {
            self.check(bound, &answer.header, answer.levels.iter().map(CacheMisses::summary));
        }
    }

    /// Adds the caches of a comparison in which the second program misses more than the first by more than a bound allows.
    pub(crate) fn check_growth(&mut self, bound: &MissGrowth, labels: [&str; 2], comparison: &ModelComparison) {
        for level in &comparison.levels {
            let [first, second] = &level.misses;
            if !bound.allows(first, second) {
                let [before, after] = labels;
                let ways = level.ways.map(|ways| format!(", {ways} ways")).unwrap_or_default();
                let at = match comparison.parameters.as_slice() {
                    [] => String::new(),
                    sizes => format!(" at {}", text::sizes(sizes)),
                };
                self.add(format!(
                    "misses in {}{ways}{at}: {first} in {before}, {second} in {after}, more than {bound} above",
                    level.cache
                ));
            }
        }
    }

    fn add(&mut self, failure: String) {
        self.count += 1;
        if self.count <= DESCRIBED {
            self.found.push(failure);
        }
    }

    /// Prints the failures on standard error; called after the result is written.
    pub(crate) fn finish(self) -> ExitStatus {
        self.found.iter().for_each(|failure| tell("failed", failure));
        if self.count > DESCRIBED {
            tell("failed", &format!("and {} more", self.count - DESCRIBED));
        }
        if self.count == 0 { ExitStatus::Success } else { ExitStatus::CheckFailed }
    }
}
