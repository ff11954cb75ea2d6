//! `table --by`: the reuse intervals of each array, access or nest, as formulas, and the caches that they need.

use crate::formats::sympy::{Record, Value};
use crate::subject::{self, RowSubject, RowsBy, SubjectAnswer};
use crate::{Cell, Sheet};
use serde::Serialize;
use symloc_locality::Share;
use symloc_model::{IntervalKind, Model, Outline};
use symloc_quasi::{Notation, Style};

use super::tables::{LEFT_OUT, TableAnswer, Tables};

/// The reuse intervals of arrays, accesses or nests: `symloc.shares/1`.
#[derive(Debug)]
pub struct SharesReport<'a> {
    /// The outline of the program.
    pub program: &'a Outline,
    /// The tables.
    pub tables: &'a Tables,
    /// The shares in each table.
    pub shares: &'a [Vec<Share>],
    /// The subjects of the rows.
    pub by: RowsBy,
}

/// A share as text.
#[derive(Debug, Serialize)]
pub struct ShareRow<'a> {
    #[serde(skip)]
    subject: RowSubject<'a>,
    #[serde(flatten)]
    answer: SubjectAnswer<'a>,
    first_touches: bool,
    ri: Option<String>,
    count: Option<String>,
    misses_below: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    iterators: Vec<String>,
    #[serde(rename = "where", skip_serializing_if = "String::is_empty")]
    domain: String,
}

impl<'a> TableAnswer for SharesReport<'a> {
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
        let mut head = self.by.head().to_vec();
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
        let name = Value::Word(row.subject.name());
        let mut record = match &row.subject {
            RowSubject::Array(_) => vec![("array", name)],
            RowSubject::Access(array, _) => vec![("array", Value::Word(array.name.clone())), ("access", name)],
            RowSubject::Nest(..) => vec![("nest", name)],
        };
        if let Some(access) = row.subject.place() {
            let file = subject::file(&self.tables.model, access);
            record.push(("place", Value::Word(format!("{file}:{}:{}", access.line, access.column))));
        }
        record.extend([("ri", row.ri.into()), ("count", row.count.into()), ("misses_below", row.misses_below.into())]);
        record
    }
}

impl<'a> SharesReport<'a> {
    fn row(&self, share: &Share, style: Style) -> ShareRow<'a> {
        let model: &'a Model = &self.tables.model;
        let subject = RowSubject::new(self.program, self.by, share.group);
        let names = [model.parameters.as_slice(), &share.iterators].concat();
        let notation = Notation::new(style, &names);
        ShareRow {
            subject,
            answer: subject.answer(model),
            first_touches: share.kind == IntervalKind::Imaginary,
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
    let mut cells: Vec<_> = row.subject.cells().into_iter().map(Cell::Words).collect();
    cells.extend(match row.first_touches {
        true => [words("first touch"), Cell::from(row.count), words("any size")],
        false => [row.ri, row.count, row.misses_below].map(Cell::from),
    });
    cells.extend(ranges.then(|| if row.domain.is_empty() { words("") } else { Cell::Formula(row.domain) }));
    cells
}
