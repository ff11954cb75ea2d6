//! The options of attribution.

use clap::Args;
use symloc_report::subject::RowsBy;

/// To whom misses are attributed, and in which unit.
#[derive(Clone, Debug, Default, Args)]
pub struct AttributionArgs {
    /// Tell the misses of each array, access or nest by themselves
    #[arg(long, value_name = "WHAT", value_enum)]
    pub(crate) by: Option<RowsBy>,
    /// Bytes that are read into each cache, and floating-point operations for each of them
    #[arg(long)]
    pub(crate) traffic: bool,
}

impl AttributionArgs {
    /// Returns true if the options request anything but misses of caches.
    pub(crate) fn asked(&self) -> bool {
        self.by.is_some() || self.traffic
    }
}
