//! `simulate`: the trace of a program at one size, run through caches or counted by reuse.

use std::io::Write;

use clap::{ArgGroup, Args};
use symloc_affine::{Layout, Line, Program};
use symloc_cache::Design;
use symloc_derivation::lines::lines_at;
use symloc_evaluate::Int;
use symloc_machine::NamedCache;
use symloc_model::Assumption;
use symloc_query::answers::threads::run::{self, Simulation, simulated};
use symloc_query::options::ParameterArgs;
use symloc_query::options::cache_design::{BaseArgs, CacheDesign, layout_notes};
use symloc_query::options::caches::{CacheArgs, single};
use symloc_query::{CliError, ExitStatus, output};
use symloc_replay::{
    Code, MemoryLayout, MemoryMap, Replaying, Survey, Warping, executions, footprint, footprint_on_threads, replay,
};
use symloc_report::AnswerHeader;
use symloc_report::answers::histogram::{self, Bins, BinsOrigin};
use symloc_report::answers::misses::{CacheMisses, LevelMisses, MissSource};
use symloc_report::answers::{AnswerCount, AnswerFormat, Answers};
use symloc_reuse::stored_assumptions;
use symloc_sim::{DistanceHistogram, IntervalHistogram, Trace};
use symloc_verify::bins;

