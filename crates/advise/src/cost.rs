//! The cost of a program in an order, in cycles: misses, and how its innermost loops run.
//!
//! ```text
//! Σ levels  misses × latency  +  Σ innermost loops  (iterations × cycles of one + entries × cycles of an entry)
//! ```
//!
//! The constants are at the top; docs/advice.md says how each was found.

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::{AccessKind, Atom, IterId, Line, Node, Program};
use symloc_cache::Design;
use symloc_replay::{Code, MemoryLayout, MemoryMap, ReplayError, Sampling, Survey, footprint, sample};

use crate::count::Counts;
use crate::error::AdviseError;

/// Cycles that a miss of the first, second, … level costs beyond a hit, with what the processor overlaps.
const MISS: [f64; 4] = [2.5, 12.0, 30.0, 30.0];
/// Cycles of an access in a loop that runs in vectors.
const IN_VECTORS: f64 = 0.12;
/// Cycles of an access in a loop that does not.
const ONE_BY_ONE: f64 = 0.5;
/// Cycles of an access in vectors whose elements lie apart.
const GATHERED: f64 = 0.4;
/// Cycles from one iteration to the next where each uses the value of the one before.
const RECURRENCE: f64 = 4.0;
/// Cycles of an entry of an innermost loop.
const ENTRY: f64 = 10.0;

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

    /// Returns the misses of each level, by the program in an order. A level that holds all blocks misses each once. Of
    /// the others each is looked at by itself, as if it saw all accesses: so long stretches of the run can be sampled in
    /// one of its sets.
    fn misses(&self, program: &Program, counts: &Counts, effort: u64) -> Result<Vec<f64>, AdviseError> {
        let code = Code::new(program, self.sizes)?;
        let all: f64 = counts.accesses.iter().sum();
        let groups = vec![0; counts.accesses.len()];
        let level = |(design, cycles): (&Design, f64)| {
            if self.touched <= design.geometry.lines() {
                return Ok(self.touched as f64);
            }
            let sampling = Sampling { precision: PRECISION / cycles, effort, seed: 0 };
            let designs = std::slice::from_ref(design);
            let estimate = sample(&code, &self.memory, designs, &counts.accesses, &groups, sampling)?;
            // Of blocks whose last access was not found, half count as misses.
            let (least, most) = estimate.levels[0].misses.interval;
            Ok((0.5 * (least + most) * all).max(self.touched as f64))
        };
        self.hierarchy.designs.iter().zip(MISS).map(level).collect()
    }
}

/// What a program in an order costs at one size.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// By level, the misses, estimated unless the run is short.
    pub misses: Vec<f64>,
    /// Cycles of the innermost loops, without misses.
    pub loops: f64,
    /// Cycles in all.
    pub cycles: f64,
}

/// A program whose innermost loops are known.
#[derive(Clone, Copy, Debug)]
pub struct Costed<'c> {
    /// The program.
    pub program: &'c Program,
    /// The accesses of statements whose innermost loop carries a dependence.
    pub carried: &'c BTreeSet<usize>,
    /// The sizes, in the order of the parameters.
    pub sizes: &'c [i64],
}

impl Costed<'_> {
    /// Returns the cost, with its misses.
    ///
    /// # Errors
    ///
    /// [`AdviseError::Replay`] if the program cannot be run at these sizes.
    pub fn cost(&self, estimator: &MissEstimator<'_>, effort: u64) -> Result<Cost, AdviseError> {
        let counts = Counts::of(self.program, self.sizes);
        let misses = estimator.misses(self.program, &counts, effort)?;
        let loops = self.loops(&counts);
        let waiting: f64 = misses.iter().zip(MISS).map(|(misses, cycles)| misses * cycles).sum();
        Ok(Cost { misses, loops, cycles: loops + waiting })
    }

    /// Returns the cycles of the innermost loops.
    pub fn loop_cycles(&self) -> f64 {
        self.loops(&Counts::of(self.program, self.sizes))
    }

    fn loops(&self, counts: &Counts) -> f64 {
        let mut cycles = 0.0;
        self.each_innermost(&self.program.body, None, &mut |iter, accesses| {
            cycles += self.innermost(iter, accesses, counts);
        });
        cycles
    }

    /// Calls a function with the accesses directly in each loop, and its iterator; `None` outside all loops.
    fn each_innermost(&self, nodes: &[Node], iter: Option<IterId>, visit: &mut impl FnMut(Option<IterId>, &[usize])) {
        let mut direct = Vec::new();
        self.gather(nodes, &mut direct, visit);
        if !direct.is_empty() {
            visit(iter, &direct);
        }
    }

    fn gather(&self, nodes: &[Node], direct: &mut Vec<usize>, visit: &mut impl FnMut(Option<IterId>, &[usize])) {
        for node in nodes {
            match node {
                Node::Access(id) => direct.push(id.index()),
                Node::Operations(_) | Node::Mark(_) => {}
                Node::If(guard) => {
                    self.gather(&guard.then, direct, visit);
                    self.gather(&guard.otherwise, direct, visit);
                }
                Node::Loop(l) => self.each_innermost(&l.body, Some(l.iter), visit),
            }
        }
    }

    fn innermost(&self, iter: Option<IterId>, accesses: &[usize], counts: &Counts) -> f64 {
        let real: Vec<usize> = accesses.iter().copied().filter(|access| !self.in_register(*access)).collect();
        let executions = |accesses: &[usize]| accesses.iter().map(|access| counts.accesses[*access]).sum::<f64>();
        let Some(iter) = iter else { return executions(&real) * ONE_BY_ONE };
        let entries = counts.entries.get(&iter).copied().unwrap_or_default() * ENTRY;
        let strides: BTreeMap<usize, i128> = real.iter().map(|access| (*access, self.stride(*access, iter))).collect();
        let carried = accesses.iter().any(|access| self.carried.contains(access));
        let writes_along =
            real.iter().all(|access| self.program.accesses[*access].kind == AccessKind::Read || strides[access] == 1);
        if carried || !writes_along {
            let iterations = accesses.iter().map(|access| counts.accesses[*access]).fold(0.0, f64::max);
            let chain = if carried { iterations * RECURRENCE } else { 0.0 };
            return chain.max(executions(&real) * ONE_BY_ONE) + entries;
        }
        let cycles = |access: &usize| {
            let one = if matches!(strides[access], 0 | 1) { IN_VECTORS } else { GATHERED };
            counts.accesses[*access] * one
        };
        real.iter().map(cycles).sum::<f64>() + entries
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
