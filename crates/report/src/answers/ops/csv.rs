//! Output of the rows as comma-separated values.

use std::io::{self, Write};

use symloc_quasi::Style;

use super::count_text::{CountText, CountValue, OpsSubject, ShownFormulas};
use super::{OpsBy, OpsReport, OpsRow};
use crate::formats::csv;

/// Writes the rows.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write(out: &mut dyn Write, report: &OpsReport, subject: &OpsSubject) -> io::Result<()> {
    let columns = report.rows.first().map(|row| row.counts.iter().map(|(column, _)| column.key().to_owned()));
    let named: &[&str] = match report.by {
        OpsBy::Kind => &["category", "kind", "bits"],
        _ => &["name", "file", "line"],
    };
    let head = named.iter().map(|&name| name.to_owned()).chain(columns.into_iter().flatten());
    let head = head.chain(["estimate".to_owned()]).collect();
    csv::write(out, [head].into_iter().chain(report.rows.iter().map(|row| fields(row, subject))))
}

fn fields(row: &OpsRow, subject: &OpsSubject) -> Vec<String> {
    let mut fields = match row.operation {
        Some(named) => vec![named.category.to_owned(), named.kind.to_owned(), named.bits.to_string()],
        None => {
            let file = csv::optional(row.line.as_ref().map(|line| &line.file));
            vec![row.name.clone(), file, csv::optional(row.line.as_ref().map(|line| line.line))]
        }
    };
    fields.extend(row.counts.iter().map(|(_, count)| field(count, subject)));
    fields.push(row.estimate().to_string());
    fields
}

/// Returns a number or a formula as text; an empty text if the count is not known.
fn field(count: &CountText, subject: &OpsSubject) -> String {
    match count.value {
        CountValue::Unknown(_) => String::new(),
        _ => CountText { estimate: false, ..count.clone() }.text(&subject.notation(Style::Plain), ShownFormulas::All),
    }
}
