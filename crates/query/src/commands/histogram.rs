//! `histogram`: how often each reuse interval, or each reuse distance, occurs at one size.

use std::io::Write;

use clap::Args;
use symloc_report::AnswerHeader;
use symloc_report::answers::histogram::{self, Bins, BinsOrigin};

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
        if self.distance {
            let found = self.sizes.distances(&model, self.model.line())?;
            let header = AnswerHeader::of(&model, &found.place, &found.accesses, &found.blocks);
            return self.write(out, &header, Bins::Distances { known: &found.distances, estimated: &found.estimated });
        }
        let distribution = self.sizes.evaluate(&model, self.model.line())?;
        let header = AnswerHeader::new(&model, &distribution);
        let bins = Bins::Intervals { real: &distribution.real, imaginary: &distribution.imaginary };
        self.write(out, &header, bins)
    }

    fn write(&self, out: &mut dyn Write, header: &AnswerHeader, bins: Bins<'_>) -> Result<ExitStatus, CliError> {
        if self.json {
            histogram::write_json(out, header, bins, BinsOrigin::Model)?;
        } else {
            histogram::write_text(out, header, bins)?;
        }
        Ok(ExitStatus::Success)
    }
}
