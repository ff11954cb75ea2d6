//! Output of the graph in the language of Graphviz.

use super::count_text::OpsSubject;
use super::graph::OpsGraph;

/// Returns the graph as text.
pub fn text(graph: &OpsGraph, subject: &OpsSubject) -> String {
    let mut text = format!("digraph {} {{\n", quoted(&subject.function));
    text.push_str("  node [shape=box, fontname=\"monospace\"];\n  edge [fontname=\"monospace\", fontsize=10];\n");
    for (index, node) in graph.nodes.iter().enumerate() {
        text.push_str(&format!("  b{index} [label={}];\n", lines(&graph.node_text(node, subject))));
    }
    for edge in &graph.edges {
        let (label, class) = (lines(&graph.edge_text(edge, subject)), quoted(edge.kind));
        text.push_str(&format!("  b{} -> b{} [label={label}, class={class}];\n", edge.from, edge.to));
    }
    text.push_str("}\n");
    text
}

/// Returns a text as a quoted string of the language.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns a label of several lines, in the language's HTML.
fn lines(lines: &[String]) -> String {
    let escaped = |line: &String| line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!("<{}>", lines.iter().map(escaped).collect::<Vec<_>>().join("<br/>"))
}
