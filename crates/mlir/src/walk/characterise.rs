//! The interface of the walk to the recorder of basic blocks. Without a recorder there are no marks, and floating-point
//! operations are counted instead.

use melior::ir::operation::OperationLike;
use symloc_affine::{IterId, Node, Weight};
use symloc_frontend::characteristics::{EdgeKind, Kind, Mix, Operation};

use super::recorder::{Checkpoint, Recorder, Role};
use super::walker::Walker;
use crate::ffi::{self, Op, Val};
use crate::ops::op_mix::{self, Computed};
use crate::ops::widths::INDEX_BITS;

impl<'a> Walker<'a, '_> {
    /// Returns true if the walk records basic blocks.
    pub(crate) fn records(&self) -> bool {
        self.recorder.is_some()
    }

    /// Records the start of the function.
    #[must_use]
    pub(crate) fn function_begins(&mut self, function: Op<'a>) -> Vec<Node> {
        self.record(function, Role::Run, &Mix::default())
    }

    /// Records the end of the function, which is a block, so that edges may lead to it.
    #[must_use]
    pub(crate) fn function_ends(&mut self, function: Op<'a>) -> Vec<Node> {
        self.record(function, Role::End, &Mix::default())
    }

    fn record(&mut self, op: Op<'a>, role: Role, mix: &Mix) -> Vec<Node> {
        let location = self.places.of(op);
        self.recorder.as_mut().map_or_else(Vec::new, |recorder| recorder.add(ffi::key(op), role, location, mix))
    }

    /// Records an operation on registers.
    #[must_use]
    pub(crate) fn registers(&mut self, op: Op<'a>) -> Vec<Node> {
        match self.records() {
            true => self.computed(op, Role::Run, op_mix::of_registers(op)),
            false => self.counted(op, op_mix::flops(op)),
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

    /// Records loads or stores of elements; an element that is a vector counts for each lane.
    #[must_use]
    pub(crate) fn moved(&mut self, op: Op<'a>, operation: Operation, memref: Val<'a>, elements: u64) -> Vec<Node> {
        let Some((lanes, bits)) = op_mix::element(memref) else {
            let error = self.error(op, format!("the elements of this `{}` are not known", ffi::name(op)));
            self.push_error(error.note("their type has no size here"));
            return Vec::new();
        };
        let mut mix = Mix::default();
        mix.add(operation, bits, elements.saturating_mul(lanes));
        self.record(op, Role::Run, &mix)
    }

    /// Records loads or stores whose number the tree `nodes` gives: a block of its own, beside the run.
    #[must_use]
    pub(crate) fn moved_lanes(&mut self, op: Op<'a>, moves: &[(Operation, Val<'a>)], nodes: Vec<Node>) -> Vec<Node> {
        let mut marks = self.record(op, Role::Run, &Mix::default());
        let location = self.places.of(op);
        if let Some(recorder) = &mut self.recorder {
            let operation = |(operation, memref): &(Operation, Val<'a>)| {
                let (lanes, bits) = op_mix::element(*memref)?;
                Some((*operation, bits, lanes))
            };
            let operations: Vec<_> = moves.iter().filter_map(operation).collect();
            marks.extend(recorder.beside(ffi::key(op), location, &operations, nodes));
        }
        marks
    }

    /// Records the operation of an update of memory, without its load and store.
    #[must_use]
    pub(crate) fn updated(&mut self, op: Op<'a>) -> Vec<Node> {
        match self.records() {
            true => self.computed(op, Role::Run, op_mix::of_update(op)),
            false => self.counted(op, op_mix::of_update(op).and_then(|computed| computed.flops)),
        }
    }

    /// Records the operations of an iteration of a loop beside its body.
    #[must_use]
    pub(crate) fn combined(&mut self, op: Op<'a>) -> Vec<Node> {
        match self.records() {
            true => self.computed(op, Role::Step(0), op_mix::of_loop(op)),
            false => self.counted(op, op_mix::of_loop(op).and_then(|computed| computed.flops)),
        }
    }

    /// Begins a loop with `inside` loops of its nest in it; returns the marks before it, and those at the start of its
    /// body.
    #[must_use]
    pub(crate) fn loop_begins(&mut self, op: Op<'a>, inside: usize, iter: IterId, bits: u32) -> (Vec<Node>, Vec<Node>) {
        let location = self.places.of(op);
        let Some(recorder) = &mut self.recorder else { return (Vec::new(), Vec::new()) };
        recorder.loop_begins(ffi::key(op), inside, iter, bits, location)
    }

    /// Ends a loop; returns the marks at the end of its body, and those after it.
    #[must_use]
    pub(crate) fn loop_ends(&mut self, op: Op<'a>, inside: usize, bits: u32) -> (Vec<Node>, Vec<Node>) {
        let mut step = Mix::default();
        step.add(Operation::Integer(Kind::Add), bits, 1);
        let mut end = self.record(op, Role::Step(inside), &step);
        let Some(recorder) = &mut self.recorder else { return (Vec::new(), Vec::new()) };
        let (last, behind) = recorder.loop_ends(ffi::key(op), inside);
        end.extend(last);
        (end, behind)
    }

    /// Ends the run at the beginning or end of a call, which blocks do not extend across.
    #[must_use]
    pub(crate) fn call_border(&mut self) -> Vec<Node> {
        self.recorder.as_mut().map_or_else(Vec::new, Recorder::end_run)
    }

    /// Begins a branch with its own comparisons and branches; its sides follow.
    #[must_use]
    pub(crate) fn branch_begins(&mut self, op: Op<'a>, comparisons: u64, branches: u64) -> Vec<Node> {
        let mut mix = Mix::default();
        mix.add(Operation::Integer(Kind::Compare), INDEX_BITS, comparisons);
        mix.add(Operation::ConditionalBranch, 0, branches);
        let marks = self.record(op, Role::Run, &mix);
        if let Some(recorder) = &mut self.recorder {
            recorder.branch_begins();
        }
        marks
    }

    /// Begins a side of the branch; its weight is [`Weight::Once`] if it does not depend on data.
    #[must_use]
    pub(crate) fn side_begins(&mut self, name: &str, kind: EdgeKind, weight: &Weight) -> Vec<Node> {
        self.recorder.as_mut().map_or_else(Vec::new, |recorder| recorder.side_begins(name, kind, weight))
    }

    /// Ends a side of the branch.
    #[must_use]
    pub(crate) fn side_ends(&mut self) -> Vec<Node> {
        self.recorder.as_mut().map_or_else(Vec::new, Recorder::side_ends)
    }

    /// Ends the branch: further code follows all of its sides.
    pub(crate) fn branch_ends(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.branch_ends();
        }
    }

    /// Returns the weights of the two sides of a branch on data.
    pub(crate) fn data_branch(&mut self, op: Op<'a>) -> [Weight; 2] {
        let location = self.places.or_start(op.location());
        self.recorder.as_mut().map_or([Weight::Once, Weight::Once], |recorder| recorder.data_branch(location))
    }

    /// Returns the current position, at which cases begin.
    pub(crate) fn cases_begin(&self) -> CasesBegin {
        CasesBegin(self.recorder.as_ref().map(Recorder::position).unwrap_or_default(), Vec::new())
    }
}

/// The position at which cases begin, and the open edges at the ends of those that have been walked.
pub(crate) struct CasesBegin(Checkpoint, Vec<usize>);

impl CasesBegin {
    /// Begins a case.
    pub(crate) fn case(&mut self, walker: &mut Walker) {
        if let Some(recorder) = &mut walker.recorder {
            recorder.go_back(self.0.clone());
        }
    }

    /// Ends a case. It ends with a loop, so no run goes on.
    pub(crate) fn case_ends(&mut self, walker: &mut Walker) {
        if let Some(recorder) = &mut walker.recorder {
            recorder.case_ends(&mut self.1);
        }
    }
}
