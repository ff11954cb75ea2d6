//! `table --by`: the reuse intervals of each array or access, as formulas, and the caches that they need.

use std::io::Write;

use serde::Serialize;
use symloc_locality::Share;
use symloc_model::{AccessKind, Kind, Model, Outline};
use symloc_quasi::{Notation, Style};

use super::By;
use super::formulas::{FormulaArgs, Formulas, LEFT_OUT, Tables};
use crate::error::CliError;
use crate::export::sympy::{Record, Value};
use crate::export::{Cell, Sheet};

/// Answers.
pub(super) fn run(formulas: &FormulaArgs, by: By, out: &mut dyn Write) -> Result<(), CliError> {
    let (tables, shares) = formulas.shares(by)?;
    let answer = Answer { program: tables.model.outline()?, tables: &tables, shares: &shares, by };
    Ok(answer.write(out, formulas.format)?)
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

impl<'a> Formulas for Answer<'a> {
    type Row = Row<'a>;
    const SCHEMA: &'static str = "symloc.shares/1";
    const VARIABLE: &'static str = "shares";

    fn tables(&self) -> &Tables {
        self.tables
    }

    fn rows(&self, index: usize, style: Style) -> Vec<Row<'a>> {
        self.shares[index].iter().map(|share| self.row(share, style)).collect()
    }

    fn iterators(&self) -> impl Iterator<Item = &str> {
        self.shares.iter().flatten().flat_map(|share| &share.iterators).map(String::as_str)
    }

    fn sheet(&self, rows: Vec<Row<'a>>) -> Sheet {
        let ranges = rows.iter().any(|row| !row.iterators.is_empty());
        let mut head = match self.by {
            By::Array => vec!["array"],
            By::Access => vec!["access", "place", "kind"],
        };
        head.extend(["RI", "count", "misses in caches below"]);
        head.extend(ranges.then_some("for"));
        let unknown = rows.iter().any(|row| row.count.is_none() || !row.first_touches && row.misses_below.is_none());
        Sheet {
            head,
            rows: rows.into_iter().map(|row| cells(row, ranges)).collect(),
            notes: unknown.then(|| LEFT_OUT.to_owned()).into_iter().collect(),
            ..Sheet::default()
        }
    }

    fn record(&self, row: Row<'a>) -> Record {
        let mut record = vec![("array", Value::Word(row.array.to_owned()))];
        if let Some(place) = row.access {
            record.push(("access", Value::Word(format!("{}{}", row.array, place.subscripts))));
            record.push(("place", Value::Word(format!("{}:{}:{}", place.file, place.line, place.column))));
        }
        record.extend([("ri", row.ri.into()), ("count", row.count.into()), ("misses_below", row.misses_below.into())]);
        record
    }
}

impl<'a> Answer<'a> {
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
