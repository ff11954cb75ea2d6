//! `advise`: the order of loops and the tiles that make a program faster.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use symloc_advise::emit::Emitter;
use symloc_advise::run::{Measured, Runner};
use symloc_advise::{
    Advice, AdviceQuestion, AdviseError, AdvisedOrder, Cost, Hierarchy, LevelMisses, Nests, SourceFunction, SourceText,
    advise,
};
use symloc_affine::Line;
use symloc_isl::Context;
use symloc_llvm::Language;
use symloc_query::options::ParameterArgs;
use symloc_query::options::cache_design::CacheDesign;
use symloc_query::options::caches::{CacheArgs, single};
use symloc_query::output::tell;
use symloc_query::{CliError, ExitStatus};
use symloc_report::answers::advice::{AdviceReport, ArrayMisses, OrderReport, WorkAmounts};
use symloc_report::answers::{AnswerCount, AnswerFormat, Answers};

use super::sizes_of;
use crate::clock::Clock;
use crate::dense::at_size;
use crate::input::{Input, LineArgs, ProgramArgs, lines_at, read};
use crate::watchdog::WatchArgs;

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
    /// Aligned text, or one JSON object
    #[arg(long, value_enum, default_value_t)]
    format: AnswerFormat,
    /// Write the source with the best order to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The flags of a compiler that was given none that choose an optimisation.
const OPTIMISED: [&str; 2] = ["-O3", "-march=native"];

impl AdviseArgs {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let clock = Clock::start(&self.watch);
        clock.enter("reading");
        let path = self.program.path();
        let language = Language::of(path);
        if !matches!(language, Some(Language::C | Language::Cpp)) {
            return Err(CliError::with_hint(
                format!("{}: advise reads C and C++ only", path.display()),
                "compare two orders of other programs with `symloc compare`",
            ));
        }
        let input = self.program.load_all_accesses(&mut |phase| clock.enter(phase))?;
        let sizes = sizes_of(&input.program, &super::grid_of(&input.program, &self.parameters)?.single()?)?;
        let text = String::from_utf8_lossy(&read(path)?.bytes).into_owned();
        let refused = |error: AdviseError| self.refused(error);
        let source = self.source(&text, &input.program.name).map_err(refused)?;
        let program = at_size(&input.program, &sizes)?;
        let nests = Nests::new(&program, &input.assumptions, &source, &text, path).map_err(refused)?;
        let (hierarchy, names) = self.hierarchy(&nests)?;
        clock.enter("searching");
        let isl = Context::new().map_err(|error| refused(error.into()))?;
        let time = Duration::from_secs(self.search_time);
        let question = AdviceQuestion { nests: &nests, sizes: &sizes, hierarchy: &hierarchy, time, top: self.top };
        let mut advice = advise(&isl, &question).map_err(refused)?;
        let emitter = Emitter { text: &text, source: &source, nests: &nests, scop: &advice.scop };
        let files: Vec<_> = proposed(&advice).take(self.top).map(|candidate| emitter.file(candidate)).collect();
        let measured = match self.run {
            true => {
                clock.enter("running");
                let sources: Vec<_> = std::iter::once(text.clone()).chain(files.iter().cloned()).collect();
                self.measure(&input.program, &source, &sizes, &sources)?
            }
            false => Vec::new(),
        };
        clock.finish();
        advice.candidates.truncate(files.len());
        let mut answers = Answers::new(out, self.format, AnswerCount::One);
        answers.push(report(&input, &sizes, &advice, names, &measured))?;
        answers.finish()?;
        let chosen = fastest(&measured).unwrap_or(usize::from(!files.is_empty()));
        if let (Some(path), Some(place)) = (&self.output, chosen.checked_sub(1)) {
            std::fs::write(path, &files[place])
                .map_err(|error| CliError::refused(format!("{}: cannot write it: {error}", path.display())))?;
        }
        Ok(ExitStatus::Success)
    }

    /// Reads the function of a source; says which of its pragmas are left out.
    fn source(&self, text: &str, name: &str) -> Result<SourceFunction, AdviseError> {
        let tree_of = |name: &str| {
            let tree = self.program.syntax_tree(name);
            tree.map_err(|error| AdviseError::Tree { why: error.to_string() })
        };
        let source = SourceText { text, is_cpp: self.is_cpp(), tree_of: &tree_of }.function(name)?;
        for line in &source.pragmas {
            let place = format!("{}:{line}", self.program.path().display());
            tell("note", &format!("{place}: this pragma is about the loops as written: new orders are without it"));
        }
        Ok(source)
    }

    fn is_cpp(&self) -> bool {
        Language::of(self.program.path()) == Some(Language::Cpp)
    }

    fn refused(&self, error: AdviseError) -> CliError {
        match error {
            AdviseError::Source { .. } | AdviseError::NotRead { .. } => {
                CliError::refused(format!("{}:{error}", self.program.path().display()))
            }
            other => CliError::refused(other.to_string()),
        }
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

    /// Compiles and runs sources, the one as written first.
    fn measure(
        &self,
        program: &symloc_affine::Program,
        source: &SourceFunction,
        sizes: &[i64],
        sources: &[String],
    ) -> Result<Vec<Measured>, CliError> {
        let mut flags = self.program.flags()?;
        if !flags.iter().any(|flag| flag.starts_with("-O")) {
            flags.extend(OPTIMISED.map(str::to_owned));
        }
        let folder = self.program.path().parent().unwrap_or(Path::new("."));
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let is_cpp = self.is_cpp();
        let compiler = if is_cpp { "clang++-22" } else { "clang-22" };
        let runner = Runner { compiler, flags: &flags, folder, is_cpp, source, program, sizes };
        runner.measure(sources).map_err(|error| self.refused(error))
    }
}

