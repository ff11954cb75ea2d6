//! How far predicted misses are from simulated ones.

mod kernels;
mod measure;
mod predict;

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
/// The cache without imaginary reuse, fully associative, in bytes.
const ABLATION: u64 = 32 << 10;

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
            let Some(measured) = folder.measured(kernel, variant)? else { continue };
            let p = folder.predicted(kernel, variant, &measured)?;
            let n = measured.total() as f64;
            let e = |a: &[u64], b: &[u64]| {
                a.iter()
                    .zip(b)
                    .map(|(a, b)| format!("{:.2}", 100.0 * a.abs_diff(*b) as f64 / n))
                    .collect::<Vec<_>>()
                    .join(" ")
            };
            let full: Vec<u64> = SIZES.iter().map(|s| measured.misses(*s)).collect();
            println!(
                "{} {} den {} | {} pha {} | {} lru {} | {}",
                kernel.name,
                variant.name(),
                e(&full, &p.denning.full),
                e(&measured.padded, &p.denning.ways),
                e(&full, &p.phases.full),
                e(&measured.padded, &p.phases.ways),
                e(&full, &p.lru.full),
                e(&measured.padded, &p.lru.ways)
            );
            eprintln!("{:?}", start.elapsed());
        }
    }
    for kernel in &kernels {
        folder.unpadded(kernel)?;
    }
    Ok(())
}
