//! The options of sampling.

use clap::Args;
use symloc_replay::MemoryLayout;
use symloc_report::ratio::Ratio;

use super::cache_design::BaseArgs;

/// The options of sampling.
#[derive(Clone, Debug, Default, Args)]
pub struct SampleArgs {
    /// With --model sampled: stop when the miss ratio is known this closely: 0.1%; by default as closely as it can be
    /// in a second or so
    #[arg(long, value_name = "RATIO")]
    pub(crate) precision: Option<Ratio>,
    /// With --model sampled: another seed draws other samples, the same one the same
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// With --model sampled: how arrays lie in memory; by default as the model has it
    #[arg(long, value_enum)]
    pub(crate) layout: Option<MemoryLayout>,
    #[command(flatten)]
    pub(crate) bases: BaseArgs,
}

impl SampleArgs {
    /// Returns true if the options place arrays in memory.
    pub(crate) fn places_arrays(&self) -> bool {
        self.layout.is_some() || !self.bases.is_empty()
    }
}
