//! The caches of a query, from the command line.
//!
//! Several `--cache` are levels of one hierarchy, after those of `--machine`; ranges of sizes give several hierarchies,
//! see [`Levels`].

use clap::Args;
use symloc_machine::{CacheRange, Levels, Machine, NamedCache};

use crate::error::CliError;

/// Which caches.
#[derive(Clone, Debug, Args)]
pub struct CacheArgs {
    /// A cache, one for each level: 48KiB, 32768,full,64 or 512lines; or alternatives: 4KiB..1MiB:*2; simulated ones
    /// may have a policy: 32KiB,8,plru
    #[arg(long = "cache", value_name = "SIZE[,WAYS[,LINE[,POLICY]]]")]
    caches: Vec<CacheRange>,
    /// The data caches of a machine: `this` one, or a .toml, kerncraft .yml or lstopo .xml file
    #[arg(long, value_name = "this|FILE")]
    machine: Option<Machine>,
    /// Take all caches as fully associative, whatever ways they have, and those of --machine as LRU
    #[arg(long)]
    fully_associative: bool,
}

impl CacheArgs {
    /// Creates the caches of options that have the same meaning.
    pub fn new(caches: Vec<CacheRange>, machine: Option<Machine>, fully_associative: bool) -> Self {
        Self { caches, machine, fully_associative }
    }

    /// Returns true if no cache is given.
    pub fn is_empty(&self) -> bool {
        self.caches.is_empty() && self.machine.is_none()
    }

    /// Returns these caches, or others if none is given.
    #[must_use]
    pub fn or(&self, others: Vec<CacheRange>) -> Self {
        if self.is_empty() { Self { caches: others, ..self.clone() } } else { self.clone() }
    }

    /// Returns the levels as they are, ways included; at least one. `check` is given the number of hierarchies.
    ///
    /// # Errors
    ///
    /// A refusal if no cache is given, and errors of the machine description and of `check`.
    pub fn levels(&self, check: impl Fn(u128) -> Result<(), CliError>) -> Result<Levels, CliError> {
        if self.is_empty() {
            return Err(CliError::with_hint(
                "no cache is given",
                "give each level with --cache, or all with --machine",
            ));
        }
        check(self.caches.iter().fold(1, |product: u128, range| product.saturating_mul(range.count())))?;
        let machine = self.machine.as_ref().map_or(Ok(Vec::new()), Machine::levels)?;
        let mut levels = Levels::new(machine, &self.caches);
        if self.fully_associative {
            levels.forget_ways();
        }
        Ok(levels)
    }

    /// Returns the levels for a query about fully associative caches: those of a machine lose their ways, which a note
    /// states. Ways that the user requests with --cache are refused later, if they are not supported.
    ///
    /// # Errors
    ///
    /// Those of [`levels`](Self::levels).
    pub fn fully_associative(
        &self,
        check: impl Fn(u128) -> Result<(), CliError>,
    ) -> Result<(Levels, Option<String>), CliError> {
        let mut levels = self.levels(check)?;
        let note = forget_ways_of_machine(&mut levels);
        Ok((levels, note))
    }
}

/// Makes the caches of a machine fully associative; returns a note about it.
pub fn forget_ways_of_machine(levels: &mut Levels) -> Option<String> {
    let lost = levels.forget_ways_of_machine();
    let lost: Vec<_> = lost.iter().map(|(name, ways)| format!("{name} ({ways} ways)")).collect();
    (!lost.is_empty()).then(|| format!("taken as fully associative: {}", lost.join(", ")))
}

/// Returns the cache of each level.
///
/// # Errors
///
/// A refusal if a level has several.
pub fn single(levels: &Levels) -> Result<Vec<&NamedCache>, CliError> {
    levels.single().ok_or_else(|| {
        CliError::with_hint(
            "a level has several caches; this command takes one for each",
            "`query` takes ranges of caches",
        )
    })
}
