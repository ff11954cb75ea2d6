//! `derive`: the model of a program.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use symloc_query::{CliError, ExitStatus, output};

use crate::clock::Clock;
use crate::derivation::{self, LimitArgs};
use crate::emit::{self, Stage};
use crate::input::{Enter, Input, LayoutArgs, ProgramArgs};
use crate::store::Store;

/// The options of `derive`.
#[derive(Clone, Debug, Args)]
pub(crate) struct DeriveArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    derivation: DerivationArgs,
}

impl DeriveArgs {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        self.derivation.run(out, |enter| self.program.load(enter))
    }
}

/// The options of a derivation and its output.
#[derive(Clone, Debug, Args)]
pub(crate) struct DerivationArgs {
    #[command(flatten)]
    layout: LayoutArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// The write-backs of fully associative caches too; `query` prints them
    #[arg(long)]
    write_backs: bool,
    /// Where to write the model; - is standard output
    #[arg(short, long, value_name = "MODEL", default_value = "-")]
    pub output: PathBuf,
    /// Keep models in this folder, and do not derive again what has not changed; several processes may use it at once
    #[arg(long, value_name = "FOLDER")]
    cache_dir: Option<PathBuf>,
    /// Tell on standard error how long each phase takes, which accesses take most of the time, and what to do
    #[arg(long)]
    timing: bool,
    /// Print a stage of the derivation in isl notation, and stop
    #[arg(long, value_enum, value_name = "STAGE")]
    emit: Option<Stage>,
}

impl DerivationArgs {
    /// Reads a program and derives its model.
    pub(crate) fn run(
        &self,
        out: &mut dyn Write,
        load: impl FnOnce(Enter) -> Result<Input, CliError>,
    ) -> Result<ExitStatus, CliError> {
        let clock = Clock::start_with_share(&self.limits.watch);
        clock.enter("reading");
        let input = load(&mut |phase| clock.enter(phase))?;
        if let Some(stage) = self.emit {
            emit::emit(out, &input, self.layout.layout(input.line), &self.layout.lines(input.line), stage)?;
            return Ok(ExitStatus::Success);
        }
        let wanted = (&self.limits, self.write_backs);
        let derive = || derivation::with_write_backs(&input, &self.layout, wanted, &clock);
        let model = match &self.cache_dir {
            None => derive()?,
            Some(folder) => Store::new(folder)
                .model(&(&input, &self.layout, self.limits.of_the_model(), self.write_backs), derive)?,
        };
        derivation::remark(&model)?;
        if self.timing {
            clock.finish_with_times()
        } else {
            clock.finish()
        }
        output::write(out, &self.output, &model.to_json())?;
        Ok(ExitStatus::Success)
    }
}
