//! `simulate`: the trace itself, at one size.

use std::collections::BTreeMap;
use std::io::Write;

use clap::{ArgGroup, Args, ValueEnum};
use symloc_affine::{Layout, Line, Program};
use symloc_model::{Bin, Int, Misses};
use symloc_query::cache::{Cache, Capacity};
use symloc_query::export::Header;
use symloc_query::export::histogram::{self, Bins};
use symloc_query::export::misses::{self, Level};
use symloc_query::options::Definition;
use symloc_query::{CliError, ExitStatus};
use symloc_sim::{DistanceHistogram, IntervalHistogram, SimError, Trace};

use super::sizes_of;
use crate::input::{LineArgs, ProgramArgs};

/// The options of `simulate`.
#[derive(Clone, Debug, Args)]
#[command(group = ArgGroup::new("result").args(["histogram", "caches"]).required(true))]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    lines: LineArgs,
    /// How arrays lie in memory
    #[arg(long, value_enum, default_value_t)]
    layout: Placement,
    /// The value of a parameter; one for each
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE")]
    definitions: Vec<Definition>,
    /// How often each reuse interval occurs
    #[arg(long)]
    histogram: bool,
    /// With --histogram: reuse distances instead of reuse intervals
    #[arg(long, requires = "histogram")]
    distance: bool,
    /// Misses of an LRU cache, one for each level: 48KiB, 32768,8,64 or 512lines
    #[arg(long = "cache", value_name = "SIZE[,WAYS[,LINE]]")]
    caches: Vec<Cache>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl SimulateArgs {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let program = self.program.load()?.program;
        let sizes = sizes_of(&program, &self.definitions)?;
        let trace = self.layout.trace(&program, &sizes, self.line()?).map_err(refused)?;
        match (self.histogram, self.distance) {
            (true, true) => self.distances(out, &trace, &sizes),
            (true, false) => self.intervals(out, &trace, &sizes),
            _ => self.misses(out, &trace, &sizes),
        }?;
        Ok(ExitStatus::Success)
    }

    /// The one line size; a cache may name it.
    fn line(&self) -> Result<Line, CliError> {
        let named = self.caches.iter().filter_map(|c| c.line_bytes).map(Line::Bytes);
        let mut lines: Vec<_> = named.collect();
        if lines.is_empty() {
            lines = self.lines.lines();
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
        self.write_bins(out, &header, Bins::Distances(&bins(&simulated.distances)))
    }

    fn write_bins(&self, out: &mut dyn Write, header: &Header, bins: Bins<'_>) -> Result<(), CliError> {
        if self.json {
            histogram::write_json(out, header, bins, true)?;
        } else {
            histogram::write_text(out, header, bins)?;
        }
        Ok(())
    }

    fn misses(&self, out: &mut dyn Write, trace: &Trace<'_>, sizes: &[i64]) -> Result<(), CliError> {
        let line_bytes = trace.line().bytes(trace.program());
        let shapes = self.caches.iter().map(|cache| Shape::new(cache, line_bytes)).collect::<Result<Vec<_>, _>>()?;
        let caches = shapes.iter().map(|s| s.simulated(trace.line())).collect::<Result<Vec<_>, _>>()?;
        let simulated = symloc_sim::simulate(trace, &caches).map_err(refused)?;
        let level = |(shape, misses): (&Shape, &symloc_sim::Misses)| Level {
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
        if self.json {
            misses::write_json(out, &header, "simulation", &levels)?;
        } else {
            misses::write_text(out, &header, &levels)?;
        }
        Ok(())
    }
}

/// How arrays lie in memory. Here, unlike in a derivation, it also matters where a line lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Placement {
    /// Every row starts a new line
    #[default]
    Rows,
    /// The memref's own constant strides
    Linear,
    /// As rows, with extents padded to prime numbers of lines
    Padded,
}

impl Placement {
    fn trace<'p>(self, program: &'p Program, sizes: &[i64], line: Line) -> Result<Trace<'p>, SimError> {
        match self {
            Placement::Rows => Trace::new(program, sizes, Layout::Rows, line),
            Placement::Linear => Trace::new(program, sizes, Layout::Linear, line),
            Placement::Padded => Trace::new(program, sizes, Layout::Rows, line)?.padded(),
        }
    }
}

/// A cache in lines.
struct Shape {
    capacity: Capacity,
    lines: u64,
    ways: u64,
}

impl Shape {
    fn new(cache: &Cache, line_bytes: Option<u64>) -> Result<Self, CliError> {
        let lines = Cache { ways: None, ..*cache }.lines(line_bytes)?;
        Ok(Self { capacity: cache.capacity, lines, ways: cache.ways.unwrap_or(lines) })
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
    CliError::refused(error.to_string())
}

/// A histogram in the form that models give.
pub(super) fn bins(histogram: &BTreeMap<u64, u64>) -> Vec<Bin> {
    histogram.iter().map(|(value, count)| Bin { interval: Int::from(*value), count: Int::from(*count) }).collect()
}

fn header(trace: &Trace<'_>, sizes: &[i64], blocks: u64) -> Header {
    let program = trace.program();
    Header {
        function: program.name.clone(),
        parameters: program.params.iter().map(|p| p.name.clone()).zip(sizes.iter().map(|s| i128::from(*s))).collect(),
        line_bytes: trace.line().bytes(program),
        element: trace.line() == Line::Element,
        accesses: Int::from(trace.accesses()),
        blocks: Int::from(blocks),
    }
}
