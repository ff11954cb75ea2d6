//! The error of predicted misses against simulated ones, as the paper measures it: |predicted − simulated| / accesses.
//!
//! - [`kernels`]: the programs,
//! - [`measure`]: simulations, kept in a folder,
//! - [`predict`](mod@predict): predictions of models,
//! - [`native`](mod@native): machine code under cachegrind,
//! - [`report`], [`plot`]: docs/accuracy.md,
//! - [`recheck`]: its figures beside models that are derived now.

mod kernels;
mod measure;
mod native;
mod plot;
mod predict;
mod recheck;
mod report;

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use symloc_query::options::datasets::Dataset;

use crate::BoxedError;
use crate::kernels::root;
use crate::page;
use kernels::{Kernel, Variant};
use measure::Folder;
use predict::predict;
use report::Studied;

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
    /// Kernels; by default the 30 of PolyBench and the paper's 11 einsums
    kernels: Vec<String>,
    /// Which sizes
    #[arg(long, value_enum, default_value = "medium")]
    dataset: Dataset,
    /// Where measurements are kept; what is there is not measured again
    #[arg(long, value_name = "FOLDER", default_value = "target/accuracy")]
    measurements: PathBuf,
    /// Compile the kernels and run them under cachegrind, instead of simulating them
    #[arg(long)]
    native: bool,
    /// Simulate nothing: derive the kernels, and compare LRU misses with those that accuracy.tsv beside the page holds
    #[arg(long, conflicts_with = "native")]
    recheck: bool,
    /// The page whose tables are replaced; plots and figures are written beside it
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

/// Runs the study, or the part with machine code.
pub(crate) fn run(args: &AccuracyArgs) -> Result<(), BoxedError> {
    let kernels = kernels::kernels(&args.kernels, args.dataset)?;
    let page = args.page.clone().unwrap_or_else(|| root().join("docs/accuracy.md"));
    if args.recheck {
        return recheck::run(&kernels, &page.with_extension("tsv"));
    }
    let folder = Folder::new(&args.measurements)?;
    if args.native { native(&kernels, &args.measurements, &page) } else { study(&kernels, &folder, &page) }
}

fn study(kernels: &[Kernel], folder: &Folder, page: &Path) -> Result<(), BoxedError> {
    let (mut studied, mut unpadded) = (Vec::new(), Vec::new());
    for kernel in kernels {
        for variant in [Variant::Original, Variant::Fused] {
            let Some(measured) = folder.measured(kernel, variant)? else { continue };
            let sized = kernel.program(variant)?.ok_or("a kernel that was measured has no program")?;
            eprintln!("{} {} predicted", kernel.name, variant.name());
            let place = |error| format!("{} ({}): {error}", kernel.name, variant.name());
            let predicted = predict(&sized, &measured).map_err(place)?;
            studied.push(Studied { kernel: kernel.clone(), variant, program: sized.program, measured, predicted });
        }
        unpadded.extend(folder.unpadded(kernel)?.map(|unpadded| (kernel.name.clone(), unpadded)));
    }
    let summary = report::summary(&studied);
    print!("{summary}");
    page::insert(page, "summary", &summary)?;
    let exactness = report::exactness(&studied);
    print!("{exactness}");
    page::insert(page, "exactness", &exactness)?;
    page::insert(page, "cells", &report::cells(&studied))?;
    page::insert(page, "large", &report::large(&studied))?;
    page::insert(page, "ablation", &report::ablation(&studied))?;
    page::insert(page, "unpadded", &report::unpadded(&studied, &unpadded))?;
    fs::write(page.with_file_name("accuracy-cells.svg"), plot::cells(&studied))?;
    fs::write(page.with_file_name("accuracy-curves.svg"), plot::curves(&studied))?;
    fs::write(page.with_extension("tsv"), report::tsv(&studied)?)?;
    Ok(())
}

fn native(kernels: &[Kernel], folder: &Path, page: &Path) -> Result<(), BoxedError> {
    if let Err(missing) = native::tools() {
        println!("{missing}");
        return Ok(());
    }
    println!(
        "hardware counters are not compared; perf stat {}",
        match native::hardware_counters() {
            true => "counts misses of this machine's first-level cache",
            false => "counts no cache misses on this machine",
        }
    );
    let folder = folder.join("native");
    fs::create_dir_all(&folder)?;
    let mut measured = Vec::new();
    for kernel in kernels {
        eprintln!("{}", kernel.name);
        let native = native::measure(kernel, &folder).map_err(|error| format!("{}: {error}", kernel.name))?;
        measured.push((kernel.name.clone(), native));
    }
    let table = report::native(&measured);
    print!("{table}");
    page::insert(page, "native", &table)
}
