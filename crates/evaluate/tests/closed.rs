//! Compares the closed forms of [`Prediction`] with the enumeration of every point in [`Distribution`].
//!
//! The models are those of PolyBench kernels with free iterators of every kind: strips, triangles, congruences, counts
//! that are zero on most residues. `SYMLOC_MODELS=DIRECTORY` compares other models too.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

use std::path::{Path, PathBuf};

use symloc_evaluate::misses::conflicts::TOLERANCE;
use symloc_evaluate::{Bin, Distribution, Evaluator, Int, MissModel, Misses, Prediction, Sets, WholeCurve};
use symloc_model::{LineChoice, Model, NamedSizes};

fn models() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let others = std::env::var_os("SYMLOC_MODELS").map(PathBuf::from);
    let mut paths: Vec<PathBuf> = std::iter::once(own)
        .chain(others)
        .flat_map(|directory| std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    paths.sort();
    paths
}

/// Returns small sizes: below, at and above multiples of 8, one for each parameter in turn.
fn sizes(model: &Model, index: usize) -> NamedSizes {
    const VALUES: [i64; 14] = [1, 2, 3, 5, 8, 9, 11, 16, 17, 19, 24, 26, 33, 41];
    let value = |parameter: usize| VALUES[(index + 5 * parameter) % VALUES.len()];
    model.parameters.iter().enumerate().map(|(parameter, name)| (name.clone(), value(parameter))).collect()
}

/// Returns the cache sizes that are compared: all where there are few, else all small ones and some large ones.
fn caches(blocks: i64) -> impl Iterator<Item = i64> {
    (0..=blocks + 1).filter(move |cache| *cache <= 200 || cache % 7 == 0 || *cache >= blocks - 3)
}

/// A window, N times its working set, and the number of longer intervals.
type Window = (Int, Int, Int);

/// Returns the windows of all intervals, ascending, from the empty one on.
fn windows(distribution: &Distribution) -> Vec<Window> {
    let mut bins: Vec<&Bin> = distribution.real.iter().chain(&distribution.imaginary).collect();
    bins.sort();
    let mut windows = vec![(Int::ZERO, Int::ZERO, distribution.accesses.clone())];
    for bin in bins {
        let (x, working_set, longer) = &windows[windows.len() - 1];
        let grown = working_set + &(&(&bin.interval - x) * longer);
        windows.push((bin.interval.clone(), grown, longer - &bin.count));
    }
    windows
}

/// Returns the largest window that fits in a cache; `None` if every window fits.
fn largest(windows: &[Window], accesses: &Int, cache: &Int) -> Option<Int> {
    let room = accesses * cache;
    let (x, working_set, longer) = &windows[windows.partition_point(|(_, working_set, _)| *working_set <= room) - 1];
    (&room - working_set).div_floor(longer).map(|more| x + &more)
}

#[test]
fn closed_forms_agree_with_enumeration() {
    for path in models() {
        let model = Model::load(&path).unwrap();
        let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
        for index in 0..14 {
            let sizes = sizes(&model, index);
            let name = path.file_name().unwrap().display();
            let distribution = evaluator.distribution(MissModel::Denning, &sizes).unwrap();
            let prediction =
                evaluator.predict(MissModel::Denning, &sizes).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!((prediction.accesses(), prediction.blocks()), (&distribution.accesses, &distribution.blocks));
            let (curve, windows) = (WholeCurve::new(&distribution, &distribution), windows(&distribution));
            for cache in caches(i64::try_from(distribution.blocks.to_i128().unwrap()).unwrap()) {
                let cache = Int::from(cache);
                assert_eq!(
                    prediction.window(&cache).unwrap(),
                    largest(&windows, &distribution.accesses, &cache),
                    "{name}, {sizes:?}, {cache} blocks"
                );
                assert_eq!(
                    prediction.misses(&cache).unwrap(),
                    *curve.misses(&cache),
                    "{name}, {sizes:?}, {cache} blocks"
                );
            }
        }
    }
}

