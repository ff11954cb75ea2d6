//! The options of questions about threads.

use clap::Args;
use symloc_replay::Interleave;

/// The most threads of a question.
const MOST: u64 = 65_536;

/// The threads of a question, and how they are run where no formulas answer.
#[derive(Clone, Debug, Args)]
pub(crate) struct ThreadArgs {
    /// The misses of so many threads, each in caches of its own, and of all of them
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..=MOST))]
    pub(crate) threads: Option<u64>,
    /// With --threads: how many of the levels, counted from the last, all threads share; the program is run
    #[arg(long, value_name = "LEVELS", requires = "threads", default_value_t = 0)]
    pub(crate) shared_levels: usize,
    /// With --threads: run the program in this order: lockstep (the first iteration of each thread, then the second),
    /// after (all of one thread, then all of the next) or random:SEED (access by access); by default, where levels are
    /// shared, in several orders
    #[arg(long, value_name = "ORDER", requires = "threads")]
    pub(crate) interleave: Option<Interleave>,
    /// With --threads: give up if the program has to be run and there are more accesses, over all runs; 20 million take
    /// a second
    #[arg(long, value_name = "COUNT", requires = "threads", default_value_t = 200_000_000)]
    pub(crate) max_accesses: u64,
}
