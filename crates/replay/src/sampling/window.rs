//! Runs a stretch on caches that have been warmed up by the accesses before it.
//!
//! Of the accesses in a stretch those to one class are run on a part of the caches. The state of the part at the beginning is
//! found by running accesses before it on empty caches: a *history*. It is long enough if no empty way is filled in its last part
//! or in the stretch. In an LRU cache a set whose ways are filled then holds the lines that were used last, as in the whole run,
//! whatever came before; the last part is for state that is forgotten more slowly: other policies, second levels, and which lines
//! were written. A history that is too short is doubled; one that begins where the program begins is always long enough.
//!
//! A stretch that reaches the end of the program continues at its beginning, with empty caches: so every access is in equally
//! many.

use std::ops::Range;

use symloc_affine::Program;
use symloc_cache::{Caches, Traffic};

use crate::code::Op;
use crate::cursor::Placed;
use crate::error::ReplayError;
use crate::memory::MemoryMap;
use crate::replay::row::Holding;

use super::position::{Direction, LeafPosition};
use crate::replay::class::{Class, StridedWalk, Visit};

/// A program whose accesses to one class at a time are run on a part of some caches.
pub(super) struct Stage<'c, C> {
    pub(super) program: &'c Program,
    pub(super) memory: &'c MemoryMap,
    pub(super) body: &'c [Op<Placed>],
    /// A part of the caches, empty.
    pub(super) caches: C,
    /// The ratio of the length of a history to the part of it in which the caches may fill.
    pub(super) patience: u64,
    /// The cost so far: accesses that were run, and ten for each row.
    pub(super) work: u64,
    pub(super) visits: Vec<Visit>,
}

/// An access of a run.
#[derive(Clone, Debug)]
pub(super) struct AccessPlace<'c> {
    pub(super) position: LeafPosition<'c>,
    /// The index among all accesses of the leaf.
    pub(super) index: u64,
}

/// A number of consecutive accesses.
#[derive(Clone, Debug)]
pub(super) struct Stretch<'c> {
    pub(super) start: AccessPlace<'c>,
    pub(super) accesses: u64,
}

/// The counts of a stretch.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// By access and level, as in [`Holding`].
    pub(super) held: Vec<u64>,
    /// By array and level, as in [`Holding`].
    pub(super) written: Vec<u64>,
    /// By level.
    pub(super) traffic: Vec<Traffic>,
    /// The number of misses that may be hits, as the blocks came into ways that were still empty.
    pub(super) undecided: u64,
    /// The number of times that an access came to another block.
    pub(super) visits: u64,
}

/// A run in progress on caches.
struct Runner<'c, C> {
    place: AccessPlace<'c>,
    class: Class,
    now: Holding<'c, C>,
    visits: u64,
}

impl<'c, C: Caches> Stage<'c, C> {
    /// Returns the class of a randomly chosen visit of a stretch, all visits being equally likely, and the number of visits.
    pub(super) fn class(
        &mut self,
        stretch: &Stretch<'c>,
        modulus: u64,
        choose: &mut impl FnMut(u64) -> u64,
    ) -> Result<(Class, u64), ReplayError> {
        let line = self.memory.line_bytes() as i64;
        let (mut all, mut chosen, mut work) = (0, 0, 0);
        let mut part = |iters: &[i64], sites: &[Placed], iterations: Range<u64>| {
            work += 1;
            for placed in sites {
                let walk = StridedWalk::of(placed, iters, line)?;
                let visits = walk.visits(&iterations)?;
                all += visits;
                let one = choose(all);
                if one < visits {
                    chosen = walk.visited(&iterations, one)?;
                }
            }
            Ok(())
        };
        let mut place = stretch.start.clone();
        let mut left = place.advance(stretch.accesses, &mut part)?;
        while let (1.., Some(first)) = (left, self.first()?) {
            place = first;
            left = place.advance(left, &mut part)?;
        }
        self.work += work;
        Ok((Class { modulus, rest: chosen % modulus }, all))
    }

    /// Runs a stretch, with a history of `history` accesses, or a longer one if that is needed and costs at most `limit`.
    pub(super) fn run(
        &mut self,
        stretch: &Stretch<'c>,
        class: Class,
        history: &mut u64,
        limit: u64,
    ) -> Result<Seen, ReplayError> {
        loop {
            let before = self.work;
            let (place, behind) = self.back(&stretch.start, *history)?;
            let from_start = behind < *history;
            let now = Holding::new(self.caches.clone(), self.program.accesses.len(), self.memory, class);
            let mut runner = Runner { place, class, now, visits: 0 };
            self.advance(&mut runner, behind / self.patience)?;
            let filled = runner.now.caches.vacant();
            self.advance(&mut runner, behind - behind / self.patience)?;
            let settled = from_start || runner.now.caches.vacant() == filled;
            let spent = self.work - before > limit;
            if settled || spent {
                let seen = self.watch(runner, stretch.accesses)?;
                if from_start {
                    return Ok(Seen { undecided: 0, ..seen });
                }
                if seen.undecided == 0 || spent {
                    return Ok(seen);
                }
            }
            *history *= 2;
        }
    }

