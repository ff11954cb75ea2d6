//! A program run on caches.
//!
//! A row is taken line by line. All of its accesses step through memory by constant distances, so that for a number of iterations,
//! until the first of them reaches another line, every iteration uses the same blocks in the same order. If one such iteration hits the
//! first level with every access, and the policy *settles*, the next one hits, too, and leaves the cache as it is: it need not be run,
//! nor do those after it. This is so for LRU, FIFO, trees and random replacement: what hits change there is the order of use, or
//! bits that point away from what was used last, and both depend on the last uses alone, which are the same each time. An LRU cache
//! with as many ways as there are accesses holds all of them after the first iteration, whether these hit or not.
//!
//! Where some accesses move to another line with every iteration, as along a column, the others *stay* for a while. In an LRU cache with
//! as many ways as there are accesses, these hit. An iteration is *quiet* if those that move go to sets that hold no block of those that
//! stay: then the sets of the latter see the same hits as in the iteration before, which change nothing there, and only the accesses
//! that move are run. What is left out is caught up with when it matters, by one iteration of those that stay: before an iteration
//! that is not quiet, and at the end.

use rustc_hash::FxHashMap;
use symloc_cache::{
    Caches, Design, Fifo, GeometryError, Hierarchy, Lru, Qlru, Random, Replacement, Single, Traffic, TreePlru, Whole,
};

use crate::affine::Affine;
use crate::code::{Code, For, Iterations, Site, Visitor, run, try_map};
use crate::error::{ReplayError, overflow};
use crate::memory::Memory;

/// Which levels held what the accesses asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// By access of the program's text, how often each level held the block, and memory, which is last.
    pub by_access: Vec<Vec<u64>>,
    /// By access of the program's text, how often it was the first to fetch a block from memory.
    pub first_touches: Vec<u64>,
}

impl Held {
    /// How many accesses missed a level.
    pub fn misses(&self, level: usize) -> u64 {
        self.by_access.iter().map(|held| held[level + 1..].iter().sum::<u64>()).sum()
    }

    /// How many accesses there were.
    pub fn accesses(&self) -> u64 {
        self.by_access.iter().flatten().sum()
    }

    /// How many blocks were fetched from memory, each counted once.
    pub fn blocks(&self) -> u64 {
        self.first_touches.iter().sum()
    }
}

/// Runs a program on some caches, which do not influence each other.
///
/// # Errors
///
/// [`ReplayError::Overflow`] if an address leaves 64 bits.
pub fn replay(code: &Code<'_>, memory: &Memory, runs: &mut [Box<dyn Run>]) -> Result<(), ReplayError> {
    let body = try_map(&code.body, &mut |site, head| Placed::new(memory, site, head))?;
    let mut replayer = Replayer { runs, row: Vec::new(), line: memory.line_bytes() as i64 };
    run(code.program, &body, &mut replayer)
}

/// Caches of one kind, and what they have seen of a program so far.
pub trait Run {
    /// A single access.
    fn access(&mut self, access: usize, block: u64, write: bool);
    /// So many iterations of a row.
    fn row(&mut self, row: &[Cursor], line: i64, iterations: u64);
    /// What the caches held.
    fn held(&self) -> Held;
    /// What went in and out of them.
    fn traffic(&self) -> Vec<Traffic>;
}

/// Caches of some design, for a program with so many accesses in its text.
///
/// # Errors
///
/// [`GeometryError`] if a policy cannot keep the sets of its level.
pub fn caches(designs: &[Design], accesses: usize) -> Result<Box<dyn Run>, GeometryError> {
    if let [design] = designs
        && let Some(lines) = Whole::suits(design)
    {
        return Ok(Box::new(Seen::new(Whole::new(lines), accesses)));
    }
    Ok(match designs {
        [design] if Single::<Lru>::suits(design) => match design.replacement {
            Replacement::Lru => Box::new(Seen::new(Single::new(design, Lru)?, accesses)),
            Replacement::Fifo => Box::new(Seen::new(Single::new(design, Fifo)?, accesses)),
            Replacement::TreePlru => Box::new(Seen::new(Single::new(design, TreePlru)?, accesses)),
            Replacement::Qlru => Box::new(Seen::new(Single::new(design, Qlru)?, accesses)),
            Replacement::Random(seed) => Box::new(Seen::new(Single::new(design, Random { seed })?, accesses)),
        },
        _ => Box::new(Seen::new(Hierarchy::new(designs)?, accesses)),
    })
}

