//! `advise`: the order of loops and the tiles that make a program faster.
//!
//! - `written`: what is asked of a program, in whatever language; `c` and `mlir`: those languages,
//! - `call`: the arguments of a function in MLIR, to run it.

mod c;
mod call;
mod mlir;
mod written;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use similar::TextDiff;
use symloc_advise::results::{Agreement, ResultComparison, ResultKind};
use symloc_advise::run::Measured;
use symloc_advise::{
    Advice, AdviceQuestion, AdviseError, AdvisedOrder, Cost, GivenOrder, Hierarchy, LevelMisses, MissingOption, Nests,
    Sums, advise,
};
use symloc_affine::Line;
use symloc_isl::Context;
use symloc_llvm::Language;
use symloc_query::options::ParameterArgs;
use symloc_query::options::cache_design::CacheDesign;
use symloc_query::options::caches::{CacheArgs, single};
use symloc_query::{CliError, ExitStatus};
use symloc_report::answers::advice::{AdviceReport, ArrayMisses, OrderReport, Tolerances, WorkAmounts};
use symloc_report::answers::{AnswerCount, AnswerFormat, Answers};

use super::sizes_of;
use crate::clock::Clock;
use crate::dense::at_size;
use crate::input::{Enter, Input, LineArgs, ProgramArgs, lines_at};
use crate::watchdog::WatchArgs;
use c::CProgram;
use mlir::{MlirProgram, not_read};
use written::WrittenProgram;

/// The options of `advise`.
#[derive(Clone, Debug, Args)]
pub(crate) struct AdviseArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    lines: LineArgs,
    #[command(flatten)]
    watch: WatchArgs,
    #[command(flatten)]
    parameters: ParameterArgs,
    #[command(flatten)]
    caches: CacheArgs,
    /// Print so many orders; with --run, run them
    #[arg(long, value_name = "NUMBER", default_value_t = 5)]
    top: usize,
    /// Search for at most so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    search_time: u64,
    /// Compile the printed orders, run them on arrays with some numbers in them, and compare times and results
    #[arg(long)]
    run: bool,
    /// Look at this order alone: loops, outermost first, with the sizes of their tiles, such as 'k, i:32, j:64'; or
    /// scheduler:32, what isl's scheduler finds, in tiles of 32
    #[arg(long, value_name = "LOOPS")]
    order: Option<GivenOrder>,
    /// Sums, products, minima and maxima may be collected in another order: results are equal within rounding, no longer
    /// bit by bit
    #[arg(long)]
    reassociate: bool,
    /// Aligned text, or one JSON object
    #[arg(long, value_enum, default_value_t)]
    format: AnswerFormat,
    /// Print the best order as a unified diff of the source, instead of the answer
    #[arg(long, conflicts_with = "format")]
    diff: bool,
    /// Write the source with the best order to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl AdviseArgs {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let clock = Clock::start(&self.watch);
        clock.enter("reading");
        let written = self.written(&mut |phase| clock.enter(phase))?;
        let input = written.input();
        let sizes = sizes_of(&input.program, &super::grid_of(&input.program, &self.parameters)?.single()?)?;
        let nests = written.nests(&at_size(&input.program, &sizes)?)?;
        let (hierarchy, names) = self.hierarchy(&nests)?;
        clock.enter("searching");
        let sums = if self.reassociate { Sums::Reassociated } else { Sums::InOrder };
        let isl = Context::new().map_err(|error| refused(error.into()))?;
        let time = Duration::from_secs(self.search_time);
        let (top, given) = (self.top, self.order.as_ref());
        let question = AdviceQuestion { nests: &nests, sizes: &sizes, hierarchy: &hierarchy, time, top, given, sums };
        let mut advice = advise(&isl, &question).map_err(refused)?;
        let new_source = |order| written.new_source(&nests, &advice, order);
        let files = proposed(&advice).take(self.top).map(new_source).collect::<Result<Vec<_>, _>>()?;
        let measured = match self.run {
            true => {
                clock.enter("running");
                written.measure(&sizes, &files, self.comparison())?
            }
            false => Vec::new(),
        };
        clock.finish();
        advice.candidates.truncate(files.len());
        let best = chosen(&advice, &measured, files.len()).map(|place| &files[place]);
        if self.diff {
            if let Some(best) = best {
                self.write_diff(out, &written.text(), best)?;
            }
        } else {
            let mut answers = Answers::new(out, self.format, AnswerCount::One);
            let tolerances = (self.run && self.reassociate).then(tolerances);
            answers.push(AdviceReport { tolerances, ..report(input, &sizes, &advice, names, &measured) })?;
            answers.finish()?;
        }
        if let (Some(path), Some(best)) = (&self.output, best) {
            std::fs::write(path, best)
                .map_err(|error| CliError::refused(format!("{}: cannot write it: {error}", path.display())))?;
        }
        Ok(ExitStatus::Success)
    }

    /// Returns how results of orders are compared with those of the program as written.
    fn comparison(&self) -> ResultComparison {
        if self.reassociate { ResultComparison::Rounding } else { ResultComparison::Bytes }
    }

    /// Reads the program.
    fn written(&self, enter: Enter) -> Result<Box<dyn WrittenProgram + '_>, CliError> {
        let path = self.program.path();
        match Language::of(path) {
            Some(Language::C | Language::Cpp) => Ok(Box::new(CProgram::read(&self.program, enter)?)),
            None => Ok(Box::new(MlirProgram::read(&self.program, enter)?)),
            _ => Err(not_read(&path.display().to_string())),
        }
    }

    /// Writes the change of the source as a unified diff, for `patch -p0`.
    fn write_diff(&self, out: &mut dyn Write, before: &str, after: &str) -> Result<(), CliError> {
        let name = self.program.path().display().to_string();
        let diff = TextDiff::from_lines(before, after);
        write!(out, "{}", diff.unified_diff().header(&name, &name))?;
        Ok(())
    }

    /// Returns the caches and their names.
    fn hierarchy(&self, nests: &Nests) -> Result<(Hierarchy, Vec<String>), CliError> {
        let levels = self.caches.levels(|_| Ok(()))?;
        let levels = single(&levels)?;
        let line = match levels.iter().find_map(|level| level.cache.line_bytes) {
            Some(bytes) => Line::Bytes(bytes),
            None => match lines_at(&self.lines.lines(None), &nests.program, &[])?.as_slice() {
                [only] => *only,
                _ => return Err(CliError::refused("several line sizes: advise takes one")),
            },
        };
        let bytes = line.bytes(&nests.program);
        let built = levels.iter().map(|level| CacheDesign::new(level, bytes)).collect::<Result<Vec<_>, _>>()?;
        CacheDesign::check_order(&built)?;
        let designs = built.iter().map(|level| level.design(false)).collect::<Result<Vec<_>, _>>()?;
        let named = built.into_iter().enumerate();
        let names = named.map(|(index, level)| level.name.unwrap_or_else(|| format!("L{}", index + 1))).collect();
        Ok((Hierarchy { designs, line }, names))
    }
}

