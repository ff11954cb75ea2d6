//! Runs rows on caches, line by line.
//!
//! All accesses of a row step through memory by constant distances, so that for a number of iterations, until the first of them
//! reaches another line, every iteration uses the same blocks in the same order. If one such iteration hits the first level with
//! every access, and the policy *settles*, the next one hits, too, and leaves the cache as it is: neither it nor those after it
//! need be run. This holds for LRU, FIFO, trees and random replacement: hits there change the order of use, or bits that point
//! away from the block used last, and both depend on the last uses alone, which are the same each time. An LRU cache with as many
//! ways as there are accesses holds all of them after the first iteration, whether these hit or not.
//!
//! Where some accesses move to another line with every iteration, as along a column, the others *stay* for a while. In an LRU
//! cache with as many ways as there are accesses, these hit. An iteration is *quiet* if the moving accesses go to sets that hold
//! no block of the staying ones: the sets of the latter then see the same hits as in the iteration before, which change nothing
//! there, and only the moving accesses are run. The staying accesses are caught up on when it matters, by one iteration of them:
//! before an iteration that is not quiet, and at the end.

use symloc_cache::{Caches, LineState, Request};

use crate::cursor::{Cursor, Placed};
use crate::memory::MemoryMap;
use crate::replay::class::{Class, Visit};
use crate::replay::replay_result::Held;

/// Caches, or a part of them, with counts of the levels that held blocks.
#[derive(Clone, Debug)]
pub(crate) struct Holding<'r, C> {
    memory: &'r MemoryMap,
    /// The blocks that are run on these caches, which identify them by their quotients.
    class: Class,
    pub(crate) caches: C,
    /// The number of accesses whose block was held, by access and level.
    pub(crate) held: Vec<u64>,
    /// The number of written blocks that were evicted, by array and level.
    pub(crate) written: Vec<u64>,
    /// The number of evicted blocks that were perhaps written before the accesses that were run, by array and level.
    pub(crate) perhaps: Vec<u64>,
    /// The number of accesses that were run, and not only counted.
    pub(crate) run: u64,
}

impl<'r, C: Caches> Holding<'r, C> {
    pub(crate) fn new(caches: C, accesses: usize, memory: &'r MemoryMap, class: Class) -> Self {
        let held = vec![0; accesses * (caches.levels() + 1)];
        let written = vec![0; memory.arrays() * caches.levels()];
        Self { memory, class, caches, held, perhaps: written.clone(), written, run: 0 }
    }

    /// Returns the final counts.
    pub(crate) fn into_held(self) -> Held {
        let levels = self.caches.levels();
        let by_access = self.held.chunks(levels + 1).map(<[u64]>::to_vec).collect();
        let write_backs = self.written.chunks(levels).map(<[u64]>::to_vec).collect();
        Held { by_access, write_backs, traffic: self.caches.traffic(), run: self.run }
    }

    /// Runs an access; returns the level that held the block.
    #[inline]
    pub(crate) fn access(&mut self, access: usize, block: u64, request: Request) -> usize {
        let Self { memory, class, caches, written, perhaps, .. } = self;
        let levels = caches.levels();
        let mut gone = |level, block, state| {
            let counts = if state == LineState::Dirty { &mut *written } else { &mut *perhaps };
            // A prefetched block may belong to no array.
            if let Some(array) = memory.array_of(class.block(block)) {
                counts[array * levels + level] += 1;
            }
        };
        let level = caches.access(block, request, &mut gone);
        self.held[access * (levels + 1) + level] += 1;
        self.run += 1;
        level
    }

    /// Makes clean lines of arrays that the program writes perhaps dirty.
    pub(crate) fn doubt(&mut self, is_written: &[bool]) {
        let Self { memory, class, caches, .. } = self;
        caches.doubt(&|block| memory.array_of(class.block(block)).is_some_and(|array| is_written[array]));
    }

    /// Repeats `times` times all that has happened since `earlier`, then moves blocks and sets by `image` and
    /// `rotation`.
    pub(crate) fn repeat(&mut self, earlier: &Self, times: u64, rotation: i64, image: &impl Fn(u64) -> u64) {
        let counts = self.held.iter_mut().chain(&mut self.written);
        for (now, before) in counts.zip(earlier.held.iter().chain(&earlier.written)) {
            *now += times * (*now - before);
        }
        self.caches.repeat(&earlier.caches, times);
        self.caches.translate(rotation, image);
    }

