//! `symloc formula`: the misses as formulas against the misses that the evaluator counts, at random sizes and caches.
//!
//! At every size the formulas near it must hold, and say what `query` says. Those for large sizes must say it wherever their
//! conditions hold. Sums that no polynomial counts are added up point by point.

#![allow(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

mod common;

use std::path::PathBuf;

use common::symloc;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use symloc_locality::formula::{Case, MissFormulas, Sum};
use symloc_locality::{Measure, stack_places};
use symloc_model::{LineChoice, LineModel, Model, Sizes};
use symloc_quasi::{Int, Poly, Rational};

/// Random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    /// Small ones as often as large ones.
    fn size(&mut self, end: u64) -> u64 {
        let bits = u64::from(end.ilog2()) + 1;
        let below = 1 << (1 + self.below(bits));
        1 + self.below(below.min(end))
    }
}

fn derived(kernel: &str) -> Model {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("formula-{kernel}.loc.json"));
    let path = path.to_str().unwrap();
    let (_, errors, status) = symloc(&["derive", &format!("polybench/{kernel}.mlir"), "--exact", "-o", path]);
    assert_eq!(status, Some(0), "{errors}");
    Model::load(path.as_ref()).unwrap()
}

fn value(poly: &Poly, point: &[BigInt]) -> BigInt {
    let value = poly.evaluate(point);
    assert!(value.is_integer(), "{value} at {point:?}");
    value.to_integer()
}

/// What a formula says at a size and a threshold; nothing if it does not hold there.
fn misses(formulas: &MissFormulas, size: &[BigInt], threshold: &BigInt) -> Option<BigInt> {
    if !formulas.hold_at(size) {
        return None;
    }
    let case = formulas.case(size, threshold).unwrap();
    let point = [size, std::slice::from_ref(threshold)].concat();
    let within = |sum: &&Sum| {
        value(&sum.from, size) <= *threshold && sum.to.as_ref().is_none_or(|to| value(to, size) > *threshold)
    };
    let open = formulas.sums.iter().filter(within).map(|sum| above(sum, &point)).sum::<BigInt>();
    Some(value(&case.misses, &point) + open)
}

/// The accesses of a class with values above the threshold, point by point.
fn above(sum: &Sum, point: &[BigInt]) -> BigInt {
    let class = &sum.class;
    let depth = point.len() + class.iterators.len();
    fn walk(sum: &Sum, point: &mut Vec<BigInt>, first: usize, depth: usize, total: &mut BigInt) {
        let class = &sum.class;
        if point.len() == depth {
            let holds = class.domain.iter().all(|c| c.relation.holds(c.poly.evaluate(point).cmp(&Rational::zero())));
            if holds && class.value.evaluate(point) > Rational::from_integer(point[first - 1].clone()) {
                *total += value(&class.count, point);
            }
            return;
        }
        let bounds = &class.bounds[point.len() - first];
        let lower = bounds.lower.iter().map(|bound| bound.evaluate(point).ceil().to_integer()).max().unwrap();
        let upper = bounds.upper.iter().map(|bound| bound.evaluate(point).floor().to_integer()).min().unwrap();
        let mut at = lower;
        while at <= upper {
            point.push(at.clone());
            walk(sum, point, first, depth, total);
            point.pop();
            at += 1;
        }
    }
    let mut total = BigInt::zero();
    walk(sum, &mut point.to_vec(), point.len(), depth, &mut total);
    total
}

/// Compares both kinds of formulas with the evaluator at so many random sizes and caches; how often those for large
/// sizes held.
fn check_lru(kernel: &str, largest: u64, times: usize) -> usize {
    let model = derived(kernel);
    let line: LineModel = stack_places(&model.lines[0]).unwrap();
    let far: Vec<MissFormulas> = MissFormulas::all(&model, &line, Measure::Places).unwrap().collect();
    let evaluator = model.evaluator(LineChoice::Only).unwrap();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut held = 0;
    for _ in 0..times {
        let sizes: Vec<(String, i64)> =
            model.parameters.iter().map(|name| (name.clone(), random.size(largest) as i64)).collect();
        let lru = evaluator.lru(&sizes.iter().cloned().collect::<Sizes>()).unwrap().unwrap();
        let blocks = lru.blocks().to_i128().unwrap() as u64;
        let cache = random.size(blocks + blocks / 4 + 2) - 1;
        let expected = lru.misses(&Int::from(cache)).total().to_string();
        let place = format!("{kernel} at {sizes:?} with {cache} lines");
        let point: Vec<i128> = sizes.iter().map(|(_, size)| i128::from(*size)).collect();
        let size: Vec<BigInt> = point.iter().map(|size| BigInt::from(*size)).collect();
        let near = MissFormulas::near(&model, &line, Measure::Places, &point).unwrap();
        let found = misses(&near, &size, &cache.into()).unwrap_or_else(|| panic!("{place}: do not hold nearby"));
        assert_eq!(found.to_string(), expected, "{place}, nearby");
        if let Some(found) = far.iter().find_map(|formulas| misses(formulas, &size, &cache.into())) {
            assert_eq!(found.to_string(), expected, "{place}, far out");
            held += 1;
        }
    }
    held
}

#[test]
fn formulas_say_what_query_says() {
    for (kernel, largest) in
        [("gemm", 2000), ("atax", 2000), ("jacobi-2d", 2000), ("trisolv", 2000), ("cholesky", 400), ("lu", 200)]
    {
        let start = std::time::Instant::now();
        let held = check_lru(kernel, largest, 200);
        println!("{kernel}: those for large sizes held {held} times, {:?}", start.elapsed());
    }
}
