//! `find-cache`: the smallest caches that keep misses within a bound.

use std::io::{self, Write};

use serde::Serialize;
use symloc_evaluate::{Int, Misses};
use symloc_machine::Capacity;

use super::Answer;
use crate::formats::text::{Columns, ratio};
use crate::formats::{csv, json};
use crate::ratio::{MissGoal, Ratio};
use crate::{AnswerHeader, Fields, MissModel};

/// A cache and its misses.
#[derive(Debug)]
pub struct MeetingCache {
    /// The number of lines.
    pub lines: Int,
    /// The misses.
    pub misses: Misses,
}

/// A goal and the cache that meets it.
#[derive(Debug)]
pub struct FoundCache {
    /// The goal.
    pub goal: MissGoal,
    /// The smallest cache; `None` if no cache meets the goal.
    pub cache: Option<MeetingCache>,
}

/// The caches at one size: `symloc.find-cache/1`.
#[derive(Debug)]
pub struct FoundCaches {
    /// The header of the answer.
    pub header: AnswerHeader,
    /// The model that predicts misses.
    pub miss_model: MissModel,
    /// A cache for each goal.
    pub found: Vec<FoundCache>,
}

impl FoundCaches {
    /// Returns a message about a goal that no cache meets, if there is one.
    pub fn missing(&self) -> Option<String> {
        let goal = &self.found.iter().find(|found| found.cache.is_none())?.goal;
        let AnswerHeader { accesses, blocks, .. } = &self.header;
        let at = self.header.at();
        Some(format!(
            "no cache has {goal}{at}: first touches alone are {} of the accesses",
            ratio(blocks.ratio(accesses))
        ))
    }

    fn bytes(&self, cache: &MeetingCache) -> Option<Int> {
        self.header.line_bytes.map(|line| &cache.lines * &Int::from(line))
    }
}

impl Answer for FoundCaches {
    fn json(&self) -> impl Serialize {
        let accesses = &self.header.accesses;
        let cache = |FoundCache { goal, cache }: &FoundCache| FoundCacheAnswer {
            max_miss_ratio: goal.bound().map(Ratio::value),
            lines: cache.as_ref().map(|cache| json::Owned(cache.lines.clone())),
            bytes: cache.as_ref().and_then(|cache| self.bytes(cache)).map(json::Owned),
            misses: cache.as_ref().map(|cache| json::Owned(cache.misses.total())),
            miss_ratio: cache.as_ref().map(|cache| cache.misses.total().ratio(accesses)),
        };
        CachesAnswer {
            schema: "symloc.find-cache/1",
            header: self.header.fields(self.miss_model.name()),
            caches: self.found.iter().map(cache).collect(),
        }
    }

    fn head(&self) -> Vec<String> {
        let columns =
            ["max_miss_ratio", "lines", "bytes", "line_bytes", "accesses", "misses", "cold", "reuse", "miss_ratio"];
        let parameters = self.header.parameters.iter().map(|(name, _)| name.clone());
        parameters.chain(columns.map(str::to_owned)).collect()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let AnswerHeader { parameters, line_bytes, accesses, .. } = &self.header;
        let row = |FoundCache { goal, cache }: &FoundCache| {
            let of = |value: fn(&MeetingCache) -> Int| csv::optional(cache.as_ref().map(value));
            let cells = [
                csv::optional(goal.bound().map(Ratio::value)),
                of(|cache| cache.lines.clone()),
                csv::optional(cache.as_ref().and_then(|cache| self.bytes(cache))),
                csv::optional(*line_bytes),
                accesses.to_string(),
                of(|cache| cache.misses.total()),
                of(|cache| cache.misses.cold.clone()),
                of(|cache| cache.misses.reuse.clone()),
                cache.as_ref().map(|cache| csv::ratio(cache.misses.total().ratio(accesses))).unwrap_or_default(),
            ];
            parameters.iter().map(|(_, value)| value.to_string()).chain(cells).collect()
        };
        self.found.iter().map(row).collect()
    }

    fn write_text(answers: &[Self], out: &mut dyn Write) -> io::Result<()> {
        let varying = AnswerHeader::write_common(answers.iter().map(|answer| &answer.header), out)?;
        writeln!(out)?;
        let mut head: Vec<&str> = varying.iter().map(String::as_str).collect();
        head.extend(["goal", "smallest cache", "lines", "misses", "cold", "reuse", "miss ratio"]);
        let mut table = Columns::new(&head, 0);
        for answer in answers {
            for FoundCache { goal, cache } in &answer.found {
                let mut row = answer.header.values(&varying);
                row.push(goal.to_string());
                match cache {
                    None => row.extend(["none", "-", "-", "-", "-", "-"].map(str::to_owned)),
                    Some(cache) => row.extend([
                        size(&answer.bytes(cache), &cache.lines),
                        cache.lines.to_string(),
                        cache.misses.total().to_string(),
                        cache.misses.cold.to_string(),
                        cache.misses.reuse.to_string(),
                        ratio(cache.misses.total().ratio(&answer.header.accesses)),
                    ]),
                }
                table.push(row);
            }
        }
        table.write(out)
    }
}

/// Returns the size in bytes with a unit, or in lines if these have no bytes.
fn size(bytes: &Option<Int>, lines: &Int) -> String {
    let Some(bytes) = bytes else { return format!("{lines} lines") };
    let short = bytes.to_i128().and_then(|bytes| u64::try_from(bytes).ok()).map(Capacity::Bytes);
    short.map_or_else(|| format!("{bytes} B"), |capacity| capacity.to_string())
}

#[derive(Serialize)]
struct CachesAnswer<'a> {
    schema: &'static str,
    #[serde(flatten)]
    header: Fields<'a>,
    caches: Vec<FoundCacheAnswer>,
}

#[derive(Serialize)]
struct FoundCacheAnswer {
    max_miss_ratio: Option<f64>,
    lines: Option<json::Owned>,
    bytes: Option<json::Owned>,
    misses: Option<json::Owned>,
    miss_ratio: Option<f64>,
}
