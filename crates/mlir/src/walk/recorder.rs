//! The basic blocks of structured control flow, recorded during the walk.
//!
//! A run of operations without a loop or a branch in between is one block. A loop has a header, which tests and
//! branches once for each iteration and once more to leave; the step is added to the iterator at the end of the body:
//!
//! ```text
//! … ─▶ header ─taken─▶ body … + step ─▶ header        header ─not taken─▶ …
//! ```
//!
//! The walk reports to the [`Recorder`] (`characterise`) and puts the marks that it returns into the tree. The recorder
//! keeps the position of the walk: in a run, or after edges whose target is the next block. The marks of edges are
//! where control passes: at the end of a run, at the start and after the end of a loop's body. Code that is visited
//! several times, such as a body whose bounds differ by cases, has the same blocks each time.

use std::collections::BTreeMap;

use symloc_affine::{IterId, Location, Mark, MarkId, Node, Program, Weight};
use symloc_frontend::characteristics::{
    Block, Branches, Characteristics, Edge, EdgeKind, Kind, LoopInfo, Mix, Operation,
};

use crate::ffi::OpKey;

/// The role of a block for the operation that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// It begins with the operation.
    Run,
    /// It is the header of the loop of a nest with this number of loops inside.
    Header(usize),
    /// It ends the body of such a loop.
    Step(usize),
    /// It moves the lanes of a vector one by one.
    Lanes,
    /// It is the end of the function.
    End,
}

/// A block under construction.
#[derive(Debug)]
struct Draft {
    block: Block,
    role: Role,
    /// The sides of branches that it is in, within the innermost loop.
    sides: String,
}

/// An edge whose target may still be open.
#[derive(Clone, Debug)]
struct OpenEdge {
    from: usize,
    to: Option<usize>,
    kind: EdgeKind,
    mark: MarkId,
}

/// The position of the walk.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checkpoint {
    /// The block that goes on here, with true on the first visit to it.
    run: Option<(usize, bool)>,
    /// The edges that lead here.
    edges: Vec<usize>,
}

/// A branch whose sides are being walked.
#[derive(Debug)]
struct Fork {
    from: usize,
    sides: String,
    weight: Weight,
    ends: Vec<usize>,
}

/// A loop under construction.
#[derive(Debug)]
struct LoopDraft {
    iter: IterId,
    info: LoopInfo,
}

/// The blocks, edges and loops that the walk has met.
#[derive(Debug)]
pub(crate) struct Recorder {
    branches: Branches,
    blocks: Vec<Draft>,
    known: BTreeMap<(OpKey, Role), usize>,
    edges: Vec<OpenEdge>,
    loops: Vec<LoopDraft>,
    known_loops: BTreeMap<(OpKey, usize), usize>,
    data_branches: Vec<Location>,
    forks: Vec<Fork>,
    marks: u32,
    at: Checkpoint,
    within: Option<usize>,
    sides: String,
    /// The sides of branches that the loops around the position are in.
    outer_sides: Vec<String>,
    weight: Weight,
}

impl Recorder {
    /// Returns a recorder at the start of a function.
    pub(crate) fn new(branches: Branches) -> Self {
        Self {
            branches,
            blocks: Vec::new(),
            known: BTreeMap::new(),
            edges: Vec::new(),
            loops: Vec::new(),
            known_loops: BTreeMap::new(),
            data_branches: Vec::new(),
            forks: Vec::new(),
            marks: 0,
            at: Checkpoint::default(),
            within: None,
            sides: String::new(),
            outer_sides: Vec::new(),
            weight: Weight::Once,
        }
    }

    fn new_mark(&mut self) -> MarkId {
        self.marks += 1;
        MarkId(self.marks - 1)
    }

    fn mark(&self, id: MarkId) -> Node {
        Node::Mark(Mark { id, weight: self.weight.clone() })
    }

    /// Returns the block of this role, with true if it is new.
    fn block(&mut self, key: OpKey, role: Role, location: Option<Location>) -> (usize, bool) {
        if let Some(&block) = self.known.get(&(key, role)) {
            return (block, false);
        }
        let mark = self.new_mark();
        let block = Block::new(String::new(), location, mark, self.within);
        self.blocks.push(Draft { block, role, sides: self.sides.clone() });
        self.known.insert((key, role), self.blocks.len() - 1);
        (self.blocks.len() - 1, true)
    }

    /// Adds an edge; returns it with its mark.
    fn edge(&mut self, from: usize, kind: EdgeKind) -> (usize, Node) {
        let mark = self.new_mark();
        self.edges.push(OpenEdge { from, to: None, kind, mark });
        (self.edges.len() - 1, self.mark(mark))
    }

