//! Tests that any bytes for a model and any numbers for sizes give a result or an error, and never a panic.
//!
//! A generator with a fixed seed damages models: it cuts them off, changes bytes and numbers, repeats and removes
//! parts. Most results are not models any more; the others are queried in all ways, at sizes of all kinds. A panic
//! would give `SYMLOC_ERROR_INTERNAL`; anything worse would end the test.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]
#![allow(unsafe_code, reason = "it calls the functions of C")]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::ptr::null;

use symloc_capi::evaluator::{symloc_evaluator, symloc_evaluator_new, symloc_evaluator_parameter_count};
use symloc_capi::histogram::{
    symloc_bin, symloc_histogram_bins, symloc_histogram_count, symloc_histogram_new, symloc_histogram_text,
};
use symloc_capi::model::{symloc_model, symloc_model_line_count};
use symloc_capi::prediction::{
    symloc_misses, symloc_prediction_misses, symloc_prediction_new, symloc_prediction_text, symloc_string_free,
};
use symloc_capi::query::symloc_evaluator_query;
use symloc_capi::status::*;

use crate::common::{Failed, Owned, call, models, object, parse, status};

/// The limit of the points of an evaluation: small, so that no damaged model takes long.
const POINTS: u64 = 1000;

/// A generator of random numbers: splitmix64.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(limit.max(1)).unwrap()).unwrap()
    }

    fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }
}

const SIZES: [i64; 14] = [0, 1, 2, 7, 16, 64, 128, 1000, 1 << 31, i64::MAX, i64::MAX - 7, -1, -64, i64::MIN];

const NUMBERS: [&str; 12] =
    ["0", "1", "-1", "2", "3", "64", "255", "4294967295", "18446744073709551615", "-9223372036854775808", "1e9", "0.5"];

/// Returns the positions of the numbers in a text.
fn numbers(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    let is_digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    let starts = (0..text.len()).filter(|at| is_digit(*at) && (*at == 0 || !is_digit(at - 1)));
    starts.map(|start| start..(start..).find(|at| !is_digit(*at)).unwrap()).collect()
}

/// Returns a text with one to three random changes.
fn damage(text: &[u8], random: &mut SplitMix) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..=random.below(2) {
        let at = random.below(text.len());
        match random.below(8) {
            0 => text.truncate(at),
            1 => text.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << random.below(8)),
            2 => drop(text.drain(at..(at + random.below(40)).min(text.len()))),
            3 => {
                let part = text[at..(at + random.below(40)).min(text.len())].to_vec();
                text.splice(at..at, part);
            }
            _ => {
                let all = numbers(&text);
                if !all.is_empty() {
                    let range = all[random.below(all.len())].clone();
                    text.splice(range, random.one_of(&NUMBERS).bytes());
                }
            }
        }
    }
    text
}

/// The number of times that each status was seen.
#[derive(Default)]
struct Seen(BTreeMap<symloc_status, u64>);

impl Seen {
    fn note<T>(&mut self, result: Result<T, Failed>, text: &[u8]) -> Option<T> {
        let status = result.as_ref().err().map_or(SYMLOC_OK, |(status, _)| *status);
        *self.0.entry(status).or_default() += 1;
        let message = result.as_ref().err().map(|(_, message)| message.as_str()).unwrap_or_default();
        assert_ne!(status, SYMLOC_ERROR_INTERNAL, "{message}\n{}", String::from_utf8_lossy(text));
        assert!(status == SYMLOC_OK || !message.is_empty());
        result.ok()
    }
}

/// Calls all functions of an evaluator at one size.
fn question(evaluator: &Owned<symloc_evaluator>, random: &mut SplitMix, seen: &mut Seen, text: &[u8]) {
    let evaluator = evaluator.pointer;
    // SAFETY: the evaluator is not freed.
    let count = unsafe { symloc_evaluator_parameter_count(evaluator) };
    let sizes: Vec<i64> = (0..count).map(|_| random.one_of(&SIZES)).collect();
    let miss_model = random.one_of(&[0, 0, 1, 2, 3, u32::MAX]);
    let lines = [0, 1, 512, u64::MAX];
    let mut results = [const { std::mem::MaybeUninit::<symloc_misses>::uninit() }; 4];
    let room = results.as_mut_ptr().cast::<symloc_misses>();
    // SAFETY: the counts are those of the sizes, caches and results, here and below; objects are not freed.
    let asked = status(|error| unsafe {
        symloc_evaluator_query(evaluator, sizes.as_ptr(), count, 1, lines.as_ptr(), 4, miss_model, room, error)
    });
    seen.note(asked, text);
    let made = object(|error| unsafe { symloc_prediction_new(evaluator, sizes.as_ptr(), count, miss_model, error) });
    if let Some(prediction) = seen.note(made, text) {
        let prediction = prediction.pointer;
        seen.note(status(|e| unsafe { symloc_prediction_misses(prediction, lines.as_ptr(), 4, room, e) }), text);
        let quantity = random.one_of(&[0, 1, 2, 3, 4, 5, u32::MAX]);
        let (number, failed) = call(|e| unsafe { symloc_prediction_text(prediction, 7, quantity, e) });
        assert_eq!(number.is_null(), failed.is_some());
        seen.note(failed.map_or(Ok(()), Err), text);
        unsafe { symloc_string_free(number) };
    }
    for kind in [0, 1, 2] {
        let made = object(|e| unsafe { symloc_histogram_new(evaluator, kind, sizes.as_ptr(), count, e) });
        let Some(histogram) = seen.note(made, text) else { continue };
        let bins = unsafe { symloc_histogram_count(histogram.pointer) };
        let mut room = Vec::<symloc_bin>::with_capacity(bins);
        let room = room.as_mut_ptr();
        seen.note(status(|e| unsafe { symloc_histogram_bins(histogram.pointer, 0, room, bins, e) }), text);
        let beyond = status(|e| unsafe { symloc_histogram_bins(histogram.pointer, bins, room, usize::MAX, e) });
        assert_eq!(beyond.unwrap_err().0, SYMLOC_ERROR_ARGUMENT);
        let (number, failed) = call(|e| unsafe { symloc_histogram_text(histogram.pointer, bins / 2, 1, e) });
        seen.note(failed.map_or(Ok(()), Err), text);
        unsafe { symloc_string_free(number) };
    }
}

