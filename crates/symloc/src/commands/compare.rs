//! `compare`: two models or programs side by side, or one program before and after passes.
//!
//! A file that holds a JSON object is a model; any other file is a program, whose model is derived first.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use symloc_affine::Line;
use symloc_mlir::Source;
use symloc_model::{LineChoice, Model};
use symloc_query::answers::series::LoadedModel;
use symloc_query::commands::ComparisonArgs;
use symloc_query::{CliError, ExitStatus};

use crate::clock::Clock;
use crate::derivation::{self, LimitArgs};
use crate::input::code::CodeArgs;
use crate::input::{self, LayoutArgs, LayoutChoice, LineArgs, ProgramOptions};

/// The options of `compare`.
#[derive(Clone, Debug, Args)]
pub(crate) struct CompareArgs {
    /// A model, or a program as `derive` reads it
    #[arg(value_name = "FILE")]
    first: PathBuf,
    /// What it is compared with; without it, the first program after --passes
    #[arg(value_name = "FILE")]
    second: Option<PathBuf>,
    /// The function to analyse, where there are several
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    #[command(flatten)]
    options: ProgramOptions,
    /// The line size: of the derivations, and where a model holds several
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "element")]
    line_bytes: Option<u64>,
    /// Lines of one element, whatever its size
    #[arg(long)]
    element: bool,
    /// How arrays lie in memory [default: memory; rows with --line]
    #[arg(long, value_enum)]
    layout: Option<LayoutChoice>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    comparison: ComparisonArgs,
    #[command(flatten)]
    code: CodeArgs,
}

impl CompareArgs {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let clock = Clock::start(&self.limits.watch);
        let members = match &self.second {
            None => self.before_and_after(&clock)?,
            Some(second) => self.two_files(second, &clock)?,
        };
        let members = members.map(LoadedModel::on_one_thread);
        clock.finish();
        let line = self.line_bytes.map_or(LineChoice::Only, LineChoice::Bytes);
        self.comparison.run(out, &members, line)
    }

    fn before_and_after(&self, clock: &Clock) -> Result<[LoadedModel; 2], CliError> {
        if !self.options.has_passes() {
            return Err(CliError::with_hint(
                "one file, and nothing to compare it with",
                "name a second file, or passes that change the first: --passes 'func.func(affine-loop-fusion)'",
            ));
        }
        let source = input::read(&self.first)?;
        if is_model(&source) {
            return Err(CliError::with_hint(
                format!("{}: passes are run on programs, and this is a model", source.name),
                "give the program that it was derived from",
            ));
        }
        let before = self.derive(&self.first, &source, &self.options.before_passes(), clock)?;
        let after = self.derive(&self.first, &source, &self.options, clock)?;
        let member = |label: &str, model| LoadedModel {
            source: format!("{} {label} passes", source.name),
            label: label.to_owned(),
            model: Arc::new(model),
            with_threads: None,
        };
        Ok([member("before", before), member("after", after)])
    }

    fn two_files(&self, second: &Path, clock: &Clock) -> Result<[LoadedModel; 2], CliError> {
        if self.options.has_passes() {
            return Err(CliError::with_hint(
                "--passes compares one program before and after them, but there are two files",
                "derive the second one with `symloc derive --passes`, and compare the models",
            ));
        }
        let mut models = Vec::new();
        for path in [&self.first, second] {
            let source = input::read(path)?;
            let model = match is_model(&source) {
                true => self.parse(path, &source)?,
                false => self.derive(path, &source, &self.options, clock)?,
            };
            models.push((source.name, Arc::new(model)));
        }
        <[LoadedModel; 2]>::try_from(LoadedModel::label(models))
            .map_err(|members| CliError::refused(format!("{} models instead of two", members.len())))
    }

    fn parse(&self, path: &Path, source: &Source) -> Result<Model, CliError> {
        if !self.options.is_empty() || self.function.is_some() {
            return Err(CliError::with_hint(
                format!("{}: a model is what it is", source.name),
                "--function, --assume and --name are for programs; give them to `symloc derive`",
            ));
        }
        let text = String::from_utf8_lossy(&source.bytes);
        Model::parse(&text).map_err(|error| CliError::model(path, &error))
    }

    fn derive(&self, path: &Path, source: &Source, options: &ProgramOptions, clock: &Clock) -> Result<Model, CliError> {
        clock.enter("reading");
        let input =
            options.read(path, source, self.function.as_deref(), &self.code, &mut |phase| clock.enter(phase))?;
        let line = if self.element { Line::Element } else { Line::Bytes(self.line_bytes.unwrap_or(64)) };
        let layout = LayoutArgs { lines: LineArgs::one(line), layout: self.layout };
        let model = derivation::model(&input, &layout, &self.limits, clock)?;
        derivation::remark(&model)?;
        Ok(model)
    }
}

/// Returns true if a file is a model: it begins with a brace, and no program does.
fn is_model(source: &Source) -> bool {
    source.bytes.trim_ascii_start().starts_with(b"{")
}
