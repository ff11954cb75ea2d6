//! `bound`: the misses that no order of a program's operations goes below.

use std::io::{self, Write};

use serde::Serialize;
use symloc_evaluate::Int;
use symloc_machine::Capacity;
use symloc_model::Assumption;

use super::Answer;
use crate::AnswerHeader;
use crate::formats::text::Columns;
use crate::formats::{csv, json};

/// The lower bounds of some caches at one size: `symloc.bound/1`.
#[derive(Debug)]
pub struct LowerBounds {
    /// The header of the answer.
    pub header: AnswerHeader,
    /// The reason, if no bound can be larger than the first touches.
    pub reason: Option<&'static str>,
    /// The caches.
    pub levels: Vec<BoundedCache>,
}

/// A fully associative cache and the least misses that any order has in it.
#[derive(Debug)]
pub struct BoundedCache {
    /// The name that its machine gives it.
    pub name: Option<String>,
    /// As the user gave it.
    pub capacity: Capacity,
    /// The number of lines it holds.
    pub lines: u64,
    /// The bound, in lines.
    pub bound: Int,
    /// The statements whose operations make it larger than the first touches.
    pub statements: Vec<StatementBound>,
}

/// The part of a bound that the operations of one statement make, or of several that count as one.
#[derive(Clone, Debug)]
pub struct StatementBound {
    /// The line of the source, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The first access, for readers.
    pub text: String,
    /// The number of operations.
    pub operations: Int,
    /// The misses that they make, in lines.
    pub misses: Int,
}

impl BoundedCache {
    fn bytes(&self, line_bytes: Option<u64>) -> Option<u64> {
        match self.capacity {
            Capacity::Bytes(bytes) => Some(bytes),
            Capacity::Lines(lines) => line_bytes.and_then(|line| lines.checked_mul(line)),
        }
    }

    /// Returns what the bound comes from.
    fn source(&self) -> String {
        if self.statements.is_empty() {
            return "first touches".to_owned();
        }
        let places = self.statements.iter().map(|statement| statement.text.as_str());
        format!("operations at {}", places.collect::<Vec<_>>().join(", "))
    }
}

impl Answer for LowerBounds {
    fn json(&self) -> impl Serialize {
        let Self { header, reason, levels } = self;
        let level = |level| BoundedCacheAnswer::new(header, level);
        BoundsAnswer {
            schema: "symloc.bound/1",
            parameters: &header.parameters,
            accesses: &header.accesses,
            first_touches: &header.blocks,
            assumptions: &header.assumptions,
            reason: *reason,
            levels: levels.iter().map(level).collect(),
        }
    }

    fn head(&self) -> Vec<String> {
        let parameters = self.header.parameters.iter().map(|(name, _)| name.clone());
        let level = ["level", "bytes", "lines", "line_bytes", "accesses", "first_touches", "bound"];
        parameters.chain(level.map(str::to_owned)).collect()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let AnswerHeader { parameters, line_bytes, accesses, blocks, .. } = &self.header;
        let row = |(number, level): (usize, &BoundedCache)| {
            let cells = [
                level.name.clone().unwrap_or_else(|| number.to_string()),
                csv::optional(level.bytes(*line_bytes)),
                level.lines.to_string(),
                csv::optional(*line_bytes),
                accesses.to_string(),
                blocks.to_string(),
                level.bound.to_string(),
            ];
            parameters.iter().map(|(_, value)| value.to_string()).chain(cells).collect()
        };
        (1..).zip(&self.levels).map(row).collect()
    }

    fn write_text(answers: &[Self], out: &mut dyn Write) -> io::Result<()> {
        let varying = AnswerHeader::write_common(answers.iter().map(|answer| &answer.header), out)?;
        writeln!(out)?;
        let names = answers.iter().flat_map(|answer| &answer.levels).any(|level| level.name.is_some());
        let mut head: Vec<&str> = varying.iter().map(String::as_str).collect();
        head.extend(names.then_some("level"));
        head.extend(["cache", "lines", "first touches", "bound", "from"]);
        let mut table = Columns::new(&head, 0);
        for answer in answers {
            for level in &answer.levels {
                let mut row = answer.header.values(&varying);
                row.extend(names.then(|| level.name.clone().unwrap_or_default()));
                row.extend([level.capacity.to_string(), level.lines.to_string(), answer.header.blocks.to_string()]);
                row.extend([level.bound.to_string(), level.source()]);
                table.push(row);
            }
        }
        table.write(out)?;
        match answers.iter().find_map(|answer| answer.reason) {
            Some(reason) => writeln!(out, "\n{reason}"),
            None => Ok(()),
        }
    }
}

#[derive(Serialize)]
struct BoundsAnswer<'a> {
    schema: &'static str,
    #[serde(serialize_with = "json::parameters")]
    parameters: &'a [(String, i128)],
    #[serde(serialize_with = "json::int")]
    accesses: &'a Int,
    #[serde(serialize_with = "json::int")]
    first_touches: &'a Int,
    #[serde(skip_serializing_if = "<[Assumption]>::is_empty")]
    assumptions: &'a [Assumption],
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    levels: Vec<BoundedCacheAnswer<'a>>,
}

#[derive(Serialize)]
struct BoundedCacheAnswer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    bytes: Option<u64>,
    lines: u64,
    line_bytes: Option<u64>,
    #[serde(serialize_with = "json::int")]
    bound: &'a Int,
    statements: Vec<StatementAnswer<'a>>,
}

#[derive(Serialize)]
struct StatementAnswer<'a> {
    line: u32,
    column: u32,
    #[serde(serialize_with = "json::int")]
    operations: &'a Int,
    #[serde(serialize_with = "json::int")]
    misses: &'a Int,
}

impl<'a> BoundedCacheAnswer<'a> {
    fn new(header: &AnswerHeader, level: &'a BoundedCache) -> Self {
        let statement = |statement: &'a StatementBound| {
            let StatementBound { line, column, operations, misses, .. } = statement;
            StatementAnswer { line: *line, column: *column, operations, misses }
        };
        Self {
            name: level.name.as_deref(),
            bytes: level.bytes(header.line_bytes),
            lines: level.lines,
            line_bytes: header.line_bytes,
            bound: &level.bound,
            statements: level.statements.iter().map(statement).collect(),
        }
    }
}
