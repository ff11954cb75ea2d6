//! `query`: the misses at one size, in some caches.

use std::io::Write;

use clap::Args;
use symloc_model::{Int, LineChoice, Locality};

use crate::cache::Cache;
use crate::error::{CliError, ExitStatus};
use crate::export::Header;
use crate::export::misses::{self, Level};
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

impl QueryArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        self.miss_model.require()?;
        let model = self.model.load()?;
        let locality = self.sizes.locality(&model, self.line()?)?;
        let levels = self.levels(&locality)?;
        let header = Header::of_locality(&model, &locality);
        if self.json {
            misses::write_json(out, &header, "denning", &levels)?;
        } else {
            misses::write_text(out, &header, &levels)?;
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

    fn levels(&self, locality: &Locality) -> Result<Vec<Level>, CliError> {
        let level = |cache: &Cache| {
            let lines = cache.lines(locality.place().line_bytes)?;
            let (ways, misses) = match cache.sets(lines)? {
                None => (lines, locality.misses(&Int::from(lines))),
                Some(sets) => (sets.ways(), locality.misses_in_sets(&sets)),
            };
            Ok(Level { capacity: cache.capacity, lines, ways, misses })
        };
        self.caches.iter().map(level).collect()
    }
}
