//! Damaged models: reading and evaluating any file ends, in numbers or in an error, and never in a panic. Overflow panics in test
//! builds, so none may occur.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::path::Path;
use std::time::{Duration, Instant};

use symloc_evaluate::{Evaluator, Int, MissModel, WholeCurve};
use symloc_model::{LineChoice, Model, NamedSizes};

/// The number of damaged files.
const FILES: u64 = 5_000;
/// The largest number of points that one evaluation may visit.
const POINTS: u64 = 2_000;
/// The longest time for one evaluation, on a busy machine and without optimisation.
const PATIENCE: Duration = Duration::from_secs(20);

/// Numbers as large as a file can hold, and some that divide badly.
const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "2",
    "7",
    "-8",
    "64",
    "1000003",
    "-4294967297",
    "9223372036854775807",
    "\"170141183460469231731687303715884105727\"",
    "\"-170141183460469231731687303715884105728\"",
    "\"1/3\"",
    "\"123456789012345678901234567890123456789012345\"",
];

/// Pseudo-random numbers, equal in every run (Marsaglia, "Xorshift RNGs", 2003).
struct Xorshift(u64);

impl Xorshift {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

fn texts() -> Vec<String> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [own.join("tests/models"), own.join("../../tests/models")];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|e| e == "json")).collect();
    files.sort();
    files.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// Returns where numbers begin and end, apart from those within texts.
fn numbers(text: &str) -> Vec<(usize, usize)> {
    let is_part = |c: char| c.is_ascii_digit() || c == '-';
    let mut found = Vec::new();
    let mut previous = ' ';
    for (at, c) in text.char_indices() {
        if is_part(c) && "[,:".contains(previous) {
            let length = text[at..].find(|c| !is_part(c)).unwrap_or(0);
            if text[at + length..].starts_with([',', ']', '}']) {
                found.push((at, at + length));
            }
        }
        previous = c;
    }
    found
}

/// Returns the text with one to three of its numbers, or kinds of conditions, changed.
fn damaged(text: &str, random: &mut Xorshift) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(3) {
        if random.below(8) == 0 {
            let from = random.below(text.len());
            if let Some(at) = text.get(from..).and_then(|rest| rest.find("\"non_negative\"")) {
                text.replace_range(from + at..from + at + 14, "\"zero\"");
            }
            continue;
        }
        let numbers = numbers(&text);
        let (start, end) = numbers[random.below(numbers.len())];
        text.replace_range(start..end, NUMBERS[random.below(NUMBERS.len())]);
    }
    text
}

/// Evaluates a model in every way; returns true if its classes added up.
fn ask(model: &Model, random: &mut Xorshift) -> bool {
    let Ok(evaluator) = Evaluator::new(model, LineChoice::Only) else { return false };
    let evaluator = evaluator.with_limit(POINTS);
    let mut answered = false;
    for bits in [3, 5, 9, 31] {
        let value = |_| random.below(1 << bits) as i64 + 1;
        let values: Vec<i64> = model.parameters.iter().map(value).collect();
        let sizes: NamedSizes = model.parameters.iter().cloned().zip(values).collect();
        let caches = [0, 1, 100, 1_i64 << 40].map(Int::from);
        // The histogram visits every point, and checks the same sums.
        let histogram = if bits < 9 { evaluator.distribution(MissModel::Denning, &sizes).ok() } else { None };
        if let Ok(prediction) = evaluator.predict(MissModel::Denning, &sizes) {
            answered = true;
            let curve = histogram.as_ref().map(|histogram| WholeCurve::new(histogram, histogram));
            for cache in &caches {
                let Ok(misses) = prediction.misses(cache) else { continue };
                assert!(misses.total() <= *prediction.accesses(), "more misses than accesses");
                assert!(curve.as_ref().is_none_or(|curve| *curve.misses(cache) == misses), "two answers");
            }
            if bits < 9 {
                let _ = evaluator.attribution(&prediction);
            }
        }
        if let Ok(lru) = evaluator.predict(MissModel::Lru, &sizes) {
            caches.iter().for_each(|cache| drop(lru.misses(cache)));
        }
    }
    answered
}

#[test]
fn no_damaged_model_panics_or_takes_long() {
    let texts = texts();
    let mut random = Xorshift(0x2545_F491_4F6C_DD1D);
    let (mut read, mut answered) = (0, 0);
    for _ in 0..FILES {
        let text = damaged(&texts[random.below(texts.len())], &mut random);
        let start = Instant::now();
        if let Ok(model) = Model::parse(&text) {
            read += 1;
            answered += u64::from(ask(&model, &mut random));
        }
        assert!(start.elapsed() < PATIENCE, "{:?} for {text}", start.elapsed());
    }
    assert!(read > FILES / 3 && answered > FILES / 10, "{read} were read, {answered} gave answers");
}
