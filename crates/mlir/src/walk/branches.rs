//! Branches: `affine.if`, `scf.if`, `scf.index_switch` and regions that are executed once.

use melior::ir::operation::OperationLike;
use symloc_affine::{AssumptionKind, Constraint, Expr, Node, Relation, Weight};
use symloc_frontend::cases::{Cases, TooMany, guard};
use symloc_frontend::characteristics::EdgeKind;

use super::walker::Walker;
use crate::expressions::refusal::{Cause, Refusal};
use crate::ffi::{self, Op, Region, SetConstraint, op_results};
use crate::values::Known;

/// The values that a region yields; `None` for an unknown one.
type Yielded<'a> = Vec<Option<Known<'a>>>;

/// The kind of choice between regions.
#[derive(Clone, Copy)]
pub(crate) enum Chooser {
    /// A condition, with its number of comparisons.
    Condition(usize),
    /// A value, with the number of cases that it is compared with.
    Switch(usize),
}

impl Chooser {
    /// Returns the name of the side with this region, and the kind of the edge to it.
    fn side(self, region: usize) -> (String, EdgeKind) {
        match (self, region) {
            (Chooser::Condition(_), 0) => ("then".to_owned(), EdgeKind::Taken),
            (Chooser::Condition(_), _) => ("else".to_owned(), EdgeKind::NotTaken),
            (Chooser::Switch(_), 0) => ("default".to_owned(), EdgeKind::NotTaken),
            (Chooser::Switch(_), case) => (format!("case{case}"), EdgeKind::Taken),
        }
    }

    /// Returns the numbers of comparisons and of branches.
    fn costs(self) -> (u64, u64) {
        match self {
            Chooser::Condition(comparisons) => (comparisons as u64, 1),
            Chooser::Switch(cases) => (cases as u64, cases as u64),
        }
    }
}

/// The largest depth of a condition that is looked into.
const DEEPEST: u32 = 16;

/// The position of the region that is executed; one past the last stands for no region.
type Choice = Cases<usize>;

