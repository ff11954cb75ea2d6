//! The outermost loops of a function, each with the statements in it.

use std::collections::BTreeMap;

use symloc_affine::{AccessId, If, Loop, Node, Program};
use symloc_schedule::Reduction;

use crate::nest::Nests;

impl Nests {
    /// Returns the outermost loops with all that is in them, one after the other. Statements outside of loops are left out.
    pub fn outermost(&self) -> Vec<Self> {
        let mut loops = Vec::new();
        collect(&self.program.body, &mut loops);
        loops.iter().map(|node| self.only(node)).collect()
    }

    /// Returns the statements below one node, with their accesses numbered anew.
    fn only(&self, node: &Node) -> Self {
        let (program, kept) = only(&self.program, node);
        let is_kept = |group: &usize| self.groups[*group].first().is_some_and(|first| kept.numbers.contains_key(first));
        let inside: Vec<usize> = (0..self.groups.len()).filter(is_kept).collect();
        let group = |old: &usize| kept.numbered(&self.groups[*old]);
        let groups: Vec<Vec<AccessId>> = inside.iter().map(group).collect();
        let reduction = |(old, group): (&usize, &Vec<AccessId>)| {
            self.reductions[*old].and_then(|_| Reduction::of_update(&program, group))
        };
        let is_collected = |place: &usize| self.collected.contains(&inside[*place]);
        Self {
            reductions: inside.iter().zip(&groups).map(reduction).collect(),
            statements: inside.iter().map(|old| self.statements[*old]).collect(),
            arithmetic: inside.iter().map(|old| self.arithmetic[*old]).collect(),
            variables: inside.iter().map(|old| self.variables[*old].clone()).collect(),
            collected: (0..inside.len()).filter(is_collected).collect(),
            origins: kept.origins.iter().map(|old| self.origins[old.index()]).collect(),
            groups,
            program,
        }
    }
}

/// Returns the outermost loops of a program, each as a program.
pub fn outermost_loops(program: &Program) -> Vec<Program> {
    let mut loops = Vec::new();
    collect(&program.body, &mut loops);
    loops.iter().map(|node| only(program, node).0).collect()
}

/// Returns a program of one node, with the accesses that stay.
fn only(program: &Program, node: &Node) -> (Program, KeptAccesses) {
    let mut kept = KeptAccesses { origins: Vec::new(), numbers: BTreeMap::new() };
    let body = vec![kept.node(node)];
    let accesses = kept.origins.iter().map(|old| program.access(*old).clone()).collect();
    (Program { accesses, body, ..program.clone() }, kept)
}

/// Collects the outermost loops, each under the conditions that it stands under.
fn collect(nodes: &[Node], loops: &mut Vec<Node>) {
    for node in nodes {
        match node {
            Node::Loop(_) => loops.push(node.clone()),
            Node::If(guard) => {
                for (side, is_then) in [(&guard.then, true), (&guard.otherwise, false)] {
                    let mut inside = Vec::new();
                    collect(side, &mut inside);
                    loops.extend(inside.into_iter().map(|node| under(guard, node, is_then)));
                }
            }
            Node::Access(_) | Node::Operations(_) | Node::Mark(_) => {}
        }
    }
}

/// Returns a condition with one node on one of its sides.
fn under(guard: &If, node: Node, is_then: bool) -> Node {
    let (then, otherwise) = if is_then { (vec![node], Vec::new()) } else { (Vec::new(), vec![node]) };
    Node::If(If { condition: guard.condition.clone(), then, otherwise })
}

/// The accesses that stay.
struct KeptAccesses {
    /// By new number, the old one.
    origins: Vec<AccessId>,
    /// By old number, the new one.
    numbers: BTreeMap<AccessId, AccessId>,
}

impl KeptAccesses {
    fn node(&mut self, node: &Node) -> Node {
        match node {
            Node::Access(old) => {
                let new = AccessId(self.origins.len() as u32);
                self.origins.push(*old);
                self.numbers.insert(*old, new);
                Node::Access(new)
            }
            Node::Loop(l) => Node::Loop(Loop { body: self.nodes(&l.body), ..l.clone() }),
            Node::If(guard) => Node::If(If {
                condition: guard.condition.clone(),
                then: self.nodes(&guard.then),
                otherwise: self.nodes(&guard.otherwise),
            }),
            Node::Operations(_) | Node::Mark(_) => node.clone(),
        }
    }

    fn nodes(&mut self, nodes: &[Node]) -> Vec<Node> {
        nodes.iter().map(|node| self.node(node)).collect()
    }

    fn numbered(&self, group: &[AccessId]) -> Vec<AccessId> {
        group.iter().filter_map(|old| self.numbers.get(old).copied()).collect()
    }
}
