//! The control-flow graph of a function: blocks that return, natural loops, and the joins of branches.
//!
//! A loop is a *natural loop*: a header that dominates all of it, and back edges to the header. One iteration is an
//! acyclic graph, in which an inner loop is one node; back edges and edges out of the loop lead to its end. In that
//! graph the *join* of a branch is its immediate postdominator. (Aho, Lam, Sethi, Ullman, *Compilers*, section 9.6.)

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::ffi::{Block, Value};

/// The number of a block in its function.
pub(crate) type Node = usize;

/// A natural loop.
#[derive(Clone, Debug)]
pub(crate) struct NaturalLoop {
    pub(crate) header: Node,
    pub(crate) blocks: BTreeSet<Node>,
    /// The loop around it.
    pub(crate) parent: Option<usize>,
}

/// The control-flow graph of a function.
#[derive(Debug)]
pub(crate) struct Cfg<'m> {
    pub(crate) blocks: Vec<Block<'m>>,
    numbers: BTreeMap<Block<'m>, Node>,
    successors: Vec<Vec<Node>>,
    /// Outer loops come before inner ones.
    pub(crate) loops: Vec<NaturalLoop>,
    /// The innermost loop of each block.
    innermost: Vec<Option<usize>>,
    /// The joins of branches in one iteration of a loop (or the whole function), by loop and node.
    joins: BTreeMap<(Option<usize>, Node), Option<Node>>,
    returns: BTreeSet<Node>,
}

/// A reason why a function's control flow is not supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unstructured<'m> {
    /// No path leads to a return.
    NeverReturns,
    /// A jump into the middle of a loop, to this block.
    JumpIntoLoop(Block<'m>),
}

impl<'m> Cfg<'m> {
    /// Analyses the blocks of a function.
    pub(crate) fn new(function: Value<'m>) -> Result<Self, Unstructured<'m>> {
        let blocks = function.blocks();
        let numbers: BTreeMap<_, _> = blocks.iter().enumerate().map(|(number, block)| (*block, number)).collect();
        let all: Vec<Vec<Node>> =
            blocks.iter().map(|block| block.successors().iter().map(|s| numbers[s]).collect()).collect();
        let ends = |node: &Node| all[*node].is_empty() && is_return(blocks[*node]);
        let returns = reaching((0..blocks.len()).filter(ends), &predecessors(&all));
        if !returns.contains(&0) {
            return Err(Unstructured::NeverReturns);
        }
        let mut cfg = Self {
            successors: all,
            innermost: vec![None; blocks.len()],
            loops: Vec::new(),
            joins: BTreeMap::new(),
            returns,
            blocks,
            numbers,
        };
        cfg.find_loops().map_err(|node| Unstructured::JumpIntoLoop(cfg.blocks[node]))?;
        cfg.find_joins();
        Ok(cfg)
    }

    pub(crate) fn number(&self, block: Block<'m>) -> Node {
        self.numbers[&block]
    }

    /// Returns the successors of a block, in the order of its terminator, including those that never return.
    pub(crate) fn targets(&self, node: Node) -> &Vec<Node> {
        &self.successors[node]
    }

    /// Returns true if a path from this block reaches a return. Other blocks end in a call of `abort` or the like.
    pub(crate) fn returns(&self, node: Node) -> bool {
        self.returns.contains(&node)
    }

    /// Returns the innermost loop of a block.
    pub(crate) fn loop_of(&self, node: Node) -> Option<usize> {
        self.innermost[node]
    }

    /// Returns the instructions of a loop, inner loops included.
    pub(crate) fn instructions(&self, inner: usize) -> impl Iterator<Item = Value<'m>> {
        self.loops[inner].blocks.iter().flat_map(|node| self.blocks[*node].instructions())
    }

    /// Returns true if an instruction is in a loop.
    pub(crate) fn is_in_loop(&self, instruction: Value<'m>) -> bool {
        (0..self.loops.len()).any(|inner| self.instructions(inner).any(|other| other == instruction))
    }

    /// Returns the loop with this header, if it is directly inside `within`.
    pub(crate) fn inner_loop(&self, within: Option<usize>, node: Node) -> Option<usize> {
        (0..self.loops.len()).find(|l| self.loops[*l].header == node && self.loops[*l].parent == within)
    }

