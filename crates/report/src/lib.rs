//! Results as text for people and as data for programs, separate from the code that computes them.
//!
//! A [`Sheet`] is a table of formulas without regard to their meaning; [`text`], [`markdown`], [`latex`] and [`html`] print any of them
//! ([`format`](mod@format)). [`csv`], [`json`] and [`sympy`] are for programs and keep the names of the columns. Results of models and of
//! simulations have one form ([`histogram`], [`misses`]), so that they can be compared.
//!
//! - [`answers`]: answers at one point or at many, each with a [`header`],
//! - [`attribution`], [`annotation`]: misses by subject, as a table and beside the source; [`subject`] defines the subjects,
//! - [`curve`], [`comparison`]: miss curves as data, [`plot`]: as pictures,
//! - [`roofline`]: the most operations per second that a machine allows with that traffic,
//! - [`explanation`], [`sentence`]: misses in sentences whose numbers carry the questions that they answer,
//! - [`terminal`]: the width and colours of the terminal.
//!
//! All output goes to a stream given by the caller; this crate knows no commands.

pub mod annotation;
pub mod answers;
pub mod attribution;
pub mod comparison;
mod counted;
pub mod csv;
pub mod curve;
pub mod estimate;
pub mod explanation;
pub mod format;
pub mod header;
pub mod histogram;
pub mod html;
pub mod json;
pub mod latex;
pub mod markdown;
pub mod miss_model;
pub mod misses;
pub mod plot;
pub mod roofline;
pub mod sentence;
pub mod sheet;
pub mod subject;
pub mod sympy;
pub mod terminal;
pub mod text;

pub use counted::Counted;
pub use format::Format;
pub use header::{AnswerHeader, Fields};
pub use sheet::{Cell, Sheet};
pub use symloc_evaluate::MissModel;
pub use terminal::Terminal;
