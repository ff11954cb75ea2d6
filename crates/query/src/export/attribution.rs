//! Misses by array or by access at one size, and the bytes that they move.

use std::io::{self, Write};

use serde::Serialize;
use symloc_model::{Access, AccessKind, Array, Int, Model};

use super::{Header, json};
use crate::cache::Capacity;
use crate::commands::By;
use crate::export::text::{self, Columns};

/// The misses of some caches at one size, and who makes them.
#[derive(Debug)]
pub struct Report<'m> {
    /// The model.
    pub model: &'m Model,
    /// What is asked about.
    pub header: Header,
    /// The number of floating-point operations; nothing if it is not known.
    pub operations: Option<Int>,
    /// What the rows are; nothing if there are none.
    pub by: Option<By>,
    /// The caches.
    pub levels: Vec<Level>,
    /// Arrays or accesses, in the order of the program.
    pub rows: Vec<Row<'m>>,
}

impl Report<'_> {
    /// Floating-point operations for each byte read into a cache.
    fn intensity(&self, level: &Level) -> Option<f64> {
        self.operations.as_ref().map(|operations| operations.ratio(&level.fill.bytes))
    }
}

/// One cache and all of its misses.
#[derive(Debug)]
pub struct Level {
    /// As the user gave it.
    pub capacity: Capacity,
    /// How many lines it holds.
    pub lines: u64,
    /// What is read into it.
    pub fill: Fill,
}

/// What is read into a cache.
#[derive(Clone, Debug)]
pub struct Fill {
    /// How many lines: the misses.
    pub misses: Int,
    /// How many bytes.
    pub bytes: Int,
}

impl Default for Fill {
    fn default() -> Self {
        Self { misses: Int::ZERO, bytes: Int::ZERO }
    }
}

impl Fill {
    /// Both together.
    pub fn plus(&self, other: &Fill) -> Fill {
        Fill { misses: &self.misses + &other.misses, bytes: &self.bytes + &other.bytes }
    }
}

/// One array or one access.
#[derive(Debug)]
pub struct Row<'m> {
    /// The array.
    pub array: &'m Array,
    /// The access; nothing if it is all of the array's.
    pub access: Option<&'m Access>,
    /// How often it executes.
    pub accesses: Int,
    /// How often it is the first to touch a line.
    pub first_touches: Int,
    /// What it reads into each cache.
    pub fills: Vec<Fill>,
}

impl Row<'_> {
    /// Both together, under the name of this one.
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            array: self.array,
            access: self.access,
            accesses: &self.accesses + &other.accesses,
            first_touches: &self.first_touches + &other.first_touches,
            fills: self.fills.iter().zip(&other.fills).map(|(a, b)| a.plus(b)).collect(),
        }
    }

    fn name(&self) -> String {
        self.access
            .map_or_else(|| self.array.name.clone(), |access| format!("{}{}", self.array.name, access.subscripts))
    }
}

/// What bytes mean here.
const NOTE: &str = "Bytes are those of lines read into a cache; write-backs of changed lines are not counted.";

/// For people; `traffic` says whether in bytes.
pub fn write_text(out: &mut dyn Write, report: &Report<'_>, traffic: bool) -> io::Result<()> {
    report.header.write(out)?;
    match &report.operations {
        Some(count) if traffic => writeln!(out, "{count} floating-point operations")?,
        None if traffic => writeln!(out, "floating-point operations: their number is not known")?,
        _ => {}
    }
    writeln!(out)?;
    match report.by {
        Some(by) => rows(report, by, traffic).write(out)?,
        None => levels(report).write(out)?,
    }
    if traffic { writeln!(out, "\n{NOTE}") } else { Ok(()) }
}

/// A row for each array or access, two columns for each cache.
fn rows(report: &Report<'_>, by: By, traffic: bool) -> Columns {
    let unit = if traffic { "bytes" } else { "misses" };
    let names: Vec<_> = report.levels.iter().map(|level| format!("{unit} {}", level.capacity)).collect();
    let named: &[&str] = match by {
        By::Array => &["array"],
        By::Access => &["access", "place", "kind"],
    };
    let counts = ["accesses", "first touches"].into_iter();
    let fills = names.iter().flat_map(|name| [name.as_str(), "share"]);
    let head: Vec<_> = named.iter().copied().chain(counts).chain(fills).collect();
    let mut table = Columns::new(&head, named.len());
    for row in &report.rows {
        let mut cells = vec![row.name()];
        if let Some(access) = row.access {
            cells.extend([place(access), kind(access).to_owned()]);
        }
        cells.extend([row.accesses.to_string(), row.first_touches.to_string()]);
        for (fill, level) in row.fills.iter().zip(&report.levels) {
            let (own, all) = match traffic {
                true => (&fill.bytes, &level.fill.bytes),
                false => (&fill.misses, &level.fill.misses),
            };
            cells.extend([own.to_string(), percent(own.ratio(all))]);
        }
        table.push(cells);
    }
    table
}

/// A row for each cache.
fn levels(report: &Report<'_>) -> Columns {
    let mut table = Columns::new(&["cache", "filled from", "lines read", "bytes read", "operations per byte"], 0);
    for (index, level) in report.levels.iter().enumerate() {
        table.push(vec![
            level.capacity.to_string(),
            source(&report.levels, index).map_or_else(|| "memory".to_owned(), |next| next.capacity.to_string()),
            level.fill.misses.to_string(),
            level.fill.bytes.to_string(),
            text::ratio(report.intensity(level).unwrap_or(f64::NAN)),
        ]);
    }
    table
}

