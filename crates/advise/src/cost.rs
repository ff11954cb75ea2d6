//! The cost of a program in an order, in cycles: misses, and how its innermost loops run.
//!
//! ```text
//! Σ kinds of work  amount × cycles
//! ```
//!
//! The amounts are [`Work`]; the cycles are in `crates/advise/src/cycles.rs`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;

use symloc_affine::{AccessKind, Atom, IterId, Line, Node, Program};
use symloc_cache::Design;
use symloc_replay::{Code, MemoryLayout, MemoryMap, ReplayError, Sampling, Survey, footprint, sample};
use symloc_schedule::Generated;

use crate::count::Counts;
use crate::cycles;
use crate::error::AdviseError;

/// The caches, and the line that they share.
#[derive(Clone, Debug)]
pub struct Hierarchy {
    /// The levels, the first nearest to the processor.
    pub designs: Vec<Design>,
    /// The line.
    pub line: Line,
}

/// The arrays of a program in memory, and caches: what stays the same in every order.
#[derive(Clone, Debug)]
pub struct MissEstimator<'e> {
    hierarchy: &'e Hierarchy,
    sizes: &'e [i64],
    memory: MemoryMap,
    /// The blocks that the program touches, or those of its arrays: each level misses about as often, or more.
    touched: u64,
}

/// The most ranges of blocks that are looked at for the number of blocks touched.
const RANGES: u64 = 1_000_000;
/// How closely the cycles of a level's misses are to be known, in cycles for each access.
const PRECISION: f64 = 0.01;

impl<'e> MissEstimator<'e> {
    /// Places the arrays of a program in memory.
    ///
    /// # Errors
    ///
    /// [`AdviseError::Replay`] if the program cannot be run at these sizes.
    pub fn new(program: &Program, hierarchy: &'e Hierarchy, sizes: &'e [i64]) -> Result<Self, AdviseError> {
        let code = Code::new(program, sizes)?;
        let survey = Survey::of(&code)?;
        let memory = MemoryMap::new(program, &survey, MemoryLayout::Memory, &[], hierarchy.line)?;
        let touched = match footprint(&code, &memory, RANGES) {
            Ok(blocks) => blocks.iter().sum(),
            Err(ReplayError::TooManyAccesses { .. }) => memory.lines(),
            Err(error) => return Err(error.into()),
        };
        Ok(Self { hierarchy, sizes, memory, touched })
    }

    /// Returns the misses of a level. One that holds all blocks misses each once. Others are looked at by themselves, as
    /// if they saw all accesses: so long stretches of the run can be sampled in one of their sets.
    fn misses(&self, costed: &Costed<'_>, level: usize, size: SampleSize) -> Result<LevelMisses, AdviseError> {
        let design = &self.hierarchy.designs[level];
        if self.touched <= design.geometry.lines() {
            return Ok(LevelMisses { streamed: self.touched as f64, scattered: 0.0 });
        }
        let code = Code::new(costed.program, self.sizes)?;
        let accesses = &costed.counts.accesses;
        let SampleSize { effort, first_round } = size;
        let sampling = Sampling { precision: PRECISION / cycles::scattered(level), effort, seed: 0, first_round };
        let groups: Vec<usize> = costed.streams.iter().map(|streams| usize::from(*streams)).collect();
        let estimate = sample(&code, &self.memory, std::slice::from_ref(design), accesses, &groups, sampling)?;
        let all = accesses.iter().sum::<f64>();
        // Of blocks whose last access was not found, half count as misses.
        let misses = estimate.levels[0].misses.value;
        let decided = if misses > 0.0 { 1.0 - 0.5 * estimate.undecided.min(misses) / misses } else { 1.0 };
        let of = |group: usize| {
            let share = estimate.misses_by_group.get(group).and_then(|levels| levels.first());
            share.map_or(0.0, |share| share.value * all * decided)
        };
        Ok(LevelMisses { streamed: of(1), scattered: of(0) })
    }

