//! `query`: the misses in some caches, at one size or at many.

use std::io::Write;

use clap::{Args, ValueEnum};
use symloc_evaluate::{EvalError, Prediction};
use symloc_machine::Levels;
use symloc_model::Model;
use symloc_report::answers::misses::LevelMisses;
use symloc_report::answers::{AnswerCount, Answers};
use symloc_report::{AnswerHeader, MissModel};

use crate::answers::attribution::SizeAttribution;
use crate::answers::cache_in_lines::CacheInLines;
use crate::answers::fail_above::Failures;
use crate::answers::lower_bound::BoundedSize;
use crate::answers::question::Question;
use crate::answers::sampled::{SampledSize, Sampler, are_run_by_default};
use crate::answers::threads::ThreadNeeds;
use crate::answers::threads::every_count::EveryCount;
use crate::error::{CliError, ExitStatus};
use crate::options::attribution::AttributionArgs;
use crate::options::caches::{CacheArgs, forget_ways_of_machine};
use crate::options::samples::SampleArgs;
use crate::options::threads::{ThreadArgs, ThreadCounts};
use crate::options::{FormatArgs, GridArgs, ModelArgs, SizeArgs};
use crate::output::tell;
use symloc_report::ratio::Ratio;

/// The options of `query`.
#[derive(Clone, Debug, Args)]
pub struct QueryArgs {
    #[command(flatten)]
    pub(super) model: ModelArgs,
    #[command(flatten)]
    sizes: SizeArgs,
    #[command(flatten)]
    caches: CacheArgs,
    /// How misses are predicted: sampled by default where a cache has ways or a policy; else lru, if the model holds
    /// reuse distances
    #[arg(long = "model", value_name = "MODEL", value_enum, id = "miss_model")]
    miss_model: Option<AskedModel>,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    samples: SampleArgs,
    #[command(flatten)]
    attribution: AttributionArgs,
    /// Exit with 1 if the miss ratio of any level, at any point, is above this: 5% or 0.05
    #[arg(long, value_name = "RATIO", allow_hyphen_values = true)]
    fail_above: Option<Ratio>,
    /// Print the misses that no order of the same operations goes below, beside those of this one
    #[arg(long)]
    bound: bool,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    grid: GridArgs,
}

/// The model of misses that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AskedModel {
    /// Denning's working set, from reuse intervals; with ways, Smith's estimate over it
    Denning,
    /// Fully associative LRU, from reuse distances: exact; with ways, Smith's estimate over them
    Lru,
    /// Caches as they are built, ways and policies and levels behind each other, on samples of the run
    Sampled,
}

impl AskedModel {
    fn miss_model(self) -> MissModel {
        match self {
            AskedModel::Denning => MissModel::Denning,
            AskedModel::Lru => MissModel::Lru,
            // Attributed samples need the accesses and first touches of a prediction, which both models hold; this one takes less time.
            AskedModel::Sampled => MissModel::Denning,
        }
    }
}

