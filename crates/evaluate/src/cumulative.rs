//! The cumulative histogram of some accesses: the number and the sum of their values up to x.
//!
//! A value is a reuse interval, or a position in the LRU stack. The sums over the [parts](crate::count) that lie wholly up to x
//! are prefix sums over the values at which parts end, the *rungs*; the parts astride x are evaluated by their own closed forms.
//! From one rung to the next the same parts are astride.
//!
//! A part may have to search rows one by one, at large sizes very many. Queries that would search more rows than the limit on
//! points are refused.

use std::sync::{Arc, OnceLock};

use symloc_model::IntervalKind;
use symloc_quasi::Int;

use crate::count::{IntervalAtom, IntervalPart, Parts, Sums};
use crate::error::EvalError;

/// The largest number of rows and points that one query may visit, and the size for the error message.
#[derive(Debug)]
pub(crate) struct Limit {
    pub(crate) points: u64,
    /// The size, as shown in messages.
    pub(crate) sizes: String,
}

impl Limit {
    pub(crate) fn exceeded(&self) -> EvalError {
        EvalError::Limit { points: self.points, sizes: self.sizes.clone() }
    }
}

/// The accesses with a value up to some x.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Below {
    /// The number of accesses, of both kinds.
    pub(crate) count: Int,
    /// The number of real ones.
    pub(crate) real: Int,
    /// The sum of their values.
    pub(crate) weighted: Int,
}

impl Below {
    const NOTHING: Self = Self { count: Int::ZERO, real: Int::ZERO, weighted: Int::ZERO };

    fn add(&mut self, kind: IntervalKind, sums: &Sums) {
        self.count += &sums.count;
        self.weighted += &sums.weighted;
        if kind == IntervalKind::Real {
            self.real += &sums.count;
        }
    }
}

/// The cumulative histogram of some accesses.
#[derive(Debug)]
pub(crate) struct Cumulative {
    rungs: Vec<Rung>,
    parts: Vec<IntervalPart>,
    /// The values at which parts begin and end.
    ends: Vec<Int>,
    /// The parts astride the values from each end to the next.
    astride: Vec<OnceLock<Box<[u32]>>>,
    enumerated: u64,
    /// `None` if no query can exceed it.
    limit: Option<Arc<Limit>>,
}

/// A value at which the prefix sums grow, or at which a part begins or ends.
#[derive(Debug)]
struct Rung {
    value: Int,
    /// The sums over parts that end there or before.
    below: Below,
    /// The number of ends of parts up to it.
    ends: u32,
}

impl Cumulative {
    pub(crate) fn new(parts: Parts, limit: &Arc<Limit>) -> Self {
        let Parts { atoms, parts, enumerated } = parts;
        let mut ends: Vec<Int> = parts.iter().flat_map(|part| [part.low.clone(), part.high.clone()]).collect();
        ends.sort_unstable();
        ends.dedup();
        let steps = atoms.iter().map(RungStep::Atom).chain(parts.iter().map(RungStep::Part));
        let rungs = rungs(steps.chain(ends.iter().map(RungStep::End)).collect());
        let most = parts.iter().map(IntervalPart::most_searched).fold(0, i128::saturating_add);
        let limit = (most > i128::from(limit.points)).then(|| Arc::clone(limit));
        Self { rungs, astride: vec![OnceLock::new(); ends.len()], ends, parts, enumerated, limit }
    }

    /// Returns the sums over all accesses.
    pub(crate) fn all(&self) -> Below {
        self.up_to_rung(self.rungs.len())
    }

    /// Returns the number of points, or rows of points, that were enumerated to find the parts.
    pub(crate) fn enumerated(&self) -> u64 {
        self.enumerated
    }

    /// Returns the largest value.
    pub(crate) fn largest(&self) -> Int {
        self.rungs.last().map_or(Int::ZERO, |rung| rung.value.clone())
    }

    /// Returns the middle one of the rungs in `(low, high]`.
    pub(crate) fn rung_between(&self, low: &Int, high: &Int) -> Option<Int> {
        let (first, end) = (self.passed(low), self.passed(high));
        (first < end).then(|| self.rungs[first.midpoint(end)].value.clone())
    }

