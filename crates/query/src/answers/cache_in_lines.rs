//! A cache of a query in lines, once the line size is known.

use symloc_evaluate::{EvalError, Int, Misses, Prediction, Sets, WriteReuses};
use symloc_machine::{CacheRequestError, Capacity, NamedCache};
use symloc_report::Counted;
use symloc_report::answers::misses::CacheMisses;

use crate::error::CliError;

/// A cache in lines.
pub(crate) struct CacheInLines {
    pub(crate) name: Option<String>,
    pub(crate) capacity: Capacity,
    pub(crate) lines: u64,
    /// The sets of a set-associative cache.
    sets: Option<Sets>,
}

impl CacheInLines {
    pub(crate) fn new(
        NamedCache { name, cache }: &NamedCache,
        line_bytes: Option<u64>,
    ) -> Result<Self, CacheRequestError> {
        let lines = cache.lines(line_bytes)?;
        Ok(Self { name: name.clone(), capacity: cache.capacity, lines, sets: cache.sets(lines)? })
    }

    pub(crate) fn ask(&self, prediction: &Prediction) -> Result<CacheMisses, EvalError> {
        let misses = match &self.sets {
            None => prediction.misses(&Int::from(self.lines))?,
            Some(sets) => prediction.misses_in_sets(sets)?,
        };
        Ok(CacheMisses { misses, ..self.without_misses() })
    }

    /// Returns the misses, and the write-backs of a fully associative cache if the writes are known.
    pub(crate) fn ask_with(
        &self,
        prediction: &Prediction,
        writes: Option<&WriteReuses>,
    ) -> Result<CacheMisses, EvalError> {
        let writes = writes.filter(|_| self.sets.is_none());
        let write_backs = writes.map(|writes| writes.write_backs(prediction, &Int::from(self.lines))).transpose()?;
        Ok(CacheMisses { write_backs: write_backs.map(Counted::exact), ..self.ask(prediction)? })
    }

    /// Returns the cache, with no misses.
    pub(crate) fn without_misses(&self) -> CacheMisses {
        CacheMisses {
            name: self.name.clone(),
            capacity: self.capacity,
            lines: self.lines,
            ways: self.sets.as_ref().map_or(self.lines, Sets::ways),
            misses: Misses { cold: Int::ZERO, reuse: Int::ZERO },
            write_backs: None,
            interval: None,
            threads: None,
            bound: None,
        }
    }

    /// Returns the number of lines of a fully associative cache; others have no window and are refused.
    pub(crate) fn fully_associative(&self) -> Result<u64, CliError> {
        match self.sets {
            None => Ok(self.lines),
            Some(_) => Err(CliError::with_hint(
                format!("{} in sets: this question is about fully associative caches only", self.capacity),
                "leave the ways out",
            )),
        }
    }
}
