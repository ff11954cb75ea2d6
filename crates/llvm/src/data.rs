//! Branches on data: supported if neither side accesses memory, except for repeated reads.
//!
//! `a[i] < b[i] ? a[i] : b[i]` reads an element again, on one side of a branch on data. The compiler has it in a
//! register, so such reads are merged with the one before, and a note says so. Other accesses under a condition on data
//! are refused: the trace would depend on data.

use symloc_affine::{AccessKind, AssumptionKind, Expr, Node as Tree, Weight};
use symloc_frontend::cases::Cases;
use symloc_frontend::shares;

use crate::cfg::Node;
use crate::ffi::Value;
use crate::known::{Known, Reason};
use crate::registers::Registers;
use crate::walk::{Arrival, Arrivals, Walker, counted, same};

/// The note about reads that are merged.
pub const REPEATED_READ: &str = "a repeated read under a condition on data is taken from a register";

impl<'m> Walker<'m, '_> {
    /// Walks both sides of a branch on data, up to their join.
    pub(crate) fn on_data(&mut self, within: Option<usize>, node: Node, reason: &Reason) -> (Vec<Tree>, Arrivals<'m>) {
        let join = self.cfg.join(within, node);
        let Some(terminator) = self.cfg.blocks[node].terminator() else { return stuck() };
        let mark = self.mark();
        let (first, recent) = (self.accesses.len(), self.recent.clone());
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
        let errors = self.errors.split_off(self.errors.len().min(mark.errors));
        let repeated: Vec<Value<'m>> = self.accesses[first..].iter().map(|access| access.at).collect();
        let in_registers = self.rules.registers != Registers::None;
        let new = self.accesses[first..].iter().find(|access| {
            let known = |before: &usize| self.accesses[*before].pointer == access.pointer;
            access.kind == AccessKind::Write || !in_registers || !recent.iter().any(known)
        });
        let new = new.map(|access| (access.at, access.kind));
        self.back_to(&mark);
        if let Some((at, kind)) = new {
            self.refuse_conditional(at, kind, terminator, reason);
        } else {
            self.errors.extend(errors);
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
        let line = self.values.places.of(terminator)?.line;
        let share = self.rules.branches.get(&line).copied()?;
        let condition = terminator.operand(0).filter(|_| terminator.is_conditional())?;
        self.told_lines.insert(line);
        let iteration = self.around.and_then(|(iter, step)| Expr::iter(iter).floor_div(step).ok());
        let Some(holds) = shares::spread(share, iteration.as_ref()) else {
            let (message, why, hint) = shares::once(line, share);
            self.refuse_with(terminator, message, why, Some(hint));
            return Some(Cases::Always(0));
        };
        let flag = self.values.told(condition, &holds, 16)?;
        self.assuming(terminator, AssumptionKind::BranchTold, shares::remark(line, share));
        flag.try_map(&mut |holds| Ok::<_, ()>(usize::from(!holds))).ok()
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
        Cases::Always(self.either(first, reached, reason))
    }

    fn refuse_conditional(&mut self, at: Value<'m>, kind: AccessKind, branch: Value<'m>, reason: &Reason) {
        let name = if kind == AccessKind::Read { "read" } else { "write" };
        let at_branch = self.values.places.of(branch);
        let line = at_branch.as_ref().map(|place| place.line).filter(|_| branch.is_conditional());
        let told = line.map(|line| shares::hint(line, self.around.is_some()));
        // Outside of loops `--skip-refused` has no nest to leave out.
        let skip = self.around.map(|_| "analyse the other nests with --skip-refused".to_owned());
        let place = reason.at().cloned().or(at_branch);
        let hint = told.into_iter().chain(skip).collect::<Vec<_>>().join(", or ");
        let reason = Reason::new(reason.why(), place, Some(hint.as_str()).filter(|hint| !hint.is_empty()));
        self.refuse(at, format!("the condition under which this {name} is executed is not affine"), &reason);
    }

    /// Merges edges to the same block; values that differ are unknown, because they depend on data.
    fn either(&self, first: Arrival<'m>, reached: &[Arrival<'m>], reason: &Reason) -> Arrival<'m> {
        let mut arrival = first;
        for (value, known) in &mut arrival.values {
            let agrees = |other: &Arrival<'m>| other.values.iter().any(|(v, k)| v == value && same(k, known));
            if !reached.iter().all(agrees) {
                *known = Known::Unknown(reason.clone());
            }
        }
        arrival
    }
}

fn stuck<'m>() -> (Vec<Tree>, Arrivals<'m>) {
    (Vec::new(), Cases::Always(Arrival { from: None, to: None, values: Vec::new() }))
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