fn ask(model: &Owned<symloc_model>, random: &mut SplitMix, seen: &mut Seen, text: &[u8]) {
    // SAFETY: the model is not freed, here and below.
    assert!(unsafe { symloc_model_line_count(model.pointer) } > 0);
    for line_bytes in [0, random.one_of(&[1, 8, 64, 128, 1 << 40, u64::MAX])] {
        let made = object(|error| unsafe { symloc_evaluator_new(model.pointer, line_bytes, POINTS, error) });
        if let Some(evaluator) = seen.note(made, text) {
            (0..3).for_each(|_| question(&evaluator, random, seen, text));
        }
    }
}

fn texts() -> Vec<(PathBuf, Vec<u8>)> {
    let folders = [models(), models().join("../../crates/evaluate/tests/models")];
    let entries = folders.into_iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

/// Damages each model `rounds` times and queries the results.
fn damaged(rounds: u64, seed: u64) -> Seen {
    let mut seen = Seen::default();
    let mut random = SplitMix(seed);
    for (_, text) in texts() {
        for round in 0..rounds {
            let text = if round == 0 { text.clone() } else { damage(&text, &mut random) };
            if let Some(model) = seen.note(parse(&text), &text) {
                ask(&model, &mut random, &mut seen, &text);
            }
        }
    }
    seen
}

#[test]
fn damaged_models_are_refused_or_answer() {
    let seen = damaged(60, 0x5eed);
    // Every status that is possible has occurred.
    let expected = [
        SYMLOC_OK,
        SYMLOC_ERROR_ARGUMENT,
        SYMLOC_ERROR_MODEL,
        SYMLOC_ERROR_LINE,
        SYMLOC_ERROR_CONTEXT,
        SYMLOC_ERROR_NO_DISTANCES,
        SYMLOC_ERROR_LIMIT,
        SYMLOC_ERROR_INCONSISTENT,
        SYMLOC_ERROR_OVERFLOW,
    ];
    let missing: Vec<_> = expected.iter().filter(|status| !seen.0.contains_key(status)).collect();
    assert!(missing.is_empty(), "never seen: {missing:?} among {:?}", seen.0);
}

/// No proper prefix of a model is a model, except the one without the line feed at the end.
#[test]
fn models_that_are_cut_off_are_refused() {
    for (path, text) in texts() {
        let end = text.trim_ascii_end().len();
        for length in (0..end).step_by(1 + end / 200) {
            let (status, _) = parse(&text[..length]).err().unwrap_or_else(|| panic!("{} {length}", path.display()));
            assert_eq!(status, SYMLOC_ERROR_MODEL);
        }
    }
}

/// Each function refuses NULL objects, whatever the numbers.
#[test]
fn nothing_is_refused_with_any_numbers() {
    let mut random = SplitMix(7);
    let counts = [0, 1, 2, usize::MAX / 8, usize::MAX];
    for _ in 0..1000 {
        let (a, b, kind) = (random.one_of(&counts), random.one_of(&counts), random.one_of(&[0, 1, 2, u32::MAX]));
        // SAFETY: NULL is not read.
        let refused = unsafe {
            [
                status(|e| symloc_evaluator_query(null(), null(), a, b, null(), a, kind, std::ptr::null_mut(), e)),
                status(|e| symloc_prediction_misses(null(), null(), a, std::ptr::null_mut(), e)),
                status(|e| symloc_histogram_bins(null(), a, std::ptr::null_mut(), b, e)),
                object(|e| symloc_prediction_new(null(), null(), a, kind, e)).map(drop),
                object(|e| symloc_histogram_new(null(), kind, null(), a, e)).map(drop),
                object(|e| symloc_evaluator_new(null(), random.next(), random.next(), e)).map(drop),
            ]
        };
        for refused in refused {
            assert_eq!(refused.unwrap_err().0, SYMLOC_ERROR_ARGUMENT);
        }
    }
}

mod slow {
    #[test]
    fn many_damaged_models_are_refused_or_answer() {
        super::damaged(1000, 0xfeed);
    }
}
