//! Misses in caches as they are built: of the whole run where that is short or repeats itself, else from samples of it.

use std::cell::OnceCell;

use num_bigint::BigInt;
use num_integer::Integer as _;
use symloc_affine::{Access, AccessKind, Array, AssumptionKind, Line, Program};
use symloc_cache::IndexFunction;
use symloc_evaluate::{Evaluator, Instance, Int, Misses, Totals};
use symloc_machine::{Build, Levels, NamedCache};
use symloc_model::{Model, NamedSizes};
use symloc_replay::{
    Code, Column, MemoryLayout, MemoryMap, ReplayError, Replaying, Sampling, Survey, columns, footprint, replay, sample,
};
use symloc_report::answers::attribution::{Fill, FilledCache};
use symloc_report::answers::misses::{CacheMisses, LevelMisses};
use symloc_report::{AnswerHeader, Counted};

use super::attribution::Fills;
use super::simulated::{Simulated, SimulatedLevel};
use crate::answers::program::{has_program, program};
use crate::error::CliError;
use crate::options::cache_design::{CacheDesign, layout_notes, layout_of};
use crate::options::samples::SampleArgs;

/// The largest number of accesses that are simulated for a whole run.
const WHOLE: u64 = 20_000_000;
/// The smallest part of the effort that is spent on one of several runs, as a divisor.
const MOST_OF_SEVERAL: u64 = 16;
/// The largest number of ranges of blocks that are examined to count blocks.
const RANGES: u64 = 10_000_000;

/// A model's program, to be run on caches.
pub(crate) struct Sampler<'s> {
    model: &'s Model,
    evaluator: &'s Evaluator<'s>,
    pub(crate) program: Program,
    layout: MemoryLayout,
    bases: Vec<(usize, u64)>,
    /// The arrays in memory, if they do not lie as this program would have them.
    memory: Option<MemoryMap>,
    sampling: Sampling,
}

impl<'s> Sampler<'s> {
    pub(crate) fn new(model: &'s Model, evaluator: &'s Evaluator<'s>, args: &SampleArgs) -> Result<Self, CliError> {
        let default = Sampling::default();
        let sampling = match &args.precision {
            Some(precision) => Sampling { precision: precision.value(), effort: u64::MAX, seed: args.seed, ..default },
            None => Sampling { seed: args.seed, ..default },
        };
        let layout = args.layout.unwrap_or_else(|| layout_of(model.layout));
        let program = program(model)?;
        let bases = args.bases.of(&program)?;
        Ok(Self { model, evaluator, program, layout, bases, memory: None, sampling })
    }

    /// Returns the sampler of the program of one of several threads, with the parameters of the model and the arrays in memory as
    /// it has them. The threads share the effort.
    pub(crate) fn of_thread(&self, program: Program, memory: MemoryMap, threads: u64) -> Self {
        let effort = self.sampling.effort / threads.clamp(1, MOST_OF_SEVERAL);
        let sampling = Sampling { effort, ..self.sampling };
        Self { program, bases: self.bases.clone(), memory: Some(memory), sampling, ..*self }
    }

    /// Returns the program at a size, with its arrays in memory.
    pub(crate) fn at<'p>(&'p self, totals: &Totals) -> Result<SampledSize<'p>, CliError> {
        let mut header = AnswerHeader::of_totals(self.model, totals);
        let code = code_at(&self.program, &totals.place)?;
        let line = line_of(&totals.place);
        let survey = Survey::of(&code)?;
        let memory = match &self.memory {
            Some(memory) => memory.clone(),
            None => MemoryMap::new(&self.program, &survey, self.layout, &self.bases, line)?,
        };
        // The model holds the number of blocks if its arrays lie as they do here; padding touches no others.
        let as_here = layout_of(self.model.layout) == self.layout.without_padding();
        let same = self.bases.is_empty() && as_here && (self.layout != MemoryLayout::Memory || !pads(self.model));
        let counted = if same { None } else { counted_blocks(&code, &memory)? };
        let counted = counted.map(|by_array| Int::from(by_array.iter().sum::<u64>()));
        let blocks_are_known = same || counted.is_some();
        header.blocks = counted.unwrap_or(header.blocks);
        Ok(SampledSize {
            sampler: self,
            sizes: totals.place.sizes(),
            header,
            blocks_are_known,
            notes: layout_notes(self.layout, &self.program, &survey),
            code,
            memory,
            executions: OnceCell::new(),
        })
    }
}

/// A program at one size, to be run on caches.
pub(crate) struct SampledSize<'p> {
    sampler: &'p Sampler<'p>,
    sizes: NamedSizes,
    pub(crate) header: AnswerHeader,
    blocks_are_known: bool,
    /// The assumptions, as notes.
    notes: Vec<String>,
    pub(crate) code: Code<'p>,
    pub(crate) memory: MemoryMap,
    /// The number of executions of each access, computed on first use.
    executions: OnceCell<Vec<f64>>,
}