    /// Runs `iterations` iterations of a row; leaves the cursors after the last of them.
    pub(crate) fn row(&mut self, row: &mut [Cursor], line: i64, mut iterations: u64) {
        let quiet = row.iter().any(Cursor::moves) && row.len() as u64 <= self.caches.keeps();
        while iterations > 0 {
            let staying = row.iter().filter(|cursor| !(quiet && cursor.moves()));
            let same = staying.fold(iterations, |least, cursor| least.min(cursor.left));
            match quiet {
                true => self.quietly(row, same, line),
                false => self.iterations(row, same),
            }
            iterations -= same;
            for cursor in row.iter_mut() {
                match cursor.moves() {
                    true => cursor.step(line),
                    false => cursor.advance(same, line),
                }
            }
        }
        row.iter().for_each(|cursor| self.count(cursor));
    }

    /// Runs visits of a row, which are ordered by their starts.
    pub(crate) fn visits(&mut self, sites: &[Placed], mut visits: &[Visit]) {
        let (mut now, mut row, mut ends) = (0, Vec::new(), Vec::new());
        while !(visits.is_empty() && row.is_empty()) {
            if row.is_empty() {
                now = visits[0].start;
            }
            while let [visit, later @ ..] = visits
                && visit.start == now
            {
                let at = ends.partition_point(|(site, _)| *site < visit.site);
                row.insert(at, Cursor::staying(&sites[visit.site], visit.block));
                ends.insert(at, (visit.site, visit.end));
                visits = later;
            }
            let end = ends.iter().map(|(_, end)| *end).chain(visits.first().map(|visit| visit.start)).min();
            let end = end.unwrap_or(now);
            self.iterations(&mut row, end - now);
            now = end;
            for at in (0..row.len()).rev() {
                if ends[at].1 == now {
                    self.count(&row.remove(at));
                    ends.remove(at);
                }
            }
        }
    }

    /// Counts the accesses that hit the first level without being run.
    fn count(&mut self, cursor: &Cursor) {
        self.held[cursor.access * (self.caches.levels() + 1)] += cursor.skipped;
    }

    /// Runs one iteration of a row; returns whether the first level held all blocks.
    #[inline]
    fn iteration(&mut self, row: &[Cursor]) -> bool {
        let mut all = true;
        for cursor in row {
            all &= self.access(cursor.access, cursor.block, cursor.request) == 0;
        }
        all
    }

    /// Runs `count` iterations with the same blocks.
    #[inline]
    fn iterations(&mut self, row: &mut [Cursor], mut count: u64) {
        while count > 0 {
            let hit = self.iteration(row);
            count -= 1;
            if count > 0 && (hit && self.caches.settles() || row.len() as u64 <= self.caches.keeps()) {
                row.iter_mut().for_each(|cursor| cursor.skipped += count);
                self.caches.skip(count * row.len() as u64);
                return;
            }
        }
    }

    /// Runs `count` iterations, shortening the quiet ones. Leaves the moving accesses at the last of them.
    fn quietly(&mut self, row: &mut [Cursor], count: u64, line: i64) {
        self.iteration(row);
        let bit = |caches: &C, cursor: &Cursor| 1_u64 << (caches.set(cursor.block) % 64);
        let staying = row.iter().filter(|cursor| !cursor.moves()).fold(0, |bits, c| bits | bit(&self.caches, c));
        let mut behind = 0;
        for _ in 1..count {
            let mut moving = 0;
            for cursor in row.iter_mut().filter(|cursor| cursor.moves()) {
                cursor.step(line);
                moving |= bit(&self.caches, cursor);
            }
            if moving & staying == 0 {
                for cursor in row.iter().filter(|cursor| cursor.moves()) {
                    self.access(cursor.access, cursor.block, cursor.request);
                }
                behind += 1;
            } else {
                self.catch_up(row, behind);
                behind = 0;
                self.iteration(row);
            }
        }
        self.catch_up(row, behind);
    }

    /// Runs the staying accesses once, for `behind` quiet iterations.
    fn catch_up(&mut self, row: &mut [Cursor], behind: u64) {
        let Some(left_out) = behind.checked_sub(1) else { return };
        for cursor in row.iter_mut().filter(|cursor| !cursor.moves()) {
            self.access(cursor.access, cursor.block, cursor.request);
            self.caches.skip(left_out);
            cursor.skipped += left_out;
        }
    }
}
