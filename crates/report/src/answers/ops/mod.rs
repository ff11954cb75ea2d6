//! `ops`: the operations of a program, by block, loop, line of the source or kind, and in total: `symloc.ops/1`.
//!
//! - [`count_text`]: a count as it is printed: a formula or, at a size, a number,
//! - [`graph`]: the control-flow graph with counts and probabilities,
//! - [`text`], [`json`], [`csv`], [`dot`]: the formats.

use std::collections::BTreeSet;

use clap::ValueEnum;

use self::count_text::{CountText, CountValue};

pub mod count_text;
pub mod csv;
pub mod dot;
pub mod graph;
pub mod json;
pub mod text;

/// A kind of operations, by its names in answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedOperation {
    /// The category, such as `float`.
    pub category: &'static str,
    /// The kind, such as `add`.
    pub kind: &'static str,
    /// The width of its operands in bits; 0 if it has none.
    pub bits: u32,
}

/// A line of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpsPlace {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// The part of a program that has a row of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OpsBy {
    /// Every basic block
    Block,
    /// Every loop, with all that is inside
    Loop,
    /// Every line of the source
    Line,
    /// Every kind and width of operations
    #[default]
    Kind,
    /// Nothing: the sums over everything
    Total,
}

/// A column of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpsColumn {
    /// Executions of the place.
    Executions,
    /// Loads.
    Loads,
    /// Stores.
    Stores,
    /// Bytes that are loaded.
    BytesLoaded,
    /// Bytes that are stored.
    BytesStored,
    /// Operations on integers.
    Integer,
    /// Operations on floating-point numbers.
    Float,
    /// Floating-point operations, a fused one as two.
    Flops,
    /// Conditional branches.
    Conditional,
    /// Unconditional branches.
    Unconditional,
    /// Operations of one kind.
    Count,
    /// Bytes that operations of one kind move.
    Bytes,
}

impl OpsColumn {
    /// Returns the title of the column in tables.
    pub fn title(self) -> &'static str {
        match self {
            OpsColumn::Executions => "executions",
            OpsColumn::Loads => "loads",
            OpsColumn::Stores => "stores",
            OpsColumn::BytesLoaded => "bytes loaded",
            OpsColumn::BytesStored => "bytes stored",
            OpsColumn::Integer => "integer operations",
            OpsColumn::Float => "float operations",
            OpsColumn::Flops => "flops",
            OpsColumn::Conditional => "conditional branches",
            OpsColumn::Unconditional => "unconditional branches",
            OpsColumn::Count => "count",
            OpsColumn::Bytes => "bytes",
        }
    }

    /// Returns the name of the column in JSON and CSV.
    pub fn key(self) -> &'static str {
        match self {
            OpsColumn::BytesLoaded => "bytes_loaded",
            OpsColumn::BytesStored => "bytes_stored",
            OpsColumn::Integer => "integer_operations",
            OpsColumn::Float => "float_operations",
            OpsColumn::Conditional => "conditional_branches",
            OpsColumn::Unconditional => "unconditional_branches",
            _ => self.title(),
        }
    }
}

/// A row of counts.
#[derive(Debug)]
pub struct OpsRow {
    /// The block, loop or function; empty for lines and kinds.
    pub name: String,
    /// The line where it begins.
    pub line: Option<OpsPlace>,
    /// The operation, in rows by kind.
    pub operation: Option<NamedOperation>,
    /// The counts, by column.
    pub counts: Vec<(OpsColumn, CountText)>,
    /// The counts by kind, in rows that are places of the program.
    pub operations: Vec<(NamedOperation, CountText)>,
}

impl OpsRow {
    /// Returns true if one of the counts is an estimate.
    pub fn estimate(&self) -> bool {
        self.all().any(|count| count.estimate)
    }

    fn all(&self) -> impl Iterator<Item = &CountText> {
        self.counts.iter().map(|(_, count)| count).chain(self.operations.iter().map(|(_, count)| count))
    }
}

/// The rows of an output.
#[derive(Debug)]
pub struct OpsReport {
    /// The parts of the program that have a row of their own.
    pub by: OpsBy,
    /// The rows.
    pub rows: Vec<OpsRow>,
}

impl OpsReport {
    fn all(&self) -> impl Iterator<Item = &CountText> {
        self.rows.iter().flat_map(OpsRow::all)
    }

    /// Returns the lines of the branches on data without which some counts are not known.
    pub fn unknown(&self) -> BTreeSet<u32> {
        let lines = self.all().filter_map(|count| match &count.value {
            CountValue::Unknown(lines) => Some(lines),
            _ => None,
        });
        lines.flatten().copied().collect()
    }

    /// Returns true if one of the counts is an estimate.
    pub fn estimate(&self) -> bool {
        self.all().any(|count| count.estimate)
    }

    /// Returns true if there are formulas that do not hold for small sizes.
    pub fn leaves_cases_out(&self) -> bool {
        self.rows.iter().flat_map(|row| &row.counts).any(|(_, count)| count.leaves_cases_out())
    }
}
