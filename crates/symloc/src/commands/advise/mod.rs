//! `advise`: the order of loops and the tiles that make a program faster.
//!
//! - `written`: what is asked of a program, in whatever language; `c` and `mlir`: those languages; `reading` chooses one,
//! - `levels`: the caches,
//! - `transform`: an order as a script of MLIR's transform dialect,
//! - `call`: the arguments of a function in MLIR, to run it,
//! - `curve`: the misses over cache sizes, before and after; `bounds`: those that no order goes below,
//! - `padding`: longer rows of the orders; `proposed`: the order whose source is wanted; `answer`: what is said of them; `refusal`: errors of
//!   the search,
//! - `sizes`: the best order at each of many sizes, `models`: by models.

mod answer;
mod bounds;
mod c;
mod call;
mod curve;
pub(super) mod levels;
mod mlir;
mod models;
mod padding;
mod proposed;
pub(super) mod reading;
pub(super) mod refusal;
mod sizes;
mod transform;
pub(super) mod written;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use similar::TextDiff;
use symloc_advise::results::ResultComparison;
use symloc_advise::{
    Advice, AdviceQuestion, AdvisedOrder, GivenOrder, Hierarchy, Nests, Selection, Sums, advise, illegal_below_one,
    incomplete_at_zero,
};
use symloc_cache::Design;
use symloc_isl::Context;
use symloc_machine::Capacity;
use symloc_query::options::ParameterArgs;
use symloc_query::options::caches::CacheArgs;
use symloc_query::options::grid::Grid;
use symloc_query::{CliError, ExitStatus, output};
use symloc_report::answers::advice::AdviceReport;
use symloc_report::answers::{Answer, AnswerCount, AnswerFormat, Answers};
use symloc_report::plot::SizeMark;

