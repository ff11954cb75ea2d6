//! `query`: the misses at one size, in some caches.

use std::io::Write;

use clap::Args;
use symloc_model::{Int, LineChoice, Misses, Place};

use crate::cache::Cache;
use crate::error::{CliError, ExitStatus};
use crate::export::misses::{self, Level};
use crate::export::{Header, estimate};
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
    /// How misses are predicted: lru by default, where the model holds reuse distances
    #[arg(long = "model", value_name = "MODEL", value_enum, id = "miss_model")]
    miss_model: Option<MissModel>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl QueryArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let model = self.model.load()?;
        let line = self.line()?;
        let miss_model = MissModel::choose(self.miss_model, &model, line)?;
        let (header, levels, estimated) = match miss_model {
            MissModel::Denning => {
                let locality = self.sizes.locality(&model, line)?;
                let levels = self.levels(locality.place(), |blocks| locality.misses(blocks))?;
                (Header::of_locality(&model, &locality), levels, Int::ZERO)
            }
            MissModel::Lru => {
                let lru = self.sizes.lru(&model, line)?;
                let levels = self.levels(lru.place(), |blocks| lru.misses(blocks))?;
                (Header::at(&model, lru.place(), lru.accesses(), lru.blocks()), levels, lru.estimated())
            }
        };
        if self.json {
            misses::write_json(out, &header, miss_model.name(), &levels, &estimated)?;
        } else {
            misses::write_text(out, &header, &levels)?;
            estimate::write_note(out, &estimated)?;
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

    fn levels(&self, place: &Place, misses: impl Fn(&Int) -> Misses) -> Result<Vec<Level>, CliError> {
        let level = |cache: &Cache| {
            let lines = cache.lines(place.line_bytes)?;
            Ok(Level { capacity: cache.capacity, lines, ways: lines, misses: misses(&Int::from(lines)) })
        };
        self.caches.iter().map(level).collect()
    }
}