    /// Returns the cycles that each of several programs waits for some levels; the work is divided among threads.
    pub fn waiting(
        &self,
        costed: &[Costed<'_>],
        levels: &Range<usize>,
        size: SampleSize,
    ) -> Vec<Result<f64, AdviseError>> {
        let of = |costed: &Costed<'_>| {
            let cycles = |level: usize| Ok(self.misses(costed, level, size)?.cycles(level));
            levels.clone().map(cycles).sum()
        };
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(costed) = costed.get(index) else { return done };
                done.push((index, of(costed)));
            }
        };
        let mut all: Vec<_> = std::thread::scope(|scope| {
            let workers: Vec<_> = (1..threads.min(costed.len())).map(|_| scope.spawn(work)).collect();
            let own = work();
            let joined = |worker: ScopedJoinHandle<'_, Vec<_>>| worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            let others = workers.into_iter().flat_map(joined);
            own.into_iter().chain(others).collect()
        });
        all.sort_by_key(|(index, _)| *index);
        all.into_iter().map(|(_, cycles)| cycles).collect()
    }
}

/// The misses of a level, estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LevelMisses {
    /// Those of accesses that run over neighbours in their innermost loop: the processor fetches these ahead.
    pub streamed: f64,
    /// Those of others.
    pub scattered: f64,
}

impl LevelMisses {
    /// Returns the sum.
    pub fn all(self) -> f64 {
        self.streamed + self.scattered
    }

    fn cycles(self, level: usize) -> f64 {
        self.streamed * cycles::streamed(level) + self.scattered * cycles::scattered(level)
    }
}

/// How innermost loops run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Accesses in loops that run in vectors, in elements of 8 bytes; those to the same element in all iterations do not
    /// count, as they are in registers.
    pub vectors: f64,
    /// Accesses in vectors whose elements lie apart.
    pub gathers: f64,
    /// Accesses in other loops.
    pub scalars: f64,
    /// Operations that wait for the result of the iteration before.
    pub chain: f64,
    /// Entries of innermost loops.
    pub entries: f64,
}

impl Work {
    fn cycles(&self) -> f64 {
        self.vectors * cycles::VECTOR
            + self.gathers * cycles::GATHER
            + self.scalars * cycles::SCALAR
            + self.chain * cycles::CHAIN
            + self.entries * cycles::ENTRY
    }
}

/// What a program in an order costs at one size.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// By level.
    pub misses: Vec<LevelMisses>,
    /// How innermost loops run.
    pub work: Work,
    /// Cycles in all.
    pub cycles: f64,
}

/// The effort of an estimate of misses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleSize {
    /// The accesses that are run, about.
    pub effort: u64,
    /// The number of samples before the precision is looked at for the first time.
    pub first_round: u32,
}

impl SampleSize {
    /// For many candidates.
    pub const SMALL: Self = Self { effort: 300_000, first_round: 48 };
    /// For the few that are proposed.
    pub const LARGE: Self = Self { effort: 2_000_000, first_round: 256 };
}

/// A program with estimated executions, whose innermost loops are known.
#[derive(Clone, Debug)]
pub struct Costed<'c> {
    program: &'c Program,
    sizes: &'c [i64],
    counts: Counts,
    /// By access, true if it runs over neighbours.
    streams: Vec<bool>,
    work: Work,
}

impl<'c> Costed<'c> {
    /// Looks at the innermost loops of a program that was generated.
    pub fn new(generated: &'c Generated, sizes: &'c [i64]) -> Self {
        let program = &generated.program;
        let counts = Counts::of(program, sizes);
        let mut costed =
            Self { program, sizes, counts, streams: vec![false; program.accesses.len()], work: Work::default() };
        let mut loops = Vec::new();
        each_innermost(&program.body, None, &mut |iter, accesses| loops.push((iter, accesses.to_vec())));
        for (iter, accesses) in loops {
            let carries = iter.is_some_and(|iter| generated.carried.contains(&iter));
            costed.innermost(iter, &accesses, carries);
        }
        costed
    }

    /// Returns the cost, with its misses.
    ///
    /// # Errors
    ///
    /// [`AdviseError::Replay`] if the program cannot be run at these sizes.
    pub fn cost(&self, estimator: &MissEstimator<'_>, size: SampleSize) -> Result<Cost, AdviseError> {
        let levels = 0..estimator.hierarchy.designs.len();
        let misses = levels.map(|level| estimator.misses(self, level, size)).collect::<Result<Vec<_>, _>>()?;
        let waiting: f64 = misses.iter().enumerate().map(|(level, misses)| misses.cycles(level)).sum();
        Ok(Cost { misses, work: self.work, cycles: self.work.cycles() + waiting })
    }

