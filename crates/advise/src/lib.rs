//! Which order of loops, and which tiles, make a program faster.
//!
//! ```text
//! source ─▶ statements ─┐
//! program ──────────────┴▶ Nests ─▶ Scop, Dependences ─▶ candidates ─▶ costs ─▶ the best few ─▶ new source
//! ```
//!
//! - [`c`]: loops and statements of a function in C or C++, and its source with the nests in a new order; other languages have
//!   theirs in their front ends,
//! - [`nest`]: the affine program of the loops, and the statement that each access belongs to; `joined`: loops that the program has
//!   twice; `arithmetic`: what a statement computes,
//! - [`candidates`]: orders of the whole program; `search`: the moves of each nest that are tried, and their combinations,
//! - [`moves`]: fusion, permutation, tiles, distribution; [`given`]: an order that the user gives; `sums` that may be reordered,
//! - `context`: sizes that an order relies on,
//! - [`orders`]: the legal orders of the loops of each nest, by their misses,
//! - [`cost`]: misses, and how innermost loops run; `modelled`: the cost with misses that a model predicts,
//! - [`padding`]: longer rows with which an order misses less,
//! - `instances`: the statements of an order, for those who write it as source; `rectangular`: orders that only permute and
//!   tile, for those who repeat it,
//! - [`run`]: programs that are run in turns; [`results`], and how they compare; [`native`]: functions in LLVM IR that are run so.
//!
//! Every candidate is legal: `symloc_schedule` checks it against every dependence. (docs/advice.md.)

#![warn(clippy::missing_errors_doc)]

mod arithmetic;
pub mod c;
pub mod candidates;
mod context;
pub mod cost;
mod error;
pub mod given;
mod instances;
mod modelled;
pub mod moves;
pub mod native;
pub mod nest;
pub mod orders;
pub mod padding;
mod parallel;
mod rectangular;
pub mod results;
pub mod run;
mod search;
mod sums;

pub use arithmetic::Arithmetic;
pub use c::copies::RewrittenVariables;
pub use c::reading::functions::SourceText;
pub use c::reading::source::SourceFunction;
pub use candidates::{Advice, AdviceQuestion, AdvisedOrder, WORTHWHILE, advise};
pub use context::{illegal_below_one, incomplete_at_zero};
pub use cost::cycles::latencies;
pub use cost::innermost::{Cost, LevelMisses, Work};
pub use cost::misses::Hierarchy;
pub use error::{AdviseError, MissingOption};
pub use given::GivenOrder;
pub use instances::BegunStatement;
pub use modelled::cost_of_misses;
pub use nest::{Nests, StatementDescription, StatementForm};
pub use orders::{
    CountedOrder, NestOrders, OrdersQuestion, RefusedOrder, StatementLoops, nest_orders, outermost_loops,
};
pub use padding::{LongerRows, PaddingQuestion, RowLength, RowPadding, SetsMet, pad_rows};
pub use rectangular::{NotRectangular, RectangularLoop, RectangularNest};
pub use search::combinations::Selection;
pub use sums::Sums;
