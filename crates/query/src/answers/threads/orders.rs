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
pub fn in_several_orders(
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
    use symloc_affine::builder::ProgramBuilder;
    use symloc_affine::{Expr, Line, Program, Schedule};
    use symloc_machine::NamedCache;
    use symloc_replay::{Code, MemoryLayout, MemoryMap, Survey, Threading};

    use super::*;
    use crate::options::cache_design::CacheDesign;

    /// A product of matrices of 40 rows; rows of the first one, or columns of the second, in parallel.
    fn product(parallel: usize) -> Program {
        let mut b = ProgramBuilder::new("product");
        let [x, y, z] = ["x", "y", "z"].map(|name| b.fixed_array(name, 8, &[40, 40]));
        b.for_("i", 0, 40, |b, i| {
            b.for_("j", 0, 40, |b, j| {
                b.for_("k", 0, 40, |b, k| {
                    b.read(x, [i, k]);
                    b.read(y, [k, j]);
                    b.write(z, [i, j]);
                });
            });
        });
        let mut program = b.build();
        program.iters[parallel].parallel = Some(Schedule::Blocks.into());
        program
    }

    /// Steps that read three neighbours and write one element.
    fn stencil() -> Program {
        let mut b = ProgramBuilder::new("stencil");
        let [x, y] = ["x", "y"].map(|name| b.fixed_array(name, 8, &[3000]));
        b.for_("t", 0, 10, |b, _| {
            for (name, from, to) in [("i", x, y), ("j", y, x)] {
                b.for_(name, 1, 2999, |b, i| {
                    for distance in [-1, 0, 1] {
                        b.read(from, [Expr::iter(i).plus_constant(distance).unwrap()]);
                    }
                    b.write(to, [i]);
                });
            }
        });
        let mut program = b.build();
        program.iters[1].parallel = Some(Schedule::Blocks.into());
        program.iters[2].parallel = Some(Schedule::Chunks(16).into());
        program
    }

    /// Random orders other than those that the interval is made of.
    #[test]
    fn the_interval_holds_other_orders() {
        let (mut held, mut error, mut orders) = (0, 0.0, 0);
        for program in [product(0), product(1), stencil()] {
            let code = Code::new(&program, &[]).unwrap();
            let survey = Survey::of(&code).unwrap();
            let memory = MemoryMap::new(&program, &survey, MemoryLayout::Linear, &[], Line::Bytes(64)).unwrap();
            let cache = |size: &str| NamedCache { name: None, cache: size.parse().unwrap() };
            let caches = ["1KiB", "8KiB,8"].map(|size| CacheDesign::new(&cache(size), Some(64)).unwrap());
            let designs: Vec<_> = caches.iter().map(|cache| cache.design(false).unwrap()).collect();
            let run = Simulation { code: &code, memory: &memory, caches: &caches, blocks: 0, apart: false };
            let threading = Threading { threads: 4, interleave: Interleave::Lockstep, limit: u64::MAX };
            let threads = SharedThreading::new(&program, threading, 2, 1).unwrap();
            let answer = in_several_orders(&run, &designs, threads).unwrap();
            let (low, high) = answer[1].threads.clone().unwrap().orders.unwrap();
            assert_eq!(answer[0].threads.clone().unwrap().orders, None);
            let misses = |order| levels(&run, &designs, &threads.in_order(order)).unwrap()[1].misses.total();
            for fixed in [Interleave::Lockstep, Interleave::After].map(misses) {
                assert!(low <= fixed && fixed <= high, "{}: {low} {fixed} {high}", program.name);
            }
            let accesses = symloc_replay::executions(&code, u64::MAX).unwrap().into_iter().sum::<u64>();
            for found in (100..120).map(|seed| misses(Interleave::Random(seed))) {
                held += u64::from(low <= found && found <= high);
                error += (found.to_f64() - answer[1].misses.total().to_f64()).abs() / accesses as f64;
                orders += 1;
            }
        }
        assert!(held * 100 >= orders * 95, "{held} of {orders}");
        assert!(error / (orders as f64) < 0.012, "{error} over {orders}");
    }

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
