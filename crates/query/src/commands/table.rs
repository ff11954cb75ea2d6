//! `table`: the locality table, as formulas.

use std::io::Write;
use std::sync::Arc;

use clap::Args;
use serde::Serialize;
use symloc_locality::{Counts, Growth, Row, RowKind, Table};
use symloc_model::Model;
use symloc_quasi::{Notation, Quotient, Style};
use symloc_report::formats::sympy::{Record, Value};
use symloc_report::subject::RowsBy;
use symloc_report::{Cell, Format, MissModel, Sheet};

use super::profiles::{ProfileColumns, Profiles};
use super::shares;
use super::tables::{Formulas, LEFT_OUT, Tables, TablesAbout, TablesArgs};
use crate::error::{CliError, ExitStatus};
use crate::options::ParameterArgs;

/// The options of `table`.
#[derive(Clone, Debug, Args)]
pub struct TableArgs {
    #[command(flatten)]
    pub(super) formulas: TablesArgs,
    /// Tell the reuse intervals of each array or of each access by themselves
    #[arg(long, value_name = "WHAT", value_enum, conflicts_with = "operations")]
    by: Option<RowsBy>,
    /// All rows of the exact table in text, Markdown and LaTeX, however long; data have them always
    #[arg(long, conflicts_with = "by")]
    full: bool,
    /// Sizes like those of the table; the default is large sizes
    #[command(flatten)]
    sizes: ParameterArgs,
}

impl TableArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        if let Some(by) = self.by {
            if !self.sizes.is_empty() {
                return Err(CliError::with_hint(
                    "`--by` is about large sizes only",
                    "leave `-D` out; `query --by` answers at given sizes",
                ));
            }
            return shares::run(&self.formulas, by, out).map(|()| ExitStatus::Success);
        }
        let table = LocalityTable { tables: self.formulas.tables(Some(&self.sizes))? };
        match table.grouped(self.formulas.operations).filter(|_| self.groups() && !table.is_short()) {
            Some(grouped) => grouped.write(out, self.formulas.format, ProfileColumns::Table)?,
            None => table.write(out, self.formulas.format)?,
        }
        Ok(ExitStatus::Success)
    }

    /// Returns true if rows may be grouped.
    fn groups(&self) -> bool {
        let data = matches!(self.formulas.format, Format::Json | Format::Sympy);
        !data && !self.full && self.sizes.is_empty()
    }
}

/// Returns the table of a model as sheets, in leading terms from `profiles` where the exact one is long.
pub(super) fn sheets(
    model: &Arc<Model>,
    about: TablesAbout,
    profiles: Option<&Profiles<'_>>,
    format: Format,
) -> Result<Vec<Sheet>, CliError> {
    let table = LocalityTable { tables: Tables::derive(Arc::clone(model), about, None)? };
    Ok(match profiles.filter(|_| !table.is_short()) {
        Some(profiles) => profiles.sheets(format, ProfileColumns::Table),
        None => table.sheets(format),
    })
}

struct LocalityTable {
    tables: Tables,
}

/// A row as text.
#[derive(Serialize)]
struct TableRowText {
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

impl Formulas for LocalityTable {
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
    /// Returns true if the table is within [`SHORT`].
    fn is_short(&self) -> bool {
        let sheet = |index: usize| self.sheet(self.rows(index, Style::Text));
        let is_short = |sheet: Sheet| sheet.rows.len() <= SHORT.0 && sheet.width() <= SHORT.1;
        (0..self.tables.tables.len()).map(sheet).all(is_short)
    }

    /// Returns the table in leading terms, if these are known.
    fn grouped(&self, operations: bool) -> Option<Profiles<'_>> {
        let Tables { model, miss_model, .. } = &self.tables;
        let line = self.tables.line_model()?;
        let counts = Counts { operations, ..Counts::default() };
        Profiles::derive(model, line, *miss_model, counts, &Growth::default()).ok().filter(|_| line.symbolic.is_none())
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
