//! The control-flow graph with counts: the executions of each block, and for each edge the times it is taken and its
//! share of the block's executions.

use symloc_frontend::characteristics::{Characteristics, EdgeKind};
use symloc_quasi::Style;
use symloc_reuse::{Error, Executions};

use super::told::{Subject, Told};

/// A graph with its formulas, or its numbers at one size.
pub(crate) struct Graph {
    pub nodes: Vec<GraphNode>,
    pub arcs: Vec<Arc>,
}

/// A basic block.
pub(crate) struct GraphNode {
    pub name: String,
    pub executions: Told,
}

/// An edge.
pub(crate) struct Arc {
    /// The positions of the two nodes.
    pub from: usize,
    pub to: usize,
    pub kind: EdgeKind,
    pub count: Told,
}

impl Graph {
    /// Returns the graph of a program.
    pub(crate) fn new(
        characteristics: &Characteristics,
        executions: &Executions<'_>,
        subject: &Subject,
    ) -> Result<Self, Error> {
        let count = |mark| Ok::<_, Error>(subject.tell(executions.of(mark)?));
        let mut nodes = Vec::new();
        for block in &characteristics.blocks {
            nodes.push(GraphNode { name: block.name.clone(), executions: count(block.mark)? });
        }
        let mut arcs = Vec::new();
        for edge in &characteristics.edges {
            arcs.push(Arc { from: edge.from, to: edge.to, kind: edge.kind, count: count(edge.mark)? });
        }
        Ok(Self { nodes, arcs })
    }

    /// Returns the probability that an arc is taken when its block ends; `None` if it is not known or its formula is
    /// long.
    pub(crate) fn probability(&self, arc: &Arc, subject: &Subject, style: Style) -> Option<String> {
        subject.share(&arc.count, &self.nodes[arc.from].executions, style)
    }

    /// Returns the lines of text in a node.
    pub(crate) fn node_text(&self, node: &GraphNode, subject: &Subject) -> [String; 2] {
        [node.name.clone(), node.executions.text(&subject.notation(Style::Text), false)]
    }

    /// Returns the lines of text at an arc.
    pub(crate) fn arc_text(&self, arc: &Arc, subject: &Subject) -> Vec<String> {
        let count = arc.count.text(&subject.notation(Style::Text), false);
        let probability = self.probability(arc, subject, Style::Text);
        [count].into_iter().chain(probability.map(|share| format!("p = {share}"))).collect()
    }
}

/// Returns the name of a kind of edge in JSON and Graphviz.
pub(crate) fn edge_kind(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Next => "next",
        EdgeKind::Taken => "taken",
        EdgeKind::NotTaken => "not taken",
    }
}