impl<'a> Walker<'a, '_> {
    pub(crate) fn affine_if(&mut self, op: Op<'a>) -> Vec<Node> {
        let Some(set) = op.attribute("condition").ok().and_then(ffi::integer_set) else {
            self.malformed(op, "has no integer set");
            return self.branch(op, &Cases::Always(0), None);
        };
        let comparisons = set.constraints.len();
        let operands: Vec<_> = op.operands().collect();
        let mut condition = Cases::Always(true);
        for SetConstraint { expr, relation } in set.constraints {
            let constraint = self.values.over(expr, set.dims, &operands);
            let both = constraint.and_then(|cases| {
                condition.and_then(&mut |&before| match before {
                    true => cases.and_then(&mut |expr: &Expr| Ok(holds(expr.clone(), relation))),
                    false => Ok::<_, Cause>(Cases::Always(false)),
                })
            });
            let both = both.map_err(|cause| self.values.explain(cause, Some(op)));
            condition = self.report(op, "this condition is not affine", both).unwrap_or(Cases::Always(true));
        }
        self.either(op, condition, Chooser::Condition(comparisons))
    }

    pub(crate) fn scf_if(&mut self, op: Op<'a>) -> Vec<Node> {
        let Ok(condition) = op.operand(0) else {
            self.malformed(op, "has no condition");
            return self.branch(op, &Cases::Always(0), None);
        };
        let condition = self.values.flag(condition);
        if self.records() && matches!(condition, Err(Refusal::Because(_))) {
            return self.both(op);
        }
        let condition = match condition {
            Err(Refusal::Because(reason)) => match self.told(op) {
                Some(told) => return self.as_told(op, told),
                None if self.both_sides => return self.both_sides(op),
                None => Err(self.to_tell(op, &reason)),
            },
            condition => condition,
        };
        match self.report(op, "this condition is not affine", condition) {
            Some(condition) => {
                self.say_decided(op, &condition);
                self.either(op, condition, Chooser::Condition(0))
            }
            None => self.all_regions(op),
        }
    }

    pub(crate) fn index_switch(&mut self, op: Op<'a>) -> Vec<Node> {
        let value = op.operand(0).map(|value| self.values.index(value));
        let (Ok(value), Some(cases)) = (value, ffi::integers(op, "cases")) else {
            self.malformed(op, "has no value or no cases");
            return Vec::new();
        };
        let Some(value) = self.report(op, "the value that this switch tests is not affine", value) else {
            return self.all_regions(op);
        };
        // The default region is the first one.
        let choice = value.and_then(&mut |value: &Expr| {
            let mut choice = Cases::Always(0);
            for (position, &case) in cases.iter().enumerate().rev() {
                let equal = Constraint::equal(value, case)?;
                choice = Cases::when(vec![equal], Cases::Always(position + 1), choice);
            }
            Ok::<_, Cause>(choice)
        });
        let choice = choice.map_err(|cause| self.values.explain(cause, Some(op)));
        match self.report(op, "the value that this switch tests is not affine", choice) {
            Some(choice) => self.branch(op, &choice, Some(Chooser::Switch(cases.len()))),
            None => self.all_regions(op),
        }
    }

    /// Notes the assumption that sizes are at least 1, if only that decides a branch.
    fn say_decided(&mut self, op: Op<'a>, condition: &Cases<bool>) {
        let Cases::Always(holds) = condition else { return };
        if op.operand(0).is_ok_and(|condition| self.values.rests_on_sizes(condition, DEEPEST)) {
            let how = if *holds { "always" } else { "never" };
            let text = format!("this condition {how} holds: sizes are at least 1");
            self.assuming(op, AssumptionKind::DecidedBranch, text);
        }
    }

    fn either(&mut self, op: Op<'a>, condition: Cases<bool>, chooser: Chooser) -> Vec<Node> {
        let merged = condition.merged().map_err(|error| self.values.explain(Cause::from(error), Some(op)));
        let Some(condition) = self.report(op, "this condition is not affine", merged) else {
            return self.all_regions(op);
        };
        let choice = condition.try_map(&mut |&holds| Ok::<_, TooMany>(usize::from(!holds)));
        choice.map_or_else(|_| Vec::new(), |choice| self.branch(op, &choice, Some(chooser)))
    }

    /// Walks all regions after an error, to find further errors.
    fn all_regions(&mut self, op: Op<'a>) -> Vec<Node> {
        for region in ffi::regions(op) {
            _ = self.region(region);
        }
        self.values.refuse(op);
        Vec::new()
    }

    /// Returns both sides of a branch on data, one after the other, each with its weight.
    fn both(&mut self, op: Op<'a>) -> Vec<Node> {
        let chooser = Chooser::Condition(0);
        let weights = self.data_branch(op);
        let mut nodes = self.choice_begins(op, Some(chooser));
        let regions = ffi::regions(op);
        for (region, weight) in weights.iter().enumerate() {
            let (name, kind) = chooser.side(region);
            nodes.extend(self.side_begins(&name, kind, weight));
            nodes.extend(regions.get(region).map(|&region| self.region(region)).unwrap_or_default());
            nodes.extend(self.side_ends());
        }
        self.branch_ends();
        op_results(op).into_iter().for_each(|result| self.values.set(result, None));
        nodes
    }

    /// Returns the accesses of both sides of a branch on data, one side after the other: every access that may happen.
    fn both_sides(&mut self, op: Op<'a>) -> Vec<Node> {
        let text = "both sides of this condition on data are taken to run";
        self.assuming(op, AssumptionKind::BothSides, text);
        let outer = self.origins.enter_data_branch(op);
        let nodes = ffi::regions(op).into_iter().flat_map(|region| self.region(region)).collect();
        self.origins.leave_data_branch(outer);
        op_results(op).into_iter().for_each(|result| self.values.set(result, None));
        nodes
    }

    fn choice_begins(&mut self, op: Op<'a>, chooser: Option<Chooser>) -> Vec<Node> {
        let Some(chooser) = chooser else { return Vec::new() };
        let (comparisons, branches) = chooser.costs();
        self.branch_begins(op, comparisons, branches)
    }

    /// Returns the regions of an operation in the guards of a choice. The results of the operation are those of the
    /// chosen region.
    #[must_use]
    pub(crate) fn branch(&mut self, op: Op<'a>, choice: &Choice, chooser: Option<Chooser>) -> Vec<Node> {
        let regions = ffi::regions(op);
        let mut nodes = self.choice_begins(op, chooser);
        let (chosen, yielded) = self.chosen(&regions, choice, chooser);
        nodes.extend(chosen);
        if chooser.is_some() {
            self.branch_ends();
        }
        for (position, result) in op_results(op).into_iter().enumerate() {
            let known = merge(&yielded, position);
            self.values.set(result, known);
        }
        nodes
    }

    fn chosen(
        &mut self,
        regions: &[Region<'a>],
        choice: &Choice,
        chooser: Option<Chooser>,
    ) -> (Vec<Node>, Cases<Yielded<'a>>) {
        match choice {
            Cases::Always(position) => {
                let side = chooser.map(|chooser| chooser.side(*position));
                let mut nodes =
                    side.as_ref().map_or_else(Vec::new, |(name, kind)| self.side_begins(name, *kind, &Weight::Once));
                let region = regions.get(*position).copied();
                nodes.extend(region.map(|region| self.region(region)).unwrap_or_default());
                if side.is_some() {
                    nodes.extend(self.side_ends());
                }
                (nodes, Cases::Always(region.map(|region| self.yielded(region)).unwrap_or_default()))
            }
            Cases::When(when) => {
                let before = self.values.ranges.facts().to_vec();
                when.condition.iter().for_each(|fact| self.values.ranges.add_fact(fact.clone()));
                let (then, then_yields) = self.chosen(regions, &when.then, chooser);
                self.values.ranges.replace_facts(before.clone());
                self.values.ranges.add_negation(&when.condition);
                let (otherwise, yields) = self.chosen(regions, &when.otherwise, chooser);
                self.values.ranges.replace_facts(before);
                let nodes = guard(when.condition.clone(), then, otherwise);
                (nodes, Cases::when(when.condition.clone(), then_yields, yields))
            }
        }
    }

    fn yielded(&self, region: Region<'a>) -> Yielded<'a> {
        let terminator = ffi::operations(region).last();
        let operands = terminator.into_iter().flat_map(|op| op.operands().collect::<Vec<_>>());
        operands.map(|value| self.values.get(value).cloned()).collect()
    }
}

fn holds(expr: Expr, relation: Relation) -> Cases<bool> {
    Cases::when(vec![Constraint { expr, relation }], Cases::Always(true), Cases::Always(false))
}

/// Merges one yielded value over all cases.
fn merge<'a>(yielded: &Cases<Yielded<'a>>, position: usize) -> Option<Known<'a>> {
    let none = |_: TooMany| Refusal::Reported;
    match first(yielded).get(position)?.as_ref()? {
        Known::Index(_) => {
            let value = yielded.and_then(&mut |values: &Yielded<'a>| match values.get(position) {
                Some(Some(Known::Index(cases))) => Ok(cases.clone()),
                _ => Err(TooMany),
            });
            value.map_err(none).ok().map(Known::Index)
        }
        Known::Flag(_) => {
            let value = yielded.and_then(&mut |values: &Yielded<'a>| match values.get(position) {
                Some(Some(Known::Flag(cases))) => Ok(cases.clone()),
                _ => Err(TooMany),
            });
            value.map_err(none).ok().map(Known::Flag)
        }
        Known::Memory(memory) => {
            let is_same = |values: &Yielded<'a>| match (memory, values.get(position)) {
                (Ok(memory), Some(Some(Known::Memory(Ok(other))))) => memory.is(other),
                _ => matches!(yielded, Cases::Always(_)),
            };
            let all = yielded.try_map(&mut |values: &Yielded<'a>| if is_same(values) { Ok(()) } else { Err(()) });
            all.ok().map(|_| Known::Memory(memory.clone()))
        }
    }
}

fn first<'t, 'a>(yielded: &'t Cases<Yielded<'a>>) -> &'t Yielded<'a> {
    match yielded {
        Cases::Always(values) => values,
        Cases::When(when) => first(&when.then),
    }
}
