//! The misses of threads by running the program: each level of caches is of each thread or shared by all.

use symloc_affine::Program;
use symloc_cache::Design;
use symloc_evaluate::{Int, Misses};
use symloc_replay::{Code, Interleave, MemoryMap, ThreadHeld, Threading, ThreadsHeld, replay_on_threads};
use symloc_report::Counted;
use symloc_report::answers::misses::{CacheMisses, CoherenceMessages, ParallelAccesses, ThreadMisses};

use crate::error::CliError;
use crate::options::cache_design::CacheDesign;

/// The most threads of a run.
pub const MOST: u64 = 1024;

/// A program and its arrays in memory, with the caches to simulate.
#[derive(Clone, Copy)]
pub struct Simulation<'s> {
    /// The program at its size.
    pub code: &'s Code<'s>,
    /// The addresses of its arrays.
    pub memory: &'s MemoryMap,
    /// The levels, from the nearest to the processor to the farthest.
    pub caches: &'s [CacheDesign],
    /// The number of distinct blocks of all accesses.
    pub blocks: u64,
    /// True if every cache sees all accesses, and not what the one before it misses.
    pub apart: bool,
}

/// The threads of a run, and the levels that they share.
#[derive(Clone, Copy)]
pub struct SharedThreading {
    /// The threads, their order and the limit on accesses.
    pub threading: Threading,
    /// The number of levels that each thread has for itself.
    pub own: usize,
}

impl SharedThreading {
    /// Creates the threads of a run on so many levels of caches, the last of which all threads share.
    ///
    /// # Errors
    ///
    /// A refusal if the program has no loop that several threads could share, or fewer levels than are shared.
    pub fn new(program: &Program, threading: Threading, levels: usize, shared: usize) -> Result<Self, CliError> {
        let threads = threading.threads;
        if threads > 1 && program.iters.iter().all(|iter| iter.parallel.is_none()) {
            return Err(CliError::with_hint(
                format!("{} has no parallel loop that {threads} threads could share", program.name),
                "name one with --parallel LOOP",
            ));
        }
        let own = levels.checked_sub(shared).ok_or_else(|| {
            let given = format!("--shared-levels {shared}, but the number of levels is {levels}");
            CliError::with_hint(given, "give each level with --cache, those that all threads share last")
        })?;
        Ok(Self { threading, own })
    }

    /// Returns these threads in another order.
    #[must_use]
    pub fn in_order(self, interleave: Interleave) -> Self {
        Self { threading: Threading { interleave, ..self.threading }, ..self }
    }
}

/// Returns the misses of each level on threads.
///
/// # Errors
///
/// Those of [`replay_on_threads`].
pub fn levels(
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
        ..ThreadMisses::default()
    };
    let write_backs = sum(&|held| held.traffic[level].write_backs);
    CacheMisses { threads: Some(threads), ..simulated(cache, blocks, misses, write_backs) }
}

/// Returns the misses of a level that all threads share.
fn shared_level(cache: &CacheDesign, level: usize, held: &ThreadsHeld, blocks: u64) -> CacheMisses {
    let by_thread: Vec<_> = held.threads.iter().map(|held| held.shared_misses(level)).collect();
    let misses = by_thread.iter().sum();
    let by_thread = by_thread.into_iter().map(Int::from).collect();
    let work = ParallelAccesses { all: held.work.all.into(), busiest: held.work.busiest.into() };
    let threads = ThreadMisses { by_thread, shared: true, work: Some(work), ..ThreadMisses::default() };
    CacheMisses { threads: Some(threads), ..simulated(cache, blocks, misses, held.shared[level].write_backs) }
}

/// Returns the answer about a simulated cache, for a program that touches so many blocks. Each misses at its first touch, unless it
/// was prefetched.
pub fn simulated(cache: &CacheDesign, blocks: u64, misses: u64, write_backs: u64) -> CacheMisses {
    CacheMisses {
        name: cache.name.clone(),
        capacity: cache.capacity,
        lines: cache.lines,
        ways: cache.ways,
        misses: Misses { cold: Int::from(blocks.min(misses)), reuse: Int::from(misses.saturating_sub(blocks)) },
        write_backs: Some(Counted::exact(write_backs)),
        interval: None,
        threads: None,
        bound: None,
    }
}

#[cfg(test)]
mod tests {
    use symloc_affine::builder::ProgramBuilder;
    use symloc_affine::{Line, Schedule};
    use symloc_machine::NamedCache;
    use symloc_replay::{MemoryLayout, Survey};

    use super::*;

