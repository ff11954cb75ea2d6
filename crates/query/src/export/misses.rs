//! Misses of some caches at one size.

use std::io::{self, Write};

use serde::Serialize;
use symloc_model::{Int, Misses};

use super::{Header, json};
use crate::cache::Capacity;
use crate::export::text::{Columns, ratio};

/// One cache and its misses.
#[derive(Clone, Debug)]
pub struct Level {
    /// As the user gave it.
    pub capacity: Capacity,
    /// How many lines it holds.
    pub lines: u64,
    /// Its associativity; as many as lines if it is fully associative.
    pub ways: u64,
    /// What misses.
    pub misses: Misses,
}

/// For people.
pub fn write_text(out: &mut dyn Write, header: &Header, levels: &[Level]) -> io::Result<()> {
    header.write(out)?;
    writeln!(out)?;
    let mut table = Columns::new(&["cache", "lines", "ways", "misses", "cold", "reuse", "miss ratio"], 0);
    for level in levels {
        let total = level.misses.total();
        table.push(vec![
            level.capacity.to_string(),
            level.lines.to_string(),
            if level.ways == level.lines { "full".to_owned() } else { level.ways.to_string() },
            total.to_string(),
            level.misses.cold.to_string(),
            level.misses.reuse.to_string(),
            ratio(total.ratio(&header.accesses)),
        ]);
    }
    table.write(out)
}

/// `symloc.query/1`; `model` says where the misses come from, and `estimated` how many reuses it has no distance for.
pub fn write_json(
    out: &mut dyn Write,
    header: &Header,
    model: &'static str,
    levels: &[Level],
    estimated: &Int,
) -> io::Result<()> {
    let level = |level: &Level| {
        let misses = level.misses.total();
        LevelAnswer {
            bytes: match level.capacity {
                Capacity::Bytes(bytes) => Some(bytes),
                Capacity::Lines(lines) => header.line_bytes.and_then(|line| lines.checked_mul(line)),
            },
            ways: level.ways,
            line_bytes: header.line_bytes,
            miss_ratio: misses.ratio(&header.accesses),
            misses,
        }
    };
    let answer = Answer {
        schema: "symloc.query/1",
        parameters: &header.parameters,
        model,
        accesses: &header.accesses,
        first_touches: &header.blocks,
        estimated: (!estimated.is_zero()).then_some(json::Number(estimated)),
        levels: levels.iter().map(level).collect(),
    };
    json::write(out, &answer)
}

#[derive(Serialize)]
struct Answer<'a> {
    schema: &'static str,
    #[serde(serialize_with = "json::parameters")]
    parameters: &'a [(String, i128)],
    model: &'static str,
    #[serde(serialize_with = "json::int")]
    accesses: &'a Int,
    #[serde(serialize_with = "json::int")]
    first_touches: &'a Int,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated: Option<json::Number<'a>>,
    levels: Vec<LevelAnswer>,
}

#[derive(Serialize)]
struct LevelAnswer {
    bytes: Option<u64>,
    ways: u64,
    line_bytes: Option<u64>,
    #[serde(serialize_with = "json::int")]
    misses: Int,
    miss_ratio: f64,
}
