//! `find-size`: the largest sizes with which caches keep misses within a bound.

use std::io::{self, Write};

use serde::Serialize;
use symloc_machine::Capacity;

use super::Answer;
use crate::formats::json;
use crate::formats::text::{self, Columns};
use crate::ratio::{MissGoal, Ratio};
use crate::{AnswerHeader, MissModel};

/// The sizes of one parameter, or of several tied ones, that were searched.
#[derive(Clone, Debug)]
pub struct SearchedSizes {
    /// The parameters.
    pub names: Vec<String>,
    /// The number of sizes.
    pub count: u128,
    /// The smallest and the largest size.
    pub ends: [i128; 2],
}

impl SearchedSizes {
    /// Returns the parameters as text: `ni = nj`.
    fn joined(&self) -> String {
        self.names.join(" = ")
    }
}

/// The sizes that were found for one cache.
#[derive(Debug)]
pub struct FoundSize {
    /// The name that its machine gives it.
    pub name: Option<String>,
    /// As the user gave it.
    pub capacity: Capacity,
    /// The number of lines it holds.
    pub lines: u64,
    /// The number of sizes that meet the goal.
    pub meeting: u64,
    /// The largest size that meets the goal.
    pub largest: Option<i128>,
    /// The smallest size that does not meet it.
    pub smallest_above: Option<i128>,
}

impl FoundSize {
    /// Returns a message if no size meets the goal.
    pub fn missing(&self, searched: &SearchedSizes, goal: &MissGoal) -> String {
        format!("{} has {goal} at no {} that was asked about", self.capacity, searched.joined())
    }

    /// Returns a note where the two sizes alone would mislead.
    fn note(&self, searched: &SearchedSizes) -> Option<String> {
        let (capacity, names) = (self.capacity, searched.joined());
        match (self.largest, self.smallest_above) {
            (Some(largest), Some(above)) if largest > above => {
                Some(format!("{capacity}: not all sizes up to {names} = {largest} meet it: {above} does not"))
            }
            (Some(largest), None) => {
                Some(format!("{capacity}: every size meets it, so larger ones than {names} = {largest} may as well"))
            }
            _ => None,
        }
    }
}

/// The sizes of some caches: `symloc.find-size/1`.
#[derive(Debug)]
pub struct FoundSizes {
    /// The header of the first size.
    pub header: AnswerHeader,
    /// The model that predicts misses.
    pub miss_model: MissModel,
    /// The sizes that were searched.
    pub searched: SearchedSizes,
    /// The goal.
    pub goal: MissGoal,
    /// The sizes for each cache.
    pub caches: Vec<FoundSize>,
}

impl FoundSizes {
    /// Returns the parameters that are not searched.
    fn fixed(&self) -> Vec<(String, i128)> {
        let parameters = self.header.parameters.iter();
        parameters.filter(|(name, _)| !self.searched.names.contains(name)).cloned().collect()
    }

    fn bytes(&self, cache: &FoundSize) -> Option<u64> {
        self.header.line_bytes.and_then(|line| cache.lines.checked_mul(line))
    }
}

impl Answer for FoundSizes {
    fn json(&self) -> impl Serialize {
        let cache = |search: &FoundSize| SizeAnswer {
            name: search.name.clone(),
            bytes: self.bytes(search),
            ways: search.lines,
            line_bytes: self.header.line_bytes,
            meeting: search.meeting,
            largest: search.largest,
            smallest_above: search.smallest_above,
        };
        SizesAnswer {
            schema: "symloc.find-size/1",
            parameters: self.fixed(),
            searched: self.searched.names.clone(),
            sizes: self.searched.count,
            model: self.miss_model.name(),
            max_miss_ratio: self.goal.bound().map(Ratio::value),
            caches: self.caches.iter().map(cache).collect(),
        }
    }

    fn head(&self) -> Vec<String> {
        let columns = ["level", "bytes", "lines", "line_bytes", "sizes", "meeting", "largest", "smallest_above"];
        columns.map(str::to_owned).into()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |(number, search): (usize, &FoundSize)| {
            let text = |value: Option<i128>| value.map(|value| value.to_string()).unwrap_or_default();
            vec![
                search.name.clone().unwrap_or_else(|| number.to_string()),
                text(self.bytes(search).map(i128::from)),
                search.lines.to_string(),
                text(self.header.line_bytes.map(i128::from)),
                self.searched.count.to_string(),
                search.meeting.to_string(),
                text(search.largest),
                text(search.smallest_above),
            ]
        };
        (1..).zip(&self.caches).map(row).collect()
    }

    fn write_text(answers: &[Self], out: &mut dyn Write) -> io::Result<()> {
        answers.iter().try_for_each(|answer| answer.write(out))
    }
}

impl FoundSizes {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { header, searched, goal, caches, .. } = self;
        let common = AnswerHeader { parameters: self.fixed(), ..header.clone() };
        writeln!(out, "{}{}, {}", header.function, common.at(), text::lines(header.line_bytes, header.element))?;
        let (names, [first, last]) = (searched.joined(), searched.ends);
        writeln!(out, "{} sizes from {names} = {first} to {last}, goal: {goal}", searched.count)?;
        writeln!(out)?;
        let named = caches.iter().any(|search| search.name.is_some());
        let mut head = Vec::from_iter(named.then_some("level"));
        head.extend(["cache", "lines", "sizes that meet it", "largest", "smallest that does not"]);
        let mut table = Columns::new(&head, 0);
        for search in caches {
            let value = |value: Option<i128>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
            let mut row = Vec::from_iter(named.then(|| search.name.clone().unwrap_or_default()));
            row.extend([search.capacity.to_string(), search.lines.to_string(), search.meeting.to_string()]);
            row.extend([value(search.largest), value(search.smallest_above)]);
            table.push(row);
        }
        table.write(out)?;
        let notes: Vec<_> = caches.iter().filter_map(|search| search.note(searched)).collect();
        if !notes.is_empty() {
            writeln!(out)?;
        }
        notes.iter().try_for_each(|note| writeln!(out, "{note}"))
    }
}

#[derive(Serialize)]
struct SizesAnswer {
    schema: &'static str,
    #[serde(serialize_with = "parameters")]
    parameters: Vec<(String, i128)>,
    searched: Vec<String>,
    sizes: u128,
    model: &'static str,
    max_miss_ratio: Option<f64>,
    caches: Vec<SizeAnswer>,
}

fn parameters<S: serde::Serializer>(sizes: &[(String, i128)], serializer: S) -> Result<S::Ok, S::Error> {
    json::parameters(sizes, serializer)
}

#[derive(Serialize)]
struct SizeAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    bytes: Option<u64>,
    ways: u64,
    line_bytes: Option<u64>,
    meeting: u64,
    largest: Option<i128>,
    smallest_above: Option<i128>,
}
