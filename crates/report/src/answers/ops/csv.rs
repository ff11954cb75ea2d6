//! Output of the rows as comma-separated values.

use std::io::{self, Write};

use symloc_quasi::Style;
use symloc_report::formats::csv;

use super::report::{By, Report, ReportRow, called};
use super::told::{Subject, Told, Value};

/// Writes the rows.
pub(crate) fn write(out: &mut dyn Write, report: &Report, subject: &Subject) -> io::Result<()> {
    let columns = report.rows.first().map(|row| row.counts.iter().map(|(column, _)| column.key().to_owned()));
    let named: &[&str] = match report.by {
        By::Kind => &["category", "kind", "bits"],
        _ => &["name", "file", "line"],
    };
    let head = named.iter().map(|&name| name.to_owned()).chain(columns.into_iter().flatten());
    let head = head.chain(["estimate".to_owned()]).collect();
    csv::write(out, [head].into_iter().chain(report.rows.iter().map(|row| fields(row, subject))))
}

fn fields(row: &ReportRow, subject: &Subject) -> Vec<String> {
    let mut fields = match row.operation {
        Some(typed) => {
            let (category, kind) = called(typed.operation);
            vec![category.to_owned(), kind.to_owned(), typed.bits.to_string()]
        }
        None => {
            let file = csv::optional(row.line.as_ref().map(|line| &line.file));
            vec![row.name.clone(), file, csv::optional(row.line.as_ref().map(|line| line.line))]
        }
    };
    fields.extend(row.counts.iter().map(|(_, told)| field(told, subject)));
    fields.push(row.estimate().to_string());
    fields
}

/// Returns a number or a formula as text; an empty text if the count is not known.
fn field(told: &Told, subject: &Subject) -> String {
    match told.value {
        Value::Unknown(_) => String::new(),
        _ => Told { estimate: false, ..told.clone() }.text(&subject.notation(Style::Plain), true),
    }
}
