//! A few accesses of a run, on caches that have seen enough of what came before.
//!
//! The accesses before them are run on empty caches: a *history*. With one LRU cache it is long enough when nothing in the window comes into
//! a way that is still empty: a set then holds the lines that were used last, as in the whole run, or all that matter of them.
//! Other policies, and second levels, depend on more than that. For them no way that is still empty may be filled in the last two thirds of
//! the history, either, in which they forget how they began. A history that is too short is made twice as long; one that begins where
//! the program begins is always long enough.

use std::ops::Range;

use symloc_affine::Program;
use symloc_cache::Caches;

use crate::code::Op;
use crate::cursor::Placed;
use crate::error::ReplayError;
use crate::row::Holding;

use super::class::{Class, Event};
use super::position::{Direction, Position};

/// A program whose accesses to one class at a time are run on a part of some caches.
pub(super) struct Stage<'c, C> {
    pub(super) program: &'c Program,
    pub(super) body: &'c [Op<Placed>],
    pub(super) line: i64,
    /// A part of the caches, empty.
    pub(super) caches: C,
    /// Is one long enough history as good as any other?
    pub(super) forgets_at_once: bool,
    /// What it has cost so far: accesses that were run, and ten for each row.
    pub(super) work: u64,
    pub(super) events: Vec<Event>,
}

/// Some iterations of a leaf, and the blocks that matter there.
#[derive(Clone, Debug)]
pub(super) struct Window<'c> {
    pub(super) position: Position<'c>,
    pub(super) iterations: Range<u64>,
    pub(super) class: Class,
}

/// What was seen in a window.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// By access and level, as in [`Holding`].
    pub(super) held: Vec<u64>,
    /// May some misses be hits, as they came into ways that were still empty?
    pub(super) undecided: bool,
    /// Was the history long enough?
    settled: bool,
}

/// Caches on their way through a run.
struct Runner<'c, C> {
    position: Position<'c>,
    iteration: u64,
    class: Class,
    now: Holding<C>,
}

/// Of the history of caches that forget slowly, the part in which they may fill.
const FILLING: u64 = 3;

impl<'c, C: Caches> Stage<'c, C> {
    /// Runs a window, with a history of so many accesses, or more if that is needed and does not cost more than `limit`.
    pub(super) fn run(&mut self, window: &Window<'c>, history: &mut u64, limit: u64) -> Result<Seen, ReplayError> {
        let before = self.work;
        loop {
            let (seen, from_start) = self.attempt(window, *history)?;
            if from_start {
                return Ok(Seen { undecided: false, ..seen });
            }
            if seen.settled || self.work - before > limit {
                return Ok(seen);
            }
            *history *= 2;
        }
    }

    /// Says whether the history begins with the program.
    fn attempt(&mut self, window: &Window<'c>, history: u64) -> Result<(Seen, bool), ReplayError> {
        let (position, iteration, behind) = self.back(window, history)?;
        let from_start = behind < history;
        let now = Holding::new(self.caches.clone(), self.program.accesses.len());
        let mut runner = Runner { position, iteration, class: window.class, now };
        let filling = if self.forgets_at_once { behind } else { behind / FILLING };
        let done = self.advance(&mut runner, filling)?;
        let filled = runner.now.caches.vacant();
        self.advance(&mut runner, behind - done)?;
        let vacant = runner.now.caches.vacant();
        runner.now.held.fill(0);
        self.part(&mut runner.now, &window.position, window.iterations.clone(), window.class)?;
        let Holding { caches, held, .. } = runner.now;
        let left = caches.vacant();
        Ok((Seen { held, undecided: left < vacant, settled: left == filled }, from_start))
    }

    /// The place so many accesses before a window, or the first one, and how many accesses lie between.
    fn back(&mut self, window: &Window<'c>, history: u64) -> Result<(Position<'c>, u64, u64), ReplayError> {
        let (mut position, mut iteration, mut behind) = (window.position.clone(), window.iterations.start, 0);
        loop {
            let sites = position.sites().len() as u64;
            let wanted = (history - behind).div_ceil(sites);
            if wanted <= iteration {
                return Ok((position, iteration - wanted, behind + wanted * sites));
            }
            behind += iteration * sites;
            self.work += 1;
            if !position.go(Direction::Backward)? {
                let first = Position::first(self.program, self.body)?;
                return Ok((first.unwrap_or(position), 0, behind));
            }
            iteration = position.count;
        }
    }

    /// Goes on by so many accesses, or a few more up to the end of an iteration; says how many.
    fn advance(&mut self, runner: &mut Runner<'c, C>, accesses: u64) -> Result<u64, ReplayError> {
        let mut done = 0;
        while done < accesses {
            if runner.iteration == runner.position.count {
                if !runner.position.go(Direction::Forward)? {
                    break;
                }
                runner.iteration = 0;
            }
            let sites = runner.position.sites().len() as u64;
            let wanted = (accesses - done).div_ceil(sites);
            let end = runner.position.count.min(runner.iteration.saturating_add(wanted));
            self.part(&mut runner.now, &runner.position, runner.iteration..end, runner.class)?;
            done += (end - runner.iteration) * sites;
            runner.iteration = end;
        }
        Ok(done)
    }

    /// Some iterations of a leaf.
    fn part(
        &mut self,
        now: &mut Holding<C>,
        position: &Position<'c>,
        iterations: Range<u64>,
        class: Class,
    ) -> Result<(), ReplayError> {
        let sites = position.sites();
        class.events(sites, iterations, &position.iters, self.line, &mut self.events)?;
        for event in &self.events {
            let site = &sites[event.site];
            now.access(site.access, event.block, site.write);
        }
        self.work += 10 + self.events.len() as u64;
        Ok(())
    }
}
