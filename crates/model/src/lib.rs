//! The locality model of a program, as it is stored, and its evaluator.
//!
//! A model holds reuse classes: reuse intervals and how often they occur, both as quasi-polynomials in the
//! program's parameters (DESIGN section 2). Everything a question needs is in the file; evaluating it needs no
//! native library, no thread, no clock and no file: [`Model::load`] alone opens one, and [`Model::parse`] takes a text
//! from anywhere.
//!
//! ```text
//! file ──Model::load──▶ Model ──Model::evaluator(line)──▶ Evaluator ──locality(sizes)──▶ Locality ──▶ misses(blocks)
//!                                                                   ──at(sizes)──▶ Distribution ──Denning::new──▶ curve
//! ```
//!
//! - [`data`]: the model's types and its file format,
//! - [`file`](mod@file): reading, checking and writing it,
//! - [`sizes`]: the values of the parameters,
//! - [`eval`]: all classes at one size,
//! - [`locality`]: miss counts at one size, from closed forms, whatever the size,
//! - [`attribution`]: the same for each access,
//! - [`curve`](mod@curve): the misses over all cache sizes, and where those of two programs cross,
//! - [`distribution`]: the histogram of reuse intervals,
//! - [`denning`]: from the histogram to miss counts,
//! - [`lru`]: from reuse distances to the misses of LRU caches,
//! - [`prediction`]: either of them,
//! - [`smith`], [`conflicts`]: estimates for set-associative caches.
//!
//! # Tutorial
//!
//! ## Load
//!
//! Models are made by `symloc derive FILE -o MODEL`. This one is of a matrix multiplication, for sizes n from 16 on
//! that are multiples of 8, with 64-byte lines.
//!
//! ```
//! use symloc_model::Model;
//!
//! // From a file; "-" is standard input.
//! let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/matmul.loc.json");
//! let model = Model::load(path.as_ref())?;
//! assert_eq!((model.function.as_str(), model.parameters.as_slice()), ("matmul", &["n".to_owned()][..]));
//!
//! // From a text, such as one that is compiled in, or that a web page has fetched.
//! const MATMUL: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/matmul.loc.json"));
//! assert_eq!(Model::parse(MATMUL)?, model);
//!
//! // From bytes.
//! let bytes: &[u8] = MATMUL.as_bytes();
//! assert_eq!(Model::parse(std::str::from_utf8(bytes)?)?, model);
//!
//! // What is no model is refused, with the reason.
//! assert!(Model::parse(&MATMUL[..500]).unwrap_err().to_string().contains("truncated"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Misses at a size
//!
//! An [`Evaluator`] is the model at one of its line sizes. At a size of the program it gives a [`Locality`], which knows
//! the misses of all fully associative caches; caches are counted in blocks, which are cache lines here.
//!
//! ```
//! # use symloc_model::Model;
//! # const MATMUL: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/matmul.loc.json"));
//! # let model = Model::parse(MATMUL)?;
//! use symloc_model::{EvalError, Int, LineChoice, Sizes};
//!
//! let evaluator = model.evaluator(LineChoice::Only)?; // or LineChoice::Bytes(64)
//! let sizes: Sizes = [("n", 128)].into_iter().collect();
//! let locality = evaluator.locality(&sizes)?;
//! assert_eq!(locality.accesses(), &Int::from(4 * 128 * 128 * 128));
//!
//! let lines = Int::from(32 * 1024 / 64); // 32 KiB
//! let misses = locality.misses(&lines);
//! assert_eq!((&misses.cold, &misses.reuse), (&Int::from(6_144), &Int::from(260_096)));
//! assert_eq!(misses.total().ratio(locality.accesses()), 0.03173828125);
//!
//! // Integers are exact at any size: these are more than 10¹⁹ accesses.
//! let large = evaluator.locality(&[("n", 2_000_000)].into_iter().collect())?;
//! assert_eq!(large.accesses().to_string(), "32000000000000000000");
//!
//! // A size for which the model was not derived is refused.
//! let refused = evaluator.locality(&[("n", 100)].into_iter().collect());
//! assert!(matches!(refused, Err(EvalError::OutsideContext { .. })));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Sweeps
//!
//! Keep the evaluator from size to size, and the locality from cache to cache: what one size needs is computed once.
//!
//! ```
//! # use symloc_model::{Int, LineChoice, Model, Sizes};
//! # const MATMUL: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/matmul.loc.json"));
//! # let model = Model::parse(MATMUL)?;
//! let evaluator = model.evaluator(LineChoice::Only)?;
//!
//! // The largest size up to 4,096 with a miss ratio below 5% in 32 KiB.
//! let mut largest = None;
//! for n in (16..=4096).step_by(8) {
//!     let locality = evaluator.locality(&[("n", n)].into_iter().collect())?;
//!     if locality.misses(&Int::from(512)).total().ratio(locality.accesses()) < 0.05 {
//!         largest = Some(n);
//!     }
//! }
//! assert_eq!(largest, Some(448));
//!
//! // Caches from 1 to 4,096 lines, at that size.
//! let locality = evaluator.locality(&[("n", 448)].into_iter().collect())?;
//! let misses: Vec<Int> = (0..=12).map(|power| locality.misses(&Int::from(1 << power)).total()).collect();
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
//! # use symloc_model::{Int, LineChoice, Model, Sizes};
//! # const MATMUL: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/matmul.loc.json"));
//! # let model = Model::parse(MATMUL)?;
//! use symloc_model::{Detail, MissCurve};
//!
//! let evaluator = model.evaluator(LineChoice::Only)?;
//! let locality = evaluator.locality(&[("n", 128)].into_iter().collect())?;
//! let steps: Vec<String> =
//!     locality.steps(Detail::Every).map(|step| format!("{}: {}", step.blocks, step.misses.total())).collect();
//! assert_eq!(
//!     steps,
//!     ["0: 8388608", "1: 6291456", "3: 4196352", "4: 2361344", "139: 2101248", "146: 266240", "2096: 6144"]
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Histograms
//!
//! [`Evaluator::at`] counts how often each reuse interval occurs. It visits the points of classes with free iterators, so
//! its time grows with the size where a model has such classes; [`Evaluator::with_limit`] bounds it.
//!
//! ```
//! # use symloc_model::{Int, LineChoice, Model, Sizes};
//! # const MATMUL: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/matmul.loc.json"));
//! # let model = Model::parse(MATMUL)?;
//! let evaluator = model.evaluator(LineChoice::Only)?.with_limit(1_000_000);
//! let distribution = evaluator.at(&[("n", 16)].into_iter().collect())?;
//! let bins: Vec<String> = distribution.real.iter().map(|bin| format!("{}: {}", bin.interval, bin.count)).collect();
//! assert_eq!(bins, ["1: 4096", "3: 4064", "4: 3584", "36: 480", "64: 3584", "576: 480"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod attribution;
pub mod choice;
mod closed;
pub mod conflicts;
pub mod curve;
pub mod data;
pub mod denning;
pub mod distribution;
pub mod error;
pub mod eval;
pub mod file;
mod formulas;
pub mod line;
pub mod locality;
pub mod lru;
pub mod prediction;
pub mod sizes;
pub mod smith;
mod survey;
mod validate;

pub use attribution::{Attribution, Owner, Reuse, Share};
pub use choice::LineChoice;
pub use curve::{Detail, Lead, MissCurve, Steps, leads};
pub use data::{
    Access, AccessKind, Array, Bounds, CountPiece, Distances, Kind, LineCount, LineModel, Model, Nest, Outline,
    ReuseClass, SCHEMA, SCHEMA_1, SymbolicLine,
};
pub use denning::{Denning, Misses, Step};
pub use distribution::{Bin, Distribution};
pub use error::EvalError;
pub use eval::Evaluator;
pub use file::ModelError;
pub use locality::{Locality, Place};
pub use lru::{DistanceDistribution, Lru, LruAttribution, LruShare};
pub use prediction::{PredictedShares, Prediction};
pub use sizes::Sizes;
pub use smith::Sets;
pub use symloc_quasi::Int;
