//! Finds the visits of a row to the blocks of one class.
//!
//! If the number of sets of every level is a multiple of g, then blocks that differ modulo g never share a set: caches split into
//! g independent parts. A part has a g-th of the sets, and sees the blocks of one class, which it identifies by their quotients.

use std::ops::Range;

use num_integer::{ExtendedGcd, Integer as _};

use crate::cursor::Placed;
use crate::error::{ReplayError, overflow};

/// The blocks with the remainder `rest` modulo `modulus`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    pub(crate) modulus: u64,
    pub(crate) rest: u64,
}

/// Accesses of a row to the same block of the class, one in each of some iterations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Visit {
    /// The first iteration of the row.
    pub(crate) start: u64,
    /// The access, by its position in the row.
    pub(crate) site: usize,
    /// The iteration after the last.
    pub(crate) end: u64,
    /// The block, divided by the modulus.
    pub(crate) block: u64,
}

impl Class {
    /// The class of all blocks.
    pub(crate) const ALL: Self = Self { modulus: 1, rest: 0 };

    /// Returns the block of a quotient.
    pub(crate) fn block(self, quotient: u64) -> u64 {
        quotient * self.modulus + self.rest
    }

    /// Finds the visits in some iterations of a row, sorted by their starts; the row's iterator has its first value.
    pub(crate) fn visits(
        self,
        sites: &[Placed],
        iterations: Range<u64>,
        iters: &[i64],
        line: i64,
        visits: &mut Vec<Visit>,
    ) -> Result<(), ReplayError> {
        visits.clear();
        for (site, placed) in sites.iter().enumerate() {
            let mut add = |start, end, block| visits.push(Visit { start, site, end, block: block / self.modulus });
            StridedWalk::of(placed, iters, line)?.visit(self, iterations.clone(), &mut add).ok_or_else(far)?;
        }
        visits.sort_unstable();
        Ok(())
    }

    /// Returns the number of steps of `lines` lines after which a walk from a block reaches the class, and the period of reaching
    /// it again; `None` if it never does.
    fn meets(self, block: u64, lines: i64) -> Option<(u64, u64)> {
        let modulus = self.modulus as i64;
        let distance = (self.rest as i64 - (block % self.modulus) as i64).rem_euclid(modulus);
        let ExtendedGcd { gcd, x, .. } = lines.rem_euclid(modulus).extended_gcd(&modulus);
        if distance % gcd != 0 {
            return None;
        }
        let again = modulus / gcd;
        let first = i128::from(distance / gcd) * i128::from(x);
        Some((first.rem_euclid(i128::from(again)) as u64, again as u64))
    }

    fn holds(self, block: u64) -> bool {
        block % self.modulus == self.rest
    }
}

/// An access that moves by equal distances.
pub(crate) struct StridedWalk {
    first: i64,
    bytes: i64,
    line: i64,
}

fn far() -> ReplayError {
    overflow("an address")
}

impl StridedWalk {
    /// Creates the walk of an access of a row; the row's iterator has its first value.
    pub(crate) fn of(placed: &Placed, iters: &[i64], line: i64) -> Result<Self, ReplayError> {
        Ok(Self { first: placed.address(iters)?, bytes: placed.bytes(), line })
    }

    /// Returns the number of its visits in some iterations, to blocks of any class.
    pub(crate) fn visits(&self, iterations: &Range<u64>) -> Result<u64, ReplayError> {
        self.blocks(iterations).ok_or_else(far)
    }

    /// Returns the block of one of these visits.
    pub(crate) fn visited(&self, iterations: &Range<u64>, visit: u64) -> Result<u64, ReplayError> {
        self.nth(iterations, visit).ok_or_else(far)
    }

    fn block(&self, iteration: u64) -> Option<u64> {
        let address = self.bytes.checked_mul(i64::try_from(iteration).ok()?)?.checked_add(self.first)?;
        Some((address / self.line) as u64)
    }

