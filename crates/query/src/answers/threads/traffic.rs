//! The traffic of threads on the caches of a machine, for a roofline.
//!
//! Caches are as they are built, one behind the other: the program is run on each number of threads, or each thread is sampled
//! by itself where that takes long.

use symloc_cache::{Inclusion, Writes};
use symloc_machine::{Machine, NamedCache, NoCommonBandwidth, SourceRate, Speed};
use symloc_report::MissModel;
use symloc_report::answers::misses::{CacheMisses, LevelMisses};
use symloc_report::answers::over_threads::curve::LevelTraffic;
use symloc_report::answers::over_threads::roofline::{Cores, MeasuredThreads};
use symloc_report::answers::roofline::MeasuredProgram;

use super::ThreadNeeds;
use super::every_count::EveryCount;
use crate::answers::question::Question;
use crate::answers::roofline::{known_operations, levels_and_speed};
use crate::answers::series::SeriesCase;
use crate::error::CliError;
use crate::options::samples::SampleArgs;
use crate::options::threads::ThreadArgs;

/// The caches of a machine, with its speed.
pub(crate) struct MachineCaches {
    machine: String,
    caches: Vec<NamedCache>,
    pub(crate) speed: Speed,
}

impl MachineCaches {
    /// Reads the description of a machine; the rates replace those at which it delivers to all cores.
    ///
    /// # Errors
    ///
    /// A refusal if the description is incomplete, of a rate that does not fit it, and of caches whose traffic on several threads
    /// is not counted.
    pub(crate) fn read(machine: &Machine, rates: &[SourceRate]) -> Result<Self, CliError> {
        let (caches, speed) = levels_and_speed(machine)?;
        let special = |cache: &&NamedCache| {
            let build = cache.cache.build;
            build.prefetch || build.writes != Writes::default() || build.inclusion == Inclusion::Exclusive
        };
        if let Some(cache) = caches.iter().find(special) {
            return Err(CliError::with_hint(
                format!(
                    "the traffic of several threads is not counted for {}, which prefetches, is exclusive, or passes single writes on",
                    cache.name.as_deref().unwrap_or("a cache")
                ),
                "describe it without these words in `policy`, or leave --threads out",
            ));
        }
        let speed = speed.with_rates(rates).map_err(|message| CliError::refused(format!("--all-cores: {message}")))?;
        Ok(Self { machine: machine.to_string(), caches, speed })
    }

    /// Returns the number of sources, from the core outwards, that each core has for itself.
    ///
    /// # Errors
    ///
    /// A refusal if more levels are shared than there are.
    pub(crate) fn own_sources(&self, shared: usize) -> Result<usize, CliError> {
        let levels = self.caches.len();
        match levels.checked_sub(shared) {
            Some(own) => Ok(own.saturating_sub(1)),
            None => Err(CliError::with_hint(
                format!("--shared-levels {shared}, but the number of levels is {levels}"),
                "those that all threads share are the last ones of --machine",
            )),
        }
    }

    /// Refuses numbers of threads for which it is not known how much a shared source delivers, before anything is run.
    ///
    /// # Errors
    ///
    /// That refusal.
    pub(crate) fn check_rates(&self, cores: &Cores, counts: &[u64]) -> Result<(), CliError> {
        let known = |count: &u64| self.speed.of_cores(*count, cores.own_sources).map(|_| ());
        counts.iter().try_for_each(known).map_err(|error| self.explain(&error))
    }

    /// Adds what to do about a rate that is not known.
    pub(crate) fn explain(&self, error: &NoCommonBandwidth) -> CliError {
        let NoCommonBandwidth(source) = error;
        CliError::with_hint(
            format!("{}: {error}", self.machine),
            format!(
                "say it with --all-cores {source}=RATE, or in a .toml with all_cores = \"80 GB/s\" beside its bandwidth"
            ),
        )
    }
}

/// Measures the traffic of a program at a size on each number of threads.
///
/// # Errors
///
/// A refusal of a program without floating-point operations, and those of runs.
pub(crate) fn measured(
    case: &SeriesCase<'_>,
    machine: &MachineCaches,
    args: &ThreadArgs,
    counts: &[u64],
) -> Result<MeasuredThreads, CliError> {
    let (model, evaluator) = (case.member.model.as_ref(), case.own_evaluator()?);
    ThreadNeeds { model, args, built: true, formulas: false }.a_run()?;
    let operations = known_operations(&evaluator, &case.sizes())?;
    let (sizes, hierarchies) = (case.grid(), vec![machine.caches.iter().collect()]);
    // Runs need only data that every prediction holds.
    let miss_model = MissModel::Denning;
    let question = Question { model, evaluator: &evaluator, miss_model, sizes: &sizes, hierarchies };
    let every_count = EveryCount::by_runs(&question, args, counts.to_vec(), &SampleArgs::default(), true)?;
    let mut found: Vec<LevelMisses> = Vec::new();
    every_count.at(&case.sizes(), |answer| {
        found.push(answer);
        Ok(())
    })?;
    let unknown = |level: &CacheMisses| {
        level.threads.as_ref().is_some_and(|threads| threads.coherence.is_none() && !threads.shared)
    };
    let without_coherence = found.iter().flat_map(|answer| &answer.levels).any(unknown);
    let point = |answer: LevelMisses| {
        let line = answer.header.line_bytes.ok_or_else(|| {
            CliError::with_hint("lines have no size, so traffic has none", "choose a line size with --line-bytes")
        })?;
        let traffic = answer.levels.iter().map(|level| LevelTraffic::of(level, line).total()).collect();
        let (threads, source, header) = (answer.threads() as u64, answer.source, answer.header);
        let program =
            MeasuredProgram { name: case.name.clone(), header, source, operations: operations.clone(), traffic };
        Ok((threads, program))
    };
    let points = found.into_iter().map(point).collect::<Result<_, CliError>>()?;
    Ok(MeasuredThreads { name: case.name.clone(), points, without_coherence })
}
