//! The derivation of a program's model, and its checks.

use std::cell::Cell;

use symloc_affine::radix::has_tiles;
use symloc_affine::{
    Assumption, IterId, Layout, Line, Program, ThreadProgram, ThreadProgramError, arrays_of_one_row, padded_rows,
    rows_of_symbolic_lines,
};
use symloc_evaluate::MissModel;
use symloc_model::{LineModel, Model};
use symloc_reuse::{
    DeriveOptions, DerivedPart, Error, Limits, LineSizes, ModelOrigin, Phase, UnknownWriteBacks, Workers, derive,
};

use crate::check::{self, Checked, WrongWriteBacks};
use crate::error::DerivationError;
use crate::explain::{by_rows, explain, limit, unsuited};
use crate::lines::default_layout;
use crate::reading::Input;

/// The limit on the steps of one part of an access by default.
const MOST_OPERATIONS: u64 = 20_000_000;

/// The options of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelOptions {
    /// The layout of arrays; `None` for the default of the line sizes.
    pub layout: Option<Layout>,
    /// The line sizes.
    pub lines: LineSizes,
    /// Derive reuse distances too, for exact misses of LRU caches.
    pub exact: bool,
    /// Derive the write-backs of caches too.
    pub write_backs: bool,
    /// The limit on the steps of one part of an access; `None` for the default. There is none by default where a
    /// derivation that reaches it ends with an error.
    pub max_operations: Option<u64>,
    /// The processes that derive. A program that takes more than their limit has no formulas, as one that takes more than
    /// `max_operations`, unless the derivation would end with an error then; a single process without a limit is this one, and none is forked.
    pub workers: Workers,
}

impl ModelOptions {
    /// Returns the limit on the steps of one part of an access.
    fn operations(&self, is_sampled: bool) -> Option<u64> {
        self.max_operations.or(is_sampled.then_some(MOST_OPERATIONS))
    }

    /// Returns the limits of reuse distances. A distance that exceeds them is estimated, and the derivation goes on.
    fn distances(&self) -> Limits {
        self.max_operations.map_or_else(Limits::default, |most| Limits { window: most })
    }
}

/// A limit of a derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitKind {
    /// Elementary steps of isl.
    Operations,
    /// Processor time.
    Time,
}

