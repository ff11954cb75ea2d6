//! `simulate --threads`: a program with parallel loops on several threads.

use clap::Args;
use symloc_affine::Program;
use symloc_query::CliError;
use symloc_query::answers::threads::run::{MOST, SharedThreading};
use symloc_replay::{Interleave, Threading};

/// The threads of a simulation.
#[derive(Clone, Debug, Args)]
pub(crate) struct ThreadArgs {
    /// Run the parallel loops of the program on so many threads, each with caches of its own
    #[arg(long, value_name = "COUNT", conflicts_with_all = ["histogram", "no_warping"])]
    threads: Option<usize>,
    /// With --threads: how they run in a parallel loop: lockstep (the first iteration of each, then the second), after
    /// (all of one thread, then all of the next) or random:SEED (access by access)
    #[arg(long, value_name = "ORDER", requires = "threads", default_value = "lockstep")]
    interleave: Interleave,
    /// With --threads: how many of the levels, counted from the last, all threads share
    #[arg(long, value_name = "LEVELS", requires = "threads", default_value_t = 0)]
    shared_levels: usize,
}

impl ThreadArgs {
    /// Refuses numbers of threads that cannot be simulated.
    pub(crate) fn check(&self) -> Result<(), CliError> {
        match self.threads {
            Some(0) => Err(CliError::with_hint("--threads 0: a program runs on at least one thread", "give 1 or more")),
            Some(count) if count as u64 > MOST => Err(CliError::with_hint(
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
        let threading = |threads| Threading { threads, interleave: self.interleave, limit };
        let shared = |threads| SharedThreading::new(program, threading(threads), levels, self.shared_levels);
        self.threads.map(shared).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(threads: Option<usize>) -> ThreadArgs {
        ThreadArgs { threads, interleave: Interleave::Lockstep, shared_levels: 0 }
    }

    #[test]
    fn threads_have_bounds() {
        assert!([Some(0), Some(1025)].iter().all(|threads| args(*threads).check().is_err()));
        assert!([None, Some(1), Some(1024)].iter().all(|threads| args(*threads).check().is_ok()));
    }
}
