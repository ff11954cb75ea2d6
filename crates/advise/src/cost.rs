//! The cost of a program in an order, in cycles: misses, and how its innermost loops run.
//!
//! ```text
//! Σ innermost loops  the longer of computing and waiting for memory, and a part of the shorter
//! ```
//!
//! Computing is [`Work`], waiting is misses; the cycles of each are in `crates/advise/src/cycles.rs`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;

use symloc_affine::{AccessKind, Atom, IterId, Line, Node, Program};
use symloc_cache::Design;
use symloc_replay::{Code, MemoryLayout, MemoryMap, ReplayError, Sampling, Survey, footprint, sample};
use symloc_schedule::Generated;

use crate::arithmetic::Arithmetic;
use crate::count::Counts;
use crate::cycles;
use crate::error::AdviseError;
use crate::nest::Nests;

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
    /// By array, the blocks that the program touches, or those that it has: each level misses about as often, or more.
    touched: Vec<u64>,
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
            Ok(blocks) => blocks,
            Err(ReplayError::TooManyAccesses { .. }) => {
                (0..program.arrays.len()).map(|array| memory.lines_of(array)).collect()
            }
            Err(error) => return Err(error.into()),
        };
        Ok(Self { hierarchy, sizes, memory, touched })
    }

    /// Returns the misses of a level. One that holds all blocks misses each once. Others are looked at by themselves, as
    /// if they saw all accesses: so long stretches of the run can be sampled in one of their sets.
    fn misses(&self, costed: &Costed<'_>, level: usize, size: SampleSize) -> Result<LevelMisses, AdviseError> {
        let design = &self.hierarchy.designs[level];
        let touched: u64 = self.touched.iter().sum();
        if touched <= design.geometry.lines() {
            let arrays = self.touched.iter().map(|blocks| *blocks as f64).collect();
            let mut waiting = vec![0.0; costed.loops.len() + 1];
            waiting[costed.loops.len()] = touched as f64 * cycles::streamed(level);
            return Ok(LevelMisses { streamed: touched as f64, scattered: 0.0, arrays, waiting });
        }
        let code = Code::new(costed.program, self.sizes)?;
        let accesses = &costed.counts.accesses;
        let SampleSize { effort, first_round } = size;
        let sampling = Sampling { precision: PRECISION / cycles::scattered(level), effort, seed: 0, first_round };
        let estimate = sample(&code, &self.memory, std::slice::from_ref(design), accesses, &[], sampling)?;
        let all = accesses.iter().sum::<f64>();
        // Of blocks whose last access was not found, half count as misses.
        let misses = estimate.levels[0].misses.value;
        let decided = if misses > 0.0 { 1.0 - 0.5 * estimate.undecided.min(misses) / misses } else { 1.0 };
        let mut found = LevelMisses {
            arrays: vec![0.0; costed.program.arrays.len()],
            waiting: vec![0.0; costed.loops.len() + 1],
            ..LevelMisses::default()
        };
        for (access, levels) in estimate.misses_by_access.iter().enumerate() {
            let misses = levels.first().map_or(0.0, |share| share.value * all * decided);
            found.arrays[costed.program.accesses[access].array.index()] += misses;
            let (kind, cycles) = match costed.streams[access] {
                true => (&mut found.streamed, cycles::streamed(level)),
                false => (&mut found.scattered, cycles::scattered(level)),
            };
            *kind += misses;
            found.waiting[costed.loop_of[access]] += misses * cycles;
        }
        Ok(found)
    }

    /// Adds the cycles that each of several programs waits for some levels; the work is divided among threads.
    ///
    /// # Errors
    ///
    /// Those of [`Costed::cost`], by program.
    pub fn wait(
        &self,
        costed: &[Costed<'_>],
        levels: &Range<usize>,
        size: SampleSize,
    ) -> Vec<Result<Vec<f64>, AdviseError>> {
        let of = |costed: &Costed<'_>| {
            let mut waiting = vec![0.0; costed.loops.len() + 1];
            for level in levels.clone() {
                add(&mut waiting, &self.misses(costed, level, size)?.waiting);
            }
            Ok(waiting)
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
            let joined =
                |worker: ScopedJoinHandle<'_, Vec<_>>| worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            let others = workers.into_iter().flat_map(joined);
            own.into_iter().chain(others).collect()
        });
        all.sort_by_key(|(index, _)| *index);
        all.into_iter().map(|(_, cycles)| cycles).collect()
    }
}

/// The misses of a level, estimated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelMisses {
    /// Those of accesses that run over neighbours in their innermost loop: the processor fetches these ahead.
    pub streamed: f64,
    /// Those of others.
    pub scattered: f64,
    /// By array of the program, all of them.
    pub arrays: Vec<f64>,
    /// By innermost loop, and last for those that are in no known one, the cycles of waiting for them.
    waiting: Vec<f64>,
}

impl LevelMisses {
    /// Returns the sum.
    pub fn all(&self) -> f64 {
        self.streamed + self.scattered
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
    /// Cycles of waiting for the result of the iteration before.
    pub chain: f64,
    /// Divisions in loops that run in vectors.
    pub vector_divisions: f64,
    /// Divisions in other loops.
    pub scalar_divisions: f64,
    /// Entries of innermost loops.
    pub entries: f64,
}

impl Work {
    fn cycles(&self) -> f64 {
        let vectors = self.vectors * cycles::VECTOR + self.gathers * cycles::GATHER;
        let scalars = self.scalars * cycles::SCALAR + self.scalar_divisions * cycles::SCALAR_DIVISION;
        let divisions = self.vector_divisions * cycles::VECTOR_DIVISION;
        vectors.max(divisions) + scalars.max(self.chain) + self.entries * cycles::ENTRY
    }