use super::sizes_of;
use super::threads::ThreadArgs;
use crate::clock::Clock;
use crate::dense::at_size;
use crate::input::{Input, LineArgs, ProgramArgs};
use crate::refusal::told;
use crate::trace::{TraceArgs, refused};
use crate::watchdog::WatchArgs;

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
    layout: MemoryLayout,
    #[command(flatten)]
    bases: BaseArgs,
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
    /// Every cache by itself, as models see them; otherwise each sees what the one before it misses
    #[arg(long, conflicts_with = "histogram")]
    apart: bool,
    /// Run every iteration, also those that repeat what others did: the same counts, later
    #[arg(long, conflicts_with = "histogram")]
    no_warping: bool,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl SimulateArgs {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        self.threads.check()?;
        let clock = Clock::start(&self.watch);
        clock.enter("reading");
        let Input { program, line, assumptions, .. } = self.program.load(&mut |phase| clock.enter(phase))?;
        let sizes = sizes_of(&program, &super::grid_of(&program, &self.parameters)?.single()?)?;
        let at = At { sizes, assumptions: stored_assumptions(&assumptions, "") };
        let levels = self.levels()?;
        let lines = lines_at(&self.lines.lines(line), &program, &at.sizes).map_err(told)?;
        let line = self.line(&levels, lines)?;
        clock.enter("simulating");
        let program = match self.layout {
            MemoryLayout::Memory | MemoryLayout::Linear => at_size(&program, &at.sizes)?,
            MemoryLayout::Rows | MemoryLayout::Padded | MemoryLayout::Packed => program,
        };
        if self.histogram {
            if !self.bases.is_empty() {
                return Err(CliError::refused("reuse does not depend on where arrays start: --base is for caches"));
            }
            self.bins(out, &program, &at, line)?;
        } else {
            self.misses(out, &program, &at, line, levels)?;
        }
        clock.finish();
        Ok(ExitStatus::Success)
    }

    fn bins(&self, out: &mut dyn Write, program: &Program, at: &At, line: Line) -> Result<(), CliError> {
        let trace = self.trace.trace(program, &at.sizes, sharing(self.layout), line)?;
        match self.distance {
            true => self.distances(out, &trace, at),
            false => self.intervals(out, &trace, at),
        }
    }

    /// Returns the caches; none for a histogram.
    fn levels(&self) -> Result<Vec<NamedCache>, CliError> {
        if self.histogram {
            return Ok(Vec::new());
        }
        let levels = self.caches.levels(|_| Ok(()))?;
        Ok(single(&levels)?.into_iter().cloned().collect())
    }

    /// Returns the line size, which a cache may specify.
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

    fn intervals(&self, out: &mut dyn Write, trace: &Trace<'_>, at: &At) -> Result<(), CliError> {
        let simulated = IntervalHistogram::of(trace).map_err(refused)?;
        let header = header_of(trace, at, simulated.blocks);
        let (real, imaginary) = (bins(&simulated.real), bins(&simulated.imaginary));
        self.write_bins(out, &header, Bins::Intervals { real: &real, imaginary: &imaginary })
    }

    fn distances(&self, out: &mut dyn Write, trace: &Trace<'_>, at: &At) -> Result<(), CliError> {
        let simulated = DistanceHistogram::of(trace).map_err(refused)?;
        let header = header_of(trace, at, simulated.first_touches);
        self.write_bins(out, &header, Bins::Distances { known: &bins(&simulated.distances), estimated: &[] })
    }

    fn write_bins(&self, out: &mut dyn Write, header: &AnswerHeader, bins: Bins<'_>) -> Result<(), CliError> {
        if self.json {
            histogram::write_json(out, header, bins, BinsOrigin::Simulation)?;
        } else {
            histogram::write_text(out, header, bins)?;
        }
        Ok(())
    }

    fn misses(
        &self,
        out: &mut dyn Write,
        program: &Program,
        at: &At,
        line: Line,
        levels: Vec<NamedCache>,
    ) -> Result<(), CliError> {
        let line_bytes = line.bytes(program);
        let caches = levels.iter().map(|level| CacheDesign::new(level, line_bytes)).collect::<Result<Vec<_>, _>>()?;
        let element = line == Line::Element;
        let designs = caches.iter().map(|cache| cache.design(element)).collect::<Result<Vec<_>, _>>()?;
        if !self.apart {
            CacheDesign::check_order(&caches)?;
        }
        let code = Code::new(program, &at.sizes)?;
        let accesses = executions(&code, self.trace.max_accesses)?.into_iter().sum();
        let survey = Survey::of(&code)?;
        let memory = MemoryMap::new(program, &survey, self.layout, &self.bases.of(program)?, line)?;
        layout_notes(self.layout, program, &survey).iter().for_each(|note| output::tell("note", note));
        let threads = self.threads.threading(program, caches.len(), self.trace.max_accesses)?;
        let blocks = match threads {
            Some(threads) => footprint_on_threads(&code, &memory, threads.threading)?,
            None => footprint(&code, &memory, u64::MAX)?.into_iter().sum(),
        };
        let simulation = Simulation { code: &code, memory: &memory, caches: &caches, blocks, apart: self.apart };
        let levels = match threads {
            Some(threading) => run::levels(&simulation, &designs, &threading)?,
            None => self.sequential(&simulation, &designs)?,
        };
        let header = header(program, at, line, accesses, blocks);
        let format = if self.json { AnswerFormat::Json } else { AnswerFormat::Text };
        let mut answers = Answers::new(out, format, AnswerCount::One);
        answers.push(LevelMisses {
            header,
            source: MissSource::Simulated,
            estimated: Int::ZERO,
            falsely_shared: None,
            levels,
        })?;
        Ok(answers.finish()?)
    }

    /// Returns the misses of each level when one thread runs the program.
    fn sequential(&self, run: &Simulation<'_>, designs: &[Design]) -> Result<Vec<CacheMisses>, CliError> {
        let hierarchies: Vec<&[Design]> = if run.apart { designs.chunks(1).collect() } else { vec![designs] };
        let warping = if self.no_warping { Warping::Off } else { Warping::On };
        let how = Replaying { warping, ..Replaying::default() };
        let held = hierarchies.iter().map(|designs| replay(run.code, run.memory, designs, how));
        let held = held.collect::<Result<Vec<_>, _>>()?;
        let found = held.iter().flat_map(|held| {
            let traffic = held.traffic.iter().enumerate();
            traffic.map(|(level, traffic)| (held.misses(level), traffic.write_backs))
        });
        let level = |(cache, (misses, write_backs))| simulated(cache, run.blocks, misses, write_backs);
        Ok(run.caches.iter().zip(found).map(level).collect())
    }
}

/// The sizes of a simulation, and the assumptions that were made when the program was read.
struct At {
    sizes: Vec<i64>,
    assumptions: Vec<Assumption>,
}

/// Returns the layout by which elements share blocks.
fn sharing(layout: MemoryLayout) -> Layout {
    match layout {
        MemoryLayout::Rows | MemoryLayout::Padded => Layout::Rows,
        MemoryLayout::Memory | MemoryLayout::Linear | MemoryLayout::Packed => Layout::Linear,
    }
}

fn header(program: &Program, at: &At, line: Line, accesses: u64, blocks: u64) -> AnswerHeader {
    AnswerHeader {
        function: program.name.clone(),
        parameters: program
            .params
            .iter()
            .map(|p| p.name.clone())
            .zip(at.sizes.iter().map(|s| i128::from(*s)))
            .collect(),
        line_bytes: line.bytes(program),
        element: line == Line::Element,
        accesses: Int::from(accesses),
        blocks: Int::from(blocks),
        remarks: Vec::new(),
        assumptions: at.assumptions.clone(),
    }
}

fn header_of(trace: &Trace<'_>, at: &At, blocks: u64) -> AnswerHeader {
    header(trace.program(), at, trace.line(), trace.accesses(), blocks)
}
