//! `simulate --threads`: a program with parallel loops on several threads.

use clap::Args;
use symloc_affine::Program;
use symloc_cache::Design;
use symloc_evaluate::{Int, Misses};
use symloc_query::CliError;
use symloc_query::options::cache_design::CacheDesign;
use symloc_replay::{Code, Interleave, MemoryMap, ThreadHeld, Threading, ThreadsHeld, replay_on_threads};
use symloc_report::Counted;
use symloc_report::answers::misses::{CacheMisses, CoherenceMessages, ThreadMisses};

/// The most threads of a simulation.
const MOST: usize = 1024;

/// The threads of a simulation.
#[derive(Clone, Debug, Args)]
pub(crate) struct ThreadArgs {
    /// Run the parallel loops of the program on so many threads, each with caches of its own
    #[arg(long, value_name = "COUNT", conflicts_with_all = ["histogram", "no_warping"])]
    threads: Option<usize>,
    /// With --threads: the order in which they run the iterations of a parallel loop: lockstep, after (all of one thread,
    /// then all of the next) or random:SEED
    #[arg(long, value_name = "ORDER", requires = "threads", default_value = "lockstep")]
    interleave: Interleave,
    /// With --threads: how many of the levels, counted from the last, all threads share
    #[arg(long, value_name = "LEVELS", requires = "threads", default_value_t = 0)]
    shared_levels: usize,
}

/// A program and its arrays in memory, with the caches to simulate.
pub(crate) struct Simulation<'s> {
    pub code: &'s Code<'s>,
    pub memory: &'s MemoryMap,
    pub caches: &'s [CacheDesign],
    /// The number of distinct blocks of all accesses.
    pub blocks: u64,
    /// True if every cache sees all accesses, and not what the one before it misses.
    pub apart: bool,
}

/// The threads of a run, and the levels that they share.
pub(crate) struct SharedThreading {
    threading: Threading,
    /// The number of levels that each thread has for itself.
    own: usize,
}

impl ThreadArgs {
    /// Refuses numbers of threads that cannot be simulated.
    pub(crate) fn check(&self) -> Result<(), CliError> {
        match self.threads {
            Some(0) => Err(CliError::with_hint("--threads 0: a program runs on at least one thread", "give 1 or more")),
            Some(count) if count > MOST => Err(CliError::with_hint(
                format!("--threads {count}: at most {MOST} threads are simulated"),
                "give fewer threads",
            )),
            _ => Ok(()),
        }
    }

    /// Returns the threads of a program's run on so many levels of caches; `None` if the run is sequential.
    pub(crate) fn threading(
        &self,
        program: &Program,
        levels: usize,
        limit: u64,
    ) -> Result<Option<SharedThreading>, CliError> {
        let Some(threads) = self.threads else { return Ok(None) };
        if threads > 1 && program.iters.iter().all(|iter| iter.parallel.is_none()) {
            return Err(CliError::with_hint(
                format!("{} has no parallel loop that {threads} threads could share", program.name),
                "name one with --parallel LOOP",
            ));
        }
        let own = levels.checked_sub(self.shared_levels).ok_or_else(|| {
            let given = format!("--shared-levels {}: {levels} levels are given", self.shared_levels);
            CliError::with_hint(given, "give each level with --cache, those that all threads share last")
        })?;
        Ok(Some(SharedThreading { threading: Threading { threads, interleave: self.interleave, limit }, own }))
    }
}

/// Returns the misses of each level on threads.
pub(crate) fn levels(
    run: &Simulation<'_>,
    designs: &[Design],
    threads: &SharedThreading,
) -> Result<Vec<CacheMisses>, CliError> {
    let (own, shared) = designs.split_at(threads.own);
    let groups: Vec<[&[Design]; 2]> = match run.apart {
        true => own.chunks(1).map(|own| [own, &[]]).chain(shared.chunks(1).map(|shared| [&[][..], shared])).collect(),
        false => vec![[own, shared]],
    };
    let mut caches = run.caches.iter();
    let mut levels = Vec::new();
    for [own, shared] in groups {
        let held = replay_on_threads(run.code, run.memory, own, shared, threads.threading)?;
        levels.extend(caches.by_ref().take(own.len()).enumerate().map(|(level, cache)| own_level(cache, level, &held)));
        let shared = caches.by_ref().take(shared.len()).enumerate();
        levels.extend(shared.map(|(level, cache)| shared_level(cache, level, &held, run.blocks)));
    }
    Ok(levels)
}

/// Returns the misses of a level that each thread has for itself.
fn own_level(cache: &CacheDesign, level: usize, held: &ThreadsHeld) -> CacheMisses {
    let sum = |of: &dyn Fn(&ThreadHeld) -> u64| held.threads.iter().map(of).sum::<u64>();
    let (blocks, misses) = (sum(&|held| held.blocks), sum(&|held| held.misses(level)));
    let is_last = held.threads.first().is_some_and(|held| held.traffic.len() == level + 1);
    let messages = CoherenceMessages {
        upgrades: held.coherence.upgrades.into(),
        invalidations: held.coherence.invalidations.into(),
        transfers: held.coherence.transfers.into(),
    };
    let threads = ThreadMisses {
        by_thread: held.threads.iter().map(|held| Int::from(held.misses(level))).collect(),
        coherence: Some(sum(&|held| held.true_sharing(level)).into()),
        false_sharing: Some(sum(&|held| held.false_sharing(level)).into()),
        messages: Some(messages).filter(|_| is_last),
        shared: false,
    };
    let write_backs = sum(&|held| held.traffic[level].write_backs);
    CacheMisses { threads: Some(threads), ..simulated(cache, blocks, misses, write_backs) }
}

/// Returns the misses of a level that all threads share.
fn shared_level(cache: &CacheDesign, level: usize, held: &ThreadsHeld, blocks: u64) -> CacheMisses {
    let by_thread: Vec<_> = held.threads.iter().map(|held| held.shared_misses(level)).collect();
    let misses = by_thread.iter().sum();
    let by_thread = by_thread.into_iter().map(Int::from).collect();
    let threads = ThreadMisses { by_thread, shared: true, ..ThreadMisses::default() };
    CacheMisses { threads: Some(threads), ..simulated(cache, blocks, misses, held.shared[level].write_backs) }
}

/// Returns the answer about a simulated cache, with so many cold misses.
pub(crate) fn simulated(cache: &CacheDesign, blocks: u64, misses: u64, write_backs: u64) -> CacheMisses {
    CacheMisses {
        name: cache.name.clone(),
        capacity: cache.capacity,
        lines: cache.lines,
        ways: cache.ways,
        misses: Misses { cold: Int::from(blocks), reuse: Int::from(misses.saturating_sub(blocks)) },
        write_backs: Some(Counted::exact(write_backs)),
        interval: None,
        threads: None,
    }
}