    /// Runs a stretch on caches that are warmed up.
    fn watch(&mut self, mut runner: Runner<'c, C>, accesses: u64) -> Result<Seen, ReplayError> {
        runner.now.held.fill(0);
        runner.now.written.fill(0);
        runner.visits = 0;
        let mut traffic = vec![Traffic::default(); runner.now.caches.levels()];
        let vacant = runner.now.caches.vacant();
        let mut left = self.look(&mut runner, accesses, &mut traffic)?;
        let undecided = vacant - runner.now.caches.vacant();
        while let (1.., Some(first)) = (left, self.first()?) {
            runner.place = first;
            runner.now.caches = self.caches.clone();
            left = self.look(&mut runner, left, &mut traffic)?;
        }
        let Runner { now: Holding { held, written, .. }, visits, .. } = runner;
        Ok(Seen { held, written, traffic, undecided, visits })
    }

    /// Runs accesses and adds up the traffic; returns the number of accesses left when the program ends.
    fn look(&mut self, runner: &mut Runner<'c, C>, accesses: u64, traffic: &mut [Traffic]) -> Result<u64, ReplayError> {
        let before = runner.now.caches.traffic();
        let left = self.advance(runner, accesses)?;
        let levels = before.iter().zip(runner.now.caches.traffic());
        traffic.iter_mut().zip(levels).for_each(|(sum, (before, now))| sum.add(1, before, &now));
        Ok(left)
    }

    /// Returns the place where the program begins; `None` if there are no accesses.
    fn first(&self) -> Result<Option<AccessPlace<'c>>, ReplayError> {
        let first = LeafPosition::first(self.program, self.body)?;
        Ok(first.map(|position| AccessPlace { position, index: 0 }))
    }

    /// Returns the place `accesses` accesses before `from`, or the first one, and the number of accesses between.
    fn back(&mut self, from: &AccessPlace<'c>, accesses: u64) -> Result<(AccessPlace<'c>, u64), ReplayError> {
        let AccessPlace { mut position, mut index } = from.clone();
        let mut behind = 0;
        while index < accesses - behind {
            behind += index;
            self.work += 1;
            if !position.go(Direction::Backward)? {
                let first = self.first()?.unwrap_or_else(|| from.clone());
                return Ok((first, behind));
            }
            index = position.accesses();
        }
        Ok((AccessPlace { position, index: index - (accesses - behind) }, accesses))
    }

    /// Runs `accesses` accesses; returns the number left when the program ends.
    fn advance(&mut self, runner: &mut Runner<'c, C>, accesses: u64) -> Result<u64, ReplayError> {
        let line = self.memory.line_bytes() as i64;
        let Runner { place, class, now, visits } = runner;
        place.advance(accesses, &mut |iters, sites, iterations| {
            class.visits(sites, iterations, iters, line, &mut self.visits)?;
            let run = now.run;
            now.visits(sites, &self.visits);
            *visits += self.visits.len() as u64;
            self.work += 10 + now.run - run;
            Ok(())
        })
    }
}

impl<'c> AccessPlace<'c> {
    /// Advances by `accesses` accesses, and passes whole iterations of leaves to `part`, and parts of them at the ends; returns the
    /// number of accesses left when the program ends.
    fn advance(&mut self, mut accesses: u64, part: &mut impl PartVisitor) -> Result<u64, ReplayError> {
        while accesses > 0 {
            if self.index == self.position.accesses() {
                if !self.position.go(Direction::Forward)? {
                    break;
                }
                self.index = 0;
            }
            let end = self.position.accesses().min(self.index.saturating_add(accesses));
            accesses -= end - self.index;
            let start = std::mem::replace(&mut self.index, end);
            self.parts(start..end, part)?;
        }
        Ok(accesses)
    }

    /// Passes some accesses of a leaf to `part`.
    fn parts(&self, accesses: Range<u64>, part: &mut impl PartVisitor) -> Result<(), ReplayError> {
        let (sites, iters) = (self.position.sites(), &self.position.iters);
        let length = sites.len() as u64;
        let (first, last) = (accesses.start.div_ceil(length), accesses.end / length);
        let (before, behind) = ((first * length - accesses.start) as usize, (accesses.end % length) as usize);
        if first > last {
            return part(iters, &sites[sites.len() - before..behind], last..first);
        }
        if before > 0 {
            part(iters, &sites[sites.len() - before..], first - 1..first)?;
        }
        if first < last {
            part(iters, sites, first..last)?;
        }
        if behind > 0 {
            part(iters, &sites[..behind], last..last + 1)?;
        }
        Ok(())
    }
}

/// Receives the values of iterators, some accesses of a leaf, and iterations.
trait PartVisitor: FnMut(&[i64], &[Placed], Range<u64>) -> Result<(), ReplayError> {}

impl<F: FnMut(&[i64], &[Placed], Range<u64>) -> Result<(), ReplayError>> PartVisitor for F {}
