//! The misses at one size on each of several numbers of threads.

use symloc_model::NamedSizes;
use symloc_report::answers::misses::LevelMisses;

use super::formulas;
use super::size::ThreadRuns;
use crate::answers::question::Question;
use crate::answers::sampled::Sampler;
use crate::error::CliError;
use crate::options::samples::SampleArgs;
use crate::options::threads::ThreadArgs;

/// A question about several numbers of threads.
pub(crate) struct EveryCount<'q> {
    question: &'q Question<'q>,
    args: &'q ThreadArgs,
    counts: Vec<u64>,
    /// The program, if it is run, and no formulas answer.
    sampler: Option<Sampler<'q>>,
    /// True if every cache sees all accesses, and not what the one before it misses.
    apart: bool,
}

impl<'q> EveryCount<'q> {
    /// Prepares a question that formulas answer.
    pub(crate) fn by_formulas(question: &'q Question<'q>, args: &'q ThreadArgs, counts: Vec<u64>) -> Self {
        Self { question, args, counts, sampler: None, apart: true }
    }

    /// Prepares a question whose program is run; on caches as they are built if `built`, and else on each by itself.
    ///
    /// # Errors
    ///
    /// A refusal of numbers of threads that cannot be run, or of a model without its program.
    pub(crate) fn by_runs(
        question: &'q Question<'q>,
        args: &'q ThreadArgs,
        counts: Vec<u64>,
        samples: &SampleArgs,
        built: bool,
    ) -> Result<Self, CliError> {
        counts.iter().try_for_each(|count| ThreadRuns::check(*count))?;
        let sampler = Some(Sampler::new(question.model, question.evaluator, samples)?);
        Ok(Self { question, args, counts, sampler, apart: !built && args.shared_levels == 0 })
    }

    /// Passes on the misses of each hierarchy at a size, for one number of threads after the other.
    ///
    /// # Errors
    ///
    /// Those of evaluations and of runs, and those of `give`.
    pub(crate) fn at(
        &self,
        sizes: &NamedSizes,
        mut give: impl FnMut(LevelMisses) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let Self { question, args, apart, .. } = *self;
        let Question { evaluator, miss_model, .. } = *question;
        sizes.are_of_all_threads(question.model)?;
        let Some(sampler) = &self.sampler else {
            let prediction = evaluator.predict(miss_model, sizes)?;
            let hierarchies = question.in_lines(&prediction)?;
            return self.counts.iter().try_for_each(|count| {
                formulas::misses(question, &prediction, &hierarchies, *count)?.into_iter().try_for_each(&mut give)
            });
        };
        let totals = evaluator.totals(sizes)?;
        self.counts.iter().try_for_each(|count| {
            let runs = ThreadRuns { question, sampler, args, count: *count, apart };
            runs.misses(&totals)?.into_iter().try_for_each(&mut give)
        })
    }
}
