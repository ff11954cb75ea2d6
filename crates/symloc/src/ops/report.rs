//! Rows of counts: by block, loop, line of the source or kind of operation, and in total.

use std::collections::{BTreeMap, BTreeSet};

use clap::ValueEnum;
use symloc_affine::MarkId;
use symloc_frontend::characteristics::{Block, Characteristics, Kind, Mix, Operation, SourceLine, Typed};
use symloc_quasi::Rational;
use symloc_reuse::{Error, Executions};

use super::told::{Subject, Told, Value};

/// The part of a program that has a row of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
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
pub(crate) enum Column {
    Executions,
    Loads,
    Stores,
    BytesLoaded,
    BytesStored,
    Integer,
    Float,
    Flops,
    Conditional,
    Unconditional,
    Count,
    Bytes,
}

impl Column {
    /// The columns after the executions, in rows that are places of the program.
    const SUMS: [Column; 9] = [
        Column::Loads,
        Column::Stores,
        Column::BytesLoaded,
        Column::BytesStored,
        Column::Integer,
        Column::Float,
        Column::Flops,
        Column::Conditional,
        Column::Unconditional,
    ];

    /// Returns the title of the column in tables.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Column::Executions => "executions",
            Column::Loads => "loads",
            Column::Stores => "stores",
            Column::BytesLoaded => "bytes loaded",
            Column::BytesStored => "bytes stored",
            Column::Integer => "integer operations",
            Column::Float => "float operations",
            Column::Flops => "flops",
            Column::Conditional => "conditional branches",
            Column::Unconditional => "unconditional branches",
            Column::Count => "count",
            Column::Bytes => "bytes",
        }
    }

    /// Returns the name of the column in JSON and CSV.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Column::BytesLoaded => "bytes_loaded",
            Column::BytesStored => "bytes_stored",
            Column::Integer => "integer_operations",
            Column::Float => "float_operations",
            Column::Conditional => "conditional_branches",
            Column::Unconditional => "unconditional_branches",
            _ => self.title(),
        }
    }

    /// Returns the amount that one operation adds to the column.
    fn weight(self, Typed { operation, bits }: Typed) -> u64 {
        let counts = match self {
            Column::Executions => false,
            Column::Loads => operation == Operation::Load,
            Column::Stores => operation == Operation::Store,
            Column::BytesLoaded => return if operation == Operation::Load { operation.bytes(bits) } else { 0 },
            Column::BytesStored => return if operation == Operation::Store { operation.bytes(bits) } else { 0 },
            Column::Integer => matches!(operation, Operation::Integer(_)),
            Column::Float => matches!(operation, Operation::Float(_)),
            Column::Flops => return operation.flops(),
            Column::Conditional => operation == Operation::ConditionalBranch,
            Column::Unconditional => operation == Operation::UnconditionalBranch,
            Column::Count => true,
            Column::Bytes => return operation.bytes(bits),
        };
        u64::from(counts)
    }
}

/// A row of counts.
#[derive(Debug)]
pub(crate) struct ReportRow {
    /// The block, loop or function; empty for lines and kinds.
    pub name: String,
    /// The line where it begins.
    pub line: Option<SourceLine>,
    /// The operation, in rows by kind.
    pub operation: Option<Typed>,
    pub counts: Vec<(Column, Told)>,
    /// The counts by kind, in rows that are places of the program.
    pub operations: Vec<(Typed, Told)>,
}

impl ReportRow {
    /// Returns true if one of the counts is an estimate.
    pub(crate) fn estimate(&self) -> bool {
        self.all().any(|told| told.estimate)
    }

    fn all(&self) -> impl Iterator<Item = &Told> {
        self.counts.iter().map(|(_, told)| told).chain(self.operations.iter().map(|(_, told)| told))
    }
}

/// The rows of an output.
pub(crate) struct Report {
    pub by: By,
    pub rows: Vec<ReportRow>,
}

/// The parts of a row: mixes of operations, each with the mark that counts its executions.
type Parts = Vec<(MarkId, Mix)>;

