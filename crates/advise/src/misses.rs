//! The misses of a program in an order: estimated from samples for many orders, counted for a few.

use std::ops::Range;

use symloc_affine::{Line, Program};
use symloc_cache::{Design, Geometry, IndexFunction, Replacement};
use symloc_replay::{
    Code, EstimatedShare, MemoryLayout, MemoryMap, ReplayError, Replaying, Sampling, Survey, footprint, replay, sample,
};

use crate::cost::{Cost, Costed, LevelMisses, add};
use crate::cycles::{self, MissCycles};
use crate::error::AdviseError;
use crate::parallel::in_parallel;

/// The caches, and the line that they share.
#[derive(Clone, Debug)]
pub struct Hierarchy {
    /// The levels, the first nearest to the processor.
    pub designs: Vec<Design>,
    /// The line.
    pub line: Line,
}

/// The arrays of a program in memory, in blocks of one size.
#[derive(Clone, Debug)]
struct BlocksInMemory {
    memory: MemoryMap,
    /// By array, the blocks that the program touches, or those that it has: each level misses about as often, or more.
    touched: Vec<u64>,
}

impl BlocksInMemory {
    fn new(code: &Code<'_>, survey: &Survey, line: Line) -> Result<Self, ReplayError> {
        let program = code.program();
        let memory = MemoryMap::new(program, survey, MemoryLayout::Memory, &[], line)?;
        let touched = match footprint(code, &memory, RANGES) {
            Ok(blocks) => blocks,
            Err(ReplayError::TooManyAccesses { .. }) => {
                (0..program.arrays.len()).map(|array| memory.lines_of(array)).collect()
            }
            Err(error) => return Err(error),
        };
        Ok(Self { memory, touched })
    }
}

/// Memory, and caches: what stays the same in every order of a program. The translation of addresses is a level as well:
/// the last one, whose blocks are pages.
#[derive(Clone, Debug)]
pub struct MissEstimator<'e> {
    hierarchy: &'e Hierarchy,
    sizes: &'e [i64],
    lines: BlocksInMemory,
    pages: BlocksInMemory,
    /// The cache of the pages' addresses.
    translation: Design,
}

/// The most ranges of blocks that are looked at for the number of blocks touched.
const RANGES: u64 = 1_000_000;
/// How closely the cycles of a level's misses are to be known, in cycles for each access.
const PRECISION: f64 = 0.01;
/// The bytes of a page, and the pages whose addresses a processor keeps: most of the years 2017 to 2025 have 1536 to 3072.
const PAGE: u64 = 4096;
const PAGES: u64 = 2048;
const PAGE_WAYS: u64 = 16;

impl<'e> MissEstimator<'e> {
    /// Places the arrays of a program in memory.
    ///
    /// # Errors
    ///
    /// [`AdviseError::Replay`] if the program cannot be run at these sizes.
    pub fn new(program: &Program, hierarchy: &'e Hierarchy, sizes: &'e [i64]) -> Result<Self, AdviseError> {
        let code = Code::new(program, sizes)?;
        let survey = Survey::of(&code)?;
        let geometry = Geometry::new(PAGES, PAGE_WAYS, IndexFunction::default()).map_err(ReplayError::from)?;
        Ok(Self {
            hierarchy,
            sizes,
            lines: BlocksInMemory::new(&code, &survey, hierarchy.line)?,
            pages: BlocksInMemory::new(&code, &survey, Line::Bytes(PAGE))?,
            translation: Design::new(geometry, Replacement::Lru),
        })
    }

    /// Returns the number of levels, that of translation included.
    pub fn levels(&self) -> usize {
        self.hierarchy.designs.len() + 1
    }

    /// Returns the cycles of a miss of a level.
    fn cycles(&self, level: usize) -> MissCycles {
        if level < self.hierarchy.designs.len() { MissCycles::of_level(level) } else { cycles::PAGE_WALK }
    }

