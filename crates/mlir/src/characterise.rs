//! Basic blocks of structured control flow, while the walk goes through it.
//!
//! A run of operations without a loop or a branch in between is one block. A loop has a header, which tests and branches
//! once for each iteration and once more to leave, and adds its step to the iterator at the end of the body. So
//!
//! ```text
//! … ─▶ header ─taken─▶ body … + step ─▶ header        header ─not taken─▶ …
//! ```
//!
//! While it walks, the [`Recorder`] knows where it stands: in a run, or behind edges whose target is the next block to come.
//! Marks of edges are put where control passes: at the end of a run, at the start and after the end of a loop's body.
//! What is visited several times, such as a body whose bounds differ by cases, is the same blocks again.

use std::collections::BTreeMap;

use melior::ir::ValueLike;
use melior::ir::operation::OperationLike;
use symloc_affine::{IterId, Location, Mark, MarkId, Node, Program, Weight};
use symloc_frontend::characteristics::{
    Block, Branches, Characteristics, Edge, EdgeKind, Kind, LoopInfo, Mix, Operation,
};

use crate::ffi::{self, Op, OpKey, Val};
use crate::mix::{self, Computed};
use crate::walk::Walker;

/// What a block is to the operation that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    /// It begins with the operation.
    Run,
    /// It is the header of a loop; of a nest, the one with so many loops inside.
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
    /// Below the innermost loop: in which sides of branches it is.
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

/// Where the walk stands.
#[derive(Clone, Debug, Default)]
struct Position {
    /// The block that goes on here, and whether this is the first visit to it.
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

/// What the walk has found so far.
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
    at: Position,
    within: Option<usize>,
    sides: String,
    /// The sides of branches in which the loops around here stand.
    outer_sides: Vec<String>,
    weight: Weight,
}

impl Recorder {
    /// Starts in the first block of a function.
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
            at: Position::default(),
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

    /// The block of this role, and whether it is new.
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

    /// A new edge, and its mark here.
    fn edge(&mut self, from: usize, kind: EdgeKind) -> (usize, Node) {
        let mark = self.new_mark();
        self.edges.push(OpenEdge { from, to: None, kind, mark });
        (self.edges.len() - 1, self.mark(mark))
    }

    /// Ends the run: what comes now is another block.
    fn end_run(&mut self) -> Vec<Node> {
        let Some((from, _)) = self.at.run.take() else { return Vec::new() };
        let (edge, mark) = self.edge(from, EdgeKind::Next);
        self.at.edges = vec![edge];
        vec![mark]
    }

    /// Leads all that leads here to a block.
    fn lead_to(&mut self, block: usize) -> Vec<Node> {
        let marks = self.end_run();
        for edge in std::mem::take(&mut self.at.edges) {
            self.edges[edge].to = Some(block);
        }
        marks
    }

    /// Goes on in the run, or begins one.
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
    fn add(&mut self, key: OpKey, role: Role, location: Option<Location>, mix: &Mix) -> Vec<Node> {
        let ((block, is_new), marks) = self.run(key, role, location.clone());
        if is_new && !mix.is_empty() {
            self.blocks[block].block.mix_at(location.as_ref()).add_all(mix);
        }
        marks
    }
}

