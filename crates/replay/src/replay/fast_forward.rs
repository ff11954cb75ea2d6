//! Leaves out iterations that repeat others on other blocks.
//!
//! A loop is *rectangular* if nothing below it but addresses depends on its iterator, so that all its iterations make
//! the same accesses in the same order. Let every access to an array, all by the same distance, move on by a whole
//! number of lines in `p` iterations, and by the same number of sets for all arrays. If the state of the caches after
//! an iteration equals that of `p` iterations earlier, with every block moved on like its array and every set by that
//! number of sets, the next `p` iterations hit and miss as the last `p` did, and so on to the end of the loop: a cache
//! depends on a block only by its set and by its equality with others. These iterations need not be run;
//! docs/simulation.md has the proof.
//!
//! Comparisons cost time. The caches are compared only when as many accesses were run since the last comparison as
//! there are lines, and remembered at iterations that are twice as far apart each time (Brent's method for cycles). A
//! loop in which nothing repeated is skipped for twice as many entries as before.
//!
//! Source: Morelli and Reineke, "Warping Cache Simulation of Polyhedral Programs", PLDI 2022. There, accesses of
//! different distances may use one array if they never meet; here, loops with such arrays are run.

use num_integer::Integer as _;
use symloc_cache::Caches;

use crate::code::{Code, Op};
use crate::cursor::Placed;
use crate::memory::MemoryMap;
use crate::replay::row::Holding;

/// The distance of each array from one iteration of a loop to the next.
#[derive(Clone, Debug)]
pub(crate) struct Moves {
    /// By array of the program's table, in bytes; `None` where the loop does not touch it.
    bytes: Vec<Option<i64>>,
}

/// Returns the moves of the arrays in each loop, by slot; `None` if the loop is not rectangular, is a row, or accesses
/// one array at different distances.
pub(crate) fn moves(code: &Code<'_>, body: &[Op<Placed>]) -> Vec<Option<Moves>> {
    let mut by_slot = vec![None; code.program.iters.len()];
    collect(code, body, &mut by_slot);
    by_slot
}

fn collect(code: &Code<'_>, body: &[Op<Placed>], by_slot: &mut [Option<Moves>]) {
    for op in body {
        match op {
            Op::Access(_) | Op::Row(..) => {}
            Op::If(_, branches) => branches.iter().for_each(|body| collect(code, body, by_slot)),
            Op::Loop(head, inner) => {
                if code.rectangular[head.slot] {
                    let mut moves = Moves { bytes: vec![None; code.program.arrays.len()] };
                    let all = moves.add(inner, head.slot, head.step);
                    by_slot[head.slot] = all.map(|()| moves);
                }
                collect(code, inner, by_slot);
            }
        }
    }
}

impl Moves {
    /// Adds the accesses of a tree. `None` if two accesses of an array move differently.
    fn add(&mut self, body: &[Op<Placed>], slot: usize, step: i64) -> Option<()> {
        body.iter().try_for_each(|op| match op {
            Op::Access(site) => self.include(site, slot, step),
            Op::Row(_, sites) => sites.iter().try_for_each(|site| self.include(site, slot, step)),
            Op::Loop(_, body) => self.add(body, slot, step),
            Op::If(_, branches) => branches.iter().try_for_each(|body| self.add(body, slot, step)),
        })
    }

    fn include(&mut self, site: &Placed, slot: usize, step: i64) -> Option<()> {
        let bytes = site.address.slope(slot)?.checked_mul(step)?;
        (*self.bytes[site.array].get_or_insert(bytes) == bytes).then_some(())
    }

    /// Returns the number of iterations after which all arrays have moved by whole lines, and by equally many sets of
    /// each level.
    fn period(&self, line: u64, caches: &impl Caches) -> Option<Period> {
        let mut iterations = 1_u64;
        for bytes in self.bytes.iter().flatten() {
            iterations = iterations.lcm(&(line / line.gcd(&bytes.unsigned_abs())));
        }
        let lines = |bytes: &Option<i64>, times: u64| {
            let bytes = i128::from(bytes.unwrap_or(0)) * i128::from(times);
            i64::try_from(bytes / i128::from(line)).ok()
        };
        let once = self.bytes.iter().map(|bytes| lines(bytes, iterations)).collect::<Option<Vec<_>>>()?;
        let mut touched = once.iter().zip(&self.bytes).filter(|(_, bytes)| bytes.is_some()).map(|(lines, _)| *lines);
        let first = touched.next().unwrap_or(0);
        if !caches.translates() && (first != 0 || touched.clone().any(|lines| lines != 0)) {
            return None;
        }
        let mut times = 1_u64;
        for lines in touched {
            for sets in caches.sets() {
                times = times.lcm(&(sets / sets.gcd(&lines.checked_sub(first)?.unsigned_abs())));
            }
        }
        let shift = |lines: &i64| lines.checked_mul(i64::try_from(times).ok()?);
        let lines = once.iter().map(shift).collect::<Option<Vec<_>>>()?;
        Some(Period { iterations: iterations.checked_mul(times)?, rotation: shift(&first)?, lines })
    }
}