/// Returns the distance s(x) - 1 of each real interval x, by the definition of s.
fn distances(distribution: &Distribution) -> Vec<(f64, f64)> {
    let float = |value: &Int| value.to_i128().unwrap() as f64;
    let all = || distribution.real.iter().chain(&distribution.imaginary);
    let accesses = float(&distribution.accesses);
    let working_set = |x: f64| all().map(|bin| float(&bin.interval).min(x) * float(&bin.count)).sum::<f64>() / accesses;
    distribution.real.iter().map(|bin| (working_set(float(&bin.interval)) - 1.0, float(&bin.count))).collect()
}

#[test]
fn set_associative_estimates_agree_with_enumeration() {
    let mut between = 0;
    for path in models() {
        let model = Model::load(&path).unwrap();
        let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
        for index in 0..14 {
            let sizes = sizes(&model, index);
            let (distribution, prediction) = (
                evaluator.distribution(MissModel::Denning, &sizes).unwrap(),
                evaluator.predict(MissModel::Denning, &sizes).unwrap(),
            );
            let distances = distances(&distribution);
            for (lines, ways) in [(8, 1), (8, 2), (8, 8), (24, 2), (36, 12), (96, 12), (96, 96), (4096, 4)] {
                let cache = Sets::new(lines, ways).unwrap();
                let misses = prediction.misses_in_sets(&cache).unwrap();
                let expected = if lines == ways {
                    prediction.misses(&Int::from(lines)).unwrap().reuse.to_i128().unwrap() as f64
                } else {
                    distances.iter().map(|(distance, count)| count * (1.0 - cache.hit(*distance))).sum()
                };
                let error = (misses.reuse.to_i128().unwrap() as f64 - expected).abs();
                let tolerated = prediction.accesses().to_i128().unwrap() as f64 / TOLERANCE as f64 + 0.51;
                let name = path.file_name().unwrap().display();
                assert!(error <= tolerated, "{name}, {sizes:?}, {cache:?}: {misses:?}, expected {expected}");
                assert_eq!(misses.cold, distribution.blocks);
                let real =
                    prediction.accesses().to_i128().unwrap() as f64 - distribution.blocks.to_i128().unwrap() as f64;
                between += usize::from(expected > 0.1 * real && expected < 0.9 * real);
            }
        }
    }
    assert!(between > 50, "{between} estimates are neither nothing nor everything");
}

/// Compares misses from reuse distances in closed form with those from all distances one by one.
#[test]
fn set_associative_estimates_from_distances_agree_with_their_histogram() {
    let model = Model::parse(include_str!("models/trisolv-exact.loc.json")).unwrap();
    let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
    let mut between = 0;
    for n in (1..40).chain([100, 333]) {
        let sizes: NamedSizes = [("n", n)].into_iter().collect();
        let lru = evaluator.predict(MissModel::Lru, &sizes).unwrap();
        let found = evaluator.distribution(MissModel::Lru, &sizes).unwrap();
        for (lines, ways) in [(4, 1), (4, 4), (8, 2), (12, 3), (24, 2), (96, 12)] {
            let cache = Sets::new(lines, ways).unwrap();
            let pairs = found.distances.iter().map(|bin| (&bin.interval, &bin.count));
            let expected = symloc_evaluate::misses::conflicts::misses(pairs, found.blocks.clone(), &cache);
            let misses = lru.misses_in_sets(&cache).unwrap();
            let error = (&misses.reuse - &expected.reuse).to_i128().unwrap().unsigned_abs();
            let tolerated = lru.accesses().to_i128().unwrap() as u128 / TOLERANCE as u128 + 1;
            assert!(error <= tolerated, "n = {n}, {cache:?}: {misses:?}, expected {expected:?}");
            assert_eq!(misses.cold, expected.cold);
            between += usize::from(lines != ways && !expected.reuse.is_zero());
        }
    }
    assert!(between > 100, "{between} estimates are not nothing");
}

/// Known distances, and the one case that needs no estimate.
#[test]
fn misses_of_a_histogram_of_distances() {
    let histogram: Vec<(Int, Int)> = [(0, 50), (3, 7), (12, 9), (40, 5)].map(|(d, n)| (d.into(), n.into())).to_vec();
    let misses = |lines, ways| {
        let pairs = histogram.iter().map(|(distance, count)| (distance, count));
        symloc_evaluate::misses::conflicts::misses(pairs, Int::from(11), &Sets::new(lines, ways).unwrap())
    };
    assert_eq!((misses(12, 12).reuse, misses(13, 13).reuse), (14.into(), 5.into()));
    assert_eq!(misses(12, 12).cold, 11.into());
    // Direct-mapped, 8 lines: 50 (7/8)^0 hit, 7 (7/8)^3, 9 (7/8)^12, 5 (7/8)^40, in all 50 + 4.69 + 1.81 + 0.02.
    assert_eq!(misses(8, 1).reuse, 14.into());
}

