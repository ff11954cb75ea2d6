//! Sentences in which every number carries the question that it answers.
//!
//! Words are fixed texts without digits, so each question of a sentence can be asked again from its parts.

use std::fmt;

use symloc_evaluate::Int;

/// A blank at which no line ends.
pub const GLUE: char = '\u{a0}';

/// Some words, names and numbers.
#[derive(Clone, Debug, Default)]
pub struct Sentence {
    parts: Vec<SentencePart>,
}

/// A part of a sentence.
#[derive(Clone, Debug)]
pub enum SentencePart {
    /// Words without digits.
    Words(&'static str),
    /// A name from the program.
    Name(String),
    /// A number.
    Number(StatedNumber),
}

/// A number as it is written, with its meaning.
#[derive(Clone, Debug)]
pub struct StatedNumber {
    /// As it is written.
    pub text: String,
    /// The question that it answers.
    pub question: NumberQuestion,
}

/// The question that a number answers.
#[derive(Clone, Debug)]
pub struct NumberQuestion {
    /// The quantity.
    pub measure: Quantity,
    /// The size of the cache in lines, if the quantity depends on it.
    pub lines: Option<Int>,
    /// The positions of the accesses in the program; `None` for all of them.
    pub accesses: Option<Vec<usize>>,
    /// The size; `None` for the size that is explained.
    pub sizes: Option<Vec<(String, i128)>>,
}

/// A counted or measured quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The number of times that accesses execute.
    Accesses,
    /// The number of first touches among these.
    FirstTouches,
    /// The number of reuses among these.
    Reuses,
    /// The number of misses.
    Misses,
    /// The number of reuses that miss.
    LateReuses,
    /// Misses among accesses.
    MissRatio,
    /// Misses among all misses.
    Share,
    /// The size of a cache.
    Lines,
    /// The size of a cache in bytes.
    Bytes,
    /// The number of other lines touched, if a reuse just hits in so many lines.
    Distance,
    /// The shortest interval of reuses that miss.
    Interval,
    /// The number of accesses for which a cache keeps a line.
    Window,
    /// The number of static accesses that are meant.
    Count,
    /// The value of the one parameter that is named before.
    Size,
    /// The number of threads.
    Threads,
    /// The number of misses that no order of the same operations goes below.
    Bound,
    /// Misses as a multiple of that number.
    TimesBound,
}

impl Quantity {
    /// Returns the name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Quantity::Accesses => "accesses",
            Quantity::FirstTouches => "first_touches",
            Quantity::Reuses => "reuses",
            Quantity::Misses => "misses",
            Quantity::LateReuses => "late_reuses",
            Quantity::MissRatio => "miss_ratio",
            Quantity::Share => "share",
            Quantity::Lines => "lines",
            Quantity::Bytes => "bytes",
            Quantity::Distance => "distance",
            Quantity::Interval => "interval",
            Quantity::Window => "window",
            Quantity::Count => "count",
            Quantity::Size => "size",
            Quantity::Threads => "threads",
            Quantity::Bound => "bound",
            Quantity::TimesBound => "times_bound",
        }
    }
}

impl Sentence {
    /// Returns its parts.
    pub fn parts(&self) -> &[SentencePart] {
        &self.parts
    }

    /// Adds words, with the blanks around them.
    pub fn words(&mut self, words: &'static str) -> &mut Self {
        self.parts.extend((!words.is_empty()).then_some(SentencePart::Words(words)));
        self
    }

    /// Adds a name.
    pub fn name(&mut self, name: impl Into<String>) -> &mut Self {
        self.parts.push(SentencePart::Name(name.into()));
        self
    }

    /// Adds a number.
    pub fn number(&mut self, text: impl ToString, question: NumberQuestion) -> &mut Self {
        self.parts.push(SentencePart::Number(StatedNumber { text: text.to_string(), question }));
        self
    }
}

impl Sentence {
    /// Returns the text with [`GLUE`] in names and numbers.
    pub fn glued(&self) -> String {
        let glued = |text: &str| text.replace(' ', GLUE.encode_utf8(&mut [0; 4]));
        let part = |part: &SentencePart| match part {
            SentencePart::Words(" = ") => glued(" = "),
            SentencePart::Words(words) => (*words).to_owned(),
            SentencePart::Name(name) => glued(name),
            SentencePart::Number(number) => glued(&number.text),
        };
        self.parts.iter().map(part).collect()
    }
}

/// Formats the text as it is read.
impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| match part {
            SentencePart::Words(words) => f.write_str(words),
            SentencePart::Name(name) => f.write_str(name),
            SentencePart::Number(number) => f.write_str(&number.text),
        })
    }
}

impl NumberQuestion {
    /// Creates a question about all accesses, independent of any cache.
    pub fn new(measure: Quantity) -> Self {
        Self { measure, lines: None, accesses: None, sizes: None }
    }

    /// Asks the question for a cache.
    #[must_use]
    pub fn lines(self, lines: &Int) -> Self {
        Self { lines: Some(lines.clone()), ..self }
    }

    /// Asks the question for some accesses.
    #[must_use]
    pub fn of(self, accesses: &[usize]) -> Self {
        Self { accesses: Some(accesses.to_vec()), ..self }
    }

    /// Asks the question for another size.
    #[must_use]
    pub fn at(self, sizes: &[(String, i128)]) -> Self {
        Self { sizes: Some(sizes.to_vec()), ..self }
    }
}
