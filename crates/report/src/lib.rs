//! Results as text for people and as data for programs, apart from what computes them.
//!
//! A [`Sheet`] is a table of formulas that does not know what they mean; [`text`], [`markdown`], [`latex`] and [`html`] print any of
//! them ([`format`](mod@format)). [`csv`], [`json`] and [`sympy`] are for programs and keep the names of the columns. What is asked of a
//! model and what is simulated have the same form ([`histogram`], [`misses`]), so that one can be compared with the other.
//!
//! - [`answers`]: answers at one point or at many, each with a [`header`],
//! - [`attribution`], [`annotation`]: whose misses they are, as a table and beside the source; [`subject`] says who can be asked about,
//! - [`curve`], [`comparison`]: miss curves as data, [`plot`]: as pictures,
//! - [`roofline`]: how fast a machine can be at most, with that traffic,
//! - [`explanation`], [`sentence`]: misses in sentences whose numbers know their questions,
//! - [`terminal`]: where text is read.
//!
//! What is written goes to a stream that is given; nothing here knows a command.

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
mod miss_model;
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
pub use miss_model::MissModel;
pub use sheet::{Cell, Sheet};
pub use terminal::Terminal;
