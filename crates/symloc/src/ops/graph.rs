//! From counted marks to the control-flow graph.

use symloc_frontend::characteristics::{Characteristics, EdgeKind};
use symloc_report::answers::ops::count_text::OpsSubject;
use symloc_report::answers::ops::graph::{GraphEdge, GraphNode, OpsGraph};
use symloc_reuse::{Error, Executions};

use super::counts::count_text;

/// Returns the graph of a program.
pub(crate) fn graph(
    characteristics: &Characteristics,
    executions: &Executions<'_>,
    subject: &OpsSubject,
) -> Result<OpsGraph, Error> {
    let count = |mark| Ok::<_, Error>(count_text(subject, executions.of(mark)?));
    let mut nodes = Vec::new();
    for block in &characteristics.blocks {
        nodes.push(GraphNode { name: block.name.clone(), executions: count(block.mark)? });
    }
    let mut edges = Vec::new();
    for edge in &characteristics.edges {
        edges.push(GraphEdge { from: edge.from, to: edge.to, kind: edge_kind(edge.kind), count: count(edge.mark)? });
    }
    Ok(OpsGraph { nodes, edges })
}

/// Returns the name of a kind of edge in JSON and Graphviz.
fn edge_kind(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Next => "next",
        EdgeKind::Taken => "taken",
        EdgeKind::NotTaken => "not taken",
    }
}