impl QueryArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let model = match &self.threads.threads {
            Some(_) => self.model.source.load_with_threads()?,
            None => self.model.load()?,
        };
        self.check_threads()?;
        let sizes = self.sizes.grid(&model)?;
        let mut levels = self.caches.levels(|caches| self.grid.check(caches))?;
        let sampled = self.samples_are_wanted(&model, &levels);
        let run = match &self.threads.threads {
            Some(_) => self.threads_are_run(&model, sampled)?,
            None => false,
        };
        if !sampled && self.samples.places_arrays() {
            return Err(CliError::with_hint(
                "where arrays lie matters to samples only",
                "leave --layout and --base out, or ask for --model sampled",
            ));
        }
        self.check_bound(sampled)?;
        let alone = self.attribution.asked() && !sampled;
        let note = if alone { forget_ways_of_machine(&mut levels) } else { None };
        let counts = self.threads.threads.as_ref().map_or(1, ThreadCounts::count);
        self.grid.check(sizes.count().saturating_mul(levels.count()).saturating_mul(counts))?;
        let line = levels.line(self.model.line_bytes)?;
        let asked = if sampled || run { Some(AskedModel::Sampled) } else { self.miss_model };
        let miss_model = MissModel::choose(asked.map(AskedModel::miss_model), &model, line)?;
        let evaluator = self.sizes.evaluator(&model, line)?;
        let hierarchies: Vec<_> = levels.hierarchies().collect();
        let question = Question { model: &model, evaluator: &evaluator, miss_model, sizes: &sizes, hierarchies };
        let one_count = self.threads.threads.as_ref().is_none_or(ThreadCounts::is_single);
        let count =
            if sizes.is_single() && !levels.is_grid && one_count { AnswerCount::One } else { AnswerCount::Grid };
        let format = self.format.format();
        let mut failures = Failures::default();
        if let Some(counts) = &self.threads.threads {
            let answers = Answers::new(out, format, count);
            return Ok(self.ask_threads(&question, counts, [run, sampled], answers)?.finish());
        }
        if sampled {
            let notes = self.ask_samples(&question, out, count, &mut failures)?;
            notes.iter().for_each(|note| tell("note", note));
            return Ok(failures.finish());
        }
        match self.attribution.asked() {
            true => question.ask(Answers::new(out, format, count), |prediction, hierarchies| {
                let reports = self.attribution.reports(&question, prediction, hierarchies)?;
                for report in &reports {
                    failures.check(
                        self.fail_above.as_ref(),
                        &report.header,
                        report.levels.iter().map(|level| level.summary()),
                    );
                }
                Ok(reports)
            }),
            false => question.ask(Answers::new(out, format, count), |prediction, hierarchies| {
                let mut answers = misses(&question, prediction, hierarchies)?;
                if self.bound {
                    BoundedSize::new(&model, &evaluator, prediction)?.add_to(&mut answers);
                }
                failures.check_all(self.fail_above.as_ref(), &answers);
                Ok(answers)
            }),
        }?;
        note.iter().for_each(|note| tell("note", note));
        Ok(failures.finish())
    }

    /// Refuses what has no answer for threads.
    fn check_threads(&self) -> Result<(), CliError> {
        match &self.threads.threads {
            Some(_) if self.attribution.asked() => Err(CliError::with_hint(
                "misses of threads are not attributed to arrays, accesses or nests, nor counted in bytes",
                "leave --by and --traffic out, or ask about one thread, without --threads",
            )),
            _ => Ok(()),
        }
    }

    /// Refuses bounds of what they are not for.
    fn check_bound(&self, sampled: bool) -> Result<(), CliError> {
        let (other, hint) = match (sampled, &self.threads.threads, self.attribution.asked()) {
            (true, ..) => ("samples of runs", "give caches by their size alone, such as --cache 48KiB"),
            (_, Some(_), _) => ("several threads", "leave out --threads"),
            (.., true) => ("parts of the misses", "leave out --by and --traffic"),
            _ => return Ok(()),
        };
        match self.bound {
            false => Ok(()),
            true => Err(CliError::with_hint(
                format!("--bound is about all misses of one thread in fully associative caches, not about {other}"),
                hint,
            )),
        }
    }

    /// Returns true if the program has to be run on threads, and false if formulas answer.
    fn threads_are_run(&self, model: &Model, sampled: bool) -> Result<bool, CliError> {
        let formulas = self.miss_model.is_some_and(|asked| asked != AskedModel::Sampled);
        ThreadNeeds { model, args: &self.threads, built: sampled, formulas }.a_run()
    }

    /// Answers for threads, by running the program if `run`, on caches as they are built if `built`.
    fn ask_threads(
        &self,
        question: &Question<'_>,
        counts: &ThreadCounts,
        [run, built]: [bool; 2],
        answers: Answers<'_, LevelMisses>,
    ) -> Result<Failures, CliError> {
        let counts = counts.iter().collect();
        let every_count = match run {
            true => EveryCount::by_runs(question, &self.threads, counts, &self.samples, built)?,
            false => EveryCount::by_formulas(question, &self.threads, counts),
        };
        let mut failures = Failures::default();
        question.ask_sizes(answers, |sizes, give| {
            every_count.at(sizes, |answer| {
                failures.check_all(self.fail_above.as_ref(), std::slice::from_ref(&answer));
                give(answer)
            })
        })?;
        Ok(failures)
    }

    /// Answers from samples; returns notes, unless there are many answers.
    fn ask_samples(
        &self,
        question: &Question<'_>,
        out: &mut dyn Write,
        count: AnswerCount,
        failures: &mut Failures,
    ) -> Result<Vec<String>, CliError> {
        let sampler = Sampler::new(question.model, question.evaluator, &self.samples)?;
        let notes_on = |at: &SampledSize<'_>, levels| match count {
            AnswerCount::Grid => Ok(Vec::new()),
            AnswerCount::One => at.notes(levels),
        };
        let mut notes = Vec::new();
        let format = self.format.format();
        match self.attribution.asked() {
            true if question.model.sampled.is_some() => {
                return Err(CliError::with_hint(
                    "misses are not attributed to arrays, accesses or nests, nor counted in bytes, where the model holds no formulas of reuse",
                    "leave --by and --traffic out; for formulas derive fewer sizes with --assume, raise --max-operations, or wait for them with --time-limit",
                ));
            }
            true => question.ask_one_by_one(Answers::new(out, format, count), |prediction, give| {
                let at = sampler.at(prediction.totals())?;
                let of = SizeAttribution::new(question.model, question.evaluator, prediction)?;
                let groups = self.attribution.groups(&of)?;
                for levels in &question.hierarchies {
                    notes = notes_on(&at, levels)?;
                    let report = self.attribution.report(&of, &groups, at.fills(levels, &groups)?);
                    failures.check(
                        self.fail_above.as_ref(),
                        &report.header,
                        report.levels.iter().map(|level| level.summary()),
                    );
                    give(report)?;
                }
                Ok(())
            }),
            false => question.ask_sizes(Answers::new(out, format, count), |sizes, give| {
                let at = sampler.at(&question.evaluator.totals(sizes)?)?;
                for levels in &question.hierarchies {
                    notes = notes_on(&at, levels)?;
                    let answer = at.misses(levels)?;
                    failures.check(
                        self.fail_above.as_ref(),
                        &answer.header,
                        answer.levels.iter().map(|level| level.summary()),
                    );
                    give(answer)?;
                }
                Ok(())
            }),
        }?;
        Ok(notes)
    }

    /// Returns true if the query is answered from samples.
    fn samples_are_wanted(&self, model: &Model, levels: &Levels) -> bool {
        let by_default = self.samples.places_arrays() || model.sampled.is_some() || are_run_by_default(levels, model);
        self.miss_model.map_or(by_default, |asked| asked == AskedModel::Sampled)
    }
}

/// Returns the misses of each hierarchy at one size.
fn misses(
    question: &Question<'_>,
    prediction: &Prediction,
    hierarchies: &[Vec<CacheInLines>],
) -> Result<Vec<LevelMisses>, CliError> {
    let writes = question.evaluator.writes(question.miss_model, &prediction.place().sizes())?;
    let misses = |caches: &Vec<CacheInLines>| {
        Ok(LevelMisses {
            header: AnswerHeader::of_prediction(question.model, prediction),
            source: question.miss_model.into(),
            estimated: prediction.estimated(),
            falsely_shared: None,
            levels: caches
                .iter()
                .map(|cache| cache.ask_with(prediction, writes.as_ref()))
                .collect::<Result<_, EvalError>>()?,
        })
    };
    hierarchies.iter().map(misses).collect()
}
