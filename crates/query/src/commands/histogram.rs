//! `histogram`: how often each reuse interval occurs at one size.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use symloc_model::{Bin, Distribution, Int};

use super::write_summary;
use crate::error::{CliError, ExitStatus};
use crate::export::json;
use crate::export::text::{Columns, ratio};
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
        if self.json {
            json::write(out, &Answer::new(&distribution))?;
        } else {
            write_summary(out, &model, &distribution)?;
            write_bins(out, "reuse interval", &distribution.real, &distribution.accesses)?;
            write_bins(out, "imaginary interval", &distribution.imaginary, &distribution.accesses)?;
        }
        Ok(ExitStatus::Success)
    }
}

fn write_bins(out: &mut dyn Write, title: &str, bins: &[Bin], accesses: &Int) -> io::Result<()> {
    if bins.is_empty() {
        return Ok(());
    }
    let mut table = Columns::new(&[title, "accesses", "portion"], 0);
    for bin in bins {
        table.push(vec![bin.interval.to_string(), bin.count.to_string(), ratio(bin.count.ratio(accesses))]);
    }
    writeln!(out)?;
    table.write(out)
}

#[derive(Serialize)]
struct Answer<'a> {
    schema: &'static str,
    #[serde(serialize_with = "json::parameters")]
    parameters: &'a [(String, i128)],
    line_bytes: Option<u64>,
    #[serde(serialize_with = "json::int")]
    accesses: &'a Int,
    #[serde(serialize_with = "json::int")]
    blocks: &'a Int,
    #[serde(serialize_with = "json::bins")]
    real: &'a [Bin],
    #[serde(serialize_with = "json::bins")]
    imaginary: &'a [Bin],
}

impl<'a> Answer<'a> {
    fn new(distribution: &'a Distribution) -> Self {
        Self {
            schema: "symloc.histogram/1",
            parameters: &distribution.parameters,
            line_bytes: distribution.line_bytes,
            accesses: &distribution.accesses,
            blocks: &distribution.blocks,
            real: &distribution.real,
            imaginary: &distribution.imaginary,
        }
    }
}
