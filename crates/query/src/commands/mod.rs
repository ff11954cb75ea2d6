//! The commands that need only a model.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Subcommand;
use symloc_model::Model;

use crate::error::{CliError, ExitStatus};
use crate::options::ModelSource;

mod annotate;
mod bound;
mod compare;
mod curve;
mod explain;
mod find_cache;
mod find_size;
mod find_tile;
mod formula;
mod histogram;
mod query;
mod scaling;
mod table;

pub use annotate::AnnotateArgs;
pub use bound::BoundArgs;
pub use compare::{CompareArgs, ComparisonArgs};
pub use curve::{CurveArgs, PictureArgs};
pub use explain::ExplainArgs;
pub use find_cache::FindCacheArgs;
pub use find_size::FindSizeArgs;
pub use find_tile::FindTileArgs;
pub use formula::FormulaArgs;
pub use histogram::HistogramArgs;
pub use query::QueryArgs;
pub use scaling::ScalingArgs;
pub use table::TableArgs;

/// Returns the examples at the end of a command's help, for the program that shows it.
pub fn examples(examples: &[&str]) -> String {
    let program = std::env::args_os().next().map(PathBuf::from);
    let name = program.as_deref().and_then(Path::file_stem).unwrap_or_else(|| OsStr::new("symloc"));
    let heading = if examples.len() == 1 { "Example:" } else { "Examples:" };
    let lines = examples.iter().map(|arguments| format!("\n  {} {arguments}", name.display()));
    lines.fold(heading.to_owned(), |text, line| text + &line)
}

/// A question to a model.
#[derive(Clone, Debug, Subcommand)]
pub enum ModelCommand {
    /// Misses in one cache or several levels of it, at one size or many
    #[command(after_help = examples(&[
        "query gemm.loc.json -D ni=1000 -D nj=1100 -D nk=1200 --cache 48KiB --cache 2MiB",
        "query gemm.loc.json -D ni=nj=nk=64..4096:*2 --cache 32KiB,full,64",
        "query gemm.loc.json --dataset large --cache 4KiB..1MiB:*2 --format csv",
        "query gemm.loc.json --dataset large -D nk=8,16 --machine this --format jsonl",
        "query gemm.loc.json --dataset mini --cache 32KiB --fail-above 5%",
    ]))]
    Query(QueryArgs),
    /// In sentences: which accesses miss in a cache, why, and which caches and sizes would change that
    #[command(after_help = examples(&[
        "explain gemm.loc.json --dataset large --cache 32KiB --cache 1MiB",
        "explain gemm.loc.json -D ni=nj=nk=500 --machine this",
    ]))]
    Explain(ExplainArgs),
    /// The smallest cache that keeps the misses within a bound
    #[command(after_help = examples(&[
        "find-cache gemm.loc.json --dataset large --max-miss-ratio 5% --cold-only",
        "find-cache gemm.loc.json -D ni=nj=nk=64..4096:*2 --max-miss-ratio 0.05 --format csv",
    ]))]
    FindCache(FindCacheArgs),
    /// The largest size with which a cache keeps the misses within a bound
    #[command(after_help = examples(&[
        "find-size gemm.loc.json -D ni=nj=nk=8..512:+8 --cache 48KiB --cache 2MiB",
        "find-size gemm.loc.json --dataset large -D nk=8..99 --cache 1MiB --max-miss-ratio 7%",
    ]))]
    FindSize(FindSizeArgs),
    /// The tile size with which a cache misses least
    #[command(after_help = examples(&[
        "find-tile tiles.loc.json -D n=500 --cache 48KiB",
        "find-tile tiles.loc.json -D n=500 -D T=8..256:+8 --cache 48KiB --cache 2MiB --json",
    ]))]
    FindTile(FindTileArgs),
    /// The misses that no order of the same operations goes below
    #[command(after_help = examples(&[
        "bound gemm.loc.json --dataset large --cache 48KiB --cache 2MiB",
        "bound gemm.loc.json -D ni=nj=nk=64..4096:*2 --cache 4KiB..1MiB:*2 --format csv",
    ]))]
    Bound(BoundArgs),
    /// How often each reuse interval occurs at one size
    #[command(after_help = examples(&["histogram gemm.loc.json -D ni=19 -D nj=16 -D nk=11 --json"]))]
    Histogram(HistogramArgs),
    /// Misses over all cache sizes, or over numbers of threads, as a plot, a picture, a page or data
    #[command(after_help = examples(&[
        "curve gemm.loc.json -D ni=1000 -D nj=1100 -D nk=1200 --csv",
        "curve gemm.loc.json -D ni=1000 -D nj=1100 -D nk=256,1024 --mark L1=48KiB --svg gemm.svg",
        "curve jacobi.loc.json -D n=20000,tsteps=9 --threads 1..64:*2 --cache 32KiB --cache 2MiB",
    ]))]
    Curve(CurveArgs),
    /// The source, with the misses of each line beside it
    #[command(after_help = examples(&[
        "annotate gemm.loc.json --dataset large --cache 48KiB --cache 2MiB",
        "annotate gemm.loc.json polybench/gemm.mlir -D ni=nj=nk=500 --cache 32KiB --context 2",
    ]))]
    Annotate(AnnotateArgs),
    /// The locality table: reuse intervals, miss ratios and cache sizes as formulas
    #[command(after_help = examples(&[
        "table matmul.loc.json --format markdown",
        "table matmul.loc.json --operations",
        "table gemm.loc.json --by access",
    ]))]
    Table(TableArgs),
    /// Which caches matter and what the miss ratio is between them, as formulas on one screen
    #[command(after_help = examples(&[
        "scaling matmul.loc.json",
        "scaling matmul.loc.json -D n=2000 --machine this",
        "scaling matmul.loc.json --operations",
        "scaling matmul.loc.json --terms all",
    ]))]
    Scaling(ScalingArgs),
    /// The number of misses as a formula in the sizes and the cache size
    #[command(after_help = examples(&[
        "formula gemm.loc.json",
        "formula gemm.loc.json -D ni=nj=nk=500 --full",
        "formula gemm.loc.json --cache S --format json",
    ]))]
    Formula(FormulaArgs),
}

