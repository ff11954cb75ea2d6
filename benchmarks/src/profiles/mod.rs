//! Reuse profiles, as Razzak et al. estimate them: the histogram of reuse distances, and hit rates from it.
//!
//! Each kernel is derived once for each line size. At each data set the histogram of its model must equal that of the
//! trace, bin by bin, or the study fails; hit rates follow from the histogram by Smith's formula, known there as SDCM,
//! and by fully associative LRU.
//!
//! - [`mod@simulate`]: the histograms of traces, kept in a folder,
//! - [`mod@predict`]: the histograms and misses of models,
//! - [`mod@report`] writes docs/reuse-profiles.md.
//!
//! Razzak et al., "Static Reuse Profile Estimation for Array Applications", 2024, "Static Reuse Profile Estimation for
//! Stencil Applications" and "Static Estimation of Reuse Profiles for Arrays in Nested Loops", 2025.

mod predict;
mod report;
mod simulate;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use symloc_affine::{Line, Program};
use symloc_evaluate::Evaluator;
use symloc_model::{LineChoice, Model};
use symloc_query::options::datasets::{Dataset, POLYBENCH};

use crate::child::cpu;
use crate::{BoxedError, kernels, model, page};
use predict::Predicted;
use simulate::{Folder, Simulated};

/// The papers' kernels.
const KERNELS: [&str; 6] = ["2mm", "3mm", "atax", "bicg", "mvt", "gemver"];
/// The data sets, by their names.
const DATASETS: [(Dataset, &str); 4] =
    [(Dataset::Mini, "MINI"), (Dataset::Small, "SMALL"), (Dataset::Medium, "MEDIUM"), (Dataset::Large, "LARGE")];
/// The papers' LARGE of 2mm, which is not PolyBench's.
const LARGE_2MM: [(&str, i64); 4] = [("ni", 300), ("nj", 320), ("nk", 400), ("nl", 420)];
/// Bytes per line.
const LINE_BYTES: u64 = 64;
/// The kinds of blocks, with their names.
const BLOCKS: [(BlockKind, Line, &str); 2] =
    [(BlockKind::Lines, Line::Bytes(LINE_BYTES), "64-byte lines"), (BlockKind::Elements, Line::Element, "elements")];
/// The caches, in bytes.
const CACHES: [u64; 3] = [32 << 10, 256 << 10, 1 << 20];
/// Lines in a set.
const WAYS: u64 = 8;

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BlockKind {
    Lines,
    Elements,
}

