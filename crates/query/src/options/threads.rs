//! The options of questions about threads.

use std::str::FromStr;
use std::sync::Arc;

use clap::Args;
use symloc_machine::ranges::NumberList;
use symloc_model::Model;
use symloc_model::threads::{AllThreads, AllThreadsError};
use symloc_replay::Interleave;
use symloc_report::MissModel;

use super::ModelSource;
use crate::error::CliError;
use crate::output::tell;

/// The most threads of a question.
const MOST: u64 = 65_536;

/// The threads of a question, and how they are run where no formulas answer.
#[derive(Clone, Debug, Args)]
pub(crate) struct ThreadArgs {
    /// The misses of so many threads, each in caches of its own, and of all of them; or of several numbers of threads:
    /// 1,2,4 or 1..64:*2
    #[arg(long, value_name = "COUNTS")]
    pub(crate) threads: Option<ThreadCounts>,
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

/// The threads of a formula.
#[derive(Clone, Debug, Args)]
pub(crate) struct FormulaThreadArgs {
    /// The misses of so many threads together, each in a cache of its own, at sizes that they share evenly
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..=MOST_IN_FORMULA))]
    threads: Option<u64>,
}

/// The most threads of a formula, which has cases for each of them.
const MOST_IN_FORMULA: u64 = 64;

impl FormulaThreadArgs {
    /// Reads a model, as that of all threads if these are asked for, else as that of one.
    ///
    /// # Errors
    ///
    /// A refusal if the model cannot be read, or has no formulas for threads.
    pub(crate) fn load(&self, source: &ModelSource) -> Result<Arc<Model>, CliError> {
        let Some(count) = self.threads else { return source.load() };
        let model = source.load_with_threads()?;
        let together = model.on_threads(count).map_err(|error| {
            let hint = match error {
                AllThreadsError::NoThreads => {
                    "derive it with --parallel LOOP; where threads share a loop in chunks, `query --threads` answers at a size"
                }
                AllThreadsError::NoDistances => "derive it with --exact, or ask `query --threads` at a size",
                AllThreadsError::NotOneSize => "`query --threads` answers at a size",
            };
            CliError::with_hint(error.to_string(), hint)
        })?;
        let AllThreads { model, size, quotient, rest } = together;
        let rest = if rest == 0 { String::new() } else { format!(" + {rest}") };
        tell(
            "note",
            &format!(
                "misses of {count} threads together, each in a cache of its own, without those by coherence, for \
                 {size} = {count}*{quotient}{rest}"
            ),
        );
        Ok(Arc::new(model))
    }

    /// Refuses Denning's model for several threads.
    ///
    /// # Errors
    ///
    /// A refusal of that model.
    pub(crate) fn check(&self, miss_model: MissModel) -> Result<(), CliError> {
        match (self.threads, miss_model) {
            (Some(_), MissModel::Denning) => Err(CliError::with_hint(
                "threads have no common window of Denning's model",
                "leave --model out, or ask about one thread, without --threads",
            )),
            _ => Ok(()),
        }
    }
}

/// The numbers of threads of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ThreadCounts(NumberList);

impl ThreadCounts {
    /// Returns true if it is one number, and not a list.
    pub(crate) fn is_single(&self) -> bool {
        self.0.single().is_some()
    }

    /// Returns how many numbers there are.
    pub(crate) fn count(&self) -> u128 {
        self.0.count()
    }

    /// Returns the numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> {
        // Each is at most `MOST`.
        self.0.iter().map(|count| count as u64)
    }
}

impl FromStr for ThreadCounts {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let count = |text: &str| match text.parse::<u64>() {
            Ok(0) => Err("a program runs on at least one thread".to_owned()),
            Ok(count) if count > MOST => Err(format!("at most {MOST} threads are asked about")),
            Ok(count) => Ok(i128::from(count)),
            Err(_) => Err(format!("`{text}` is not a number of threads")),
        };
        NumberList::parse(text, count).map(Self)
    }
}
