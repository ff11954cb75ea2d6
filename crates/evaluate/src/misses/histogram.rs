//! Miss counts from reuse intervals: Denning's working set, restored by first touches.
//!
//! The time-window miss ratio is m(x) = P(RI > x) and the working set s(x+1) = s(x) + m(x), s(0) = 0, so that N·s(x) = Σ min(RI,
//! x) over all accesses, imaginary intervals included (infinite repeat: the paper's section 4). A cache of C blocks corresponds
//! to the window x* = max {x : s(x) ≤ C}; it misses
//!
//! - every real reuse with RI > x*, and
//! - every first touch, whatever its imaginary interval.
//!
//! Since s(x) ≤ s(∞) = m, a cache of m blocks or more misses first touches only. Between two intervals that occur
//! N·s is linear with slope #{RI > x}, so a prefix sum over the histogram holds all of it and each cache takes one
//! binary search. Everything is an integer comparison: N·s(x) ≤ N·C.

use symloc_quasi::Int;

use crate::distribution::Distribution;

/// The misses of a fully associative cache of each size, at one size of the program.
#[derive(Clone, Debug)]
pub struct Denning {
    accesses: Int,
    first_touches: Int,
    /// One entry for the window 0, then one for each interval that occurs, ascending.
    windows: Vec<Window>,
}

/// The state at x = `interval`.
#[derive(Clone, Debug)]
struct Window {
    interval: Int,
    /// N·s(x).
    working_set: Int,
    /// The number of intervals above x, imaginary ones included: the slope of N·s from here to the next window.
    above: Int,
    /// The number of real intervals above x.
    real_above: Int,
}

/// The misses in one cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misses {
    /// First touches: they miss in every cache.
    pub cold: Int,
    /// Reuses that miss, because their interval or distance is too long.
    pub reuse: Int,
}

impl Misses {
    /// Returns the number of all misses.
    pub fn total(&self) -> Int {
        &self.cold + &self.reuse
    }
}

/// A step of the miss curve: the misses of all caches from `blocks` up to those of the next step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The smallest cache of this step, in blocks.
    pub blocks: Int,
    /// Its misses.
    pub misses: Misses,
}

impl Denning {
    /// Prepares the misses of all caches for one distribution.
    pub fn new(distribution: &Distribution) -> Self {
        let real: Int = distribution.real.iter().fold(Int::ZERO, |sum, bin| &sum + &bin.count);
        let start = Window {
            interval: Int::ZERO,
            working_set: Int::ZERO,
            above: distribution.accesses.clone(),
            real_above: real,
        };
        let mut windows = vec![start];
        let (mut real, mut imaginary) = (distribution.real.as_slice(), distribution.imaginary.as_slice());
        while let Some(next) = real.first().into_iter().chain(imaginary.first()).map(|bin| &bin.interval).min() {
            let take = |bins: &mut &[crate::Bin]| match bins.split_first() {
                Some((bin, rest)) if bin.interval == *next => {
                    *bins = rest;
                    bin.count.clone()
                }
                _ => Int::ZERO,
            };
            let (real_here, imaginary_here) = (take(&mut real), take(&mut imaginary));
            let last = &windows[windows.len() - 1];
            let grown = &(next - &last.interval) * &last.above;
            windows.push(Window {
                interval: next.clone(),
                working_set: &last.working_set + &grown,
                above: &last.above - &(&real_here + &imaginary_here),
                real_above: &last.real_above - &real_here,
            });
        }
        Self { accesses: distribution.accesses.clone(), first_touches: distribution.blocks.clone(), windows }
    }

    /// Returns the number of distinct blocks; also the number of first touches.
    pub fn blocks(&self) -> &Int {
        &self.first_touches
    }

    /// Returns the misses of a fully associative cache of `blocks` blocks.
    pub fn misses(&self, blocks: &Int) -> Misses {
        self.misses_after(self.last_window(blocks))
    }

    /// Returns x*, the largest window whose working set fits in `blocks` blocks; `None` if every window fits.
    pub fn window(&self, blocks: &Int) -> Option<Int> {
        let window = self.last_window(blocks);
        let room = &(&self.accesses * blocks) - &window.working_set;
        room.div_floor(&window.above).map(|more| &window.interval + &more)
    }

