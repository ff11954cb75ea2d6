//! The program of a model at one size, on threads: run as a whole, or each thread sampled by itself.

use symloc_affine::{Program, ThreadProgram};
use symloc_evaluate::{EvalError, Int, Misses, Totals};
use symloc_machine::NamedCache;
use symloc_replay::{Interleave, Threading, footprint_on_threads};
use symloc_report::Counted;
use symloc_report::answers::misses::{CacheMisses, LevelMisses, MissSource, ThreadMisses};

use super::formulas::{sizes, without_thread};
use super::orders::{ORDERS, in_several_orders};
use super::run::{MOST, SharedThreading, Simulation, levels};
use crate::answers::program::program;
use crate::answers::question::Question;
use crate::answers::sampled::{SampledSize, Sampler};
use crate::error::CliError;
use crate::options::cache_design::CacheDesign;
use crate::options::threads::ThreadArgs;

/// A question whose program is run on threads.
pub(crate) struct ThreadRuns<'q> {
    pub(crate) question: &'q Question<'q>,
    pub(crate) sampler: &'q Sampler<'q>,
    pub(crate) args: &'q ThreadArgs,
    /// The number of threads.
    pub(crate) count: u64,
    /// True if every cache sees all accesses, as formulas take it, and not what the one before it misses.
    pub(crate) apart: bool,
}