    /// Two loops over 64 elements of eight bytes: one in parallel that writes them, and then one that reads them.
    fn program() -> Program {
        let mut b = ProgramBuilder::new("write_and_read");
        let x = b.fixed_array("x", 8, &[64]);
        b.for_("t", 0, 2, |b, _| {
            b.for_("i", 0, 64, |b, i| _ = b.write(x, [i]));
            b.for_("j", 0, 64, |b, j| _ = b.read(x, [j]));
        });
        let mut program = b.build();
        program.iters[1].parallel = Some(Schedule::Blocks.into());
        program
    }

    fn threading(program: &Program, threads: usize, shared: usize) -> Result<SharedThreading, CliError> {
        SharedThreading::new(
            program,
            Threading { threads, interleave: Interleave::Lockstep, limit: u64::MAX },
            2,
            shared,
        )
    }

    fn simulated_on(threads: usize, shared_levels: usize, apart: bool) -> Vec<CacheMisses> {
        let program = program();
        let code = Code::new(&program, &[]).unwrap();
        let survey = Survey::of(&code).unwrap();
        let memory = MemoryMap::new(&program, &survey, MemoryLayout::Linear, &[], Line::Bytes(64)).unwrap();
        let cache = |size: &str| CacheDesign::new(&NamedCache { name: None, cache: size.parse().unwrap() }, Some(64));
        let caches = ["256", "1KiB"].map(|size| cache(size).unwrap());
        let designs: Vec<_> = caches.iter().map(|cache| cache.design(false).unwrap()).collect();
        let threading = threading(&program, threads, shared_levels).unwrap();
        levels(&Simulation { code: &code, memory: &memory, caches: &caches, blocks: 8, apart }, &designs, &threading)
            .unwrap()
    }

    /// Returns misses by thread, cold ones of all, and those by true and by false sharing.
    fn counts(level: &CacheMisses) -> (Vec<Int>, Int, Option<Int>, Option<Int>) {
        let threads = level.threads.clone().unwrap();
        assert_eq!(level.misses.total(), threads.by_thread.iter().fold(Int::ZERO, |sum, misses| &sum + misses));
        assert_eq!(threads.shared, threads.coherence.is_none());
        (threads.by_thread, level.misses.cold.clone(), threads.coherence, threads.false_sharing)
    }

    /// Returns upgrades, invalidations and transfers.
    fn messages(level: &CacheMisses) -> Option<[Int; 3]> {
        let messages = level.threads.clone()?.messages?;
        Some([messages.upgrades, messages.invalidations, messages.transfers])
    }

    /// Two threads write four lines each, then the first one reads all eight; and again. The nearest cache holds four lines, the
    /// other one all.
    #[test]
    fn levels_are_of_each_thread_or_shared() {
        let ints = |counts: &[u64]| counts.iter().map(|count| Int::from(*count)).collect::<Vec<_>>();
        let int = |count: u64| Some(Int::from(count));
        let nearest = (ints(&[16, 4]), Int::from(12_u64), int(0), int(0));
        let farther = (ints(&[8, 4]), Int::from(12_u64), int(4), int(0));
        let shared = (ints(&[4, 4]), Int::from(8_u64), None, None);
        for apart in [false, true] {
            let own = simulated_on(2, 0, apart);
            assert_eq!((counts(&own[0]), counts(&own[1])), (nearest.clone(), farther.clone()));
            assert_eq!(messages(&own[1]), Some([4, 4, 8].map(|count: u64| Int::from(count))));
            // Where the nearest cache is the last one before others, it has dropped what the other thread writes.
            let dropped = Some([4, 0, 8].map(|count: u64| Int::from(count)));
            assert_eq!(messages(&own[0]), dropped.clone().filter(|_| apart));
            let last = simulated_on(2, 1, apart);
            assert_eq!((counts(&last[0]), counts(&last[1])), (nearest.clone(), shared.clone()));
            assert_eq!((messages(&last[0]), messages(&last[1])), (dropped, None));
        }
        let all = simulated_on(2, 2, true);
        assert_eq!(counts(&all[1]), shared);
    }

    #[test]
    fn threads_need_work_and_levels() {
        let mut program = program();
        let refused = |program: &Program, threads, shared| {
            threading(program, threads, shared).err().map(|error| error.to_string())
        };
        assert_eq!(refused(&program, 2, 2), None);
        assert!(refused(&program, 2, 3).is_some_and(|error| error.contains("--shared-levels 3")));
        program.iters.iter_mut().for_each(|iter| iter.parallel = None);
        assert_eq!(refused(&program, 1, 0), None);
        assert!(refused(&program, 2, 0).is_some_and(|error| error.contains("no parallel loop")));
    }
}
