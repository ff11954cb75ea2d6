//! `table`: the locality table, as formulas.

use serde::Serialize;
use symloc_locality::{Row, RowKind, Table};
use symloc_quasi::{Notation, Quotient, Style};

use super::tables::{LEFT_OUT, TableAnswer, Tables};
use crate::formats::sympy::{Record, Value};
use crate::{Cell, MissModel, Sheet};

/// The locality tables of a model: `symloc.table/1`.
#[derive(Debug)]
pub struct LocalityTable {
    /// The tables.
    pub tables: Tables,
}

/// A row as text.
#[derive(Debug, Serialize)]
pub struct TableRowText {
    #[serde(skip_serializing_if = "Option::is_none")]
    ri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rd: Option<String>,
    imaginary: bool,
    portion: Option<String>,
    miss_ratio: Option<String>,
    cold: Option<String>,
    cache: Option<String>,
    /// `None` if it was not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    operations_per_byte: Option<Option<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    iterators: Vec<String>,
    #[serde(rename = "where", skip_serializing_if = "String::is_empty")]
    domain: String,
    #[serde(skip)]
    kind: RowKind,
}

impl TableRowText {
    /// Returns the interval or the distance; `None` for first touches, which have no distance.
    fn value(&self) -> Option<&String> {
        self.ri.as_ref().or(self.rd.as_ref())
    }

    /// Returns the row of first touches, which miss in every cache.
    fn first_touches(cold: String, operations_per_byte: Option<Option<String>>) -> Self {
        Self {
            ri: None,
            rd: None,
            imaginary: true,
            portion: Some(cold.clone()),
            miss_ratio: Some(cold.clone()),
            cold: Some(cold),
            cache: None,
            operations_per_byte,
            iterators: Vec::new(),
            domain: String::new(),
            kind: RowKind::Imaginary,
        }
    }
}

impl TableAnswer for LocalityTable {
    type Row = TableRowText;
    const SCHEMA: &'static str = "symloc.table/1";
    const VARIABLE: &'static str = "table";

    fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Returns the rows; those of distances end with the first touches.
    fn rows(&self, index: usize, style: Style) -> Vec<TableRowText> {
        let table = &self.tables.tables[index];
        let mut rows: Vec<TableRowText> = table.rows.iter().map(|row| self.row(table, row, style)).collect();
        if let Some(cold) = rows.iter().find_map(|row| row.cold.clone()).filter(|_| self.lru()) {
            // The cache in which all reuses hit reads the bytes of the first touches.
            let last = rows.iter().find(|row| row.miss_ratio.as_ref() == Some(&cold));
            let operations = last.and_then(|row| row.operations_per_byte.clone().flatten());
            rows.push(TableRowText::first_touches(cold, table.operations.as_ref().map(|_| operations)));
        }
        rows
    }

    fn iterators(&self) -> impl Iterator<Item = &str> {
        let rows = self.tables.tables.iter().flat_map(|table| &table.rows);
        rows.flat_map(|row| &row.iterators).map(String::as_str)
    }

    fn sheet(&self, rows: Vec<TableRowText>) -> Sheet {
        let ranges = rows.iter().any(|row| !row.iterators.is_empty());
        let mut head = vec![if self.lru() { "RD" } else { "RI" }, "kind", "portion", "miss ratio", "cold", "cache"];
        let operations = rows.iter().any(|row| row.operations_per_byte.is_some());
        head.extend(operations.then_some("operations per byte"));
        head.extend(ranges.then_some("for"));
        let unknown = rows.iter().any(|row| row.value().is_some() && (row.portion.is_none() || row.cache.is_none()));
        Sheet {
            head,
            rows: rows.into_iter().map(|row| self.cells(row, operations, ranges)).collect(),
            notes: unknown.then(|| LEFT_OUT.to_owned()).into_iter().collect(),
            ..Sheet::default()
        }
    }

