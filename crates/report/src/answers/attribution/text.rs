//! Attribution as aligned columns.

use std::io::{self, Write};

use symloc_evaluate::Int;

use super::{AttributionReport, FillRow, FilledCache, source};
use crate::answers::counted::{SAMPLED, UNDECIDED};
use crate::answers::estimate;
use crate::formats::text::{self, Columns, percent};
use crate::subject::RowsBy;
use crate::{AnswerHeader, Counted};

/// Notes on the meaning of bytes where write-backs are not known, and where they are.
const READ: &str = "Bytes are those of lines read into a cache; write-backs of changed lines are not counted.";
const READ_AND_WRITTEN: &str = "Bytes are those of lines read into a cache, and of changed lines that it writes back.";

/// Writes the answers of some points.
pub(super) fn write(reports: &[AttributionReport<'_>], out: &mut dyn Write) -> io::Result<()> {
    let varying = AnswerHeader::write_common(reports.iter().map(|report| &report.header), out)?;
    let Some(first) = reports.first() else { return Ok(()) };
    if first.traffic && varying.is_empty() {
        match &first.operations {
            Some(count) => writeln!(out, "{count} floating-point operations")?,
            None => writeln!(out, "floating-point operations: their number is not known")?,
        }
    }
    let same_levels = reports
        .iter()
        .all(|report| report.levels.iter().map(FilledCache::called).eq(first.levels.iter().map(FilledCache::called)));
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
        if first.traffic && reports.iter().any(AttributionReport::is_undecided) {
            writeln!(out, "{UNDECIDED}")?;
        }
    }
    match reports {
        [report] => estimate::write_note(out, &report.estimated),
        _ => Ok(()),
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
                cells.extend(sampled.then(|| fill.misses.error(&level.fill.misses.value, percent)));
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
