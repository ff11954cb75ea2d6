//! Misses by array, access or nest at one size, and the bytes that they move.

use std::io::{self, Write};

use serde::Serialize;
use symloc_evaluate::Int;
use symloc_machine::Capacity;
use symloc_model::Model;

use crate::answers::Answer;
use crate::answers::counted::SAMPLED;
use crate::answers::estimate;
use crate::answers::misses::MissSource;
use crate::formats::text::{self, Columns, percent};
use crate::formats::{csv, json};
use crate::subject::{RowSubject, RowsBy, SubjectAnswer, file, kind};
use crate::{AnswerHeader, Counted, Fields};

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

/// Notes on the meaning of bytes where write-backs are not known, and where they are.
const READ: &str = "Bytes are those of lines read into a cache; write-backs of changed lines are not counted.";
const READ_AND_WRITTEN: &str = "Bytes are those of lines read into a cache, and of changed lines that it writes back.";

impl Answer for AttributionReport<'_> {
    fn json(&self) -> impl Serialize {
        AttributionAnswer {
            schema: "symloc.attribution/1",
            header: self.header.fields(self.source.name()),
            estimated: (!self.estimated.is_zero()).then_some(json::Number(&self.estimated)),
            operations: self.operations.as_ref().map(json::Number),
            levels: (0..self.levels.len()).map(|index| FilledCacheAnswer::new(self, index)).collect(),
            rows: self.rows.iter().map(|row| FillRowAnswer::new(self, row)).collect(),
        }
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
        let varying = AnswerHeader::write_common(reports.iter().map(|report| &report.header), out)?;
        let Some(first) = reports.first() else { return Ok(()) };
        if first.traffic && varying.is_empty() {
            match &first.operations {
                Some(count) => writeln!(out, "{count} floating-point operations")?,
                None => writeln!(out, "floating-point operations: their number is not known")?,
            }
        }
        let same_levels = reports.iter().all(|report| {
            report.levels.iter().map(FilledCache::called).eq(first.levels.iter().map(FilledCache::called))
        });
        match first.by {
            Some(by) if same_levels => {
                writeln!(out)?;
                by_row(reports, by, &varying).write(out)?;
            }
            Some(by) => {
                for report in reports {
                    writeln!(out)?;
                    by_row(std::slice::from_ref(report), by, &varying).write(out)?;
                }
            }
            None => {
                writeln!(out)?;
                by_level(reports, &varying).write(out)?;
            }
        }
        if first.traffic {
            writeln!(out, "\n{}", if first.tells_written() { READ_AND_WRITTEN } else { READ })?;
        }
        if reports.iter().any(AttributionReport::is_sampled) {
            writeln!(out, "\n{SAMPLED}")?;
        }
        match reports {
            [report] => estimate::write_note(out, &report.estimated),
            _ => Ok(()),
        }
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

/// Returns a table with a row for each array, access or nest, and two columns for each cache.
fn by_row(reports: &[AttributionReport<'_>], by: RowsBy, varying: &[String]) -> Columns {
    let levels = reports.first().map(|report| report.levels.as_slice()).unwrap_or_default();
    let traffic = reports.iter().any(|report| report.traffic);
    let written = traffic && reports.iter().any(|report| report.rows.iter().any(FillRow::tells_written));
    let sampled = reports.iter().any(AttributionReport::is_sampled);
    let unit = if traffic { "bytes" } else { "misses" };
    let named = by.head();
    let mut head: Vec<_> = varying.to_vec();
    head.extend(named.iter().copied().chain(["accesses", "first touches"]).map(str::to_owned));
    for level in levels {
        head.extend([format!("{unit} {}", level.called()), "share".to_owned()]);
        head.extend(sampled.then(|| "±".to_owned()));
        if written {
            head.push("written back".to_owned());
            head.extend(sampled.then(|| "±".to_owned()));
        }
    }
    let head: Vec<_> = head.iter().map(String::as_str).collect();
    let mut table = Columns::new(&head, varying.len() + named.len());
    for report in reports {
        for row in &report.rows {
            let mut cells = report.header.values(varying);
            cells.extend(row.subject.cells());
            cells.extend([row.accesses.to_string(), row.first_touches.to_string()]);
            for (fill, level) in row.fills.iter().zip(&report.levels) {
                let (own, all) = match report.traffic {
                    true => (&fill.bytes.value, &level.fill.bytes.value),
                    false => (&fill.misses.value, &level.fill.misses.value),
                };
                cells.extend([own.to_string(), percent(own.ratio(all))]);
                cells.extend(sampled.then(|| fill.misses.half_width(&level.fill.misses.value, percent)));
                cells.extend(written.then(|| Counted::cells(fill.written.as_ref(), sampled)).into_iter().flatten());
            }
            table.push(cells);
        }
    }
    table
}

/// Returns a table with a row for each cache.
fn by_level(reports: &[AttributionReport<'_>], varying: &[String]) -> Columns {
    let varied = varying.iter().map(String::as_str);
    let mut head: Vec<_> = varied.chain(["cache", "filled from", "lines read", "bytes read"]).collect();
    let written = reports.iter().any(AttributionReport::tells_written);
    let sampled = reports.iter().any(AttributionReport::is_sampled);
    if written {
        head.push("bytes written");
        head.extend(sampled.then_some("±"));
    }
    head.extend((!varying.is_empty()).then_some("operations"));
    head.push("operations per byte");
    let mut table = Columns::new(&head, varying.len());
    for report in reports {
        for (index, level) in report.levels.iter().enumerate() {
            let mut cells = report.header.values(varying);
            cells.extend([
                level.called(),
                source(&report.levels, index).map_or_else(|| "memory".to_owned(), FilledCache::called),
                level.fill.misses.value.to_string(),
                level.fill.bytes.value.to_string(),
            ]);
            cells.extend(written.then(|| Counted::cells(level.fill.written.as_ref(), sampled)).into_iter().flatten());
            let unknown = || "-".to_owned();
            cells
                .extend((!varying.is_empty()).then(|| report.operations.as_ref().map_or_else(unknown, Int::to_string)));
            cells.push(text::ratio(report.intensity(level).unwrap_or(f64::NAN)));
            table.push(cells);
        }
    }
    table
}

/// Returns the next larger cache.
fn source(levels: &[FilledCache], index: usize) -> Option<&FilledCache> {
    levels.iter().filter(|level| level.lines > levels[index].lines).min_by_key(|level| level.lines)
}

#[derive(Serialize)]
struct AttributionAnswer<'a> {
    schema: &'static str,
    #[serde(flatten)]
    header: Fields<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated: Option<json::Number<'a>>,
    operations: Option<json::Number<'a>>,
    levels: Vec<FilledCacheAnswer<'a>>,
    rows: Vec<FillRowAnswer<'a>>,
}

#[derive(Serialize)]
struct FilledCacheAnswer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    lines: u64,
    filled_from_lines: Option<u64>,
    #[serde(serialize_with = "json::int")]
    misses: Int,
    #[serde(serialize_with = "json::int")]
    bytes: Int,
    #[serde(flatten)]
    further: FurtherAnswer<'a>,
    operations_per_byte: Option<f64>,
}

impl<'a> FilledCacheAnswer<'a> {
    fn new(report: &'a AttributionReport<'_>, index: usize) -> Self {
        let level = &report.levels[index];
        Self {
            name: level.name.as_deref(),
            lines: level.lines,
            filled_from_lines: source(&report.levels, index).map(|next| next.lines),
            misses: level.fill.misses.value.clone(),
            bytes: level.fill.bytes.value.clone(),
            further: FurtherAnswer::new(&level.fill),
            operations_per_byte: report.intensity(level),
        }
    }
}

#[derive(Serialize)]
struct FillRowAnswer<'a> {
    #[serde(flatten)]
    subject: SubjectAnswer<'a>,
    #[serde(serialize_with = "json::int")]
    accesses: &'a Int,
    #[serde(serialize_with = "json::int")]
    first_touches: &'a Int,
    levels: Vec<FillAnswer<'a>>,
}

