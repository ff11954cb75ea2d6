//! Which order of loops, and which tiles, make a program faster.
//!
//! ```text
//! source ─▶ statements ─┐
//! program ──────────────┴▶ Nests ─▶ Scop, Dependences ─▶ candidates ─▶ costs ─▶ the best few ─▶ source in C
//! ```
//!
//! - [`source`]: loops and statements of a function in C or C++; `reader` makes them of Clang's `syntax` tree, with `heads`
//!   of loops, `declarations` between them, the `effects` of calls, and the `text` of the file; [`functions`] finds the
//!   function; `arithmetic`: what a statement computes,
//! - [`nest`]: the affine program of the loops, and the statement that each access belongs to,
//! - [`candidates`]: the search; [`moves`]: fusion, permutation, tiles, distribution; `shapes`: those that are tried;
//!   `combinations` of the nests' moves,
//! - [`cost`]: misses, and how innermost loops run; [`count`]: how often they do; `cycles`: the constants,
//! - [`accumulators`]: variables for which the elements can stand that they are stored to; `variables` that are declared
//!   between loops: copied, local to a statement, or with new names,
//! - [`emit`]: the source with the nests in a new order; `instances`: its statements; `operations`: expressions in C,
//! - [`run`]: orders compiled, run and compared; `driver`: the program that calls the function.
//!
//! Every candidate is legal: `symloc_schedule` checks it against every dependence. (docs/advice.md.)

#![warn(clippy::missing_errors_doc)]

pub mod accumulators;
mod arithmetic;
pub mod candidates;
mod combinations;
pub mod cost;
pub mod count;
mod cycles;
mod declarations;
mod driver;
mod effects;
pub mod emit;
mod error;
pub mod functions;
mod heads;
mod instances;
pub mod moves;
pub mod nest;
mod operations;
mod reader;
pub mod run;
mod shapes;
pub mod source;
mod syntax;
mod text;
mod variables;

pub use arithmetic::Arithmetic;
pub use candidates::{Advice, AdviceQuestion, AdvisedOrder, advise};
pub use cost::{Cost, Hierarchy, LevelMisses, Work};
pub use error::AdviseError;
pub use functions::SourceText;
pub use nest::Nests;
pub use source::SourceFunction;
