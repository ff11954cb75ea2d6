//! Misses of kernels whose reuse distances are not linear, by formulas with roots, beside the evaluator.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise, in its helpers too")]

use num_bigint::BigInt;
use symloc_evaluate::{Evaluator, Int, MissModel};
use symloc_locality::{Measure, MissFormulas, stack_places};
use symloc_model::{LineChoice, LineModel, Model, NamedSizes};

const COVARIANCE: &str = include_str!("models/covariance-exact.loc.json");
const CORRELATION: &str = include_str!("models/correlation-exact.loc.json");

/// A generator of random numbers (xorshift).
struct RandomNumbers(u64);

impl RandomNumbers {
    /// Returns a number of a range; all orders of magnitude are about equally likely.
    fn number(&mut self, least: f64, end: f64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let share = (self.0 % (1 << 30)) as f64 / f64::from(1 << 30);
        (least * (end / least).powf(share)) as i64
    }
}

/// The sizes and caches at which formulas were compared.
#[derive(Debug, Default, PartialEq, Eq)]
struct ComparedPlaces {
    /// Those with a formula.
    exact: usize,
    /// Those without one.
    open: usize,
}

/// Compares formulas with the evaluator, at a size and many caches.
fn compare(model: &Model, formulas: &MissFormulas, sizes: &[i64], compared: &mut ComparedPlaces) {
    let named: NamedSizes = model.parameters.iter().cloned().zip(sizes.iter().copied()).collect();
    let evaluator = Evaluator::new(model, LineChoice::Only).unwrap();
    let lru = evaluator.predict(MissModel::Lru, &named).unwrap();
    let size: Vec<BigInt> = sizes.iter().map(|&size| size.into()).collect();
    let blocks = lru.blocks().to_i128().unwrap() as u64;
    // From a few lines to beyond all blocks, by steps of about a tenth.
    let caches = (0..).scan(8_u64, |cache, _| Some(std::mem::replace(cache, *cache + *cache / 11 + 1)));
    for cache in caches.take_while(|cache| *cache < blocks + blocks / 4) {
        let place = format!("{} at {sizes:?} with {cache} lines", model.function);
        match formulas.misses(&size, &cache.into()) {
            Some(found) => {
                let expected = lru.misses(&Int::from(cache)).unwrap().total();
                assert_eq!(found, expected.to_big(), "{place}");
                compared.exact += 1;
            }
            None => compared.open += 1,
        }
    }
}

/// Checks the formulas of large sizes, and those of sizes like small and odd ones.
fn check(text: &str, large: &[i64]) -> ComparedPlaces {
    let model = Model::parse(text).unwrap();
    let places: LineModel = stack_places(&model.lines[0]).unwrap();
    let mut compared = ComparedPlaces::default();
    let far = MissFormulas::first(&model, &places, Measure::Places).unwrap();
    for &size in large {
        let sizes: Vec<i64> = (0..).map(|parameter| size - 40 * parameter).take(model.parameters.len()).collect();
        assert!(far.holds_at(&sizes.iter().map(|&size| size.into()).collect::<Vec<_>>()), "{sizes:?}");
        compare(&model, &far, &sizes, &mut compared);
    }
    for size in [1, 5, 37, 203] {
        let sizes: Vec<i64> = (0..).map(|parameter| size + 3 * parameter).take(model.parameters.len()).collect();
        let point: Vec<i128> = sizes.iter().map(|&size| size.into()).collect();
        let near = MissFormulas::near(&model, &places, Measure::Places, &point).unwrap();
        compare(&model, &near, &sizes, &mut compared);
    }
    compared
}

#[test]
fn distances_that_are_quadratic() {
    let compared = check(include_str!("models/cholesky-exact.loc.json"), &[1600, 2000]);
    assert!(compared.open == 0 && compared.exact > 300, "{compared:?}");
}

#[test]
fn distances_that_are_products_of_an_iterator_and_a_size() {
    let compared = check(include_str!("models/trmm-exact.loc.json"), &[800, 1600]);
    assert!(compared.open == 0 && compared.exact > 300, "{compared:?}");
}

/// Products of two iterators have no polynomial: their formulas sum over the rows of a class.
#[test]
fn distances_that_are_products_of_two_iterators() {
    for text in [COVARIANCE, CORRELATION] {
        let compared = check(text, &[400, 800]);
        assert!(compared.open == 0 && compared.exact > 300, "{compared:?}");
    }
}

/// Caches from 32 KiB to 2 MiB at sizes from 500 to 5,000, all orders of magnitude about equally likely.
#[test]
fn caches_of_today() {
    for text in [COVARIANCE, CORRELATION] {
        let model = Model::parse(text).unwrap();
        let places: LineModel = stack_places(&model.lines[0]).unwrap();
        let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
        let mut random = RandomNumbers(0x9e37_79b9_7f4a_7c15);
        let mut summed = 0;
        for _ in 0..30 {
            let sizes: Vec<i64> = model.parameters.iter().map(|_| random.number(500.0, 5_000.0)).collect();
            let point: Vec<i128> = sizes.iter().map(|&size| size.into()).collect();
            let near = MissFormulas::near(&model, &places, Measure::Places, &point).unwrap();
            let named: NamedSizes = model.parameters.iter().cloned().zip(sizes.iter().copied()).collect();
            let lru = evaluator.predict(MissModel::Lru, &named).unwrap();
            let size: Vec<BigInt> = sizes.iter().map(|&size| size.into()).collect();
            for _ in 0..12 {
                let cache = random.number(512.0, 32_769.0);
                let expected = lru.misses(&Int::from(cache)).unwrap().total().to_big();
                let place = format!("{} at {sizes:?} with {cache} lines", model.function);
                assert_eq!(near.misses(&size, &cache.into()), Some(expected), "{place}");
                let sums = near.case(&size, &cache.into()).unwrap().sums.len();
                assert!(sums <= 2, "{place}");
                summed += usize::from(sums > 0);
            }
        }
        assert!(summed > 100, "{}: {summed}", model.function);
    }
}

/// Within a ramp the formula is short: one root for the residues of an iterator, and its slack for the threshold.
#[test]
fn formulas_within_ramps_are_short() {
    for (text, most) in
        [(include_str!("models/cholesky-exact.loc.json"), 60), (include_str!("models/trmm-exact.loc.json"), 90)]
    {
        let model = Model::parse(text).unwrap();
        let places: LineModel = stack_places(&model.lines[0]).unwrap();
        let far = MissFormulas::first(&model, &places, Measure::Places).unwrap();
        let size: Vec<BigInt> =
            (0..).map(|parameter| BigInt::from(1600 - 40 * parameter)).take(model.parameters.len()).collect();
        assert!(far.holds_at(&size));
        let case = far.case(&size, &BigInt::from(20_000)).unwrap();
        let roots = far.roots.iter().filter(|root| case.misses.vars().contains(&root.var)).count();
        assert!((1..=2).contains(&roots) && case.misses.terms().len() <= most, "{}: {case:?}", model.function);
    }
}
