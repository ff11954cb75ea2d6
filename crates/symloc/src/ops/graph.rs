//! The control-flow graph with counts: how often each block is executed, how often each edge is taken, and with which share
//! of its block's executions.

use symloc_frontend::characteristics::{Characteristics, EdgeKind};
use symloc_quasi::Style;
use symloc_reuse::{Error, Executions};

use super::told::{Subject, Told};

/// A graph, its formulas as they are told.
pub(crate) struct Graph {
    pub nodes: Vec<Node>,
    pub arcs: Vec<Arc>,
}

/// A basic block.
pub(crate) struct Node {
    pub name: String,
    pub executions: Told,
}

/// An edge.
pub(crate) struct Arc {
    /// Positions among the nodes.
    pub from: usize,
    pub to: usize,
    pub kind: EdgeKind,
    pub count: Told,
}

impl Graph {
    /// The graph of a program.
    pub(crate) fn new(
        characteristics: &Characteristics,
        executions: &Executions<'_>,
        subject: &Subject,
    ) -> Result<Self, Error> {
        let count = |mark| Ok::<_, Error>(subject.tell(executions.of(mark)?));
        let mut nodes = Vec::new();
        for block in &characteristics.blocks {
            nodes.push(Node { name: block.name.clone(), executions: count(block.mark)? });
        }
        let mut arcs = Vec::new();
        for edge in &characteristics.edges {
            arcs.push(Arc { from: edge.from, to: edge.to, kind: edge.kind, count: count(edge.mark)? });
        }
        Ok(Self { nodes, arcs })
    }

    /// The probability that an arc is taken when its block ends; nothing where it is not known, or its formula long.
    pub(crate) fn probability(&self, arc: &Arc, subject: &Subject, style: Style) -> Option<String> {
        subject.share(&arc.count, &self.nodes[arc.from].executions, style)
    }

    /// The lines of text in a node.
    pub(crate) fn node_text(&self, node: &Node, subject: &Subject) -> [String; 2] {
        [node.name.clone(), node.executions.text(&subject.notation(Style::Text), false)]
    }

    /// The lines of text at an arc.
    pub(crate) fn arc_text(&self, arc: &Arc, subject: &Subject) -> Vec<String> {
        let count = arc.count.text(&subject.notation(Style::Text), false);
        let probability = self.probability(arc, subject, Style::Text);
        [count].into_iter().chain(probability.map(|share| format!("p = {share}"))).collect()
    }
}

/// What programs call it.
pub(crate) fn edge_kind(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Next => "next",
        EdgeKind::Taken => "taken",
        EdgeKind::NotTaken => "not taken",
    }
}
