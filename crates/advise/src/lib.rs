//! Which order of loops, and which tiles, make a program faster.
//!
//! ```text
//! source ─▶ statements ─┐
//! program ──────────────┴▶ Nests ─▶ Scop, Dependences ─▶ candidates ─▶ costs ─▶ the best few ─▶ source in C
//! ```
//!
//! - [`source`]: loops and statements of a function in C, from Clang's `syntax` tree;
//!   `arithmetic`: what a statement computes,
//! - [`nest`]: the affine program of the loops, and the statement that each access belongs to,
//! - [`candidates`]: the search; [`moves`]: fusion, permutation, tiles, distribution; `shapes`: those that are tried;
//!   `combinations` of the nests' moves; [`given`]: an order that the user gives,
//! - [`misses`]: estimated or counted; [`cost`]: with how innermost loops run; [`count`]: how often they do;
//!   `recurrence`: how long iterations wait for each other; `cycles`: the constants,
//! - [`emit`]: the source with the nests in a new order,
//! - [`run`]: orders compiled, run and compared.
//!
//! Every candidate is legal: `symloc_schedule` checks it against every dependence. (docs/advice.md.)

#![warn(clippy::missing_errors_doc)]

mod arithmetic;
pub mod candidates;
mod combinations;
pub mod cost;
pub mod count;
mod cycles;
pub mod emit;
mod error;
pub mod given;
pub mod misses;
pub mod moves;
pub mod nest;
mod parallel;
mod recurrence;
pub mod run;
mod shapes;
pub mod source;
mod syntax;

pub use arithmetic::Arithmetic;
pub use candidates::{Advice, AdviceQuestion, AdvisedOrder, advise};
pub use cost::{Cost, LevelMisses, Work};
pub use error::AdviseError;
pub use given::GivenOrder;
pub use misses::Hierarchy;
pub use nest::Nests;
pub use source::SourceFunction;