impl ModelCommand {
    /// Redirects the command to a model in memory, whatever file it names.
    pub fn to(mut self, model: &Arc<Model>) -> Self {
        let held = ModelSource::Held(Arc::clone(model));
        let args = match &mut self {
            ModelCommand::Query(args) => &mut args.model,
            ModelCommand::Explain(args) => &mut args.model,
            ModelCommand::FindCache(args) => &mut args.model,
            ModelCommand::FindSize(args) => &mut args.model,
            ModelCommand::FindTile(args) => &mut args.model,
            ModelCommand::Bound(args) => &mut args.model,
            ModelCommand::Histogram(args) => &mut args.model,
            ModelCommand::Annotate(args) => &mut args.model,
            ModelCommand::Table(args) => &mut args.formulas.model,
            ModelCommand::Scaling(args) => &mut args.model,
            ModelCommand::Formula(args) => &mut args.model,
            ModelCommand::Curve(args) => {
                args.models = vec![held];
                return self;
            }
        };
        args.source = held;
        self
    }

    /// Runs the command and writes the answer to `out`.
    ///
    /// # Errors
    ///
    /// A refusal of the request, or an error that the result cannot be written.
    pub fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        match self {
            ModelCommand::Query(args) => args.run(out),
            ModelCommand::Explain(args) => args.run(out),
            ModelCommand::FindCache(args) => args.run(out),
            ModelCommand::FindSize(args) => args.run(out),
            ModelCommand::FindTile(args) => args.run(out),
            ModelCommand::Bound(args) => args.run(out),
            ModelCommand::Histogram(args) => args.run(out),
            ModelCommand::Curve(args) => args.run(out),
            ModelCommand::Annotate(args) => args.run(out),
            ModelCommand::Table(args) => args.run(out),
            ModelCommand::Scaling(args) => args.run(out),
            ModelCommand::Formula(args) => args.run(out),
        }
    }
}
