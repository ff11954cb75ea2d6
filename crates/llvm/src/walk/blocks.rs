//! Blocks in the order of execution: at a branch both sides are followed up to their join, and become a guard.

use symloc_affine::{AssumptionKind, Node as Tree};
use symloc_frontend::Note;
use symloc_frontend::cases::{Cases, guard};
use symloc_frontend::raising::{Cause, Reason};

use crate::ir::cfg::Node;
use crate::ir::ffi::{Opcode, Value};
use crate::values::lattice::Known;
use crate::walk::arrivals::{Arrival, Arrivals, merged, specialised, target};
use crate::walk::walker::Walker;

impl<'m> Walker<'m, '_> {
    /// Returns true if a branch on a line is in a block that the walk has not reached, because other branches are
    /// decided.
    pub(crate) fn skips_branch_on(&self, line: u32) -> bool {
        let not_reached = (0..self.cfg.blocks.len()).filter(|node| !self.reached.contains(node));
        let mut branches = not_reached.filter_map(|node| self.cfg.blocks[node].terminator());
        branches
            .any(|branch| branch.is_conditional() && self.values.places.of(branch).is_some_and(|at| at.line == line))
    }

    /// Walks the whole function; once more, if its accesses show other rows of the blocks that it fills and copies.
    pub(crate) fn function(&mut self) -> Vec<Tree> {
        let mark = self.mark();
        let nodes = self.all_blocks();
        if !self.order_blocks() {
            return nodes;
        }
        self.back_to(&mark);
        self.all_blocks()
    }

    fn all_blocks(&mut self) -> Vec<Tree> {
        let (nodes, _) = self.block(None, 0, Cases::Always(Arrival::start(0, Vec::new())), None);
        Tree::merged(nodes)
    }

    /// Walks from these edges up to `stop` or the end of the iteration; returns the tree, and the edges that reach the
    /// end.
    #[must_use]
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
        to.is_none_or(|to| self.cfg.ends_iteration(within, to) || self.horizon == Some(to))
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
    #[must_use]
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
        let refused = self.raising.errors.get(mark.raising.errors).cloned();
        let Some(error) = refused.filter(|_| within.is_none() && self.rules.skip_refused) else {
            return (nodes, leaving);
        };
        self.back_to(&mark);
        let header = self.cfg.blocks[self.cfg.loops[inner].header];
        let place = header.terminator().and_then(|t| self.values.places.of(t)).or(error.location);
        let text = format!("left out: this nest cannot be read: {}", error.message);
        self.raising.notes.push(Note::assuming(AssumptionKind::LeftOutNest, place, text));
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
            let unknown = || Known::Unknown(Reason::new("it is not known here", None, None));
            arrival.value(phi).cloned().unwrap_or_else(unknown)
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
        let Some(terminator) = block.terminator() else { return Ok(Cases::Always(Arrival::end())) };
        let targets: Vec<_> = block.successors().iter().map(|to| self.cfg.number(*to)).collect();
        let live: Vec<_> = targets.iter().copied().filter(|to| self.cfg.returns(*to)).collect();
        match live.as_slice() {
            [] => return Ok(Cases::Always(Arrival::end())),
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
            Err(cause) => match self.told(terminator) {
                Some(told) => told,
                None => {
                    let reason = self.values.explain(cause, terminator);
                    self.note_doubt(terminator, &reason);
                    return Err(reason);
                }
            },
        };
        let chosen = chosen.decided(&|constraint| self.values.ranges.decide(constraint));
        if let Cases::Always(side) = &chosen {
            self.say_decided(terminator, *side);
        }
        let arrival = |index: &usize| Ok::<_, Cause>(arrivals.get(*index).cloned().unwrap_or_else(Arrival::end));
        let chosen = chosen.try_map(&mut { arrival }).map_err(|cause| self.values.explain(cause, terminator))?;
        Ok(specialised(chosen))
    }
}
