//! `simulate`: the trace itself, at one size.

use std::io::Write;

use clap::{ArgGroup, Args, ValueEnum};
use symloc_affine::{Layout, Line, Program};
use symloc_evaluate::{Int, Misses};
use symloc_machine::{Cache, Capacity, NamedCache};
use symloc_query::caches::{CacheArgs, single};
use symloc_query::options::ParameterArgs;
use symloc_query::{CliError, ExitStatus};
use symloc_report::AnswerHeader;
use symloc_report::answers::{AnswerFormat, Answers};
use symloc_report::histogram::{self, Bins};
use symloc_report::misses::{CacheMisses, LevelMisses, MissSource};
use symloc_sim::{DistanceHistogram, IntervalHistogram, SimError, Trace};
use symloc_verify::bins;

use super::sizes_of;
use crate::clock::Clock;
use crate::dense::{needs_strides, with_strides};
use crate::input::{Input, LineArgs, ProgramArgs, lines_at};
use crate::watchdog::WatchArgs;

/// Limits of a trace.
#[derive(Clone, Debug, Args)]
pub(crate) struct TraceArgs {
    /// Give up if there are more accesses; ten billion are of the order of five minutes
    #[arg(long, value_name = "COUNT", default_value_t = 10_000_000_000)]
    pub max_accesses: u64,
}

impl TraceArgs {
    /// The trace at one size, if it is not too long.
    pub(super) fn trace<'p>(
        &self,
        program: &'p Program,
        sizes: &[i64],
        layout: Layout,
        line: Line,
    ) -> Result<Trace<'p>, CliError> {
        Trace::with_limit(program, sizes, layout, line, self.max_accesses).map_err(refused)
    }
}

/// The options of `simulate`.
#[derive(Clone, Debug, Args)]
#[command(group = ArgGroup::new("result").args(["histogram", "caches", "machine"]).required(true).multiple(true))]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    lines: LineArgs,
    /// How arrays lie in memory
    #[arg(long, value_enum, default_value_t)]
    layout: Placement,
    #[command(flatten)]
    watch: WatchArgs,
    #[command(flatten)]
    trace: TraceArgs,
    #[command(flatten)]
    parameters: ParameterArgs,
    /// How often each reuse interval occurs
    #[arg(long, conflicts_with_all = ["caches", "machine"])]
    histogram: bool,
    /// With --histogram: reuse distances instead of reuse intervals
    #[arg(long, requires = "histogram")]
    distance: bool,
    #[command(flatten)]
    caches: CacheArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl SimulateArgs {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let clock = Clock::start(&self.watch);
        clock.enter("reading");
        let Input { program, line, .. } = self.program.load(&mut |phase| clock.enter(phase))?;
        let sizes = sizes_of(&program, &super::grid_of(&program, &self.parameters)?.single()?)?;
        let levels = self.levels()?;
        let lines = lines_at(&self.lines.lines(line), &program, &sizes)?;
        clock.enter("simulating");
        let program = match self.layout {
            Placement::Linear if needs_strides(&program) => {
                let extents = self.trace.trace(&program, &sizes, Layout::Rows, Line::Element)?.extents();
                with_strides(&program, extents)?
            }
            _ => program,
        };
        let trace = self.layout.place(self.trace.trace(
            &program,
            &sizes,
            self.layout.layout(),
            self.line(&levels, lines)?,
        )?)?;
        match (self.histogram, self.distance) {
            (true, true) => self.distances(out, &trace, &sizes),
            (true, false) => self.intervals(out, &trace, &sizes),
            _ => self.misses(out, &trace, &sizes, levels),
        }?;
        clock.finish(false);
        Ok(ExitStatus::Success)
    }

    /// The caches, unless a histogram is wanted.
    fn levels(&self) -> Result<Vec<NamedCache>, CliError> {
        if self.histogram {
            return Ok(Vec::new());
        }
        let levels = self.caches.levels(|_| Ok(()))?;
        Ok(single(&levels)?.into_iter().cloned().collect())
    }

    /// The one line size; a cache may name it.
    fn line(&self, levels: &[NamedCache], chosen: Vec<Line>) -> Result<Line, CliError> {
        let named = levels.iter().filter_map(|level| level.cache.line_bytes).map(Line::Bytes);
        let mut lines: Vec<_> = named.collect();
        if lines.is_empty() {
            lines = chosen;
        }
        lines.dedup();
        match lines.as_slice() {
            [only] => Ok(*only),
            _ => Err(CliError::with_hint("several line sizes in one simulation", "simulate each line size apart")),
        }
    }

    fn intervals(&self, out: &mut dyn Write, trace: &Trace<'_>, sizes: &[i64]) -> Result<(), CliError> {
        let simulated = IntervalHistogram::of(trace).map_err(refused)?;
        let header = header(trace, sizes, simulated.blocks);
        let (real, imaginary) = (bins(&simulated.real), bins(&simulated.imaginary));
        self.write_bins(out, &header, Bins::Intervals { real: &real, imaginary: &imaginary })
    }

    fn distances(&self, out: &mut dyn Write, trace: &Trace<'_>, sizes: &[i64]) -> Result<(), CliError> {
        let simulated = DistanceHistogram::of(trace).map_err(refused)?;
        let header = header(trace, sizes, simulated.first_touches);
        self.write_bins(out, &header, Bins::Distances { known: &bins(&simulated.distances), estimated: &[] })
    }

    fn write_bins(&self, out: &mut dyn Write, header: &AnswerHeader, bins: Bins<'_>) -> Result<(), CliError> {
        if self.json {
            histogram::write_json(out, header, bins, true)?;
        } else {
            histogram::write_text(out, header, bins)?;
        }
        Ok(())
    }

    fn misses(
        &self,
        out: &mut dyn Write,
        trace: &Trace<'_>,
        sizes: &[i64],
        levels: Vec<NamedCache>,
    ) -> Result<(), CliError> {
        let line_bytes = trace.line().bytes(trace.program());
        let shapes = levels.into_iter().map(|level| Shape::new(level, line_bytes)).collect::<Result<Vec<_>, _>>()?;
        let caches = shapes.iter().map(|s| s.simulated(trace.line())).collect::<Result<Vec<_>, _>>()?;
        let simulated = symloc_sim::simulate(trace, &caches).map_err(refused)?;
        let level = |(shape, misses): (&Shape, &symloc_sim::Misses)| CacheMisses {
            name: shape.name.clone(),
            capacity: shape.capacity,
            lines: shape.lines,
            ways: shape.ways,
            misses: Misses {
                cold: Int::from(misses.first_touches),
                reuse: Int::from(misses.misses - misses.first_touches),
            },
        };
        let levels: Vec<_> = shapes.iter().zip(&simulated).map(level).collect();
        let header = header(trace, sizes, simulated.first().map_or(0, |m| m.first_touches));
        let format = if self.json { AnswerFormat::Json } else { AnswerFormat::Text };
        let mut answers = Answers::new(out, format, false);
        answers.push(LevelMisses { header, source: MissSource::Simulated, estimated: Int::ZERO, levels })?;
        Ok(answers.finish()?)
    }
}