    /// Returns the cycles of the innermost loops.
    pub fn loop_cycles(&self) -> f64 {
        self.work.cycles()
    }

    /// Adds the work of the accesses that are directly in a loop.
    fn innermost(&mut self, iter: Option<IterId>, accesses: &[usize], carries: bool) {
        let real: Vec<usize> = accesses.iter().copied().filter(|access| !self.in_register(*access)).collect();
        let executions = |accesses: &[usize]| accesses.iter().map(|access| self.counts.accesses[*access]).sum::<f64>();
        let Some(iter) = iter else {
            self.work.scalars += executions(&real);
            return;
        };
        self.work.entries += self.counts.entries.get(&iter).copied().unwrap_or_default();
        let strides: BTreeMap<usize, i128> = real.iter().map(|access| (*access, self.stride(*access, iter))).collect();
        for (access, stride) in &strides {
            self.streams[*access] = matches!(stride.abs(), 1..NEAR);
        }
        let writes = |access: &&usize| self.program.accesses[**access].kind == AccessKind::Write;
        let writes_along = real.iter().filter(writes).all(|access| strides[access] == 1);
        if carries {
            // Of what a statement reads, one is new and one is what it adds to.
            let written = accesses.iter().filter(writes).count();
            let reads = (accesses.len() - written) / written.max(1);
            let iterations = accesses.iter().map(|access| self.counts.accesses[*access]).fold(0.0, f64::max);
            self.work.chain += iterations * reads.saturating_sub(2).max(1) as f64;
        }
        if carries || !writes_along {
            self.work.scalars += executions(&real);
            return;
        }
        for (access, stride) in strides {
            let count = self.counts.accesses[access];
            match stride {
                0 => {}
                1 => self.work.vectors += count * f64::from(self.element_bytes(access)) / 8.0,
                _ => self.work.gathers += count,
            }
        }
    }

    fn element_bytes(&self, access: usize) -> u32 {
        self.program.array(self.program.accesses[access].array).element_bytes as u32
    }

    /// Returns true for a scalar, which a compiler keeps in a register.
    fn in_register(&self, access: usize) -> bool {
        self.program.accesses[access].subscripts.is_empty()
    }

    /// Returns the distance in elements from one iteration of a loop to the next.
    fn stride(&self, access: usize, iter: IterId) -> i128 {
        let access = &self.program.accesses[access];
        let array = self.program.array(access.array);
        let strides = array.strides_at(self.sizes).map(|strides| strides.strides).unwrap_or_default();
        let step = |(dimension, subscript): (usize, &symloc_affine::Expr)| {
            let factor = subscript.terms().find(|(atom, _)| **atom == Atom::Iter(iter)).map_or(0, |(_, factor)| factor);
            let last = dimension + 1 == access.subscripts.len();
            let stride = strides.get(dimension).copied().unwrap_or(if last { 1 } else { 1 << 20 });
            i128::from(factor) * i128::from(stride)
        };
        access.subscripts.iter().enumerate().map(step).sum()
    }
}

/// Accesses whose elements are less than so many apart are in the same block often enough to be fetched ahead.
const NEAR: i128 = 8;

/// Calls a function with the accesses directly in each loop, and its iterator; `None` outside all loops.
fn each_innermost(nodes: &[Node], iter: Option<IterId>, visit: &mut impl FnMut(Option<IterId>, &[usize])) {
    let mut direct = Vec::new();
    gather(nodes, &mut direct, visit);
    if !direct.is_empty() {
        visit(iter, &direct);
    }
}

fn gather(nodes: &[Node], direct: &mut Vec<usize>, visit: &mut impl FnMut(Option<IterId>, &[usize])) {
    for node in nodes {
        match node {
            Node::Access(id) => direct.push(id.index()),
            Node::Operations(_) | Node::Mark(_) => {}
            Node::If(guard) => {
                gather(&guard.then, direct, visit);
                gather(&guard.otherwise, direct, visit);
            }
            Node::Loop(l) => each_innermost(&l.body, Some(l.iter), visit),
        }
    }
}
