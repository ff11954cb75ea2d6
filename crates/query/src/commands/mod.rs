//! The commands that need a model and nothing else.

use std::io::Write;

use clap::Subcommand;

use crate::error::{CliError, ExitStatus};

mod curve;
mod formulas;
mod histogram;
mod query;
mod scaling;
mod table;

pub use curve::CurveArgs;
pub use formulas::FormulaArgs;
pub use histogram::HistogramArgs;
pub use query::QueryArgs;
pub use scaling::ScalingArgs;
pub use table::TableArgs;

/// A question to a model.
#[derive(Clone, Debug, Subcommand)]
pub enum ModelCommand {
    /// Misses at one size, in one cache or several levels of it
    Query(QueryArgs),
    /// How often each reuse interval occurs at one size
    Histogram(HistogramArgs),
    /// Misses at one size, over all cache sizes
    Curve(CurveArgs),
    /// The locality table: reuse intervals, miss ratios and cache sizes as formulas
    Table(TableArgs),
    /// The smallest caches that bound the miss ratio, as formulas
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
