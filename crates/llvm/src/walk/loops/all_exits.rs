//! All exits of a loop, by a dry run of one iteration.

use symloc_affine::{Expr, Relation};
use symloc_frontend::cases::Cases;
use symloc_frontend::poly::Poly;
use symloc_frontend::raising::{Cause, Reason};

use crate::ir::cfg::Node;
use crate::ir::ffi::Value;
use crate::ir::library;
use crate::walk::arrivals::Arrivals;
use crate::walk::loops::first_time::{first_time, meeting};
use crate::walk::loops::induction::Induction;
use crate::walk::loops::trip_count::{Exit, Leaving};
use crate::walk::loops::ways_out::{WayOut, mentions, ways_out};
use crate::walk::walker::Walker;

impl<'m> Walker<'m, '_> {
    /// Returns all exits of a loop, by a dry run of one iteration.
    pub(crate) fn all_exits(&mut self, induction: &Induction<'m>) -> Result<Leaving<'m>, Reason> {
        let (inner, iter) = (induction.inner, induction.iter);
        let (header, horizon) = (self.cfg.loops[inner].header, self.behind_the_exit(inner));
        let outer = std::mem::replace(&mut self.horizon, horizon);
        let arrivals = self.dry_run(induction);
        self.horizon = outer;
        let goes_on = |to: Option<Node>| to.is_some() && (to == Some(header) || to == horizon);
        if let Some(at) = self.at(inner).filter(|_| !reaches(&arrivals, &goes_on)) {
            self.doubts.once.insert(self.values.places.or_start(at));
        }
        if let Some(reason) = self.left_on_data(induction) {
            return Err(reason);
        }
        let ways = ways_out(&arrivals, &goes_on, iter, &[], Vec::new()).ok_or_else(|| {
            Cause::hinted("the conditions that end it are not a list of comparisons", "end it by one comparison")
        });
        let exits =
            ways.and_then(|ways| ways.and_then(&mut |found: &Vec<WayOut<'m>>| self.first_exits(found, induction)));
        let leaving = exits.map(|exits| Leaving { exits, entered: Cases::Always(true) });
        leaving.map_err(|cause| self.loop_reason(inner, cause))
    }

    /// Returns the block in which an iteration goes on after the only exit of its loop, if nothing else leads there: the
    /// rest of the iteration decides nothing, and walking it in each loop of a nest takes exponential time.
    fn behind_the_exit(&self, inner: usize) -> Option<Node> {
        let exits = self.cfg.exits(inner);
        let &[(from, to)] = exits.as_slice() else { return None };
        let mut others = self.cfg.targets(from).iter().copied().filter(|other| *other != to);
        let (Some(next), None) = (others.next(), others.next()) else { return None };
        let natural = &self.cfg.loops[inner];
        let entries = natural.blocks.iter().filter(|block| self.cfg.targets(**block).contains(&next)).count();
        let is_direct = self.cfg.loop_of(from) == Some(inner) && entries == 1 && next != natural.header;
        is_direct.then_some(next)
    }

    /// Returns the reason if an exit condition of a loop is not known, for the values of a dry run. A condition that
    /// always or never holds by `--branch` is known.
    fn left_on_data(&mut self, induction: &Induction<'m>) -> Option<Reason> {
        let inner = induction.inner;
        for (from, to) in self.cfg.exits(inner) {
            let terminator = self.cfg.blocks[from].terminator()?;
            if self.cfg.loop_of(from) != Some(inner) || !terminator.is_conditional() {
                continue;
            }
            self.bind(induction);
            let condition = terminator.operand(0)?;
            let Err(cause) = self.values.flag(condition) else { continue };
            let reason = self.values.explain(cause, terminator);
            let line = self.values.places.of(terminator).map(|place| place.line);
            let told = line.and_then(|line| self.rules.branches.get(&line));
            if told.is_some_and(|share| share.is_integer()) {
                continue;
            }
            let goes_on = usize::from(self.cfg.targets(from).first() != Some(&to));
            let hint = line.filter(|line| self.ends_otherwise(inner, from, condition, *line, goes_on == 1)).map(|line| {
                format!(
                    "say with --branch {line}={goes_on} that this exit is never taken, or end the loop by parameters \
                     and counters alone"
                )
            });
            return Some(Reason::new(reason.why(), reason.at().cloned(), hint.as_deref().or(reason.hint())));
        }
        None
    }

    /// Returns true if a loop ends although the user says that the conditions on a line do not leave it: by a part of
    /// the condition, or elsewhere.
    fn ends_otherwise(&mut self, inner: usize, from: Node, condition: Value<'m>, line: u32, goes_on: bool) -> bool {
        let parts = self.values.told(condition, &Cases::Always(goes_on), 16);
        if !matches!(parts, Some(Cases::Always(_))) {
            return true;
        }
        let others: Vec<_> = self.cfg.exits(inner).into_iter().filter(|(other, _)| *other != from).collect();
        others.into_iter().filter_map(|(other, _)| self.cfg.blocks[other].terminator()).any(|end| {
            let is_elsewhere = self.values.places.of(end).is_none_or(|place| place.line != line);
            is_elsewhere || end.operand(0).is_some_and(|condition| self.values.flag(condition).is_ok())
        })
    }

    fn first_exits(&mut self, found: &[WayOut<'m>], induction: &Induction<'m>) -> Result<Cases<Vec<Exit<'m>>>, Cause> {
        let (inner, iter, step) = (induction.inner, induction.iter, induction.counter.divisor());
        let header = self.cfg.loops[inner].header;
        let start = induction.counter.first()?;
        let plain = |value: &Value<'m>| !library::may_touch_memory(*value);
        let header_exit = self.cfg.exits(inner).iter().any(|(from, _)| *from == header);
        let bare_top = header_exit && self.cfg.blocks[header].instructions().iter().all(plain);
        // A loop with no other end than an equality meets it: an optimiser knows that, or the source has to say so.
        let equality = |way: &WayOut<'m>| match way.condition.as_slice() {
            [only] => only.relation == Relation::Zero && mentions(only, iter),
            _ => false,
        };
        let is_met = found.len() == 1 && found.iter().all(equality);
        let mut exits: Cases<Vec<Exit<'m>>> = Cases::Always(Vec::new());
        for WayOut { condition, arrival } in found {
            let at_top = bare_top && arrival.from == Some(header);
            let first = match condition.as_slice() {
                [only] if is_met => {
                    let end = meeting(only, iter)?;
                    let at = self.at(inner).ok_or_else(|| Cause::here("it has no end"))?;
                    induction.counter.start.try_map(&mut |start: &Poly| {
                        self.require_meeting(start, &end, induction.counter.step, at)?;
                        Ok::<_, Cause>(Some(end.clone()))
                    })?
                }
                _ => {
                    start.and_then(&mut |start: &Expr| first_time(condition, start, iter, step, &self.values.ranges))?
                }
            };
            exits = exits.and_then(&mut |exits: &Vec<Exit<'m>>| {
                first.try_map(&mut |first: &Option<Expr>| {
                    let exit = first.clone().map(|from| Exit { from: vec![from], at_top, arrival: arrival.clone() });
                    Ok::<_, Cause>(exits.iter().cloned().chain(exit).collect())
                })
            })?;
        }
        Ok(exits)
    }
}

/// Returns true if an edge leads to a block that passes the test.
fn reaches(arrivals: &Arrivals<'_>, wanted: &impl Fn(Option<Node>) -> bool) -> bool {
    match arrivals {
        Cases::Always(arrival) => wanted(arrival.to),
        Cases::When(when) => reaches(&when.then, wanted) || reaches(&when.otherwise, wanted),
    }
}
