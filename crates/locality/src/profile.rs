//! The profile of a program: the caches at which its miss ratio changes, and the miss ratio between them.
//!
//! In leading terms a program has few caches at which its miss ratio changes. Classes whose intervals agree there, or
//! whose ranges of intervals overlap, are one row. At a *step* both ends of the row are one cache; at a *ramp* the miss
//! ratio falls from one end to the other. Ends and ratios are those of Denning's recursion ([`crate::table`]) with
//! integrals for sums (module `limit`):
//!
//! ```text
//! s(x) = ( Σ over intervals ≤ x of their sum  +  x · number of longer intervals ) / N
//! ```
//!
//! With reuse distances the cache is the place in the LRU stack itself. Rows at which the leading term of the miss ratio
//! stays the same are left out.

mod residues;
mod rows;

use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use symloc_model::{LineModel, Model, Owner, Reuse};
use symloc_quasi::{Constraint, Poly, Quotient, Rational};

use crate::error::LocalityError;
use crate::growth::Growth;
use crate::limit::item::{KnownItems, at_ones};
use crate::measure::Measure;
use crate::pieces::{Counts, Held, Pieces};
use crate::profile::residues::{SizeOrder, View, agreed};
use crate::profile::rows::LimitClasses;
use crate::regime::{FarOut, some, stack_places};
use crate::scale::Direction;

/// The profile of a program at large sizes.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The parameters from the largest to the smallest.
    pub order: Vec<usize>,
    /// The number of parameters, from the first on, that grow faster than every power of the others.
    pub faster: usize,
    /// The condition that distinguishes these residues from the others; empty if there are no others.
    pub distinction: String,
    /// The conditions on the sizes under which the classes have these formulas.
    pub conditions: Vec<Constraint>,
    /// The leading term of N.
    pub accesses: Poly,
    /// The leading term of m, the number of blocks: in a cache of so many lines only first touches miss.
    pub blocks: Poly,
    /// The leading term of the number of floating-point operations, if it is [counted](Counts) and known.
    pub operations: Option<Poly>,
    /// The rows, by ascending caches.
    pub rows: Vec<Row>,
}

/// A range of caches in which the miss ratio falls.
#[derive(Clone, Debug)]
pub struct Row {
    /// The caches in blocks from and to which it falls: leading terms. The first is zero if the fall starts at caches of a lower order.
    pub cache: [Quotient; 2],
    /// The least and the greatest interval, or distance: leading terms.
    pub interval: [Quotient; 2],
    /// The leading term of the portion of the accesses that have such an interval.
    pub portion: Quotient,
    /// The leading term of the miss ratio before and after.
    pub miss_ratio: [Quotient; 2],
    /// The miss ratio in a cache half way between the two, at equal sizes; `None` if they are one cache.
    pub middle: Option<Quotient>,
    /// The reuses that hit from here on, each with its share of them at sizes that are alike, the largest first.
    pub reuses: Vec<(Reuse, Rational)>,
}

impl Profile {
    /// Reduces the profile to at most so many rows, by joining neighbours at which the miss ratio falls least.
    #[must_use]
    pub fn condensed(&self, rows: usize) -> Self {
        let mut condensed = self.clone();
        while condensed.rows.len() > rows.max(1) {
            let pairs = condensed.rows.windows(2).map(|pair| pair[0].drop() + pair[1].drop()).enumerate();
            let Some((least, _)) = pairs.min_by(|(_, a), (_, b)| a.cmp(b)) else { break };
            let next = condensed.rows.remove(least + 1);
            condensed.rows[least].join(next);
        }
        condensed
    }

    /// Returns the largest parameter, which may stand for all if they grow alike; `None` if some grow faster.
    pub fn largest(&self) -> Option<usize> {
        self.order.first().copied().filter(|_| self.faster == 0)
    }

    /// Returns the operations per byte read by a cache larger than a row's; `None` if they are not known.
    pub fn intensity(&self, row: &Row, line: &LineModel) -> Option<Quotient> {
        let bytes = Poly::integer(line.line_bytes?);
        let [_, ratio] = &row.miss_ratio;
        let read = &(&self.accesses * ratio.numerator()) * &bytes;
        Quotient::new(self.operations.as_ref()? * ratio.denominator(), read)
    }
}

/// Evaluates a quotient of leading terms where all parameters are one size: returns a factor and the power of this size.
pub fn at_equal_sizes(quotient: &Quotient) -> (Rational, i64) {
    let (numerator, denominator) = (quotient.numerator(), quotient.denominator());
    let factor = at_ones(numerator) / at_ones(denominator);
    (factor, i64::from(numerator.degree()) - i64::from(denominator.degree()))
}

