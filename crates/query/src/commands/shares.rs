//! `table --by`: the reuse intervals of each array or access, as formulas, and the caches that they need.

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde::Serialize;
use symloc_locality::{Share, Table};
use symloc_model::{AccessKind, Kind, Model, Outline};
use symloc_quasi::{Notation, Style};

use super::By;
use super::formulas::{FormulaArgs, Tables, write_sheets};
use crate::error::CliError;
use crate::export::sympy::{self, Record, Value};
use crate::export::{Cell, Format, Sheet};

/// Answers.
pub(super) fn run(formulas: &FormulaArgs, by: By, out: &mut dyn Write) -> Result<(), CliError> {
    let (tables, shares) = formulas.shares(by)?;
    let answer = Answer { program: tables.model.outline()?, tables: &tables, shares: &shares, by };
    match formulas.format {
        Format::Json => tables.write_json(out, "symloc.shares/1", |index, _| answer.rows(index, Style::Plain)),
        Format::Sympy => answer.write_sympy(out),
        format => {
            let sheets: Vec<_> = (0..shares.len()).map(|index| answer.sheet(index, format)).collect();
            write_sheets(out, format, &sheets)
        }
    }?;
    Ok(())
}

struct Answer<'a> {
    program: &'a Outline,
    tables: &'a Tables,
    shares: &'a [Vec<Share>],
    by: By,
}

/// A share as text.
#[derive(Serialize)]
struct Row<'a> {
    array: &'a str,
    #[serde(flatten)]
    access: Option<Place<'a>>,
    first_touches: bool,
    ri: Option<String>,
    count: Option<String>,
    misses_below: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    iterators: Vec<String>,
    #[serde(rename = "where", skip_serializing_if = "String::is_empty")]
    domain: String,
}

/// Which access it is.
#[derive(Serialize)]
struct Place<'a> {
    subscripts: &'a str,
    kind: AccessKind,
    file: &'a str,
    line: u32,
    column: u32,
}

impl<'a> Answer<'a> {
    fn rows(&self, index: usize, style: Style) -> Vec<Row<'a>> {
        self.shares[index].iter().map(|share| self.row(share, style)).collect()
    }

    fn row(&self, share: &Share, style: Style) -> Row<'a> {
        let (model, program): (&'a Model, &'a Outline) = (&self.tables.model, self.program);
        let access = (self.by == By::Access).then(|| &program.accesses[share.group]);
        let names = [model.parameters.as_slice(), &share.iterators].concat();
        let notation = Notation::new(style, &names);
        Row {
            array: &program.arrays[access.map_or(share.group, |access| access.array)].name,
            access: access.map(|access| Place {
                subscripts: &access.subscripts,
                kind: access.kind,
                file: access.file.as_ref().unwrap_or(&model.source),
                line: access.line,
                column: access.column,
            }),
            first_touches: share.kind == Kind::Imaginary,
            ri: share.interval.as_ref().map(|interval| notation.poly(interval)),
            count: share.count.as_ref().map(|count| notation.poly(count)),
            misses_below: share.cache.as_ref().map(|cache| notation.quotient(cache)),
            iterators: share.iterators.clone(),
            domain: notation.conjunction(&share.domain),
        }
    }

    fn sheet(&self, index: usize, format: Format) -> Sheet {
        let rows = self.rows(index, format.style());
        let ranges = rows.iter().any(|row| !row.iterators.is_empty());
        let mut head = match self.by {
            By::Array => vec!["array"],
            By::Access => vec!["access", "place", "kind"],
        };
        head.extend(["RI", "count", "misses in caches below"]);
        head.extend(ranges.then_some("for"));
        let unknown = rows.iter().any(|row| row.count.is_none() || !row.first_touches && row.misses_below.is_none());
        let note = "left out: what has no closed form, or lies among the intervals of free iterators";
        Sheet {
            caption: self.tables.caption(self.table(index), Style::Text),
            head,
            rows: rows.into_iter().map(|row| cells(row, ranges)).collect(),
            notes: unknown.then(|| note.to_owned()).into_iter().collect(),
        }
    }

    fn table(&self, index: usize) -> &'a Table {
        &self.tables.tables[index]
    }

    fn write_sympy(&self, out: &mut dyn Write) -> io::Result<()> {
        let iterators = self.shares.iter().flatten().flat_map(|share| &share.iterators);
        let names: BTreeSet<&str> = self.tables.model.parameters.iter().chain(iterators).map(String::as_str).collect();
        sympy::write_symbols(out, &names)?;
        for index in 0..self.shares.len() {
            let records: Vec<_> = self.rows(index, Style::Plain).into_iter().map(record).collect();
            let variable = if self.shares.len() == 1 { "shares".to_owned() } else { format!("shares_{}", index + 1) };
            let caption = self.tables.caption(self.table(index), Style::Plain);
            sympy::write_records(out, &variable, &caption, &records)?;
        }
        Ok(())
    }
}

fn cells(row: Row<'_>, ranges: bool) -> Vec<Cell> {
    let words = |text: &str| Cell::Words(text.to_owned());
    let mut cells = match &row.access {
        None => vec![words(row.array)],
        Some(place) => vec![
            Cell::Words(format!("{}{}", row.array, place.subscripts)),
            Cell::Words(format!("{}:{}", place.line, place.column)),
            words(if place.kind == AccessKind::Read { "read" } else { "write" }),
        ],
    };
    cells.extend(match row.first_touches {
        true => [words("first touch"), Cell::from(row.count), words("any size")],
        false => [row.ri, row.count, row.misses_below].map(Cell::from),
    });
    cells.extend(ranges.then(|| if row.domain.is_empty() { words("") } else { Cell::Formula(row.domain) }));
    cells
}

fn record(row: Row<'_>) -> Record {
    let mut record = vec![("array", Value::Word(row.array.to_owned()))];
    if let Some(place) = row.access {
        record.push(("access", Value::Word(format!("{}{}", row.array, place.subscripts))));
        record.push(("place", Value::Word(format!("{}:{}:{}", place.file, place.line, place.column))));
    }
    record.extend([("ri", row.ri.into()), ("count", row.count.into()), ("misses_below", row.misses_below.into())]);
    record
}