impl SampledSize<'_> {
    /// Returns the misses of a hierarchy of caches.
    pub(crate) fn misses(&self, levels: &[&NamedCache]) -> Result<LevelMisses, CliError> {
        let built = self.built(levels)?;
        let is_prefetched = levels.iter().any(|level| level.cache.build.prefetch);
        let Simulated { source, levels, .. } = self.run(&built, &[])?;
        let blocks = &self.header.blocks;
        let level = |(built, SimulatedLevel { misses, write_backs, .. }): (CacheDesign, SimulatedLevel)| {
            // Every block misses once, unless it is prefetched; samples see fewer misses than that if misses are rare.
            let each_misses = self.blocks_are_known && !is_prefetched;
            let at_least = |count: Int| if each_misses { count.max(blocks.clone()) } else { count };
            let value = at_least(misses.value);
            let cold = value.clone().min(blocks.clone());
            CacheMisses {
                name: built.name,
                capacity: built.capacity,
                lines: built.lines,
                ways: built.ways,
                misses: Misses { reuse: &value - &cold, cold },
                write_backs: Some(write_backs),
                threads: None,
                bound: None,
                interval: misses.interval.map(|(low, high)| (at_least(low), at_least(high))),
            }
        };
        let levels = built.into_iter().zip(levels).map(level).collect();
        Ok(LevelMisses { header: self.header.clone(), source, estimated: Int::ZERO, falsely_shared: None, levels })
    }

    /// Returns the reads and write-backs of a hierarchy of caches, attributed to accesses. `groups` holds the group of
    /// each access.
    pub(crate) fn fills(&self, levels: &[&NamedCache], groups: &[usize]) -> Result<Fills, CliError> {
        let built = self.built(levels)?;
        let Simulated { source, levels, by_access, by_array, intervals } = self.run(&built, groups)?;
        let program = &self.sampler.program;
        let line = |array: &Array| Int::from(self.header.line_bytes.unwrap_or(array.element_bytes));
        let accesses = by_access.into_iter().zip(&program.accesses);
        let fills = |(misses, access): (Vec<Int>, &Access)| {
            let bytes = line(program.array(access.array));
            misses.into_iter().map(|misses| Fill::read(misses, &bytes)).collect()
        };
        let by_access: Vec<Vec<Fill>> = accesses.map(fills).collect();
        let arrays = by_array.into_iter().zip(&program.arrays).enumerate();
        let bytes = |(index, (lines, array)): (usize, (Vec<Counted>, &Array))| {
            let is_write = |access: &Access| access.array.index() == index && access.kind == AccessKind::Write;
            let factor = if program.accesses.iter().any(is_write) { Some(line(array)) } else { None };
            lines.iter().map(|lines| factor.as_ref().map_or(Counted::exact(0), |bytes| lines.times(bytes))).collect()
        };
        let written: Vec<Vec<Counted>> = arrays.map(bytes).collect();
        let filled = |(index, (built, found)): (usize, (CacheDesign, SimulatedLevel))| {
            // Prefetched lines count as read; writes past the cache do not.
            let (bytes, back) = match self.header.line_bytes.map(Int::from) {
                Some(line) => (found.fills.times(&line), found.write_backs.times(&line)),
                None => (
                    by_access.iter().fold(Counted::exact(0), |sum, fills| sum.plus(&fills[index].bytes)),
                    written.iter().fold(Counted::exact(0), |sum, array| sum.plus(&array[index])),
                ),
            };
            let written = Some(back.plus(&found.writes_through.times(&self.bytes_of_a_write())));
            let fill = Fill { bytes, written, misses: found.misses };
            FilledCache { name: built.name, capacity: built.capacity, lines: built.lines, fill }
        };
        // Writes that are passed on one by one are not attributed.
        let one_by_one = levels.iter().any(|level| level.writes_through.value > Int::ZERO);
        let levels = built.into_iter().zip(levels).enumerate().map(filled).collect();
        Ok(Fills { source, levels, by_access, written: (!one_by_one).then_some(written), intervals })
    }

    /// Returns the bytes of a write that is passed on, the largest if they differ.
    fn bytes_of_a_write(&self) -> Int {
        let program = &self.sampler.program;
        let writes = program.accesses.iter().filter(|access| access.kind == AccessKind::Write);
        Int::from(writes.map(|access| program.array(access.array).element_bytes).max().unwrap_or(0))
    }

    /// Returns notes on accesses that use few of the sets of a level, each with a distance that would avoid it.
    pub(crate) fn notes(&self, levels: &[&NamedCache]) -> Result<Vec<String>, CliError> {
        let columns = columns(&self.code, &self.memory)?;
        let mut notes = self.notes.clone();
        if !self.blocks_are_known {
            notes.push("the first touches are those of arrays that lie as in the model".to_owned());
        }
        for cache in self.built(levels)? {
            let geometry = cache.design(self.header.element)?.geometry;
            for column in &columns {
                let used = geometry.sets() / geometry.sets().gcd(&column.lines);
                let conflicts = geometry.index() == IndexFunction::Modulo && used < geometry.sets();
                if conflicts && column.iterations > used * geometry.ways() {
                    let note = self.note(column, used, &cache);
                    notes.extend((!notes.contains(&note)).then_some(note));
                }
            }
        }
        Ok(notes)
    }

    fn note(&self, column: &Column, used: u64, cache: &CacheDesign) -> String {
        let program = &self.sampler.program;
        let array = program.array(program.accesses[column.access].array);
        let (lines, sets) = (column.lines, cache.lines / cache.ways);
        // An odd number of lines has no factor in common with a number of sets that is a power of two.
        let elements = (lines | 1) * self.memory.line_bytes() / array.element_bytes.max(1);
        let end = if sets.is_power_of_two() {
            format!("; {elements} elements apart they would use all")
        } else {
            String::new()
        };
        format!(
            "columns of {}, whose elements are {lines} lines apart, use {used} of the {sets} sets of {}{end}",
            array.name, cache.capacity
        )
    }

    pub(crate) fn built(&self, levels: &[&NamedCache]) -> Result<Vec<CacheDesign>, CliError> {
        levels.iter().map(|level| CacheDesign::new(level, self.header.line_bytes)).collect()
    }

    /// Simulates all of the run where that is short, and else samples of it.
    fn run(&self, built: &[CacheDesign], groups: &[usize]) -> Result<Simulated, CliError> {
        CacheDesign::check_order(built)?;
        let designs = built.iter().map(|level| level.design(self.header.element)).collect::<Result<Vec<_>, _>>()?;
        match replay(&self.code, &self.memory, &designs, Replaying { limit: WHOLE, ..Replaying::default() }) {
            Ok(held) => Ok(Simulated::exact(&held)),
            Err(ReplayError::TooManyAccesses { .. }) => {
                let sampling = self.sampler.sampling;
                let estimate = sample(&self.code, &self.memory, &designs, self.executions()?, groups, sampling)?;
                Ok(Simulated::estimated(&estimate, &self.header.accesses))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn executions(&self) -> Result<&[f64], CliError> {
        if let Some(executions) = self.executions.get() {
            return Ok(executions);
        }
        let executions = self.sampler.evaluator.executions(&self.sizes)?;
        Ok(self.executions.get_or_init(|| executions.iter().map(Int::to_f64).collect()))
    }
}

/// Returns true if misses in these caches are those of a run or of samples of it, unless a model of misses is asked for. Models
/// predict fully associative caches, and estimate those with ways only for older files, which hold no program.
pub(crate) fn are_run_by_default(levels: &Levels, model: &Model) -> bool {
    let special = levels.caches().any(|level| level.cache.build != Build::default());
    let ways = levels.caches().any(|level| level.cache.ways.is_some());
    special || ways && has_program(model)
}

/// Returns the number of lines of each array that a program touches, where formulas pad rows that lie closer in memory; `None` if
/// they do not, or if counting takes too long.
///
/// # Errors
///
/// If a size or an address leaves 64 bits.
pub(crate) fn lines_in_memory(model: &Model, place: &Instance) -> Result<Option<Vec<BigInt>>, CliError> {
    if !pads(model) || !has_program(model) {
        return Ok(None);
    }
    let program = program(model)?;
    let code = code_at(&program, place)?;
    let memory = MemoryMap::new(&program, &Survey::of(&code)?, MemoryLayout::Memory, &[], line_of(place))?;
    let lines = counted_blocks(&code, &memory)?;
    Ok(lines.map(|by_array| by_array.into_iter().map(BigInt::from).collect()))
}

/// Returns a program at a size.
fn code_at<'p>(program: &'p Program, place: &Instance) -> Result<Code<'p>, CliError> {
    let sizes = place.parameters.iter().map(|(_, size)| i64::try_from(*size).map_err(|_| too_large()));
    Ok(Code::new(program, &sizes.collect::<Result<Vec<_>, _>>()?)?)
}

fn line_of(place: &Instance) -> Line {
    if place.element { Line::Element } else { place.line_bytes.map_or(Line::Element, Line::Bytes) }
}

/// Returns true if the formulas of a model pad rows.
fn pads(model: &Model) -> bool {
    model.assumptions.iter().any(|assumption| assumption.kind == AssumptionKind::Padding.name())
}

/// Returns the number of blocks of each array that a program touches; `None` if counting takes too long.
fn counted_blocks(code: &Code<'_>, memory: &MemoryMap) -> Result<Option<Vec<u64>>, CliError> {
    match footprint(code, memory, RANGES) {
        Ok(blocks) => Ok(Some(blocks)),
        Err(ReplayError::TooManyAccesses { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn too_large() -> CliError {
    CliError::refused("a size leaves the range of 64-bit integers")
}