/// Returns the place of the fastest program with equal results, with the one as written at 0.
fn fastest(measured: &[Measured]) -> Option<usize> {
    let equal = measured.iter().enumerate().filter(|(_, measured)| measured.is_equal);
    equal.min_by(|(_, a), (_, b)| a.seconds.total_cmp(&b.seconds)).map(|(place, _)| place)
}

/// An order is worth proposing if it is predicted to be this many times as fast: below that the prediction may be wrong.
const WORTHWHILE: f64 = 1.15;

/// Returns the answer: the program as written, the orders that are predicted to be faster, and what was measured.
fn report(input: &Input, sizes: &[i64], advice: &Advice, levels: Vec<String>, measured: &[Measured]) -> AdviceReport {
    let (program, accesses) = (&input.program, &advice.scop.program.accesses);
    let order = |place: usize, order: &AdvisedOrder| {
        let Cost { misses, work, cycles } = &order.cost;
        let measured = measured.get(place);
        let of_array = |array: usize| ArrayMisses {
            name: program.arrays[array].name.clone(),
            misses: misses.iter().map(|level| level.arrays[array]).collect(),
        };
        let is_touched = |array: &usize| accesses.iter().any(|access| access.array.index() == *array);
        OrderReport {
            moves: order.words.clone(),
            misses: misses.iter().map(LevelMisses::all).collect(),
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
                streamed: misses.iter().map(|level| level.streamed).collect(),
                scattered: misses.iter().map(|level| level.scattered).collect(),
            },
            seconds: measured.map(|measured| measured.seconds),
            is_equal: measured.map(|measured| measured.is_equal),
        }
    };
    let orders: Vec<_> = proposed(advice).enumerate().map(|(place, candidate)| order(place + 1, candidate)).collect();
    let parameters = program.params.iter().zip(sizes).map(|(param, size)| (param.name.clone(), i128::from(*size)));
    AdviceReport {
        function: program.name.clone(),
        parameters: parameters.collect(),
        levels,
        written: order(0, &advice.written),
        helps: !orders.is_empty() && fastest(measured) != Some(0),
        orders,
        is_partial: advice.is_partial,
    }
}

/// Returns the orders that are predicted to be faster than the program as written, the fastest first.
fn proposed(advice: &Advice) -> impl Iterator<Item = &AdvisedOrder> {
    let limit = advice.written.cost.cycles / WORTHWHILE;
    advice.candidates.iter().filter(move |candidate| candidate.cost.cycles < limit)
}