    /// Ends the run: further operations belong to another block.
    #[must_use]
    pub(crate) fn end_run(&mut self) -> Vec<Node> {
        let Some((from, _)) = self.at.run.take() else { return Vec::new() };
        let (edge, mark) = self.edge(from, EdgeKind::Next);
        self.at.edges = vec![edge];
        vec![mark]
    }

    /// Sets the target of the open edges to a block.
    fn lead_to(&mut self, block: usize) -> Vec<Node> {
        let marks = self.end_run();
        for edge in std::mem::take(&mut self.at.edges) {
            self.edges[edge].to = Some(block);
        }
        marks
    }

    /// Continues the run, or begins one.
    fn run(&mut self, key: OpKey, role: Role, location: Option<Location>) -> ((usize, bool), Vec<Node>) {
        if let Some(run) = self.at.run {
            return (run, Vec::new());
        }
        let run = self.block(key, role, location);
        let mut marks = self.lead_to(run.0);
        marks.push(self.mark(self.blocks[run.0].block.mark));
        self.at.run = Some(run);
        (run, marks)
    }

    /// Adds operations to the run.
    #[must_use]
    pub(crate) fn add(&mut self, key: OpKey, role: Role, location: Option<Location>, mix: &Mix) -> Vec<Node> {
        let ((block, is_new), marks) = self.run(key, role, location.clone());
        if is_new && !mix.is_empty() {
            self.blocks[block].block.mix_at(location.as_ref()).add_all(mix);
        }
        marks
    }

    /// Adds a block of its own beside the run, with these operations; returns the nodes with its mark instead of
    /// accesses.
    #[must_use]
    pub(crate) fn beside(
        &mut self,
        key: OpKey,
        location: Option<Location>,
        operations: &[(Operation, u32, u64)],
        nodes: Vec<Node>,
    ) -> Vec<Node> {
        let (block, is_new) = self.block(key, Role::Lanes, location.clone());
        for (operation, bits, count) in operations.iter().filter(|_| is_new) {
            self.blocks[block].block.mix_at(location.as_ref()).add(*operation, *bits, *count);
        }
        let mark = self.mark(self.blocks[block].block.mark);
        nodes.into_iter().map(|node| marked(node, &mark)).collect()
    }

    /// Begins a loop with `inside` loops of its nest in it; returns the marks before it, and those at the start of its
    /// body.
    #[must_use]
    pub(crate) fn loop_begins(
        &mut self,
        key: OpKey,
        inside: usize,
        iter: IterId,
        bits: u32,
        location: Option<Location>,
    ) -> (Vec<Node>, Vec<Node>) {
        let index = self.known_loops.get(&(key, inside)).copied().unwrap_or(self.loops.len());
        let parent = self.within.replace(index);
        self.outer_sides.push(std::mem::take(&mut self.sides));
        let (header, is_new) = self.block(key, Role::Header(inside), location.clone());
        if self.known_loops.insert((key, inside), index).is_none() {
            let info = LoopInfo { name: String::new(), location: location.clone(), parent, header };
            self.loops.push(LoopDraft { iter, info });
        }
        let mix = self.blocks[header].block.mix_at(location.as_ref());
        if is_new {
            mix.add(Operation::Integer(Kind::Compare), bits, 1);
            mix.add(Operation::ConditionalBranch, 0, 1);
        }
        let before = self.lead_to(header);
        let (edge, taken) = self.edge(header, EdgeKind::Taken);
        self.at.edges = vec![edge];
        let passed = self.mark(self.blocks[header].block.mark);
        (before, vec![passed, taken])
    }

    /// Ends a loop, after its step; returns the marks at the end of its body, and those after it.
    #[must_use]
    pub(crate) fn loop_ends(&mut self, key: OpKey, inside: usize) -> (Vec<Node>, Vec<Node>) {
        let (header, _) = self.block(key, Role::Header(inside), None);
        let end = self.lead_to(header);
        let (edge, not_taken) = self.edge(header, EdgeKind::NotTaken);
        self.at.edges = vec![edge];
        self.sides = self.outer_sides.pop().unwrap_or_default();
        self.within = self.within.and_then(|index| self.loops[index].info.parent);
        let passed = self.mark(self.blocks[header].block.mark);
        (end, vec![passed, not_taken])
    }

    /// Begins a branch, after its comparisons; its sides follow.
    pub(crate) fn branch_begins(&mut self) {
        if let Some((from, _)) = self.at.run.take() {
            let (sides, weight) = (self.sides.clone(), self.weight.clone());
            self.forks.push(Fork { from, sides, weight, ends: Vec::new() });
        }
    }

    /// Begins a side of the branch; its weight is [`Weight::Once`] if it does not depend on data.
    #[must_use]
    pub(crate) fn side_begins(&mut self, name: &str, kind: EdgeKind, weight: &Weight) -> Vec<Node> {
        let Some(fork) = self.forks.last() else { return Vec::new() };
        let from = fork.from;
        self.weight = fork.weight.times(weight);
        self.sides = format!("{}.{name}", fork.sides);
        let (edge, mark) = self.edge(from, kind);
        self.at = Checkpoint { run: None, edges: vec![edge] };
        vec![mark]
    }

