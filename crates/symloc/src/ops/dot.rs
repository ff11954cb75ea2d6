//! The graph in the language of Graphviz.

use super::graph::{Graph, edge_kind};
use super::told::Subject;

/// The graph as text.
pub(crate) fn text(graph: &Graph, subject: &Subject) -> String {
    let mut text = format!("digraph {} {{\n", quoted(&subject.function));
    text.push_str("  node [shape=box, fontname=\"monospace\"];\n  edge [fontname=\"monospace\", fontsize=10];\n");
    for (index, node) in graph.nodes.iter().enumerate() {
        let label = graph.node_text(node, subject).join("\n");
        text.push_str(&format!("  b{index} [label={}];\n", quoted(&label)));
    }
    for arc in &graph.arcs {
        let label = graph.arc_text(arc, subject).join("\n");
        let class = quoted(edge_kind(arc.kind));
        text.push_str(&format!("  b{} -> b{} [label={}, class={class}];\n", arc.from, arc.to, quoted(&label)));
    }
    text.push_str("}\n");
    text
}

/// A string of the language; a line break is centred.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}
