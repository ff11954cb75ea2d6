//! Rows of counts: by block, loop, line of the source or kind of operation, and in total.

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::MarkId;
use symloc_frontend::characteristics::{Block, Characteristics, Kind, Mix, Operation, SourceLine, Typed};
use symloc_quasi::Rational;
use symloc_report::answers::ops::count_text::{CountText, OpsSubject};
use symloc_report::answers::ops::{NamedOperation, OpsBy, OpsColumn, OpsPlace, OpsReport, OpsRow};
use symloc_reuse::{Error, Executions};

use super::counts::count_text;

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

/// Returns the amount that one operation adds to a column.
fn weight(column: OpsColumn, Typed { operation, bits }: Typed) -> u64 {
    let counts = match column {
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

/// The parts of a row: mixes of operations, each with the mark that counts its executions.
type RowParts = Vec<(MarkId, Mix)>;

/// Returns the rows of a program.
pub(crate) fn report(
    by: OpsBy,
    characteristics: &Characteristics,
    executions: &Executions<'_>,
    subject: &OpsSubject,
) -> Result<OpsReport, Error> {
    let builder = RowBuilder { executions, subject };
    let Characteristics { blocks, loops, program, .. } = characteristics;
    let all: RowParts = blocks.iter().map(|block| (block.mark, block.mix())).collect();
    let rows = match by {
        OpsBy::Total => vec![builder.place(program.name.clone(), None, None, &all)?],
        OpsBy::Kind => kinds(&all).into_iter().map(|typed| builder.kind(typed, &all)).collect::<Result<_, _>>()?,
        OpsBy::Block => {
            let row = |block: &Block| {
                let line = block.location.as_ref().map(SourceLine::of);
                builder.place(block.name.clone(), line, Some(block.mark), &[(block.mark, block.mix())])
            };
            blocks.iter().map(row).collect::<Result<_, _>>()?
        }
        OpsBy::Loop => {
            let row = |index: usize| {
                let info = &loops[index];
                let inside = blocks.iter().filter(|block| characteristics.is_within(block.within, index));
                let parts: RowParts = inside.map(|block| (block.mark, block.mix())).collect();
                let line = info.location.as_ref().map(SourceLine::of);
                builder.place(info.name.clone(), line, Some(blocks[info.header].mark), &parts)
            };
            (0..loops.len()).map(row).collect::<Result<_, _>>()?
        }
        OpsBy::Line => {
            let mut lines: BTreeMap<&Option<SourceLine>, RowParts> = BTreeMap::new();
            for block in blocks {
                for (line, mix) in &block.lines {
                    lines.entry(line).or_default().push((block.mark, mix.clone()));
                }
            }
            let row = |(line, parts): (&Option<SourceLine>, RowParts)| {
                builder.place(String::new(), line.clone(), None, &parts)
            };
            lines.into_iter().map(row).collect::<Result<_, _>>()?
        }
    };
    Ok(OpsReport { by, rows })
}

/// Returns all kinds of operations, in their order.
fn kinds(parts: &[(MarkId, Mix)]) -> BTreeSet<Typed> {
    parts.iter().flat_map(|(_, mix)| mix.counts()).map(|(typed, _)| typed).collect()
}

/// A builder of rows, which sums up the counts of operations.
struct RowBuilder<'t> {
    executions: &'t Executions<'t>,
    subject: &'t OpsSubject,
}

impl RowBuilder<'_> {
    fn sum(&self, parts: &[(MarkId, Mix)], weight: impl Fn(Typed) -> u64) -> Result<CountText, Error> {
        let terms = parts.iter().map(|(mark, mix)| {
            let add = |sum, (typed, count): (Typed, u64)| sum + u128::from(count) * u128::from(weight(typed));
            (*mark, Rational::from_integer(mix.counts().fold(0, add).into()))
        });
        Ok(count_text(self.subject, self.executions.sum(terms)?))
    }

    /// Returns the row of a block, a loop, a line or the whole program.
    fn place(
        &self,
        name: String,
        line: Option<SourceLine>,
        mark: Option<MarkId>,
        parts: &[(MarkId, Mix)],
    ) -> Result<OpsRow, Error> {
        let mut counts = Vec::new();
        if let Some(mark) = mark {
            counts.push((OpsColumn::Executions, count_text(self.subject, self.executions.of(mark)?)));
        }
        for column in SUMS {
            counts.push((column, self.sum(parts, |typed| weight(column, typed))?));
        }
        let mut operations = Vec::new();
        for typed in kinds(parts) {
            operations.push((named(typed), self.sum(parts, |other| u64::from(other == typed))?));
        }
        Ok(OpsRow { name, line: line.map(place_of), operation: None, counts, operations })
    }

    fn kind(&self, typed: Typed, parts: &[(MarkId, Mix)]) -> Result<OpsRow, Error> {
        let of = |column: OpsColumn| {
            Ok::<_, Error>((column, self.sum(parts, |other| if other == typed { weight(column, typed) } else { 0 })?))
        };
        Ok(OpsRow {
            name: String::new(),
            line: None,
            operation: Some(named(typed)),
            counts: vec![of(OpsColumn::Count)?, of(OpsColumn::Bytes)?],
            operations: Vec::new(),
        })
    }
}

/// Returns the names of an operation.
fn named(Typed { operation, bits }: Typed) -> NamedOperation {
    let (category, kind) = match operation {
        Operation::Load => ("memory", "load"),
        Operation::Store => ("memory", "store"),
        Operation::Integer(kind) => ("integer", kind_name(kind)),
        Operation::Float(kind) => ("float", kind_name(kind)),
        Operation::ConditionalBranch => ("branch", "conditional"),
        Operation::UnconditionalBranch => ("branch", "unconditional"),
    };
    NamedOperation { category, kind, bits }
}

fn place_of(SourceLine { file, line }: SourceLine) -> OpsPlace {
    OpsPlace { file: file.to_string(), line }
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
