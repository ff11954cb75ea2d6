//! OpenMP's dialect: parallel regions in which threads share loops with a static schedule.

use melior::ir::operation::OperationLike;
use symloc_affine::{Node, ParallelLoops, Schedule};
use symloc_frontend::cases::{Cases, Extreme};

use super::loops::{NestLoop, shared};
use super::walker::Walker;
use crate::ffi::{self, Op, Val};
use crate::ops::comparisons::Signedness;

/// The groups of operands of `omp.wsloop`; the last one is the size of a chunk.
const OPERANDS_OF_LOOP: usize = 7;

/// The first group of operands of `omp.parallel` with variables of which each thread has its own.
const PRIVATE_OF_REGION: usize = 4;

const LEAVE: &str = "choose loops with --parallel in the program that it was made from";

impl<'a> Walker<'a, '_> {
    /// Walks a region that every thread runs: all that it may touch is in loops that threads share.
    pub(crate) fn omp_parallel(&mut self, op: Op<'a>) -> Vec<Node> {
        if ffi::operand_groups(op).iter().skip(PRIVATE_OF_REGION).any(|group| !group.is_empty()) {
            self.refuse_shared(op, "each thread has variables of its own, whose place in memory is not known");
            return Vec::new();
        }
        let around = self.origins.enter();
        let inner = op.first_region().map(ffi::operations).into_iter().flatten();
        let nodes: Vec<_> = inner.flat_map(|inner| self.by_every_thread(inner)).collect();
        self.origins.leave(around);
        Node::merged(nodes)
    }

    /// Returns the nodes of an operation that every thread runs.
    fn by_every_thread(&mut self, op: Op<'a>) -> Vec<Node> {
        match ffi::name(op).as_str() {
            "omp.wsloop" => return self.omp_loop(op),
            "memref.alloc" | "memref.alloca" => {
                self.refuse_shared(op, "each thread has memory of its own, whose place is not known");
                return Vec::new();
            }
            _ => {}
        }
        let nodes = self.operation(op);
        if has_accesses(&nodes) {
            self.refuse_shared(op, "every thread makes its accesses, outside of the loops that they share");
        }
        nodes
    }

    /// Walks a loop whose iterations threads share.
    fn omp_loop(&mut self, op: Op<'a>) -> Vec<Node> {
        let nest = op.first_region().and_then(|region| ffi::operations(region).next());
        let Some(nest) = nest.filter(|nest| ffi::name(*nest) == "omp.loop_nest") else {
            self.refuse_shared(op, "its loops are not directly in it");
            return Vec::new();
        };
        match self.omp_schedule(op) {
            Ok(schedule) => self.omp_nest(nest, schedule),
            Err(why) => {
                self.refuse_shared(op, why);
                Vec::new()
            }
        }
    }

    /// Returns the schedule of a loop, or why it has none that is known.
    fn omp_schedule(&mut self, op: Op<'a>) -> Result<Schedule, &'static str> {
        let groups = ffi::operand_groups(op);
        let Some((chunk, variables)) = groups.split_last().filter(|_| groups.len() == OPERANDS_OF_LOOP) else {
            return Err("it has no operand segments");
        };
        if variables.iter().any(|group| !group.is_empty()) {
            return Err("each thread has variables of its own, whose place in memory is not known");
        }
        if op.has_attribute("ordered") {
            return Err("its iterations wait for each other");
        }
        let kind = op.attribute("schedule_kind").map(|kind| kind.to_string()).unwrap_or_default();
        if op.has_attribute("schedule_simd") || !(kind.is_empty() || kind.contains("static")) {
            return Err("which thread runs which iteration is not known; only static schedules are read");
        }
        let Some(chunk) = chunk.first() else { return Ok(Schedule::Blocks) };
        let size = match self.values.index(*chunk) {
            Ok(Cases::Always(size)) => size.as_constant().and_then(|size| u64::try_from(size).ok()),
            _ => None,
        };
        let size = size.filter(|size| *size > 0).ok_or("the size of the chunks is not a positive constant")?;
        Ok(Schedule::Chunks(size))
    }

    fn omp_nest(&mut self, op: Op<'a>, schedule: Schedule) -> Vec<Node> {
        let loops = match collapsed(op) {
            Ok(loops) => loops,
            Err(why) => {
                self.refuse_shared(op, why);
                return Vec::new();
            }
        };
        self.in_sequence(op);
        let (operands, arguments) = (op.operands().collect::<Vec<_>>(), ffi::arguments(op));
        let count = arguments.len();
        let levels = (0..count).map(|level| {
            let [lower, upper, step] = [0, 1, 2].map(|group| operands[group * count + level]);
            self.omp_level(op, arguments[level], [lower, upper, step])
        });
        let levels = levels.collect();
        self.body(op, &shared(levels, ParallelLoops { loops, schedule }))
    }

    /// Returns a loop of a nest, given its iterator and its lower bound, upper bound and step.
    fn omp_level(&mut self, op: Op<'a>, argument: Val<'a>, [lower, upper, step]: [Val<'a>; 3]) -> NestLoop<'a> {
        let mut level = NestLoop {
            induction: Some(argument),
            lower: self.value_bound(op, Extreme::Largest, lower, Signedness::Signed),
            upper: self.value_bound(op, Extreme::Smallest, upper, Signedness::Signed),
            step: self.step(op, step),
            parallel: None,
        };
        if op.has_attribute("loop_inclusive") {
            let behind = level.upper.try_map(&mut |bounds| bounds.iter().map(|bound| bound.plus_constant(1)).collect());
            let behind = behind.map_err(|overflow| self.values.explain(overflow.into(), Some(op)));
            let behind = self.report(op, "the upper bound of this loop is not affine", behind);
            level.upper = behind.unwrap_or(Cases::Always(Vec::new()));
        }
        level
    }

    fn refuse_shared(&mut self, op: Op<'a>, why: &str) {
        let error = self.error(op, format!("`{}` is not supported here", ffi::name(op)));
        self.push_error(error.note(why).hint(LEAVE));
        self.values.refuse(op);
    }
}

/// Returns the number of loops of a nest whose iterations threads share as one sequence, or why it is not known. Older versions of
/// the dialect did not say it.
fn collapsed(op: Op<'_>) -> Result<u32, &'static str> {
    let count = ffi::arguments(op).len();
    if count == 0 || op.operands().count() != 3 * count {
        return Err("it has no bounds");
    }
    if op.has_attribute("tile_sizes") {
        return Err("threads share its tiles, not its iterations");
    }
    let stated = ffi::integer(op, "collapse_num_loops").and_then(|loops| u32::try_from(loops).ok());
    match stated.filter(|loops| (1..=count).contains(&(*loops as usize))) {
        Some(loops) if loops > 1 || count == 1 => Ok(loops),
        None if count == 1 => Ok(1),
        _ => Err("it does not say how many of its loops threads share as one; `collapse` does"),
    }
}

/// Returns true if there is an access in a tree.
fn has_accesses(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Access(_) => true,
        Node::Loop(inner) => has_accesses(&inner.body),
        Node::If(guard) => has_accesses(&guard.then) || has_accesses(&guard.otherwise),
        Node::Operations(_) | Node::Mark(_) => false,
    })
}
