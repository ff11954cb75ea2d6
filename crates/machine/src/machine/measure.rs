//! Measures the speed of this machine on one core.
//!
//! Its peak: chains of multiplications and additions on numbers in registers, as wide as this processor's vectors are.
//! Bandwidths: adding up words that fill half of a cache, or four of the last one, over and over. Each is the best of several runs, as
//! other programs only ever make it slower.

use std::hint::black_box;
use std::time::{Duration, Instant};

use multiversion::multiversion;

use super::{MEMORY, MachineLevel, Speed};

/// The number of runs, and the least duration of one.
const RUNS: usize = 7;
const LEAST: Duration = Duration::from_millis(10);
/// The number of successive operations on a number: few enough that a processor overlaps several numbers, many enough that loads and stores
/// do not matter.
const DEPTH: usize = 8;
/// The number of numbers: they stay in the first cache.
const NUMBERS: usize = 1024;
/// The largest number of bytes that stand for memory.
const MOST: u64 = 1 << 30;
const WORD: u64 = 8;

/// Returns the speed of the core that the program runs on.
pub(super) fn speed(levels: &[MachineLevel]) -> Speed {
    let caches = levels.iter().skip(1).map(|level| (level.name.clone(), level.bytes / 2));
    let largest = levels.iter().map(|level| level.bytes).max().unwrap_or(0);
    let memory = (MEMORY.to_owned(), largest.saturating_mul(4).min(MOST));
    let sources: Vec<(String, u64)> = caches.chain([memory]).collect();
    let words = sources.iter().map(|(_, bytes)| bytes / WORD).max().unwrap_or(0);
    // Zeros only would share one page.
    let words: Vec<u64> = (0..words).collect();
    let bandwidth = |(name, bytes): (String, u64)| (name, bandwidth(&words[..(bytes / WORD) as usize]));
    let all_cores = vec![None; sources.len()];
    Speed { peak: peak(), bandwidths: sources.into_iter().map(bandwidth).collect(), all_cores }
}

fn peak() -> u64 {
    let mut numbers = vec![1.0; NUMBERS];
    per_second((2 * DEPTH * NUMBERS) as u64, || {
        multiply_and_add(black_box(&mut numbers), black_box(0.999), black_box(0.001));
    })
}

fn bandwidth(words: &[u64]) -> u64 {
    per_second(WORD * words.len() as u64, || {
        black_box(add_up(black_box(words)));
    })
}

/// Returns the units of work done in a second, where `work` does `units` of them.
fn per_second(units: u64, mut work: impl FnMut()) -> u64 {
    let mut best = 0.0;
    for _ in 0..RUNS {
        let (start, mut done) = (Instant::now(), 0.0);
        while start.elapsed() < LEAST {
            work();
            done += units as f64;
        }
        best = f64::max(best, done / start.elapsed().as_secs_f64());
    }
    best as u64
}

#[multiversion(targets = "simd")]
fn multiply_and_add(numbers: &mut [f64], factor: f64, addend: f64) {
    for number in numbers {
        for _ in 0..DEPTH {
            *number = match multiversion::target::target_cfg_f!(target_feature = "fma") {
                true => number.mul_add(factor, addend),
                false => *number * factor + addend,
            };
        }
    }
}

#[multiversion(targets = "simd")]
fn add_up(words: &[u64]) -> u64 {
    // Many sums, so that none waits for another.
    let mut sums = [0_u64; 64];
    for part in words.chunks_exact(sums.len()) {
        sums.iter_mut().zip(part).for_each(|(sum, word)| *sum = sum.wrapping_add(*word));
    }
    sums.into_iter().fold(0, u64::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times are not tested, but that there are some, and that the work is done.
    #[test]
    fn a_core_does_something() {
        let level = |name: &str, bytes| MachineLevel { name: name.to_owned(), bytes, ..MachineLevel::default() };
        let Speed { peak, bandwidths, .. } = speed(&[level("L1", 1 << 15), level("L2", 1 << 17)]);
        assert!(peak > 0);
        let names: Vec<_> = bandwidths.iter().map(|(name, bytes)| (name.as_str(), *bytes > 0)).collect();
        assert_eq!(names, [("L2", true), ("memory", true)]);
        let words: Vec<u64> = (0..640).collect();
        assert_eq!(add_up(&words), 640 * 639 / 2);
        let mut numbers = [3.0; 5];
        multiply_and_add(&mut numbers, 0.5, 1.0);
        assert_eq!(numbers, [2.0 + 1.0 / 256.0; 5]);
    }
}