/// How arrays lie in memory. Here, unlike in a derivation, it also matters where a line lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Placement {
    /// Every row starts a new line
    #[default]
    Rows,
    /// The memref's own strides; where they are symbolic, rows without padding between them
    Linear,
    /// As rows, with extents padded to prime numbers of lines
    Padded,
}

impl Placement {
    fn layout(self) -> Layout {
        match self {
            Placement::Rows | Placement::Padded => Layout::Rows,
            Placement::Linear => Layout::Linear,
        }
    }

    /// Places the arrays of a trace.
    fn place(self, trace: Trace<'_>) -> Result<Trace<'_>, CliError> {
        match self {
            Placement::Rows | Placement::Linear => Ok(trace),
            Placement::Padded => trace.padded().map_err(refused),
        }
    }
}

/// A cache in lines.
struct Shape {
    name: Option<String>,
    capacity: Capacity,
    lines: u64,
    ways: u64,
}

impl Shape {
    fn new(NamedCache { name, cache }: NamedCache, line_bytes: Option<u64>) -> Result<Self, CliError> {
        let lines = Cache { ways: None, ..cache }.lines(line_bytes)?;
        Ok(Self { name, capacity: cache.capacity, lines, ways: cache.ways.unwrap_or(lines) })
    }

    fn simulated(&self, line: Line) -> Result<symloc_sim::Cache, CliError> {
        if self.ways == self.lines {
            return Ok(symloc_sim::Cache::fully_associative(self.lines, line));
        }
        let Line::Bytes(bytes) = line else {
            return Err(CliError::with_hint(
                "a set-associative cache of single elements has no meaning",
                "leave the ways out, or choose --line-bytes",
            ));
        };
        let capacity = self.lines.saturating_mul(bytes);
        symloc_sim::Cache::new(capacity, self.ways, bytes).map_err(|error| CliError::refused(error.to_string()))
    }
}

pub(super) fn refused(error: SimError) -> CliError {
    match error {
        SimError::TooManyAccesses { limit } => too_long(limit),
        _ => CliError::refused(error.to_string()),
    }
}

/// A trace beyond the limit.
pub(super) fn too_long(limit: u64) -> CliError {
    CliError::with_hint(format!("limit: the trace has more than {limit} accesses"), "raise it with --max-accesses")
}

fn header(trace: &Trace<'_>, sizes: &[i64], blocks: u64) -> AnswerHeader {
    let program = trace.program();
    AnswerHeader {
        function: program.name.clone(),
        parameters: program.params.iter().map(|p| p.name.clone()).zip(sizes.iter().map(|s| i128::from(*s))).collect(),
        line_bytes: trace.line().bytes(program),
        element: trace.line() == Line::Element,
        accesses: Int::from(trace.accesses()),
        blocks: Int::from(blocks),
        remarks: Vec::new(),
    }
}
