//! `histogram`: how often each reuse interval occurs at one size.

use std::io::Write;

use clap::Args;

use crate::error::{CliError, ExitStatus};
use crate::export::Header;
use crate::export::histogram::{self, Bins};
use crate::options::{ModelArgs, SizeArgs, no_distances};

/// The options of `histogram`.
#[derive(Clone, Debug, Args)]
pub struct HistogramArgs {
    #[command(flatten)]
    model: ModelArgs,
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
        if self.distance {
            return Err(no_distances());
        }
        let model = self.model.load()?;
        let distribution = self.sizes.evaluate(&model, self.model.line())?;
        let header = Header::new(&model, &distribution);
        let bins = Bins::Intervals { real: &distribution.real, imaginary: &distribution.imaginary };
        if self.json {
            histogram::write_json(out, &header, bins, false)?;
        } else {
            histogram::write_text(out, &header, bins)?;
        }
        Ok(ExitStatus::Success)
    }
}
