//! `symloc formula`: compares the formulas of misses with the evaluator, at random sizes and caches.
//!
//! At each size the formulas near it must hold and give the misses of `query`. Those for large sizes must do so
//! wherever their conditions hold. Sums without a polynomial are added up point by point.

use crate::common::{model, nothing_from, share};
use num_bigint::BigInt;
use num_traits::Zero;
use symloc_evaluate::{Evaluator, MissModel};
use symloc_locality::formula::{MissFormulas, Sum};
use symloc_locality::{Measure, stack_places, written_back_places};
use symloc_model::{LineChoice, LineModel, Model, NamedSizes};
use symloc_quasi::{Int, Poly, Quotient, Rational};

/// A generator of random numbers (xorshift).
struct Xorshift(u64);

impl Xorshift {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    /// Returns a size from 1 to `end`; all orders of magnitude are about equally likely.
    fn size(&mut self, end: u64) -> u64 {
        let bits = u64::from(end.ilog2()) + 1;
        let below = 1 << (1 + self.below(bits));
        1 + self.below(below.min(end))
    }
}

fn derived(kernel: &str) -> Model {
    Model::load(model(&[&format!("polybench/{kernel}.mlir"), "--exact"]).unwrap().as_ref()).unwrap()
}

fn value(poly: &Poly, point: &[BigInt]) -> BigInt {
    let value = poly.evaluate(point);
    assert!(value.is_integer(), "{value} at {point:?}");
    value.to_integer()
}

/// Returns the misses by the formulas at a size and a threshold; `None` if they do not hold there.
fn misses(formulas: &MissFormulas, size: &[BigInt], threshold: &BigInt) -> Option<BigInt> {
    if !formulas.holds_at(size) {
        return None;
    }
    let case = formulas.case(size, threshold).unwrap();
    let known = [size, std::slice::from_ref(threshold)].concat();
    let within = |sum: &Sum| {
        value(&sum.from, size) <= *threshold && sum.to.as_ref().is_none_or(|to| value(to, size) > *threshold)
    };
    let named: Vec<usize> = (0..formulas.sums.len()).filter(|sum| within(&formulas.sums[*sum])).collect();
    assert_eq!(case.sums, named, "{size:?}, {threshold}");
    let counted = |sum: &usize| {
        let sum = &formulas.sums[*sum];
        let counted = above(sum, &known);
        assert!(sum.value(&known).is_none_or(|in_rows| in_rows == counted), "{size:?}, {threshold}");
        assert!(sum.at_most.as_ref().is_none_or(|most| counted <= value(most, size)), "{size:?}, {threshold}");
        counted
    };
    let open = case.sums.iter().map(counted).sum::<BigInt>();
    Some(value(&case.misses, &formulas.point(size, threshold)) + open)
}

/// Counts the accesses of a class with values above the threshold, point by point.
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

/// Returns Denning's window of a cache: the largest x with N·s(x) ≤ N·C. `None` if the working set is not known there.
fn window(formulas: &MissFormulas, size: &[BigInt], lines: &BigInt) -> Option<BigInt> {
    let lines = Rational::from_integer(lines.clone());
    let at = |quotient: &Quotient| quotient.numerator().evaluate(size) / quotient.denominator().evaluate(size);
    let begins = |index: &usize| formulas.smallest_cache(*index).is_some_and(|cache| at(&cache) <= lines);
    let index = (0..formulas.cases.len()).rev().find(begins)?;
    let case = &formulas.cases[index];
    let from = value(&case.from, size);
    let Some(to) = &case.to else { return Some(from) };
    let working_set = case.working_set.as_ref()?;
    let fits = |x: &BigInt| {
        let point = [size, std::slice::from_ref(x)].concat();
        working_set.evaluate(&point) <= formulas.accesses.evaluate(size) * &lines
    };
    let (mut fitting, mut excess) = (from, value(to, size));
    while &excess - &fitting > 1.into() {
        let middle = (&fitting + &excess) / 2;
        if fits(&middle) { fitting = middle } else { excess = middle }
    }
    Some(fitting)
}