use super::sizes_of;
use crate::clock::Clock;
use crate::dense::at_size;
use crate::input::{LineArgs, ProgramArgs};
use crate::watchdog::WatchArgs;
use answer::{report, tolerances};
use curve::CurvePair;
use levels::hierarchy;
use padding::paddings;
use proposed::chosen;
use reading::read_program;
use refusal::refused;
use sizes::SizesQuestion;
use written::{WrittenProgram, note_of_registers};

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
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    search_time: u64,
    /// Take orders of all costs instead of the cheapest, to compare predictions with times
    #[arg(long, hide = true)]
    spread: bool,
    /// Compile the printed orders, run them on arrays with some numbers in them, and compare times and results
    #[arg(long)]
    run: bool,
    /// Look at this order alone: loops, outermost first, with the sizes of their tiles, such as 'k, i:32, j:64'; of tiles in
    /// tiles the larger first, such as 'k:256:64, i:all:32, j'; or scheduler:32, what isl's scheduler finds, in tiles of 32
    #[arg(long, value_name = "LOOPS")]
    order: Option<GivenOrder>,
    /// Sums, products, minima and maxima may be collected in another order: results are equal within rounding, no longer
    /// bit by bit
    #[arg(long)]
    reassociate: bool,
    /// Ask models for the best order at each of many sizes: -D gives one range, such as n=500..4000:+100
    #[arg(long, conflicts_with_all = ["run", "curve", "transform", "spread"])]
    for_all_sizes: bool,
    /// With --for-all-sizes: leave out an order whose model takes longer than so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 20, requires = "for_all_sizes",
        value_parser = clap::value_parser!(u64).range(1..))]
    model_time: u64,
    /// Also the misses that no order of the same operations goes below (see `symloc bound`), of a cache as large as the level and
    /// those before it together
    #[arg(long, conflicts_with = "for_all_sizes")]
    bound: bool,
    /// Aligned text, or one JSON object
    #[arg(long, value_enum, default_value_t)]
    format: AnswerFormat,
    /// Print the best order as a unified diff of the source, instead of the answer
    #[arg(long, conflicts_with = "format")]
    diff: bool,
    /// Write a picture of the misses over cache sizes, as written and in the first order (SVG)
    #[arg(long, value_name = "FILE")]
    curve: Option<PathBuf>,
    /// Write a script of MLIR's transform dialect that tiles and permutes the operations of linalg as the best order does
    #[arg(long, value_name = "FILE")]
    transform: Option<PathBuf>,
    /// Write the source with the best order to this file; that of MLIR is compiled to LLVM IR if the name ends in .ll
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl AdviseArgs {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let clock = Clock::start(&self.watch);
        clock.enter("reading");
        let written = read_program(&self.program, &mut |phase| clock.enter(phase))?;
        let input = written.input();
        let grid = super::grid_of(&input.program, &self.parameters)?;
        if self.for_all_sizes {
            return self.run_for_all_sizes(out, written.as_ref(), &grid, clock);
        }
        let sizes = sizes_of(&input.program, &grid.single()?)?;
        let nests = written.nests(&at_size(&input.program, &sizes)?)?;
        let (hierarchy, names) = self.hierarchy(written.as_ref(), &nests)?;
        let bounds = match self.bound {
            true => {
                clock.enter("counting the bound");
                bounds::bounds(written.as_ref(), &hierarchy, &sizes)?
            }
            false => Vec::new(),
        };
        clock.enter("searching");
        let isl = Context::new().map_err(|error| refused(error.into()))?;
        let time = Duration::from_secs(self.search_time);
        let (top, given, sums) = (self.top, self.order.as_ref(), self.sums());
        let selection = if self.spread { Selection::Spread } else { Selection::Cheapest };
        let question =
            AdviceQuestion { nests: &nests, sizes: &sizes, hierarchy: &hierarchy, time, top, selection, given, sums };
        let mut advice = advise(&isl, &question).map_err(refused)?;
        if let Some(note) = note_of_registers(written.as_ref(), &advice, &hierarchy, &names, &sizes)? {
            output::tell("note", &note);
        }
        let new_source = |order| written.new_source(&nests, &advice, order);
        let files = advice.proposed().take(self.top).map(new_source).collect::<Result<Vec<_>, _>>()?;
        let measured = match self.run {
            true => {
                clock.enter("running");
                written.measure(&sizes, &files, self.comparison())?
            }
            false => Vec::new(),
        };
        advice.candidates.truncate(files.len());
        let best = chosen(&advice, &measured, files.len());
        let script = self.script(written.as_ref(), &advice, best)?;
        if let Some(order) = best.and_then(|place| advice.proposed().nth(place)) {
            self.tell_sizes(&isl, &nests, order)?;
        }
        let best = best.map(|place| &files[place]);
        clock.enter("padding rows");
        let paddings = paddings(written.as_ref(), &nests, &advice, &hierarchy, &names, &sizes)?;
        let curves = self.curves(out, &input.program.name, &advice, &hierarchy, &names, &sizes)?;
        clock.finish();
        let answer = || {
            let curve = curves.map(|curves| curves.rows()).unwrap_or_default();
            let tolerances = (self.run && self.reassociate).then(tolerances);
            AdviceReport { curve, tolerances, bounds, ..report(input, &sizes, &advice, names, &measured, paddings) }
        };
        self.write(out, written.as_ref(), answer, best)?;
        if let (Some(path), Some(script)) = (&self.transform, &script) {
            output::write(out, path, script)?;
        }
        Ok(ExitStatus::Success)
    }

    /// Answers for many sizes.
    fn run_for_all_sizes(
        &self,
        out: &mut dyn Write,
        written: &dyn WrittenProgram,
        grid: &Grid,
        clock: Clock,
    ) -> Result<ExitStatus, CliError> {
        let question = SizesQuestion {
            written,
            grid,
            top: self.top,
            search_time: Duration::from_secs(self.search_time),
            model_time: Duration::from_secs(self.model_time),
            given: self.order.as_ref(),
            sums: self.sums(),
            hierarchy: &|nests| self.hierarchy(written, nests),
        };
        let advice = question.answer(&clock)?;
        clock.finish();
        let best = advice.best_at_the_end().cloned();
        self.write(out, written, || advice.report, best.as_ref())?;
        Ok(ExitStatus::Success)
    }

    /// Writes the answer or the change of the source, and the new source to the file that is asked for.
    fn write<A: Answer>(
        &self,
        out: &mut dyn Write,
        written: &dyn WrittenProgram,
        answer: impl FnOnce() -> A,
        best: Option<&String>,
    ) -> Result<(), CliError> {
        if self.diff {
            if let Some(best) = best {
                self.write_diff(out, &written.text(), best)?;
            }
        } else {
            let mut answers = Answers::new(out, self.format, AnswerCount::One);
            answers.push(answer())?;
            answers.finish()?;
        }
        if let (Some(path), Some(best)) = (&self.output, best) {
            std::fs::write(path, written.contents(path, best)?).map_err(|error| unwritten(path, &error))?;
        }
        Ok(())
    }

    /// Tells of sizes at which a new source that is written would compute something else.
    fn tell_sizes(&self, isl: &Context, nests: &Nests, order: &AdvisedOrder) -> Result<(), CliError> {
        if !self.diff && self.output.is_none() {
            return Ok(());
        }
        let below = illegal_below_one(isl, nests, order).map_err(refused)?;
        if !below.is_empty() {
            let others: Vec<_> = below.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            tell_other(below.iter().map(|(name, _)| name), &format!("{} it would", others.join(", ")));
            return Ok(());
        }
        let zero = incomplete_at_zero(isl, nests, order).map_err(refused)?;
        if !zero.is_empty() {
            let others: Vec<_> = zero.iter().map(|name| format!("{name} = 0")).collect();
            tell_other(zero.iter(), &format!("{} it may", others.join(" or ")));
        }
        Ok(())
    }

    /// Returns what may happen to the order of sums.
    fn sums(&self) -> Sums {
        if self.reassociate { Sums::Reassociated } else { Sums::InOrder }
    }

    /// Returns how results of orders are compared with those of the program as written.
    fn comparison(&self) -> ResultComparison {
        if self.reassociate { ResultComparison::Rounding } else { ResultComparison::Bytes }
    }

    /// Returns the script of the transform dialect for the best order, if it is asked for.
    fn script(
        &self,
        written: &dyn WrittenProgram,
        advice: &Advice,
        best: Option<usize>,
    ) -> Result<Option<String>, CliError> {
        let order = best.filter(|_| self.transform.is_some()).and_then(|best| advice.proposed().nth(best));
        order.map(|order| written.script(advice, order)).transpose()
    }

    /// Writes the picture of the misses over cache sizes, if it is asked for; returns its curves.
    fn curves(
        &self,
        out: &mut dyn Write,
        function: &str,
        advice: &Advice,
        hierarchy: &Hierarchy,
        names: &[String],
        sizes: &[i64],
    ) -> Result<Option<CurvePair>, CliError> {
        let Some(path) = &self.curve else { return Ok(None) };
        let curves = CurvePair::of(advice, advice.proposed().next(), hierarchy, sizes)?;
        let bytes = hierarchy.line.bytes(&advice.scop.program);
        let mark = |(name, design): (&String, &Design)| SizeMark {
            name: Some(name.clone()),
            capacity: match (design.geometry.lines(), bytes) {
                (lines, Some(bytes)) => Capacity::Bytes(lines * bytes),
                (lines, None) => Capacity::Lines(lines),
            },
        };
        let marks: Vec<_> = names.iter().zip(&hierarchy.designs).map(mark).collect();
        let picture = curves.svg(function, &marks)?;
        output::write(out, path, &picture)?;
        Ok(Some(curves))
    }

    /// Writes the change of the source as a unified diff, for `patch -p0`.
    fn write_diff(&self, out: &mut dyn Write, before: &str, after: &str) -> Result<(), CliError> {
        let name = self.program.path().display().to_string();
        let diff = TextDiff::from_lines(before, after);
        write!(out, "{}", diff.unified_diff().header(&name, &name))?;
        Ok(())
    }

    /// Returns the caches and their names.
    fn hierarchy(&self, written: &dyn WrittenProgram, nests: &Nests) -> Result<(Hierarchy, Vec<String>), CliError> {
        hierarchy(&self.caches, &self.lines, written.as_read().unwrap_or(&nests.program))
    }
}

fn unwritten(path: &Path, error: &std::io::Error) -> CliError {
    CliError::refused(format!("{}: cannot write it: {error}", path.display()))
}

/// Tells that a new source is for sizes of at least 1 only: with others it would, or may, compute something else.
fn tell_other<'n>(sizes: impl Iterator<Item = &'n String>, with_others: &str) {
    let sizes: Vec<_> = sizes.map(|name| format!("{name} >= 1")).collect();
    let sizes = sizes.join(" and ");
    let note = format!("the new source is for {sizes}, as the model is; with {with_others} compute something else");
    output::tell("note", &note);
}
