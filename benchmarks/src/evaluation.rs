//! Query times: the 30 kernels of PolyBench and 11 contractions, at sizes from 100 to 100,000.
//!
//! Models are derived in the run. All parameters have the same value. The first query at a size evaluates the classes there and
//! finds the misses of one cache; the next two are the second, and the third, which surveys the size; further queries are for
//! caches that were not queried before. Beside them stands the time of simulating the smallest size, for programs that are not
//! too long for it.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use symloc_affine::{Layout, Line, Program};
use symloc_evaluate::{Evaluator, Int, MissModel, Prediction};
use symloc_model::{LineChoice, Model, NamedSizes};
use symloc_report::text::Columns;
use symloc_sim::{IntervalHistogram, Trace};

use crate::{BoxedError, kernels, model};

const SIZES: [i64; 4] = [100, 1_000, 10_000, 100_000];
/// The caches, in lines of 64 bytes: 32 KiB, then from 4 KiB to 32 MiB.
const FIRST: i64 = 512;
const NEXT: [i64; 2] = [600, 5000];
const FURTHER: [i64; 12] = [64, 128, 256, 700, 1024, 3000, 4096, 8192, 16384, 40000, 131_072, 524_288];
/// The largest number of fresh evaluations per measurement, and the time that they may take together.
const REPETITIONS: usize = 15;
const PATIENCE: Duration = Duration::from_millis(300);
/// The largest number of accesses of a trace that is simulated.
const LONGEST: u64 = 1_000_000_000;

/// A kernel with its model.
struct KernelModel {
    name: String,
    model: Model,
    bytes: usize,
    simulation: Option<Duration>,
}

/// The times at one size.
struct EvaluationTimes {
    first: Duration,
    /// The sum over [`NEXT`].
    next: Duration,
    /// The average over [`FURTHER`].
    further: Duration,
}

/// Prints the tables of all kernels.
pub(crate) fn run(files: Vec<PathBuf>, exact: bool) -> Result<(), BoxedError> {
    let files = if files.is_empty() { kernels::all() } else { files };
    let subjects = files.iter().map(|file| subject(file, exact)).collect::<Result<Vec<_>, _>>()?;
    let mut head = vec!["kernel".to_owned(), "bytes".to_owned(), format!("simulation {}", SIZES[0])];
    head.extend(SIZES.iter().flat_map(|n| [format!("first {n}"), "next two".to_owned(), "further".to_owned()]));
    let mut table = Columns::new(&head.iter().map(String::as_str).collect::<Vec<_>>(), 1);
    let mut all: Vec<Vec<EvaluationTimes>> = SIZES.iter().map(|_| Vec::new()).collect();
    for KernelModel { name, model, bytes, simulation } in &subjects {
        eprintln!("{name}");
        let evaluator = Evaluator::new(model, LineChoice::Only)?;
        let mut row = vec![name.clone(), bytes.to_string(), simulation.map_or("-".to_owned(), time)];
        for (n, column) in SIZES.iter().zip(&mut all) {
            let measurement = measure(&evaluator, &equal(model, *n))?;
            row.extend([measurement.first, measurement.next, measurement.further].map(time));
            column.push(measurement);
        }
        table.push(row);
    }
    table.write(&mut std::io::stdout().lock())?;
    println!();
    for (n, column) in SIZES.iter().zip(&all) {
        let first = summary(column.iter().map(|m| m.first), &subjects);
        let next = summary(column.iter().map(|m| m.next), &subjects);
        let further = summary(column.iter().map(|m| m.further), &subjects);
        println!("n = {n}: first query {first}; next two {next}; further queries {further}");
    }
    println!("largest model: {} bytes", subjects.iter().map(|s| s.bytes).max().unwrap_or_default());
    Ok(())
}

fn measure(evaluator: &Evaluator<'_>, sizes: &NamedSizes) -> Result<EvaluationTimes, BoxedError> {
    let (mut first, mut next, mut further) = (Vec::new(), Vec::new(), Vec::new());
    let begin = Instant::now();
    while first.is_empty() || (first.len() < REPETITIONS && begin.elapsed() < PATIENCE) {
        let start = Instant::now();
        let prediction = predict(evaluator, sizes)?;
        black_box(prediction.misses(&Int::from(FIRST))?);
        first.push(start.elapsed());
        let start = Instant::now();
        for blocks in NEXT {
            black_box(prediction.misses(&Int::from(blocks))?);
        }
        next.push(start.elapsed());
        let start = Instant::now();
        for blocks in FURTHER {
            black_box(prediction.misses(&Int::from(blocks))?);
        }
        further.push(start.elapsed() / FURTHER.len() as u32);
    }
    Ok(EvaluationTimes { first: median(first), next: median(next), further: median(further) })
}

/// Predicts misses by reuse distances, if the model has them.
fn predict(evaluator: &Evaluator<'_>, sizes: &NamedSizes) -> Result<Prediction, BoxedError> {
    Ok(evaluator.predict(if evaluator.has_distances() { MissModel::Lru } else { MissModel::Denning }, sizes)?)
}

fn subject(file: &Path, exact: bool) -> Result<KernelModel, BoxedError> {
    let name = file.file_stem().map_or(String::new(), |n| n.to_string_lossy().into_owned());
    eprintln!("deriving {name}");
    let program = kernels::read(file)?;
    let model = model::derive(&program, Line::Bytes(64), exact, &|_| ())?;
    let simulation = simulate(&program, &model)?;
    Ok(KernelModel { name, bytes: model.to_json().len(), model, simulation })
}

/// Measures the time to find the misses of all caches from the trace.
fn simulate(program: &Program, model: &Model) -> Result<Option<Duration>, BoxedError> {
    let accesses = Evaluator::new(model, LineChoice::Only)?
        .predict(MissModel::Denning, &equal(model, SIZES[0]))?
        .accesses()
        .clone();
    if accesses > Int::from(LONGEST) {
        return Ok(None);
    }
    let sizes = vec![SIZES[0]; program.params.len()];
    let trace = Trace::new(program, &sizes, Layout::Rows, Line::Bytes(64))?;
    let start = Instant::now();
    black_box(IntervalHistogram::of(&trace)?);
    Ok(Some(start.elapsed()))
}

fn equal(model: &Model, n: i64) -> NamedSizes {
    model.parameters.iter().map(|name| (name.clone(), n)).collect()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Returns a text such as `median 40.1 µs, worst 5.1 ms (nussinov)`.
fn summary(times: impl Iterator<Item = Duration>, subjects: &[KernelModel]) -> String {
    let times: Vec<Duration> = times.collect();
    let worst = times.iter().zip(subjects).max_by_key(|(time, _)| **time);
    let worst = worst.map_or(String::new(), |(worst, subject)| format!(", worst {} ({})", time(*worst), subject.name));
    format!("median {}{worst}", time(median(times)))
}

/// Formats a time in a unit that leaves few digits.
fn time(duration: Duration) -> String {
    let nanoseconds = duration.as_nanos() as f64;
    match nanoseconds {
        _ if nanoseconds < 1e3 => format!("{nanoseconds:.0} ns"),
        _ if nanoseconds < 1e6 => format!("{:.1} µs", nanoseconds / 1e3),
        _ if nanoseconds < 1e9 => format!("{:.1} ms", nanoseconds / 1e6),
        _ => format!("{:.1} s", nanoseconds / 1e9),
    }
}
