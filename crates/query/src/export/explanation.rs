//! An explanation as paragraphs and as JSON.

use std::io::{self, Write};

use serde::{Serialize, Serializer};

use super::{Fields, estimate, json};
use crate::explain::elsewhere::{Change, Factor, Tried};
use crate::explain::sentence::{GLUE, Number, Part, Question, Sentence};
use crate::explain::subject::{Goal, Threshold};
use crate::explain::{Explained, Explanation};
use crate::options::MissModel;

/// The width of text that is not written to a terminal, and the largest one that is easy to read.
const WIDTH: usize = 118;

impl Explanation {
    /// One paragraph for each cache: what misses, and then one point after the other.
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
        estimate::write_note(out, &self.estimated)
    }

    /// `symloc.explain/1`
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let answer = Answer {
            schema: "symloc.explain/1",
            header: self.header.fields(self.miss_model.name()),
            estimated: (!self.estimated.is_zero()).then_some(json::Number(&self.estimated)),
            caches: self.caches.iter().map(CacheAnswer::new).collect(),
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

/// Words in lines of some width; the first line and the others begin with `starts`. What is [`GLUE`] stays in its line.
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
struct Answer<'a> {
    schema: &'static str,
    #[serde(flatten)]
    header: Fields<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated: Option<json::Number<'a>>,
    caches: Vec<CacheAnswer<'a>>,
}

#[derive(Serialize)]
struct CacheAnswer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    lines: json::Number<'a>,
    thresholds: Vec<ThresholdAnswer<'a>>,
    changes: Vec<ChangeAnswer<'a>>,
    tried: Vec<TriedAnswer<'a>>,
    sentences: Vec<SentenceAnswer<'a>>,
}

impl<'a> CacheAnswer<'a> {
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

fn goal_name(goal: Goal) -> &'static str {
    match goal {
        Goal::Twice => "twice",
        Goal::TenthMore => "tenth_more",
        Goal::TenthFewer => "tenth_fewer",
        Goal::Half => "half",
        Goal::FirstTouches => "first_touches",
        Goal::Some => "some_reuses",
        Goal::Most => "most_reuses",
        Goal::All => "all_reuses",
    }
}

#[derive(Serialize)]
struct ChangeAnswer<'a> {
    factor: &'static str,
    with: TriedAnswer<'a>,
    without: TriedAnswer<'a>,
}

impl<'a> ChangeAnswer<'a> {
    fn new(Change { factor, with, without }: &'a Change) -> Self {
        let factor = match factor {
            Factor::Less => "less",
            Factor::More => "more",
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

/// Words are a text, all else is an object.
#[derive(Serialize)]
#[serde(untagged)]
enum PartAnswer<'a> {
    Words(&'a str),
    Name { name: &'a str },
    Number(NumberAnswer<'a>),
}

impl<'a> PartAnswer<'a> {
    fn new(part: &'a Part) -> Self {
        match part {
            Part::Words(words) => Self::Words(words),
            Part::Name(name) => Self::Name { name },
            Part::Number(number) => Self::Number(NumberAnswer::new(number)),
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
    fn new(Number { text, question }: &'a Number) -> Self {
        let Question { measure, lines, accesses, sizes } = question;
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