impl ThreadRuns<'_> {
    /// Refuses a number of threads that cannot be run.
    pub(crate) fn check(count: u64) -> Result<(), CliError> {
        if count <= MOST {
            return Ok(());
        }
        Err(CliError::with_hint(
            format!(
                "--threads {count}: no formulas answer this question, and a program is run on at most {MOST} threads"
            ),
            "give fewer threads",
        ))
    }

    /// Returns the misses of each hierarchy at a size.
    pub(crate) fn misses(&self, totals: &Totals) -> Result<Vec<LevelMisses>, CliError> {
        let at = self.sampler.at(totals)?;
        let runs = if self.has_several_orders() { ORDERS } else { 1 };
        let limit = self.args.max_accesses / runs;
        let is_short = at.header.accesses <= Int::from(limit);
        match is_short {
            true => self.question.hierarchies.iter().map(|caches| self.run(&at, caches)).collect(),
            false => match self.of_one_thread()? {
                Some(program) => self.sampled(&at, &program),
                None => Err(self.too_many(&at.header.accesses, runs)),
            },
        }
    }

    fn has_several_orders(&self) -> bool {
        self.args.shared_levels > 0 && self.args.interleave.is_none()
    }

    /// Returns the program of one thread, with the parameters of the model; `None` if it is not known, or if the question is about
    /// more than threads by themselves.
    fn of_one_thread(&self) -> Result<Option<Program>, CliError> {
        let Question { model, .. } = self.question;
        if model.threads.is_none() || self.args.shared_levels > 0 || self.args.interleave.is_some() {
            return Ok(None);
        }
        let threads = ThreadProgram::new(&program(&model.on_one_thread())?).ok();
        let named = |program: &Program| program.params.iter().map(|param| &param.name).eq(&model.parameters);
        Ok(threads.map(|threads| threads.program).filter(named))
    }

    fn too_many(&self, accesses: &Int, runs: u64) -> CliError {
        let limit = self.args.max_accesses;
        match runs {
            1 => CliError::with_hint(
                format!("limit: {accesses} accesses have to be run, more than {limit}"),
                "raise it with --max-accesses, or ask about a smaller size",
            ),
            _ => CliError::with_hint(
                format!("limit: {accesses} accesses have to be run in {runs} orders, together more than {limit}"),
                "raise it with --max-accesses, run one order with --interleave, or ask about a smaller size",
            ),
        }
    }

    /// Runs the program on one hierarchy.
    fn run(&self, at: &SampledSize<'_>, caches: &[&NamedCache]) -> Result<LevelMisses, CliError> {
        let built = at.built(caches)?;
        if !self.apart {
            CacheDesign::check_order(&built)?;
        }
        let mut header = without_thread(self.question.model, at.header.clone());
        let designs = built.iter().map(|level| level.design(header.element)).collect::<Result<Vec<_>, _>>()?;
        let threading = Threading {
            // There are at most `MOST`.
            threads: self.count as usize,
            interleave: self.args.interleave.unwrap_or(Interleave::Lockstep),
            limit: self.args.max_accesses,
        };
        let threads = SharedThreading::new(&self.sampler.program, threading, built.len(), self.args.shared_levels)?;
        let blocks = footprint_on_threads(&at.code, &at.memory, threading)?;
        let run = Simulation { code: &at.code, memory: &at.memory, caches: &built, blocks, apart: self.apart };
        let levels = if self.has_several_orders() {
            in_several_orders(&run, &designs, threads)
        } else {
            levels(&run, &designs, &threads)
        };
        header.blocks = Int::from(blocks);
        Ok(LevelMisses {
            header,
            source: MissSource::Simulated,
            estimated: Int::ZERO,
            falsely_shared: None,
            levels: levels?,
        })
    }

    /// Runs samples of each thread by itself, which does not see what others write.
    fn sampled(&self, at: &SampledSize<'_>, program: &Program) -> Result<Vec<LevelMisses>, CliError> {
        let Question { model, evaluator, hierarchies, .. } = self.question;
        let mut header = without_thread(model, at.header.clone());
        let sizes = sizes(&header);
        let copies = &evaluator.blocks_of_threads(&sizes, self.count)? - &evaluator.totals(&sizes)?.blocks;
        header.blocks += &copies;
        let mut threads: Vec<Vec<LevelMisses>> = Vec::new();
        for number in 0..self.count {
            // There are at most `MOST`.
            let memory = at.memory.of_thread(number as usize)?;
            let sampler = self.sampler.of_thread(program.clone(), memory, self.count);
            let sizes = model.on_thread(&sizes, number, self.count).map_err(EvalError::from)?;
            let at = sampler.at(&evaluator.totals(&sizes)?)?;
            threads.push(hierarchies.iter().map(|caches| at.misses(caches)).collect::<Result<_, _>>()?);
        }
        let of_hierarchy = |index: usize| {
            let of_threads: Vec<_> = threads.iter().map(|hierarchies| &hierarchies[index]).collect();
            let is_sampled = of_threads.iter().any(|thread| thread.source == MissSource::Sampled);
            let source = if is_sampled { MissSource::Sampled } else { MissSource::Simulated };
            let levels = (0..hierarchies[index].len())
                .filter_map(|level| sum(of_threads.iter().filter_map(|thread| thread.levels.get(level))));
            let levels = levels.collect();
            LevelMisses { header: header.clone(), source, estimated: Int::ZERO, falsely_shared: None, levels }
        };
        Ok((0..hierarchies.len()).map(of_hierarchy).collect())
    }
}

/// Returns the misses of all threads in a level, from those of each; `None` without a thread.
fn sum<'l>(of_threads: impl Iterator<Item = &'l CacheMisses>) -> Option<CacheMisses> {
    let mut total: Option<CacheMisses> = None;
    let mut by_thread = Vec::new();
    for level in of_threads {
        by_thread.push(level.misses.total());
        total = Some(match total {
            None => level.clone(),
            Some(sum) => plus(&sum, level),
        });
    }
    total.map(|total| CacheMisses { threads: Some(ThreadMisses { by_thread, ..ThreadMisses::default() }), ..total })
}

/// Returns the sum of two threads; its interval holds the sum if both intervals hold.
fn plus(sum: &CacheMisses, level: &CacheMisses) -> CacheMisses {
    let counted = |level: &CacheMisses| Counted::new(level.misses.total(), level.interval.clone());
    let misses = Misses { cold: &sum.misses.cold + &level.misses.cold, reuse: &sum.misses.reuse + &level.misses.reuse };
    let write_backs = sum.write_backs.as_ref().zip(level.write_backs.as_ref()).map(|(sum, more)| sum.plus(more));
    CacheMisses { misses, interval: counted(sum).plus(&counted(level)).interval, write_backs, ..sum.clone() }
}
