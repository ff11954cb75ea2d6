//! A program run on caches.

use symloc_cache::{Caches, Design, Fifo, Hierarchy, Lru, Qlru, Random, Replacement, Single, TreePlru, Whole};

use crate::code::{Code, Op, Visitor, run, try_map};
use crate::cursor::{Cursor, Placed};
use crate::error::ReplayError;
use crate::held::Held;
use crate::memory::Memory;
use crate::row::Holding;
use crate::warp::{Moves, Watch, moves};

/// Are iterations left out that repeat others? The counts are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Warping {
    /// They are.
    #[default]
    On,
    /// Every iteration is run.
    Off,
}

/// Runs a program on caches behind each other, from the nearest to the processor to the farthest, which are empty at first.
///
/// # Errors
///
/// [`ReplayError::Geometry`] if a policy cannot keep the sets of its level, [`ReplayError::Overflow`] if an address leaves 64 bits.
pub fn replay(code: &Code<'_>, memory: &Memory, designs: &[Design], warping: Warping) -> Result<Held, ReplayError> {
    let replay = Replay::new(code, memory, warping)?;
    if let [design] = designs {
        if let Some(lines) = Whole::suits(design) {
            return replay.on(Whole::new(lines));
        }
        if Single::<Lru>::suits(design) {
            return match design.replacement {
                Replacement::Lru => replay.on(Single::new(design, Lru)?),
                Replacement::Fifo => replay.on(Single::new(design, Fifo)?),
                Replacement::TreePlru => replay.on(Single::new(design, TreePlru)?),
                Replacement::Qlru => replay.on(Single::new(design, Qlru)?),
                Replacement::Random(seed) => replay.on(Single::new(design, Random { seed })?),
            };
        }
    }
    replay.on(Hierarchy::new(designs)?)
}

/// A program, ready to run.
struct Replay<'r> {
    code: &'r Code<'r>,
    memory: &'r Memory,
    body: Vec<Op<Placed>>,
    /// By slot.
    moves: Vec<Option<Moves>>,
}

impl<'r> Replay<'r> {
    fn new(code: &'r Code<'r>, memory: &'r Memory, warping: Warping) -> Result<Self, ReplayError> {
        let body = try_map(&code.body, &mut |site, head| Placed::new(memory, site, head))?;
        let moves = match warping {
            Warping::On => moves(code, &body),
            Warping::Off => Vec::new(),
        };
        Ok(Self { code, memory, body, moves })
    }

    fn on(&self, caches: impl Caches) -> Result<Held, ReplayError> {
        let watch = |moves: &Option<Moves>| Watch::new(moves.as_ref()?, self.memory, &caches);
        let watches = self.moves.iter().map(watch).collect();
        let now = Holding::new(caches, self.code.program.accesses.len());
        let line = self.memory.line_bytes() as i64;
        let mut replayer = Replayer { memory: self.memory, line, now, watches, row: Vec::new() };
        run(self.code.program, &self.body, &mut replayer)?;
        Ok(replayer.now.into_held())
    }
}

/// Runs a program on some caches.
struct Replayer<'r, C> {
    memory: &'r Memory,
    line: i64,
    now: Holding<C>,
    /// By slot.
    watches: Vec<Option<Watch<C>>>,
    row: Vec<Cursor>,
}

impl<C: Caches> Visitor<Placed> for Replayer<'_, C> {
    type Error = ReplayError;

    fn row(&mut self, sites: &[Placed], iterations: u64, iters: &[i64]) -> Result<(), ReplayError> {
        self.row.clear();
        for site in sites {
            self.row.push(site.cursor(iters, self.line)?);
        }
        self.now.row(&mut self.row, self.line, iterations);
        Ok(())
    }

    fn access(&mut self, site: &Placed, iters: &[i64]) -> Result<(), ReplayError> {
        let block = (site.address(iters)? / self.line) as u64;
        self.now.access(site.access, block, site.write);
        Ok(())
    }

    fn leaves_out(&mut self, slot: usize, done: u64, left: u64) -> u64 {
        match self.watches.get_mut(slot) {
            Some(Some(watch)) => watch.leaves_out(self.memory, &mut self.now, done, left),
            _ => 0,
        }
    }
}