/// A size at which formulas are compared with the evaluator.
struct SampledSize {
    sizes: NamedSizes,
    point: Vec<i128>,
    cache: u64,
    text: String,
}

impl SampledSize {
    fn random(model: &Model, random: &mut Xorshift, [least, largest]: [u64; 2]) -> Self {
        let mut size = || (least - 1 + random.size(largest + 1 - least)) as i64;
        let sizes: Vec<(String, i64)> = model.parameters.iter().map(|name| (name.clone(), size())).collect();
        let point = sizes.iter().map(|(_, size)| i128::from(*size)).collect();
        let text = format!("{} at {sizes:?}", model.function);
        let sizes: NamedSizes = sizes.into_iter().collect();
        let evaluator = Evaluator::new(model, LineChoice::Only).unwrap();
        let blocks = evaluator.predict(MissModel::Denning, &sizes).unwrap().blocks().to_i128().unwrap() as u64;
        let cache = random.size(blocks + blocks / 4 + 2) - 1;
        Self { sizes, point, cache, text: format!("{text} with {cache} lines") }
    }

    fn size(&self) -> Vec<BigInt> {
        self.point.iter().map(|size| BigInt::from(*size)).collect()
    }
}

/// The formulas for large sizes, derived one vector of remainders after the other until one holds at a size.
struct FarFormulas<I> {
    known: Vec<MissFormulas>,
    others: I,
}

impl<I: Iterator<Item = MissFormulas>> FarFormulas<I> {
    fn misses(&mut self, size: &[BigInt], threshold: &BigInt) -> Option<BigInt> {
        let Self { known, others } = self;
        let found = known.iter().find_map(|formulas| misses(formulas, size, threshold));
        found.or_else(|| {
            others.find_map(|formulas| {
                let found = misses(&formulas, size, threshold);
                known.push(formulas);
                found
            })
        })
    }
}

/// Compares the formulas near random sizes, and those for `large` sizes, with the evaluator at random caches; returns
/// how often those for large sizes held.
fn check_lru(model: &Model, range: [u64; 2], times: usize, large: bool) -> usize {
    let line: LineModel = stack_places(&model.lines[0]).unwrap();
    let others = large.then(|| MissFormulas::all(model, &line, Measure::Places).unwrap());
    let mut far = FarFormulas { known: Vec::new(), others: others.into_iter().flatten() };
    let evaluator = Evaluator::new(model, LineChoice::Only).unwrap();
    let mut random = Xorshift(0x9e37_79b9_7f4a_7c15);
    let mut held = 0;
    for _ in 0..times {
        let place = SampledSize::random(model, &mut random, range);
        let lru = evaluator.predict(MissModel::Lru, &place.sizes).unwrap();
        let expected = lru.misses(&Int::from(place.cache)).unwrap().total().to_string();
        let near = MissFormulas::near(model, &line, Measure::Places, &place.point).unwrap();
        let found = misses(&near, &place.size(), &place.cache.into());
        assert_eq!(found.unwrap().to_string(), expected, "{}, nearby", place.text);
        if let Some(found) = far.misses(&place.size(), &place.cache.into()) {
            assert_eq!(found.to_string(), expected, "{}, far out", place.text);
            held += 1;
        }
    }
    held
}

/// Compares the formulas of Denning's model with the evaluator; returns how often the window of the cache was known.
fn check_denning(model: &Model, range: [u64; 2], times: usize) -> usize {
    let line = &model.lines[0];
    let evaluator = Evaluator::new(model, LineChoice::Only).unwrap();
    let mut random = Xorshift(0x2545_f491_4f6c_dd1d);
    let mut known = 0;
    for _ in 0..times {
        let place = SampledSize::random(model, &mut random, range);
        let near = MissFormulas::near(model, line, Measure::Intervals, &place.point).unwrap();
        let Some(window) = window(&near, &place.size(), &place.cache.into()) else { continue };
        let locality = evaluator.predict(MissModel::Denning, &place.sizes).unwrap();
        let expected = locality.misses(&Int::from(place.cache)).unwrap().total().to_string();
        let found = misses(&near, &place.size(), &window).unwrap();
        assert_eq!(found.to_string(), expected, "{}, window {window}", place.text);
        known += 1;
    }
    known
}

