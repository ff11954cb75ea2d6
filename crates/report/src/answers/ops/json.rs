//! Output of rows and edges as one JSON object, `symloc.ops/1`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::value::RawValue;
use symloc_quasi::{Piece, Style};

use super::count_text::{CountText, CountValue, OpsSubject, number};
use super::graph::{GraphEdge, OpsGraph};
use super::{NamedOperation, OpsBy, OpsPlace, OpsReport, OpsRow};
use crate::formats::json;

/// Writes the object; rows by block come with the edges between the blocks.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write(
    out: &mut dyn Write,
    report: &OpsReport,
    graph: Option<&OpsGraph>,
    subject: &OpsSubject,
) -> io::Result<()> {
    let edges = graph.map(|graph| edges(graph, subject)).transpose()?;
    let rows = report.rows.iter().map(|row| RowAnswer::new(row, subject)).collect::<io::Result<_>>()?;
    let answer = OpsAnswer {
        schema: "symloc.ops/1",
        function: &subject.function,
        parameters: &subject.names,
        context: subject.notation(Style::Plain).conjunction(&subject.context),
        sizes: subject.sizes().map(ShownSizes),
        by: match report.by {
            OpsBy::Block => "block",
            OpsBy::Loop => "loop",
            OpsBy::Line => "line",
            OpsBy::Kind => "kind",
            OpsBy::Total => "total",
        },
        rows,
        edges,
        unknown_branches: report.unknown().into_iter().collect(),
    };
    json::write(out, &answer)
}

#[derive(Serialize)]
struct OpsAnswer<'a> {
    schema: &'static str,
    function: &'a str,
    parameters: &'a [String],
    context: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    sizes: Option<ShownSizes>,
    by: &'static str,
    rows: Vec<RowAnswer<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edges: Option<Vec<EdgeAnswer<'a>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknown_branches: Vec<u32>,
}

#[derive(Serialize)]
struct ShownSizes(#[serde(serialize_with = "json::parameters")] Vec<(String, i128)>);

#[derive(Serialize)]
struct RowAnswer<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'a str,
    #[serde(flatten)]
    place: Option<SourcePlace<'a>>,
    #[serde(flatten)]
    operation: Option<Called>,
    #[serde(flatten)]
    counts: CountColumns,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    estimate: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    operations: Vec<OperationAnswer>,
    /// All cases of the formulas that have more than one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    cases: BTreeMap<&'static str, Vec<CaseAnswer>>,
}

/// The columns in their order.
struct CountColumns(Vec<(&'static str, Box<RawValue>)>);

impl Serialize for CountColumns {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

#[derive(Serialize)]
struct SourcePlace<'a> {
    file: &'a str,
    line: u32,
}

impl<'a> SourcePlace<'a> {
    fn of(line: &'a OpsPlace) -> Self {
        Self { file: &line.file, line: line.line }
    }
}

#[derive(Serialize)]
struct Called {
    category: &'static str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    bits: Option<u32>,
}

impl Called {
    fn new(NamedOperation { category, kind, bits }: NamedOperation) -> Self {
        Self { category, kind, bits: Some(bits).filter(|bits| *bits > 0) }
    }
}

#[derive(Serialize)]
struct OperationAnswer {
    #[serde(flatten)]
    called: Called,
    count: Box<RawValue>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cases: Vec<CaseAnswer>,
}

#[derive(Serialize)]
struct CaseAnswer {
    #[serde(rename = "where")]
    domain: String,
    value: String,
}

#[derive(Serialize)]
struct EdgeAnswer<'a> {
    from: &'a str,
    to: &'a str,
    kind: &'static str,
    count: Box<RawValue>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    estimate: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cases: Vec<CaseAnswer>,
    probability: Option<Box<RawValue>>,
}

impl<'a> RowAnswer<'a> {
    fn new(row: &'a OpsRow, subject: &OpsSubject) -> io::Result<Self> {
        let mut counts = Vec::new();
        let mut cases = BTreeMap::new();
        for (column, count) in &row.counts {
            counts.push((column.key(), value(count, subject)?));
            let all = cases_of(count, subject);
            if !all.is_empty() {
                cases.insert(column.key(), all);
            }
        }
        let operation = |(named, count): &(NamedOperation, CountText)| {
            let cases = cases_of(count, subject);
            Ok(OperationAnswer { called: Called::new(*named), count: value(count, subject)?, cases })
        };
        Ok(Self {
            name: &row.name,
            place: row.line.as_ref().map(SourcePlace::of),
            operation: row.operation.map(Called::new),
            counts: CountColumns(counts),
            estimate: row.estimate(),
            operations: row.operations.iter().map(operation).collect::<io::Result<_>>()?,
            cases,
        })
    }
}

/// Returns the cases of a formula; none unless it has more than one.
fn cases_of(count: &CountText, subject: &OpsSubject) -> Vec<CaseAnswer> {
    let CountValue::Cases { pieces, .. } = &count.value else { return Vec::new() };
    let notation = subject.notation(Style::Plain);
    let case =
        |piece: &Piece| CaseAnswer { domain: notation.conjunction(&piece.domain), value: notation.poly(&piece.value) };
    pieces.iter().map(case).collect()
}

fn edges<'a>(graph: &'a OpsGraph, subject: &OpsSubject) -> io::Result<Vec<EdgeAnswer<'a>>> {
    let edge = |edge: &GraphEdge| {
        Ok(EdgeAnswer {
            from: &graph.nodes[edge.from].name,
            to: &graph.nodes[edge.to].name,
            kind: edge.kind,
            count: value(&edge.count, subject)?,
            estimate: edge.count.estimate,
            cases: cases_of(&edge.count, subject),
            probability: graph.probability(edge, subject, Style::Plain).map(|share| raw(share, subject)).transpose()?,
        })
    };
    graph.edges.iter().map(edge).collect()
}

/// Returns a share: a number at a size, else a formula as text.
fn raw(share: String, subject: &OpsSubject) -> io::Result<Box<RawValue>> {
    let text = if subject.size.is_some() { share } else { serde_json::to_string(&share)? };
    Ok(RawValue::from_string(text)?)
}

/// Returns a count: a number, or a formula as text, the one for large sizes if there are cases; null if the count is
/// not known or has no formula for large sizes.
fn value(count: &CountText, subject: &OpsSubject) -> io::Result<Box<RawValue>> {
    let formula = count.formula().map(|poly| subject.notation(Style::Plain).poly(poly));
    let text = match (&count.value, formula) {
        (CountValue::Number(value), _) => number(value),
        (_, Some(formula)) => serde_json::to_string(&formula)?,
        (_, None) => "null".to_owned(),
    };
    Ok(RawValue::from_string(text)?)
}
