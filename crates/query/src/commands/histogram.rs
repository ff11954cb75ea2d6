//! `histogram`: how often each reuse interval, or each reuse distance, occurs at one size.

use std::io::Write;

use clap::Args;
use symloc_report::histogram::{self, Bins};
use symloc_report::{AnswerHeader, MissModel};

use crate::error::{CliError, ExitStatus};
use crate::options::{ModelArgs, SizeArgs};

/// The options of `histogram`.
#[derive(Clone, Debug, Args)]
pub struct HistogramArgs {
    #[command(flatten)]
    pub(super) model: ModelArgs,
    #[command(flatten)]
    sizes: SizeArgs,
    /// Reuse distances instead of reuse intervals
    #[arg(long)]
    distance: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl HistogramArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let model = self.model.load()?;
        let miss_model = if self.distance { MissModel::Lru } else { MissModel::Denning };
        let found = self.sizes.distribution(miss_model, &model, self.model.line())?;
        let header = AnswerHeader::new(&model, &found);
        let bins = match miss_model {
            MissModel::Denning => Bins::Intervals { real: &found.real, imaginary: &found.imaginary },
            MissModel::Lru => Bins::Distances { known: &found.distances, estimated: &found.real },
        };
        if self.json {
            histogram::write_json(out, &header, bins, false)?;
        } else {
            histogram::write_text(out, &header, bins)?;
        }
        Ok(ExitStatus::Success)
    }
}
