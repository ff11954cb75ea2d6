//! Branches on data: harmless where neither side touches memory that has not just been touched.
//!
//! `a[i] < b[i] ? a[i] : b[i]` reads an element again, on one side of a branch on data. The compiler has it in a register,
//! so such reads are merged with the one before, and a note says so. Everything else under a condition on data has no
//! trace that is known before the program runs.

use num_rational::Ratio;
use symloc_affine::{AccessKind, Constraint, Expr, Node as Tree, Weight};
use symloc_frontend::cases::Cases;

use crate::cfg::Node;
use crate::ffi::Value;
use crate::known::{Known, Reason};
use crate::registers::Registers;
use crate::walk::{Arrival, Arrivals, Walker, counted, same};

/// What is said of reads that are merged.
pub const REPEATED_READ: &str =
    "reads again, under a condition on data, what has just been read: taken from a register";

impl<'m> Walker<'m, '_> {
    /// Both sides of a branch on data, up to where they meet.
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
                self.note(*at, REPEATED_READ);
            }
        }
        if self.recorder.is_some() {
            return (executed, self.joined(terminator, &reached, reason));
        }
        let operations = executed.iter().any(|node| !matches!(node, Tree::Operations(Some(0)) | Tree::Access(_)));
        let nodes = counted(if operations && self.counts(terminator) { None } else { Some(0) });
        (nodes, self.joined(terminator, &reached, reason))
    }

    /// Which way a branch on data goes by what the user says of it.
    pub(crate) fn told(&mut self, terminator: Value<'m>) -> Option<Cases<usize>> {
        let line = self.values.places.of(terminator)?.line;
        let share = self.rules.branches.get(&line).copied()?;
        let condition = terminator.operand(0).filter(|_| terminator.is_conditional())?;
        self.told_lines.insert(line);
        let Some(holds) = self.spread(share) else {
            let message = format!("--branch {line}={share}: this condition is tested once, outside all loops");
            self.refuse_with(terminator, message, "it holds or it does not", Some("give 0 or 1"));
            return Some(Cases::Always(0));
        };
        let flag = self.values.told(condition, &holds, 16)?;
        let often = match (*share.numer(), *share.denom()) {
            (0, _) => "never holds".to_owned(),
            (1, 1) => "always holds".to_owned(),
            (times, all) => format!("holds in {times} of {all} iterations, evenly spread"),
        };
        self.remark(terminator, format!("this condition on data {often} (--branch {line}={share})"));
        flag.try_map(&mut |holds| Ok::<_, ()>(usize::from(!holds))).ok()
    }

    /// A condition that holds in a share a/b of the iterations k of the innermost loop, evenly spread: where a·k mod b < a.
    fn spread(&self, share: Ratio<i64>) -> Option<Cases<bool>> {
        let (times, all) = (*share.numer(), *share.denom());
        if all == 1 {
            return Some(Cases::Always(times == 1));
        }
        let (iter, step) = self.around?;
        let iteration = Expr::iter(iter).floor_div(step).ok()?;
        let position = iteration.times(times).and_then(|product| product.modulo(all)).ok()?;
        let holds = Constraint::non_negative(Expr::constant(times - 1).minus(&position).ok()?);
        Some(Cases::when(vec![holds], Cases::Always(true), Cases::Always(false)))
    }

    /// What is met now is executed in a share of the cases; gives the weight before.
    fn weighted(&mut self, weight: Option<&Weight>) -> Option<Weight> {
        let recorder = self.recorder.as_mut()?;
        let outside = recorder.weight.clone();
        recorder.weight = outside.times(weight?);
        Some(outside)
    }

    /// The one edge that both sides end with.
    fn joined(&mut self, terminator: Value<'m>, reached: &[Arrival<'m>], reason: &Reason) -> Arrivals<'m> {
        let Some(first) = reached.first().cloned() else { return stuck().1 };
        if reached.iter().any(|other| other.to != first.to) {
            let hint = "only loops whose number of iterations depends on sizes alone can be followed";
            let reason = Reason::new(reason.why(), reason.at().cloned(), Some(hint));
            self.refuse(terminator, "how often this loop runs is not affine", &reason);
            return Cases::Always(first);
        }
        Cases::Always(self.either(first, reached, reason))
    }

    fn refuse_conditional(&mut self, at: Value<'m>, kind: AccessKind, branch: Value<'m>, reason: &Reason) {
        let name = if kind == AccessKind::Read { "read" } else { "write" };
        let at_branch = self.values.places.of(branch);
        let line = at_branch.as_ref().map(|place| place.line).filter(|_| branch.is_conditional());
        let told = line.map(|line| {
            format!("say how often it holds with --branch {line}=0 (never), {line}=1 (always) or a share between, or ")
        });
        let told = told.unwrap_or_default();
        let place = reason.at().cloned().or(at_branch);
        let hint = format!("{told}analyse the other nests with --skip-refused");
        let reason = Reason::new(reason.why(), place, Some(&hint));
        self.refuse(at, format!("the condition under which this {name} happens is not affine"), &reason);
    }

    /// One edge for several; values that differ depend on data.
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
