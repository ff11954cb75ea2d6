//! Runs a stretch on caches that have been warmed up by the accesses before it.
//!
//! Of the accesses in a stretch those to one class are run on a part of the caches. The state of the part at the beginning is
//! found by running accesses before it on caches of unknown lines: a *history*. It is long enough if no unknown line makes room in
//! its last part or in the stretch. In an LRU cache a set without unknown lines holds the lines that were used last, as in the
//! whole run, whatever came before; the last part is for state that is forgotten more slowly: other policies, and second levels.
//! A history that is too short is doubled; one that begins where the program begins is always long enough.
//!
//! Lines that come in during the first part may have been there before, and may have been written then: they are perhaps dirty,
//! until they are written. If such a line leaves in the stretch, the history of this stretch is doubled until it is known.
//!
//! A stretch that reaches the end of the program continues at its beginning, with empty caches: so every access is in equally
//! many.

use std::ops::Range;

use symloc_affine::{AccessKind, Program};
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
    /// A part of the caches, empty, of any class.
    pub(super) caches: C,
    /// The ratio of the length of a history to the part of it in which unknown lines may make room.
    pub(super) patience: u64,
    /// True if histories are lengthened until it is known which evicted blocks were written.
    pub(super) decides: bool,
    /// True for arrays that the program writes.
    pub(super) is_written: Vec<bool>,
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
    /// Evicted blocks that were perhaps written, by array and level.
    pub(super) perhaps: Vec<u64>,
    /// By level.
    pub(super) traffic: Vec<Traffic>,
    /// The number of misses that may be hits, as unknown lines made room for the blocks.
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

    /// Runs a stretch, with a history of `history` accesses, or a longer one if that is needed and costs at most `limit`; so much
    /// again may be spent to find out what was written. The seed chooses the states of policies at the beginning.
    pub(super) fn run(
        &mut self,
        stretch: &Stretch<'c>,
        class: Class,
        history: &mut u64,
        limit: u64,
        seed: u64,
    ) -> Result<Seen, ReplayError> {
        let seen = loop {
            let before = self.work;
            let (runner, settled) = self.warm(&stretch.start, class, *history, seed)?;
            let spent = self.work - before > limit;
            if settled || spent {
                let seen = self.watch(runner, stretch.accesses)?;
                if seen.undecided == 0 || spent {
                    break seen;
                }
            }
            *history *= 2;
        };
        if self.decides { self.decide(seen, stretch, class, *history, limit, seed) } else { Ok(seen) }
    }

    /// Runs a stretch with longer histories until it is known of every evicted block whether it was written, or `limit` is spent.
    fn decide(
        &mut self,
        mut seen: Seen,
        stretch: &Stretch<'c>,
        class: Class,
        mut history: u64,
        limit: u64,
        seed: u64,
    ) -> Result<Seen, ReplayError> {
        let before = self.work;
        while seen.perhaps.iter().any(|count| *count > 0) && self.work - before <= limit {
            history *= 2;
            let (runner, _) = self.warm(&stretch.start, class, history, seed)?;
            seen = self.watch(runner, stretch.accesses)?;
        }
        Ok(seen)
    }

    /// Returns caches at a place after a history of `history` accesses, and whether no unknown line made room in its last part.
    fn warm(
        &mut self,
        start: &AccessPlace<'c>,
        class: Class,
        history: u64,
        seed: u64,
    ) -> Result<(Runner<'c, C>, bool), ReplayError> {
        let (place, behind) = self.back(start, history)?;
        let now = Holding::new(self.empty(class), self.program.accesses.len(), self.memory, class);
        let mut runner = Runner { place, class, now, visits: 0 };
        if behind < history {
            self.advance(&mut runner, behind)?;
            return Ok((runner, true));
        }
        runner.now.caches.forget(seed);
        self.advance(&mut runner, behind / self.patience)?;
        let unknown = runner.now.caches.unknown();
        runner.now.doubt(&self.is_written);
        self.advance(&mut runner, behind - behind / self.patience)?;
        let settled = runner.now.caches.unknown() == unknown;
        if !settled {
            runner.now.doubt(&self.is_written);
        }
        Ok((runner, settled))
    }

    /// Returns the part of the caches that a class has, empty.
    fn empty(&self, class: Class) -> C {
        let mut caches = self.caches.clone();
        caches.place(class.modulus, class.rest);
        caches
    }

    /// Runs a stretch on caches that are warmed up.
    fn watch(&mut self, mut runner: Runner<'c, C>, accesses: u64) -> Result<Seen, ReplayError> {
        runner.now.held.fill(0);
        runner.now.written.fill(0);
        runner.now.perhaps.fill(0);
        runner.visits = 0;
        let mut traffic = vec![Traffic::default(); runner.now.caches.levels()];
        let unknown = runner.now.caches.unknown();
        let mut left = self.look(&mut runner, accesses, &mut traffic)?;
        let undecided = unknown - runner.now.caches.unknown();
        while let (1.., Some(first)) = (left, self.first()?) {
            runner.place = first;
            runner.now.caches = self.empty(runner.class);
            left = self.look(&mut runner, left, &mut traffic)?;
        }
        let Runner { now: Holding { held, written, perhaps, .. }, visits, .. } = runner;
        Ok(Seen { held, written, perhaps, traffic, undecided, visits })
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

/// Returns, for each array, true if the program writes it.
pub(super) fn written_arrays(program: &Program) -> Vec<bool> {
    let mut is_written = vec![false; program.arrays.len()];
    for access in program.accesses.iter().filter(|access| access.kind == AccessKind::Write) {
        is_written[access.array.index()] = true;
    }
    is_written
}

/// Receives the values of iterators, some accesses of a leaf, and iterations.
trait PartVisitor: FnMut(&[i64], &[Placed], Range<u64>) -> Result<(), ReplayError> {}

impl<F: FnMut(&[i64], &[Placed], Range<u64>) -> Result<(), ReplayError>> PartVisitor for F {}