    /// Returns the join of the paths from a node within one iteration; `None` if it is the end of the iteration.
    pub(crate) fn join(&self, within: Option<usize>, node: Node) -> Option<Node> {
        self.joins.get(&(within, node)).copied().flatten()
    }

    /// Returns true if an edge ends the iteration: back to the header, or out of the loop.
    pub(crate) fn ends_iteration(&self, within: Option<usize>, to: Node) -> bool {
        within.is_some_and(|l| self.loops[l].header == to || !self.loops[l].blocks.contains(&to))
    }

    fn find_loops(&mut self) -> Result<(), Node> {
        let successors = self.live_successors();
        let dominators = dominators(&successors);
        let before = predecessors(&successors);
        let mut bodies: BTreeMap<Node, BTreeSet<Node>> = BTreeMap::new();
        for (node, next) in successors.iter().enumerate() {
            for header in next.iter().filter(|header| dominates(&dominators, **header, node)) {
                let body = bodies.entry(*header).or_insert_with(|| BTreeSet::from([*header]));
                let mut open = vec![node];
                while let Some(node) = open.pop() {
                    if body.insert(node) {
                        open.extend(&before[node]);
                    }
                }
            }
        }
        if let Some(node) = retreating(&successors, &dominators) {
            return Err(node);
        }
        let mut loops: Vec<_> = bodies.into_iter().collect();
        loops.sort_by_key(|(header, body)| (std::cmp::Reverse(body.len()), *header));
        for (header, blocks) in loops {
            let parent = self.innermost[header];
            blocks.iter().for_each(|node| self.innermost[*node] = Some(self.loops.len()));
            self.loops.push(NaturalLoop { header, blocks, parent });
        }
        Ok(())
    }

    /// Returns the successors of each block from which a return is reached.
    fn live_successors(&self) -> Vec<Vec<Node>> {
        let live = |next: &Vec<Node>| next.iter().copied().filter(|node| self.returns(*node)).collect();
        self.successors.iter().map(live).collect()
    }

    fn find_joins(&mut self) {
        for within in std::iter::once(None).chain((0..self.loops.len()).map(Some)) {
            let joins = self.joins_of(within);
            self.joins.extend(joins.into_iter().map(|(node, join)| ((within, node), join)));
        }
    }

    /// Returns the successors within one iteration, `None` for its end; an inner loop is its header, with the exits of
    /// the loop as successors.
    pub(crate) fn steps(&self, within: Option<usize>, node: Node) -> Vec<Option<Node>> {
        let leaves: Vec<Node> = match self.inner_loop(within, node) {
            Some(inner) => self.exits(inner).into_iter().map(|(_, to)| to).collect(),
            None => self.successors[node].iter().copied().filter(|to| self.returns(*to)).collect(),
        };
        match leaves.is_empty() {
            true => vec![None],
            false => leaves.into_iter().map(|to| (!self.ends_iteration(within, to)).then_some(to)).collect(),
        }
    }

    /// Returns the branches of a loop back to its header.
    pub(crate) fn latches(&self, inner: usize) -> impl Iterator<Item = Value<'m>> {
        let NaturalLoop { header, blocks, .. } = &self.loops[inner];
        let latches = blocks.iter().filter(|node| self.targets(**node).contains(header));
        latches.filter_map(|node| self.blocks[*node].terminator())
    }

    /// Returns the edges out of a loop from which a return is reached.
    pub(crate) fn exits(&self, inner: usize) -> Vec<(Node, Node)> {
        let blocks = &self.loops[inner].blocks;
        let edges = blocks.iter().flat_map(|from| self.successors[*from].iter().map(move |to| (*from, *to)));
        edges.filter(|(_, to)| !blocks.contains(to) && self.returns(*to)).collect()
    }

    /// Returns the immediate postdominators in the graph of one iteration; `None` stands for its end.
    fn joins_of(&self, within: Option<usize>) -> BTreeMap<Node, Option<Node>> {
        let start = within.map_or(0, |l| self.loops[l].header);
        let mut order = Vec::new();
        let mut seen = BTreeSet::new();
        self.postorder(within, start, &mut seen, &mut order);
        // The graph is acyclic: in postorder all successors come before a node, so one pass is enough.
        let mut joins: BTreeMap<Node, Option<Node>> = BTreeMap::new();
        for node in &order {
            let mut steps = self.steps(within, *node).into_iter();
            let first = steps.next().flatten();
            let join = steps.fold(first, |join, step| meet(&joins, join, step));
            joins.insert(*node, join);
        }
        joins
    }

    fn postorder(&self, within: Option<usize>, start: Node, seen: &mut BTreeSet<Node>, order: &mut Vec<Node>) {
        // Depth first without recursion: a chain may have thousands of blocks.
        let mut stack = vec![(start, false)];
        while let Some((node, done)) = stack.pop() {
            if done {
                order.push(node);
            } else if seen.insert(node) {
                stack.push((node, true));
                stack.extend(self.steps(within, node).into_iter().flatten().map(|next| (next, false)));
            }
        }
    }
}