    /// Returns the misses of a level. One that holds all blocks misses each once. Others are looked at by themselves, as
    /// if they saw all accesses: so long stretches of the run can be sampled in one of their sets.
    fn misses(&self, costed: &Costed<'_>, level: usize, size: SampleSize) -> Result<LevelMisses, AdviseError> {
        let (blocks, design) = match self.hierarchy.designs.get(level) {
            Some(design) => (&self.lines, design),
            None => (&self.pages, &self.translation),
        };
        let cycles = self.cycles(level);
        let touched: u64 = blocks.touched.iter().sum();
        if touched <= design.geometry.lines() {
            let arrays = blocks.touched.iter().map(|blocks| *blocks as f64).collect();
            let mut waiting = vec![0.0; costed.loops.len() + 1];
            waiting[costed.loops.len()] = touched as f64 * cycles.streamed;
            return Ok(LevelMisses { streamed: touched as f64, scattered: 0.0, arrays, waiting });
        }
        let code = Code::new(costed.program, self.sizes)?;
        let accesses = &costed.counts.accesses;
        let SampleSize { effort, first_round } = size;
        let sampling = Sampling { precision: PRECISION / cycles.scattered, effort, seed: 0, first_round };
        let estimate = sample(&code, &blocks.memory, std::slice::from_ref(design), accesses, &[], sampling)?;
        let all = accesses.iter().sum::<f64>();
        // Of blocks whose last access was not found, half count as misses.
        let misses = estimate.levels[0].misses.value;
        let decided = if misses > 0.0 { 1.0 - 0.5 * estimate.undecided.min(misses) / misses } else { 1.0 };
        let of_access = |levels: &Vec<EstimatedShare>| levels.first().map_or(0.0, |share| share.value * all * decided);
        let by_access: Vec<f64> = estimate.misses_by_access.iter().map(of_access).collect();
        Ok(LevelMisses::of_accesses(costed, cycles, &by_access))
    }

    /// Returns the misses of each cache, counted by running the program; `None` if it would have to run more than `limit`
    /// accesses.
    fn exact(&self, costed: &Costed<'_>, limit: u64) -> Result<Option<Vec<LevelMisses>>, AdviseError> {
        let code = Code::new(costed.program, self.sizes)?;
        let how = Replaying { limit, ..Replaying::default() };
        let held = match replay(&code, &self.lines.memory, &self.hierarchy.designs, how) {
            Ok(held) => held,
            Err(ReplayError::TooManyAccesses { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let of_level = |level: usize| {
            let beyond = |levels: &Vec<u64>| levels[level + 1..].iter().sum::<u64>() as f64;
            let by_access: Vec<f64> = held.by_access.iter().map(beyond).collect();
            LevelMisses::of_accesses(costed, self.cycles(level), &by_access)
        };
        Ok(Some((0..self.hierarchy.designs.len()).map(of_level).collect()))
    }

    /// Adds the cycles that each of several programs waits for some levels; the work is divided among threads.
    ///
    /// # Errors
    ///
    /// Those of [`MissEstimator::cost`], by program.
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
        in_parallel(costed, of)
    }

    /// Returns the cost of a program, with misses that are estimated.
    ///
    /// # Errors
    ///
    /// [`AdviseError::Replay`] if the program cannot be run at these sizes.
    pub fn cost(&self, costed: &Costed<'_>, size: SampleSize) -> Result<Cost, AdviseError> {
        let levels = 0..self.hierarchy.designs.len();
        let misses = levels.map(|level| self.misses(costed, level, size)).collect::<Result<Vec<_>, _>>()?;
        Ok(costed.with_misses(misses, self.misses(costed, self.levels() - 1, size)?, false))
    }

    /// Returns the cost of a program, with misses that are counted; `None` if it would have to run more than `limit`
    /// accesses. Page walks are estimated.
    ///
    /// # Errors
    ///
    /// [`AdviseError::Replay`] if the program cannot be run at these sizes.
    pub fn exact_cost(&self, costed: &Costed<'_>, limit: u64) -> Result<Option<Cost>, AdviseError> {
        let Some(misses) = self.exact(costed, limit)? else { return Ok(None) };
        let walks = self.misses(costed, self.levels() - 1, SampleSize::LARGE)?;
        Ok(Some(costed.with_misses(misses, walks, true)))
    }
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