    /// Returns the miss curve, by ascending cache size, from the empty cache on; each step has fewer misses than the one before.
    pub fn curve(&self) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        for window in &self.windows {
            let blocks = window.working_set.div_ceil(&self.accesses).unwrap_or(Int::ZERO);
            let misses = self.misses_after(window);
            match steps.last_mut() {
                Some(last) if last.misses == misses => {}
                Some(last) if last.blocks == blocks => last.misses = misses,
                _ => steps.push(Step { blocks, misses }),
            }
        }
        steps
    }

    /// Returns the last interval whose working set fits.
    fn last_window(&self, blocks: &Int) -> &Window {
        let room = &self.accesses * blocks;
        let fitting = self.windows.partition_point(|window| window.working_set <= room);
        &self.windows[fitting.saturating_sub(1)]
    }

    fn misses_after(&self, window: &Window) -> Misses {
        Misses { cold: self.first_touches.clone(), reuse: window.real_above.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::Bin;

    type Pairs = Vec<(i64, i64)>;

    fn bins(pairs: &[(i64, i64)]) -> Vec<Bin> {
        pairs.iter().map(|&(interval, count)| Bin { interval: interval.into(), count: count.into() }).collect()
    }

    /// Returns the misses by the definition: the largest x with Σ min(RI, x) ≤ N·C, up to a window that holds everything.
    fn by_definition(real: &[(i64, i64)], imaginary: &[(i64, i64)], blocks: i64) -> i64 {
        let all = || real.iter().chain(imaginary);
        let accesses: i64 = all().map(|(_, count)| count).sum();
        let longest = all().map(|(interval, _)| *interval).max().unwrap();
        let fits = |x: i64| all().map(|(interval, count)| interval.min(&x) * count).sum::<i64>() <= accesses * blocks;
        let window = (0..=longest).rev().find(|x| fits(*x)).unwrap();
        real.iter().filter(|(interval, _)| *interval > window).map(|(_, count)| count).sum()
    }

    fn examples() -> Vec<(Pairs, Pairs)> {
        vec![
            // abcabc: three reuses at distance 3, three first touches that wrap round.
            (vec![(3, 3)], vec![(3, 3)]),
            // aab: N = 3, m = 2.
            (vec![(1, 1)], vec![(2, 1), (3, 1)]),
            (vec![(1, 40), (3, 17), (4, 9), (25, 8), (90, 5)], vec![(25, 1), (70, 2), (99, 3)]),
        ]
    }

    #[test]
    fn the_binary_search_agrees_with_the_definition() {
        for (real, imaginary) in examples() {
            let sum = |bins: &[(i64, i64)]| bins.iter().map(|(_, count)| *count).sum::<i64>();
            let distribution = Distribution {
                parameters: Vec::new(),
                line_bytes: Some(64),
                element: false,
                accesses: (sum(&real) + sum(&imaginary)).into(),
                blocks: sum(&imaginary).into(),
                real: bins(&real),
                imaginary: bins(&imaginary),
            };
            let denning = Denning::new(&distribution);
            let curve = denning.curve();
            for blocks in 0..40 {
                let misses = denning.misses(&blocks.into());
                assert_eq!(misses.reuse, by_definition(&real, &imaginary, blocks).into(), "{real:?} {blocks}");
                assert_eq!(misses.cold, distribution.blocks);
                let step = curve.iter().rev().find(|step| step.blocks <= blocks.into()).unwrap();
                assert_eq!(step.misses, misses, "{real:?} {blocks}");
            }
            assert_eq!(curve[0].blocks, Int::ZERO);
            assert_eq!(curve[0].misses.total(), distribution.accesses);
        }
    }

    #[test]
    fn a_cache_of_all_blocks_has_no_window() {
        let distribution = Distribution {
            parameters: Vec::new(),
            line_bytes: None,
            element: true,
            accesses: 3.into(),
            blocks: 2.into(),
            real: bins(&[(1, 1)]),
            imaginary: bins(&[(2, 1), (3, 1)]),
        };
        let denning = Denning::new(&distribution);
        assert_eq!(denning.window(&Int::from(0)), Some(Int::ZERO));
        assert_eq!(denning.window(&Int::from(1)), Some(Int::from(1)));
        assert_eq!(denning.window(&Int::from(2)), None);
        assert_eq!(denning.misses(&Int::from(2)).reuse, Int::ZERO);
    }
}
