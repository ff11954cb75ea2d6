//! Caches that all threads share: their misses depend on the order in which threads run, so several are tried.

use symloc_cache::Design;
use symloc_evaluate::Int;
use symloc_replay::Interleave;
use symloc_report::answers::misses::CacheMisses;

use super::run::{SharedThreading, Simulation, levels};
use crate::error::CliError;

/// The number of random orders; at least two.
const RANDOM: u64 = 5;
/// The number of all orders that are run.
pub(crate) const ORDERS: u64 = RANDOM + 2;
/// The 97.5 % quantile of Student's distribution with `RANDOM` − 1 degrees of freedom.
const QUANTILE: f64 = 2.776;

/// Returns the misses of each level on threads, in the one of several random orders whose last level misses neither most
/// nor fewest. Levels that all threads share have an interval that holds those of lockstep, of one thread after the other,
/// and of a further random order 95 times in 100.
///
/// # Errors
///
/// Those of [`levels`].
pub(crate) fn in_several_orders(
    run: &Simulation<'_>,
    designs: &[Design],
    threads: SharedThreading,
) -> Result<Vec<CacheMisses>, CliError> {
    let in_order = |order| levels(run, designs, &threads.in_order(order));
    let fixed = [Interleave::Lockstep, Interleave::After].map(in_order);
    let fixed = fixed.into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut random = (1..=RANDOM).map(|seed| in_order(Interleave::Random(seed))).collect::<Result<Vec<_>, _>>()?;
    let total = |run: &Vec<CacheMisses>, level: usize| run[level].misses.total();
    random.sort_by_key(|run| run.last().map(|level| level.misses.total()));
    let mut middle = random[random.len() / 2].clone();
    for (index, level) in middle.iter_mut().enumerate() {
        let Some(of_threads) = level.threads.as_mut().filter(|threads| threads.shared) else { continue };
        let drawn: Vec<Int> = random.iter().map(|run| total(run, index)).collect();
        let [low, high] = next(&drawn);
        let others = || drawn.iter().cloned().chain(fixed.iter().map(|run| total(run, index)));
        // Every block misses once.
        let low = others().chain([low.max(level.misses.cold.clone())]).min();
        of_threads.orders = low.zip(others().chain([high]).max());
    }
    Ok(middle)
}

/// Returns the interval in which one more number lies 95 times in 100, if it is drawn as the others were and these are
/// distributed normally.
fn next(drawn: &[Int]) -> [Int; 2] {
    let count = drawn.len() as f64;
    let values: Vec<f64> = drawn.iter().map(Int::to_f64).collect();
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let half = QUANTILE * (variance * (1.0 + 1.0 / count)).sqrt();
    // The largest number of misses is a number of accesses, of 64 bits.
    [(mean - half).floor().max(0.0), (mean + half).ceil()].map(|end| Int::from(end as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(drawn: [u64; 5]) -> [Int; 2] {
        next(&drawn.map(Int::from))
    }

    #[test]
    fn the_next_number_lies_about_the_others() {
        assert_eq!(interval([7; 5]), [7, 7].map(Int::from));
        // The mean is 20, the standard deviation 1.58, and 2.776 · 1.58 · √1.2 is 4.8.
        assert_eq!(interval([18, 19, 20, 21, 22]), [15, 25].map(Int::from));
        assert_eq!(interval([0, 0, 0, 0, 10])[0], Int::ZERO);
    }
}