    fn add(&mut self, other: &Self) {
        self.vectors += other.vectors;
        self.gathers += other.gathers;
        self.scalars += other.scalars;
        self.chain += other.chain;
        self.vector_divisions += other.vector_divisions;
        self.scalar_divisions += other.scalar_divisions;
        self.entries += other.entries;
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
    /// By access, the innermost loop that it is in; what is in none is a loop of its own here.
    loop_of: Vec<usize>,
    /// The work of each innermost loop.
    loops: Vec<Work>,
    /// By innermost loop, the accesses to another page than in the iteration before.
    pages: Vec<f64>,
}

impl<'c> Costed<'c> {
    /// Looks at the innermost loops of a program that was generated from nests.
    pub fn new(generated: &'c Generated, nests: &Nests, sizes: &'c [i64]) -> Self {
        let program = &generated.program;
        let count = program.accesses.len();
        let mut costed = Self {
            program,
            sizes,
            counts: Counts::of(program, sizes),
            streams: vec![false; count],
            loop_of: vec![0; count],
            loops: Vec::new(),
            pages: Vec::new(),
        };
        let mut loops = Vec::new();
        each_innermost(&program.body, None, &mut |iter, accesses| loops.push((iter, accesses.to_vec())));
        for (index, (iter, accesses)) in loops.iter().enumerate() {
            let carries = iter.is_some_and(|iter| generated.carried.contains(&iter));
            accesses.iter().for_each(|access| costed.loop_of[*access] = index);
            // A statement computes once for all its accesses.
            let begun = |access: &usize| {
                let group = nests.groups.iter().position(|group| group.first() == generated.origins.get(*access))?;
                Some((costed.counts.accesses[*access], nests.arithmetic[group]))
            };
            let statements: Vec<_> = accesses.iter().filter_map(begun).collect();
            let work = costed.innermost(*iter, accesses, &statements, carries);
            costed.loops.push(work);
            let is_far = |access: &&usize| iter.is_some_and(|iter| costed.bytes(**access, iter) >= PAGE);
            let far = accesses.iter().filter(is_far).map(|access| costed.counts.accesses[*access]).sum();
            costed.pages.push(far);
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
        let mut waiting = vec![0.0; self.loops.len() + 1];
        misses.iter().for_each(|level| add(&mut waiting, &level.waiting));
        let mut work = Work::default();
        self.loops.iter().for_each(|other| work.add(other));
        Ok(Cost { misses, work, cycles: self.cycles(&waiting) })
    }

    /// Returns the cycles in all, where loops wait for memory so long; computing and waiting overlap.
    pub fn cycles(&self, waiting: &[f64]) -> f64 {
        let outside = waiting.get(self.loops.len()).copied().unwrap_or(0.0);
        let one = |((work, pages), waiting): ((&Work, &f64), &f64)| {
            let (computing, waiting) = (work.cycles(), waiting + pages * cycles::PAGE);
            computing.max(waiting) + cycles::APART * computing.min(waiting)
        };
        self.loops.iter().zip(&self.pages).zip(waiting).map(one).sum::<f64>() + outside
    }

    /// Returns the cycles of the innermost loops without misses.
    pub fn loop_cycles(&self) -> f64 {
        self.cycles(&vec![0.0; self.loops.len() + 1])
    }

    /// Returns the work of the accesses that are directly in a loop, and notes those that run over neighbours.
    fn innermost(
        &mut self,
        iter: Option<IterId>,
        accesses: &[usize],
        statements: &[(f64, Arithmetic)],
        carries: bool,
    ) -> Work {
        let real: Vec<usize> = accesses.iter().copied().filter(|access| !self.in_register(*access)).collect();
        let executions: f64 = real.iter().map(|access| self.counts.accesses[*access]).sum();
        let divisions: f64 = statements.iter().map(|(count, arithmetic)| count * arithmetic.divisions).sum();
        let scalar = Work { scalars: executions, scalar_divisions: divisions, ..Work::default() };
        let Some(iter) = iter else { return scalar };
        let entries = self.counts.entries.get(&iter).copied().unwrap_or_default();
        let strides: BTreeMap<usize, i128> = real.iter().map(|access| (*access, self.stride(*access, iter))).collect();
        for (access, stride) in &strides {
            self.streams[*access] = matches!(stride.abs(), 1..NEAR);
        }
        let writes = |access: &&usize| self.program.accesses[**access].kind == AccessKind::Write;
        if carries {
            let chain = statements.iter().map(|(count, arithmetic)| count * arithmetic.latency).sum();
            return Work { chain, entries, ..scalar };
        }
        if !real.iter().filter(writes).all(|access| strides[access] == 1) {
            return Work { entries, ..scalar };
        }
        let mut work = Work { entries, vector_divisions: divisions, ..Work::default() };
        for (access, stride) in strides {
            let count = self.counts.accesses[access];
            match stride {
                0 => {}
                1 => work.vectors += count * f64::from(self.element_bytes(access)) / 8.0,
                _ => work.gathers += count,
            }
        }
        work
    }

    /// Returns the distance in bytes from one iteration of a loop to the next.
    fn bytes(&self, access: usize, iter: IterId) -> i128 {
        self.stride(access, iter).abs() * i128::from(self.element_bytes(access))
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

/// Adds numbers to others, place by place.
pub(crate) fn add(sums: &mut [f64], others: &[f64]) {
    sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
}

/// The bytes of a page.
const PAGE: i128 = 4096;
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