/// The walk tells the recorder what it comes across, and puts the marks that it gets into the tree. Without a recorder there
/// are none.
impl<'a> Walker<'a, '_> {
    /// Are basic blocks what the walk is after?
    pub(crate) fn records(&self) -> bool {
        self.recorder.is_some()
    }

    /// The start of the function.
    pub(crate) fn function_begins(&mut self, function: Op<'a>) -> Vec<Node> {
        self.record(function, Role::Run, &Mix::default())
    }

    /// The end of the function; what leads there leads to a block.
    pub(crate) fn function_ends(&mut self, function: Op<'a>) -> Vec<Node> {
        self.record(function, Role::End, &Mix::default())
    }

    fn record(&mut self, op: Op<'a>, role: Role, mix: &Mix) -> Vec<Node> {
        let location = self.places.of(op);
        self.recorder.as_mut().map_or_else(Vec::new, |recorder| recorder.add(ffi::key(op), role, location, mix))
    }

    /// An operation on registers.
    pub(crate) fn registers(&mut self, op: Op<'a>) -> Vec<Node> {
        match self.records() {
            true => self.computed(op, Role::Run, mix::of_registers(op)),
            false => self.counted(op, mix::flops(op)),
        }
    }

    fn computed(&mut self, op: Op<'a>, role: Role, computed: Option<Computed>) -> Vec<Node> {
        let name = ffi::name(op);
        let Some(computed) = computed else {
            let error = self.error(op, format!("how many operations `{name}` makes is not known"));
            let why = "the size of a value that it computes with is not a constant";
            self.push_error(error.note(why).hint("analyse the loops before they are vectorised"));
            return Vec::new();
        };
        if computed.flops.is_none() {
            self.note(op, format!("`{name}` counts as one operation of the kind `other` for each element"));
        }
        if computed.mix.is_empty() { Vec::new() } else { self.record(op, role, &computed.mix) }
    }

    /// A load or store of one element, of an array of vectors all of its lanes.
    pub(crate) fn moved(&mut self, op: Op<'a>, operation: Operation, memref: Val<'a>, elements: u64) -> Vec<Node> {
        let Some((lanes, bits)) = mix::element(memref.r#type()) else {
            let error = self.error(op, format!("the elements of this `{}` are not known", ffi::name(op)));
            self.push_error(error.note("their type has no size here"));
            return Vec::new();
        };
        let mut mix = Mix::default();
        mix.add(operation, bits, elements.saturating_mul(lanes));
        self.record(op, Role::Run, &mix)
    }

    /// Loads or stores of which the program says how many there are: a block of its own, beside the run.
    pub(crate) fn moved_lanes(&mut self, op: Op<'a>, moves: &[(Operation, Val<'a>)], nodes: Vec<Node>) -> Vec<Node> {
        let mut marks = self.record(op, Role::Run, &Mix::default());
        let location = self.places.of(op);
        if let Some(recorder) = &mut self.recorder {
            let (block, is_new) = recorder.block(ffi::key(op), Role::Lanes, location.clone());
            let sizes =
                moves.iter().filter_map(|(operation, memref)| Some((*operation, mix::element(memref.r#type())?)));
            for (operation, (lanes, bits)) in sizes.filter(|_| is_new) {
                recorder.blocks[block].block.mix_at(location.as_ref()).add(operation, bits, lanes);
            }
            let mark = recorder.mark(recorder.blocks[block].block.mark);
            marks.extend(nodes.into_iter().map(|node| marked(node, &mark)));
        }
        marks
    }

    /// An update of memory; its load and its store are apart.
    pub(crate) fn updated(&mut self, op: Op<'a>) -> Vec<Node> {
        match self.records() {
            true => self.computed(op, Role::Run, mix::of_update(op)),
            false => self.counted(op, mix::of_update(op).and_then(|computed| computed.flops)),
        }
    }

    /// What an iteration of a loop computes beside its body.
    pub(crate) fn combined(&mut self, op: Op<'a>) -> Vec<Node> {
        match self.records() {
            true => self.computed(op, Role::Step(0), mix::of_loop(op)),
            false => self.counted(op, mix::of_loop(op).and_then(|computed| computed.flops)),
        }
    }

    /// A loop with so many loops of its nest inside begins: the marks before it, and those at the start of its body.
    pub(crate) fn loop_begins(&mut self, op: Op<'a>, inside: usize, iter: IterId, bits: u32) -> (Vec<Node>, Vec<Node>) {
        let location = self.places.of(op);
        let Some(recorder) = &mut self.recorder else { return (Vec::new(), Vec::new()) };
        let key = (ffi::key(op), inside);
        let index = recorder.known_loops.get(&key).copied().unwrap_or(recorder.loops.len());
        let parent = recorder.within.replace(index);
        recorder.outer_sides.push(std::mem::take(&mut recorder.sides));
        let (header, is_new) = recorder.block(key.0, Role::Header(inside), location.clone());
        if recorder.known_loops.insert(key, index).is_none() {
            let info = LoopInfo { name: String::new(), location: location.clone(), parent, header };
            recorder.loops.push(LoopDraft { iter, info });
        }
        let mix = recorder.blocks[header].block.mix_at(location.as_ref());
        if is_new {
            mix.add(Operation::Integer(Kind::Compare), bits, 1);
            mix.add(Operation::ConditionalBranch, 0, 1);
        }
        let before = recorder.lead_to(header);
        let (edge, taken) = recorder.edge(header, EdgeKind::Taken);
        recorder.at.edges = vec![edge];
        let passed = recorder.mark(recorder.blocks[header].block.mark);
        (before, vec![passed, taken])
    }

    /// The loop ends: the marks at the end of its body, and those behind it.
    pub(crate) fn loop_ends(&mut self, op: Op<'a>, inside: usize, bits: u32) -> (Vec<Node>, Vec<Node>) {
        let mut step = Mix::default();
        step.add(Operation::Integer(Kind::Add), bits, 1);
        let mut end = self.record(op, Role::Step(inside), &step);
        let Some(recorder) = &mut self.recorder else { return (Vec::new(), Vec::new()) };
        let (header, _) = recorder.block(ffi::key(op), Role::Header(inside), None);
        end.extend(recorder.lead_to(header));
        let (edge, not_taken) = recorder.edge(header, EdgeKind::NotTaken);
        recorder.at.edges = vec![edge];
        recorder.sides = recorder.outer_sides.pop().unwrap_or_default();
        recorder.within = recorder.within.and_then(|index| recorder.loops[index].info.parent);
        let passed = recorder.mark(recorder.blocks[header].block.mark);
        (end, vec![passed, not_taken])
    }

    /// A call begins or ends: blocks do not reach across.
    pub(crate) fn call_border(&mut self) -> Vec<Node> {
        self.recorder.as_mut().map_or_else(Vec::new, Recorder::end_run)
    }

    /// A branch with so many comparisons of its own; its sides follow.
    pub(crate) fn branch_begins(&mut self, op: Op<'a>, comparisons: u64, branches: u64) -> Vec<Node> {
        let mut mix = Mix::default();
        mix.add(Operation::Integer(Kind::Compare), mix::INDEX_BITS, comparisons);
        mix.add(Operation::ConditionalBranch, 0, branches);
        let marks = self.record(op, Role::Run, &mix);
        if let Some(recorder) = &mut self.recorder
            && let Some((from, _)) = recorder.at.run.take()
        {
            let (sides, weight) = (recorder.sides.clone(), recorder.weight.clone());
            recorder.forks.push(Fork { from, sides, weight, ends: Vec::new() });
        }
        marks
    }

    /// A side of the branch begins; its weight is one if it does not hang on data.
    pub(crate) fn side_begins(&mut self, name: &str, kind: EdgeKind, weight: &Weight) -> Vec<Node> {
        let Some(recorder) = &mut self.recorder else { return Vec::new() };
        let Some(fork) = recorder.forks.last() else { return Vec::new() };
        let from = fork.from;
        recorder.weight = fork.weight.times(weight);
        recorder.sides = format!("{}.{name}", fork.sides);
        let (edge, mark) = recorder.edge(from, kind);
        recorder.at = Position { run: None, edges: vec![edge] };
        vec![mark]
    }

    /// A side of the branch ends.
    pub(crate) fn side_ends(&mut self) -> Vec<Node> {
        let Some(recorder) = &mut self.recorder else { return Vec::new() };
        let marks = recorder.end_run();
        let ends = std::mem::take(&mut recorder.at.edges);
        if let Some(fork) = recorder.forks.last_mut() {
            fork.ends.extend(ends);
        }
        marks
    }

    /// The branch ends: what comes now follows all of its sides.
    pub(crate) fn branch_ends(&mut self) {
        if let Some(recorder) = &mut self.recorder
            && let Some(fork) = recorder.forks.pop()
        {
            (recorder.sides, recorder.weight) = (fork.sides, fork.weight);
            recorder.at = Position { run: None, edges: fork.ends };
        }
    }

    /// The weights of the two sides of a branch on data.
    pub(crate) fn data_branch(&mut self, op: Op<'a>) -> [Weight; 2] {
        let location = self.places.or_start(op.location());
        let Some(recorder) = &mut self.recorder else { return [Weight::Once, Weight::Once] };
        let sides = recorder.branches.sides(location.line);
        if !recorder.data_branches.contains(&location) {
            recorder.data_branches.push(location);
        }
        sides
    }

    /// Where the walk stands, for cases that all begin here.
    pub(crate) fn cases_begin(&self) -> CasesBegin {
        CasesBegin(self.recorder.as_ref().map(|recorder| recorder.at.clone()).unwrap_or_default(), Vec::new())
    }
}

/// Where cases begin, and the edges behind those that have been walked.
pub(crate) struct CasesBegin(Position, Vec<usize>);

impl CasesBegin {
    /// A case begins.
    pub(crate) fn case(&mut self, walker: &mut Walker) {
        if let Some(recorder) = &mut walker.recorder {
            recorder.at = self.0.clone();
        }
    }

    /// A case ends. It ends with a loop, so no run goes on.
    pub(crate) fn case_ends(&mut self, walker: &mut Walker) {
        if let Some(recorder) = &mut walker.recorder {
            self.1.append(&mut recorder.at.edges);
            recorder.at.edges = self.1.clone();
        }
    }
}

/// The tree with a mark in place of each access.
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

impl Recorder {
    /// Names the blocks and loops and joins edges between the same blocks, whose marks then count together.
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

fn join(node: &mut Node, joined: &BTreeMap<MarkId, MarkId>) {
    match node {
        Node::Mark(mark) => mark.id = joined.get(&mark.id).copied().unwrap_or(mark.id),
        Node::Loop(l) => l.body.iter_mut().for_each(|node| join(node, joined)),
        Node::If(guard) => guard.then.iter_mut().chain(&mut guard.otherwise).for_each(|node| join(node, joined)),
        Node::Access(_) | Node::Operations(_) => {}
    }
}
