//! How far predicted misses are from simulated ones.

mod kernels;
mod measure;

use std::path::PathBuf;

use clap::Args;

use crate::Failure;
use kernels::{Dataset, Variant};
use measure::Folder;

/// Bytes per line.
const LINE_BYTES: u64 = 64;
/// The caches, in bytes.
const SIZES: [u64; 3] = [6 << 10, 12 << 10, 48 << 10];
/// Lines in a set of the caches that are not fully associative.
const WAYS: u64 = 12;

/// The options of `accuracy`.
#[derive(Debug, Args)]
pub(crate) struct AccuracyArgs {
    /// Kernels; all of sizes.tsv by default
    kernels: Vec<String>,
    /// Which sizes
    #[arg(long, value_enum, default_value = "medium")]
    dataset: Dataset,
    /// Where measurements are kept; what is there is not measured again
    #[arg(long, value_name = "FOLDER", default_value = "target/accuracy")]
    measurements: PathBuf,
}

pub(crate) fn run(args: &AccuracyArgs) -> Result<(), Failure> {
    let kernels = kernels::kernels(&args.kernels, args.dataset)?;
    let folder = Folder::new(&args.measurements)?;
    for kernel in &kernels {
        for variant in [Variant::Original, Variant::Fused] {
            let start = std::time::Instant::now();
            folder.measured(kernel, variant)?;
            eprintln!("{} {} {:?}", kernel.name, variant.name(), start.elapsed());
        }
    }
    for kernel in &kernels {
        folder.unpadded(kernel)?;
    }
    Ok(())
}
