//! The derivation of a program's model, with phases, progress and limits.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::time::Duration;

use clap::Args;
use symloc_affine::{AssumptionKind, Program};
use symloc_derivation::model::{DerivationEvent, LimitKind, ModelOptions, missing_write_backs};
use symloc_model::Model;
use symloc_query::{CliError, output};
use symloc_report::subject::{RowSubject, RowsBy, place};
use symloc_reuse::{Error, Workers};

use crate::advice::fewer_sizes;
use crate::clock::Clock;
use crate::costs::AccessCosts;
use crate::input::{Input, LayoutArgs};
use crate::refusal::{limited, told};
use crate::watchdog::WatchArgs;

/// The processor time of each process that derives a program, after which the model is one without formulas, whose misses are sampled.
const PATIENCE: Duration = Duration::from_secs(25);

/// The limits of a derivation.
#[derive(Clone, Debug, Args)]
pub(crate) struct LimitArgs {
    #[command(flatten)]
    pub watch: WatchArgs,
    /// Derive accesses in so many processes at once; the model is the same [default: one for each core]
    #[arg(long, value_name = "COUNT")]
    jobs: Option<NonZeroUsize>,
    /// Derive no formulas if one part of an access takes more elementary steps of isl, and sample misses at each size
    /// instead; a million is of the order of a second [default: 20 million, and 25 seconds of processor time in each
    /// process unless --time-limit says how long it may take]. With --exact also for a distance, whose
    /// reuse interval then stands in for it (10 million by default)
    #[arg(long, value_name = "COUNT")]
    pub max_operations: Option<u64>,
    /// Reuse distances too, for exact misses of LRU caches
    #[arg(long)]
    pub exact: bool,
}

impl LimitArgs {
    /// Returns the processes that derive. Who says how long it may take, in time or in steps, gets formulas or an error.
    fn workers(&self) -> Workers {
        let count = self.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        let is_told = self.max_operations.is_some() || self.watch.has_time_limit();
        Workers { count, limit: (!is_told).then_some(PATIENCE) }
    }

    /// Returns the limits that a model depends on.
    pub(crate) fn of_the_model(&self) -> impl std::fmt::Debug {
        (self.exact, self.max_operations)
    }
}

/// Derives a model and checks it.
pub(crate) fn model(input: &Input, layout: &LayoutArgs, limits: &LimitArgs, clock: &Clock) -> Result<Model, CliError> {
    with_write_backs(input, layout, (limits, false), clock)
}

/// Returns the program that hints are about: that of one thread has parameters which nobody gives.
fn of_all_threads<'p>(input: &'p Input, derived: &'p Program) -> &'p Program {
    let is_shared = input.program.iters.iter().any(|iter| iter.parallel.is_some());
    if is_shared { &input.program } else { derived }
}

/// Derives a model, with the write-backs of caches if these are `wanted`, and checks it.
pub(crate) fn with_write_backs(
    input: &Input,
    layout: &LayoutArgs,
    (limits, wanted): (&LimitArgs, bool),
    clock: &Clock,
) -> Result<Model, CliError> {
    let lines = layout.lines(input.line);
    let costs = RefCell::new(AccessCosts::default());
    let hear = |event: DerivationEvent<'_>| match event {
        DerivationEvent::Begins(program) => {
            clock.advise(fewer_sizes(of_all_threads(input, program), layout.layout(input.line), &lines));
        }
        DerivationEvent::Enters(phase) => clock.enter(phase),
        DerivationEvent::Part(part) => {
            clock.advance(part.done, part.total);
            costs.borrow_mut().add(part);
        }
        DerivationEvent::Sampled { note, limit } => {
            output::tell("note", note);
            let option = match limit {
                LimitKind::Operations => "--max-operations",
                LimitKind::Time => "--time-limit",
            };
            output::tell("help", &clock.help(option));
        }
        DerivationEvent::Derived(program) => {
            clock.enter("checking");
            let program = of_all_threads(input, program);
            clock.costs(costs.take().report(program, layout.layout(input.line), &lines));
        }
        DerivationEvent::Checked(checked) => clock.checked(checked),
        DerivationEvent::Note(note) => output::tell("note", note),
    };
    let options = ModelOptions {
        layout: layout.chosen(),
        lines: lines.clone(),
        exact: limits.exact,
        write_backs: wanted,
        max_operations: limits.max_operations,
        workers: limits.workers(),
    };
    symloc_derivation::model::model(input, &options, &hear)
        .map_err(|error| limited(error, || clock.help("--max-operations")))
}

/// Prints the notes about a model.
pub(crate) fn remark(model: &Model) -> Result<(), CliError> {
    let padding = model.assumptions.iter().filter(|assumption| assumption.kind == AssumptionKind::Padding.name());
    padding.for_each(|padding| output::tell("note", &padding.text));
    if let Some(note) = estimates(model)? {
        output::tell("note", &note);
    }
    missing_write_backs(model).for_each(|note| output::tell("note", note));
    Ok(())
}

/// The most estimated accesses that a note names.
const NAMED: usize = 3;

/// Returns a note on the accesses whose distances could not be derived, if there are any.
fn estimates(model: &Model) -> Result<Option<String>, CliError> {
    let outline = model.outline()?;
    let distances = model.lines.iter().filter_map(|line| line.distances.as_ref());
    let counts = distances.flat_map(|distances| &distances.estimated).flat_map(|class| &class.counts);
    let estimated: BTreeSet<usize> = counts.filter_map(|count| count.access).collect();
    if estimated.is_empty() {
        return Ok(None);
    }
    let named = estimated.iter().take(NAMED).map(|index| {
        let subject = RowSubject::new(outline, RowsBy::Access, *index);
        let place = subject.place().map_or_else(String::new, |access| format!(" ({})", place(access)));
        format!("{}{place}", subject.name())
    });
    let more = if estimated.len() > NAMED { ", …" } else { "" };
    Ok(Some(format!(
        "distances of {} of {} accesses take more steps than the limit, or have formulas that are too long: {}{more}; their reuse \
         intervals stand in for them, and answers say for how many; --max-operations raises the limit on steps",
        estimated.len(),
        outline.accesses.len(),
        named.collect::<Vec<_>>().join(", ")
    )))
}

/// Turns an error of a derivation into an error of the command.
pub(crate) fn explain(program: &Program, error: &Error) -> CliError {
    told(symloc_derivation::explain(program, error))
}
