//! Affine programs at one size, replayed on caches.
//!
//! Simulation costs time in proportion to the accesses. What can be saved without a change in any number is saved here: addresses are
//! not computed but stepped from; as long as the iterations of an innermost loop stay within the lines that they have just used, they
//! are counted and not run; and so are the iterations of a loop that do what others did, on other blocks.
//!
//! ```text
//! Program ──Code::new(sizes)──▶ Code ──survey──▶ Survey ──Memory::new──▶ Memory
//!                                 ├──────────────footprint(memory)─────────▶ blocks
//!                                 └──────────────replay(memory, caches)────▶ Held
//! ```
//!
//! - [`code`]: the program at fixed sizes; `affine`: its expressions; `path`: its accesses, each by itself; `extreme`: how far they reach,
//! - [`survey`](mod@survey): what it touches: how often, and which ranges of subscripts,
//! - [`memory`]: where its arrays lie; [`footprint`](mod@footprint): how many blocks of them are touched,
//! - [`columns`](mod@columns): accesses that may use few sets,
//! - [`sampling`]: the same from pieces of a run that is too long,
//! - [`replay`](mod@replay): which level of a hierarchy holds what each access asks for ([`held`]); `row` runs innermost loops line by
//!   line, with a `cursor` for each access, and `warp` leaves out what repeats.
//!
//! The trace interpreter of `symloc-sim`, which takes every access by itself, is the oracle of all of it.

#![warn(clippy::missing_errors_doc)]

mod affine;
pub mod code;
pub mod columns;
mod cursor;
pub mod error;
mod extreme;
pub mod footprint;
pub mod held;
pub mod memory;
mod path;
pub mod replay;
mod row;
pub mod sampling;
pub mod survey;
mod warp;

pub use code::Code;
pub use columns::{Column, columns};
pub use error::ReplayError;
pub use footprint::footprint;
pub use held::Held;
pub use memory::{Memory, Placement};
pub use replay::{Replaying, Warping, replay};
pub use sampling::{Estimate, Rates, Sampling, Share, sample};
pub use survey::{Guess, Survey, executions};
