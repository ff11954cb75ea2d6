//! The commands that need a model and nothing else.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Subcommand;

use crate::error::{CliError, ExitStatus};

mod attribution;
mod compare;
mod curve;
mod formulas;
mod histogram;
mod query;
mod scaling;
mod shares;
mod table;

pub use attribution::{AttributionArgs, By};
pub use compare::{CompareArgs, ComparisonArgs};
pub use curve::{CurveArgs, PictureArgs};
pub use formulas::FormulaArgs;
pub use histogram::HistogramArgs;
pub use query::QueryArgs;
pub use scaling::ScalingArgs;
pub use table::TableArgs;

/// The example at the end of a command's help, for whichever of the two programs shows it.
pub fn example(arguments: &str) -> String {
    let program = std::env::args_os().next().map(PathBuf::from);
    let name = program.as_deref().and_then(Path::file_stem).unwrap_or_else(|| OsStr::new("symloc"));
    format!("Example:\n  {} {arguments}", name.display())
}

/// A question to a model.
#[derive(Clone, Debug, Subcommand)]
pub enum ModelCommand {
    /// Misses at one size, in one cache or several levels of it
    #[command(after_help = example("query gemm.loc.json -D ni=1000 -D nj=1100 -D nk=1200 --cache 48KiB --cache 2MiB"))]
    Query(QueryArgs),
    /// How often each reuse interval occurs at one size
    #[command(after_help = example("histogram gemm.loc.json -D ni=19 -D nj=16 -D nk=11 --json"))]
    Histogram(HistogramArgs),
    /// Misses over all cache sizes, as a plot, a picture, a page or data
    #[command(after_help = example("curve gemm.loc.json -D ni=1000 -D nj=1100 -D nk=256,1024 --mark L1=48KiB --svg gemm.svg"))]
    Curve(CurveArgs),
    /// The locality table: reuse intervals, miss ratios and cache sizes as formulas
    #[command(after_help = example("table matmul.loc.json --format markdown"))]
    Table(TableArgs),
    /// The smallest caches that bound the miss ratio, as formulas
    #[command(after_help = example("scaling matmul.loc.json"))]
    Scaling(ScalingArgs),
}

impl ModelCommand {
    /// Answers the question on `out`.
    pub fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        match self {
            ModelCommand::Query(args) => args.run(out),
            ModelCommand::Histogram(args) => args.run(out),
            ModelCommand::Curve(args) => args.run(out),
            ModelCommand::Table(args) => args.run(out),
            ModelCommand::Scaling(args) => args.run(out),
        }
    }
}
