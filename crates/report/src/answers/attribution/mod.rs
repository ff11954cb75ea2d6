//! Misses by array, access or nest at one size, and the bytes that they move.

use std::io::{self, Write};

use serde::Serialize;
use symloc_evaluate::Int;
use symloc_machine::Capacity;
use symloc_model::Model;

use super::Answer;
use super::misses::MissSource;
use crate::formats::csv;
use crate::subject::{RowSubject, RowsBy, file, kind};
use crate::{AnswerHeader, Counted};

mod json;
mod text;

/// The misses of some caches at one size, by the arrays, accesses or nests that cause them.
#[derive(Debug)]
pub struct AttributionReport<'m> {
    /// The model.
    pub model: &'m Model,
    /// The source of the misses.
    pub source: MissSource,
    /// The number of reuses that are estimated because the model holds no distance for them.
    pub estimated: Int,
    /// The header of the answer.
    pub header: AnswerHeader,
    /// The number of floating-point operations; `None` if it is not known.
    pub operations: Option<Int>,
    /// The subjects of the rows; `None` if there are no rows.
    pub by: Option<RowsBy>,
    /// True if bytes are wanted instead of misses.
    pub traffic: bool,
    /// The caches.
    pub levels: Vec<FilledCache>,
    /// Arrays, accesses or nests, in the order of the program.
    pub rows: Vec<FillRow<'m>>,
}

impl AttributionReport<'_> {
    fn intensity(&self, level: &FilledCache) -> Option<f64> {
        self.operations.as_ref().map(|operations| operations.ratio(&level.traffic().value))
    }

    /// Returns true if the bytes that the caches write back are known.
    fn tells_written(&self) -> bool {
        self.levels.iter().any(|level| level.fill.written.is_some())
    }

    /// Returns true if samples left open of some lines whether they are written back.
    fn is_undecided(&self) -> bool {
        self.levels.iter().any(|level| level.fill.written.as_ref().is_some_and(|written| written.undecided))
    }

    /// Returns true if misses are sampled.
    fn is_sampled(&self) -> bool {
        self.levels.iter().any(|level| level.fill.misses.interval.is_some())
    }
}

/// One cache and all of its misses.
#[derive(Debug)]
pub struct FilledCache {
    /// The name that its machine gives it.
    pub name: Option<String>,
    /// As the user gave it.
    pub capacity: Capacity,
    /// The number of lines it holds.
    pub lines: u64,
    /// The data read into it.
    pub fill: Fill,
}

impl FilledCache {
    /// Returns its name, its size and the number of accesses that miss.
    pub fn summary(&self) -> (Option<&str>, Capacity, Int) {
        (self.name.as_deref(), self.capacity, self.fill.misses.value.clone())
    }

    /// Returns the number of bytes read and, as far as it is known, written back.
    pub fn traffic(&self) -> Counted {
        let Fill { bytes, written, .. } = &self.fill;
        written.as_ref().map_or_else(|| bytes.clone(), |written| bytes.plus(written))
    }

    /// Returns its name in the head of a table.
    pub fn called(&self) -> String {
        self.name.as_ref().map_or_else(|| self.capacity.to_string(), |name| format!("{name} ({})", self.capacity))
    }
}

/// The data read into a cache, and written back.
#[derive(Clone, Debug)]
pub struct Fill {
    /// The number of lines: the misses.
    pub misses: Counted,
    /// The number of bytes.
    pub bytes: Counted,
    /// The number of bytes written back, where it is known.
    pub written: Option<Counted>,
}

impl Default for Fill {
    fn default() -> Self {
        Self { misses: Counted::exact(0), bytes: Counted::exact(0), written: None }
    }
}

impl Fill {
    /// Creates the fill of `misses` misses, each of which reads `bytes` bytes.
    pub fn read(misses: Int, bytes: &Int) -> Self {
        Self { bytes: Counted::exact(&misses * bytes), misses: Counted::exact(misses), written: None }
    }

    /// Returns the sum of both; the bytes written back are dropped.
    pub fn plus(&self, other: &Fill) -> Fill {
        Fill { misses: self.misses.plus(&other.misses), bytes: self.bytes.plus(&other.bytes), written: None }
    }

    /// Returns the cells for the interval and for the bytes written back.
    fn further(&self) -> Vec<String> {
        [csv::ends(self.misses.interval.as_ref()).as_slice(), &Counted::csv(self.written.as_ref())].concat()
    }

    /// Returns the share of a cache's misses that these are.
    pub(crate) fn share(&self, of: &FilledCache) -> f64 {
        self.misses.value.ratio(&of.fill.misses.value)
    }
}

