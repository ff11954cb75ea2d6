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
pub(crate) enum OpsColumn {
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

impl OpsColumn {
    /// The columns after the executions, in rows that are places of the program.
    const SUMS: [OpsColumn; 9] = [
        OpsColumn::Loads,
        OpsColumn::Stores,
        OpsColumn::BytesLoaded,
        OpsColumn::BytesStored,
        OpsColumn::Integer,
        OpsColumn::Float,
        OpsColumn::Flops,
        OpsColumn::Conditional,
        OpsColumn::Unconditional,
    ];

    /// Returns the title of the column in tables.
    pub(crate) fn title(self) -> &'static str {
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
    pub(crate) fn key(self) -> &'static str {
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

    /// Returns the amount that one operation adds to the column.
    fn weight(self, Typed { operation, bits }: Typed) -> u64 {
        let counts = match self {
            OpsColumn::Executions => false,
            OpsColumn::Loads => operation == Operation::Load,
            OpsColumn::Stores => operation == Operation::Store,
            OpsColumn::BytesLoaded => return if operation == Operation::Load { operation.bytes(bits) } else { 0 },
            OpsColumn::BytesStored => return if operation == Operation::Store { operation.bytes(bits) } else { 0 },
            OpsColumn::Integer => matches!(operation, Operation::Integer(_)),
            OpsColumn::Float => matches!(operation, Operation::Float(_)),
            OpsColumn::Flops => return operation.flops(),
            OpsColumn::Conditional => operation == Operation::ConditionalBranch,
            OpsColumn::Unconditional => operation == Operation::UnconditionalBranch,
            OpsColumn::Count => true,
            OpsColumn::Bytes => return operation.bytes(bits),
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
    pub counts: Vec<(OpsColumn, Told)>,
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
type RowParts = Vec<(MarkId, Mix)>;

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
        let all: RowParts = blocks.iter().map(|block| (block.mark, block.mix())).collect();
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
                    let parts: RowParts = inside.map(|block| (block.mark, block.mix())).collect();
                    let line = info.location.as_ref().map(SourceLine::of);
                    teller.place(info.name.clone(), line, Some(blocks[info.header].mark), &parts)
                };
                (0..loops.len()).map(row).collect::<Result<_, _>>()?
            }
            By::Line => {
                let mut lines: BTreeMap<&Option<SourceLine>, RowParts> = BTreeMap::new();
                for block in blocks {
                    for (line, mix) in &block.lines {
                        lines.entry(line).or_default().push((block.mark, mix.clone()));
                    }
                }
                let row = |(line, parts): (&Option<SourceLine>, RowParts)| {
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
            counts.push((OpsColumn::Executions, self.subject.tell(self.executions.of(mark)?)));
        }
        for column in OpsColumn::SUMS {
            counts.push((column, self.sum(parts, |typed| column.weight(typed))?));
        }
        let mut operations = Vec::new();
        for typed in kinds(parts) {
            operations.push((typed, self.sum(parts, |other| u64::from(other == typed))?));
        }
        Ok(ReportRow { name, line, operation: None, counts, operations })
    }

    fn kind(&self, typed: Typed, parts: &[(MarkId, Mix)]) -> Result<ReportRow, Error> {
        let of = |column: OpsColumn| {
            Ok::<_, Error>((column, self.sum(parts, |other| if other == typed { column.weight(typed) } else { 0 })?))
        };
        Ok(ReportRow {
            name: String::new(),
            line: None,
            operation: Some(typed),
            counts: vec![of(OpsColumn::Count)?, of(OpsColumn::Bytes)?],
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