impl Report {
    /// Returns the rows of a program.
    pub(crate) fn new(
        by: By,
        characteristics: &Characteristics,
        executions: &Executions<'_>,
        subject: &Subject,
    ) -> Result<Self, Error> {
        let teller = Teller { executions, subject };
        let Characteristics { blocks, loops, program, .. } = characteristics;
        let all: Parts = blocks.iter().map(|block| (block.mark, block.mix())).collect();
        let rows = match by {
            By::Total => vec![teller.place(program.name.clone(), None, None, &all)?],
            By::Kind => kinds(&all).into_iter().map(|typed| teller.kind(typed, &all)).collect::<Result<_, _>>()?,
            By::Block => {
                let row = |block: &Block| {
                    let line = block.location.as_ref().map(SourceLine::of);
                    teller.place(block.name.clone(), line, Some(block.mark), &[(block.mark, block.mix())])
                };
                blocks.iter().map(row).collect::<Result<_, _>>()?
            }
            By::Loop => {
                let row = |index: usize| {
                    let info = &loops[index];
                    let inside = blocks.iter().filter(|block| characteristics.is_within(block.within, index));
                    let parts: Parts = inside.map(|block| (block.mark, block.mix())).collect();
                    let line = info.location.as_ref().map(SourceLine::of);
                    teller.place(info.name.clone(), line, Some(blocks[info.header].mark), &parts)
                };
                (0..loops.len()).map(row).collect::<Result<_, _>>()?
            }
            By::Line => {
                let mut lines: BTreeMap<&Option<SourceLine>, Parts> = BTreeMap::new();
                for block in blocks {
                    for (line, mix) in &block.lines {
                        lines.entry(line).or_default().push((block.mark, mix.clone()));
                    }
                }
                let row = |(line, parts): (&Option<SourceLine>, Parts)| {
                    teller.place(String::new(), line.clone(), None, &parts)
                };
                lines.into_iter().map(row).collect::<Result<_, _>>()?
            }
        };
        Ok(Self { by, rows })
    }

    fn all(&self) -> impl Iterator<Item = &Told> {
        self.rows.iter().flat_map(ReportRow::all)
    }

    /// Returns the lines of the branches on data without which some counts are not known.
    pub(crate) fn unknown(&self) -> BTreeSet<u32> {
        let lines = self.all().filter_map(|told| match &told.value {
            Value::Unknown(lines) => Some(lines),
            _ => None,
        });
        lines.flatten().copied().collect()
    }

    /// Returns true if one of the counts is an estimate.
    pub(crate) fn estimate(&self) -> bool {
        self.all().any(|told| told.estimate)
    }

    /// Returns true if there are formulas that do not hold for small sizes.
    pub(crate) fn leaves_cases_out(&self) -> bool {
        self.rows.iter().flat_map(|row| &row.counts).any(|(_, told)| told.leaves_cases_out())
    }
}

/// Returns all kinds of operations, in their order.
fn kinds(parts: &[(MarkId, Mix)]) -> BTreeSet<Typed> {
    parts.iter().flat_map(|(_, mix)| mix.counts()).map(|(typed, _)| typed).collect()
}

/// A builder of rows, which sums up the counts of operations.
struct Teller<'t> {
    executions: &'t Executions<'t>,
    subject: &'t Subject,
}

impl Teller<'_> {
    fn sum(&self, parts: &[(MarkId, Mix)], weight: impl Fn(Typed) -> u64) -> Result<Told, Error> {
        let terms = parts.iter().map(|(mark, mix)| {
            let add = |sum, (typed, count): (Typed, u64)| sum + u128::from(count) * u128::from(weight(typed));
            (*mark, Rational::from_integer(mix.counts().fold(0, add).into()))
        });
        Ok(self.subject.tell(self.executions.sum(terms)?))
    }

    /// Returns the row of a block, a loop, a line or the whole program.
    fn place(
        &self,
        name: String,
        line: Option<SourceLine>,
        mark: Option<MarkId>,
        parts: &[(MarkId, Mix)],
    ) -> Result<ReportRow, Error> {
        let mut counts = Vec::new();
        if let Some(mark) = mark {
            counts.push((Column::Executions, self.subject.tell(self.executions.of(mark)?)));
        }
        for column in Column::SUMS {
            counts.push((column, self.sum(parts, |typed| column.weight(typed))?));
        }
        let mut operations = Vec::new();
        for typed in kinds(parts) {
            operations.push((typed, self.sum(parts, |other| u64::from(other == typed))?));
        }
        Ok(ReportRow { name, line, operation: None, counts, operations })
    }

    fn kind(&self, typed: Typed, parts: &[(MarkId, Mix)]) -> Result<ReportRow, Error> {
        let of = |column: Column| {
            Ok::<_, Error>((column, self.sum(parts, |other| if other == typed { column.weight(typed) } else { 0 })?))
        };
        Ok(ReportRow {
            name: String::new(),
            line: None,
            operation: Some(typed),
            counts: vec![of(Column::Count)?, of(Column::Bytes)?],
            operations: Vec::new(),
        })
    }
}

/// Returns the names of an operation: its category and its kind.
pub(crate) fn called(operation: Operation) -> (&'static str, &'static str) {
    match operation {
        Operation::Load => ("memory", "load"),
        Operation::Store => ("memory", "store"),
        Operation::Integer(kind) => ("integer", kind_name(kind)),
        Operation::Float(kind) => ("float", kind_name(kind)),
        Operation::ConditionalBranch => ("branch", "conditional"),
        Operation::UnconditionalBranch => ("branch", "unconditional"),
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Add => "add",
        Kind::Sub => "sub",
        Kind::Mul => "mul",
        Kind::Div => "div",
        Kind::Rem => "rem",
        Kind::Compare => "compare",
        Kind::Logic => "logic",
        Kind::Convert => "convert",
        Kind::MinMax => "min/max",
        Kind::Fma => "fma",
        Kind::Elementary => "elementary",
        Kind::Other => "other",
    }
}