    /// Returns the number of successive blocks in some iterations.
    fn blocks(&self, iterations: &Range<u64>) -> Option<u64> {
        match iterations.end.checked_sub(iterations.start) {
            None | Some(0) => Some(0),
            Some(count) if self.bytes.abs() >= self.line => Some(count),
            Some(_) => Some(self.block(iterations.end - 1)?.abs_diff(self.block(iterations.start)?) + 1),
        }
    }

    /// Returns the `visit`-th of these blocks.
    fn nth(&self, iterations: &Range<u64>, visit: u64) -> Option<u64> {
        if self.bytes.abs() >= self.line {
            return self.block(iterations.start + visit);
        }
        let first = self.block(iterations.start)?;
        if self.bytes < 0 { first.checked_sub(visit) } else { first.checked_add(visit) }
    }

    /// Calls `add` for the iterations in which the block is of the class. `None` if an address leaves 64 bits.
    fn visit(&self, class: Class, iterations: Range<u64>, add: &mut impl FnMut(u64, u64, u64)) -> Option<()> {
        if self.bytes == 0 {
            let block = self.block(0)?;
            if class.holds(block) {
                add(iterations.start, iterations.end, block);
            }
        } else if self.bytes.abs() < self.line {
            self.lines(class, iterations, add)?;
        } else {
            // The number of iterations after which it has moved by whole lines.
            let period = self.line / self.bytes.gcd(&self.line);
            let lines = self.bytes.checked_mul(period)? / self.line;
            let period = period as u64;
            for start in iterations.start..iterations.end.min(iterations.start.saturating_add(period)) {
                let Some((first, next)) = class.meets(self.block(start)?, lines) else { continue };
                let mut iteration = start.checked_add(first * period)?;
                while iteration < iterations.end {
                    add(iteration, iteration + 1, self.block(iteration)?);
                    iteration = iteration.checked_add(next * period)?;
                }
            }
        }
        Some(())
    }

    /// Finds the visits line by line, for distances of less than a line.
    fn lines(&self, class: Class, iterations: Range<u64>, add: &mut impl FnMut(u64, u64, u64)) -> Option<()> {
        let modulus = class.modulus;
        let mut iteration = iterations.start;
        while iteration < iterations.end {
            let block = self.block(iteration)?;
            let rest = block % modulus;
            if rest == class.rest {
                let end = iterations.end.min(self.reaches(if self.bytes > 0 { block + 1 } else { block })?);
                add(iteration, end, block);
                iteration = end;
            } else {
                let target = match self.bytes > 0 {
                    true => block + (class.rest + modulus - rest) % modulus,
                    // There are no blocks below block 0.
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

    /// Returns the first iteration at or after the start of a line, in the direction of the walk: going down, the first one below
    /// the line.
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
                let walk = StridedWalk { first, bytes, line: 64 };
                let blocks: Vec<_> = (0..90_u64).map(|k| ((first + bytes * k as i64) / 64) as u64).collect();
                for rest in 0..modulus {
                    let mut found = Vec::new();
                    let class = Class { modulus, rest };
                    let end = if bytes < 0 { 20 } else { 90 };
                    let mut add = |start, end, block| found.extend((start..end).map(|k| (k, block)));
                    walk.visit(class, 7..end, &mut add).unwrap();
                    found.sort_unstable();
                    let expected: Vec<_> =
                        (7..end).map(|k| (k, blocks[k as usize])).filter(|(_, b)| class.holds(*b)).collect();
                    assert_eq!(found, expected, "{bytes} {modulus} {rest}");
                }
                let iterations = 7..if bytes < 0 { 20 } else { 90 };
                let mut met: Vec<u64> = blocks[7..iterations.end as usize].to_vec();
                if bytes.abs() < 64 {
                    met.dedup();
                }
                let visits = walk.visits(&iterations).unwrap();
                let visited: Vec<u64> = (0..visits).map(|visit| walk.visited(&iterations, visit).unwrap()).collect();
                assert_eq!(visited, met, "{bytes}");
            }
        }
    }
}
