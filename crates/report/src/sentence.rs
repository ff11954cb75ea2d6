//! Sentences in which every number knows the question that it answers.
//!
//! Words are fixed texts without digits. So whoever has the parts of a sentence can ask each of its questions again.

use std::fmt;

use symloc_evaluate::Int;

/// A blank at which no line ends.
pub const GLUE: char = '\u{a0}';

/// Some words, names and numbers.
#[derive(Clone, Debug, Default)]
pub struct Sentence {
    parts: Vec<SentencePart>,
}

/// What a sentence consists of.
#[derive(Clone, Debug)]
pub enum SentencePart {
    /// Words without digits.
    Words(&'static str),
    /// What the program calls something.
    Name(String),
    /// A number.
    Number(StatedNumber),
}

/// A number as it is written, and what it is.
#[derive(Clone, Debug)]
pub struct StatedNumber {
    /// As it is written.
    pub text: String,
    /// What it is.
    pub question: NumberQuestion,
}

/// What a number is.
#[derive(Clone, Debug)]
pub struct NumberQuestion {
    /// What is counted or measured.
    pub measure: Quantity,
    /// In a cache of so many lines.
    pub lines: Option<Int>,
    /// Of these accesses, by their positions in the program; nothing for all of them.
    pub accesses: Option<Vec<usize>>,
    /// At this size; nothing for the size that is explained.
    pub sizes: Option<Vec<(String, i128)>>,
}

/// What is counted or measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// How often they execute.
    Accesses,
    /// How many of these are first touches.
    FirstTouches,
    /// How many are not.
    Reuses,
    /// How many miss.
    Misses,
    /// How many reuses miss.
    LateReuses,
    /// Misses among accesses.
    MissRatio,
    /// Misses among all misses.
    Share,
    /// The size of a cache.
    Lines,
    /// The same in bytes.
    Bytes,
    /// How many other lines are touched, if a reuse just hits in so many lines.
    Distance,
    /// The shortest interval of reuses that miss.
    Interval,
    /// For how many accesses a cache keeps a line.
    Window,
    /// How many accesses of the program are meant.
    Count,
    /// The value of the one parameter that is named before.
    Size,
}

impl Quantity {
    /// The name in JSON.
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
        }
    }
}

impl Sentence {
    /// Its parts.
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
    /// The text with [`GLUE`] in names and numbers.
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

/// As it is read.
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
    /// About all accesses, whatever the cache.
    pub fn new(measure: Quantity) -> Self {
        Self { measure, lines: None, accesses: None, sizes: None }
    }

    /// The same in a cache.
    #[must_use]
    pub fn lines(self, lines: &Int) -> Self {
        Self { lines: Some(lines.clone()), ..self }
    }

    /// The same for some accesses.
    #[must_use]
    pub fn of(self, accesses: &[usize]) -> Self {
        Self { accesses: Some(accesses.to_vec()), ..self }
    }

    /// The same at another size.
    #[must_use]
    pub fn at(self, sizes: &[(String, i128)]) -> Self {
        Self { sizes: Some(sizes.to_vec()), ..self }
    }
}
