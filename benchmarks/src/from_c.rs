//! Compares deriving a model from C, including the compiler's time, with deriving the same model from MLIR.
//!
//! Each kernel is derived in turn from polybench/c and from polybench, several times, each time in a separate process. The
//! compiler is another process, so reading is measured in wall time. The rest is measured in processor time, because it is longer
//! and other programs on the machine disturb it more. They only make times longer, so the shortest times are compared, and
//! measuring goes on until these settle.

use std::ffi::OsStr;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use symloc_affine::Line;
use symloc_query::options::datasets::POLYBENCH;
use symloc_report::formats::text::Columns;

use crate::child::{self, ChildEnd, cpu};
use crate::{BoxedError, kernels, model};

/// The number of rounds after which measuring ends in any case.
const MOST: u32 = 60;
/// The relative improvement below which a time counts as unchanged.
const SETTLED: f64 = 0.02;

/// The limit on the processor time of a derivation, in seconds.
const LIMIT: u64 = 120;

/// Times in seconds.
#[derive(Clone, Copy)]
struct Times {
    /// From a file to an affine program, in wall time.
    read: f64,
    /// From there to a model, in processor time.
    derive: f64,
}

impl Times {
    /// Keeps the shorter times; returns true if one of them improved by more than [`SETTLED`].
    fn shorten(&mut self, other: Self) -> bool {
        let is_shorter = |old: f64, new: f64| new < (1.0 - SETTLED) * old;
        let shorter = is_shorter(self.read, other.read) || is_shorter(self.derive, other.derive);
        *self = Self { read: self.read.min(other.read), derive: self.derive.min(other.derive) };
        shorter
    }

    fn total(self) -> f64 {
        self.read + self.derive
    }
}

/// In the child: makes a model and prints [`Times`].
pub(crate) fn one(file: &Path) -> Result<(), BoxedError> {
    let start = Instant::now();
    let program = kernels::read(file)?;
    let read = start.elapsed();
    let start = cpu();
    black_box(model::derive(&program, Line::Bytes(64), false, &|_| ())?.to_json());
    println!("{} {}", read.as_secs_f64(), (cpu() - start).as_secs_f64());
    Ok(())
}

fn measure(file: &Path) -> Result<Times, BoxedError> {
    match child::run(&[OsStr::new("one-model"), file.as_os_str()], LIMIT)? {
        ChildEnd::Success(text) => {
            let (read, derive) = text.trim().split_once(' ').ok_or("a child that tells no times")?;
            Ok(Times { read: read.parse()?, derive: derive.parse()? })
        }
        ChildEnd::Failure(text) => Err(format!("{}: {text}", file.display()).into()),
        ChildEnd::Limit(_) => Err(format!("{}: not within {LIMIT} s", file.display()).into()),
    }
}

/// Returns the shortest times of several files, measured in turn until none improves for `patience` rounds.
fn settled<const N: usize>(files: &[PathBuf; N], patience: u32) -> Result<[Times; N], BoxedError> {
    let mut shortest = [Times { read: f64::INFINITY, derive: f64::INFINITY }; N];
    let mut unchanged = 0;
    for _ in 0..MOST {
        let mut shorter = false;
        for (times, file) in shortest.iter_mut().zip(files) {
            shorter |= times.shorten(measure(file)?);
        }
        unchanged = if shorter { 0 } else { unchanged + 1 };
        if unchanged >= patience {
            break;
        }
    }
    Ok(shortest)
}

/// Prints the table of the 30 kernels.
pub(crate) fn run(patience: u32) -> Result<(), BoxedError> {
    let head = ["kernel", "C: read", "derive", "MLIR: read", "derive", "longer"];
    let mut table = Columns::new(&head, 1);
    let mut longer = Vec::new();
    for kernel in POLYBENCH.kernels() {
        let [c, mlir] = settled(&[kernels::polybench_c(kernel), kernels::polybench(kernel)], patience)?;
        let difference = c.total() - mlir.total();
        let numbers = [c.read, c.derive, mlir.read, mlir.derive, difference];
        let row: Vec<_> = std::iter::once(kernel.to_owned()).chain(numbers.map(|s| format!("{s:.3}"))).collect();
        // Progress, as a run takes long.
        eprintln!("{}", row.join("  "));
        table.push(row);
        longer.push((difference, kernel));
    }
    table.write(&mut std::io::stdout().lock())?;
    longer.sort_by(|a, b| a.0.total_cmp(&b.0));
    let ((median, _), (most, kernel)) = (longer[longer.len() / 2], longer[longer.len() - 1]);
    println!("\nseconds, the shortest ones; reading on the wall, derivation in processor time");
    println!(
        "longer from C to the model, of {} kernels: median {median:.3}, at most {most:.3} ({kernel})",
        longer.len()
    );
    Ok(())
}
