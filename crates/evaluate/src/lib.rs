//! Evaluates a model at one size: misses, histograms and miss curves.
//!
//! A [`Model`](symloc_model::Model) holds reuse classes: reuse intervals and how often they occur, as quasi-polynomials in the
//! program's parameters. Evaluating it needs no native library, no thread, no clock and no file.
//!
//! ```text
//! Model ──Evaluator::new(line)──▶ Evaluator ──predict(miss model, sizes)──▶ Prediction ──▶ misses(blocks)
//!                                           ──distribution(miss model, sizes)──▶ Distribution ──▶ WholeCurve
//! ```
//!
//! - [`evaluator`]: all classes at one size,
//! - [`distribution`]: the histogram of reuse intervals, point by point,
//! - `count`, `cumulative`: the number and the sum of the intervals up to x, without visiting points,
//! - [`misses`]: the misses of caches.
//!
//! # Tutorial
//!
//! ## Misses at a size
//!
//! An [`Evaluator`] is the model at one of its line sizes. At a size of the program it makes a [`Prediction`], by one of two models, of
//! the misses of all fully associative caches; their sizes are counted in blocks, which are cache lines here.
//!
//! ```
//! # use symloc_evaluate::Evaluator;
//! # use symloc_model::Model;
//! # const MATMUL: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/matmul.loc.json"));
//! # let model = Model::parse(MATMUL)?;
//! use symloc_evaluate::{EvalError, Int, MissModel};
//! use symloc_model::{LineChoice, NamedSizes};
//!
//! let evaluator = Evaluator::new(&model, LineChoice::Only)?; // or LineChoice::Bytes(64)
//! let sizes: NamedSizes = [("n", 128)].into_iter().collect();
//! let prediction = evaluator.predict(MissModel::Denning, &sizes)?;
//! assert_eq!(prediction.accesses(), &Int::from(4 * 128 * 128 * 128));
//!
//! let lines = Int::from(32 * 1024 / 64); // 32 KiB
//! let misses = prediction.misses(&lines)?;
//! assert_eq!((&misses.cold, &misses.reuse), (&Int::from(6_144), &Int::from(260_096)));
//! assert_eq!(misses.total().ratio(prediction.accesses()), 0.03173828125);
//!
//! // Integers are exact at any size: these are more than 10¹⁹ accesses.
//! let large = evaluator.predict(MissModel::Denning, &[("n", 2_000_000)].into_iter().collect())?;
//! assert_eq!(large.accesses().to_string(), "32000000000000000000");
//!
//! // A size for which the model was not derived is refused.
//! let refused = evaluator.predict(MissModel::Denning, &[("n", 100)].into_iter().collect());
//! assert!(matches!(refused, Err(EvalError::OutsideContext { .. })));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Sweeps
//!
//! Keep the evaluator from size to size, and the prediction from cache to cache: the work for one size is done once.
//!
//! ```
//! # use symloc_evaluate::{Evaluator, Int, MissModel};
//! # use symloc_model::{LineChoice, Model, NamedSizes};
//! # const MATMUL: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/matmul.loc.json"));
//! # let model = Model::parse(MATMUL)?;
//! let evaluator = Evaluator::new(&model, LineChoice::Only)?;
//!
//! // The largest size up to 4,096 with a miss ratio below 5% in 32 KiB.
//! let mut largest = None;
//! for n in (16..=4096).step_by(8) {
//!     let prediction = evaluator.predict(MissModel::Denning, &[("n", n)].into_iter().collect())?;
//!     if prediction.misses(&Int::from(512))?.total().ratio(prediction.accesses()) < 0.05 {
//!         largest = Some(n);
//!     }
//! }
//! assert_eq!(largest, Some(448));
//!
//! // Caches from 1 to 4,096 lines, at that size.
//! let prediction = evaluator.predict(MissModel::Denning, &[("n", 448)].into_iter().collect())?;
//! let misses = |power| Ok(prediction.misses(&Int::from(1 << power))?.total());
//! let misses: Vec<Int> = (0..=12).map(misses).collect::<Result<_, symloc_evaluate::EvalError>>()?;
//! assert!(misses.is_sorted_by(|smaller_cache, larger_cache| smaller_cache >= larger_cache));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Curves
//!
//! The misses are a step function of the cache size. [`MissCurve::steps`] finds its steps one after the other, all of
//! them or as many as a picture needs; [`leads`] finds where one program misses less than another.
//!
//! ```
//! # use symloc_evaluate::Evaluator;
//! # use symloc_model::{LineChoice, Model, NamedSizes};
//! # const MATMUL: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/matmul.loc.json"));
//! # let model = Model::parse(MATMUL)?;
//! use symloc_evaluate::{Detail, MissCurve, MissModel};
//!
//! let evaluator = Evaluator::new(&model, LineChoice::Only)?;
//! let prediction = evaluator.predict(MissModel::Denning, &[("n", 128)].into_iter().collect())?;
//! let steps = prediction.steps(Detail::Every)?.collect::<Result<Vec<_>, _>>()?;
//! let steps: Vec<String> = steps.iter().map(|step| format!("{}: {}", step.blocks, step.misses.total())).collect();
//! assert_eq!(
//!     steps,
//!     ["0: 8388608", "1: 6291456", "3: 4196352", "4: 2361344", "139: 2101248", "146: 266240", "2096: 6144"]
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Histograms
//!
//! [`Evaluator::distribution`] counts how often each reuse interval occurs. It visits the points of classes with free iterators, so
//! its time grows with the size where a model has such classes; [`Evaluator::with_limit`] bounds it.
//!
//! ```
//! # use symloc_evaluate::{Evaluator, Int, MissModel};
//! # use symloc_model::{LineChoice, Model, NamedSizes};
//! # const MATMUL: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/matmul.loc.json"));
//! # let model = Model::parse(MATMUL)?;
//! let evaluator = Evaluator::new(&model, LineChoice::Only)?.with_limit(1_000_000);
//! let distribution = evaluator.distribution(MissModel::Denning, &[("n", 16)].into_iter().collect())?;
//! let bins: Vec<String> = distribution.real.iter().map(|bin| format!("{}: {}", bin.interval, bin.count)).collect();
//! assert_eq!(bins, ["1: 4096", "3: 4064", "4: 3584", "36: 480", "64: 3584", "576: 480"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(clippy::missing_errors_doc)]