    /// Returns the sums over the accesses with a value up to `x`.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub(crate) fn below(&self, x: &Int) -> Result<Below, EvalError> {
        if let Some(limit) = &self.limit
            && self.searched(x) > i128::from(limit.points)
        {
            return Err(limit.exceeded());
        }
        let passed = self.passed(x);
        let mut below = self.up_to_rung(passed);
        let (mut real, mut imaginary) = (Sums::default(), Sums::default());
        for index in self.astride(passed) {
            let part = &self.parts[*index as usize];
            let sums = match part.kind {
                IntervalKind::Real => &mut real,
                IntervalKind::Imaginary => &mut imaginary,
            };
            sums.add(&part.up_to(x));
        }
        below.add(IntervalKind::Real, &real);
        below.add(IntervalKind::Imaginary, &imaginary);
        Ok(below)
    }

    /// Returns an upper bound of the number of rows and digits that are searched one by one for `x`.
    pub(crate) fn searched(&self, x: &Int) -> i128 {
        let astride = self.astride(self.passed(x)).iter();
        astride.map(|index| self.parts[*index as usize].searched(x)).fold(0, i128::saturating_add)
    }

    /// Returns the number of rungs up to `x`.
    fn passed(&self, x: &Int) -> usize {
        self.rungs.partition_point(|rung| rung.value <= *x)
    }

    /// Returns the prefix sums after the first `rungs` rungs.
    fn up_to_rung(&self, rungs: usize) -> Below {
        rungs.checked_sub(1).map_or(Below::NOTHING, |last| self.rungs[last].below.clone())
    }

    /// Returns the parts that begin at or before the last of the first `rungs` rungs, and end after it.
    fn astride(&self, rungs: usize) -> &[u32] {
        let ends = rungs.checked_sub(1).map_or(0, |last| self.rungs[last].ends);
        let Some(last) = (ends as usize).checked_sub(1) else { return &[] };
        self.astride[last].get_or_init(|| {
            let (end, indices) = (&self.ends[last], (0..).zip(&self.parts));
            indices.filter(|(_, part)| part.low <= *end && *end < part.high).map(|(i, _)| i).collect()
        })
    }
}

/// A number that adds to a rung, or a value that begins one.
#[derive(Clone, Copy)]
enum RungStep<'p> {
    Atom(&'p IntervalAtom),
    /// A part, at its largest value.
    Part(&'p IntervalPart),
    /// A value at which parts begin or end.
    End(&'p Int),
}

impl<'p> RungStep<'p> {
    fn value(self) -> &'p Int {
        match self {
            Self::Atom(atom) => &atom.interval,
            Self::Part(part) => &part.high,
            Self::End(value) => value,
        }
    }
}

fn rungs(mut steps: Vec<RungStep<'_>>) -> Vec<Rung> {
    steps.sort_unstable_by_key(|step| step.value());
    let (mut below, mut ends) = (Below::NOTHING, 0);
    let rung = |steps: &[RungStep<'_>]| {
        let value = steps[0].value();
        for step in steps {
            match step {
                RungStep::Atom(IntervalAtom { kind, count, .. }) => {
                    below.add(*kind, &Sums { count: count.clone(), weighted: value * count });
                }
                RungStep::Part(part) => below.add(part.kind, &part.total),
                RungStep::End(_) => ends += 1,
            }
        }
        Rung { value: value.clone(), below: below.clone(), ends }
    };
    steps.chunk_by(|a, b| a.value() == b.value()).map(rung).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formulas::ClassFormula;
    use symloc_model::{Bounds, CountPiece, Owner, ReuseClass};
    use symloc_quasi::{Constraint, Poly, Var};

    /// Returns the histogram of i·j + 1 for 0 ≤ i, j < n: a hyperbola is astride most rows.
    fn products(n: i128, points: u64) -> Cumulative {
        let [size, i, j] = [0, 1, 2].map(|var| Poly::var(Var(var)));
        let last = &size - &Poly::one();
        let bounds = || Bounds { lower: vec![Poly::zero()], upper: vec![last.clone()] };
        let ranges = [&i, &j].into_iter().flat_map(|x| [x.clone(), &last - x]);
        let piece = CountPiece {
            access: None,
            previous: None,
            bounds: vec![bounds(), bounds()],
            domain: ranges.map(Constraint::non_negative).collect(),
            count: Poly::one(),
        };
        let iterators = ["i", "j"].map(str::to_owned).to_vec();
        let value = &(&i * &j) + &Poly::one();
        let class = ReuseClass { kind: IntervalKind::Real, iterators, value, counts: vec![piece] };
        let mut parts = Parts::default();
        assert!(ClassFormula::all(&[class], Owner::Program, 1)[0].cut(&[n], &mut 1_000, &mut parts).is_ok());
        Cumulative::new(parts, &Arc::new(Limit { points, sizes: format!("n = {n}") }))
    }

    #[test]
    fn it_is_the_sum_over_all_points() {
        let values = products(40, 1_000);
        for x in [0, 1, 2, 100, 777, 1_521, 1_522, 2_000] {
            let below: Vec<i64> =
                (0..40).flat_map(|i| (0..40).map(move |j| i * j + 1)).filter(|value| *value <= x).collect();
            let (count, weighted) = (Int::from(below.len() as i64), Int::from(below.iter().sum::<i64>()));
            assert_eq!(values.below(&x.into()), Ok(Below { real: count.clone(), count, weighted }), "{x}");
        }
    }

    #[test]
    fn what_takes_too_many_rows_is_refused() {
        let n = 1_000_000;
        let (low, middle) = (Int::ZERO, Int::from(n * n / 4));
        let values = products(n, 1_000);
        let refused = values.below(&middle).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "limit: the evaluation visits more than 1000 points of free iterators at n = 1000000"
        );
        assert_eq!(values.below(&low).unwrap().count, Int::ZERO);
        assert_eq!(values.below(&Int::from(n * n)).unwrap().count, Int::from(n * n));
        let count = products(n, 1_000_000).below(&middle).unwrap().count;
        assert!(count > Int::from(n * n / 2) && count < Int::from(n * n));
    }
}