/// Something that happens during a derivation.
#[derive(Clone, Copy, Debug)]
pub enum DerivationEvent<'e> {
    /// The derivation begins, of this program: that of one thread if loops are parallel.
    Begins(&'e Program),
    /// A phase begins.
    Enters(Phase),
    /// A part of an access was derived.
    Part(DerivedPart<'e>),
    /// A limit was reached, so the model has no formulas for misses.
    Sampled {
        /// The message about it.
        note: &'e str,
        /// The limit.
        limit: LimitKind,
    },
    /// The model of this program is complete, and is checked.
    Derived(&'e Program),
    /// The result of the RI sum test.
    Checked(Checked),
    /// A note about the model.
    Note(&'e str),
}

/// The remark on a model without classes.
const SAMPLED: &str = "the reuse of this program takes longer to derive than the limits allow: misses are estimated from samples of a run";

/// The remark on a model that lacks some distances.
const ESTIMATED: &str = "reuse distances of some accesses are not known: their reuse intervals stand in for them, so that misses of \
                         LRU caches are estimated";

/// Derives a model and checks it; tells `hear` of everything that happens.
///
/// # Errors
///
/// If the program does not fit the layout or the line sizes, if a limit was reached, or if a check fails.
pub fn model(
    input: &Input,
    options: &ModelOptions,
    hear: &dyn Fn(DerivationEvent<'_>),
) -> Result<Model, DerivationError> {
    let Input { name, checksum, program, remarks, assumptions, .. } = input;
    let lines = &options.lines;
    let layout = options.layout.unwrap_or_else(|| default_layout(lines));
    if let (Layout::Memory, LineSizes::Symbolic(_)) = (layout, lines) {
        return Err(DerivationError::with_hint(
            "where rows start in a line depends on its size, which --line leaves open",
            "choose --layout rows, or give the line size with --line-bytes",
        ));
    }
    if has_tiles(program) && matches!(lines, LineSizes::Symbolic(_)) {
        return Err(DerivationError::with_hint(
            "a symbolic line size and tiles of symbolic size in one model",
            "give the line size with --line-bytes in place of --line",
        ));
    }
    let threads = threads(program, lines, hear)?;
    if options.write_backs && (threads.is_some() || matches!(lines, LineSizes::Symbolic(_))) {
        let of = if threads.is_some() { "several threads" } else { "lines of a symbolic size" };
        return Err(DerivationError::with_hint(
            format!("the write-backs of {of} have no model"),
            "leave out --write-backs; `symloc simulate` counts them at a size",
        ));
    }
    let is_sampled = threads.is_none() && matches!(lines, LineSizes::Fixed(_));
    let phase = Cell::new(None);
    let deriving = DeriveOptions {
        distances: options.exact.then(|| options.distances()),
        max_operations: options.operations(is_sampled),
        workers: if is_sampled && !has_tiles(program) {
            options.workers
        } else {
            Workers { limit: None, ..options.workers }
        },
        write_backs: options.write_backs,
        threads: threads.as_ref(),
        enter: &|next| {
            phase.set(Some(next));
            hear(DerivationEvent::Enters(next));
        },
        derived: &|part| hear(DerivationEvent::Part(part)),
        ..DeriveOptions::new(layout, lines.clone())
    };
    let written = program;
    let program = threads.as_ref().map_or(program, |threads| &threads.program);
    hear(DerivationEvent::Begins(program));
    let derived = derive(program, &deriving);
    let derived = derived.map_err(|error| {
        let by_rows = || match error {
            symloc_reuse::Error::NoSize => by_rows(assumptions, &error.to_string()),
            _ => None,
        };
        limit(program, &error, phase.get()).or_else(by_rows).unwrap_or_else(|| explain(program, &error))
    })?;
    if derived.accesses.is_empty()
        && let Some(error) =
            by_rows(assumptions, "the program makes no access at any size that satisfies all conditions")
    {
        return Err(error);
    }
    if let Some(over) = &derived.over_limit {
        let note = sampled(program, &over.limit, phase.get());
        let limit = if matches!(over.limit, Error::Time { .. }) { LimitKind::Time } else { LimitKind::Operations };
        hear(DerivationEvent::Sampled { note: &note, limit });
    }
    hear(DerivationEvent::Derived(program));
    let padding = match options.layout {
        Some(Layout::Rows) => arrays_of_one_row(program),
        Some(Layout::Linear) => None,
        Some(Layout::Memory) | None => padding(program, lines)?,
    };
    let sampled = derived.over_limit.as_ref().map(|_| SAMPLED.to_owned());
    let padded = padding.as_ref().map(|padding| padding.text.clone());
    let unknown: Vec<_> =
        derived.unknown_write_backs.iter().map(|unknown| without_write_backs(program, unknown)).collect();
    let assumptions = &assumptions.iter().cloned().chain(padding).collect::<Vec<_>>();
    let origin = ModelOrigin { generator: concat!("symloc ", env!("CARGO_PKG_VERSION")), source: name, assumptions };
    let model = match &threads {
        Some(threads) => derived.into_thread_model(written, threads, layout, origin),
        None => derived.into_model(program, layout, origin),
    };
    let has_estimates = |line: &LineModel| line.distances.as_ref().is_some_and(|known| !known.estimated.is_empty());
    let estimated = model.lines.iter().any(has_estimates).then(|| ESTIMATED.to_owned());
    let remarks = remarks.iter().cloned().chain(padded).chain(sampled).chain(estimated).chain(unknown).collect();
    let model = Model { source_checksum: *checksum, remarks, ..model };
    checked(&model, program, layout, lines, hear)?;
    let wrong = check::write_backs(&model, program, layout, lines)?;
    Ok(without_wrong(model, wrong))
}

/// Removes write-backs that are wrong at some size, and says so.
fn without_wrong(mut model: Model, wrong: Vec<WrongWriteBacks>) -> Model {
    for WrongWriteBacks { position, miss_model, sizes } in wrong {
        let line = &mut model.lines[position];
        let Some(write_backs) = &mut line.write_backs else { continue };
        let (removed, of) = match miss_model {
            MissModel::Denning => (write_backs.classes.take().is_some(), INTERVAL),
            MissModel::Lru => (write_backs.distances.take().is_some(), DISTANCE),
        };
        if removed {
            let line = line_text(line.line_bytes.filter(|_| !line.element));
            let reason = format!("the longest {of}s after writes are not those of a run at the sizes {sizes:?}");
            model.remarks.push(format!("{WRITE_BACKS_UNKNOWN}, with {line}: {reason}"));
        }
    }
    model
}

/// The values of writes in remarks.
const INTERVAL: &str = "reuse interval";
const DISTANCE: &str = "reuse distance";

fn line_text(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "lines of one element".to_owned(), |bytes| format!("lines of {bytes} bytes"))
}

/// Returns the remark on a write whose write-backs have no formula.
fn without_write_backs(program: &Program, unknown: &UnknownWriteBacks) -> String {
    let place = &program.access(unknown.access).location;
    let line = match unknown.line {
        Line::Bytes(bytes) => line_text(Some(bytes)),
        Line::Element => line_text(None),
    };
    let of = if unknown.distances { DISTANCE } else { INTERVAL };
    format!("{place}: {WRITE_BACKS_UNKNOWN}, with {line}: the longest {of} after this write has no short formula")
}

/// The words that all remarks on missing write-backs have in common.
const WRITE_BACKS_UNKNOWN: &str = "write-backs are not known";

/// Returns the remarks of a model on write-backs that it lacks.
pub fn missing_write_backs(model: &Model) -> impl Iterator<Item = &str> {
    model.remarks.iter().map(String::as_str).filter(|remark| remark.contains(WRITE_BACKS_UNKNOWN))
}

/// Checks a model.
fn checked(
    model: &Model,
    program: &Program,
    layout: Layout,
    lines: &LineSizes,
    hear: &dyn Fn(DerivationEvent<'_>),
) -> Result<(), DerivationError> {
    let checked = check::intervals(model, program, layout, lines)?;
    if checked.identities + checked.samples == 0 && model.sampled.is_none() {
        hear(DerivationEvent::Note("the check that no reuse is missing was not possible at any size"));
    }
    hear(DerivationEvent::Checked(checked));
    check::distances(model, program, layout, lines)
}

/// Returns the program of one thread, if the program has parallel loops; `None`, with a note, if there is no such program
/// for every number of threads.
fn threads(
    program: &Program,
    lines: &LineSizes,
    hear: &dyn Fn(DerivationEvent<'_>),
) -> Result<Option<ThreadProgram>, DerivationError> {
    let name = |iter: IterId| &program.iters[iter.index()];
    let place = |iter: IterId| name(iter).location.as_ref().map_or_else(String::new, |place| format!("{place}: "));
    match ThreadProgram::new(program) {
        Ok(_) if has_tiles(program) => Err(DerivationError::with_hint(
            "threads and tiles of symbolic size in one model",
            "give the tile size with --assume in place of --tile, or leave the threads out",
        )),
        Ok(_) if matches!(lines, LineSizes::Symbolic(_)) => Err(DerivationError::with_hint(
            "threads and a symbolic line size in one model",
            "give the line size with --line-bytes in place of --line",
        )),
        Ok(threads) => Ok(Some(threads)),
        Err(ThreadProgramError::NoLoop) => Ok(None),
        Err(ThreadProgramError::Overflow(error)) => Err(DerivationError::refused(error.to_string())),
        Err(
            error @ (ThreadProgramError::Chunks(iter)
            | ThreadProgramError::Collapsed(iter)
            | ThreadProgramError::Tiles(iter)
            | ThreadProgramError::Varying(iter)),
        ) => {
            let text = format!(
                "{}the share of a thread in the parallel loop over {} is no formula: {error}; questions with --threads run the \
                 program instead",
                place(iter),
                name(iter).name,
            );
            hear(DerivationEvent::Note(&text));
            Ok(None)
        }
    }
}

/// Returns the assumption that rows are padded, if the formulas pad rows by default.
fn padding(program: &Program, lines: &LineSizes) -> Result<Option<Assumption>, DerivationError> {
    match lines {
        LineSizes::Fixed(lines) => padded_rows(program, lines).map_err(|error| unsuited(program, &error)),
        LineSizes::Symbolic(_) => Ok(rows_of_symbolic_lines(program)),
    }
}

/// Returns the note on a limit that left a model without formulas for misses.
fn sampled(program: &Program, error: &Error, phase: Option<Phase>) -> String {
    let reached = limit(program, error, phase).unwrap_or_else(|| explain(program, error));
    format!("{reached}; the model holds the numbers of accesses and of lines, and `query` samples misses")
}
