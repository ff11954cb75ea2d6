//! Branches on data: supported if neither side accesses memory, except for repeated reads.
//!
//! `a[i] < b[i] ? a[i] : b[i]` reads an element again, on one side of a branch on data. The compiler has it in a
//! register, so such reads are merged with the one before, and a note says so. Other accesses under a condition on data
//! are refused: the trace would depend on data. With `--both-sides` both sides are kept, one after the other.

use symloc_affine::{AccessKind, AssumptionKind, Expr, Node as Tree, Weight};
use symloc_frontend::cases::Cases;
use symloc_frontend::raising::Reason;
use symloc_frontend::shares;

use crate::input::options::DataBranches;
use crate::ir::cfg::Node;
use crate::ir::ffi::Value;
use crate::memory::registers::Registers;
use crate::values::lattice::{Known, same};
use crate::walk::arrivals::{Arrival, Arrivals};
use crate::walk::instructions::counted;
use crate::walk::walker::Walker;

/// The note about sides that are both taken to run.
const BOTH_SIDES: &str = "both sides of this condition on data are taken to run";
/// The note about reads that are merged.
const REPEATED_READ: &str = "a repeated read under a condition on data is taken from a register";

impl<'m> Walker<'m, '_> {
    /// Walks both sides of a branch on data, up to their join.
    pub(crate) fn on_data(&mut self, within: Option<usize>, node: Node, reason: &Reason) -> (Vec<Tree>, Arrivals<'m>) {
        let join = self.cfg.join(within, node);
        let Some(terminator) = self.cfg.blocks[node].terminator() else { return stuck() };
        let mark = self.mark();
        let (first, recent) = (self.raising.accesses.len(), self.recent.clone());
        let mut executed = Vec::new();
        let mut reached = Vec::new();
        let targets = self.cfg.targets(node).clone();
        let place = self.values.places.or_start(terminator);
        let profile = terminator.branch_weights();
        let weights = self.recorder.as_mut().map(|recorder| recorder.sides(place, targets.len(), profile.as_deref()));
        for (side, to) in targets.into_iter().enumerate() {
            if self.cfg.returns(to) {
                self.recent.clone_from(&recent);
                let arrival = self.arrive(node, to);
                let outside = self.weighted(weights.as_ref().and_then(|weights| weights.get(side)));
                executed.extend(self.recorder.as_mut().map(|recorder| recorder.edge(node, to)));
                let (nodes, arrivals) = self.follow(within, Cases::Always(arrival), join);
                executed.extend(nodes);
                leaves(&arrivals, &mut reached);
                if let (Some(recorder), Some(outside)) = (&mut self.recorder, outside) {
                    recorder.weight = outside;
                }
            }
        }
        if self.rules.data_branches == DataBranches::BothSides {
            self.recent.clear();
            self.values.ranges.replace_facts(mark.facts);
            if self.raising.accesses.len() > first {
                self.assuming(terminator, AssumptionKind::BothSides, BOTH_SIDES);
            }
            return (executed, self.joined(terminator, &reached, reason));
        }
        let errors = self.raising.errors.split_off(self.raising.errors.len().min(mark.raising.errors));
        let repeated: Vec<Value<'m>> = self.raising.accesses[first..].iter().map(|access| access.at).collect();
        let in_registers = self.rules.registers != Registers::None;
        let new = self.raising.accesses[first..].iter().find(|access| {
            let known = |before: &usize| self.raising.accesses[*before].pointer == access.pointer;
            access.kind == AccessKind::Write || !in_registers || !recent.iter().any(known)
        });
        let new = new.map(|access| (access.at, access.kind));
        self.back_to(&mark);
        if let Some((at, kind)) = new {
            self.refuse_conditional(at, kind, terminator, reason);
        } else {
            self.raising.errors.extend(errors);
            if let Some(at) = repeated.first() {
                self.assuming(*at, AssumptionKind::MergedReads, REPEATED_READ);
            }
        }
        if self.recorder.is_some() {
            return (executed, self.joined(terminator, &reached, reason));
        }
        let operations = executed.iter().any(|node| !matches!(node, Tree::Operations(Some(0)) | Tree::Access(_)));
        let nodes = counted(if operations && self.counts(terminator) { None } else { Some(0) });
        (nodes, self.joined(terminator, &reached, reason))
    }

    /// Returns the successor of a branch on data, by the share that the user gives for its line.
    pub(crate) fn told(&mut self, terminator: Value<'m>) -> Option<Cases<usize>> {
        let condition = terminator.operand(0).filter(|_| terminator.is_conditional())?;
        self.told_flag(terminator, condition)?.try_map(&mut |holds| Ok::<_, ()>(usize::from(!holds))).ok()
    }

    /// Sets the condition of a `?:` on data to what the user says of it; otherwise its reason has the hint to say so.
    pub(crate) fn chosen_on_data(&mut self, select: Value<'m>) {
        let kind = select.r#type();
        let is_followed = kind.is_pointer() || !kind.is_flag() && kind.integer_width().is_some();
        let Some(condition) = select.operand(0).filter(|_| is_followed) else { return };
        let Err(cause) = self.values.flag(condition) else { return };
        if let Some(flag) = self.told_flag(condition, condition) {
            self.values.set(condition, Known::Flag(flag));
            return;
        }
        let reason = self.values.explain(cause, condition);
        self.note_doubt(condition, &reason);
        if select.operands().iter().skip(1).all(|side| !matches!(self.values.get(*side), Known::Unknown(_))) {
            let reason = self.tellable(&reason, condition);
            self.values.set(condition, Known::Unknown(reason));
        }
    }

    /// Returns the iterations in which a condition holds by what the user says of the line of `at`.
    fn told_flag(&mut self, at: Value<'m>, condition: Value<'m>) -> Option<Cases<bool>> {
        let line = self.values.places.of(at)?.line;
        let share = self.rules.branches.get(&line).copied()?;
        let iteration = self.around.and_then(|l| Expr::iter(l.iter).floor_div(l.step?).ok());
        let told = match self.raising.told.spread(line, share, iteration.as_ref(), &self.values.ranges) {
            Ok(told) => told,
            Err(error) => {
                self.report(at, error);
                return Some(Cases::Always(true));
            }
        };
        let flag = self.values.told(condition, &told.holds, 16)?;
        self.assuming(at, AssumptionKind::BranchTold, told.remark);
        Some(flag)
    }

    /// Returns a reason with the hint that the user may say how often the condition at a place holds. A dry run needs
    /// no such hint: what a loop carries from iteration to iteration may not be followed even then.
    fn tellable(&self, reason: &Reason, at: Value<'m>) -> Reason {
        let place = self.values.places.of(at).filter(|_| !self.values.at_exit);
        let told = place.map(|place| shares::hint(place.line, self.around.is_some()));
        let hint = told.into_iter().chain(reason.hint().map(str::to_owned)).collect::<Vec<_>>().join("; ");
        Reason::new(reason.why(), reason.at().cloned(), Some(hint.as_str()).filter(|hint| !hint.is_empty()))
    }

    /// Notes the line on which the user may say how often a condition on data holds.
    pub(crate) fn note_doubt(&mut self, at: Value<'m>, reason: &Reason) {
        let Some((place, unknown)) = self.values.places.of(at).zip(reason.at()) else { return };
        self.doubts.lines.entry(unknown.clone()).or_default().insert(place.line);
    }

    /// Multiplies the weight of further marks by that of a side; returns the weight before.
    fn weighted(&mut self, weight: Option<&Weight>) -> Option<Weight> {
        let recorder = self.recorder.as_mut()?;
        let outside = recorder.weight.clone();
        recorder.weight = outside.times(weight?);
        Some(outside)
    }

    /// Returns the edge that both sides end with; refuses the branch if they end with different ones.
    fn joined(&mut self, terminator: Value<'m>, reached: &[Arrival<'m>], reason: &Reason) -> Arrivals<'m> {
        let Some(first) = reached.first().cloned() else { return stuck().1 };
        if reached.iter().any(|other| other.to != first.to) {
            let hint = "only loops whose number of iterations depends on sizes alone can be followed";
            let reason = Reason::new(reason.why(), reason.at().cloned(), Some(hint));
            self.refuse(terminator, "the number of iterations of this loop is not affine", &reason);
            return Cases::Always(first);
        }
        let told = if terminator.is_conditional() { self.tellable(reason, terminator) } else { reason.clone() };
        Cases::Always(either(first, reached, reason, &told))
    }

    fn refuse_conditional(&mut self, at: Value<'m>, kind: AccessKind, branch: Value<'m>, reason: &Reason) {
        let name = if kind == AccessKind::Read { "read" } else { "write" };
        let at_branch = self.values.places.of(branch);
        let line = at_branch.as_ref().map(|place| place.line).filter(|_| branch.is_conditional());
        let told = line.map(|line| shares::hint(line, self.around.is_some()));
        // Outside of loops `--skip-refused` has no nest to leave out.
        let skip = self.around.map(|_| "analyse the other nests with --skip-refused".to_owned());
        let own = reason.hint().filter(|hint| hint.contains("--assume")).map(str::to_owned);
        let place = reason.at().cloned().or(at_branch);
        let hint = own.into_iter().chain(told).chain(skip).collect::<Vec<_>>().join(", or ");
        let reason = Reason::new(reason.why(), place, Some(hint.as_str()).filter(|hint| !hint.is_empty()));
        self.refuse(at, format!("the condition under which this {name} is executed is not affine"), &reason);
    }
}

/// Merges several edges into one; values that differ depend on data. `told` is the reason for those that are known on
/// each edge, because the user may choose between them.
fn either<'m>(first: Arrival<'m>, reached: &[Arrival<'m>], reason: &Reason, told: &Reason) -> Arrival<'m> {
    let mut arrival = first;
    for (value, known) in &mut arrival.values {
        let of = |other: &Arrival<'m>| other.value(*value).cloned();
        let others: Vec<_> = reached.iter().map(of).collect();
        if !others.iter().all(|other| other.as_ref().is_some_and(|other| same(other, known))) {
            let all_known = !others.iter().any(|other| matches!(other, None | Some(Known::Unknown(_))));
            *known = Known::Unknown(if all_known { told.clone() } else { reason.clone() });
        }
    }
    arrival
}

fn stuck<'m>() -> (Vec<Tree>, Arrivals<'m>) {
    (Vec::new(), Cases::Always(Arrival::end()))
}

fn leaves<'m>(arrivals: &Arrivals<'m>, found: &mut Vec<Arrival<'m>>) {
    match arrivals {
        Cases::Always(arrival) => found.push(arrival.clone()),
        Cases::When(when) => {
            leaves(&when.then, found);
            leaves(&when.otherwise, found);
        }
    }
}
