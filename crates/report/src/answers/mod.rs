//! The types of all answers, and the form of one answer or of many.
//!
//! Results of models and of simulations have one form ([`histogram`], [`misses`]), so that they can be compared. Each has a
//! [`header`], and numbers that may be [`counted`] in samples or an [`estimate`].
//!
//! - [`attribution`], [`annotation`]: misses by subject, as a table and beside the source,
//! - [`thread_misses`]: misses by thread, and what comes of lines that threads share; [`over_threads`]: over their number,
//! - [`curve`], [`comparison`]: miss curves as data,
//! - [`roofline`]: the most operations per second that a machine allows with that traffic,
//! - [`explanation`], [`sentence`]: misses in sentences whose numbers carry the questions that they answer,
//! - [`found_caches`], [`found_sizes`]: the smallest caches and the largest sizes that meet a goal, [`found_tiles`]: the best tiles,
//! - [`lower_bounds`]: the misses that no order of the operations goes below,
//! - [`formulas`]: answers for all sizes,
//! - [`ops`]: counts of operations,
//! - [`check`]: kernels of a repository that miss more than they may,
//! - [`advice`]: orders of loops that make a program faster.
//!
//! JSON lines and CSV are written as the answers come. A text table needs all answers for the widths of its columns,
//! and the one JSON object of a grid is written at the end so that an error does not leave half of it.

use std::io::{self, Write};

use clap::ValueEnum;
use serde::Serialize;

use crate::formats::{csv, json};

pub mod advice;
pub mod annotation;
pub mod attribution;
pub mod check;
pub mod comparison;
pub mod counted;
pub mod curve;
pub mod estimate;
pub mod explanation;
pub mod formulas;
pub mod found_caches;
pub mod found_sizes;
pub mod found_tiles;
pub mod header;
pub mod histogram;
pub mod lower_bounds;
pub mod misses;
pub mod ops;
pub mod over_threads;
pub mod roofline;
pub mod sentence;
pub mod thread_misses;

/// The form of answers to one question or to many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AnswerFormat {
    /// Aligned columns
    #[default]
    Text,
    /// Comma-separated values, each row as it is computed
    Csv,
    /// One JSON object
    Json,
    /// One JSON object for each point, as it is computed
    Jsonl,
}

/// The number of answers that a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerCount {
    /// One answer.
    One,
    /// The answers at the points of a grid, even if it has a single point.
    Grid,
}

/// The answer at one point.
pub trait Answer: Sized {
    /// Returns the answer as one JSON object, with a schema.
    fn json(&self) -> impl Serialize;

    /// Returns the names of the columns of [`rows`](Self::rows).
    fn head(&self) -> Vec<String>;

    /// Returns the answer as rows of plain values.
    fn rows(&self) -> Vec<Vec<String>>;

    /// Writes one or more answers for people.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    fn write_text(answers: &[Self], out: &mut dyn Write) -> io::Result<()>;
}

/// Writes answers in the format that was asked for.
#[must_use = "`finish` writes the answers that were kept"]
pub struct Answers<'o, A> {
    out: &'o mut dyn Write,
    format: AnswerFormat,
    count: AnswerCount,
    kept: Vec<A>,
    /// True if anything was written.
    begun: bool,
}

#[derive(Serialize)]
struct GridAnswer<P> {
    schema: &'static str,
    points: Vec<P>,
}

impl<'o, A: Answer> Answers<'o, A> {
    /// Creates a writer without answers.
    pub fn new(out: &'o mut dyn Write, format: AnswerFormat, count: AnswerCount) -> Self {
        Self { out, format, count, kept: Vec::new(), begun: false }
    }

    /// Returns true if answers are written as they come.
    pub fn streams(&self) -> bool {
        matches!(self.format, AnswerFormat::Csv | AnswerFormat::Jsonl)
    }

    /// Adds the next answer.
    ///
    /// # Errors
    ///
    /// If the stream cannot be written to.
    pub fn push(&mut self, answer: A) -> io::Result<()> {
        match self.format {
            AnswerFormat::Text | AnswerFormat::Json => self.kept.push(answer),
            AnswerFormat::Jsonl => {
                json::write(self.out, &answer.json())?;
                self.out.flush()?;
            }
            AnswerFormat::Csv => {
                let head = (!self.begun).then(|| answer.head());
                csv::write(self.out, head.into_iter().chain(answer.rows()))?;
                self.out.flush()?;
            }
        }
        self.begun = true;
        Ok(())
    }

    /// Writes the answers that have been kept.
    ///
    /// # Errors
    ///
    /// If the stream cannot be written to.
    pub fn finish(self) -> io::Result<()> {
        match (self.format, self.kept.as_slice()) {
            (AnswerFormat::Json, [only]) if self.count == AnswerCount::One => json::write(self.out, &only.json())?,
            (AnswerFormat::Json, kept) => {
                let points = kept.iter().map(Answer::json).collect();
                json::write(self.out, &GridAnswer { schema: "symloc.grid/1", points })?;
            }
            (AnswerFormat::Text, kept) if !kept.is_empty() => A::write_text(kept, self.out)?,
            _ => {}
        }
        self.out.flush()
    }
}
