//! The control-flow graph with counts: the executions of each block, and for each edge the times it is taken and its
//! share of the block's executions.

use symloc_quasi::Style;

use super::count_text::{CountText, OpsSubject, ShownFormulas};

/// A graph with its formulas, or its numbers at one size.
#[derive(Debug)]
pub struct OpsGraph {
    /// The blocks.
    pub nodes: Vec<GraphNode>,
    /// The edges.
    pub edges: Vec<GraphEdge>,
}

/// A basic block.
#[derive(Debug)]
pub struct GraphNode {
    /// The name of the block.
    pub name: String,
    /// The number of its executions.
    pub executions: CountText,
}

/// An edge.
#[derive(Debug)]
pub struct GraphEdge {
    /// The position of the node that it leaves.
    pub from: usize,
    /// The position of the node that it enters.
    pub to: usize,
    /// The kind: `next`, `taken` or `not taken`.
    pub kind: &'static str,
    /// The number of times that it is taken.
    pub count: CountText,
}

impl OpsGraph {
    /// Returns the probability that an edge is taken when its block ends; `None` if it is not known or its formula is
    /// long.
    pub fn probability(&self, edge: &GraphEdge, subject: &OpsSubject, style: Style) -> Option<String> {
        subject.share(&edge.count, &self.nodes[edge.from].executions, style)
    }

    /// Returns the lines of text in a node.
    pub fn node_text(&self, node: &GraphNode, subject: &OpsSubject) -> [String; 2] {
        [node.name.clone(), node.executions.text(&subject.notation(Style::Text), ShownFormulas::Large)]
    }

    /// Returns the lines of text at an edge.
    pub fn edge_text(&self, edge: &GraphEdge, subject: &OpsSubject) -> Vec<String> {
        let count = edge.count.text(&subject.notation(Style::Text), ShownFormulas::Large);
        let probability = self.probability(edge, subject, Style::Text);
        [count].into_iter().chain(probability.map(|share| format!("p = {share}"))).collect()
    }
}
