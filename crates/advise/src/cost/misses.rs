//! The misses of a program in an order: estimated from samples for many orders, counted for a few.

use std::ops::Range;

use symloc_affine::{Line, Program};
use symloc_cache::Design;
use symloc_replay::{
    Code, EstimatedShare, Held, MemoryLayout, MemoryMap, ReplayError, Replaying, Sampling, Survey, footprint_at_most,
    replay, sample,
};

use super::cycles::MissCycles;
use super::innermost::{Cost, Costed, LevelMisses, add};
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
/// Programs of at most that many accesses for each one of the effort are run: in a run an access takes less time than in a sample.
const RUN: u64 = 4;
/// How closely the cycles of a level's misses are to be known, in cycles for each access.
pub(crate) const PRECISION: f64 = 0.01;

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
        let touched = footprint_at_most(&code, &memory, RANGES)?;
        Ok(Self { hierarchy, sizes, memory, touched })
    }

    /// Returns the misses of a level. One that holds all blocks misses each once. Others are looked at by themselves, as
    /// if they saw all accesses: so long stretches of the run can be sampled in one of their sets. Short programs are run.
    fn misses(&self, costed: &Costed<'_>, level: usize, size: SampleSize) -> Result<LevelMisses, AdviseError> {
        let design = &self.hierarchy.designs[level];
        let cycles = MissCycles::of_level(level);
        let touched: u64 = self.touched.iter().sum();
        if touched <= design.geometry.lines() {
            let arrays = self.touched.iter().map(|blocks| *blocks as f64).collect();
            let mut waiting = vec![0.0; costed.loops.len() + 1];
            waiting[costed.loops.len()] = touched as f64 * cycles.streamed;
            return Ok(LevelMisses { streamed: touched as f64, scattered: 0.0, arrays, waiting });
        }
        let accesses = &costed.counts.accesses;
        let (alone, SampleSize { effort, first_round }) = (std::slice::from_ref(design), size);
        if accesses.iter().sum::<f64>() <= (RUN * effort) as f64
            && let Some(held) = self.held(&costed.executed, alone, u64::MAX)?
        {
            return Ok(LevelMisses::of_accesses(costed, cycles, &beyond(&held, 0)));
        }
        let code = Code::new(&costed.executed, self.sizes)?;
        let sampling =
            Sampling { precision: PRECISION / cycles.scattered, effort, seed: 0, first_round, write_backs: false };
        let estimate = sample(&code, &self.memory, alone, accesses, &[], sampling)?;
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
        let Some(held) = self.held(&costed.executed, &self.hierarchy.designs, limit)? else { return Ok(None) };
        let of_level =
            |level: usize| LevelMisses::of_accesses(costed, MissCycles::of_level(level), &beyond(&held, level));
        Ok(Some((0..self.hierarchy.designs.len()).map(of_level).collect()))
    }

    /// Returns the levels, of these caches, that held the blocks of a program; `None` if it would have to run more than `limit` accesses.
    fn held(&self, program: &Program, designs: &[Design], limit: u64) -> Result<Option<Held>, AdviseError> {
        let how = Replaying { limit, ..Replaying::default() };
        match replay(&Code::new(program, self.sizes)?, &self.memory, designs, how) {
            Ok(held) => Ok(Some(held)),
            Err(ReplayError::TooManyAccesses { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the misses of each cache, counted by running a program; `None` if it would have to run more than `limit`
    /// accesses.
    ///
    /// # Errors
    ///
    /// [`AdviseError::Replay`] if the program cannot be run at these sizes.
    pub fn counted(&self, program: &Program, limit: u64) -> Result<Option<Vec<u64>>, AdviseError> {
        let levels = 0..self.hierarchy.designs.len();
        Ok(self
            .held(program, &self.hierarchy.designs, limit)?
            .map(|held| levels.map(|level| held.misses(level)).collect()))
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
        Ok(costed.with_misses(misses, false))
    }

    /// Returns the cost of a program, with misses that are counted; `None` if it would have to run more than `limit`
    /// accesses.
    ///
    /// # Errors
    ///
    /// [`AdviseError::Replay`] if the program cannot be run at these sizes.
    pub fn exact_cost(&self, costed: &Costed<'_>, limit: u64) -> Result<Option<Cost>, AdviseError> {
        Ok(self.exact(costed, limit)?.map(|misses| costed.with_misses(misses, true)))
    }
}

/// Returns the misses of each access in a level.
fn beyond(held: &Held, level: usize) -> Vec<f64> {
    held.by_access.iter().map(|levels| levels[level + 1..].iter().sum::<u64>() as f64).collect()
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
