//! Output of the rows as aligned columns or in Markdown.

use std::io::{self, Write};

use symloc_quasi::Style;
use symloc_report::formats::markdown;
use symloc_report::formats::sheet::WIDTH;
use symloc_report::formats::text::grouped_sizes;
use symloc_report::{Cell, Sheet, Terminal};

use super::report::{By, OpsColumn, Report, ReportRow, called};
use super::told::{Subject, Told, Value};

/// Writes the rows as aligned columns, or as paragraphs if formulas are long.
pub(crate) fn write(out: &mut dyn Write, report: &Report, subject: &Subject, full: bool) -> io::Result<()> {
    sheet(report, subject, full).write_text(out, Terminal::of_stdout().map_or(WIDTH, |terminal| terminal.width))
}

/// Writes the rows as a table in Markdown.
pub(crate) fn write_markdown(out: &mut dyn Write, report: &Report, subject: &Subject, full: bool) -> io::Result<()> {
    markdown::write(out, &sheet(report, subject, full))
}

fn sheet(report: &Report, subject: &Subject, full: bool) -> Sheet {
    let (head, rows) = match report.by {
        By::Total => totals(report, subject, full),
        By::Kind => kinds(report, subject, full),
        By::Block | By::Loop | By::Line => places(report, subject, full),
    };
    Sheet { caption: caption(subject), head, rows, notes: notes(report, full) }
}

fn caption(subject: &Subject) -> Vec<String> {
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

fn cell(told: &Told, subject: &Subject, full: bool) -> Cell {
    match &told.value {
        Value::Unknown(_) => Cell::Words("?".to_owned()),
        _ => Cell::Formula(told.text(&subject.notation(Style::Text), full)),
    }
}

/// Returns the titles and a row for each sum.
fn totals(report: &Report, subject: &Subject, full: bool) -> (Vec<&'static str>, Vec<Vec<Cell>>) {
    let counts = report.rows.iter().flat_map(|row| &row.counts);
    let row =
        |(column, told): &(OpsColumn, Told)| vec![Cell::Words(column.title().to_owned()), cell(told, subject, full)];
    (vec!["what", "count"], counts.map(row).collect())
}

fn kinds(report: &Report, subject: &Subject, full: bool) -> (Vec<&'static str>, Vec<Vec<Cell>>) {
    let row = |row: &ReportRow| {
        let (category, kind) = row.operation.map_or(("", ""), |typed| called(typed.operation));
        let bits = row.operation.map_or(0, |typed| typed.bits);
        let bits = if bits == 0 { String::new() } else { bits.to_string() };
        let mut cells = vec![Cell::Words(format!("{category} {kind}")), Cell::Words(bits)];
        let blank = |(column, told): &(OpsColumn, Told)| *column == OpsColumn::Bytes && told.is_zero();
        let counts = row.counts.iter().map(|count| match blank(count) {
            true => Cell::Words(String::new()),
            false => cell(&count.1, subject, full),
        });
        cells.extend(counts);
        cells
    };
    (vec!["operation", "bits", "count", "bytes"], report.rows.iter().map(row).collect())
}

/// Returns the titles and a row for each place, without the columns that are zero everywhere; other zeros are blank.
fn places(report: &Report, subject: &Subject, full: bool) -> (Vec<&'static str>, Vec<Vec<Cell>>) {
    let named = report.by != By::Line;
    let used = |index: &usize| report.rows.iter().any(|row| !row.counts[*index].1.is_zero());
    let columns: Vec<usize> = (0..report.rows.first().map_or(0, |row| row.counts.len())).filter(used).collect();
    let name = match report.by {
        By::Loop => "loop",
        _ => "block",
    };
    let mut head: Vec<_> = named.then_some(name).into_iter().chain(["line"]).collect();
    head.extend(columns.iter().filter_map(|&index| Some(report.rows.first()?.counts[index].0.title())));
    let row = |row: &ReportRow| {
        let mut cells: Vec<Cell> = named.then(|| Cell::Words(row.name.clone())).into_iter().collect();
        cells.push(Cell::Words(row.line.as_ref().map_or_else(|| "-".to_owned(), |line| line.line.to_string())));
        cells.extend(columns.iter().map(|&index| match &row.counts[index] {
            (column, told) if *column != OpsColumn::Executions && told.is_zero() => Cell::Words(String::new()),
            (_, told) => cell(told, subject, full),
        }));
        cells
    };
    (head, report.rows.iter().map(row).collect())
}

/// Returns the notes below a table.
pub(crate) fn notes(report: &Report, full: bool) -> Vec<String> {
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
    if report.leaves_cases_out() && !full {
        notes.push(
            "formulas are those of large sizes; `--full` prints those of small ones too, where they differ".to_owned(),
        );
    }
    notes
}