/// An access by its address.
#[derive(Clone, Debug)]
struct Placed {
    access: usize,
    write: bool,
    address: Affine,
    stride: Stride,
}

/// How far an access moves from one iteration of its row to the next.
#[derive(Clone, Copy, Debug)]
struct Stride {
    bytes: i64,
    /// The same as whole lines and a positive rest.
    lines: i64,
    rest: i64,
    /// How many iterations there are in a line, from its start.
    per_line: u64,
}

/// Where an access is in its row.
#[derive(Clone, Copy, Debug)]
pub struct Cursor {
    access: usize,
    write: bool,
    stride: Stride,
    block: u64,
    /// From the start of the line, in bytes.
    offset: i64,
    /// In how many iterations it reaches another line.
    left: u64,
    /// How often it hit the first level without being run.
    skipped: u64,
}

impl Placed {
    fn new(memory: &Memory, site: &Site, head: Option<&For>) -> Result<Self, ReplayError> {
        let address = memory.address(site)?;
        let bytes = match head {
            Some(head) => address.slope(head.slot).and_then(|slope| slope.checked_mul(head.step)),
            None => Some(0),
        };
        let bytes = bytes.ok_or_else(|| overflow("a distance between addresses"))?;
        let line = memory.line_bytes() as i64;
        let stride = Stride {
            bytes,
            lines: bytes.div_euclid(line),
            rest: bytes.rem_euclid(line),
            per_line: if bytes == 0 { u64::MAX } else { (line as u64 - 1) / bytes.unsigned_abs() + 1 },
        };
        Ok(Self { access: site.access, write: site.write, address, stride })
    }

    fn address(&self, iters: &[i64]) -> Result<i64, ReplayError> {
        self.address.at(iters).ok_or_else(|| overflow("an address"))
    }

    fn cursor(&self, iters: &[i64], line: i64) -> Result<Cursor, ReplayError> {
        let address = self.address(iters)?;
        let Self { access, write, stride, .. } = *self;
        let (block, offset) = ((address / line) as u64, address % line);
        let mut cursor = Cursor { access, write, stride, block, offset, left: 0, skipped: 0 };
        cursor.left = cursor.iterations_left(line);
        Ok(cursor)
    }
}

impl Cursor {
    /// Does it reach another line with every iteration?
    #[inline]
    fn moves(&self) -> bool {
        self.stride.per_line == 1
    }

    /// In how many iterations it reaches another line.
    #[inline]
    fn iterations_left(&self, line: i64) -> u64 {
        match self.stride.bytes {
            0 => u64::MAX,
            _ if self.moves() => 1,
            bytes if bytes > 0 && self.offset == 0 => self.stride.per_line,
            bytes if bytes > 0 => ((line - 1 - self.offset) / bytes) as u64 + 1,
            bytes => (self.offset / -bytes) as u64 + 1,
        }
    }

    /// One iteration further, however far that is.
    #[inline]
    fn step(&mut self, line: i64) {
        self.block = self.block.wrapping_add_signed(self.stride.lines);
        self.offset += self.stride.rest;
        if self.offset >= line {
            (self.block, self.offset) = (self.block + 1, self.offset - line);
        }
    }

    /// So many iterations further, at most to the next line.
    #[inline]
    fn advance(&mut self, iterations: u64, line: i64) {
        self.left -= iterations;
        if self.stride.bytes == 0 {
            return;
        }
        self.offset += self.stride.bytes * iterations as i64;
        if self.left == 0 {
            let next = self.offset.div_euclid(line);
            self.block = self.block.wrapping_add_signed(next);
            self.offset -= next * line;
            self.left = self.iterations_left(line);
        }
    }
}

struct Replayer<'t> {
    runs: &'t mut [Box<dyn Run>],
    row: Vec<Cursor>,
    line: i64,
}

