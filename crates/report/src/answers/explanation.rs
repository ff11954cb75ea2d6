//! An explanation as paragraphs and as JSON.

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use symloc_evaluate::Int;

use crate::answers::estimate;
use crate::answers::sentence::{GLUE, NumberQuestion, Sentence, SentencePart, StatedNumber};
use crate::formats::json;
use crate::{AnswerHeader, Fields, MissModel};

/// The sentences about some caches at one size.
#[derive(Debug)]
pub struct Explanation {
    /// The header of the answer.
    pub header: AnswerHeader,
    /// The model that predicts the misses.
    pub miss_model: MissModel,
    /// The number of reuses that are estimated because the model holds no distance for them.
    pub estimated: Int,
    /// The caches, in the order of the question.
    pub caches: Vec<Explained>,
}

/// A fully associative cache that is asked about.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The name that its machine gives it.
    pub name: Option<String>,
    /// The number of lines it holds.
    pub lines: Int,
}

/// The sentences about one cache, and the facts found for them.
#[derive(Debug)]
pub struct Explained {
    /// The cache.
    pub cache: Asked,
    /// The cache sizes that the sentences mention.
    pub thresholds: Vec<Threshold>,
    /// The sizes that were tried.
    pub axes: Vec<AxisChanges>,
    /// The sentences: the first is about the misses, the others about their causes and about changes that would affect them.
    pub sentences: Vec<Sentence>,
}

/// The smallest cache with at most a given number of misses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// The goal of the search.
    pub goal: ThresholdGoal,
    /// The accesses whose reuses are counted; `None` for all misses of the program.
    pub accesses: Option<Vec<usize>>,
    /// The largest number of misses.
    pub at_most: Int,
    /// The number of lines of the smallest such cache.
    pub lines: Int,
}

/// The goal that a [`Threshold`] reaches, relative to the cache that is explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThresholdGoal {
    /// At most twice the misses.
    Twice,
    /// At most a tenth more misses.
    TenthMore,
    /// At least a tenth fewer misses.
    TenthFewer,
    /// At most half of the misses.
    Half,
    /// Only first touches miss.
    FirstTouches,
    /// Some of the reuses hit that miss.
    Some,
    /// Nine tenths of them.
    Most,
    /// All of them.
    All,
}

/// A size that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// The size.
    pub sizes: Vec<(String, i128)>,
    /// The number of accesses.
    pub accesses: Int,
    /// The number of accesses that miss.
    pub misses: Int,
}

/// The direction in which a miss ratio differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RatioFactor {
    /// It is at most 2/3 as large.
    Less,
    /// It is at least 3/2 as large.
    More,
}

/// A size with another miss ratio, and its neighbour without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatioChange {
    /// The direction in which it differs.
    pub factor: RatioFactor,
    /// The size where it differs.
    pub with: Tried,
    /// The neighbouring size where it does not.
    pub without: Tried,
}

/// The sizes tried along one parameter, or along all of them alike.
#[derive(Clone, Debug)]
pub struct AxisChanges {
    /// The parameters.
    pub names: Vec<String>,
    /// The changes of the miss ratio, towards smaller and larger sizes.
    pub changes: Vec<RatioChange>,
    /// The sizes that were tried if the ratio changes nowhere.
    pub tried: Vec<Tried>,
}

/// The width of text that is not written to a terminal, and the largest one that is easy to read.
const WIDTH: usize = 118;

impl Explanation {
    /// Writes one paragraph for each cache: its misses, and then one point after the other.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write_text(&self, out: &mut dyn Write, width: Option<usize>) -> io::Result<()> {
        let width = width.unwrap_or(WIDTH).min(WIDTH);
        self.header.write(out)?;
        writeln!(out, "{}", predicted(self.miss_model))?;
        for cache in &self.caches {
            writeln!(out)?;
            for (index, sentence) in cache.sentences.iter().enumerate() {
                let [first, next] = if index == 0 { ["", ""] } else { ["- ", "  "] };
                wrap(&sentence.glued(), [first, next], width).iter().try_for_each(|line| writeln!(out, "{line}"))?;
            }
        }
        estimate::write_note(out, &self.estimated)?;
        self.write_assumptions(out, width)
    }

    /// Writes the assumptions, one point after the other, if there are any.
    fn write_assumptions(&self, out: &mut dyn Write, width: usize) -> io::Result<()> {
        if self.header.assumptions.is_empty() {
            return Ok(());
        }
        writeln!(out, "\nTaken for granted:")?;
        let mut points = self.header.assumptions.iter().flat_map(|point| wrap(&point.to_string(), ["- ", "  "], width));
        points.try_for_each(|line| writeln!(out, "{line}"))
    }

    /// Writes `symloc.explain/1`.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let answer = ExplanationAnswer {
            schema: "symloc.explain/1",
            header: self.header.fields(self.miss_model.name()),
            estimated: (!self.estimated.is_zero()).then_some(json::Number(&self.estimated)),
            caches: self.caches.iter().map(ExplainedAnswer::new).collect(),
        };
        json::write(out, &answer)
    }
}

fn predicted(miss_model: MissModel) -> &'static str {
    match miss_model {
        MissModel::Lru => "fully associative LRU, from reuse distances",
        MissModel::Denning => "fully associative, Denning's model, from reuse intervals",
    }
}

/// Breaks words into lines of some width; the first line and the others begin with `starts`. [`GLUE`] is never broken.
fn wrap(text: &str, starts: [&str; 2], width: usize) -> Vec<String> {
    let mut lines = vec![starts[0].to_owned()];
    let mut begun = false;
    for word in text.split(' ') {
        let Some(line) = lines.last_mut() else { break };
        if !begun {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(format!("{}{word}", starts[1]));
        }
        begun = true;
    }
    lines.into_iter().map(|line| line.replace(GLUE, " ")).collect()
}

