//! The derivation of a program's model, with phases, progress and limits.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use clap::Args;
use symloc_affine::{
    Assumption, AssumptionKind, IterId, Layout, LayoutError, Program, ThreadProgram, ThreadProgramError, padded_rows,
    rows_of_symbolic_lines,
};
use symloc_model::Model;
use symloc_query::{CliError, output};
use symloc_report::subject::{RowSubject, RowsBy, place};
use symloc_reuse::{DeriveOptions, Error, Limits, LineSizes, ModelOrigin, derive};

use crate::advice::fewer_sizes;
use crate::check;
use crate::clock::Clock;
use crate::costs::AccessCosts;
use crate::input::{Input, LayoutArgs, LayoutChoice};
use crate::watchdog::WatchArgs;

/// The limit on the steps of one part of an access by default.
const MOST_OPERATIONS: u64 = 20_000_000;

/// The limits of a derivation.
#[derive(Clone, Debug, Args)]
pub(crate) struct LimitArgs {
    #[command(flatten)]
    pub watch: WatchArgs,
    /// Derive accesses in so many processes at once; the model is the same [default: one for each core]
    #[arg(long, value_name = "COUNT")]
    jobs: Option<NonZeroUsize>,
    /// Derive no formulas if one part of an access takes more elementary steps of isl, and sample misses at each size
    /// instead; a million is of the order of a second [default: 20 million]. With --exact also for a distance, whose
    /// reuse interval then stands in for it (10 million by default)
    #[arg(long, value_name = "COUNT")]
    pub max_operations: Option<u64>,
    /// Reuse distances too, for exact misses of LRU caches
    #[arg(long)]
    pub exact: bool,
}

impl LimitArgs {
    /// Returns the number of processes that derive.
    fn workers(&self) -> usize {
        self.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }

    /// Returns the limit on the steps of one part of an access. By default there is none where a derivation that reaches it
    /// ends with an error.
    fn operations(&self, is_sampled: bool) -> Option<u64> {
        self.max_operations.or(is_sampled.then_some(MOST_OPERATIONS))
    }

    /// Returns the limits that a model depends on.
    pub(crate) fn of_the_model(&self) -> impl std::fmt::Debug {
        (self.exact, self.max_operations)
    }

    /// Returns the limits of reuse distances. A distance that exceeds them is estimated, and the derivation goes on.
    fn distances(&self) -> Limits {
        self.max_operations.map_or_else(Limits::default, |most| Limits { window: most })
    }
}

/// Derives a model and checks it.
pub(crate) fn model(input: &Input, layout: &LayoutArgs, limits: &LimitArgs, clock: &Clock) -> Result<Model, CliError> {
    let Input { name, checksum, program, remarks, assumptions, line, .. } = input;
    let chosen = layout.layout;
    let (layout, lines) = (layout.layout(*line), layout.lines(*line));
    if let (Layout::Memory, LineSizes::Symbolic(_)) = (layout, &lines) {
        return Err(CliError::with_hint(
            "where rows start in a line depends on its size, which --line leaves open",
            "choose --layout rows, or give the line size with --line-bytes",
        ));
    }
    let threads = threads(program, &lines)?;
    let is_sampled = threads.is_none() && matches!(lines, LineSizes::Fixed(_));
    let costs = RefCell::new(AccessCosts::default());
    let options = DeriveOptions {
        distances: limits.exact.then(|| limits.distances()),
        max_operations: limits.operations(is_sampled),
        workers: limits.workers(),
        threads: threads.as_ref(),
        enter: &|phase| clock.enter(phase),
        derived: &|part| {
            clock.advance(part.done, part.total);
            costs.borrow_mut().add(part);
        },
        ..DeriveOptions::new(layout, lines.clone())
    };
    let written = program;
    let program = threads.as_ref().map_or(program, |threads| &threads.program);
    clock.advise(fewer_sizes(program, layout, &lines));
    let derived = derive(program, &options);
    let derived = derived.map_err(|error| limit(program, &error, clock).unwrap_or_else(|| explain(program, &error)))?;
    if let Some(over) = &derived.over_limit {
        tell_limit(program, &over.limit, clock);
    }
    clock.enter("checking");
    clock.costs(costs.into_inner().report(program, layout, &lines));
    let padding = match chosen {
        Some(LayoutChoice::Rows | LayoutChoice::Linear) => None,
        Some(LayoutChoice::Memory) | None => padding(program, &lines)?,
    };
    let sampled = derived.over_limit.as_ref().map(|_| SAMPLED.to_owned());
    let padded = padding.iter().map(|padding| padding.text.clone());
    let remarks = remarks.iter().cloned().chain(padded).chain(sampled).collect();
    let assumptions = &assumptions.iter().cloned().chain(padding).collect::<Vec<_>>();
    let origin = ModelOrigin { generator: concat!("symloc ", env!("CARGO_PKG_VERSION")), source: name, assumptions };
    let model = match &threads {
        Some(threads) => derived.into_thread_model(written, threads, layout, origin),
        None => derived.into_model(program, layout, origin),
    };
    let model = Model { source_checksum: *checksum, remarks, ..model };
    let checked = check::ri_sums(&model, program)?;
    if checked.identities + checked.samples == 0 && model.sampled.is_none() {
        output::tell("note", "the check that no reuse is missing was not possible at any size");
    }
    clock.checked(checked);
    check::distances(&model, program, layout, &lines)?;
    Ok(model)
}

