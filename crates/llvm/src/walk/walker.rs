//! The walk over the blocks of a function, in the order of execution, which makes loops, guards and accesses.
//!
//! Within one iteration of a loop the control flow is acyclic. At a branch both sides are followed up to their join;
//! they become the two sides of a guard. An [`Arrival`] is an edge that is taken, with the values of the phis at its
//! end, so that a side may be followed more than once, with other values. [`loops`](crate::walk::loops) turns natural loops
//! into counted ones, [`data_branch`](crate::walk::data_branch) handles branches on data.

use std::collections::BTreeSet;

use symloc_affine::{AccessId, AccessKind, AssumptionKind, Constraint, Expr, IterId, Loop, Node as Tree};
use symloc_frontend::cases::{Cases, guard};
use symloc_frontend::{Diagnostic, Kind, Note};

use crate::input::rules::Rules;
use crate::ir::cfg::{Cfg, Node};
use crate::ir::ffi::{Opcode, Value};
use crate::ir::library;
use crate::memory::base_objects::Overlap;
use crate::values::environment::Values;
use crate::values::lattice::{Cause, Known, Pointer, Reason, choose, same};
use crate::values::refusals::operand;
use crate::walk::mix;
use crate::walk::recorder::Recorder;

/// An access whose array is not laid out yet.
#[derive(Clone, Debug)]
pub(crate) struct RawAccess<'m> {
    pub(crate) kind: AccessKind,
    pub(crate) pointer: Pointer,
    pub(crate) bytes: u64,
    pub(crate) at: Value<'m>,
    /// The conditions under which it is made.
    pub(crate) facts: Vec<Constraint>,
}

/// An edge that is taken.
#[derive(Clone, Debug)]
pub(crate) struct Arrival<'m> {
    /// The block that it leaves; `None` at the function's start.
    pub(crate) from: Option<Node>,
    /// The block that it enters; `None` at the function's end.
    pub(crate) to: Option<Node>,
    /// The values of the phis at its end.
    pub(crate) values: Vec<(Value<'m>, Known)>,
}

/// The edge that is taken in each case.
pub(crate) type Arrivals<'m> = Cases<Arrival<'m>>;

/// The most instructions that are visited: inlined calls, dry runs and cases visit some again.
const MOST_INSTRUCTIONS: usize = 2_000_000;

/// The most static accesses.
const MOST_ACCESSES: usize = 20_000;

/// The state of the walk. After an error the walk goes on, to find further errors; its result is then dropped.
pub(crate) struct Walker<'m, 'o> {
    pub(crate) cfg: Cfg<'m>,
    pub(crate) values: Values<'m>,
    pub(crate) rules: &'o Rules,
    pub(crate) accesses: Vec<RawAccess<'m>>,
    pub(crate) iters: Vec<Option<String>>,
    pub(crate) errors: Vec<Diagnostic>,
    pub(crate) notes: Vec<Note>,
    /// The accesses since the last write or loop; the elements that they read can be in registers.
    pub(crate) recent: Vec<usize>,
    /// The recorder of marks, if the walk is for characteristics: then accesses do not count.
    pub(crate) recorder: Option<Recorder>,
    /// The lines of branches on data that `--branch` has decided.
    pub(crate) told_lines: BTreeSet<u32>,
    /// The blocks that the walk has reached.
    reached: BTreeSet<Node>,
    /// Conditions that do not hold together, because another side of a branch is followed.
    excluded: Vec<Vec<Constraint>>,
    /// The iterator of the innermost loop around the current block, and its step.
    pub(crate) around: Option<(IterId, i64)>,
    visited: usize,
}

/// A state of the walk that a dry run returns to.
pub(crate) struct Mark {
    accesses: usize,
    pub(crate) errors: usize,
    notes: usize,
    required: usize,
    recent: Vec<usize>,
    facts: Vec<Constraint>,
}

impl<'m, 'o> Walker<'m, 'o> {
    pub(crate) fn new(cfg: Cfg<'m>, values: Values<'m>, rules: &'o Rules) -> Self {
        Self {
            cfg,
            values,
            rules,
            accesses: Vec::new(),
            iters: Vec::new(),
            errors: Vec::new(),
            notes: Vec::new(),
            recent: Vec::new(),
            recorder: None,
            told_lines: BTreeSet::new(),
            reached: BTreeSet::new(),
            excluded: Vec::new(),
            around: None,
            visited: 0,
        }
    }