/// Returns the error of the search, with the option that makes a refused order legal.
fn refused(error: AdviseError) -> CliError {
    match error {
        AdviseError::NotLegal { missing: MissingOption::Reassociate, .. } => CliError::with_hint(
            error.to_string(),
            "it only adds up terms of a sum in another order, which rounds differently: --reassociate permits that",
        ),
        other => CliError::refused(other.to_string()),
    }
}

/// Returns the place of the order whose source is wanted: the one that the user gives, or the fastest, unless the program
/// as written is.
fn chosen(advice: &Advice, measured: &[Measured], orders: usize) -> Option<usize> {
    if advice.is_given && measured.iter().all(Measured::is_equal) {
        return (orders > 0).then_some(0);
    }
    fastest(measured).unwrap_or(usize::from(orders > 0)).checked_sub(1)
}

/// Returns the place of the fastest program with equal results, with the one as written at 0.
fn fastest(measured: &[Measured]) -> Option<usize> {
    let equal = measured.iter().enumerate().filter(|(_, measured)| measured.is_equal());
    equal.min_by(|(_, a), (_, b)| a.seconds.total_cmp(&b.seconds)).map(|(place, _)| place)
}

/// An order is worth proposing if it is predicted to be this many times as fast: below that the prediction may be wrong.
const WORTHWHILE: f64 = 1.15;

/// Returns the answer: the program as written, the orders that are predicted to be faster, and what was measured.
fn report(input: &Input, sizes: &[i64], advice: &Advice, levels: Vec<String>, measured: &[Measured]) -> AdviceReport {
    let (program, accesses) = (&input.program, &advice.scop.program.accesses);
    let order = |place: usize, order: &AdvisedOrder| {
        let Cost { misses, is_exact, work, cycles } = &order.cost;
        let measured = measured.get(place);
        let of_array = |array: usize| ArrayMisses {
            name: program.arrays[array].name.clone(),
            misses: misses.iter().map(|level| level.arrays[array]).collect(),
        };
        let is_touched = |array: &usize| accesses.iter().any(|access| access.array.index() == *array);
        OrderReport {
            moves: order.words.clone(),
            misses: misses.iter().map(LevelMisses::all).collect(),
            is_exact: *is_exact,
            arrays: (0..program.arrays.len()).filter(is_touched).map(of_array).collect(),
            cycles: *cycles,
            work: WorkAmounts {
                vectors: work.vectors,
                gathers: work.gathers,
                scalars: work.scalars,
                chain: work.chain,
                vector_divisions: work.vector_divisions,
                scalar_divisions: work.scalar_divisions,
                entries: work.entries,
                pages: work.pages,
                page_walks: work.page_walks,
                streamed: misses.iter().map(|level| level.streamed).collect(),
                scattered: misses.iter().map(|level| level.scattered).collect(),
            },
            seconds: measured.map(|measured| measured.seconds),
            is_equal: measured.map(Measured::is_equal),
            relative_difference: measured.and_then(|measured| match measured.agreement {
                Agreement::WithinRounding { largest } => Some(largest),
                Agreement::Identical | Agreement::Different => None,
            }),
            may_reorder_sums: order.sums == Sums::Reassociated,
        }
    };
    let orders: Vec<_> = proposed(advice).enumerate().map(|(place, candidate)| order(place + 1, candidate)).collect();
    let parameters = program.params.iter().zip(sizes).map(|(param, size)| (param.name.clone(), i128::from(*size)));
    let written = order(0, &advice.written);
    let is_promising = orders.iter().any(|order| order.cycles < written.cycles);
    AdviceReport {
        function: program.name.clone(),
        parameters: parameters.collect(),
        levels,
        written,
        helps: fastest(measured).map_or(is_promising, |place| place > 0),
        orders,
        is_partial: advice.is_partial,
        tolerances: None,
    }
}

/// Returns the relative differences that rounding explains.
fn tolerances() -> Tolerances {
    Tolerances { double: ResultKind::Double.tolerance(), float: ResultKind::Float.tolerance() }
}

/// Returns the orders that are predicted to be faster than the program as written, the fastest first; an order that the
/// user gives, whatever is predicted.
fn proposed(advice: &Advice) -> impl Iterator<Item = &AdvisedOrder> {
    let limit = if advice.is_given { f64::INFINITY } else { advice.written.cost.cycles / WORTHWHILE };
    advice.candidates.iter().filter(move |candidate| candidate.cost.cycles < limit)
}
