//! The whole miss curve, from a histogram.
//!
//! A reuse at distance D hits in caches of at least D + 1 blocks, and one with the interval x in those in which the window x fits:
//! in ⌈s(x)⌉ blocks or more (see `working_set`). N·s is linear between two intervals that occur, with the slope #{RI > x}, so its
//! values there are prefix sums over the histogram.

use symloc_quasi::Int;

use super::curve::{MissCurve, Misses, Step};
use crate::distribution::{Bin, Distribution, number};
use crate::error::EvalError;

/// The misses of a fully associative cache of each size, with all steps known. It answers for a single cache faster than a
/// [`Prediction`](crate::Prediction) if there are very many steps.
#[derive(Clone, Debug)]
pub struct WholeCurve {
    blocks: Int,
    steps: Vec<Step>,
}

impl WholeCurve {
    /// Computes the steps for one distribution. `intervals` is that of Denning's model at the same size: its windows judge the
    /// reuses that have an interval.
    pub fn new(distribution: &Distribution, intervals: &Distribution) -> Self {
        let distances = distribution.distances.iter().map(|bin| (&bin.interval + &Int::from(1), &bin.count));
        let mut hits: Vec<(Int, &Int)> = distances.chain(fitting(&distribution.real, intervals)).collect();
        hits.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut reuse = &number(&distribution.distances) + &number(&distribution.real);
        let step = |blocks: Int, reuse: &Int| Step {
            blocks,
            misses: Misses { cold: distribution.blocks.clone(), reuse: reuse.clone() },
        };
        let mut steps = vec![step(Int::ZERO, &reuse)];
        for hits in hits.chunk_by(|(a, _), (b, _)| a == b) {
            reuse = hits.iter().fold(reuse, |reuse, (_, count)| &reuse - *count);
            steps.push(step(hits[0].0.clone(), &reuse));
        }
        Self { blocks: distribution.blocks.clone(), steps }
    }

    /// Returns the steps, by ascending cache size, from the empty cache on; each has fewer misses than the one before.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns the steps themselves.
    pub fn into_steps(self) -> Vec<Step> {
        self.steps
    }

    /// Returns the number of distinct blocks; also the number of first touches.
    pub fn blocks(&self) -> &Int {
        &self.blocks
    }

    /// Returns the misses of a fully associative cache of `blocks` blocks.
    pub fn misses(&self, blocks: &Int) -> &Misses {
        let next = self.steps.partition_point(|step| step.blocks <= *blocks);
        // There is always a step at 0 blocks.
        &self.steps[next.saturating_sub(1)].misses
    }
}

/// Returns the smallest cache in which the reuses of each bin hit, with their number; all bins are of `intervals`.
fn fitting<'b>(bins: &'b [Bin], intervals: &'b Distribution) -> impl Iterator<Item = (Int, &'b Int)> {
    let mut shorter: Vec<&Bin> = intervals.real.iter().chain(&intervals.imaginary).collect();
    shorter.sort();
    let mut shorter = shorter.into_iter().peekable();
    // N·s(x), and its slope from x on.
    let (mut x, mut working_set, mut slope) = (&Int::ZERO, Int::ZERO, intervals.accesses.clone());
    bins.iter().map(move |bin| {
        while let Some(Bin { interval, count }) = shorter.next_if(|other| other.interval < bin.interval) {
            working_set += &(&(interval - x) * &slope);
            slope = &slope - count;
            x = interval;
        }
        let there = &working_set + &(&(&bin.interval - x) * &slope);
        (there.div_ceil(&intervals.accesses).unwrap_or(Int::ZERO), &bin.count)
    })
}

impl MissCurve for WholeCurve {
    fn misses(&self, blocks: &Int) -> Result<Misses, EvalError> {
        Ok(self.misses(blocks).clone())
    }

    fn blocks(&self) -> &Int {
        self.blocks()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Instance, MissModel};

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
    fn it_agrees_with_the_definition() {
        for (real, imaginary) in examples() {
            let sum = |bins: &[(i64, i64)]| bins.iter().map(|(_, count)| *count).sum::<i64>();
            let distribution = Distribution {
                miss_model: MissModel::Denning,
                place: Instance { parameters: Vec::new(), line_bytes: Some(64), element: false },
                accesses: (sum(&real) + sum(&imaginary)).into(),
                blocks: sum(&imaginary).into(),
                distances: Vec::new(),
                real: bins(&real),
                imaginary: bins(&imaginary),
            };
            let curve = WholeCurve::new(&distribution, &distribution);
            for blocks in 0..40 {
                let misses = curve.misses(&blocks.into());
                assert_eq!(misses.reuse, by_definition(&real, &imaginary, blocks).into(), "{real:?} {blocks}");
                assert_eq!(misses.cold, distribution.blocks);
            }
            assert_eq!(curve.steps()[0].blocks, Int::ZERO);
            assert_eq!(curve.steps()[0].misses.total(), distribution.accesses);
            assert!(curve.steps().is_sorted_by(|a, b| a.blocks < b.blocks && a.misses.reuse > b.misses.reuse));
        }
    }
}