    /// Returns true if a branch on a line is in a block that the walk has not reached, because other branches are
    /// decided.
    pub(crate) fn skips_branch_on(&self, line: u32) -> bool {
        let not_reached = (0..self.cfg.blocks.len()).filter(|node| !self.reached.contains(node));
        let mut branches = not_reached.filter_map(|node| self.cfg.blocks[node].terminator());
        branches
            .any(|branch| branch.is_conditional() && self.values.places.of(branch).is_some_and(|at| at.line == line))
    }

    /// Walks the whole function.
    pub(crate) fn function(&mut self) -> Vec<Tree> {
        let (nodes, _) =
            self.block(None, 0, Cases::Always(Arrival { from: None, to: Some(0), values: Vec::new() }), None);
        Tree::merged(nodes)
    }

    /// Walks from these edges up to `stop` or the end of the iteration; returns the tree, and the edges that reach the
    /// end.
    pub(crate) fn follow(
        &mut self,
        within: Option<usize>,
        arrivals: Arrivals<'m>,
        stop: Option<Node>,
    ) -> (Vec<Tree>, Arrivals<'m>) {
        match (target(&arrivals), arrivals) {
            (Some(to), arrivals) if self.is_end(within, to) || to == stop => (Vec::new(), arrivals),
            (Some(Some(to)), arrivals) => self.block(within, to, arrivals, stop),
            (_, Cases::When(when)) => {
                let when = *when;
                let facts = self.values.ranges.facts().to_vec();
                when.condition.iter().for_each(|c| self.values.ranges.add_fact(c.clone()));
                self.values.ranges.add_excluded(&self.excluded);
                let recent = self.recent.clone();
                let (then, then_arrives) = self.follow(within, when.then, stop);
                self.values.ranges.replace_facts(facts.clone());
                self.values.ranges.add_negation(&when.condition);
                self.excluded.push(when.condition.clone());
                self.values.ranges.add_excluded(&self.excluded);
                let after = std::mem::replace(&mut self.recent, recent);
                let (otherwise, arrives) = self.follow(within, when.otherwise, stop);
                self.excluded.pop();
                self.values.ranges.replace_facts(facts);
                self.recent.retain(|access| after.contains(access));
                let nodes = guard(when.condition.clone(), Tree::merged(then), Tree::merged(otherwise));
                (nodes, Cases::when(when.condition, then_arrives, arrives))
            }
            (_, arrivals) => (Vec::new(), arrivals),
        }
    }

    fn is_end(&self, within: Option<usize>, to: Option<Node>) -> bool {
        to.is_none_or(|to| self.cfg.ends_iteration(within, to))
    }

    /// Walks from a block up to `stop` or the end of the iteration; returns the tree, and the edges that reach the end.
    pub(crate) fn block(
        &mut self,
        within: Option<usize>,
        start: Node,
        arrivals: Arrivals<'m>,
        stop: Option<Node>,
    ) -> (Vec<Tree>, Arrivals<'m>) {
        let (mut node, mut arrivals) = (start, arrivals);
        let mut nodes = Vec::new();
        loop {
            let leaving = match self.cfg.inner_loop(within, node) {
                Some(inner) => {
                    let (body, leaving) = self.nest(within, inner, &arrivals);
                    nodes.extend(body);
                    leaving
                }
                None => {
                    self.receive(node, &arrivals);
                    nodes.extend(self.recorder.as_mut().map(|recorder| recorder.block(node)));
                    nodes.extend(self.straight(node));
                    match self.branch(node) {
                        Ok(leaving) => {
                            nodes.extend(self.taken(&leaving));
                            leaving
                        }
                        Err(reason) => {
                            let (executed, leaving) = self.on_data(within, node, &reason);
                            nodes.extend(executed);
                            leaving
                        }
                    }
                }
            };
            let next = match target(&leaving) {
                Some(to) => to,
                None => {
                    let join = self.cfg.join(within, node);
                    let (sides, joined) = self.follow(within, leaving, join);
                    nodes.extend(sides);
                    if join.is_none() {
                        return (nodes, joined);
                    }
                    arrivals = joined;
                    node = join.unwrap_or(node);
                    if Some(node) == stop {
                        return (nodes, arrivals);
                    }
                    continue;
                }
            };
            match next {
                Some(to) if Some(to) != stop && !self.is_end(within, next) => (node, arrivals) = (to, leaving),
                _ => return (nodes, leaving),
            }
        }
    }