/// At sizes near 2^31 nothing can be enumerated. Every evaluation checks that the intervals sum to N·m; here the window of every
/// cache must be the largest that fits, and misses must not grow with the cache.
#[test]
fn large_sizes_are_exact() {
    for path in models() {
        let model = Model::load(&path).unwrap();
        let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
        for n in [(1_i64 << 31) - 1, (1 << 31) + 3] {
            let name = path.file_name().unwrap().display();
            let sizes: NamedSizes = model.parameters.iter().map(|name| (name.clone(), n)).collect();
            let prediction =
                evaluator.predict(MissModel::Denning, &sizes).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(prediction.enumerated(), 0, "{name}");
            let mut last = prediction.misses(&Int::ZERO).unwrap();
            assert_eq!(last.total(), *prediction.accesses(), "{name}");
            for cache in
                (1..100).map(|shift| Int::from(1_i128 << shift)).take_while(|cache| cache <= prediction.blocks())
            {
                let misses = prediction.misses(&cache).unwrap();
                assert!(misses.reuse <= last.reuse && !misses.reuse.is_negative(), "{name}: {cache} blocks");
                if cache < *prediction.blocks() {
                    let smaller = prediction.window(&(&cache - &Int::from(1))).unwrap();
                    assert!(prediction.window(&cache).unwrap() >= smaller, "{name}: {cache} blocks");
                }
                last = misses;
            }
            assert_eq!(prediction.misses(prediction.blocks()).unwrap().reuse, Int::ZERO);
            let sets = prediction.misses_in_sets(&Sets::new(3 << 19, 12).unwrap()).unwrap().reuse;
            let open = prediction.accesses().div_floor(&TOLERANCE.into()).unwrap();
            let full = |lines| prediction.misses(&Int::from(lines)).unwrap().reuse;
            assert!(&sets + &open >= full(1 << 21) && sets <= &full(1 << 19) + &open, "{name}: {sets}");
        }
    }
}

fn sum(misses: impl Iterator<Item = Misses>) -> Misses {
    let none = Misses { cold: Int::ZERO, reuse: Int::ZERO };
    misses.fold(none, |sum, one| Misses { cold: &sum.cold + &one.cold, reuse: &sum.reuse + &one.reuse })
}

/// Compares the shares of a prediction in a sample of caches, and returns the number of shares.
fn shares_add_up(evaluator: &Evaluator<'_>, prediction: &Prediction) -> usize {
    let shares = evaluator.attribution(prediction).unwrap();
    let executed = (0..shares.count()).fold(Int::ZERO, |sum, access| &sum + shares.accesses(access));
    assert_eq!(executed, *prediction.accesses());
    let tried: Vec<Int> = caches(prediction.blocks().to_i128().unwrap() as i64).map(Int::from).collect();
    for cache in &tried {
        let misses = shares.misses(cache).unwrap();
        assert_eq!(sum(misses.into_iter()), prediction.misses(cache).unwrap(), "{:?} {cache}", prediction.place());
    }
    tried.len()
}

/// The misses of the accesses add up to those of the program, in every cache.
#[test]
fn accesses_add_up() {
    let mut compared = 0;
    for path in models() {
        let (name, model) = (path.display(), Model::load(&path).unwrap());
        let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
        for index in (0..14).filter(|_| model.program.is_some()) {
            let sizes = sizes(&model, index);
            let denning = evaluator.predict(MissModel::Denning, &sizes).unwrap();
            let attribution = evaluator.attribution(&denning).unwrap();
            let blocks = attribution.blocks().iter().fold(Int::ZERO, |sum, blocks| &sum + blocks);
            assert_eq!(blocks, *denning.blocks(), "{name} {sizes:?}");
            compared += shares_add_up(&evaluator, &denning);
            if evaluator.has_distances() {
                compared += shares_add_up(&evaluator, &evaluator.predict(MissModel::Lru, &sizes).unwrap());
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}
