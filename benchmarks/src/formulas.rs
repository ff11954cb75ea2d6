//! Formulas of misses beside the evaluator, at random sizes and caches: whether they agree, and how many caches of
//! today have a formula in the sizes, the cache and roots, and how many one with sums over rows of points in addition.
//!
//! A separate process derives each kernel. Sizes are from 500 to 5,000, caches from 32 KiB to 2 MiB; all orders of
//! magnitude are about equally likely. The formulas are those near the size.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use num_bigint::BigInt;
use symloc_affine::Line;
use symloc_evaluate::{Evaluator, Int, MissModel};
use symloc_locality::formula::MissFormulas;
use symloc_locality::{Measure, stack_places};
use symloc_model::{LineChoice, Model, NamedSizes};
use symloc_report::Format;
use symloc_report::answers::formulas::misses::{CountedEvents, FormulaReport, ShownCases};
use symloc_report::formats::text::Columns;
use symloc_sim::random::Rng;

use crate::child::{self, ChildEnd, cpu};
use crate::{BoxedError, kernels, model};

/// The kernels with triangular loops, whose distances are not linear.
const TRIANGULAR: [&str; 11] = [
    "cholesky",
    "correlation",
    "covariance",
    "floyd-warshall",
    "gramschmidt",
    "lu",
    "ludcmp",
    "nussinov",
    "symm",
    "syrk",
    "trmm",
];

const SIZES: [f64; 2] = [500.0, 5_000.0];
/// In lines of 64 bytes.
const CACHES: [f64; 2] = [512.0, 32_769.0];
const CACHES_PER_SIZE: usize = 10;

/// The options of this study.
#[derive(clap::Args)]
pub(crate) struct FormulasArgs {
    /// MLIR and .einsum files; the kernels of PolyBench with triangular loops by default
    files: Vec<PathBuf>,
    /// The number of sizes for each kernel, with ten caches each
    #[arg(long, default_value_t = 30)]
    sizes: usize,
    /// Seconds of processor time after which a kernel is given up
    #[arg(long, default_value_t = 600)]
    limit: u64,
}

/// Returns a number of a range; all orders of magnitude are equally likely.
fn any(random: &mut Rng, [least, most]: [f64; 2]) -> i64 {
    let share = random.range(0, 1 << 30) as f64 / f64::from(1 << 30);
    (least * (most / least).powf(share)) as i64
}

/// Prints the row of one kernel: points, those with a formula without sums and with sums over rows, wrong ones, seconds
/// for a formula, and lines of text.
pub(crate) fn one(file: &Path, sizes: usize) -> Result<(), BoxedError> {
    let model = model::derive(&kernels::read(file)?, Line::Bytes(64), true, &|_| ())?;
    let places = stack_places(&model.lines[0]).ok_or("a model without distances")?;
    let evaluator = Evaluator::new(&model, LineChoice::Only)?;
    let mut random = Rng::new(1);
    let (mut closed, mut in_rows, mut wrong, mut slowest, mut lines) = (0, 0, 0, 0.0_f64, 0);
    for _ in 0..sizes {
        let size: Vec<i64> = model.parameters.iter().map(|_| any(&mut random, SIZES)).collect();
        let named: NamedSizes = model.parameters.iter().cloned().zip(size.iter().copied()).collect();
        let point: Vec<i128> = size.iter().map(|&size| size.into()).collect();
        let start = cpu();
        let near = MissFormulas::near(&model, &places, Measure::Places, &point)?;
        slowest = slowest.max((cpu() - start).as_secs_f64());
        let lru = evaluator.predict(MissModel::Lru, &named)?;
        let point: Vec<BigInt> = size.into_iter().map(BigInt::from).collect();
        for _ in 0..CACHES_PER_SIZE {
            let cache = any(&mut random, CACHES);
            let capacity = BigInt::from(cache);
            if let Some(found) = near.misses(&point, &capacity) {
                let has_sums = near.case(&point, &capacity).is_some_and(|case| !case.sums.is_empty());
                *(if has_sums { &mut in_rows } else { &mut closed }) += 1;
                wrong += usize::from(found != lru.misses(&Int::from(cache))?.total().to_big());
            }
        }
        lines = lines.max(text_lines(&model, near)?);
    }
    println!("{} {closed} {in_rows} {wrong} {slowest:.1} {lines}", sizes * CACHES_PER_SIZE);
    Ok(())
}

/// Returns the number of lines of formulas as text.
fn text_lines(model: &Model, formulas: MissFormulas) -> Result<usize, BoxedError> {
    let cache = "C";
    let report = FormulaReport {
        model,
        line: &model.lines[0],
        found: vec![formulas],
        names: model.parameters.iter().cloned().chain([cache.to_owned()]).collect(),
        digits: Vec::new(),
        miss_model: MissModel::Lru,
        counted: CountedEvents::Misses,
        cache,
        shown: ShownCases::Wide,
    };
    let mut text = Vec::new();
    report.write(&mut text, Format::Text)?;
    Ok(text.iter().filter(|byte| **byte == b'\n').count())
}

/// Prints the table of all kernels.
pub(crate) fn run(args: FormulasArgs) -> Result<(), BoxedError> {
    let files = if args.files.is_empty() { TRIANGULAR.map(kernels::polybench).to_vec() } else { args.files };
    let heads = ["kernel", "points", "without sums", "with sums", "wrong", "seconds", "lines"];
    let mut table = Columns::new(&heads, 1);
    let sizes = args.sizes.to_string();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        eprintln!("{name}");
        let child = [OsStr::new("formulas-one"), file.as_os_str(), OsStr::new(&sizes)];
        let row = match child::run(&child, args.limit)? {
            ChildEnd::Success(row) => row.split_whitespace().map(str::to_owned).collect(),
            ChildEnd::Failure(errors) => return Err(errors.into()),
            ChildEnd::Limit(_) => vec![format!("over {} s", args.limit)],
        };
        let mut row = [vec![name], row].concat();
        row.resize(heads.len(), String::new());
        table.push(row);
    }
    table.write(&mut std::io::stdout().lock())?;
    println!("\nseconds of processor time and lines of text of the longest formulas");
    Ok(())
}