/// The kernels, with the range of sizes, the number of tries, and the least numbers of tries at which formulas for
/// large sizes hold and windows are known. Sums are added up point by point, which takes long for large sizes; where
/// sizes are too small for formulas for large ones, these are not derived.
const KERNELS: [(&str, [u64; 2], usize, [usize; 2]); 15] = [
    ("gemm", [1, 2000], 200, [40, 190]),
    ("atax", [1, 2000], 200, [60, 190]),
    ("jacobi-2d", [1, 2000], 200, [60, 150]),
    ("trisolv", [1, 2000], 200, [100, 100]),
    ("cholesky", [1, 150], 10, [0, 1]),
    ("cholesky", [1600, 1700], 2, [2, 0]),
    ("lu", [1, 60], 6, [0, 1]),
    ("lu", [2000, 2100], 1, [1, 0]),
    ("trmm", [1, 150], 5, [0, 0]),
    ("syrk", [1, 60], 5, [0, 1]),
    ("gramschmidt", [1, 60], 4, [0, 0]),
    ("gramschmidt", [300, 400], 4, [2, 0]),
    ("covariance", [1, 60], 6, [0, 0]),
    ("covariance", [140, 300], 4, [1, 0]),
    ("correlation", [1, 60], 3, [0, 0]),
];

#[test]
fn formulas_say_what_query_says() {
    nothing_from(share([0, 4], KERNELS.iter()), |(kernel, range, times, [far, windows])| {
        let model = derived(kernel);
        let (held, known) = (check_lru(&model, *range, *times, *far > 0), check_denning(&model, *range, *times));
        println!("{kernel} {range:?}: those for large sizes held {held} times, windows were known {known} times");
        (held < *far || known < *windows).then(|| format!("{kernel}: {held} and {known} times only"))
    });
}

/// Kernels with the range of sizes and the number of tries. What they write back does not depend on first touches.
const WRITE_BACKS: [(&str, &str, [u64; 2], usize); 6] = [
    ("jacobi-1d", "--element", [1, 2000], 60),
    ("gemm", "--line-bytes=64", [1, 500], 60),
    ("atax", "--line-bytes=64", [1, 2000], 60),
    ("trisolv", "--line-bytes=64", [1, 500], 40),
    ("jacobi-2d", "--element", [1, 300], 30),
    ("doitgen", "--element", [1, 100], 30),
];

#[test]
fn formulas_of_write_backs_say_what_query_says() {
    nothing_from(share([0, 6], WRITE_BACKS.iter()), |(kernel, line, range, times)| {
        let path = model(&[&format!("polybench/{kernel}.mlir"), "--exact", "--write-backs", line]).unwrap();
        let model = Model::load(path.as_ref()).unwrap();
        let line = written_back_places(&model.lines[0]).unwrap();
        let mut far =
            FarFormulas { known: Vec::new(), others: MissFormulas::all(&model, &line, Measure::Places).unwrap() };
        let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
        let mut random = Xorshift(0x9e37_79b9_7f4a_7c15);
        let (mut held, mut some) = (0, 0);
        for _ in 0..*times {
            let place = SampledSize::random(&model, &mut random, *range);
            let lru = evaluator.predict(MissModel::Lru, &place.sizes).unwrap();
            let writes = evaluator.writes(MissModel::Lru, &place.sizes).unwrap().unwrap();
            let expected = writes.write_backs(&lru, &Int::from(place.cache)).unwrap().to_string();
            let near = MissFormulas::near(&model, &line, Measure::Places, &place.point).unwrap();
            let found = misses(&near, &place.size(), &place.cache.into()).unwrap().to_string();
            assert_eq!(found, expected, "{}, nearby", place.text);
            some += usize::from(expected != "0");
            if let Some(found) = far.misses(&place.size(), &place.cache.into()) {
                assert_eq!(found.to_string(), expected, "{}, far out", place.text);
                held += 1;
            }
        }
        (held * 10 < *times || some * 4 < *times).then(|| format!("{kernel}: {held} held, {some} write back"))
    });
}
