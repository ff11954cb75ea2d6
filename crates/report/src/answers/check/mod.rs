//! The answer of `symloc check`: which kernels of a repository miss more than they may, where, and by how much.
//!
//! - [`text`]: for people; [`json`]: for programs,
//! - [`junit`], [`sarif`]: for those who show tests and annotate changes; [`markdown`]: for a comment.

use std::fmt;
use std::io::{self, Write};

use clap::ValueEnum;
use symloc_evaluate::Int;

use crate::Counted;
use crate::formats::text::percent_of;

pub mod json;
pub mod junit;
pub mod markdown;
pub mod sarif;
pub mod text;

#[cfg(test)]
mod tests;

/// The form of the answer of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// A line for each kernel, and what is worse below
    #[default]
    Text,
    /// One JSON object
    Json,
    /// JUnit's XML: a test case for each kernel
    Junit,
    /// SARIF 2.1.0: an annotation for each access that misses more
    Sarif,
    /// Tables for a comment
    Markdown,
}

/// The kernels of a repository.
#[derive(Clone, Debug)]
pub struct CheckAnswer {
    /// The name of the `symloc.toml`.
    pub file: String,
    /// The path from the top of the repository to the folder of the `symloc.toml`, empty or with `/` at its end.
    pub prefix: String,
    /// The kernels, in the order of the file.
    pub kernels: Vec<CheckedAnswer>,
}

/// A kernel and the result of its check.
#[derive(Clone, Debug)]
pub struct CheckedAnswer {
    /// The name.
    pub name: String,
    /// The file of the kernel.
    pub file: String,
    /// The line of its name in the `symloc.toml`.
    pub line: usize,
    /// The result.
    pub result: CheckResult,
}

/// The result of the check of a kernel.
#[derive(Clone, Debug)]
pub enum CheckResult {
    /// Everything holds; with remarks, such as that there was nothing to compare with.
    Holds(Vec<String>),
    /// Some conditions do not hold.
    Failed(Vec<Finding>),
    /// The check could not be made, for this reason.
    Unchecked(String),
}

/// The kind of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckRule {
    /// `not-worse-than`.
    NotWorseThan,
    /// `max-misses`.
    MaxMisses,
    /// `max-ratio`.
    MaxRatio,
    /// `fits`.
    Fits,
}

impl CheckRule {
    /// All rules, in the order of their declaration.
    pub const ALL: [CheckRule; 4] = [Self::NotWorseThan, Self::MaxMisses, Self::MaxRatio, Self::Fits];

    /// Returns the key in the `symloc.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotWorseThan => "not-worse-than",
            Self::MaxMisses => "max-misses",
            Self::MaxRatio => "max-ratio",
            Self::Fits => "fits",
        }
    }

    /// Returns a sentence about it.
    pub fn description(self) -> &'static str {
        match self {
            Self::NotWorseThan => "A kernel misses more often than the one that it is compared with.",
            Self::MaxMisses => "A kernel misses more often than its limit.",
            Self::MaxRatio => "A larger part of a kernel's accesses misses than its limit.",
            Self::Fits => "A kernel does not fit a cache at a size at which it should.",
        }
    }
}

/// A condition that does not hold at a size in a level.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The kind of condition.
    pub rule: CheckRule,
    /// The size, and the number of threads: `n = 500, 8 threads`.
    pub at: String,
    /// The level.
    pub level: String,
    /// The condition: `main`, a limit, a rule.
    pub bound: String,
    /// The misses of the kernel that it is compared with.
    pub before: Option<Counted>,
    /// The misses.
    pub after: Counted,
    /// The number of accesses.
    pub accesses: Int,
    /// The accesses that miss more, those with the largest difference first; without a comparison, those that miss most.
    pub changes: Vec<AccessChange>,
}

/// An access that misses more than before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessChange {
    /// The file, line and column where it stands.
    pub place: (String, u32, u32),
    /// As in `B[k][j]`.
    pub name: String,
    /// `read` or `write`.
    pub kind: String,
    /// The misses before; `None` if nothing is compared or the access is new.
    pub before: Option<Int>,
    /// The misses.
    pub after: Int,
    /// The leading terms of both numbers, where both are known.
    pub formulas: Option<(String, String)>,
}

