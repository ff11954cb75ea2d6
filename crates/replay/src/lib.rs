//! Affine programs at one size, replayed on caches.
//!
//! Simulation costs time in proportion to the accesses. What can be saved without a change in any number is saved here: addresses are
//! not computed but stepped from, and as long as the iterations of an innermost loop stay within the lines that they have just used,
//! they are counted and not run ([`replay`](mod@replay)).
//!
//! ```text
//! Program ──Code::new(sizes)──▶ Code ──survey──▶ Survey ──Memory::new──▶ Memory
//!                                 └──────────────replay(memory, caches)──────────▶ Held
//! ```
//!
//! - [`code`]: the program at fixed sizes,
//! - [`survey`](mod@survey): what it touches: ranges of subscripts, in closed form along innermost loops,
//! - [`memory`]: where its arrays lie,
//! - [`replay`](mod@replay): which level of a hierarchy holds what each access asks for.
//!
//! The trace interpreter of `symloc-sim`, which takes every access by itself, is the oracle of all of it.

#![warn(clippy::missing_errors_doc)]

mod affine;
pub mod code;
pub mod error;
pub mod memory;
pub mod replay;
pub mod survey;

pub use code::Code;
pub use error::ReplayError;
pub use memory::{Memory, Placement};
pub use replay::{Held, Run, caches, replay};
pub use survey::Survey;
