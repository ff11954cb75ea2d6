//! `verify`: a comparison of the model with the trace, or of the program as read with the compiled program.

use std::io::Write;

use clap::Args;
use symloc_affine::{Line, Program};
use symloc_derivation::lines::lines_at;
use symloc_evaluate::{Evaluator, Int, MissModel};
use symloc_model::NamedSizes;
use symloc_query::options::grid::Point;
use symloc_query::options::{GridArgs, ParameterArgs};
use symloc_query::{CliError, ExitStatus};
use symloc_verify::{Comparison, Distances, VerifyError, choice, compare, named};

use super::sizes_of;
use crate::clock::Clock;
use crate::compiled::{CompiledRun, Executable, integers};
use crate::derivation::{self, LimitArgs};
use crate::input::{Input, LayoutArgs, ProgramArgs};
use crate::refusal::told;
use crate::trace::{TraceArgs, refused, too_long};

/// The options of `verify`.
#[derive(Clone, Debug, Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    layout: LayoutArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    trace: TraceArgs,
    #[command(flatten)]
    parameters: ParameterArgs,
    #[command(flatten)]
    grid: GridArgs,
    /// Compile the function, call it and record what it accesses: compare what was read with that, instead of the model
    /// with the trace
    #[arg(long, conflicts_with_all = ["exact", "write_backs"])]
    compiled: bool,
    /// The write-backs of fully associative caches too
    #[arg(long)]
    write_backs: bool,
}

impl VerifyArgs {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let clock = Clock::start(&self.limits.watch);
        clock.enter("reading");
        let input = self.program.load(&mut |phase| clock.enter(phase))?;
        let program = &input.program;
        let grid = super::grid_of(program, &self.parameters)?;
        self.grid.check(grid.count())?;
        let grid: Vec<Point> = grid.points().collect();
        if self.compiled {
            let agree = self.compiled(&input, &grid, &clock, out)?;
            clock.finish();
            return Ok(if agree { ExitStatus::Success } else { ExitStatus::CheckFailed });
        }
        let grid = grid.iter().map(|point| sizes_of(program, point)).collect::<Result<Vec<_>, _>>()?;
        let wanted = (&self.limits, self.write_backs);
        let model = derivation::with_write_backs(&input, &self.layout, wanted, &clock)?;
        derivation::remark(&model)?;
        clock.enter("simulating");
        let mut differences = 0;
        let lines = self.layout.lines(input.line);
        for sizes in &grid {
            for line in lines_at(&lines, program, sizes).map_err(told)? {
                let (evaluator, named) = (Evaluator::new(&model, choice(&model, line))?, named(&model, sizes));
                self.check_length(&evaluator, &named)?;
                let trace = self.trace.trace(program, sizes, self.layout.layout(input.line), line)?;
                let found = compare(&evaluator, &trace, &named).map_err(explain)?;
                report(out, program, sizes, line, &found)?;
                differences += found.differences.len();
            }
        }
        clock.finish();
        Ok(if differences == 0 { ExitStatus::Success } else { ExitStatus::CheckFailed })
    }

    /// Compares the program as read with the compiled function; returns true if they agree at all sizes.
    fn compiled(&self, input: &Input, grid: &[Point], clock: &Clock, out: &mut dyn Write) -> Result<bool, CliError> {
        let program = &input.program;
        let sizes = grid.iter().map(|point| sizes_of(program, point)).collect::<Result<Vec<_>, _>>()?;
        clock.enter("compiling");
        let (runnable, language) = self.program.runnable(input)?;
        let executable = Executable::build(&runnable, language, self.program.path())?;
        clock.enter("running the compiled program");
        let lines = self.layout.lines(input.line);
        let mut agree = true;
        for (point, sizes) in grid.iter().zip(&sizes) {
            let integers = integers(&runnable, program, sizes, point)?;
            let run =
                CompiledRun { executable: &executable, runnable: &runnable, integers: &integers, limit: &self.trace };
            agree &= run.compare(program, sizes, &lines_at(&lines, program, sizes).map_err(told)?, out)?;
        }
        Ok(agree)
    }

    /// Refuses traces that are too long, before they run: the model gives their length.
    fn check_length(&self, evaluator: &Evaluator<'_>, sizes: &NamedSizes) -> Result<(), CliError> {
        match evaluator.predict(MissModel::Denning, sizes) {
            Ok(prediction) if *prediction.accesses() > Int::from(self.trace.max_accesses) => {
                Err(too_long(self.trace.max_accesses))
            }
            // Other errors are left to the trace, which names sizes in terms of the program, and to the comparison.
            _ => Ok(()),
        }
    }
}

/// Turns an error of a comparison into an error of the command.
fn explain(error: VerifyError) -> CliError {
    match error {
        VerifyError::Model(error) => error.into(),
        VerifyError::Request(error) => error.into(),
        VerifyError::Trace(error) => refused(error),
    }
}

/// Returns the part of a line of the report that is about distances.
fn distances_text(distances: &Distances) -> String {
    match distances.estimated.is_zero() {
        true => format!(", {} distances", distances.known),
        false => format!(" (not all distances: {} reuses are estimated)", distances.estimated),
    }
}

/// Returns the part of a line of the report that is about write-backs.
fn write_backs_text(compared: &[MissModel]) -> &'static str {
    match compared {
        [] => "",
        [MissModel::Denning] => ", write-backs by interval",
        [MissModel::Lru] => ", write-backs by distance",
        [..] => ", write-backs by interval and by distance",
    }
}

/// The most differences that are printed for one size.
const SHOWN: usize = 20;

fn report(
    out: &mut dyn Write,
    program: &Program,
    sizes: &[i64],
    line: Line,
    found: &Comparison,
) -> Result<(), CliError> {
    let named: Vec<_> = program.params.iter().zip(sizes).map(|(p, size)| format!("{} = {size}", p.name)).collect();
    let line = match line {
        Line::Element => "one element per line".to_owned(),
        Line::Bytes(bytes) => format!("{bytes}-byte lines"),
    };
    let place = [program.name.clone(), named.join(", "), line].into_iter().filter(|s| !s.is_empty());
    let place = place.collect::<Vec<_>>().join(", ");
    if found.differences.is_empty() {
        writeln!(
            out,
            "ok    {place}: {} accesses, {} blocks, {} intervals{}{} and {} cache sizes agree",
            found.accesses,
            found.blocks,
            found.intervals,
            found.distances.as_ref().map(distances_text).unwrap_or_default(),
            write_backs_text(&found.write_backs),
            found.caches
        )?;
        return Ok(());
    }
    writeln!(out, "DIFF  {place}: {} differences", found.differences.len())?;
    for difference in found.differences.iter().take(SHOWN) {
        writeln!(out, "      {difference}")?;
    }
    if let Some(more) = found.differences.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        writeln!(out, "      and {more} more")?;
    }
    Ok(())
}
