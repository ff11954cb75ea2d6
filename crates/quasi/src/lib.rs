//! Exact quasi-polynomials: polynomials with rational coefficients in variables and in floors `⌊e/d⌋`.
//!
//! Every count and every reuse interval of an affine program is piecewise such a polynomial. Two things matter here:
//!
//! - **Normal form.** Equal formulas must compare equal as often as possible, because equal ones become one reuse class.
//!   Polynomials are kept expanded; floors are normalised when they are built (see [`floor`]).
//! - **Exactness.** Coefficients are big rationals. Evaluation uses checked 128-bit integers and falls back to big
//!   ones (see [`eval`] and [`int`]).
//!
//! Variables are numbers ([`Var`]); whoever prints supplies the names.

#![warn(clippy::missing_errors_doc)]

pub mod bivariate;
pub mod eval;
mod factor;
pub mod floor;
pub mod floor_sum;
pub mod int;
pub mod period;
mod periodic;
pub mod piecewise;
pub mod poly;
pub mod print;
pub mod quotient;
mod serial;
pub mod sum;
pub mod univariate;

pub use bivariate::Bivariate;
pub use eval::{Evaluator, Section};
pub use floor::Floor;
pub use floor_sum::{FloorSums, floor_sum, floor_sums};
pub use int::Int;
pub use period::Periods;
pub use piecewise::{Constraint, Piece, Relation};
pub use poly::{Atom, Monomial, Poly, Var};
pub use print::{Notation, Style};
pub use quotient::Quotient;
pub use serial::Number;
pub use univariate::Univariate;

/// The field of coefficients.
pub type Rational = num_rational::BigRational;