    /// Returns the marks of the edges that are taken.
    fn taken(&mut self, arrivals: &Arrivals<'m>) -> Vec<Tree> {
        let Some(recorder) = &mut self.recorder else { return Vec::new() };
        let edges = arrivals.try_map(&mut |arrival| Ok::<_, ()>(arrival.from.zip(arrival.to)));
        edges.map_or_else(
            |()| Vec::new(),
            |edges| edges.into_nodes(&mut |edge| edge.map(|(from, to)| recorder.edge(from, to)).into_iter().collect()),
        )
    }

    /// Walks a loop; at the top level, with `--skip-refused`, one that cannot be read is left out.
    fn nest(&mut self, within: Option<usize>, inner: usize, arrivals: &Arrivals<'m>) -> (Vec<Tree>, Arrivals<'m>) {
        let mark = self.mark();
        self.recent.clear();
        let (nodes, leaving) = self.natural_loop(inner, arrivals);
        self.recent.clear();
        let refused = self.errors.get(mark.errors).cloned();
        let Some(error) = refused.filter(|_| within.is_none() && self.rules.skip_refused) else {
            return (nodes, leaving);
        };
        self.back_to(&mark);
        let header = self.cfg.blocks[self.cfg.loops[inner].header];
        let place = header.terminator().and_then(|t| self.values.places.of(t)).or(error.location);
        let text = format!("left out: this nest cannot be read: {}", error.message);
        self.notes.push(Note::assuming(AssumptionKind::LeftOutNest, place, text));
        (Vec::new(), leaving)
    }

    /// Sets the values of the phis of a block.
    fn receive(&mut self, node: Node, arrivals: &Arrivals<'m>) {
        for phi in self.phis(node) {
            let known = self.received(arrivals, phi);
            self.values.set(phi, known);
        }
    }

    /// Returns the value of a phi by these edges.
    pub(crate) fn received(&self, arrivals: &Arrivals<'m>, phi: Value<'m>) -> Known {
        merged(arrivals, &|arrival| {
            let found = arrival.values.iter().find(|(value, _)| *value == phi);
            found.map_or_else(|| Known::Unknown(Reason::new("it is not known here", None, None)), |(_, k)| k.clone())
        })
        .unwrap_or_else(|cause| Known::Unknown(self.values.explain(cause, phi)))
    }