impl Visitor<Placed> for Replayer<'_> {
    fn row(&mut self, sites: &[Placed], iterations: Iterations<'_>) -> Result<(), ReplayError> {
        let Iterations { count, iters, .. } = iterations;
        self.row.clear();
        for site in sites {
            self.row.push(site.cursor(iters, self.line)?);
        }
        self.runs.iter_mut().for_each(|run| run.row(&self.row, self.line, count));
        Ok(())
    }

    fn access(&mut self, site: &Placed, iters: &[i64]) -> Result<(), ReplayError> {
        let block = (site.address(iters)? / self.line) as u64;
        self.runs.iter_mut().for_each(|run| run.access(site.access, block, site.write));
        Ok(())
    }
}

/// Caches, and what they held.
struct Seen<C> {
    caches: C,
    /// By access and level.
    held: Vec<u64>,
    first_touches: Vec<u64>,
    fetched: Blocks,
    row: Vec<Cursor>,
}

impl<C: Caches> Seen<C> {
    fn new(caches: C, accesses: usize) -> Self {
        let held = vec![0; accesses * (caches.levels() + 1)];
        Self { caches, held, first_touches: vec![0; accesses], fetched: Blocks::default(), row: Vec::new() }
    }

    /// Runs an access; says whether the first level held the block.
    #[inline]
    fn run(&mut self, access: usize, block: u64, write: bool) -> bool {
        let levels = self.caches.levels();
        let level = self.caches.access(block, write);
        self.held[access * (levels + 1) + level] += 1;
        if level == levels && self.fetched.insert(block) {
            self.first_touches[access] += 1;
        }
        level == 0
    }

    /// Runs one iteration of a row; says whether the first level held everything.
    #[inline]
    fn iteration(&mut self, row: &[Cursor]) -> bool {
        let mut all = true;
        for cursor in row {
            all &= self.run(cursor.access, cursor.block, cursor.write);
        }
        all
    }

    /// So many iterations with the same blocks.
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

    /// So many iterations, the quiet ones of which are shortened. Leaves the accesses that move at the last of them.
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
                    self.run(cursor.access, cursor.block, cursor.write);
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

    /// The accesses that stay, for so many quiet iterations.
    fn catch_up(&mut self, row: &mut [Cursor], behind: u64) {
        let Some(left_out) = behind.checked_sub(1) else { return };
        for cursor in row.iter_mut().filter(|cursor| !cursor.moves()) {
            self.run(cursor.access, cursor.block, cursor.write);
            self.caches.skip(left_out);
            cursor.skipped += left_out;
        }
    }
}

impl<C: Caches> Run for Seen<C> {
    fn access(&mut self, access: usize, block: u64, write: bool) {
        self.run(access, block, write);
    }

    fn row(&mut self, row: &[Cursor], line: i64, mut iterations: u64) {
        let mut cursors = std::mem::take(&mut self.row);
        cursors.clear();
        cursors.extend_from_slice(row);
        let quiet = cursors.iter().any(Cursor::moves) && cursors.len() as u64 <= self.caches.keeps();
        while iterations > 0 {
            let staying = cursors.iter().filter(|cursor| !(quiet && cursor.moves()));
            let same = staying.fold(iterations, |least, cursor| least.min(cursor.left));
            match quiet {
                true => self.quietly(&mut cursors, same, line),
                false => self.iterations(&mut cursors, same),
            }
            iterations -= same;
            for cursor in &mut cursors {
                match cursor.moves() {
                    true => cursor.step(line),
                    false => cursor.advance(same, line),
                }
            }
        }
        let levels = self.caches.levels();
        cursors.iter().for_each(|cursor| self.held[cursor.access * (levels + 1)] += cursor.skipped);
        self.row = cursors;
    }

    fn held(&self) -> Held {
        let by_access = self.held.chunks(self.caches.levels() + 1).map(<[u64]>::to_vec).collect();
        Held { by_access, first_touches: self.first_touches.clone() }
    }

    fn traffic(&self) -> Vec<Traffic> {
        self.caches.traffic()
    }
}

/// A set of blocks, in pages of 4096.
#[derive(Default)]
struct Blocks(FxHashMap<u64, Box<[u64; 64]>>);

impl Blocks {
    /// Adds one; says whether it is new.
    fn insert(&mut self, block: u64) -> bool {
        let page = self.0.entry(block >> 12).or_insert_with(|| Box::new([0; 64]));
        let (word, bit) = (&mut page[(block >> 6 & 63) as usize], 1 << (block & 63));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}
