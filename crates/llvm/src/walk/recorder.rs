//! The marks of basic blocks and edges, set during the walk.
//!
//! Every block has a mark where it is executed, every edge one where it is taken. The header of a loop is executed once
//! more than the loop has iterations, so it also has a mark after the loop. The two sides of a branch on data follow
//! each other, weighted with the probability of the branch.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::One;
use symloc_affine::{Location, Mark, MarkId, Node as Tree, Program, Weight};
use symloc_frontend::characteristics::{Block, Branches, Characteristics, Edge, EdgeKind, LoopInfo};

use crate::ir::cfg::{Cfg, Node};
use crate::ir::places::Places;
use crate::walk::mix;

/// The blocks and edges that the walk has met.
pub(crate) struct Recorder {
    branches: Branches,
    /// The weight of new marks: the executions for each time that the tree executes the mark.
    pub(crate) weight: Weight,
    blocks: BTreeMap<Node, MarkId>,
    edges: BTreeMap<(Node, Node), MarkId>,
    /// The names of the loops' induction variables.
    pub(crate) counters: BTreeMap<usize, String>,
    data_branches: Vec<Location>,
    marks: u32,
}

impl Recorder {
    pub(crate) fn new(branches: Branches) -> Self {
        Self {
            branches,
            weight: Weight::Once,
            blocks: BTreeMap::new(),
            edges: BTreeMap::new(),
            counters: BTreeMap::new(),
            data_branches: Vec::new(),
            marks: 0,
        }
    }

    fn new_mark(marks: &mut u32) -> MarkId {
        *marks += 1;
        MarkId(*marks - 1)
    }

    /// Returns the mark of a block that is executed here.
    pub(crate) fn block(&mut self, node: Node) -> Tree {
        let id = *self.blocks.entry(node).or_insert_with(|| Self::new_mark(&mut self.marks));
        Tree::Mark(Mark { id, weight: self.weight.clone() })
    }

    /// Returns the mark of an edge that is taken here.
    pub(crate) fn edge(&mut self, from: Node, to: Node) -> Tree {
        let id = *self.edges.entry((from, to)).or_insert_with(|| Self::new_mark(&mut self.marks));
        Tree::Mark(Mark { id, weight: self.weight.clone() })
    }

    /// Returns the weights of the sides of a branch on data, by the user's probability or else by a profile.
    pub(crate) fn sides(&mut self, place: Location, count: usize, profile: Option<&[u64]>) -> Vec<Weight> {
        if !self.data_branches.contains(&place) {
            self.data_branches.push(place.clone());
        }
        let is_told = self.branches.lines().any(|line| line == place.line);
        let profiled = profile.and_then(probability).filter(|_| !is_told);
        let sides = match profiled {
            Some(taken) => [Weight::Estimate(taken.clone()), Weight::Estimate(BigRational::one() - taken)],
            None => self.branches.sides(place.line),
        };
        if count == 2 {
            return sides.to_vec();
        }
        // A probability does not apply to a branch with more than two sides.
        let unknown = Branches::default().sides(place.line)[0].clone();
        vec![unknown; count]
    }

    /// Returns the characteristics.
    pub(crate) fn finish(self, cfg: &Cfg<'_>, places: &Places<'_>, program: Program) -> Characteristics {
        let order: Vec<Node> = (0..cfg.blocks.len()).filter(|node| self.blocks.contains_key(node)).collect();
        let index = |node: Node| order.iter().position(|other| *other == node);
        let loops: Vec<usize> = (0..cfg.loops.len()).filter(|l| index(cfg.loops[*l].header).is_some()).collect();
        let loop_index = |l: usize| loops.iter().position(|other| *other == l);
        let info = |l: &usize| LoopInfo {
            name: self.counters.get(l).cloned().unwrap_or_else(|| format!("loop{l}")),
            location: cfg.blocks[cfg.loops[*l].header].instructions().into_iter().find_map(|i| places.of(i)),
            parent: cfg.loops[*l].parent.and_then(loop_index),
            header: index(cfg.loops[*l].header).unwrap_or_default(),
        };
        let block = |node: &Node| {
            let instructions = cfg.blocks[*node].instructions();
            let name = cfg.blocks[*node].name();
            let name = if name.is_empty() { format!("block{node}") } else { name.to_owned() };
            let place = instructions.iter().find_map(|i| places.of(*i));
            let mut block = Block::new(name, place, self.blocks[node], cfg.loop_of(*node).and_then(loop_index));
            for instruction in instructions {
                mix::add(instruction, block.mix_at(places.of(instruction).as_ref()));
            }
            block.lines.retain(|_, mix| !mix.is_empty());
            block
        };
        let edge = |((from, to), mark): (&(Node, Node), &MarkId)| {
            let targets = cfg.targets(*from);
            let kind = match targets.as_slice() {
                [_] | [] => EdgeKind::Next,
                [first, ..] if first == to => EdgeKind::Taken,
                _ => EdgeKind::NotTaken,
            };
            Some(Edge { from: index(*from)?, to: index(*to)?, mark: *mark, kind })
        };
        Characteristics {
            marks: self.marks,
            blocks: order.iter().map(block).collect(),
            edges: self.edges.iter().filter_map(edge).collect(),
            loops: loops.iter().map(info).collect(),
            data_branches: self.data_branches,
            program,
        }
    }
}

/// Returns the probability of the first of two sides. Compilers write the count of each side plus one.
fn probability(weights: &[u64]) -> Option<BigRational> {
    let &[first, second] = weights else { return None };
    let (first, second) = (first.saturating_sub(1), second.saturating_sub(1));
    let sum = first.checked_add(second).filter(|sum| *sum > 0)?;
    Some(BigRational::new(first.into(), sum.into()))
}