/// The options of `profiles`.
#[derive(Debug, Args)]
pub(crate) struct ProfilesArgs {
    /// Kernels; by default 2mm, 3mm, atax, bicg, mvt and gemver
    kernels: Vec<String>,
    /// Which sizes
    #[arg(long, value_enum, value_delimiter = ',', default_value = "mini,small,medium,large")]
    dataset: Vec<Dataset>,
    /// What counts as a block
    #[arg(long, value_enum, value_delimiter = ',', default_value = "lines,elements")]
    blocks: Vec<BlockKind>,
    /// Where histograms of traces are kept, with the time they took; what is there is not simulated again
    #[arg(long, value_name = "FOLDER", default_value = "target/profiles")]
    measurements: PathBuf,
    /// The page whose tables are replaced; by default docs/reuse-profiles.md, if all of it is measured
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

/// A kernel at one line size.
struct Profile {
    kernel: String,
    /// The name of the blocks, as in [`BLOCKS`].
    line: &'static str,
    /// The processor time of the derivation, in seconds.
    derivation: f64,
    classes: usize,
    cases: Vec<ProfiledDataset>,
}

/// A kernel at one line size and one data set.
struct ProfiledDataset {
    dataset: &'static str,
    sizes: Vec<(String, i64)>,
    simulated: Simulated,
    predicted: Predicted,
}

/// Runs the study.
pub(crate) fn run(args: &ProfilesArgs) -> Result<(), BoxedError> {
    let folder = Folder::new(&args.measurements)?;
    let kernels: Vec<&str> = match args.kernels.is_empty() {
        true => KERNELS.to_vec(),
        false => args.kernels.iter().map(String::as_str).collect(),
    };
    let mut profiles = Vec::new();
    for kernel in &kernels {
        for (_, line, name) in BLOCKS.into_iter().filter(|(blocks, ..)| args.blocks.contains(blocks)) {
            let place = |error| format!("{kernel}, {name}: {error}");
            profiles.push(profile(kernel, (line, name), &args.dataset, &folder).map_err(place)?);
        }
    }
    let tables = report::tables(&profiles);
    tables.iter().for_each(|(_, table)| println!("{table}"));
    let complete = args.kernels.is_empty() && args.dataset.len() == DATASETS.len() && args.blocks.len() == BLOCKS.len();
    match (&args.page, complete) {
        (Some(page), _) => write(page, &tables),
        (None, true) => write(&kernels::root().join("docs/reuse-profiles.md"), &tables),
        (None, false) => Ok(()),
    }
}

fn write(page: &Path, tables: &[(&str, String)]) -> Result<(), BoxedError> {
    tables.iter().try_for_each(|(name, table)| page::insert(page, name, table))
}

fn profile(
    kernel: &str,
    (line, name): (Line, &'static str),
    datasets: &[Dataset],
    folder: &Folder,
) -> Result<Profile, BoxedError> {
    let program = kernels::read(&kernels::polybench(kernel))?;
    let start = cpu();
    let model = model::derive(&program, line, true, &|_| ())?;
    let derivation = (cpu() - start).as_secs_f64();
    let classes = model.lines[0].distances.as_ref().map_or(0, |distances| distances.classes.len());
    eprintln!("{kernel}, {name}: derived in {derivation:.2} s of processor time, {classes} classes");
    let wanted = DATASETS.into_iter().filter(|(dataset, _)| datasets.contains(dataset));
    let cases = wanted.map(|dataset| case(kernel, &program, &model, (line, name), dataset, folder));
    Ok(Profile { kernel: kernel.to_owned(), line: name, derivation, classes, cases: cases.collect::<Result<_, _>>()? })
}

fn case(
    kernel: &str,
    program: &Program,
    model: &Model,
    (line, line_name): (Line, &str),
    (dataset, dataset_name): (Dataset, &'static str),
    folder: &Folder,
) -> Result<ProfiledDataset, BoxedError> {
    let named = sizes(kernel, dataset)?;
    let size = |name: &str| named.iter().find(|(n, _)| n == name).map(|(_, size)| *size);
    let sizes = program.params.iter().map(|p| size(&p.name).ok_or_else(|| format!("{kernel}: no size {}", p.name)));
    let sizes = sizes.collect::<Result<Vec<_>, _>>()?;
    let simulated = folder.simulated(&format!("{kernel}, {dataset_name}, {line_name}"), program, &sizes, line)?;
    let predicted = predict::predict(&Evaluator::new(model, LineChoice::Only)?, &symloc_verify::named(model, &sizes))?;
    let place = |error| format!("{dataset_name}: {error}");
    predicted.check(&simulated).map_err(place)?;
    eprintln!(
        "{kernel}, {line_name}, {dataset_name}: {} bins equal, queried in {:.6} s, simulated in {:.3} s",
        simulated.distances.len(),
        predicted.histogram_seconds,
        simulated.seconds
    );
    Ok(ProfiledDataset { dataset: dataset_name, sizes: named, simulated, predicted })
}

/// Returns the sizes of a kernel in the papers.
fn sizes(kernel: &str, dataset: Dataset) -> Result<Vec<(String, i64)>, BoxedError> {
    if kernel == "2mm" && dataset == Dataset::Large {
        return Ok(LARGE_2MM.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect());
    }
    let unknown = || format!("{kernel} is no kernel of PolyBench; name some of {}", KERNELS.join(", "));
    Ok(POLYBENCH.sizes(kernel, dataset).ok_or_else(unknown)?)
}
