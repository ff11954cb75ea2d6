//! Counted loops from natural loops.
//!
//! The phis of a loop's header change from iteration to iteration. One that grows by a constant amount is *linear*: its
//! start plus the number of iterations so far times the step (`induction`). The loop's induction variable is such a
//! phi if it goes up from an affine start, else the number of the iteration, from 0. With all linear phis as functions
//! of the induction variable, the exit conditions of the loop are conditions on it, and the first iteration in which
//! one holds is the last one (`trip_count`).

use std::collections::BTreeSet;

use symloc_affine::{Atom, Constraint, Expr, IterId, Location, Loop, LoopStep, Node as Tree};
use symloc_frontend::cases::{Cases, join};
use symloc_frontend::poly::Poly;
use symloc_frontend::raising::{Cause, Reason};

use crate::ir::cfg::Node;
use crate::ir::ffi::Value;
use crate::ir::library;
use crate::values::environment::Values;
use crate::values::lattice::{Known, same};
use crate::walk::arrivals::{Arrival, Arrivals};
use crate::walk::loops::counter::Counter;
use crate::walk::loops::induction::{Growth, Induction};
use crate::walk::loops::trip_count::{Exit, Leaving};
use crate::walk::walker::{InnermostLoop, Walker};

impl<'m> Walker<'m, '_> {
    /// Walks a loop that is entered by these edges; returns the edges by which it is left.
    #[must_use]
    pub(crate) fn natural_loop(&mut self, inner: usize, arrivals: &Arrivals<'m>) -> (Vec<Tree>, Arrivals<'m>) {
        let recurrences = self.recurrences(inner, arrivals);
        let doubtful = self.values.unsigned_at_exit.len();
        let counter = self.counter(inner, &recurrences);
        let iter = self.iterator_of(inner, counter.name.clone());
        let mut induction = Induction { inner, iter, counter, recurrences };
        let exits = match self.simple_exit(&induction) {
            Some(exits) if !induction.is_open() => exits,
            _ => {
                self.close(&mut induction);
                // The exits are looked for anew, with the values that are known by then.
                self.values.unsigned_at_exit.truncate(doubtful);
                match induction.counter.has_tiles() {
                    true => self.simple_exit(&induction).unwrap_or_else(|| Err(self.loop_reason(inner, other_exit()))),
                    false => self.all_exits(&induction),
                }
            }
        };
        let induction = induction;
        let exits = match exits {
            Ok(exits) => exits,
            Err(reason) => {
                let reason = self.undeclared_tile(&induction).unwrap_or(reason);
                return self.refused_loop(&induction, &reason);
            }
        };
        let at_exit = std::mem::replace(&mut self.values.at_exit, false);
        let checked = self.stays_unsigned(&induction, doubtful, &exits);
        self.values.at_exit = at_exit;
        if let Err(cause) = checked.and_then(|()| self.fits_its_type(&induction, &exits)) {
            let reason = self.loop_reason(inner, cause);
            return self.refused_loop(&induction, &reason);
        }
        if let (Some(recorder), Some(name)) = (&mut self.recorder, &induction.counter.name) {
            recorder.counters.insert(inner, name.clone());
        }
        let nodes = self.counted_loop(&induction, &exits);
        let leaving = self.left(&induction, &exits);
        match (nodes, leaving) {
            (Ok(nodes), Ok((last, leaving))) => ([nodes, last].concat(), leaving),
            (Err(cause), _) | (_, Err(cause)) => {
                let reason = self.loop_reason(inner, cause);
                self.refused_loop(&induction, &reason)
            }
        }
    }

    pub(super) fn header(&self, inner: usize) -> Node {
        self.cfg.loops[inner].header
    }

    /// Returns the instruction that stands for a loop in messages: the test of its header.
    pub(super) fn at(&self, inner: usize) -> Option<Value<'m>> {
        let terminator = self.cfg.blocks[self.header(inner)].terminator()?;
        let test = terminator.operand(0).filter(|test| terminator.is_conditional() && test.is_instruction());
        Some(test.filter(|test| self.values.places.of(*test).is_some()).unwrap_or(terminator))
    }

    /// Returns a new iterator of a loop.
    fn iterator_of(&mut self, inner: usize, name: Option<String>) -> IterId {
        let iter = self.raising.new_iterator(name, self.place_of_loop(inner));
        self.raising.set_number(iter, inner);
        iter
    }

    /// Returns the place of a loop: that of its `for`, `while` or `do`, if the compiler has noted it.
    fn place_of_loop(&self, inner: usize) -> Option<Location> {
        let places = &self.values.places;
        let header = self.header(inner);
        let noted = self.cfg.latches(inner).find_map(|branch| places.of_loop(branch));
        noted.or_else(|| self.cfg.blocks[header].terminator().and_then(|test| places.of(test)))
    }

    pub(crate) fn loop_reason(&self, inner: usize, cause: Cause) -> Reason {
        match self.at(inner) {
            Some(at) => self.values.explain(cause, at),
            None => Reason::new("it has no end", None, None),
        }
    }

    /// Reports a loop whose trip count is not affine, and goes on with unknown values.
    fn refused_loop(&mut self, induction: &Induction<'m>, reason: &Reason) -> (Vec<Tree>, Arrivals<'m>) {
        let inner = induction.inner;
        if let Some(at) = self.at(inner) {
            self.refuse(at, "the number of iterations of this loop is not affine", reason);
        }
        let unknown = Known::Unknown(reason.clone());
        let values = induction.recurrences.iter().map(|r| (r.phi, unknown.clone())).collect();
        let header = self.header(inner);
        // The errors inside may follow from that of the loop.
        let before = self.raising.errors.len();
        self.block(Some(inner), header, Cases::Always(Arrival::start(header, values)), None);
        self.raising.errors.truncate(before);
        let exits = self.cfg.exits(inner);
        let Some((from, to)) = exits.first().copied() else {
            return (Vec::new(), Cases::Always(Arrival::end()));
        };
        let mut arrival = self.arrive(from, to);
        // Values from in front of the loop are known behind it, such as the start of the next counter.
        let blocks = &self.cfg.loops[inner].blocks;
        let inside: BTreeSet<_> = blocks.iter().flat_map(|block| self.cfg.blocks[*block].instructions()).collect();
        let is_inside = |phi: Value<'m>| {
            let incoming = phi.incoming().into_iter().find(|(source, _)| *source == self.cfg.blocks[from]);
            incoming.is_none_or(|(_, value)| inside.contains(&value))
        };
        for (_, known) in arrival.values.iter_mut().filter(|(phi, _)| is_inside(*phi)) {
            *known = unknown.clone();
        }
        (Vec::new(), Cases::Always(arrival))
    }

    /// Returns the loop, once for each case of its bounds.
    fn counted_loop(&mut self, induction: &Induction<'m>, exits: &Leaving<'m>) -> Result<Vec<Tree>, Cause> {
        let counter = &induction.counter;
        let both = join(&[counter.lower()?, exits.upper(counter.step)?])?;
        let mut unused = Some(induction.iter);
        Ok(self.in_each_case(exits.entered.clone(), &mut |walker: &mut Self, entered: bool| match entered {
            true => walker.in_each_case(both.clone(), &mut |walker: &mut Self, mut bounds: Vec<Vec<Expr>>| {
                let upper = bounds.pop().unwrap_or_default();
                let lower = bounds.pop().unwrap_or_default();
                if never_entered(&lower, &upper) {
                    return Vec::new();
                }
                let case = match unused.take() {
                    Some(_) => induction.clone(),
                    None => walker.with_new_iterator(induction),
                };
                vec![walker.loop_between(&case, lower, upper)]
            }),
            false => Vec::new(),
        }))
    }

    /// Returns a loop's induction with an iterator of its own: functions of the iterator become functions of the new one.
    fn with_new_iterator(&mut self, induction: &Induction<'m>) -> Induction<'m> {
        let iter = self.iterator_of(induction.inner, induction.counter.name.clone());
        let renamed = Cases::Always(Values::iterator(iter));
        let mut renewed = Induction { iter, ..induction.clone() };
        for recurrence in &mut renewed.recurrences {
            if let Growth::Is(known) = &recurrence.growth {
                recurrence.growth = match known.substitute(induction.iter, &renamed) {
                    Ok(known) => Growth::Is(known),
                    Err(cause) => Growth::Data(self.values.explain(cause, recurrence.phi)),
                };
            }
        }
        renewed
    }

    /// Returns a loop from the largest of some bounds to the smallest of others.
    fn loop_between(&mut self, induction: &Induction<'m>, lower: Vec<Expr>, upper: Vec<Expr>) -> Tree {
        let Induction { inner, iter, counter, .. } = induction;
        let (inner, iter) = (*inner, *iter);
        self.carry(induction);
        if self.is_left_midway(inner) {
            self.raising.end_midway(iter);
        }
        let last = self.values.ranges.tightened(&lower, &upper, counter.divisor());
        self.values.ranges.set(iter, &lower, &last);
        let facts = self.values.ranges.facts().to_vec();
        self.begins_below_its_end(counter, &lower, &upper);
        let values = self.bind(induction);
        let header = self.header(inner);
        let start = Cases::Always(Arrival::start(header, values));
        let (body, _) = self.block_of_loop(inner, header, start, InnermostLoop { iter, step: counter.step.constant() });
        self.values.ranges.replace_facts(facts);
        Tree::Loop(Loop { iter, lower, upper, step: counter.step, body: Tree::merged(body) })
    }

    /// Returns true if a loop is left by a test between accesses: behind some, and in front of others.
    fn is_left_midway(&self, inner: usize) -> bool {
        let header = self.header(inner);
        let touches = |block: Node| self.cfg.blocks[block].instructions().into_iter().any(library::may_touch_memory);
        self.cfg.exits(inner).into_iter().any(|(from, _)| {
            (from != header || touches(header)) && self.rest_of_iteration(inner, from).into_iter().any(touches)
        })
    }

    /// Returns the blocks of a loop that an iteration may reach behind one of them.
    fn rest_of_iteration(&self, inner: usize, from: Node) -> BTreeSet<Node> {
        let (header, blocks) = (self.header(inner), &self.cfg.loops[inner].blocks);
        let (mut open, mut found) = (vec![from], BTreeSet::new());
        while let Some(block) = open.pop() {
            let inside = self.cfg.targets(block).iter().copied().filter(|to| *to != header && blocks.contains(to));
            open.extend(inside.filter(|to| found.insert(*to)));
        }
        found
    }

    /// Adds as facts that a loop is entered, if it starts at a parameter, or a loop in steps at an outer counter (where there is
    /// a tile behind this one, this one is whole). Other loops need no such facts, which make each proof longer.
    fn begins_below_its_end(&mut self, counter: &Counter<'m>, lower: &[Expr], upper: &[Expr]) {
        let is_in_steps = counter.step != LoopStep::Known(1);
        let is_open = |atom: &Atom| matches!(atom, Atom::Param(_)) || is_in_steps && matches!(atom, Atom::Iter(_));
        for start in lower.iter().filter(|start| start.mentions(&is_open)) {
            let room = upper.iter().filter_map(|end| end.minus(start).and_then(|room| room.plus_constant(-1)).ok());
            room.for_each(|room| self.values.ranges.add_fact(Constraint::non_negative(room)));
        }
    }

    /// Walks one iteration.
    pub(crate) fn block_of_loop(
        &mut self,
        inner: usize,
        header: Node,
        start: Arrivals<'m>,
        innermost: InnermostLoop,
    ) -> (Vec<Tree>, Arrivals<'m>) {
        let recent = std::mem::take(&mut self.recent);
        let around = self.around.replace(innermost);
        let result = self.block(Some(inner), header, start, None);
        self.around = around;
        self.recent = recent;
        result
    }

    /// Returns the edges by which the loop is left, with the values of the phis there, and the marks of the header's
    /// last execution, if the loop is left from its top.
    fn left(&mut self, induction: &Induction<'m>, exits: &Leaving<'m>) -> Result<(Vec<Tree>, Arrivals<'m>), Cause> {
        let counter = &induction.counter;
        let start = counter.first()?;
        let lone = exits.only();
        let needs_values = |exit: &Exit<'m>| exit.arrival.values.iter().any(|(_, k)| !matches!(k, Known::Unknown(_)));
        if let Some(exit) = lone.filter(|exit| !needs_values(exit)) {
            return Ok((self.at_the_top(exit), Cases::Always(exit.arrival.clone())));
        }
        if let Some(exit) = lone.filter(|_| counter.has_tiles()) {
            return Ok((self.at_the_top(exit), Cases::Always(self.after_tiles(induction, exit))));
        }
        let taken = start.and_then(&mut |start: &Expr| exits.taken(start, counter.divisor(), &self.values.ranges))?;
        let tops = taken.try_map(&mut |(exit, _): &(Exit<'m>, Expr)| Ok::<_, Cause>(exit.clone()))?;
        let last = match self.recorder {
            Some(_) => tops.into_nodes(&mut |exit| self.at_the_top(&exit)),
            None => Vec::new(),
        };
        let leaving = taken.and_then(&mut |(exit, last): &(Exit<'m>, Expr)| {
            let last = Cases::Always(Poly::from(last.clone()));
            let mut arrival = exit.arrival.clone();
            for (phi, known) in &mut arrival.values {
                let replaced = known.substitute(induction.iter, &last);
                *known = replaced.unwrap_or_else(|cause| Known::Unknown(self.values.explain(cause, *phi)));
            }
            Ok::<_, Cause>(Cases::Always(arrival))
        })?;
        Ok((last, leaving))
    }

    /// Returns the edge by which a loop over tiles is left. The counter behind it is not affine.
    fn after_tiles(&self, induction: &Induction<'m>, exit: &Exit<'m>) -> Arrival<'m> {
        let mut arrival = exit.arrival.clone();
        let elsewhere =
            Cases::Always(Poly::from(Expr::iter(induction.iter)).plus(&Poly::constant(1)).unwrap_or_default());
        for (phi, known) in &mut arrival.values {
            let is_free = known.substitute(induction.iter, &elsewhere).is_ok_and(|other| same(&other, known));
            if !is_free {
                let cause = Cause::hinted("it is the counter of tiles of symbolic size, after their end", END);
                *known = Known::Unknown(self.values.explain(cause, *phi));
            }
        }
        arrival
    }

    /// Returns the marks of the header's last execution, if the loop is left from its top.
    fn at_the_top(&mut self, exit: &Exit<'m>) -> Vec<Tree> {
        let (Some(recorder), Some((from, to))) = (&mut self.recorder, exit.arrival.from.zip(exit.arrival.to)) else {
            return Vec::new();
        };
        if exit.at_top { vec![recorder.block(from), recorder.edge(from, to)] } else { Vec::new() }
    }
}

const END: &str = "give the tile size as a number, with --assume, or use the counter in its loop only";

/// Returns the cause of refusing tiles of symbolic size that end otherwise than at their top.
fn other_exit() -> Cause {
    Cause::hinted(
        "it goes in steps of a parameter, and ends otherwise than by a comparison at its top",
        "end it by one comparison",
    )
}

/// Returns true if there is no iteration between these bounds for any sizes.
fn never_entered(lower: &[Expr], upper: &[Expr]) -> bool {
    let constants = |bounds: &[Expr]| bounds.iter().filter_map(Expr::as_constant).collect::<Vec<_>>();
    let largest = constants(lower).into_iter().max();
    largest.zip(constants(upper).into_iter().min()).is_some_and(|(lower, upper)| upper <= lower)
}
