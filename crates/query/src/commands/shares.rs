//! `table --by`: the reuse intervals of each array, access or nest, as formulas, and the caches that they need.

use std::io::Write;

use serde::Serialize;
use symloc_locality::Share;
use symloc_model::{Access, AccessKind, Kind, Model, Outline};
use symloc_quasi::{Notation, Style};
use symloc_report::attribution::RowsBy;
use symloc_report::sympy::{Record, Value};
use symloc_report::{Cell, Sheet};

use super::tables::{Formulas, LEFT_OUT, Tables, TablesArgs};
use crate::error::CliError;

/// Answers.
pub(super) fn run(formulas: &TablesArgs, by: RowsBy, out: &mut dyn Write) -> Result<(), CliError> {
    let (tables, shares) = formulas.shares(by)?;
    let answer = SharesAnswer { program: tables.model.outline()?, tables: &tables, shares: &shares, by };
    Ok(answer.write(out, formulas.format)?)
}

struct SharesAnswer<'a> {
    program: &'a Outline,
    tables: &'a Tables,
    shares: &'a [Vec<Share>],
    by: RowsBy,
}

/// A share as text.
#[derive(Serialize)]
struct ShareRow<'a> {
    #[serde(flatten)]
    group: ShareGroup<'a>,
    first_touches: bool,
    ri: Option<String>,
    count: Option<String>,
    misses_below: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    iterators: Vec<String>,
    #[serde(rename = "where", skip_serializing_if = "String::is_empty")]
    domain: String,
}

/// Whose accesses they are.
#[derive(Serialize)]
#[serde(untagged)]
enum ShareGroup<'a> {
    Array {
        array: &'a str,
    },
    Access {
        array: &'a str,
        subscripts: &'a str,
        kind: AccessKind,
        #[serde(flatten)]
        place: SourcePlace<'a>,
    },
    Nest {
        nest: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<&'a str>,
        #[serde(flatten)]
        place: SourcePlace<'a>,
    },
}

/// Where something stands.
#[derive(Serialize)]
struct SourcePlace<'a> {
    file: &'a str,
    line: u32,
    column: u32,
}

impl ShareGroup<'_> {
    fn name(&self) -> String {
        match self {
            ShareGroup::Array { array } => (*array).to_owned(),
            ShareGroup::Access { array, subscripts, .. } => format!("{array}{subscripts}"),
            ShareGroup::Nest { nest, name: Some(name), .. } => format!("{nest} {name}"),
            ShareGroup::Nest { nest, name: None, .. } => nest.to_string(),
        }
    }

    fn place(&self) -> Option<&SourcePlace<'_>> {
        match self {
            ShareGroup::Array { .. } => None,
            ShareGroup::Access { place, .. } | ShareGroup::Nest { place, .. } => Some(place),
        }
    }
}

impl<'a> Formulas for SharesAnswer<'a> {
    type Row = ShareRow<'a>;
    const SCHEMA: &'static str = "symloc.shares/1";
    const VARIABLE: &'static str = "shares";

    fn tables(&self) -> &Tables {
        self.tables
    }

    fn rows(&self, index: usize, style: Style) -> Vec<ShareRow<'a>> {
        self.shares[index].iter().map(|share| self.row(share, style)).collect()
    }

    fn iterators(&self) -> impl Iterator<Item = &str> {
        self.shares.iter().flatten().flat_map(|share| &share.iterators).map(String::as_str)
    }

    fn sheet(&self, rows: Vec<ShareRow<'a>>) -> Sheet {
        let ranges = rows.iter().any(|row| !row.iterators.is_empty());
        let mut head = match self.by {
            RowsBy::Array => vec!["array"],
            RowsBy::Access => vec!["access", "place", "kind"],
            RowsBy::Nest => vec!["nest", "place"],
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

    fn record(&self, row: ShareRow<'a>) -> Record {
        let name = Value::Word(row.group.name());
        let mut record = match &row.group {
            ShareGroup::Array { .. } => vec![("array", name)],
            ShareGroup::Access { array, .. } => vec![("array", Value::Word((*array).to_owned())), ("access", name)],
            ShareGroup::Nest { .. } => vec![("nest", name)],
        };
        if let Some(place) = row.group.place() {
            record.push(("place", Value::Word(format!("{}:{}:{}", place.file, place.line, place.column))));
        }
        record.extend([("ri", row.ri.into()), ("count", row.count.into()), ("misses_below", row.misses_below.into())]);
        record
    }
}

impl<'a> SharesAnswer<'a> {
    fn row(&self, share: &Share, style: Style) -> ShareRow<'a> {
        let (model, program): (&'a Model, &'a Outline) = (&self.tables.model, self.program);
        let place = |access: &'a Access| SourcePlace {
            file: access.file.as_ref().unwrap_or(&model.source),
            line: access.line,
            column: access.column,
        };
        let group = match self.by {
            RowsBy::Array => ShareGroup::Array { array: &program.arrays[share.group].name },
            RowsBy::Access => {
                let access = &program.accesses[share.group];
                let array = &program.arrays[access.array].name;
                ShareGroup::Access { array, subscripts: &access.subscripts, kind: access.kind, place: place(access) }
            }
            RowsBy::Nest => {
                let before: usize = program.nests[..share.group].iter().map(|nest| nest.accesses).sum();
                let name = program.nests[share.group].name.as_deref();
                ShareGroup::Nest { nest: share.group + 1, name, place: place(&program.accesses[before]) }
            }
        };
        let names = [model.parameters.as_slice(), &share.iterators].concat();
        let notation = Notation::new(style, &names);
        ShareRow {
            group,
            first_touches: share.kind == Kind::Imaginary,
            ri: share.interval.as_ref().map(|interval| notation.poly(interval)),
            count: share.count.as_ref().map(|count| notation.poly(count)),
            misses_below: share.cache.as_ref().map(|cache| notation.quotient(cache)),
            iterators: share.iterators.clone(),
            domain: notation.conjunction(&share.domain),
        }
    }
}

fn cells(row: ShareRow<'_>, ranges: bool) -> Vec<Cell> {
    let words = |text: &str| Cell::Words(text.to_owned());
    let mut cells = vec![Cell::Words(row.group.name())];
    cells.extend(row.group.place().map(|place| Cell::Words(format!("{}:{}", place.line, place.column))));
    if let ShareGroup::Access { kind, .. } = row.group {
        cells.push(words(if kind == AccessKind::Read { "read" } else { "write" }));
    }
    cells.extend(match row.first_touches {
        true => [words("first touch"), Cell::from(row.count), words("any size")],
        false => [row.ri, row.count, row.misses_below].map(Cell::from),
    });
    cells.extend(ranges.then(|| if row.domain.is_empty() { words("") } else { Cell::Formula(row.domain) }));
    cells
}
