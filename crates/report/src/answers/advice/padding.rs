//! Longer rows with which an order misses less.

use serde::Serialize;

use super::arrays::ArrayMisses;

/// The sets of one level that a column meets.
#[derive(Clone, Debug, Serialize)]
pub struct SetsReport {
    /// The level's name.
    pub level: String,
    /// The number of its sets.
    pub sets: u64,
    /// Those that the column meets before.
    pub before: u64,
    /// Those that it meets after.
    pub after: u64,
}

/// The rows of one array, before and after.
#[derive(Clone, Debug, Serialize)]
pub struct RowsReport {
    /// The array.
    pub name: String,
    /// The distance of neighbouring rows in elements, before and after.
    pub elements: [u64; 2],
    /// The distance in bytes, before and after.
    pub bytes: [u64; 2],
    /// By level with several sets, those that a column meets; none if the rows are longer only because they are as long as those of
    /// another array.
    pub sets: Vec<SetsReport>,
    /// The change of the source that makes the rows longer, as a phrase.
    pub change: String,
}

/// Longer rows with which an order is predicted to be faster.
#[derive(Clone, Debug, Serialize)]
pub struct PaddingReport {
    /// The arrays whose rows are longer.
    pub rows: Vec<RowsReport>,
    /// By level, the misses.
    pub misses: Vec<f64>,
    /// True if the misses are counted, and not estimated from samples.
    #[serde(rename = "exact")]
    pub is_exact: bool,
    /// The misses by array.
    pub arrays: Vec<ArrayMisses>,
    /// The predicted cycles.
    pub cycles: f64,
}

impl RowsReport {
    /// Returns the change of distances as a sentence.
    pub(super) fn distances(&self) -> String {
        let ([elements, longer], [bytes, more]) = (self.elements, self.bytes);
        format!("pad the rows of {} from {elements} to {longer} elements ({bytes} to {more} bytes)", self.name)
    }

    /// Returns the sets that a column meets, where longer rows change their number; `None` if they do not.
    pub(super) fn reason(&self) -> Option<String> {
        let changed = self.sets.iter().filter(|sets| sets.before != sets.after);
        let level = |SetsReport { level, sets, before, after }: &SetsReport| {
            format!("{before} of the {sets} sets of {level}, with padding {after}")
        };
        let levels: Vec<_> = changed.map(level).collect();
        (!levels.is_empty()).then(|| format!("a column of {} meets {}", self.name, levels.join("; ")))
    }
}
