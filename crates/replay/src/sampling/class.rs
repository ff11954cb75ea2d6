//! The accesses of a row to the blocks of one class.
//!
//! If the number of sets of every level is a multiple of g, then blocks that differ modulo g never meet in a set: caches fall into g
//! parts that know nothing of each other. A part has a g-th of the sets, and sees the blocks of one class, which it can be told
//! by their quotients.

use std::ops::Range;

use num_integer::Integer as _;

use crate::cursor::Placed;
use crate::error::{ReplayError, overflow};

/// The blocks that leave the rest `rest` when divided by `modulus`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    pub(crate) modulus: u64,
    pub(crate) rest: u64,
}

/// An access to a block of the class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Event {
    /// The iteration of the row.
    pub(crate) iteration: u64,
    /// The access, by its position in the row.
    pub(crate) site: usize,
    /// The block, divided by the modulus.
    pub(crate) block: u64,
}

impl Class {
    /// The accesses in some iterations of a row, in their order; the row's iterator has its first value.
    pub(crate) fn events(
        self,
        sites: &[Placed],
        iterations: Range<u64>,
        iters: &[i64],
        line: i64,
        events: &mut Vec<Event>,
    ) -> Result<(), ReplayError> {
        events.clear();
        for (site, placed) in sites.iter().enumerate() {
            let walk = Walk { first: placed.address(iters)?, bytes: placed.bytes(), line };
            let mut add = |iteration, block| events.push(Event { iteration, site, block: block / self.modulus });
            walk.visit(self, iterations.clone(), &mut add).ok_or_else(|| overflow("an address"))?;
        }
        events.sort_unstable();
        Ok(())
    }

    fn holds(self, block: u64) -> bool {
        block % self.modulus == self.rest
    }
}

/// An access of a row that stays in a line.
pub(crate) struct Stay {
    pub(crate) block: u64,
    pub(crate) iterations: Range<u64>,
}

impl Stay {
    /// The iterations around one of a row in which an access uses the same block.
    pub(crate) fn around(
        placed: &Placed,
        iteration: u64,
        count: u64,
        iters: &[i64],
        line: i64,
    ) -> Result<Self, ReplayError> {
        let walk = Walk { first: placed.address(iters)?, bytes: placed.bytes(), line };
        let found = || {
            let block = walk.block(iteration)?;
            let (start, end) = match walk.bytes {
                0 => (0, count),
                bytes if bytes > 0 => (walk.reaches(block)?, walk.reaches(block + 1)?),
                _ => (walk.reaches(block + 1)?, walk.reaches(block)?),
            };
            Some(Self { block, iterations: start..end.min(count) })
        };
        found().ok_or_else(|| overflow("an address"))
    }
}

/// An access that moves by equal distances.
struct Walk {
    first: i64,
    bytes: i64,
    line: i64,
}

impl Walk {
    fn block(&self, iteration: u64) -> Option<u64> {
        let address = self.bytes.checked_mul(i64::try_from(iteration).ok()?)?.checked_add(self.first)?;
        Some((address / self.line) as u64)
    }

    /// The iterations in which the block is of the class. None if an address leaves 64 bits.
    fn visit(&self, class: Class, iterations: Range<u64>, add: &mut impl FnMut(u64, u64)) -> Option<()> {
        if self.bytes == 0 {
            let block = self.block(0)?;
            if class.holds(block) {
                iterations.for_each(|iteration| add(iteration, block));
            }
        } else if self.bytes.abs() < self.line {
            self.lines(class, iterations, add)?;
        } else {
            let mut iteration = iterations.start;
            // Blocks at equal distances come back to a class after equally many.
            let period = match self.bytes % self.line {
                0 => Some(class.modulus / class.modulus.gcd(&(self.bytes / self.line).unsigned_abs())),
                _ => None,
            };
            while iteration < iterations.end && period.is_none_or(|period| iteration - iterations.start < period) {
                let block = self.block(iteration)?;
                if class.holds(block) {
                    let Some(period) = period else {
                        add(iteration, block);
                        iteration += 1;
                        continue;
                    };
                    let mut again = iteration;
                    while again < iterations.end {
                        add(again, self.block(again)?);
                        again += period;
                    }
                    return Some(());
                }
                iteration += 1;
            }
        }
        Some(())
    }

    /// Line by line, for distances of less than a line.
    fn lines(&self, class: Class, iterations: Range<u64>, add: &mut impl FnMut(u64, u64)) -> Option<()> {
        let modulus = class.modulus;
        let mut iteration = iterations.start;
        while iteration < iterations.end {
            let block = self.block(iteration)?;
            let rest = block % modulus;
            if rest == class.rest {
                let end = iterations.end.min(self.reaches(if self.bytes > 0 { block + 1 } else { block })?);
                (iteration..end).for_each(|iteration| add(iteration, block));
                iteration = end;
            } else {
                let target = match self.bytes > 0 {
                    true => block + (class.rest + modulus - rest) % modulus,
                    // Below block 0 there is none.
                    false => match block.checked_sub((rest + modulus - class.rest) % modulus) {
                        Some(target) => target + 1,
                        None => return Some(()),
                    },
                };
                iteration = self.reaches(target)?;
            }
        }
        Some(())
    }

    /// The first iteration at the start of a line or behind it, in the direction of the walk: going down, the first one below the line.
    fn reaches(&self, block: u64) -> Option<u64> {
        let start = i64::try_from(block).ok()?.checked_mul(self.line)?;
        match self.bytes > 0 {
            true => u64::try_from(num_integer::div_ceil(start - self.first, self.bytes).max(0)).ok(),
            false => u64::try_from((num_integer::div_floor(self.first - start, -self.bytes) + 1).max(0)).ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_meet_the_classes_of_their_blocks() {
        for bytes in [-200, -64, -24, -8, -5, 0, 3, 8, 40, 64, 72, 192, 640] {
            for (modulus, first) in [(1, 5000), (4, 9001), (6, 20000), (64, 100_000)] {
                let walk = Walk { first, bytes, line: 64 };
                let blocks: Vec<_> = (0..90_u64).map(|k| ((first + bytes * k as i64) / 64) as u64).collect();
                for rest in 0..modulus {
                    let mut found = Vec::new();
                    let class = Class { modulus, rest };
                    let end = if bytes < 0 { 20 } else { 90 };
                    walk.visit(class, 7..end, &mut |k, block| found.push((k, block))).unwrap();
                    let expected: Vec<_> =
                        (7..end).map(|k| (k, blocks[k as usize])).filter(|(_, b)| class.holds(*b)).collect();
                    assert_eq!(found, expected, "{bytes} {modulus} {rest}");
                }
            }
        }
    }
}
