//! `ops`: the operations of a program, by block, loop, line and kind.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use symloc_frontend::{Branches, Characteristics};
use symloc_isl::Context;
use symloc_query::options::ParameterArgs;
use symloc_query::{CliError, ExitStatus, output};
use symloc_report::answers::ops::count_text::{OpsSubject, ShownFormulas};
use symloc_report::answers::ops::graph::OpsGraph;
use symloc_report::answers::ops::{OpsBy, OpsReport, csv, dot, json, text};
use symloc_reuse::Executions;

use super::sizes_of;
use crate::clock::Clock;
use crate::derivation::explain;
use crate::input::branch::BranchProbability;
use crate::input::code::CompilerArgs;
use crate::input::{self, Enter, SourceOptions};
use crate::ops::{check, counts, graph, rows, svg};
use crate::watchdog::WatchArgs;

/// The options of `ops`.
#[derive(Clone, Debug, Args)]
pub(crate) struct OpsArgs {
    /// A program in C, C++, Fortran, LLVM IR or MLIR, or an einsum (.einsum); - reads MLIR from standard input
    #[arg(value_name = "FILE")]
    path: PathBuf,
    /// The function to analyse, where there are several
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    #[command(flatten)]
    options: SourceOptions,
    #[command(flatten)]
    compiler: CompilerArgs,
    #[command(flatten)]
    watch: WatchArgs,
    #[command(flatten)]
    parameters: ParameterArgs,
    /// What has a row of its own
    #[arg(long, value_name = "WHAT", value_enum, default_value_t)]
    by: OpsBy,
    /// With which probability the branch on data at a line of the source is taken
    #[arg(long = "branch", value_name = "LINE=PROBABILITY")]
    branches: Vec<BranchProbability>,
    /// Print the formulas for small sizes too, where they differ
    #[arg(long)]
    full: bool,
    /// The form of the answer
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: OpsFormat,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write the control-flow graph for Graphviz; - is standard output, without a table then
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write the control-flow graph as a picture; - is standard output, without a table then
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Run the blocks at the size too, and compare all counts
    #[arg(long, conflicts_with_all = ["dot", "svg", "json", "format", "by", "full"])]
    verify: bool,
    /// With --verify: give up if more blocks and edges are passed
    #[arg(long, value_name = "COUNT", default_value_t = 10_000_000_000, requires = "verify")]
    max_passes: u64,
}

/// The format of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum OpsFormat {
    /// Aligned columns
    #[default]
    Text,
    /// A table in Markdown
    Markdown,
    /// One JSON object
    Json,
    /// Comma-separated values
    Csv,
}

impl OpsArgs {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let clock = Clock::start(&self.watch);
        clock.enter("reading");
        let characteristics = self.read(&mut |phase| clock.enter(phase))?;
        let program = &characteristics.program;
        let sizes = self.sizes(&characteristics)?;
        let subject = counts::subject_of(program, sizes.as_deref())?;
        clock.enter("counting");
        let isl = Context::new().map_err(|error| CliError::refused(error.to_string()))?;
        let wrong = |error| explain(program, &error);
        let executions = Executions::new(&isl, program).map_err(wrong)?;
        if self.verify {
            let sizes = sizes.ok_or_else(|| {
                CliError::with_hint("--verify runs the program at one size", "give it with -D or --dataset")
            })?;
            clock.enter("running");
            let agree = check::compare(out, &characteristics, &executions, &sizes, self.max_passes)?;
            clock.finish();
            return Ok(if agree { ExitStatus::Success } else { ExitStatus::CheckFailed });
        }
        let report = rows::report(self.by, &characteristics, &executions, &subject).map_err(wrong)?;
        let form = if self.json { OpsFormat::Json } else { self.format };
        let needs_graph =
            self.dot.is_some() || self.svg.is_some() || (form == OpsFormat::Json && self.by == OpsBy::Block);
        let graph = needs_graph.then(|| graph::graph(&characteristics, &executions, &subject)).transpose();
        let graph = graph.map_err(wrong)?;
        clock.finish();
        self.write(out, &report, graph.as_ref(), &subject, form)?;
        Ok(ExitStatus::Success)
    }

    fn read(&self, enter: Enter) -> Result<Characteristics, CliError> {
        let mut lines: Vec<u32> = self.branches.iter().map(|branch| branch.line).collect();
        lines.sort_unstable();
        if let Some(twice) = lines.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(CliError::refused(format!("--branch: line {} has two probabilities", twice[0])));
        }
        let probabilities = self.branches.iter().map(|branch| (branch.line, branch.probability.clone()));
        let branches = Branches::new(probabilities);
        let source = input::read(&self.path)?;
        let characteristics = self.options.characterise(
            &self.path,
            &source,
            self.function.as_deref(),
            &branches,
            &self.compiler,
            enter,
        )?;
        let known: Vec<u32> = characteristics.data_branches.iter().map(|place| place.line).collect();
        match branches.lines().find(|line| !known.contains(line)) {
            None => Ok(characteristics),
            Some(line) => Err(no_such_branch(line, &known)),
        }
    }

    /// Returns the size, if one is given; refuses several.
    fn sizes(&self, characteristics: &Characteristics) -> Result<Option<Vec<i64>>, CliError> {
        let grid = super::grid_of(&characteristics.program, &self.parameters)?;
        match grid.axes().next() {
            None => Ok(None),
            Some(_) => sizes_of(&characteristics.program, &grid.single()?).map(Some),
        }
    }

    fn write(
        &self,
        out: &mut dyn Write,
        report: &OpsReport,
        graph: Option<&OpsGraph>,
        subject: &OpsSubject,
        form: OpsFormat,
    ) -> Result<(), CliError> {
        let mut drawn = false;
        for (path, draw) in [(&self.dot, dot::text as fn(&OpsGraph, &OpsSubject) -> String), (&self.svg, svg::text)] {
            if let (Some(path), Some(graph)) = (path, graph) {
                output::write(out, path, &draw(graph, subject))?;
                drawn |= path.as_os_str() == "-";
            }
        }
        let shown = if self.full { ShownFormulas::All } else { ShownFormulas::Large };
        match form {
            _ if drawn => (),
            OpsFormat::Text => text::write(out, report, subject, shown)?,
            OpsFormat::Markdown => text::write_markdown(out, report, subject, shown)?,
            OpsFormat::Json => json::write(out, report, graph.filter(|_| self.by == OpsBy::Block), subject)?,
            OpsFormat::Csv => csv::write(out, report, subject)?,
        }
        Ok(())
    }
}

fn no_such_branch(line: u32, known: &[u32]) -> CliError {
    let message = format!("--branch: there is no branch on data at line {line}");
    let lines = known.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    match known.len() {
        0 => CliError::with_hint(message, "no branch of this program depends on data; leave the option out"),
        1 => CliError::with_hint(message, format!("the only one is at line {lines}")),
        _ => CliError::with_hint(message, format!("those of this program are at lines {lines}")),
    }
}
