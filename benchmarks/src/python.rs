//! Compares queries in arrays from Python with the library: gemm with reuse distances, a million pairs of a size and a cache.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use symloc_affine::Line;
use symloc_evaluate::{Evaluator, Int};
use symloc_machine::{Build, Cache, Capacity};
use symloc_model::{LineChoice, Model, NamedSizes};
use symloc_report::MissModel;
use symloc_report::text::Columns;

use crate::{BoxedError, kernels, model};

/// The number of sizes, from [`FIRST`] on, and the number of caches for each size, of 1, 2, … lines.
const SHAPES: [(i64, u64); 3] = [(1_000, 1_000), (100_000, 10), (1_000_000, 1)];
const FIRST: i64 = 64;

/// Prints the table of all shapes.
pub(crate) fn run(python: &Path) -> Result<(), BoxedError> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = kernels::read(&root.join("../polybench/gemm.mlir"))?;
    let model = model::derive(&program, Line::Bytes(64), true, &|_| ())?;
    let file = std::env::temp_dir().join(format!("symloc-benchmark-{}.loc.json", std::process::id()));
    std::fs::write(&file, model.to_json())?;
    let mut table = Columns::new(&["sizes", "caches", "Rust, s", "Python, s", "Python / Rust"], 0);
    for shape in SHAPES {
        let (rust, expected) = library(&model, shape)?;
        let (seconds, found) = module(python, &file, shape)?;
        if found != expected.to_string() {
            return Err(format!("{found} misses from Python, {expected} from the library").into());
        }
        let ratio = format!("{:.2}", seconds / rust);
        table.push(vec![
            shape.0.to_string(),
            shape.1.to_string(),
            format!("{rust:.3}"),
            format!("{seconds:.3}"),
            ratio,
        ]);
    }
    std::fs::remove_file(&file)?;
    Ok(table.write(&mut std::io::stdout().lock())?)
}

/// Measures the library: returns the seconds, and the sum of all misses.
fn library(model: &Model, (sizes, caches): (i64, u64)) -> Result<(f64, Int), BoxedError> {
    let evaluator = Evaluator::new(model, LineChoice::Only)?;
    let begun = Instant::now();
    let mut misses = Vec::new();
    for n in FIRST..FIRST + sizes {
        let size: NamedSizes = model.parameters.iter().map(|name| (name.clone(), n)).collect();
        let prediction = evaluator.predict(MissModel::Lru, &size)?;
        for bytes in (1..=caches).map(|lines| 64 * lines) {
            let cache =
                Cache { capacity: Capacity::Bytes(bytes), ways: None, line_bytes: None, build: Build::default() };
            let lines = cache.lines(prediction.place().line_bytes)?;
            misses.push(prediction.misses(&Int::from(lines))?.total());
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    Ok((seconds, misses.iter().fold(Int::from(0), |sum, misses| &sum + misses)))
}

/// Measures the module for Python: returns the seconds, and the sum of all misses.
fn module(python: &Path, model: &Path, (sizes, caches): (i64, u64)) -> Result<(f64, String), BoxedError> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/arrays.py");
    let numbers = [FIRST.to_string(), sizes.to_string(), caches.to_string()];
    let answer = Command::new(python).arg(script).arg(model).args(numbers).output()?;
    if !answer.status.success() {
        return Err(String::from_utf8_lossy(&answer.stderr).into_owned().into());
    }
    let answer = String::from_utf8(answer.stdout)?;
    let (seconds, misses) = answer.trim().split_once(' ').ok_or("no answer from Python")?;
    Ok((seconds.parse()?, misses.to_owned()))
}
