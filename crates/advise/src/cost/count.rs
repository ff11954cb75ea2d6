//! Executions of the parts of a program at one size, estimated without running it.
//!
//! Knuth's estimator (*Estimating the efficiency of backtrack programs*, 1975): one random path through the loops, where
//! each loop has one of its iterations chosen, stands for as many executions as the product of the trip counts on it.
//! The mean over paths is the number of executions. Where trip counts do not vary one path is exact.

use std::collections::BTreeMap;

use symloc_affine::{Expr, IterId, Loop, Node, Program};

/// Estimated executions.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// By access, its executions.
    pub accesses: Vec<f64>,
    /// By loop, how often it is entered with at least one iteration.
    pub entries: BTreeMap<IterId, f64>,
    /// By loop, its iterations in all.
    pub iterations: BTreeMap<IterId, f64>,
    /// By loop, the mean trip count that its iterations see.
    pub trips: BTreeMap<IterId, f64>,
}

/// The paths that are drawn.
const PATHS: u32 = 3000;

impl Counts {
    /// Estimates the executions of a program's accesses, and the entries of its loops.
    pub fn of(program: &Program, sizes: &[i64]) -> Self {
        let counts = Self { accesses: vec![0.0; program.accesses.len()], ..Self::default() };
        let mut walk = Walk { sizes, iters: vec![0; program.iters.len()], random: 0x9e37_79b9_7f4a_7c15, counts };
        for _ in 0..PATHS {
            walk.nodes(&program.body, 1.0);
        }
        let mut counts = walk.counts;
        let all = f64::from(PATHS);
        counts.accesses.iter_mut().for_each(|count| *count /= all);
        counts.entries.values_mut().for_each(|count| *count /= all);
        counts.trips.iter_mut().for_each(|(iter, squares)| *squares /= counts.iterations[iter]);
        counts.iterations.values_mut().for_each(|count| *count /= all);
        counts
    }
}

struct Walk<'w> {
    sizes: &'w [i64],
    iters: Vec<i128>,
    random: u64,
    /// The sums over the paths; `trips` has the sum of squared trip counts until the end.
    counts: Counts,
}

impl Walk<'_> {
    fn nodes(&mut self, nodes: &[Node], weight: f64) {
        for node in nodes {
            match node {
                Node::Access(id) => self.counts.accesses[id.index()] += weight,
                Node::Operations(_) | Node::Mark(_) => {}
                Node::If(guard) => {
                    let holds = guard.condition.iter().all(|constraint| {
                        constraint.holds(&|param| self.size(param.index()), &|iter| self.iters[iter.index()])
                            == Some(true)
                    });
                    self.nodes(if holds { &guard.then } else { &guard.otherwise }, weight);
                }
                Node::Loop(l) => self.run(l, weight),
            }
        }
    }

    fn run(&mut self, l: &Loop, weight: f64) {
        let lower = l.lower.iter().filter_map(|bound| self.value(bound)).max().unwrap_or(0);
        let upper = l.upper.iter().filter_map(|bound| self.value(bound)).min().unwrap_or(0);
        if lower >= upper {
            return;
        }
        let step = i128::from(l.step.at(self.sizes).unwrap_or(1));
        let trips = (upper - lower + step - 1) / step;
        *self.counts.entries.entry(l.iter).or_default() += weight;
        *self.counts.iterations.entry(l.iter).or_default() += weight * trips as f64;
        *self.counts.trips.entry(l.iter).or_default() += weight * (trips as f64).powi(2);
        self.iters[l.iter.index()] = lower + step * i128::from(self.draw(u64::try_from(trips).unwrap_or(u64::MAX)));
        self.nodes(&l.body, weight * trips as f64);
    }

    fn value(&self, expr: &Expr) -> Option<i128> {
        expr.eval(&|param| self.size(param.index()), &|iter| self.iters[iter.index()])
    }

    fn size(&self, param: usize) -> i128 {
        self.sizes.get(param).map_or(0, |size| i128::from(*size))
    }

    /// Returns a number below `bound` (xorshift; multiplied and shifted, which is even enough here).
    fn draw(&mut self, bound: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        ((u128::from(self.random) * u128::from(bound)) >> 64) as u64
    }
}