/// Returns the program of one thread, if the program has parallel loops; `None`, with a note, if there is no such program
/// for every number of threads.
fn threads(program: &Program, lines: &LineSizes) -> Result<Option<ThreadProgram>, CliError> {
    let name = |iter: IterId| &program.iters[iter.index()];
    let place = |iter: IterId| name(iter).location.as_ref().map_or_else(String::new, |place| format!("{place}: "));
    match ThreadProgram::new(program) {
        Ok(_) if matches!(lines, LineSizes::Symbolic(_)) => Err(CliError::with_hint(
            "threads and a symbolic line size in one model",
            "give the line size with --line-bytes in place of --line",
        )),
        Ok(threads) => Ok(Some(threads)),
        Err(ThreadProgramError::NoLoop) => Ok(None),
        Err(ThreadProgramError::Overflow(error)) => Err(CliError::refused(error.to_string())),
        Err(
            error @ (ThreadProgramError::Chunks(iter)
            | ThreadProgramError::Collapsed(iter)
            | ThreadProgramError::Varying(iter)),
        ) => {
            let text = format!(
                "{}the share of a thread in the parallel loop over {} is no formula: {error}; questions with --threads run the \
                 program instead",
                place(iter),
                name(iter).name,
            );
            output::tell("note", &text);
            Ok(None)
        }
    }
}

/// Returns the assumption that rows are padded, if the formulas pad rows by default.
fn padding(program: &Program, lines: &LineSizes) -> Result<Option<Assumption>, CliError> {
    match lines {
        LineSizes::Fixed(lines) => padded_rows(program, lines).map_err(|error| unsuited(program, &error)),
        LineSizes::Symbolic(_) => Ok(rows_of_symbolic_lines(program)),
    }
}

/// Prints the notes about a model.
pub(crate) fn remark(model: &Model) -> Result<(), CliError> {
    let padding = model.assumptions.iter().filter(|assumption| assumption.kind == AssumptionKind::Padding.name());
    padding.for_each(|padding| output::tell("note", &padding.text));
    if let Some(note) = estimates(model)? {
        output::tell("note", &note);
    }
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

/// The remark on a model without classes.
const SAMPLED: &str =
    "the reuse of this program takes more steps than the limit to derive: misses are estimated from samples of a run";

/// Prints the limit that a derivation has reached, and the ways to avoid it.
fn tell_limit(program: &Program, limit: &Error, clock: &Clock) {
    let reached = match limit {
        Error::Limit { access, limit } => {
            format!("{}: {limit}, for the reuse of this access", program.access(*access).location)
        }
        _ => format!("{limit}, during {}", clock.phase()),
    };
    output::tell(
        "note",
        &format!("{reached}; the model holds the numbers of accesses and of lines, and `query` samples misses"),
    );
    output::tell("help", &clock.help("--max-operations"));
}

/// Returns the error for a derivation that reached a limit; `None` for other errors.
fn limit(program: &Program, error: &Error, clock: &Clock) -> Option<CliError> {
    let help = clock.help("--max-operations");
    match error {
        Error::Isl(symloc_isl::Error::Limit { .. }) | Error::Endless(_) => {
            Some(CliError::with_hint(format!("{error}, during {}", clock.phase()), help))
        }
        Error::Limit { access, limit } => {
            let location = &program.access(*access).location;
            Some(CliError::Diagnostics(format!(
                "{location}: error: {limit}, for the reuse of this access\nhelp: {help}\n"
            )))
        }
        _ => None,
    }
}

/// Turns an error of a derivation into an error of the command.
pub(crate) fn explain(program: &Program, error: &Error) -> CliError {
    match error {
        Error::Layout(layout) => unsuited(program, layout),
        Error::Line(line) => {
            let location = &program.access(line.access).location;
            CliError::Diagnostics(format!(
                "{location}: error: {error}\nhelp: give the line size, with --line-bytes in place of --line\n"
            ))
        }
        Error::Worker { access, reason } => {
            let location = &program.access(*access).location;
            CliError::Diagnostics(format!(
                "{location}: error: the process that derived the reuse of this access {reason}\nhelp: if memory is short, use fewer with \
                 --jobs\n"
            ))
        }
        Error::NoSize => CliError::with_hint(error.to_string(), "the conditions of --assume contradict each other"),
        _ => CliError::refused(error.to_string()),
    }
}

/// Returns the error for a program that does not fit the layout, at the array that does not.
fn unsuited(program: &Program, error: &LayoutError) -> CliError {
    let (array, hint) = match error {
        LayoutError::ElementSize { array, .. } => (array, "choose other --line-bytes, or --element"),
        LayoutError::SymbolicStrides { array } => (
            array,
            "choose --layout rows, or give the memref a constant shape; `symloc simulate --layout linear` has it for given sizes",
        ),
        LayoutError::Overflow(_) => return CliError::refused(error.to_string()),
    };
    match program.arrays.iter().find(|a| a.name == *array) {
        Some(array) => CliError::Diagnostics(format!("{}: error: {error}\nhelp: {hint}\n", array.location)),
        None => CliError::with_hint(error.to_string(), hint),
    }
}