#[derive(Serialize)]
struct ExplanationAnswer<'a> {
    schema: &'static str,
    #[serde(flatten)]
    header: Fields<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated: Option<json::Number<'a>>,
    caches: Vec<ExplainedAnswer<'a>>,
}

#[derive(Serialize)]
struct ExplainedAnswer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    lines: json::Number<'a>,
    thresholds: Vec<ThresholdAnswer<'a>>,
    changes: Vec<ChangeAnswer<'a>>,
    tried: Vec<TriedAnswer<'a>>,
    sentences: Vec<SentenceAnswer<'a>>,
}

impl<'a> ExplainedAnswer<'a> {
    fn new(cache: &'a Explained) -> Self {
        Self {
            name: cache.cache.name.as_deref(),
            lines: json::Number(&cache.cache.lines),
            thresholds: cache.thresholds.iter().map(ThresholdAnswer::new).collect(),
            changes: cache.axes.iter().flat_map(|axis| &axis.changes).map(ChangeAnswer::new).collect(),
            tried: cache.axes.iter().flat_map(|axis| &axis.tried).map(TriedAnswer::new).collect(),
            sentences: cache.sentences.iter().map(SentenceAnswer::new).collect(),
        }
    }
}

#[derive(Serialize)]
struct ThresholdAnswer<'a> {
    goal: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    accesses: Option<&'a [usize]>,
    at_most: json::Number<'a>,
    lines: json::Number<'a>,
}

impl<'a> ThresholdAnswer<'a> {
    fn new(Threshold { goal, accesses, at_most, lines }: &'a Threshold) -> Self {
        let (at_most, lines) = (json::Number(at_most), json::Number(lines));
        Self { goal: goal_name(*goal), accesses: accesses.as_deref(), at_most, lines }
    }
}

fn goal_name(goal: ThresholdGoal) -> &'static str {
    match goal {
        ThresholdGoal::Twice => "twice",
        ThresholdGoal::TenthMore => "tenth_more",
        ThresholdGoal::TenthFewer => "tenth_fewer",
        ThresholdGoal::Half => "half",
        ThresholdGoal::FirstTouches => "first_touches",
        ThresholdGoal::Some => "some_reuses",
        ThresholdGoal::Most => "most_reuses",
        ThresholdGoal::All => "all_reuses",
    }
}

#[derive(Serialize)]
struct ChangeAnswer<'a> {
    factor: &'static str,
    with: TriedAnswer<'a>,
    without: TriedAnswer<'a>,
}

impl<'a> ChangeAnswer<'a> {
    fn new(RatioChange { factor, with, without }: &'a RatioChange) -> Self {
        let factor = match factor {
            RatioFactor::Less => "less",
            RatioFactor::More => "more",
        };
        Self { factor, with: TriedAnswer::new(with), without: TriedAnswer::new(without) }
    }
}

#[derive(Serialize)]
struct TriedAnswer<'a> {
    #[serde(serialize_with = "json::parameters")]
    parameters: &'a [(String, i128)],
    accesses: json::Number<'a>,
    misses: json::Number<'a>,
}

impl<'a> TriedAnswer<'a> {
    fn new(Tried { sizes, accesses, misses }: &'a Tried) -> Self {
        Self { parameters: sizes, accesses: json::Number(accesses), misses: json::Number(misses) }
    }
}

#[derive(Serialize)]
struct SentenceAnswer<'a> {
    text: String,
    parts: Vec<PartAnswer<'a>>,
}

impl<'a> SentenceAnswer<'a> {
    fn new(sentence: &'a Sentence) -> Self {
        Self { text: sentence.to_string(), parts: sentence.parts().iter().map(PartAnswer::new).collect() }
    }
}

/// A part of a sentence: words are a string, everything else is an object.
#[derive(Serialize)]
#[serde(untagged)]
enum PartAnswer<'a> {
    Words(&'a str),
    Name { name: &'a str },
    Number(NumberAnswer<'a>),
}

impl<'a> PartAnswer<'a> {
    fn new(part: &'a SentencePart) -> Self {
        match part {
            SentencePart::Words(words) => Self::Words(words),
            SentencePart::Name(name) => Self::Name { name },
            SentencePart::Number(number) => Self::Number(NumberAnswer::new(number)),
        }
    }
}

#[derive(Serialize)]
struct NumberAnswer<'a> {
    number: &'a str,
    is: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<json::Number<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accesses: Option<&'a [usize]>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "sizes")]
    parameters: Option<&'a [(String, i128)]>,
}

impl<'a> NumberAnswer<'a> {
    fn new(StatedNumber { text, question }: &'a StatedNumber) -> Self {
        let NumberQuestion { measure, lines, accesses, sizes } = question;
        Self {
            number: text,
            is: measure.name(),
            lines: lines.as_ref().map(json::Number),
            accesses: accesses.as_deref(),
            parameters: sizes.as_deref(),
        }
    }
}

fn sizes<S: Serializer>(sizes: &Option<&[(String, i128)]>, serializer: S) -> Result<S::Ok, S::Error> {
    json::parameters(sizes.unwrap_or_default(), serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_between_words() {
        let wrapped = wrap("one two three four", ["- ", "  "], 9);
        assert_eq!(wrapped, ["- one two", "  three", "  four"]);
        assert_eq!(wrap("n\u{a0}=\u{a0}5 or less", ["", ""], 6), ["n = 5", "or", "less"]);
        assert_eq!(wrap("longer than this", ["", ""], 3), ["longer", "than", "this"]);
    }
}