/// The movement of blocks in a number of iterations of a loop.
#[derive(Clone, Debug)]
struct Period {
    iterations: u64,
    /// By array, the number of lines that it moves on.
    lines: Vec<i64>,
    /// The number of lines, equal for all arrays that are touched up to multiples of the number of sets.
    rotation: i64,
}

impl Period {
    /// Returns the place of a block after `periods` periods.
    fn image(&self, memory: &MemoryMap, block: u64, periods: u64) -> u64 {
        let lines = memory.array_of(block).map_or(0, |array| self.lines[array]);
        block.wrapping_add_signed(lines.wrapping_mul(periods as i64))
    }
}

/// The state of a loop that is watched for repetitions while it is run on some caches.
#[derive(Clone, Debug)]
pub(crate) struct Watch<'r, C> {
    memory: &'r MemoryMap,
    period: Period,
    /// The remembered state of the caches, and the number of iterations before it.
    earlier: Option<(u64, Holding<'r, C>)>,
    /// The number of later periods with which it is compared.
    window: u64,
    /// The number of accesses run before the last comparison.
    looked_at: u64,
    /// The number of consecutive entries of the loop without a repetition.
    failures: u32,
    /// The number of entries for which the loop is not watched.
    rest: u32,
}

impl<'r, C: Caches> Watch<'r, C> {
    pub(crate) fn new(moves: &Moves, memory: &'r MemoryMap, caches: &C) -> Option<Self> {
        let period = moves.period(memory.line_bytes(), caches)?;
        Some(Self { memory, period, earlier: None, window: 1, looked_at: 0, failures: 0, rest: 0 })
    }

    /// Returns the number of the next iterations that need not be run, with `done` over and `left` to come. Leaves the
    /// caches as they are after these.
    pub(crate) fn leaves_out(&mut self, now: &mut Holding<'r, C>, done: u64, left: u64) -> u64 {
        if done == 0 {
            self.enter(now.run);
        }
        if self.rest > 0 || left < self.period.iterations || now.run.saturating_sub(self.looked_at) < now.caches.lines()
        {
            return 0;
        }
        if let Some((at, earlier)) = &self.earlier {
            let (periods, rest) = (done - at).div_rem(&self.period.iterations);
            if rest != 0 {
                return 0;
            }
            self.looked_at = now.run;
            let iterations = periods * self.period.iterations;
            if self.repeats(earlier, now, periods) {
                let times = left / iterations;
                let image = |block| self.period.image(self.memory, block, periods * times);
                now.repeat(earlier, times, self.rotation(periods * times), &image);
                self.earlier = None;
                self.failures = 0;
                // Fewer iterations are left than a repetition needs.
                self.looked_at = u64::MAX;
                return iterations * times;
            }
            if periods < self.window {
                return 0;
            }
            self.window *= 2;
        }
        self.looked_at = now.run;
        self.earlier = (left > self.period.iterations).then(|| (done, now.clone()));
        0
    }

    fn enter(&mut self, run: u64) {
        self.rest = match self.earlier.take() {
            Some(_) => {
                self.failures = (self.failures + 1).min(8);
                1 << self.failures
            }
            None => self.rest.saturating_sub(1),
        };
        (self.window, self.looked_at) = (1, run);
    }

    /// Returns true if the caches hold the blocks that they held `periods` periods before, with every block moved.
    fn repeats(&self, earlier: &Holding<'r, C>, now: &Holding<'r, C>, periods: u64) -> bool {
        let same = |before, after| {
            let arrays = [before, after].map(|block| self.memory.array_of(block));
            self.period.image(self.memory, before, periods) == after && arrays[0] == arrays[1]
        };
        now.caches.is_image(&earlier.caches, self.rotation(periods), &same)
    }

    fn rotation(&self, periods: u64) -> i64 {
        self.period.rotation.wrapping_mul(periods as i64)
    }
}
