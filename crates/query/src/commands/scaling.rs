//! `scaling`: the smallest caches that bound the miss ratio, as formulas.

use std::io::Write;
use std::iter;

use clap::Args;
use serde::Serialize;
use symloc_locality::{Bound, scaling};
use symloc_quasi::{Notation, Style};

use super::formulas::{FormulaArgs, Formulas, Tables};
use crate::error::{CliError, ExitStatus};
use crate::export::sympy::{Record, Value};
use crate::export::{Cell, Sheet};

/// The options of `scaling`.
#[derive(Clone, Debug, Args)]
pub struct ScalingArgs {
    #[command(flatten)]
    formulas: FormulaArgs,
}

impl ScalingArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        Scaling { tables: self.formulas.tables()? }.write(out, self.formulas.format)?;
        Ok(ExitStatus::Success)
    }
}

struct Scaling {
    tables: Tables,
}

/// A row as text.
#[derive(Serialize)]
struct Row {
    cache: String,
    miss_ratio: String,
    cache_leading: String,
    miss_ratio_leading: String,
}

impl Formulas for Scaling {
    type Row = Row;
    const SCHEMA: &'static str = "symloc.scaling/1";
    const VARIABLE: &'static str = "scaling";

    fn tables(&self) -> &Tables {
        &self.tables
    }

    fn rows(&self, index: usize, style: Style) -> Vec<Row> {
        let table = &self.tables.tables[index];
        let notation = Notation::new(style, &table.parameters);
        let row = |bound: Bound| Row {
            cache: notation.quotient(&bound.cache),
            miss_ratio: notation.quotient(&bound.miss_ratio),
            cache_leading: notation.quotient(&bound.cache_leading),
            miss_ratio_leading: notation.quotient(&bound.miss_ratio_leading),
        };
        scaling(table).into_iter().map(row).collect()
    }

    fn iterators(&self) -> impl Iterator<Item = &str> {
        iter::empty()
    }

    fn sheet(&self, rows: Vec<Row>) -> Sheet {
        let cells = |row: Row| {
            [row.miss_ratio_leading, row.cache_leading, row.miss_ratio, row.cache].map(Cell::Formula).to_vec()
        };
        let none = "no row of the locality table has a closed form for both its miss ratio and its cache".to_owned();
        Sheet {
            head: vec!["miss ratio about", "cache about", "miss ratio at most", "cache from"],
            notes: if rows.is_empty() { vec![none] } else { Vec::new() },
            rows: rows.into_iter().map(cells).collect(),
            ..Sheet::default()
        }
    }

    fn record(&self, row: Row) -> Record {
        let expressions = [
            ("cache", row.cache),
            ("miss_ratio", row.miss_ratio),
            ("cache_leading", row.cache_leading),
            ("miss_ratio_leading", row.miss_ratio_leading),
        ];
        expressions.map(|(name, text)| (name, Value::Expression(text))).into()
    }
}
