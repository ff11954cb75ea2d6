//! Output of rows and edges as one JSON object, `symloc.ops/1`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::value::RawValue;
use symloc_frontend::characteristics::{SourceLine, Typed};
use symloc_quasi::{Piece, Style};
use symloc_report::formats::json;

use super::graph::{Graph, edge_kind};
use super::report::{By, Report, ReportRow, called};
use super::told::{Subject, Told, Value, number};

/// Writes the object; rows by block come with the edges between the blocks.
pub(crate) fn write(out: &mut dyn Write, report: &Report, graph: Option<&Graph>, subject: &Subject) -> io::Result<()> {
    let edges = graph.map(|graph| edges(graph, subject)).transpose()?;
    let rows = report.rows.iter().map(|row| RowAnswer::new(row, subject)).collect::<io::Result<_>>()?;
    let answer = OpsAnswer {
        schema: "symloc.ops/1",
        function: &subject.function,
        parameters: &subject.names,
        context: subject.notation(Style::Plain).conjunction(&subject.context),
        sizes: subject.sizes().map(ShownSizes),
        by: match report.by {
            By::Block => "block",
            By::Loop => "loop",
            By::Line => "line",
            By::Kind => "kind",
            By::Total => "total",
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
    fn of(line: &'a SourceLine) -> Self {
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
    fn new(typed: Typed) -> Self {
        let (category, kind) = called(typed.operation);
        Self { category, kind, bits: Some(typed.bits).filter(|bits| *bits > 0) }
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
    fn new(row: &'a ReportRow, subject: &Subject) -> io::Result<Self> {
        let mut counts = Vec::new();
        let mut cases = BTreeMap::new();
        for (column, told) in &row.counts {
            counts.push((column.key(), value(told, subject)?));
            let all = cases_of(told, subject);
            if !all.is_empty() {
                cases.insert(column.key(), all);
            }
        }
        let operation = |(typed, told): &(Typed, Told)| {
            let cases = cases_of(told, subject);
            Ok(OperationAnswer { called: Called::new(*typed), count: value(told, subject)?, cases })
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
fn cases_of(told: &Told, subject: &Subject) -> Vec<CaseAnswer> {
    let Value::Cases { pieces, .. } = &told.value else { return Vec::new() };
    let notation = subject.notation(Style::Plain);
    let case =
        |piece: &Piece| CaseAnswer { domain: notation.conjunction(&piece.domain), value: notation.poly(&piece.value) };
    pieces.iter().map(case).collect()
}

fn edges<'a>(graph: &'a Graph, subject: &Subject) -> io::Result<Vec<EdgeAnswer<'a>>> {
    let edge = |arc: &super::graph::Arc| {
        Ok(EdgeAnswer {
            from: &graph.nodes[arc.from].name,
            to: &graph.nodes[arc.to].name,
            kind: edge_kind(arc.kind),
            count: value(&arc.count, subject)?,
            estimate: arc.count.estimate,
            cases: cases_of(&arc.count, subject),
            probability: graph.probability(arc, subject, Style::Plain).map(|share| raw(share, subject)).transpose()?,
        })
    };
    graph.arcs.iter().map(edge).collect()
}

/// Returns a share: a number at a size, else a formula as text.
fn raw(share: String, subject: &Subject) -> io::Result<Box<RawValue>> {
    let text = if subject.size.is_some() { share } else { serde_json::to_string(&share)? };
    Ok(RawValue::from_string(text)?)
}

/// Returns a count: a number, or a formula as text, the one for large sizes if there are cases; null if the count is
/// not known or has no formula for large sizes.
fn value(told: &Told, subject: &Subject) -> io::Result<Box<RawValue>> {
    let formula = told.formula().map(|poly| subject.notation(Style::Plain).poly(poly));
    let text = match (&told.value, formula) {
        (Value::Number(value), _) => number(value),
        (_, Some(formula)) => serde_json::to_string(&formula)?,
        (_, None) => "null".to_owned(),
    };
    Ok(RawValue::from_string(text)?)
}
