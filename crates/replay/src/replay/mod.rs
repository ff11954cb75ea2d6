//! Runs a program on caches.
//!
//! `row` runs innermost loops line by line, `fast_forward` leaves out iterations that repeat, and `class` finds the accesses to one
//! part of the caches. The result is a [`replay_result`].

use symloc_cache::{Caches, Design, OnCaches};

use self::class::Class;
use self::fast_forward::{Moves, Watch, moves};
use self::replay_result::Held;
use self::row::Holding;
use crate::code::{Code, Op, Visitor, run};
use crate::cursor::{Cursor, Placed, placed};
use crate::error::ReplayError;
use crate::memory::MemoryMap;

pub(crate) mod class;
mod fast_forward;
pub mod replay_result;
pub(crate) mod row;

/// The treatment of iterations that repeat others. It does not change the counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Warping {
    /// They are counted without being run.
    #[default]
    On,
    /// Every iteration is run.
    Off,
}

/// The options of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaying {
    /// The treatment of iterations that repeat others.
    pub warping: Warping,
    /// The largest number of accesses that are run before giving up; those that are only counted do not matter.
    pub limit: u64,
}

impl Default for Replaying {
    /// With warping, and without a limit.
    fn default() -> Self {
        Self { warping: Warping::On, limit: u64::MAX }
    }
}

/// Runs a program on a hierarchy of caches, given from the nearest to the processor to the farthest, which are empty at
/// first.
///
/// # Errors
///
/// [`ReplayError::Geometry`] if a policy cannot keep the sets of its level, [`ReplayError::Overflow`] if an address
/// leaves 64 bits, [`ReplayError::TooManyAccesses`] beyond the limit.
pub fn replay(code: &Code<'_>, memory: &MemoryMap, designs: &[Design], how: Replaying) -> Result<Held, ReplayError> {
    symloc_cache::build(designs, Replay::new(code, memory, how)?)?
}

/// A program, ready to run.
struct Replay<'r> {
    code: &'r Code<'r>,
    memory: &'r MemoryMap,
    body: Vec<Op<Placed>>,
    /// By slot.
    moves: Vec<Option<Moves>>,
    limit: u64,
}

impl<'r> Replay<'r> {
    fn new(code: &'r Code<'r>, memory: &'r MemoryMap, how: Replaying) -> Result<Self, ReplayError> {
        let body = placed(code, memory)?;
        let moves = match how.warping {
            Warping::On => moves(code, &body),
            Warping::Off => Vec::new(),
        };
        Ok(Self { code, memory, body, moves, limit: how.limit })
    }
}

impl OnCaches for Replay<'_> {
    type Output = Result<Held, ReplayError>;

    fn on(self, caches: impl Caches) -> Self::Output {
        let watch = |moves: &Option<Moves>| Watch::new(moves.as_ref()?, self.memory, &caches);
        let watches = self.moves.iter().map(watch).collect();
        let now = Holding::new(caches, self.code.program.accesses.len(), self.memory, Class::ALL);
        let line = self.memory.line_bytes() as i64;
        let mut replayer = Replayer { line, now, watches, row: Vec::new(), limit: self.limit };
        run(self.code.program, &self.body, &mut replayer)?;
        Ok(replayer.now.into_held())
    }
}

/// A run of a program on some caches.
struct Replayer<'r, C> {
    line: i64,
    now: Holding<'r, C>,
    /// By slot.
    watches: Vec<Option<Watch<'r, C>>>,
    row: Vec<Cursor>,
    limit: u64,
}

impl<C> Replayer<'_, C> {
    fn check(&self) -> Result<(), ReplayError> {
        match self.now.run <= self.limit {
            true => Ok(()),
            false => Err(ReplayError::TooManyAccesses { limit: self.limit }),
        }
    }
}

impl<C: Caches> Visitor<Placed> for Replayer<'_, C> {
    type Error = ReplayError;

    fn row(&mut self, sites: &[Placed], iterations: u64, iters: &[i64]) -> Result<(), ReplayError> {
        self.row.clear();
        for site in sites {
            self.row.push(site.cursor(iters, self.line)?);
        }
        self.now.row(&mut self.row, self.line, iterations);
        self.check()
    }

    fn access(&mut self, site: &Placed, iters: &[i64]) -> Result<(), ReplayError> {
        let block = (site.address(iters)? / self.line) as u64;
        self.now.access(site.access, block, site.request);
        self.check()
    }

    fn leaves_out(&mut self, slot: usize, done: u64, left: u64) -> u64 {
        match self.watches.get_mut(slot) {
            Some(Some(watch)) => watch.leaves_out(&mut self.now, done, left),
            _ => 0,
        }
    }
}
