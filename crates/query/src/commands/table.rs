//! `table`: the locality table, as formulas.

use std::collections::BTreeSet;
use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use symloc_locality::{Row, RowKind, Table};
use symloc_quasi::{Notation, Quotient, Style};

use super::formulas::{FormulaArgs, Tables, write_sheets};
use super::{By, shares};
use crate::error::{CliError, ExitStatus};
use crate::export::sympy::{self, Record, Value};
use crate::export::{Cell, Format, Sheet};
use crate::options::MissModel;

/// The options of `table`.
#[derive(Clone, Debug, Args)]
pub struct TableArgs {
    #[command(flatten)]
    formulas: FormulaArgs,
    /// Tell the reuse intervals of each array or of each access by themselves
    #[arg(long, value_name = "WHAT", value_enum)]
    by: Option<By>,
}

impl TableArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        if let Some(by) = self.by {
            return shares::run(&self.formulas, by, out).map(|()| ExitStatus::Success);
        }
        let tables = self.formulas.tables()?;
        match self.formulas.format {
            Format::Json => tables.write_json(out, "symloc.table/1", |_, table| rows(&tables, table, Style::Plain))?,
            Format::Sympy => write_sympy(out, &tables)?,
            format => {
                let sheets: Vec<_> = tables.tables.iter().map(|table| sheet(&tables, table, format)).collect();
                write_sheets(out, format, &sheets)?;
            }
        }
        Ok(ExitStatus::Success)
    }
}

/// A row as text.
#[derive(Serialize)]
struct RowText {
    #[serde(skip_serializing_if = "Option::is_none")]
    ri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rd: Option<String>,
    imaginary: bool,
    portion: Option<String>,
    miss_ratio: Option<String>,
    cold: Option<String>,
    cache: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    iterators: Vec<String>,
    #[serde(rename = "where", skip_serializing_if = "String::is_empty")]
    domain: String,
    #[serde(skip)]
    kind: RowKind,
}

impl RowText {
    /// The interval or the distance; nothing for first touches, which have no distance.
    fn value(&self) -> Option<&String> {
        self.ri.as_ref().or(self.rd.as_ref())
    }
}

/// The rows; those of distances end with the first touches.
fn rows(tables: &Tables, table: &Table, style: Style) -> Vec<RowText> {
    let lru = tables.miss_model == MissModel::Lru;
    let mut rows: Vec<RowText> = table.rows.iter().map(|row| row_text(table, row, style, lru)).collect();
    if let Some(cold) = rows.iter().find_map(|row| row.cold.clone()).filter(|_| lru) {
        rows.push(RowText {
            ri: None,
            rd: None,
            imaginary: true,
            portion: Some(cold.clone()),
            miss_ratio: Some(cold.clone()),
            cold: Some(cold),
            cache: None,
            iterators: Vec::new(),
            domain: String::new(),
            kind: RowKind::Imaginary,
        });
    }
    rows
}

fn row_text(table: &Table, row: &Row, style: Style, lru: bool) -> RowText {
    let names = [table.parameters.as_slice(), &row.iterators].concat();
    let notation = Notation::new(style, &names);
    let formula = |quotient: &Option<Quotient>| quotient.as_ref().map(|q| notation.quotient(q));
    let value = Some(notation.poly(&row.interval));
    let (ri, rd) = if lru { (None, value) } else { (value, None) };
    RowText {
        ri,
        rd,
        imaginary: row.kind == RowKind::Imaginary,
        portion: formula(&row.portion),
        miss_ratio: formula(&row.miss_ratio),
        cold: formula(&row.cold),
        cache: formula(&row.cache),
        iterators: row.iterators.clone(),
        domain: notation.conjunction(&row.domain),
        kind: row.kind,
    }
}

fn sheet(tables: &Tables, table: &Table, format: Format) -> Sheet {
    let rows = rows(tables, table, format.style());
    let ranges = rows.iter().any(|row| !row.iterators.is_empty());
    let (value, first_touch) = match tables.miss_model {
        MissModel::Denning => ("RI", "imaginary"),
        MissModel::Lru => ("RD", "first touch"),
    };
    let mut head = vec![value, "kind", "portion", "miss ratio", "cold", "cache"];
    head.extend(ranges.then_some("for"));
    let unknown = rows.iter().any(|row| row.value().is_some() && (row.portion.is_none() || row.cache.is_none()));
    let cells = |row: RowText| {
        let kind = match row.kind {
            RowKind::Real => "real",
            RowKind::Imaginary => first_touch,
            RowKind::Both => "both",
        };
        let mut cells = vec![Cell::from(row.value().cloned()), Cell::Words(kind.to_owned())];
        cells.extend([row.portion, row.miss_ratio, row.cold, row.cache].map(Cell::from));
        cells.extend(
            ranges.then(|| if row.domain.is_empty() { Cell::Words(String::new()) } else { Cell::Formula(row.domain) }),
        );
        cells
    };
    let mut notes = Vec::new();
    if unknown {
        notes.push("left out: what has no closed form, or lies among the intervals of free iterators".to_owned());
    }
    Sheet { caption: tables.caption(table, Style::Text), head, rows: rows.into_iter().map(cells).collect(), notes }
}

fn write_sympy(out: &mut dyn Write, tables: &Tables) -> io::Result<()> {
    let iterators = tables.tables.iter().flat_map(|table| &table.rows).flat_map(|row| &row.iterators);
    let names: BTreeSet<&str> = tables.model.parameters.iter().chain(iterators).map(String::as_str).collect();
    sympy::write_symbols(out, &names)?;
    for (index, table) in tables.tables.iter().enumerate() {
        let record = |row: RowText| -> Record {
            vec![
                if tables.miss_model == MissModel::Lru { ("rd", row.rd.into()) } else { ("ri", row.ri.into()) },
                ("imaginary", Value::Flag(row.imaginary)),
                ("portion", row.portion.into()),
                ("miss_ratio", row.miss_ratio.into()),
                ("cold", row.cold.into()),
                ("cache", row.cache.into()),
            ]
        };
        let records: Vec<_> = rows(tables, table, Style::Plain).into_iter().map(record).collect();
        let variable = if tables.tables.len() == 1 { "table".to_owned() } else { format!("table_{}", index + 1) };
        sympy::write_records(out, &variable, &tables.caption(table, Style::Plain), &records)?;
    }
    Ok(())
}
