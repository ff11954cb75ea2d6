//! `scaling`: which caches matter, and what the miss ratio is between them, on one screen.
//!
//! Rows are in leading terms ([`super::profiles`]); `--terms all` has the exact formulas ([`super::bounds`]).

use std::io::Write;

use clap::{Args, ValueEnum};
use symloc_locality::Counts;

use super::bounds;
use super::formulas::{FormulaArgs, require_operations};
use super::placed::Placed;
use super::profiles::{Columns, Profiles};
use crate::error::{CliError, ExitStatus};
use crate::export::Format;
use crate::levels::CacheArgs;
use crate::options::{MissModel, ModelArgs, ParameterArgs};

/// The options of `scaling`.
#[derive(Clone, Debug, Args)]
pub struct ScalingArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// Which misses: lru, which is the default where the model holds reuse distances, or denning
    #[arg(long = "model", value_name = "MODEL", value_enum, id = "miss_model")]
    miss_model: Option<MissModel>,
    /// The terms of the formulas: those that lead when all sizes are large, or all
    #[arg(long, value_name = "TERMS", value_enum, default_value_t)]
    terms: Terms,
    /// In each cache the number of floating-point operations for each byte that it reads, too
    #[arg(long)]
    operations: bool,
    #[command(flatten)]
    sizes: ParameterArgs,
    #[command(flatten)]
    caches: CacheArgs,
    /// The format of the result
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: Format,
}

/// The terms of a formula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Terms {
    /// The leading terms
    #[default]
    Leading,
    /// All terms, where they have a closed form
    All,
}

impl ScalingArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let model = self.model.load()?;
        let line = model.line(self.model.line())?;
        let miss_model = MissModel::choose(self.miss_model, &model, self.model.line())?;
        // Where the line size is a symbol the exact formulas are short, and leading terms would lose it.
        if self.terms == Terms::All || line.symbolic.is_some() {
            if !self.sizes.is_empty() || !self.caches.is_empty() {
                return Err(CliError::with_hint(
                    "exact scaling laws are about all large sizes",
                    "leave the sizes and caches out; `query` answers for them",
                ));
            }
            let formulas = FormulaArgs::new(&self.model, miss_model, self.operations, self.format);
            bounds::run(&formulas, out)?;
            return Ok(ExitStatus::Success);
        }
        if self.operations {
            require_operations(&model, line)?;
        }
        let counts = Counts { operations: self.operations, ..Counts::default() };
        let placed = Placed::new(&model, line, &self.sizes, &self.caches)?;
        Profiles::derive(&model, line, miss_model, counts)?.placed(placed).write(out, self.format, Columns::Scaling)?;
        Ok(ExitStatus::Success)
    }
}
