//! Locality as formulas: the table of a program for all large sizes at once.
//!
//! A model's classes are piecewise: the piece that holds at n = 3 may differ from the one at n = 3000. For large parameters one piece of
//! each class remains; which one depends at most on residues. A [`Regime`] is such a situation. In it all values and counts are single
//! quasi-polynomials, and the paper's section 4 can be carried out on formulas:
//!
//! ```text
//! Model ──regimes──▶ Regime ──Table::new──▶ Table ──scaling──▶ Table 3
//!                       └──ri_sum_identity──▶ Identity
//! ```
//!
//! Every assumption is explicit: a regime carries the [`Conditions`] under which its formulas hold, and values without a symbolic sum are
//! left out of the table.
//!
//! - [`regime`]: large sizes, [`residue`]: residues, [`conditions`]: the sizes for which a formula holds,
//! - [`class`]: the extent of one class: least and greatest interval, count and sum,
//! - [`table`]: Denning's recursion on formulas, [`scaling`](mod@scaling): the smallest caches that bound the miss ratio,
//! - [`profile`]: the caches at which the miss ratio changes, in leading terms, [`formula`]: the misses in the sizes and the cache,
//! - [`mod@shares`]: the share of each access in them,
//! - [`identity`]: the symbolic RI test.

#![warn(clippy::missing_errors_doc)]

pub mod class;
pub mod conditions;
pub mod error;
pub mod formula;
pub mod growth;
pub mod identity;
pub mod measure;
pub mod profile;
pub mod regime;
pub mod residue;
pub mod scaling;
pub mod shares;
pub mod table;

mod context;
mod limit;
mod lines;
mod pieces;
mod scale;
mod truths;

pub use class::{Class, ClassExtent};
pub use conditions::Conditions;
pub use error::LocalityError;
pub use formula::{Case, MissFormulas};
pub use growth::Growth;
pub use identity::{Identity, reuse_count_identity, ri_sum_identity};
pub use measure::Measure;
pub use pieces::Counts;
pub use profile::{Profile, lru_profiles, profiles};
pub use regime::{Regime, regime_near, regimes, regimes_counting, regimes_up_to, stack_places, written_back_places};
pub use residue::Residues;
pub use scale::{first_terms, leading_terms};
pub use scaling::{Bound, scaling};
pub use shares::{Share, shares};
pub use table::{Row, RowKind, Table};
