//! The caches that a question is about: levels, each one cache or a range of alternatives.
//!
//! Several `--cache` are levels of one hierarchy. A range of sizes in one of them asks about several hierarchies; with
//! ranges in several levels, about their product, the last level running fastest. The levels of a machine come before those
//! of `--cache`.

use clap::Args;
use symloc_model::LineChoice;

use crate::cache::{Cache, CacheRange, Capacity};
use crate::error::CliError;
use crate::machine::{Machine, MachineLevel};
use crate::ranges::product;

/// Which caches.
#[derive(Clone, Debug, Args)]
pub struct CacheArgs {
    /// A cache, one for each level: 48KiB, 32768,full,64 or 512lines; or alternatives: 4KiB..1MiB:*2
    #[arg(long = "cache", value_name = "SIZE[,WAYS[,LINE]]")]
    caches: Vec<CacheRange>,
    /// The data caches of a machine: `this` one, or a .toml, kerncraft .yml or lstopo .xml file
    #[arg(long, value_name = "this|FILE")]
    machine: Option<Machine>,
    /// Take all caches as fully associative, whatever ways they have
    #[arg(long)]
    fully_associative: bool,
}

/// A cache of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedCache {
    /// What a machine calls it.
    pub name: Option<String>,
    /// What it is.
    pub cache: Cache,
}

/// Levels from the core outwards, each with its alternatives.
#[derive(Clone, Debug)]
pub struct Levels {
    levels: Vec<Vec<NamedCache>>,
    /// Whether a range was written.
    pub is_grid: bool,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl CacheArgs {
    /// Whether no cache is given at all.
    pub fn is_empty(&self) -> bool {
        self.caches.is_empty() && self.machine.is_none()
    }

    /// The levels as they are, ways included; at least one.
    pub fn levels(&self, check: impl Fn(u128) -> Result<(), CliError>) -> Result<Levels, CliError> {
        if self.is_empty() {
            return Err(CliError::with_hint(
                "no cache is given",
                "give each level with --cache, or all with --machine",
            ));
        }
        check(self.caches.iter().fold(1, |product: u128, range| product.saturating_mul(range.count())))?;
        let machine = self.machine.as_ref().map_or(Ok(Vec::new()), Machine::levels)?;
        let mut levels: Vec<_> = machine.into_iter().map(|level| vec![level.into()]).collect();
        let unnamed = |cache| NamedCache { name: None, cache };
        levels.extend(self.caches.iter().map(|range| range.caches().map(unnamed).collect()));
        for level in levels.iter_mut().flatten().filter(|_| self.fully_associative) {
            level.cache.ways = None;
        }
        Ok(Levels { levels, is_grid: self.caches.iter().any(CacheRange::is_range), notes: Vec::new() })
    }

    /// The levels for a question about fully associative caches: those of a machine lose their ways, and a note says so.
    pub fn fully_associative(&self, check: impl Fn(u128) -> Result<(), CliError>) -> Result<Levels, CliError> {
        let mut levels = self.levels(check)?;
        let mut lost = Vec::new();
        for level in levels.levels.iter_mut().flatten() {
            // What the user asks for with --cache is refused later, if it is not to be had.
            let Some(name) = &level.name else { continue };
            if let Some(ways) = level.cache.ways.take() {
                lost.push(format!("{name} ({ways} ways)"));
            }
        }
        if !lost.is_empty() {
            levels.notes.push(format!("taken as fully associative: {}", lost.join(", ")));
        }
        Ok(levels)
    }
}

impl From<MachineLevel> for NamedCache {
    fn from(level: MachineLevel) -> Self {
        let MachineLevel { name, bytes, ways, line_bytes } = level;
        Self { name: Some(name), cache: Cache { capacity: Capacity::Bytes(bytes), ways, line_bytes } }
    }
}

impl Levels {
    /// How many hierarchies there are.
    pub fn count(&self) -> u128 {
        self.levels.iter().fold(1, |product: u128, level| product.saturating_mul(level.len() as u128))
    }

    /// Each cache of each level once.
    pub fn caches(&self) -> impl Iterator<Item = &NamedCache> {
        self.levels.iter().flatten()
    }

    /// The hierarchies: one cache for each level.
    pub fn hierarchies(&self) -> impl Iterator<Item = Vec<&NamedCache>> {
        let lengths: Vec<_> = self.levels.iter().map(Vec::len).collect();
        product(&lengths).map(|chosen| chosen.iter().zip(&self.levels).map(|(index, level)| &level[*index]).collect())
    }

    /// The only hierarchy.
    pub fn single(&self) -> Result<Vec<&NamedCache>, CliError> {
        match self.is_grid {
            false => Ok(self.caches().collect()),
            true => Err(CliError::with_hint(
                "a level has several caches; this command takes one for each",
                "`query` takes ranges of caches",
            )),
        }
    }

    /// The line size, on which `wanted` and all caches that name one must agree.
    pub fn line(&self, wanted: Option<u64>) -> Result<LineChoice, CliError> {
        let mut named = wanted.into_iter().chain(self.caches().filter_map(|level| level.cache.line_bytes));
        let Some(first) = named.next() else { return Ok(LineChoice::Only) };
        match named.find(|bytes| *bytes != first) {
            None => Ok(LineChoice::Bytes(first)),
            Some(other) => Err(CliError::with_hint(
                format!("lines of {first} and of {other} bytes in one question"),
                "ask about each line size apart",
            )),
        }
    }
}
