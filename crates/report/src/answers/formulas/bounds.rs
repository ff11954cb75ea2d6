//! `scaling --terms all`: the smallest caches that bound the miss ratio, as exact formulas (the paper's Table 3).

use std::iter;

use crate::formats::sympy::{Record, Value};
use crate::{Cell, Sheet};
use serde::Serialize;
use symloc_locality::{Bound, scaling};
use symloc_quasi::{Notation, Style};

use super::tables::{TableAnswer, Tables};

/// The bounds on the miss ratio by each table: `symloc.scaling/1`.
#[derive(Debug)]
pub struct ScalingBounds {
    /// The tables.
    pub tables: Tables,
}

/// A row as text.
#[derive(Debug, Serialize)]
pub struct BoundRow {
    cache: String,
    miss_ratio: String,
    cache_leading: String,
    miss_ratio_leading: String,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    operations: Option<Operations>,
}

/// Operations per byte, if they were requested.
#[derive(Debug, Serialize)]
struct Operations {
    operations_per_byte: String,
    operations_per_byte_leading: String,
}

impl TableAnswer for ScalingBounds {
    type Row = BoundRow;
    const SCHEMA: &'static str = "symloc.scaling/1";
    const VARIABLE: &'static str = "scaling";

    fn tables(&self) -> &Tables {
        &self.tables
    }

    fn rows(&self, index: usize, style: Style) -> Vec<BoundRow> {
        let table = &self.tables.tables[index];
        let notation = Notation::new(style, &table.parameters);
        let row = |bound: Bound| BoundRow {
            cache: notation.quotient(&bound.cache),
            miss_ratio: notation.quotient(&bound.miss_ratio),
            cache_leading: notation.quotient(&bound.cache_leading),
            miss_ratio_leading: notation.quotient(&bound.miss_ratio_leading),
            operations: bound.operations_per_byte.zip(bound.operations_per_byte_leading).map(|(exact, leading)| {
                Operations {
                    operations_per_byte: notation.quotient(&exact),
                    operations_per_byte_leading: notation.quotient(&leading),
                }
            }),
        };
        scaling(table).into_iter().map(row).collect()
    }

    fn iterators(&self) -> impl Iterator<Item = &str> {
        iter::empty()
    }

    fn sheet(&self, rows: Vec<BoundRow>) -> Sheet {
        let mut head = vec!["miss ratio about", "cache about", "miss ratio at most", "cache from"];
        if rows.iter().any(|row| row.operations.is_some()) {
            head.extend(["operations per byte about", "at least"]);
        }
        let cells = |row: BoundRow| {
            let mut cells = vec![row.miss_ratio_leading, row.cache_leading, row.miss_ratio, row.cache];
            let operations = row.operations.into_iter();
            cells.extend(operations.flat_map(|o| [o.operations_per_byte_leading, o.operations_per_byte]));
            cells.into_iter().map(Cell::Formula).collect()
        };
        let none = "no row of the locality table has a closed form for both its miss ratio and its cache".to_owned();
        Sheet {
            head,
            notes: if rows.is_empty() { vec![none] } else { Vec::new() },
            rows: rows.into_iter().map(cells).collect(),
            ..Sheet::default()
        }
    }

    fn record(&self, row: BoundRow) -> Record {
        let mut expressions = vec![
            ("cache", row.cache),
            ("miss_ratio", row.miss_ratio),
            ("cache_leading", row.cache_leading),
            ("miss_ratio_leading", row.miss_ratio_leading),
        ];
        if let Some(Operations { operations_per_byte, operations_per_byte_leading }) = row.operations {
            expressions.push(("operations_per_byte", operations_per_byte));
            expressions.push(("operations_per_byte_leading", operations_per_byte_leading));
        }
        expressions.into_iter().map(|(name, text)| (name, Value::Expression(text))).collect()
    }
}
