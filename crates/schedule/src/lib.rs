//! Dependences of affine programs, legal orders of their statements, and programs in a new order.
//!
//! ```text
//! program, statements ─▶ Scop ─▶ Dependences ─▶ isl's scheduler ─▶ OrderTree ─┬▶ legality
//!                                                      permute, tile, distribute ┘    └▶ generated code ─▶ program
//! ```
//!
//! - [`scop`]: a program whose accesses are gathered in statements, with their instances, elements and times as
//!   relations,
//! - [`dependences`]: the pairs of instances of which the first has to come first; [`reductions`]: those that may be
//!   exchanged where sums may be reordered,
//! - [`order`]: an order of instances as a tree of bands and sequences; [`find`]: the orders that isl's scheduler finds,
//! - [`moves`]: permutation, tiling and distribution of bands,
//! - [`legality`]: the check that an order respects every dependence, and a witness where it does not,
//! - [`races`]: loops whose iterations may not run at the same time, with a witness,
//! - [`generate`]: loops for an order, and the [`Program`](symloc_affine::Program) that they are; `carried`: those of
//!   its loops that carry a dependence.
//!
//! Legality is checked for every order, whoever made it. (docs/advice.md.)

#![warn(clippy::missing_errors_doc)]

mod carried;
pub mod dependences;
mod error;
pub mod find;
pub mod generate;
pub mod legality;
pub mod moves;
pub mod order;
pub mod races;
pub mod reductions;
pub mod scop;

pub use dependences::{Carried, Dependences, FlowPairs};
pub use error::ScheduleError;
pub use generate::{CollectedUpdates, Generated};
pub use legality::Violation;
pub use order::{Band, BandMember, OrderTree};
pub use reductions::Reduction;
pub use scop::{Scop, ScopStatement};
