//! Misses in caches as they are built: of the whole run where that is short, or repeats itself, and else from samples of it.

use std::cell::OnceCell;

use clap::Args;
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::FromPrimitive;
use symloc_affine::{Line, Program};
use symloc_cache::{Design, Index};
use symloc_evaluate::{Evaluator, Int, Misses, Prediction};
use symloc_machine::NamedCache;
use symloc_model::Model;
use symloc_replay::{Code, Column, Memory, ReplayError, Replaying, Sampling, Share, Survey, columns, replay, sample};
use symloc_report::AnswerHeader;
use symloc_report::misses::{CacheMisses, LevelMisses, MissSource};

use crate::built::{BuiltCache, MemoryLayout};
use crate::error::CliError;
use crate::program::program;
use crate::ratio::Ratio;

/// What samples are wanted.
#[derive(Clone, Debug, Args)]
pub struct SampleArgs {
    /// With --model sampled: stop when the miss ratio is known this closely: 0.1%; by default as closely as it can be in a second or so
    #[arg(long, value_name = "RATIO")]
    precision: Option<Ratio>,
    /// With --model sampled: another seed draws other samples, the same one the same
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u64,
    /// With --model sampled: how arrays lie in memory; by default as the model has it
    #[arg(long, value_enum)]
    layout: Option<MemoryLayout>,
}

/// Misses, and the interval that holds them if they are estimated.
type Found = (Int, Option<(Int, Int)>);

/// A run is simulated as a whole if no more accesses than this have to be.
const WHOLE: u64 = 20_000_000;

/// A model's program, to be run on caches.
pub(super) struct Sampler<'s> {
    model: &'s Model,
    evaluator: &'s Evaluator<'s>,
    program: Program,
    layout: MemoryLayout,
    sampling: Sampling,
}

impl<'s> Sampler<'s> {
    pub(super) fn new(model: &'s Model, evaluator: &'s Evaluator<'s>, args: &SampleArgs) -> Result<Self, CliError> {
        let default = Sampling::default();
        let sampling = match &args.precision {
            Some(precision) => Sampling { precision: precision.value(), effort: u64::MAX, seed: args.seed },
            None => Sampling { seed: args.seed, ..default },
        };
        let layout = args.layout.unwrap_or(model.layout.into());
        Ok(Self { model, evaluator, program: program(model)?, layout, sampling })
    }

    /// The program at the size of a prediction, and its arrays in memory.
    pub(super) fn at<'p>(&'p self, prediction: &'p Prediction) -> Result<SampledSize<'p>, CliError> {
        let header = AnswerHeader::of_prediction(self.model, prediction);
        let sizes = header.parameters.iter().map(|(_, size)| i64::try_from(*size).map_err(|_| too_large()));
        let code = Code::new(&self.program, &sizes.collect::<Result<Vec<_>, _>>()?)?;
        let line = if header.element { Line::Element } else { header.line_bytes.map_or(Line::Element, Line::Bytes) };
        let memory = Memory::new(&self.program, &Survey::of(&code)?, self.layout.placement(), line)?;
        Ok(SampledSize { sampler: self, prediction, header, code, memory, executions: OnceCell::new() })
    }
}

/// A program at one size, to be run on caches.
pub(super) struct SampledSize<'p> {
    sampler: &'p Sampler<'p>,
    prediction: &'p Prediction,
    header: AnswerHeader,
    code: Code<'p>,
    memory: Memory,
    /// How often each access is executed, once that was needed.
    executions: OnceCell<Vec<f64>>,
}

impl SampledSize<'_> {
    /// The misses of caches behind each other.
    pub(super) fn misses(&self, levels: &[&NamedCache]) -> Result<LevelMisses, CliError> {
        let built = self.built(levels)?;
        BuiltCache::check_order(&built)?;
        let designs = built.iter().map(|level| level.design(self.header.element)).collect::<Result<Vec<_>, _>>()?;
        let (source, found) = self.run(&designs)?;
        let blocks = &self.header.blocks;
        let level = |(built, (misses, interval)): (BuiltCache, Found)| CacheMisses {
            name: built.name,
            capacity: built.capacity,
            lines: built.lines,
            ways: built.ways,
            // Every block misses once; fewer misses than that are seen if they are rare.
            misses: Misses { cold: blocks.clone(), reuse: &misses.max(blocks.clone()) - blocks },
            write_backs: None,
            interval: interval.map(|(low, high)| (low.max(blocks.clone()), high.max(blocks.clone()))),
        };
        let levels = built.into_iter().zip(found).map(level).collect();
        Ok(LevelMisses { header: self.header.clone(), source, estimated: Int::ZERO, levels })
    }

    /// Accesses that walk through few of the sets of a level, each with what would end it.
    pub(super) fn notes(&self, levels: &[&NamedCache]) -> Result<Vec<String>, CliError> {
        let columns = columns(&self.code, &self.memory)?;
        let mut notes = Vec::new();
        for cache in self.built(levels)? {
            let geometry = cache.design(self.header.element)?.geometry;
            for column in &columns {
                let used = geometry.sets() / geometry.sets().gcd(&column.lines);
                let conflicts = geometry.index() == Index::Modulo && used < geometry.sets();
                if conflicts && column.iterations > used * geometry.ways() {
                    let note = self.note(column, used, &cache);
                    notes.extend((!notes.contains(&note)).then_some(note));
                }
            }
        }
        Ok(notes)
    }

    fn note(&self, column: &Column, used: u64, cache: &BuiltCache) -> String {
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

    fn built(&self, levels: &[&NamedCache]) -> Result<Vec<BuiltCache>, CliError> {
        levels.iter().map(|level| BuiltCache::new(level, self.header.line_bytes)).collect()
    }

    fn run(&self, designs: &[Design]) -> Result<(MissSource, Vec<Found>), CliError> {
        let (code, memory, all) = (&self.code, &self.memory, &self.header.accesses);
        match replay(code, memory, designs, Replaying { limit: WHOLE, ..Replaying::default() }) {
            Ok(held) => {
                let found = (0..designs.len()).map(|level| (Int::from(held.misses(level)), None));
                return Ok((MissSource::Simulated, found.collect()));
            }
            Err(ReplayError::TooManyAccesses { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        let estimate = sample(code, memory, designs, self.executions()?, self.sampler.sampling)?;
        let found = |share: &Share| {
            let (low, high) = share.interval;
            (part(all, share.value), Some((part(all, low), part(all, high))))
        };
        Ok((MissSource::Sampled, estimate.levels.iter().map(found).collect()))
    }

    fn executions(&self) -> Result<&[f64], CliError> {
        if let Some(executions) = self.executions.get() {
            return Ok(executions);
        }
        let shares = self.prediction.shares(self.sampler.evaluator)?;
        Ok(self.executions.get_or_init(|| (0..shares.count()).map(|access| shares.accesses(access).to_f64()).collect()))
    }
}

fn too_large() -> CliError {
    CliError::refused("a size leaves the range of 64-bit integers")
}

/// A share of a number, rounded.
fn part(all: &Int, share: f64) -> Int {
    let part = BigInt::from_f64((all.to_f64() * share).round());
    part.map_or(Int::ZERO, Int::from)
}