/// One array, access or nest.
#[derive(Debug)]
pub struct FillRow<'m> {
    /// The array, access or nest.
    pub subject: RowSubject<'m>,
    /// The number of times it executes.
    pub accesses: Int,
    /// The number of times it is the first to touch a line.
    pub first_touches: Int,
    /// The data it reads into each cache.
    pub fills: Vec<Fill>,
}

impl<'m> FillRow<'m> {
    /// Returns true if the bytes that it makes the caches write back are known.
    fn tells_written(&self) -> bool {
        self.fills.iter().any(|fill| fill.written.is_some())
    }

    /// Returns the sum of both rows, under the name of this one.
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            subject: self.subject,
            accesses: &self.accesses + &other.accesses,
            first_touches: &self.first_touches + &other.first_touches,
            fills: self.fills.iter().zip(&other.fills).map(|(a, b)| a.plus(b)).collect(),
        }
    }
}

impl Answer for AttributionReport<'_> {
    fn json(&self) -> impl Serialize {
        json::AttributionAnswer::new(self)
    }

    fn head(&self) -> Vec<String> {
        let columns: &[&str] = match self.by {
            Some(by) => &[
                if by == RowsBy::Nest { "nest" } else { "array" },
                if by == RowsBy::Nest { "name" } else { "access" },
                "file",
                "line",
                "column",
                "kind",
                "accesses",
                "first_touches",
                "cache_lines",
                "misses",
                "bytes",
                "share",
                "low",
                "high",
                "bytes_written",
                "bytes_written_low",
                "bytes_written_high",
            ],
            None => &[
                "cache_lines",
                "filled_from_lines",
                "misses",
                "bytes",
                "operations",
                "operations_per_byte",
                "low",
                "high",
                "bytes_written",
                "bytes_written_low",
                "bytes_written_high",
            ],
        };
        let parameters = self.header.parameters.iter().map(|(name, _)| name.clone());
        parameters.chain(columns.iter().map(|&name| name.to_owned())).collect()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let rows = match self.by {
            Some(_) => self.rows.iter().flat_map(|row| self.rows_of(row)).collect::<Vec<_>>(),
            None => (0..self.levels.len()).map(|index| self.row_of(index)).collect(),
        };
        let parameters: Vec<_> = self.header.parameters.iter().map(|(_, value)| value.to_string()).collect();
        rows.into_iter().map(|row| [parameters.clone(), row].concat()).collect()
    }

    fn write_text(reports: &[Self], out: &mut dyn Write) -> io::Result<()> {
        text::write(reports, out)
    }
}

impl AttributionReport<'_> {
    /// Returns the rows of an array, an access or a nest in CSV, one for each cache.
    fn rows_of(&self, row: &FillRow<'_>) -> Vec<Vec<String>> {
        let subject = row.subject;
        let mut name = match subject {
            RowSubject::Array(array) => vec![array.name.clone()],
            RowSubject::Access(array, _) => vec![array.name.clone(), subject.name()],
            RowSubject::Nest(number, nest, _) => vec![number.to_string(), nest.name.clone().unwrap_or_default()],
        };
        if let Some(access) = subject.place() {
            let place = [file(self.model, access).to_owned(), access.line.to_string(), access.column.to_string()];
            name.extend(place);
        }
        name.extend(subject.access().map(|(_, access)| kind(access).to_owned()));
        name.resize(6, String::new());
        name.extend([row.accesses.to_string(), row.first_touches.to_string()]);
        let cells = |(fill, level): (&Fill, &FilledCache)| {
            let share = fill.share(level);
            let cells = [
                level.lines.to_string(),
                fill.misses.value.to_string(),
                fill.bytes.value.to_string(),
                csv::ratio(share),
            ];
            [name.as_slice(), &cells, &fill.further()].concat()
        };
        row.fills.iter().zip(&self.levels).map(cells).collect()
    }

    /// Returns the row of a cache in CSV.
    fn row_of(&self, index: usize) -> Vec<String> {
        let level = &self.levels[index];
        let cells = [
            level.lines.to_string(),
            csv::optional(source(&self.levels, index).map(|next| next.lines)),
            level.fill.misses.value.to_string(),
            level.fill.bytes.value.to_string(),
            csv::optional(self.operations.as_ref()),
            self.intensity(level).map(csv::ratio).unwrap_or_default(),
        ];
        [cells.as_slice(), &level.fill.further()].concat()
    }
}

/// Returns the next larger cache.
fn source(levels: &[FilledCache], index: usize) -> Option<&FilledCache> {
    levels.iter().filter(|level| level.lines > levels[index].lines).min_by_key(|level| level.lines)
}
