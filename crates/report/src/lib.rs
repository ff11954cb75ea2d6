//! Results as text for people and as data for programs, separate from the code that computes them.
//!
//! - [`answers`]: the types of all answers, each with its schema in JSON, its columns in CSV and its text,
//! - [`formats`]: the formats in which answers are written, without regard to their meaning,
//! - [`plot`]: miss curves and rooflines as pictures,
//! - [`subject`], [`ratio`], [`MissModel`]: the words that questions and answers share.
//!
//! All output goes to a stream given by the caller; this crate knows no commands.

pub mod answers;
pub mod formats;
pub mod miss_model;
pub mod plot;
pub mod ratio;
pub mod subject;

pub use answers::counted::Counted;
pub use answers::header::{AnswerHeader, Fields};
pub use formats::Format;
pub use formats::sheet::{Cell, Sheet};
pub use formats::terminal::Terminal;
pub use symloc_evaluate::MissModel;