/// The numbers of kernels with each result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckCounts {
    /// Everything holds.
    pub holding: usize,
    /// Some condition does not hold.
    pub failed: usize,
    /// The check could not be made.
    pub unchecked: usize,
}

impl CheckAnswer {
    /// Counts the results.
    pub fn counts(&self) -> CheckCounts {
        let count = |is: fn(&CheckResult) -> bool| self.kernels.iter().filter(|kernel| is(&kernel.result)).count();
        CheckCounts {
            holding: count(|result| matches!(result, CheckResult::Holds(_))),
            failed: count(|result| matches!(result, CheckResult::Failed(_))),
            unchecked: count(|result| matches!(result, CheckResult::Unchecked(_))),
        }
    }

    /// Writes the answer.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write(&self, out: &mut dyn Write, format: CheckFormat) -> io::Result<()> {
        match format {
            CheckFormat::Text => text::write(self, out),
            CheckFormat::Json => json::write(self, out),
            CheckFormat::Junit => junit::write(self, out),
            CheckFormat::Sarif => sarif::write(self, out),
            CheckFormat::Markdown => markdown::write(self, out),
        }
    }
}

impl fmt::Display for CheckCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.holding + self.failed + self.unchecked;
        write!(f, "{all} kernel{}: {} ok", if all == 1 { "" } else { "s" }, self.holding)?;
        for (count, what) in [(self.failed, "failed"), (self.unchecked, "could not be checked")] {
            if count > 0 {
                write!(f, ", {count} {what}")?;
            }
        }
        Ok(())
    }
}

/// Returns a number with the interval of samples: `1200`, or `1200 (1100 to 1300)`.
fn counted(count: &Counted) -> String {
    match &count.interval {
        None => count.value.to_string(),
        Some((low, high)) => format!("{} ({low} to {high})", count.value),
    }
}

/// Returns how many more `after` are than `before`: `16.00 times`, or `0.32% more`.
fn times(before: &Int, after: &Int) -> String {
    match after.ratio(before) {
        _ if before.is_zero() => "none before".to_owned(),
        times if times >= 1.1 => format!("{times:.2} times"),
        _ => format!("{} more", percent_of(&(after - before), before)),
    }
}

impl Finding {
    /// Returns the size and the level, as in `n = 500, 32KiB`.
    pub fn place(&self) -> String {
        if self.at.is_empty() { self.level.clone() } else { format!("{}, {}", self.at, self.level) }
    }

    /// Returns what is wrong, as a sentence without an end.
    pub fn message(&self) -> String {
        let Self { bound, after, .. } = self;
        let misses = counted(after);
        match (self.rule, &self.before) {
            (CheckRule::NotWorseThan, Some(before)) => {
                format!("{misses} misses, {} in {bound} ({})", counted(before), times(&before.value, &after.value))
            }
            (CheckRule::NotWorseThan, None) => format!("{misses} misses, unlike {bound}"),
            (CheckRule::MaxMisses, _) => format!("{misses} misses, more than {bound}"),
            (CheckRule::MaxRatio, _) => {
                format!("{} of the accesses miss, more than {bound}", percent_of(&after.value, &self.accesses))
            }
            (CheckRule::Fits, _) => format!("{misses} misses that are no first touches, although {bound}"),
        }
    }
}

impl AccessChange {
    /// Returns the change, as in `from n^3/16 to n^3`; in numbers where there are no formulas.
    pub fn change(&self) -> String {
        match (&self.formulas, &self.before) {
            (Some((before, after)), _) if before != after => format!("from {before} to {after}"),
            (_, Some(before)) => format!("from {before} to {}", self.after),
            (_, None) => self.after.to_string(),
        }
    }

    /// Returns the change with its numbers, where there are formulas.
    pub fn change_with_numbers(&self) -> String {
        match (&self.formulas, &self.before) {
            (Some((one, other)), Some(before)) if one != other => {
                format!("{} (from {before} to {})", self.change(), self.after)
            }
            _ => format!("{} misses", self.change()),
        }
    }
}