    pub(crate) fn phis(&self, node: Node) -> Vec<Value<'m>> {
        let instructions = self.cfg.blocks[node].instructions();
        instructions.into_iter().take_while(|i| i.opcode() == Some(Opcode::LLVMPHI)).collect()
    }

    /// Returns the edge between two blocks, with the values of the phis at its end.
    pub(crate) fn arrive(&mut self, from: Node, to: Node) -> Arrival<'m> {
        let block = self.cfg.blocks[from];
        let mut values = Vec::new();
        for phi in self.phis(to) {
            if let Some((_, value)) = phi.incoming().into_iter().find(|(source, _)| *source == block) {
                values.push((phi, self.values.get(value).decided(&self.values.ranges)));
            }
        }
        Arrival { from: Some(from), to: Some(to), values }
    }

    /// Returns the edges that a block takes. Edges to blocks that never return are assumed not to be taken.
    fn branch(&mut self, node: Node) -> Result<Arrivals<'m>, Reason> {
        let block = self.cfg.blocks[node];
        let Some(terminator) = block.terminator() else { return Ok(Cases::Always(end())) };
        let targets: Vec<_> = block.successors().iter().map(|to| self.cfg.number(*to)).collect();
        let live: Vec<_> = targets.iter().copied().filter(|to| self.cfg.returns(*to)).collect();
        match live.as_slice() {
            [] => return Ok(Cases::Always(end())),
            [only] => {
                if targets.len() > 1 {
                    let text =
                        "a branch to code that never returns (such as a failed check) is assumed never to be taken";
                    self.assuming(terminator, AssumptionKind::NeverReturns, text);
                }
                return Ok(Cases::Always(self.arrive(node, *only)));
            }
            [first, others @ ..] if others.iter().all(|to| to == first) => {
                return Ok(Cases::Always(self.arrive(node, *first)));
            }
            _ => {}
        }
        self.choice(terminator, &targets, node)
    }

    fn choice(&mut self, terminator: Value<'m>, targets: &[Node], node: Node) -> Result<Arrivals<'m>, Reason> {
        let arrivals: Vec<_> = targets.iter().map(|to| self.arrive(node, *to)).collect();
        let chosen = if terminator.is_conditional() {
            let condition = terminator.operand(0).ok_or_else(|| Cause::here("it has no condition"));
            condition.and_then(|condition| self.values.flag(condition)).and_then(|flag| {
                // The first successor is taken where the condition holds.
                flag.merged()?.try_map(&mut |holds| Ok::<_, Cause>(usize::from(!holds)))
            })
        } else {
            self.values.switch(terminator)
        };
        let chosen = match chosen {
            Ok(chosen) => chosen,
            Err(cause) => self.told(terminator).ok_or_else(|| self.values.explain(cause, terminator))?,
        };
        let chosen = chosen.decided(&|constraint| self.values.ranges.decide(constraint));
        if let Cases::Always(side) = &chosen {
            self.say_decided(terminator, *side);
        }
        let arrival = |index: &usize| Ok::<_, Cause>(arrivals.get(*index).cloned().unwrap_or_else(end));
        let chosen = chosen.try_map(&mut { arrival }).map_err(|cause| self.values.explain(cause, terminator))?;
        Ok(specialised(chosen))
    }

    /// Walks the instructions of a block.
    fn straight(&mut self, node: Node) -> Vec<Tree> {
        self.reached.insert(node);
        let instructions = self.cfg.blocks[node].instructions();
        instructions.into_iter().flat_map(|instruction| self.instruction(instruction)).collect()
    }

    /// Returns the nodes that an instruction adds to the tree.
    fn instruction(&mut self, value: Value<'m>) -> Vec<Tree> {
        use Opcode as O;
        if self.exhausted(value) {
            return Vec::new();
        }
        match value.opcode() {
            Some(O::LLVMPHI | O::LLVMBr | O::LLVMSwitch | O::LLVMRet | O::LLVMUnreachable) | None => Vec::new(),
            Some(O::LLVMLoad) => {
                let nodes = self.access(value, AccessKind::Read, 0, value.r#type());
                let known = self.values.loaded(value);
                let known = known.unwrap_or_else(|cause| Known::Unknown(self.values.explain(cause, value)));
                self.values.set(value, known);
                nodes
            }
            Some(O::LLVMStore) => {
                let stored = value.operand(0).map(Value::r#type);
                stored.map(|kind| self.access(value, AccessKind::Write, 1, kind)).unwrap_or_default()
            }
            Some(O::LLVMAlloca) => {
                let root = self.values.object(value, Overlap::Never);
                self.values.set(value, Known::Pointer(Cases::Always(Pointer::to(root))));
                Vec::new()
            }
            Some(O::LLVMCall | O::LLVMInvoke) => self.call(value),
            Some(opcode) if library::is_forbidden(opcode) => {
                let (message, why, hint) = library::forbidden(opcode);
                self.refuse_with(value, message, why, hint);
                Vec::new()
            }
            Some(opcode) => {
                if opcode == O::LLVMSelect {
                    self.chosen_on_data(value);
                }
                self.values.define(value);
                counted(Some(if self.counts(value) { mix::flops(value) } else { 0 }))
            }
        }
    }

    /// Returns the access of a load or store whose address is an operand.
    pub(crate) fn access(
        &mut self,
        at: Value<'m>,
        kind: AccessKind,
        address: u32,
        accessed: crate::ir::ffi::Type<'m>,
    ) -> Vec<Tree> {
        if !self.counts(at) || self.recorder.is_some() {
            return Vec::new();
        }
        let name = if kind == AccessKind::Read { "read" } else { "write" };
        let pointer = operand(at, address).and_then(|address| self.values.pointer(address));
        let pointer = match pointer {
            Ok(pointer) => pointer,
            Err(cause) => {
                let reason = self.values.explain(cause, at);
                self.refuse(at, format!("the address of this {name} is not affine"), &reason);
                return Vec::new();
            }
        };
        if self.values.in_descriptor(&pointer).is_some() && kind == AccessKind::Read {
            return Vec::new();
        }
        let (element, lanes) = accessed.vector().unwrap_or((accessed, 1));
        let Some(bytes) = self.values.layout.size(element) else {
            self.refuse_with(at, format!("this {name} is not supported"), "its size is not known", None);
            return Vec::new();
        };
        if kind == AccessKind::Write {
            self.recent.clear();
        }
        let pointer = pointer.decided(&|constraint| self.values.ranges.decide(constraint));
        self.in_each_case(pointer, &mut |walker, pointer| match lanes {
            1 => vec![walker.element(at, kind, pointer, bytes)],
            _ => walker.vector(at, kind, &pointer, bytes, lanes),
        })
    }

    /// Applies `leaf` to the value of each case, with the conditions of the case as facts.
    pub(crate) fn in_each_case<T>(
        &mut self,
        value: Cases<T>,
        leaf: &mut impl FnMut(&mut Self, T) -> Vec<Tree>,
    ) -> Vec<Tree> {
        let when = match value {
            Cases::Always(value) => return leaf(self, value),
            Cases::When(when) => *when,
        };
        let facts = self.values.ranges.facts().to_vec();
        when.condition.iter().for_each(|c| self.values.ranges.add_fact(c.clone()));
        let then = self.in_each_case(when.then, leaf);
        self.values.ranges.replace_facts(facts.clone());
        self.values.ranges.add_negation(&when.condition);
        let otherwise = self.in_each_case(when.otherwise, leaf);
        self.values.ranges.replace_facts(facts);
        guard(when.condition, then, otherwise)
    }

    /// Returns an access to one element.
    pub(crate) fn element(&mut self, at: Value<'m>, kind: AccessKind, pointer: Pointer, bytes: u64) -> Tree {
        let id = AccessId(u32::try_from(self.accesses.len()).unwrap_or(u32::MAX));
        let facts = self.values.ranges.facts().to_vec();
        self.recent.push(self.accesses.len());
        self.accesses.push(RawAccess { kind, pointer, bytes, at, facts });
        Tree::Access(id)
    }

    /// Returns the accesses to a vector: its lanes, in ascending order.
    fn vector(&mut self, at: Value<'m>, kind: AccessKind, pointer: &Pointer, bytes: u64, lanes: u32) -> Vec<Tree> {
        let iter = self.new_iterator(Some("lane".to_owned()));
        let (lower, upper) = (vec![Expr::default()], vec![Expr::constant(lanes.into())]);
        self.values.ranges.set(iter, &lower, &upper);
        let step = i64::try_from(bytes).unwrap_or(1);
        match Values::lane(pointer, &Expr::iter(iter), step) {
            Ok(lane) => {
                let body = vec![self.element(at, kind, lane, bytes)];
                vec![Tree::Loop(Loop { iter, lower, upper, step: 1, body })]
            }
            Err(cause) => {
                let reason = self.values.explain(cause, at);
                self.refuse(at, "the address of this vector is not affine", &reason);
                Vec::new()
            }
        }
    }

    pub(crate) fn new_iterator(&mut self, name: Option<String>) -> IterId {
        let iter = IterId(u32::try_from(self.iters.len()).unwrap_or(u32::MAX));
        self.iters.push(name);
        iter
    }

    /// Returns true if an instruction is in the region to analyse.
    pub(crate) fn counts(&self, at: Value<'m>) -> bool {
        let Some(region) = &self.rules.region else { return true };
        self.values.places.in_function(at).is_none_or(|place| region.contains(&place))
    }

    /// Returns true, and reports it once, if the function has become too large to go on.
    fn exhausted(&mut self, at: Value<'m>) -> bool {
        self.visited += 1;
        let message = if self.visited > MOST_INSTRUCTIONS {
            format!("limit: the function has more than {MOST_INSTRUCTIONS} instructions once calls are inlined")
        } else if self.accesses.len() > MOST_ACCESSES {
            format!("limit: the function has more than {MOST_ACCESSES} accesses once cases are expanded")
        } else {
            return false;
        };
        if !self.errors.iter().any(|error| error.message == message) {
            self.errors.push(self.error(at, message).hint("analyse a smaller function"));
        }
        true
    }

    pub(crate) fn error(&self, at: Value<'m>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Kind::Unsupported, Some(self.values.places.or_start(at)), message)
    }

    /// Reports an error, unless it is outside the region to analyse.
    pub(crate) fn refuse(&mut self, at: Value<'m>, message: impl Into<String>, reason: &Reason) {
        if !self.counts(at) {
            return;
        }
        let mut error = self.error(at, message).note_at(reason.at().cloned(), reason.why());
        error.hint = reason.hint().map(str::to_owned);
        self.errors.push(error);
    }

    pub(crate) fn refuse_with(
        &mut self,
        at: Value<'m>,
        message: impl Into<String>,
        why: impl Into<String>,
        hint: Option<&str>,
    ) {
        self.refuse(at, message, &Reason::new(why, None, hint));
    }

    /// Adds an assumption to the notes.
    pub(crate) fn assuming(&mut self, at: Value<'m>, kind: AssumptionKind, text: impl Into<String>) {
        let note = Note::assuming(kind, self.values.places.of(at), text);
        if self.counts(at) && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark {
            accesses: self.accesses.len(),
            errors: self.errors.len(),
            notes: self.notes.len(),
            required: self.values.required.len(),
            recent: self.recent.clone(),
            facts: self.values.ranges.facts().to_vec(),
        }
    }

    /// Drops everything that has been added since a mark.
    pub(crate) fn back_to(&mut self, mark: &Mark) {
        self.accesses.truncate(mark.accesses);
        self.errors.truncate(mark.errors);
        self.notes.truncate(mark.notes);
        self.values.required.truncate(mark.required);
        self.recent.clone_from(&mark.recent);
        self.values.ranges.replace_facts(mark.facts.clone());
    }
}

/// Returns the edge to the function's end.
fn end<'m>() -> Arrival<'m> {
    Arrival { from: None, to: None, values: Vec::new() }
}

/// Simplifies the values of the phis on each edge by the conditions under which it is taken.
pub(crate) fn specialised(arrivals: Arrivals<'_>) -> Arrivals<'_> {
    let Cases::When(when) = arrivals else { return arrivals };
    let then = specialised(given(when.then, &when.condition, true));
    let otherwise = specialised(given(when.otherwise, &when.condition, false));
    Cases::when(when.condition, then, otherwise)
}

fn given<'m>(arrivals: Arrivals<'m>, condition: &[Constraint], holds: bool) -> Arrivals<'m> {
    match arrivals {
        Cases::Always(arrival) => {
            let values = arrival.values.into_iter().map(|(phi, known)| (phi, known.given(condition, holds)));
            Cases::Always(Arrival { values: values.collect(), ..arrival })
        }
        Cases::When(when) => {
            let (then, otherwise) = (given(when.then, condition, holds), given(when.otherwise, condition, holds));
            Cases::when(when.condition, then, otherwise)
        }
    }
}

/// Returns the block that all edges enter, if there is one.
pub(crate) fn target(arrivals: &Arrivals) -> Option<Option<Node>> {
    match arrivals {
        Cases::Always(arrival) => Some(arrival.to),
        Cases::When(when) => target(&when.then).filter(|to| target(&when.otherwise) == Some(*to)),
    }
}

/// Merges the values on the edges into one value.
pub(crate) fn merged<'m>(arrivals: &Arrivals<'m>, value: &impl Fn(&Arrival<'m>) -> Known) -> Result<Known, Cause> {
    match arrivals {
        Cases::Always(arrival) => Ok(value(arrival)),
        Cases::When(when) => {
            let (then, otherwise) = (merged(&when.then, value)?, merged(&when.otherwise, value)?);
            if same(&then, &otherwise) {
                return Ok(then);
            }
            let holds = Cases::when(when.condition.clone(), Cases::Always(true), Cases::Always(false));
            choose(&holds, &then, &otherwise)
        }
    }
}

/// Returns the node for a number of floating-point operations; `None` is an unknown number.
pub(crate) fn counted(count: Option<u64>) -> Vec<Tree> {
    if count == Some(0) { Vec::new() } else { vec![Tree::Operations(count)] }
}