/// Returns the first node on both chains of joins.
fn meet(joins: &BTreeMap<Node, Option<Node>>, a: Option<Node>, b: Option<Node>) -> Option<Node> {
    let chain = |start: Option<Node>| std::iter::successors(start, |node| joins.get(node).copied().flatten());
    let first: BTreeSet<Node> = chain(a).collect();
    chain(b).find(|node| first.contains(node))
}

fn is_return(block: Block) -> bool {
    block.terminator().and_then(Value::opcode) == Some(crate::ir::ffi::Opcode::LLVMRet)
}

fn predecessors(successors: &[Vec<Node>]) -> Vec<Vec<Node>> {
    let mut before = vec![Vec::new(); successors.len()];
    for (node, next) in successors.iter().enumerate() {
        next.iter().for_each(|to| before[*to].push(node));
    }
    before
}

/// Returns all nodes from which one of the ends is reached.
fn reaching(ends: impl Iterator<Item = Node>, before: &[Vec<Node>]) -> BTreeSet<Node> {
    let mut found = BTreeSet::new();
    let mut open: Vec<Node> = ends.collect();
    while let Some(node) = open.pop() {
        if found.insert(node) {
            open.extend(&before[node]);
        }
    }
    found
}

/// Returns the dominators of each reachable node, itself included.
fn dominators(successors: &[Vec<Node>]) -> Vec<Option<BTreeSet<Node>>> {
    let order = reverse_postorder(successors);
    let before = predecessors(successors);
    let mut dominators: Vec<Option<BTreeSet<Node>>> = vec![None; successors.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for node in &order {
            let known = before[*node].iter().filter_map(|p| dominators[*p].as_ref());
            let mut common = known.cloned().reduce(|a, b| &a & &b).unwrap_or_default();
            if *node == 0 {
                common.clear();
            }
            common.insert(*node);
            if dominators[*node].as_ref() != Some(&common) {
                dominators[*node] = Some(common);
                changed = true;
            }
        }
    }
    dominators
}

fn dominates(dominators: &[Option<BTreeSet<Node>>], a: Node, b: Node) -> bool {
    dominators[b].as_ref().is_some_and(|set| set.contains(&a))
}

fn reverse_postorder(successors: &[Vec<Node>]) -> Vec<Node> {
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    let mut stack = vec![(0, false)];
    while let Some((node, done)) = stack.pop() {
        if done {
            order.push(node);
        } else if seen.insert(node) {
            stack.push((node, true));
            stack.extend(successors[node].iter().map(|next| (*next, false)));
        }
    }
    order.reverse();
    order
}

/// Returns the target of a retreating edge whose target does not dominate its source: a cycle with two entries.
fn retreating(successors: &[Vec<Node>], dominators: &[Option<BTreeSet<Node>>]) -> Option<Node> {
    let order = reverse_postorder(successors);
    let mut position = vec![usize::MAX; successors.len()];
    order.iter().enumerate().for_each(|(index, node)| position[*node] = index);
    let edges = order.iter().flat_map(|node| successors[*node].iter().map(move |to| (*node, *to)));
    edges
        .into_iter()
        .find(|(from, to)| position[*to] <= position[*from] && !dominates(dominators, *to, *from))
        .map(|(_, to)| to)
}
