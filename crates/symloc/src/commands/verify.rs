//! `verify`: the model against the trace.

use std::collections::BTreeSet;
use std::io::Write;

use clap::Args;
use symloc_affine::{Line, Program};
use symloc_model::{Bin, Denning, Distribution, Evaluator, Int, LineChoice, Model, Sizes};
use symloc_query::options::{GridArgs, ParameterArgs};
use symloc_query::{CliError, ExitStatus};
use symloc_sim::{DistanceHistogram, IntervalHistogram, Trace};

use super::simulate::{TraceArgs, bins, refused, too_long};
use super::sizes_of;
use super::verify_accesses::differ_accesses;
use crate::derivation::{self, Clock, LimitArgs};
use crate::input::{LayoutArgs, ProgramArgs};

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
}

impl VerifyArgs {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let clock = Clock::start(&self.limits.watch);
        clock.enter("reading");
        let input = self.program.load()?;
        let program = &input.program;
        let grid = super::grid_of(program, &self.parameters)?;
        self.grid.check(grid.count())?;
        let grid = grid.points().map(|point| sizes_of(program, &point)).collect::<Result<Vec<_>, _>>()?;
        let model = derivation::model(&input, &self.layout, &self.limits, &clock)?;
        clock.enter("simulating");
        let mut differences = 0;
        let lines = self.layout.lines(input.line);
        for sizes in &grid {
            for line in lines.at(program, sizes)? {
                let (evaluator, named) = (model.evaluator(choice(&model, line))?, named(&model, sizes));
                self.check_length(&evaluator, &named)?;
                let trace = self.trace.trace(program, sizes, self.layout.layout(), line)?;
                let found = compare(&evaluator, &trace, &named)?;
                report(out, program, sizes, line, &found)?;
                differences += found.differences.len();
            }
        }
        clock.finish(false);
        Ok(if differences == 0 { ExitStatus::Success } else { ExitStatus::CheckFailed })
    }

    /// The model knows how long the trace is, before it runs.
    fn check_length(&self, evaluator: &Evaluator<'_>, sizes: &Sizes) -> Result<(), CliError> {
        match evaluator.locality(sizes) {
            Ok(locality) if *locality.accesses() > Int::from(self.trace.max_accesses) => {
                Err(too_long(self.trace.max_accesses))
            }
            // What is wrong with the sizes, the trace says in terms of the program; and the comparison, what else.
            _ => Ok(()),
        }
    }
}

/// The model's entry for a line size.
fn choice(model: &Model, line: Line) -> LineChoice {
    match line {
        Line::Bytes(bytes) if model.lines.len() > 1 => LineChoice::Bytes(bytes),
        _ => LineChoice::Only,
    }
}

fn named(model: &Model, sizes: &[i64]) -> Sizes {
    model.parameters.iter().cloned().zip(sizes.iter().copied()).collect()
}

/// The result of a comparison at one size.
struct Comparison {
    accesses: u64,
    blocks: u64,
    intervals: usize,
    caches: usize,
    distances: Option<Distances>,
    differences: Vec<String>,
}

fn compare(evaluator: &Evaluator<'_>, trace: &Trace<'_>, sizes: &Sizes) -> Result<Comparison, CliError> {
    let derived = evaluator.at(sizes)?;
    let simulated = IntervalHistogram::of(trace).map_err(refused)?;
    let expected = Distribution {
        parameters: derived.parameters.clone(),
        line_bytes: derived.line_bytes,
        element: derived.element,
        accesses: Int::from(simulated.accesses),
        blocks: Int::from(simulated.blocks),
        real: bins(&simulated.real),
        imaginary: bins(&simulated.imaginary),
    };
    let mut differences = Vec::new();
    differ(&mut differences, "accesses", &derived.accesses, &expected.accesses);
    differ(&mut differences, "blocks", &derived.blocks, &expected.blocks);
    differ_bins(&mut differences, "real interval", &derived.real, &expected.real);
    differ_bins(&mut differences, "imaginary interval", &derived.imaginary, &expected.imaginary);
    // Queries do not go through the histogram, so they are compared for themselves.
    let queried = evaluator.locality(sizes)?;
    let curve = Denning::new(&expected).curve();
    for step in &curve {
        let what = format!("Denning misses in {} lines", step.blocks);
        differ(&mut differences, &what, &queried.misses(&step.blocks).total(), &step.misses.total());
    }
    if let (Some(derived), Some(counted)) = (evaluator.operations(sizes)?, trace.operations()) {
        differ(&mut differences, "floating-point operations", &derived, &Int::from(counted));
    }
    differ_accesses(&mut differences, evaluator, sizes, trace)?;
    let distances = compare_distances(&mut differences, evaluator, trace, sizes)?;
    Ok(Comparison {
        accesses: simulated.accesses,
        blocks: simulated.blocks,
        intervals: expected.real.len() + expected.imaginary.len(),
        caches: curve.len(),
        distances,
        differences,
    })
}

/// Compares the histogram of distances, and the LRU misses of all caches; nothing if the model holds no distances.
fn compare_distances(
    differences: &mut Vec<String>,
    evaluator: &Evaluator<'_>,
    trace: &Trace<'_>,
    sizes: &Sizes,
) -> Result<Option<Distances>, CliError> {
    let (Some(derived), Some(lru)) = (evaluator.distances(sizes)?, evaluator.lru(sizes)?) else { return Ok(None) };
    let estimated = derived.estimated();
    let simulated = DistanceHistogram::of(trace).map_err(refused)?;
    let expected = bins(&simulated.distances);
    if estimated.is_zero() {
        differ_bins(differences, "distance", &derived.distances, &expected);
        // LRU misses change where a distance ends: just there, and one line before.
        let sizes = simulated.distances.keys().flat_map(|distance| [*distance, distance + 1]);
        for lines in sizes.collect::<BTreeSet<_>>() {
            let misses = lru.misses(&Int::from(lines)).total();
            differ(differences, &format!("LRU misses in {lines} lines"), &misses, &simulated.misses(lines).into());
        }
    }
    Ok(Some(Distances { known: expected.len(), estimated }))
}

/// What was found about distances.
struct Distances {
    known: usize,
    estimated: Int,
}

impl Distances {
    fn text(&self) -> String {
        match self.estimated.is_zero() {
            true => format!(", {} distances", self.known),
            false => format!(" (not the distances: {} reuses are estimated)", self.estimated),
        }
    }
}

pub(super) fn differ(differences: &mut Vec<String>, what: &str, derived: &Int, simulated: &Int) {
    if derived != simulated {
        differences.push(format!("{what}: derived {derived}, simulated {simulated}"));
    }
}

fn differ_bins(differences: &mut Vec<String>, kind: &str, derived: &[Bin], simulated: &[Bin]) {
    let mut intervals: Vec<_> = derived.iter().chain(simulated).map(|bin| &bin.interval).collect();
    intervals.sort_unstable();
    intervals.dedup();
    let zero = Int::from(0);
    for interval in intervals {
        let count = |bins: &'_ [Bin]| match bins.binary_search_by(|bin| bin.interval.cmp(interval)) {
            Ok(index) => bins[index].count.clone(),
            Err(_) => zero.clone(),
        };
        differ(differences, &format!("{kind} {interval}"), &count(derived), &count(simulated));
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
            "ok    {place}: {} accesses, {} blocks, {} intervals{} and {} cache sizes agree",
            found.accesses,
            found.blocks,
            found.intervals,
            found.distances.as_ref().map(Distances::text).unwrap_or_default(),
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
