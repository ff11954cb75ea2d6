//! `scaling`: the smallest caches that bound the miss ratio, as formulas.

use std::collections::BTreeSet;
use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use symloc_locality::{Bound, Table, scaling};
use symloc_quasi::{Notation, Style};

use super::formulas::{FormulaArgs, Tables, write_sheets};
use crate::error::{CliError, ExitStatus};
use crate::export::sympy::{self, Record, Value};
use crate::export::{Cell, Format, Sheet};

/// The options of `scaling`.
#[derive(Clone, Debug, Args)]
pub struct ScalingArgs {
    #[command(flatten)]
    formulas: FormulaArgs,
}

impl ScalingArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let tables = self.formulas.tables()?;
        match self.formulas.format {
            Format::Json => tables.write_json(out, "symloc.scaling/1", |_, table| rows(table, Style::Plain))?,
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
    cache: String,
    miss_ratio: String,
    cache_leading: String,
    miss_ratio_leading: String,
}

fn rows(table: &Table, style: Style) -> Vec<RowText> {
    let notation = Notation::new(style, &table.parameters);
    let row = |bound: Bound| RowText {
        cache: notation.quotient(&bound.cache),
        miss_ratio: notation.quotient(&bound.miss_ratio),
        cache_leading: notation.quotient(&bound.cache_leading),
        miss_ratio_leading: notation.quotient(&bound.miss_ratio_leading),
    };
    scaling(table).into_iter().map(row).collect()
}

fn sheet(tables: &Tables, table: &Table, format: Format) -> Sheet {
    let cells = |row: RowText| {
        [row.miss_ratio_leading, row.cache_leading, row.miss_ratio, row.cache].map(Cell::Formula).to_vec()
    };
    let rows: Vec<_> = rows(table, format.style()).into_iter().map(cells).collect();
    let none = "no row of the locality table has a closed form for both its miss ratio and its cache".to_owned();
    Sheet {
        caption: tables.caption(table, Style::Text),
        head: vec!["miss ratio about", "cache about", "miss ratio at most", "cache from"],
        notes: if rows.is_empty() { vec![none] } else { Vec::new() },
        rows,
    }
}

fn write_sympy(out: &mut dyn Write, tables: &Tables) -> io::Result<()> {
    let names: BTreeSet<&str> = tables.model.parameters.iter().map(String::as_str).collect();
    sympy::write_symbols(out, &names)?;
    for (index, table) in tables.tables.iter().enumerate() {
        let record = |row: RowText| -> Record {
            let expressions = [
                ("cache", row.cache),
                ("miss_ratio", row.miss_ratio),
                ("cache_leading", row.cache_leading),
                ("miss_ratio_leading", row.miss_ratio_leading),
            ];
            expressions.map(|(name, text)| (name, Value::Expression(text))).into()
        };
        let records: Vec<_> = rows(table, Style::Plain).into_iter().map(record).collect();
        let variable = if tables.tables.len() == 1 { "scaling".to_owned() } else { format!("scaling_{}", index + 1) };
        sympy::write_records(out, &variable, &tables.caption(table, Style::Plain), &records)?;
    }
    Ok(())
}
