//! Linear constraints over integers, in pure Rust: what follows from them, and sums and integrals over the points that
//! satisfy them.
//!
//! - `simplex`: feasibility over the rationals; [`implication`]: constraints that follow from others, by it;
//! - [`range`]: the bounds of a variable, and the variables that equalities determine;
//! - [`boxes`]: points whose coordinates each have a range of their own;
//! - [`positive`]: polynomials that are not negative;
//! - `congruence`: sums of variables that are multiples of a number; [`mixed_radix`]: two digits as one number;
//!   [`quotients`]: iterators that others determine;
//! - [`sum`]: sums of a polynomial over integer points, by elimination of iterators; [`closed`]: by facts;
//!   `remainders`: the number of points of a box at which a sum has some of its remainders;
//!   `enumeration`: the number of points of a small set without free variables; `rounding`: bounds without floors;
//! - [`polytope`]: integrals over polytopes whose faces move with the parameters.
//!
//! Constraints and polynomials are those of `symloc_quasi`; they may have floors.

pub mod boxes;
pub mod closed;
mod congruence;
mod enumeration;
pub mod implication;
pub mod mixed_radix;
pub mod polytope;
pub mod positive;
pub mod quotients;
pub mod range;
mod remainders;
mod rounding;
mod simplex;
pub mod sum;

pub use boxes::{BoxCase, Boxed};
pub use closed::{Addend, ClosedSum, Domains, PARTS};
pub use implication::{Facts, definition, irredundant};
pub use mixed_radix::joined;
pub use polytope::{Halfspace, Polytope};
pub use positive::is_non_negative;
pub use quotients::without_quotients;
pub use range::{Range, TightRange, solve};
pub use sum::{Oracle, Points, SumStep, add_up};