/// The next larger cache.
fn source(levels: &[Level], index: usize) -> Option<&Level> {
    levels.iter().filter(|level| level.lines > levels[index].lines).min_by_key(|level| level.lines)
}

/// `14:12`, with the file if it is not the model's.
fn place(access: &Access) -> String {
    let Access { file, line, column, .. } = access;
    file.as_ref().map_or_else(|| format!("{line}:{column}"), |file| format!("{file}:{line}:{column}"))
}

fn kind(access: &Access) -> &'static str {
    match access.kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
    }
}

/// A share in percent. Of nothing there is none: `-`.
fn percent(share: f64) -> String {
    if share.is_nan() { "-".to_owned() } else { format!("{:.2}%", 100.0 * share) }
}

/// One line for each row and cache.
pub fn write_csv(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    writeln!(out, "array,access,file,line,column,kind,accesses,first_touches,cache_lines,misses,bytes,share")?;
    for row in &report.rows {
        let name = match row.access {
            Some(access) => {
                let file = quoted(access.file.as_ref().unwrap_or(&report.model.source));
                let Access { line, column, .. } = access;
                format!("{},{},{file},{line},{column},{}", row.array.name, quoted(&row.name()), kind(access))
            }
            None => format!("{},,,,,", row.array.name),
        };
        for (fill, level) in row.fills.iter().zip(&report.levels) {
            let share = fill.misses.ratio(&level.fill.misses);
            let share = if share.is_nan() { String::new() } else { share.to_string() };
            let (accesses, touches) = (&row.accesses, &row.first_touches);
            writeln!(out, "{name},{accesses},{touches},{},{},{},{share}", level.lines, fill.misses, fill.bytes)?;
        }
    }
    Ok(())
}

/// A cell of CSV that may hold anything (RFC 4180).
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// `symloc.attribution/1`.
pub fn write_json(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let header = &report.header;
    let level = |(index, level): (usize, &Level)| LevelAnswer {
        lines: level.lines,
        filled_from_lines: source(&report.levels, index).map(|next| next.lines),
        misses: level.fill.misses.clone(),
        bytes: level.fill.bytes.clone(),
        operations_per_byte: report.intensity(level),
    };
    let answer = Answer {
        schema: "symloc.attribution/1",
        parameters: &header.parameters,
        model: "denning",
        line_bytes: header.line_bytes,
        accesses: &header.accesses,
        first_touches: &header.blocks,
        operations: report.operations.as_ref().map(json::Number),
        levels: report.levels.iter().enumerate().map(level).collect(),
        rows: report.rows.iter().map(|row| RowAnswer::new(report, row)).collect(),
    };
    json::write(out, &answer)
}

#[derive(Serialize)]
struct Answer<'a> {
    schema: &'static str,
    #[serde(serialize_with = "json::parameters")]
    parameters: &'a [(String, i128)],
    model: &'static str,
    line_bytes: Option<u64>,
    #[serde(serialize_with = "json::int")]
    accesses: &'a Int,
    #[serde(serialize_with = "json::int")]
    first_touches: &'a Int,
    operations: Option<json::Number<'a>>,
    levels: Vec<LevelAnswer>,
    rows: Vec<RowAnswer<'a>>,
}

#[derive(Serialize)]
struct LevelAnswer {
    lines: u64,
    filled_from_lines: Option<u64>,
    #[serde(serialize_with = "json::int")]
    misses: Int,
    #[serde(serialize_with = "json::int")]
    bytes: Int,
    operations_per_byte: Option<f64>,
}

#[derive(Serialize)]
struct RowAnswer<'a> {
    array: &'a str,
    #[serde(skip_serializing_if = "Option::is_none", flatten)]
    access: Option<AccessAnswer<'a>>,
    #[serde(serialize_with = "json::int")]
    accesses: &'a Int,
    #[serde(serialize_with = "json::int")]
    first_touches: &'a Int,
    levels: Vec<FillAnswer<'a>>,
}

#[derive(Serialize)]
struct AccessAnswer<'a> {
    subscripts: &'a str,
    kind: &'static str,
    file: &'a str,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct FillAnswer<'a> {
    #[serde(serialize_with = "json::int")]
    misses: &'a Int,
    #[serde(serialize_with = "json::int")]
    bytes: &'a Int,
    share: f64,
}

impl<'a> RowAnswer<'a> {
    fn new(report: &'a Report<'_>, row: &'a Row<'_>) -> Self {
        let access = |access: &'a Access| AccessAnswer {
            subscripts: &access.subscripts,
            kind: kind(access),
            file: access.file.as_ref().unwrap_or(&report.model.source),
            line: access.line,
            column: access.column,
        };
        let fill = |(fill, level): (&'a Fill, &Level)| FillAnswer {
            misses: &fill.misses,
            bytes: &fill.bytes,
            share: fill.misses.ratio(&level.fill.misses),
        };
        Self {
            array: &row.array.name,
            access: row.access.map(access),
            accesses: &row.accesses,
            first_touches: &row.first_touches,
            levels: row.fills.iter().zip(&report.levels).map(fill).collect(),
        }
    }
}