impl Row {
    fn agrees(&self, other: &Row) -> bool {
        self.cache == other.cache && self.miss_ratio == other.miss_ratio
    }

    /// Joins this row with the next one.
    fn join(&mut self, next: Row) {
        let weights = [self.drop(), next.drop()];
        let all = &weights[0] + &weights[1];
        if all.is_positive() {
            self.reuses.iter_mut().for_each(|(_, share)| *share *= &weights[0] / &all);
            for (reuse, share) in next.reuses {
                add(&mut self.reuses, reuse, share * &weights[1] / &all);
            }
            self.reuses.sort_by(|(_, a), (_, b)| b.cmp(a));
        }
        let ([_, to], [_, after], [_, greatest]) = (next.cache, next.miss_ratio, next.interval);
        self.interval[1] = greatest;
        if at_equal_sizes(&self.portion).1 == at_equal_sizes(&next.portion).1 {
            self.portion = &self.portion + &next.portion;
        }
        if self.cache[1] != to {
            self.middle = None;
        }
        (self.cache[1], self.miss_ratio[1]) = (to, after);
    }

    /// Returns the fall of the miss ratio at equal sizes; zero if it is of a lower order.
    fn drop(&self) -> Rational {
        let ratio = |ratio: &Quotient| match at_equal_sizes(ratio) {
            (factor, 0) => factor,
            _ => Rational::zero(),
        };
        ratio(&self.miss_ratio[0]) - ratio(&self.miss_ratio[1])
    }
}

/// Adds to the share of a reuse.
fn add(shares: &mut Vec<(Reuse, Rational)>, reuse: Reuse, more: Rational) {
    match shares.iter_mut().find(|(known, _)| *known == reuse) {
        Some((_, share)) => *share += more,
        None => shares.push((reuse, more)),
    }
}

/// Returns the profiles of reuse intervals in Denning's model, one for each set of residues that makes a difference.
///
/// # Errors
///
/// [`LocalityError::NoLimit`] if a domain has no leading terms, or as for [`regimes`](crate::regimes).
pub fn profiles(
    model: &Model,
    line: &LineModel,
    counts: Counts,
    growth: &Growth,
) -> Result<Vec<Profile>, LocalityError> {
    of(model, line, counts, growth, Measure::Intervals)
}

/// Returns the profiles of exact LRU; `None` if the model does not know all distances.
///
/// # Errors
///
/// As for [`profiles`].
pub fn lru_profiles(
    model: &Model,
    line: &LineModel,
    counts: Counts,
    growth: &Growth,
) -> Result<Option<Vec<Profile>>, LocalityError> {
    stack_places(line).map(|line| of(model, &line, counts, growth, Measure::Places)).transpose()
}

fn of(
    model: &Model,
    line: &LineModel,
    counts: Counts,
    growth: &Growth,
    measure: Measure,
) -> Result<Vec<Profile>, LocalityError> {
    let program = Pieces::new(model, line, Counts { by: Owner::Reuse, ..counts }, None)?;
    let far = FarOut::of(&program, model.variables(), growth, |periods| Some(some(periods)))?;
    let (order, all) = (far.order.clone(), far.residues.clone());
    let mut known = KnownItems::default();
    let mut views = Vec::new();
    for group in far.groups(&program) {
        let residues = all.only(group.iter().map(|sample| sample.residues.clone()).collect());
        let conditions = program.conditions(residues.clone());
        let Held { accesses, blocks, operations, classes, conditions } = program.at(&group[0].point, conditions);
        let sample: Vec<BigInt> = group[0].point.iter().map(|&v| BigInt::from(v)).collect();
        let direction = Direction { scales: growth.scales(model.variables()), sample };
        let limit = LimitClasses::new(&classes, [accesses, blocks], direction, measure, &mut known)?;
        let (rows, leading) = limit.rows().ok_or(LocalityError::NoLimit)?;
        let operations = operations.map(|operations| limit.leading(&operations));
        views.push(View {
            residues,
            conditions,
            accesses: limit.accesses,
            blocks: limit.blocks,
            operations,
            rows,
            leading,
        });
    }
    let faster = order.iter().filter(|parameter| growth.is_fast(**parameter)).count();
    Ok(agreed(views, &all, SizeOrder { parameters: order, faster }, &model.names()))
}
