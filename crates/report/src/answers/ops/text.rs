//! Output of the rows as aligned columns or in Markdown.

use std::io::{self, Write};

use symloc_quasi::Style;

use super::count_text::{CountText, CountValue, OpsSubject, ShownFormulas};
use super::{OpsBy, OpsColumn, OpsReport, OpsRow};
use crate::formats::markdown;
use crate::formats::sheet::WIDTH;
use crate::formats::text::grouped_sizes;
use crate::{Cell, Sheet, Terminal};

/// Writes the rows as aligned columns, or as paragraphs if formulas are long.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write(out: &mut dyn Write, report: &OpsReport, subject: &OpsSubject, shown: ShownFormulas) -> io::Result<()> {
    sheet(report, subject, shown).write_text(out, Terminal::of_stdout().map_or(WIDTH, |terminal| terminal.width))
}

/// Writes the rows as a table in Markdown.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_markdown(
    out: &mut dyn Write,
    report: &OpsReport,
    subject: &OpsSubject,
    shown: ShownFormulas,
) -> io::Result<()> {
    markdown::write(out, &sheet(report, subject, shown))
}

fn sheet(report: &OpsReport, subject: &OpsSubject, shown: ShownFormulas) -> Sheet {
    let (head, rows) = match report.by {
        OpsBy::Total => totals(report, subject, shown),
        OpsBy::Kind => kinds(report, subject, shown),
        OpsBy::Block | OpsBy::Loop | OpsBy::Line => places(report, subject, shown),
    };
    Sheet { caption: caption(subject), head, rows, notes: notes(report, shown) }
}

fn caption(subject: &OpsSubject) -> Vec<String> {
    let at = subject.sizes().filter(|sizes| !sizes.is_empty());
    match at {
        Some(sizes) => vec![format!("{} at {}", subject.function, grouped_sizes(&sizes))],
        None if subject.context.is_empty() => vec![subject.function.clone()],
        None => vec![
            subject.function.clone(),
            format!("for {}", subject.notation(Style::Text).conjunction(&subject.context)),
        ],
    }
}

fn cell(count: &CountText, subject: &OpsSubject, shown: ShownFormulas) -> Cell {
    match &count.value {
        CountValue::Unknown(_) => Cell::Words("?".to_owned()),
        _ => Cell::Formula(count.text(&subject.notation(Style::Text), shown)),
    }
}

/// Returns the titles and a row for each sum.
fn totals(report: &OpsReport, subject: &OpsSubject, shown: ShownFormulas) -> (Vec<&'static str>, Vec<Vec<Cell>>) {
    let counts = report.rows.iter().flat_map(|row| &row.counts);
    let row = |(column, count): &(OpsColumn, CountText)| {
        vec![Cell::Words(column.title().to_owned()), cell(count, subject, shown)]
    };
    (vec!["what", "count"], counts.map(row).collect())
}

fn kinds(report: &OpsReport, subject: &OpsSubject, shown: ShownFormulas) -> (Vec<&'static str>, Vec<Vec<Cell>>) {
    let row = |row: &OpsRow| {
        let (category, kind, bits) =
            row.operation.map_or(("", "", 0), |named| (named.category, named.kind, named.bits));
        let bits = if bits == 0 { String::new() } else { bits.to_string() };
        let mut cells = vec![Cell::Words(format!("{category} {kind}")), Cell::Words(bits)];
        let blank = |(column, count): &(OpsColumn, CountText)| *column == OpsColumn::Bytes && count.is_zero();
        let counts = row.counts.iter().map(|count| match blank(count) {
            true => Cell::Words(String::new()),
            false => cell(&count.1, subject, shown),
        });
        cells.extend(counts);
        cells
    };
    (vec!["operation", "bits", "count", "bytes"], report.rows.iter().map(row).collect())
}

/// Returns the titles and a row for each place, without the columns that are zero everywhere; other zeros are blank.
fn places(report: &OpsReport, subject: &OpsSubject, shown: ShownFormulas) -> (Vec<&'static str>, Vec<Vec<Cell>>) {
    let named = report.by != OpsBy::Line;
    let used = |index: &usize| report.rows.iter().any(|row| !row.counts[*index].1.is_zero());
    let columns: Vec<usize> = (0..report.rows.first().map_or(0, |row| row.counts.len())).filter(used).collect();
    let name = match report.by {
        OpsBy::Loop => "loop",
        _ => "block",
    };
    let mut head: Vec<_> = named.then_some(name).into_iter().chain(["line"]).collect();
    head.extend(columns.iter().filter_map(|&index| Some(report.rows.first()?.counts[index].0.title())));
    let row = |row: &OpsRow| {
        let mut cells: Vec<Cell> = named.then(|| Cell::Words(row.name.clone())).into_iter().collect();
        cells.push(Cell::Words(row.line.as_ref().map_or_else(|| "-".to_owned(), |line| line.line.to_string())));
        cells.extend(columns.iter().map(|&index| match &row.counts[index] {
            (column, count) if *column != OpsColumn::Executions && count.is_zero() => Cell::Words(String::new()),
            (_, count) => cell(count, subject, shown),
        }));
        cells
    };
    (head, report.rows.iter().map(row).collect())
}

/// Returns the notes below a table.
fn notes(report: &OpsReport, shown: ShownFormulas) -> Vec<String> {
    let mut notes = Vec::new();
    for line in report.unknown() {
        notes.push(format!(
            "?: not known, it hangs on the branch on data at line {line}; `--branch {line}=0.5` says that it is taken half of the \
             times"
        ));
    }
    if report.estimate() {
        notes.push("~: an estimate, from the probabilities that --branch or a profile gives".to_owned());
    }
    if report.leaves_cases_out() && shown == ShownFormulas::Large {
        notes.push(
            "formulas are those of large sizes; `--full` prints those of small ones too, where they differ".to_owned(),
        );
    }
    notes
}