#[derive(Serialize)]
struct FillAnswer<'a> {
    #[serde(serialize_with = "json::int")]
    misses: &'a Int,
    #[serde(serialize_with = "json::int")]
    bytes: &'a Int,
    share: f64,
    #[serde(flatten)]
    further: FurtherAnswer<'a>,
}

/// The fields that only samples and simulations have.
#[derive(Serialize)]
struct FurtherAnswer<'a> {
    #[serde(flatten)]
    sampled: json::Sampled<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_written: Option<json::Number<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_written_low: Option<json::Number<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_written_high: Option<json::Number<'a>>,
}

impl<'a> FurtherAnswer<'a> {
    fn new(fill: &'a Fill) -> Self {
        let sampled = json::Sampled::new(fill.misses.interval.as_ref());
        let bytes_written = fill.written.as_ref().map(|written| json::Number(&written.value));
        let (written_low, written_high) =
            json::ends(fill.written.as_ref().and_then(|written| written.interval.as_ref()));
        Self { sampled, bytes_written, bytes_written_low: written_low, bytes_written_high: written_high }
    }
}

impl<'a> FillRowAnswer<'a> {
    fn new(report: &'a AttributionReport<'_>, row: &'a FillRow<'_>) -> Self {
        let fill = |(fill, level): (&'a Fill, &FilledCache)| FillAnswer {
            misses: &fill.misses.value,
            bytes: &fill.bytes.value,
            share: fill.share(level),
            further: FurtherAnswer::new(fill),
        };
        Self {
            subject: row.subject.answer(report.model),
            accesses: &row.accesses,
            first_touches: &row.first_touches,
            levels: row.fills.iter().zip(&report.levels).map(fill).collect(),
        }
    }
}