    /// Ends a side of the branch.
    #[must_use]
    pub(crate) fn side_ends(&mut self) -> Vec<Node> {
        let marks = self.end_run();
        let ends = std::mem::take(&mut self.at.edges);
        if let Some(fork) = self.forks.last_mut() {
            fork.ends.extend(ends);
        }
        marks
    }

    /// Ends the branch: further code follows all of its sides.
    pub(crate) fn branch_ends(&mut self) {
        if let Some(fork) = self.forks.pop() {
            (self.sides, self.weight) = (fork.sides, fork.weight);
            self.at = Checkpoint { run: None, edges: fork.ends };
        }
    }

    /// Returns the weights of the two sides of a branch on data.
    pub(crate) fn data_branch(&mut self, location: Location) -> [Weight; 2] {
        let sides = self.branches.sides(location.line);
        if !self.data_branches.contains(&location) {
            self.data_branches.push(location);
        }
        sides
    }

    /// Returns the position of the walk.
    pub(crate) fn position(&self) -> Checkpoint {
        self.at.clone()
    }

    /// Goes back to a position.
    pub(crate) fn go_back(&mut self, position: Checkpoint) {
        self.at = position;
    }

    /// Ends a case, in which no run goes on: further code follows these edges too.
    pub(crate) fn case_ends(&mut self, edges: &mut Vec<usize>) {
        edges.append(&mut self.at.edges);
        self.at.edges = edges.clone();
    }

    /// Names the blocks and loops, and merges edges between the same blocks, whose counts add up.
    pub(crate) fn finish(self, mut program: Program) -> Characteristics {
        let mut edges: Vec<Edge> = Vec::new();
        let mut joined: BTreeMap<MarkId, MarkId> = BTreeMap::new();
        for OpenEdge { from, to, kind, mark } in self.edges {
            let Some(to) = to else { continue };
            match edges.iter().find(|edge| (edge.from, edge.to, edge.kind) == (from, to, kind)) {
                Some(edge) => _ = joined.insert(mark, edge.mark),
                None => edges.push(Edge { from, to, mark, kind }),
            }
        }
        edges.sort_by_key(|edge| (edge.from, edge.kind, edge.to));
        program.body.iter_mut().for_each(|node| join(node, &joined));
        let iterator = |draft: &LoopDraft| program.iters[draft.iter.index()].name.clone();
        let loops: Vec<LoopInfo> =
            self.loops.iter().map(|draft| LoopInfo { name: iterator(draft), ..draft.info.clone() }).collect();
        let mut taken: BTreeMap<String, u32> = BTreeMap::new();
        let named = |draft: Draft| {
            let scope = draft.block.within.map_or(program.name.as_str(), |index| loops[index].name.as_str());
            let name = match draft.role {
                Role::Header(_) => format!("for {scope}"),
                Role::End => "return".to_owned(),
                Role::Lanes => format!("{scope}{}.lanes", draft.sides),
                Role::Run | Role::Step(_) => format!("{scope}{}", draft.sides),
            };
            let count = taken.entry(name.clone()).or_default();
            *count += 1;
            let name = if *count == 1 { name } else { format!("{name}.{count}") };
            Block { name, ..draft.block }
        };
        let blocks = self.blocks.into_iter().map(named).collect();
        Characteristics { marks: self.marks, blocks, edges, loops, data_branches: self.data_branches, program }
    }
}

/// Replaces each access of a tree by a mark.
fn marked(node: Node, mark: &Node) -> Node {
    let all = |nodes: Vec<Node>| nodes.into_iter().map(|node| marked(node, mark)).collect();
    match node {
        Node::Access(_) => mark.clone(),
        Node::Loop(l) => Node::Loop(symloc_affine::Loop { body: all(l.body), ..l }),
        Node::If(guard) => Node::If(symloc_affine::If {
            condition: guard.condition,
            then: all(guard.then),
            otherwise: all(guard.otherwise),
        }),
        Node::Operations(_) | Node::Mark(_) => node,
    }
}

fn join(node: &mut Node, joined: &BTreeMap<MarkId, MarkId>) {
    match node {
        Node::Mark(mark) => mark.id = joined.get(&mark.id).copied().unwrap_or(mark.id),
        Node::Loop(l) => l.body.iter_mut().for_each(|node| join(node, joined)),
        Node::If(guard) => guard.then.iter_mut().chain(&mut guard.otherwise).for_each(|node| join(node, joined)),
        Node::Access(_) | Node::Operations(_) => {}
    }
}
