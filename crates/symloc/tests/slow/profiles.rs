//! Compares reuse profiles with loops and an LRU stack that are written out here, for 2mm and atax at the two small
//! data sets; docs/reuse-profiles.md has six kernels at four data sets.

use std::collections::{BTreeMap, HashMap};

use crate::common::{model, symloc};
use num_bigint::BigUint;
use serde_json::Value;

/// Doubles in a line of 64 bytes.
const PER_LINE: usize = 8;
/// Caches and their lines: those of the papers, and one in which MINI sizes miss too.
const CACHES: [(&str, usize); 4] = [("4KiB", 64), ("32KiB", 512), ("256KiB", 4096), ("1MiB", 16384)];
const WAYS: usize = 8;
/// The inverse of the share of the accesses that `query` may leave undecided.
const TOLERANCE: f64 = 200_000.0;

/// The blocks that the loops touch, in order.
struct TouchedBlocks {
    per_line: usize,
    touched: Vec<(&'static str, usize, usize)>,
}

impl TouchedBlocks {
    fn touch(&mut self, array: &'static str, row: usize, column: usize) {
        self.touched.push((array, row, column / self.per_line));
    }
}

/// The number of times that each distance occurs.
struct DistanceProfile {
    distances: BTreeMap<usize, u64>,
    first_touches: u64,
}

impl DistanceProfile {
    /// Computes the profile of a trace. The latest access to each block is a 1 at its time, every other access a 0: a
    /// distance is the number of ones since the previous access (Bennett and Kruskal, "LRU stack processing", 1975).
    fn of(trace: &[(&'static str, usize, usize)]) -> Self {
        let (mut distances, mut latest) = (BTreeMap::new(), HashMap::new());
        // A Fenwick tree of the ones.
        let mut sums = vec![0_i32; trace.len() + 1];
        let add = |sums: &mut [i32], time: usize, one: i32| {
            let mut end = time + 1;
            while end < sums.len() {
                sums[end] += one;
                end += end & end.wrapping_neg();
            }
        };
        let up_to = |sums: &[i32], time: usize| {
            let (mut end, mut sum) = (time + 1, 0);
            while end > 0 {
                sum += sums[end];
                end &= end - 1;
            }
            sum as usize
        };
        for (time, block) in trace.iter().enumerate() {
            if let Some(before) = latest.insert(*block, time) {
                *distances.entry(latest.len() - up_to(&sums, before)).or_default() += 1;
                add(&mut sums, before, -1);
            }
            add(&mut sums, time, 1);
        }
        Self { distances, first_touches: latest.len() as u64 }
    }

    fn accesses(&self) -> u64 {
        self.first_touches + self.distances.values().sum::<u64>()
    }

    /// Returns the expected hits in a set-associative cache, by the definition, in rationals with the denominator S^D.
    fn hits(&self, lines: usize) -> f64 {
        let sets = lines / WAYS;
        self.distances.iter().map(|(distance, count)| *count as f64 * chance(sets, *distance)).sum()
    }

    fn lru_misses(&self, lines: usize) -> u64 {
        self.first_touches + self.distances.range(lines..).map(|(_, count)| count).sum::<u64>()
    }
}

/// Returns the probability of a hit: Σ_{a < A} C(D, a) (S − 1)^(D − a) / S^D.
fn chance(sets: usize, distance: usize) -> f64 {
    let mut sum = BigUint::ZERO;
    let mut choose = BigUint::from(1_u32);
    for a in 0..WAYS.min(distance + 1) {
        sum += &choose * BigUint::from(sets - 1).pow((distance - a) as u32);
        choose = choose * (distance - a) / (a + 1);
    }
    let scaled: BigUint = (sum << 62_u32) / BigUint::from(sets).pow(distance as u32);
    u64::try_from(scaled).unwrap() as f64 / 2_f64.powi(62)
}

/// Runs the loops of 2mm.
fn mm2([ni, nj, nk, nl]: [usize; 4], s: &mut TouchedBlocks) {
    for i in 0..ni {
        for j in 0..nj {
            s.touch("tmp", i, j);
            for k in 0..nk {
                s.touch("A", i, k);
                s.touch("B", k, j);
                s.touch("tmp", i, j);
                s.touch("tmp", i, j);
            }
        }
    }
    for i in 0..ni {
        for j in 0..nl {
            s.touch("D", i, j);
            s.touch("D", i, j);
            for k in 0..nj {
                s.touch("tmp", i, k);
                s.touch("C", k, j);
                s.touch("D", i, j);
                s.touch("D", i, j);
            }
        }
    }
}

/// Runs the loops of atax.
fn atax([m, n]: [usize; 2], s: &mut TouchedBlocks) {
    (0..n).for_each(|i| s.touch("y", 0, i));
    for i in 0..m {
        s.touch("tmp", 0, i);
        for j in 0..n {
            s.touch("tmp", 0, i);
            s.touch("A", i, j);
            s.touch("x", 0, j);
            s.touch("tmp", 0, i);
        }
        for j in 0..n {
            s.touch("y", 0, j);
            s.touch("A", i, j);
            s.touch("tmp", 0, i);
            s.touch("y", 0, j);
        }
    }
}

fn profile<const N: usize>(
    run: fn([usize; N], &mut TouchedBlocks),
    sizes: [usize; N],
    per_line: usize,
) -> DistanceProfile {
    let mut blocks = TouchedBlocks { per_line, touched: Vec::new() };
    run(sizes, &mut blocks);
    DistanceProfile::of(&blocks.touched)
}

/// Runs `symloc`; returns its JSON output.
fn ask(args: &[&str]) -> Value {
    let (answer, errors, status) = symloc(&[args, &["--json"]].concat());
    assert_eq!(status, Some(0), "symloc {args:?}: {errors}");
    serde_json::from_str(&answer).unwrap()
}

fn derive(kernel: &str, options: &[&str]) -> String {
    model(&[&[&format!("polybench/{kernel}.mlir"), "--exact"], options].concat()).unwrap()
}

fn compare_histogram(model: &str, dataset: &str, simulated: &DistanceProfile) {
    let found = ask(&["histogram", model, "--dataset", dataset, "--distance"]);
    assert_eq!(found["estimated"], Value::Null);
    assert_eq!(found["accesses"], simulated.accesses());
    assert_eq!(found["first_touches"], simulated.first_touches);
    let bins: Vec<(usize, u64)> = serde_json::from_value(found["distance"].clone()).unwrap();
    assert_eq!(bins, simulated.distances.clone().into_iter().collect::<Vec<_>>(), "{model} at {dataset}");
}

fn compare_hit_rates(model: &str, dataset: &str, simulated: &DistanceProfile) {
    let accesses = simulated.accesses() as f64;
    for (size, lines) in CACHES {
        let misses = |cache: &str| {
            let found = ask(&["query", model, "--dataset", dataset, "--cache", cache, "--model", "lru"]);
            found["levels"][0]["misses"].as_u64().unwrap()
        };
        assert_eq!(misses(size), simulated.lru_misses(lines), "{model} at {dataset}, {size}");
        let (derived, expected) = (misses(&format!("{size},{WAYS}")), accesses - simulated.hits(lines));
        let difference = (derived as f64 - expected).abs();
        assert!(difference <= 1.0 + accesses / TOLERANCE, "{model} at {dataset}, {size}: {derived}, not {expected}");
    }
}

fn compare<const N: usize>(kernel: &str, run: fn([usize; N], &mut TouchedBlocks), datasets: [(&str, [usize; N]); 2]) {
    let (lines, elements) = (derive(kernel, &[]), derive(kernel, &["--element"]));
    for (dataset, sizes) in datasets {
        let simulated = profile(run, sizes, PER_LINE);
        compare_histogram(&lines, dataset, &simulated);
        compare_hit_rates(&lines, dataset, &simulated);
        compare_histogram(&elements, dataset, &profile(run, sizes, 1));
    }
}

#[test]
fn profiles_of_2mm() {
    compare("2mm", mm2, [("mini", [16, 18, 22, 24]), ("small", [40, 50, 70, 80])]);
}

#[test]
fn profiles_of_atax() {
    compare("atax", atax, [("mini", [38, 42]), ("small", [116, 124])]);
}

#[test]
fn the_chance_of_a_hit_is_that_of_fewer_blocks_than_ways_in_the_set() {
    assert_eq!(chance(64, 7), 1.0);
    assert!((chance(2, 8) - 255.0 / 256.0).abs() < 1e-15);
}
