//! The model file: the results of a derivation as plain data.
//!
//! A model holds reuse classes: reuse intervals, and reuse distances if they were derived, with their numbers of accesses, all as
//! quasi-polynomials in the program's parameters (docs/model-format.md). This crate reads, checks and writes it; the crate
//! `symloc-evaluate` evaluates a model at a size.
//!
//! - [`types`]: the content of a model file,
//! - [`file`](mod@file): reading, checking and writing; the file holds repeated parts once, in tables,
//! - [`outline`]: the program's arrays, accesses and nests,
//! - [`owner`]: the access to which a count belongs,
//! - [`line`](mod@line): the line sizes,
//! - [`sizes`]: the values of the parameters.
//!
//! Models are made by `symloc derive FILE -o MODEL`. This one is of a matrix multiplication, for sizes n from 16 on that
//! are multiples of 8, with 64-byte lines.
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
//! // A text that is no model is refused, with the reason.
//! assert!(Model::parse(&MATMUL[..500]).unwrap_err().to_string().contains("truncated"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod choice;
mod collapse;
pub mod error;
pub mod file;
pub mod line;
pub mod outline;
pub mod owner;
pub mod rewrite;
pub mod sizes;
mod tables;
pub mod threads;
pub mod types;
mod validate;

pub use choice::LineChoice;
pub use error::{RequestError, parameters_are};
pub use file::ModelError;
pub use owner::{Owner, Reuse};
pub use rewrite::Rewrite;
pub use sizes::NamedSizes;
pub use types::{
    Access, AccessKind, Array, ArrayShape, Assumption, Bounds, Coherence, CollapsedLoops, CountPiece, Distances, For,
    ForStep, If, IntervalKind, Layout, LineCount, LineModel, Model, Nest, Outline, ReuseClass, SCHEMA, SCHEMA_1,
    SCHEMA_2, SCHEMA_3, SCHEMA_4, SampledReuse, Schedule, ShareParameters, SymbolicLine, ThreadParameters, TileStep,
    Tree, TreeNode, WriteBacks, variable_names,
};
