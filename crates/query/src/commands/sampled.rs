//! Misses in caches as they are built: of the whole run where that is short, or repeats itself, and else from samples of it.

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

    /// The misses of caches behind each other, at the size of a prediction.
    pub(super) fn misses(&self, prediction: &Prediction, levels: &[&NamedCache]) -> Result<LevelMisses, CliError> {
        let header = AnswerHeader::of_prediction(self.model, prediction);
        let built =
            levels.iter().map(|level| BuiltCache::new(level, header.line_bytes)).collect::<Result<Vec<_>, _>>()?;
        BuiltCache::check_order(&built)?;
        let designs = built.iter().map(|level| level.design(header.element)).collect::<Result<Vec<_>, _>>()?;
        let (source, found) = self.run(prediction, &header, &designs)?;
        let level = |(built, (misses, interval)): (BuiltCache, Found)| {
            // Every block misses once; fewer misses than that are seen if they are rare.
            let misses = misses.max(header.blocks.clone());
            CacheMisses {
                name: built.name,
                capacity: built.capacity,
                lines: built.lines,
                ways: built.ways,
                misses: Misses { cold: header.blocks.clone(), reuse: &misses - &header.blocks },
                write_backs: None,
                interval: interval.map(|(low, high)| (low.max(header.blocks.clone()), high.max(header.blocks.clone()))),
            }
        };
        let levels = built.into_iter().zip(found).map(level).collect();
        Ok(LevelMisses { header, source, estimated: Int::ZERO, levels })
    }

    /// Accesses that walk through few of the sets of a level, each with what would end it.
    pub(super) fn notes(&self, prediction: &Prediction, levels: &[&NamedCache]) -> Result<Vec<String>, CliError> {
        let header = AnswerHeader::of_prediction(self.model, prediction);
        let (code, memory) = self.placed(&header)?;
        let columns = columns(&code, &memory)?;
        let mut notes = Vec::new();
        for level in levels {
            let cache = BuiltCache::new(level, header.line_bytes)?;
            let geometry = cache.design(header.element)?.geometry;
            for column in &columns {
                let used = geometry.sets() / geometry.sets().gcd(&column.lines);
                let conflicts = geometry.index() == Index::Modulo && used < geometry.sets();
                if conflicts && column.iterations > used * geometry.ways() {
                    let note = self.note(column, used, &cache, &memory);
                    notes.extend((!notes.contains(&note)).then_some(note));
                }
            }
        }
        Ok(notes)
    }

    fn note(&self, column: &Column, used: u64, cache: &BuiltCache, memory: &Memory) -> String {
        let array = self.program.array(self.program.accesses[column.access].array);
        let (lines, sets) = (column.lines, cache.lines / cache.ways);
        // An odd number of lines has no factor in common with a number of sets that is a power of two.
        let elements = (lines | 1) * memory.line_bytes() / array.element_bytes.max(1);
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

    /// The program at a size, and its arrays in memory.
    fn placed(&self, header: &AnswerHeader) -> Result<(Code<'_>, Memory), CliError> {
        let sizes = header.parameters.iter().map(|(_, size)| i64::try_from(*size).map_err(|_| too_large()));
        let code = Code::new(&self.program, &sizes.collect::<Result<Vec<_>, _>>()?)?;
        let line = if header.element { Line::Element } else { header.line_bytes.map_or(Line::Element, Line::Bytes) };
        let memory = Memory::new(&self.program, &Survey::of(&code)?, self.layout.placement(), line)?;
        Ok((code, memory))
    }

    fn run(
        &self,
        prediction: &Prediction,
        header: &AnswerHeader,
        designs: &[Design],
    ) -> Result<(MissSource, Vec<Found>), CliError> {
        let (code, memory) = self.placed(header)?;
        match replay(&code, &memory, designs, Replaying { limit: WHOLE, ..Replaying::default() }) {
            Ok(held) => {
                let found = (0..designs.len()).map(|level| (Int::from(held.misses(level)), None));
                return Ok((MissSource::Simulated, found.collect()));
            }
            Err(ReplayError::TooManyAccesses { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        let shares = prediction.shares(self.evaluator)?;
        let executions: Vec<f64> =
            (0..shares.count()).map(|access| shares.accesses(access).ratio(&Int::from(1_u64))).collect();
        let estimate = sample(&code, &memory, designs, &executions, self.sampling)?;
        let found = |share: &Share| {
            let (low, high) = share.interval;
            (part(&header.accesses, share.value), Some((part(&header.accesses, low), part(&header.accesses, high))))
        };
        Ok((MissSource::Sampled, estimate.levels.iter().map(found).collect()))
    }
}

fn too_large() -> CliError {
    CliError::refused("a size leaves the range of 64-bit integers")
}

/// A share of a number, rounded.
fn part(all: &Int, share: f64) -> Int {
    let part = BigInt::from_f64((all.ratio(&Int::from(1_u64)) * share).round());
    part.map_or(Int::ZERO, Int::from)
}
