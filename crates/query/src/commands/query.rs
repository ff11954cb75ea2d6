//! `query`: the misses at one size, in some caches.

use std::io::Write;

use clap::Args;
use serde::Serialize;
use symloc_model::{Denning, Distribution, Int, LineChoice, Misses};

use super::write_summary;
use crate::cache::{Cache, Capacity};
use crate::error::{CliError, ExitStatus};
use crate::export::json;
use crate::export::text::{Columns, ratio};
use crate::options::{MissModel, ModelArgs, SizeArgs};

/// The options of `query`.
#[derive(Clone, Debug, Args)]
pub struct QueryArgs {
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    sizes: SizeArgs,
    /// A cache, one for each level: 48KiB, 32768,full,64 or 512lines
    #[arg(long = "cache", value_name = "SIZE[,WAYS[,LINE]]", required = true)]
    caches: Vec<Cache>,
    /// How misses are predicted
    #[arg(long = "model", value_name = "MODEL", value_enum, default_value_t, id = "miss_model")]
    miss_model: MissModel,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// One cache and its misses.
struct Level {
    capacity: Capacity,
    lines: u64,
    misses: Misses,
}

impl QueryArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        self.miss_model.require()?;
        let model = self.model.load()?;
        let distribution = self.sizes.evaluate(&model, self.line()?)?;
        let levels = self.levels(&distribution)?;
        if self.json {
            json::write(out, &Answer::new(&distribution, &levels))?;
        } else {
            write_summary(out, &model, &distribution)?;
            writeln!(out)?;
            table(&distribution, &levels).write(out)?;
        }
        Ok(ExitStatus::Success)
    }

    /// The line size, which every place that names it must agree on.
    fn line(&self) -> Result<LineChoice, CliError> {
        let mut named = self.model.line_bytes.into_iter().chain(self.caches.iter().filter_map(|c| c.line_bytes));
        let Some(first) = named.next() else { return Ok(LineChoice::Only) };
        match named.find(|bytes| *bytes != first) {
            None => Ok(LineChoice::Bytes(first)),
            Some(other) => Err(CliError::with_hint(
                format!("lines of {first} and of {other} bytes in one question"),
                "ask about each line size apart",
            )),
        }
    }

    fn levels(&self, distribution: &Distribution) -> Result<Vec<Level>, CliError> {
        let denning = Denning::new(distribution);
        let level = |cache: &Cache| {
            let lines = cache.lines(distribution.line_bytes)?;
            Ok(Level { capacity: cache.capacity, lines, misses: denning.misses(&Int::from(lines)) })
        };
        self.caches.iter().map(level).collect()
    }
}

fn table(distribution: &Distribution, levels: &[Level]) -> Columns {
    let mut table = Columns::new(&["cache", "lines", "misses", "cold", "reuse", "miss ratio"], 0);
    for level in levels {
        let total = level.misses.total();
        table.push(vec![
            level.capacity.to_string(),
            level.lines.to_string(),
            total.to_string(),
            level.misses.cold.to_string(),
            level.misses.reuse.to_string(),
            ratio(total.ratio(&distribution.accesses)),
        ]);
    }
    table
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

impl<'a> Answer<'a> {
    fn new(distribution: &'a Distribution, levels: &[Level]) -> Self {
        let level = |level: &Level| {
            let misses = level.misses.total();
            LevelAnswer {
                bytes: match level.capacity {
                    Capacity::Bytes(bytes) => Some(bytes),
                    Capacity::Lines(lines) => distribution.line_bytes.and_then(|line| lines.checked_mul(line)),
                },
                ways: level.lines,
                line_bytes: distribution.line_bytes,
                miss_ratio: misses.ratio(&distribution.accesses),
                misses,
            }
        };
        Self {
            schema: "symloc.query/1",
            parameters: &distribution.parameters,
            model: "denning",
            accesses: &distribution.accesses,
            first_touches: &distribution.blocks,
            levels: levels.iter().map(level).collect(),
        }
    }
}
