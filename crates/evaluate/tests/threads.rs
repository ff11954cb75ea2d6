//! Threads that are prepared together beside each thread by itself.
//!
//! The models in `threads` are those of `symloc derive polybench/c/KERNEL.c --assume-noalias --exact` with the lines of
//! `tests/parallel/polybench.tsv` as `--parallel`: in syrk the share of each thread is larger than that of the one before, in gemver
//! several loops are shared, and classes have three iterators.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use symloc_evaluate::{Evaluator, Int, MissModel, Misses, OneThread, Prediction, ThreadSum};
use symloc_model::{LineChoice, Model, NamedSizes};

const CAPACITIES: [i64; 8] = [1, 3, 8, 13, 21, 60, 128, 1000];

/// Returns the misses in a cache of some blocks of each thread, whose formulas are evaluated as they are written, and the sum of those by
/// coherence.
fn one_by_one(evaluator: &Evaluator<'_>, threads: &[(NamedSizes, Prediction)], blocks: &Int) -> (Vec<Misses>, Int) {
    let alone = |(at, prediction): &(NamedSizes, Prediction)| {
        let invalidated = evaluator.invalidated(prediction.miss_model(), at).unwrap().unwrap();
        (prediction.misses(blocks).unwrap(), invalidated.misses(prediction, blocks).unwrap())
    };
    let (misses, coherence): (Vec<_>, Vec<_>) = threads.iter().map(alone).unzip();
    (misses, coherence.iter().fold(Int::ZERO, |sum, more| &sum + more))
}

/// Compares questions about every number of threads from 1 to 70 with the sum over these threads.
fn compare(text: &str, sizes: &[NamedSizes]) {
    let model = Model::parse(text).unwrap();
    let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
    for (count, sizes) in (1..=70).zip(sizes.iter().cycle()) {
        for miss_model in [MissModel::Lru, MissModel::Denning] {
            let together = evaluator.threads(miss_model, sizes, 0..count, count).unwrap();
            let alone = |number| {
                let at = model.on_thread(sizes, number, count).unwrap();
                let prediction = evaluator.predict(miss_model, &at).unwrap();
                (at, prediction)
            };
            let alone: Vec<_> = (0..count).map(alone).collect();
            for blocks in CAPACITIES.map(Int::from) {
                let found = ThreadSum::new(&together, &blocks, |prediction| prediction.misses(&blocks)).unwrap();
                let (misses, coherence) = one_by_one(&evaluator, &alone, &blocks);
                let case = format!("{count} threads, {blocks} blocks, {miss_model:?}, {sizes:?}");
                assert_eq!(found.by_thread, misses.iter().map(Misses::total).collect::<Vec<_>>(), "{case}");
                let sum = |of: fn(&Misses) -> &Int| misses.iter().fold(Int::ZERO, |sum, more| &sum + of(more));
                assert_eq!(found.misses, Misses { cold: sum(|m| &m.cold), reuse: sum(|m| &m.reuse) }, "{case}");
                assert_eq!(found.coherence, Some(coherence), "{case}");
            }
            let shared: Vec<_> = alone.iter().map(|(at, _)| evaluator.falsely_shared(at).unwrap().unwrap()).collect();
            let of_array = |array| shared.iter().fold(Int::ZERO, |sum, lines: &Vec<Int>| &sum + &lines[array]);
            let shared = (0..shared[0].len()).map(of_array).collect();
            assert_eq!(OneThread::falsely_shared_by(&together), Some(shared), "{count} threads, {sizes:?}");
        }
    }
}

fn all(names: &[&str], values: &[i64]) -> Vec<NamedSizes> {
    values.iter().map(|value| names.iter().map(|name| (*name, *value)).collect()).collect()
}

#[test]
fn of_triangles_whose_rows_are_shared() {
    compare(include_str!("threads/syrk.loc.json"), &all(&["n", "m"], &[120, 200, 131]));
}

#[test]
fn of_several_loops() {
    compare(include_str!("threads/gemver.loc.json"), &all(&["n"], &[120, 200, 131]));
}

#[test]
fn of_a_stencil() {
    let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/jacobi-1d-threads.loc.json"));
    compare(text, &all(&["n", "tsteps"], &[40, 400, 1003]));
}