    /// Returns the definition of N, if a fraction is written over it.
    fn definitions(&self, index: usize, style: Style) -> Vec<String> {
        let table = &self.tables.tables[index];
        let is_over = |row: &Row| {
            let names = [table.parameters.as_slice(), &row.iterators].concat();
            let plain = Notation::new(style, &names);
            let named = over_accesses(plain, table);
            let columns = [&row.portion, &row.miss_ratio, &row.cold, &row.cache, &row.operations_per_byte];
            columns.into_iter().flatten().any(|quotient| plain.quotient(quotient) != named.quotient(quotient))
        };
        let used = table.rows.iter().any(is_over);
        let accesses = Notation::new(Style::Text, &table.parameters).factored(&table.accesses);
        used.then(|| format!("{ACCESSES} = {accesses} accesses")).into_iter().collect()
    }

    fn record(&self, row: TableRowText) -> Record {
        let mut record = vec![
            if self.lru() { ("rd", row.rd.into()) } else { ("ri", row.ri.into()) },
            ("imaginary", Value::Flag(row.imaginary)),
            ("portion", row.portion.into()),
            ("miss_ratio", row.miss_ratio.into()),
            ("cold", row.cold.into()),
            ("cache", row.cache.into()),
        ];
        record.extend(row.operations_per_byte.map(|value| ("operations_per_byte", value.into())));
        record
    }
}

/// The name of the number of accesses in fractions.
const ACCESSES: &str = "N";

/// Returns a notation in which fractions may be over the number of accesses by its name, unless a parameter has that
/// name.
fn over_accesses<'n>(notation: Notation<'n>, table: &'n Table) -> Notation<'n> {
    let taken = notation.names.iter().any(|name| name == ACCESSES);
    if taken { notation } else { notation.over(ACCESSES, &table.accesses) }
}

/// The largest number of rows and the largest width of an exact table; others are shown in leading terms.
const SHORT: (usize, usize) = (12, 120);

impl LocalityTable {
    /// Returns true if the table is within `SHORT`.
    pub fn is_short(&self) -> bool {
        let sheet = |index: usize| self.sheet(self.rows(index, Style::Text));
        let is_short = |sheet: Sheet| sheet.rows.len() <= SHORT.0 && sheet.width() <= SHORT.1;
        (0..self.tables.tables.len()).map(sheet).all(is_short)
    }

    /// Returns true if rows are about reuse distances.
    fn lru(&self) -> bool {
        self.tables.miss_model == MissModel::Lru
    }

    fn row(&self, table: &Table, row: &Row, style: Style) -> TableRowText {
        let names = [table.parameters.as_slice(), &row.iterators].concat();
        let notation = over_accesses(Notation::new(style, &names), table);
        let formula = |quotient: &Option<Quotient>| quotient.as_ref().map(|q| notation.quotient(q));
        let value = Some(notation.quotient(&row.formula));
        let (ri, rd) = if self.lru() { (None, value) } else { (value, None) };
        TableRowText {
            ri,
            rd,
            imaginary: row.kind == RowKind::Imaginary,
            portion: formula(&row.portion),
            miss_ratio: formula(&row.miss_ratio),
            cold: formula(&row.cold),
            cache: formula(&row.cache),
            operations_per_byte: table.operations.as_ref().map(|_| formula(&row.operations_per_byte)),
            iterators: row.iterators.clone(),
            domain: notation.conjunction(&row.domain),
            kind: row.kind,
        }
    }

    fn cells(&self, row: TableRowText, operations: bool, ranges: bool) -> Vec<Cell> {
        let kind = match row.kind {
            RowKind::Real => "real",
            RowKind::Imaginary if self.lru() => "first touch",
            RowKind::Imaginary => "imaginary",
            RowKind::Both => "both",
        };
        let mut cells = vec![Cell::from(row.value().cloned()), Cell::Words(kind.to_owned())];
        cells.extend([row.portion, row.miss_ratio, row.cold, row.cache].map(Cell::from));
        cells.extend(operations.then(|| Cell::from(row.operations_per_byte.flatten())));
        cells.extend(
            ranges.then(|| if row.domain.is_empty() { Cell::Words(String::new()) } else { Cell::Formula(row.domain) }),
        );
        cells
    }
}