mod count;
mod cumulative;
pub mod distribution;
pub mod error;
pub mod evaluator;
mod formulas;
mod instance;
mod invariants;
mod miss_model;
pub mod misses;

pub use distribution::{Bin, Distribution};
pub use error::EvalError;
pub use evaluator::Evaluator;
pub use instance::{Instance, Totals};
pub use miss_model::MissModel;
pub use misses::attribution::Attribution;
pub use misses::coherence::InvalidatedReuses;
pub use misses::curve::{Detail, Lead, MissCurve, Misses, Step, Steps, leads};
pub use misses::histogram::WholeCurve;
pub use misses::prediction::Prediction;
pub use misses::reuses::Reuses;
pub use misses::smith::Sets;
pub use misses::threads::{OneThread, SummedCurves, ThreadSum};
pub use misses::write_backs::WriteReuses;
pub use symloc_quasi::Int;

/// Returns the model of a small program, for tests: `for i = 0 to n: for j = 0 to i + 1: read A[i]` and two operations, one
/// element per line, n at least 2. Row i reads A[i] in i + 1 accesses; the first of them comes N − i after the last of the run
/// before.
#[cfg(test)]
fn triangle() -> symloc_model::Model {
    symloc_model::Model::parse(include_str!("../../../tests/models/triangle.loc.json"))
        .unwrap_or_else(|e| panic!("{e}"))
}
