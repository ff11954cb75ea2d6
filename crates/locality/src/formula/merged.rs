//! One root for a family of roots whose polynomials differ by numbers.
//!
//! With p the polynomial of the largest root r, let that of another one, r′, be p − d for a number d. If p falls by
//! at least d from r − 1 to r, then r′ is r where `p(r) ≥ d`, and else r − 1. So r and the slack p(r) determine all
//! roots of the family. [`MergedRange`] has the thresholds for which that is so, and [`split`] splits cases there.

use num_traits::{One, Signed};
use symloc_quasi::{Poly, Var};

use crate::formula::between::not_negative;
use crate::formula::case::{Case, is_wide};
use crate::formula::joined::RootFamily;
use crate::formula::threshold::Near;

/// The largest number of places at either end of a range that are left out.
const MAX_MARGIN: i64 = 100;

/// The thresholds for which the largest root of a family determines the others.
#[derive(Clone, Debug, Default)]
pub(super) struct MergedRange {
    from: Option<Poly>,
    to: Option<Poly>,
}

impl MergedRange {
    /// Returns the range of a family; `None` if none is found.
    pub(super) fn of(family: &RootFamily, near: &mut Near<'_>) -> Option<Self> {
        let first = family.roots.first()?;
        let drop = Poly::constant(family.offsets.last()?.clone());
        let (slope, rest) = first.excess.split_slope(near.threshold());
        if !slope.abs().is_one() || rest.vars().contains(&near.threshold()) {
            return None;
        }
        if drop.is_zero() {
            return Some(Self::default());
        }
        let at = |place: &Poly| rest.with_value(first.var, place);
        let fall = &rest - &at(&(&Poly::var(first.var) + &Poly::one()));
        let margins = (0..=MAX_MARGIN).flat_map(|size| [[size, 0], [0, size]]);
        let both = (0..=MAX_MARGIN).map(|size| [size, size]);
        for [low, high] in margins.chain(both) {
            let ends = [&first.least + &Poly::integer(low), &first.greatest - &Poly::integer(high)];
            let last = [ends[0].clone(), &ends[1] - &Poly::one()];
            let Some(conditions) = not_negative(near, &(&fall - &drop), first.var, &last) else { continue };
            conditions.iter().for_each(|condition| near.require_of_sizes(condition));
            let whole = |place: &Poly| near.rounded(&at(&(place + &Poly::one())));
            return Some(match slope.is_positive() {
                true => Self { from: Some(-&whole(&ends[0])), to: (high > 0).then(|| -&whole(&ends[1])) },
                false => Self {
                    from: (high > 0).then(|| &whole(&ends[1]) + &Poly::one()),
                    to: Some(&whole(&ends[0]) + &Poly::one()),
                },
            });
        }
        None
    }

    /// Returns true if a case is within the range, at the sample.
    pub(super) fn holds(&self, case: &Case, near: &Near<'_>) -> bool {
        self.from.as_ref().is_none_or(|from| near.holds(&(&case.from - from)))
            && self.to.as_ref().is_none_or(|to| case.to.as_ref().is_some_and(|end| near.holds(&(to - end))))
    }

    fn ends(&self) -> impl Iterator<Item = &Poly> {
        self.from.iter().chain(&self.to)
    }
}

/// Splits cases at the ends of the ranges of those families that they mention.
pub(super) fn split(
    cases: Vec<Case>,
    families: &[(RootFamily, Option<MergedRange>)],
    near: &mut Near<'_>,
) -> Vec<Case> {
    let mut split = Vec::new();
    for case in cases {
        let mut rest = vec![case];
        for (family, range) in families {
            let variables: Vec<Var> = family.members.iter().map(|member| member.var).collect();
            let mentions = |case: &Case| case.misses.vars().iter().any(|var| variables.contains(var));
            if !rest.iter().any(mentions) {
                continue;
            }
            for end in range.iter().flat_map(MergedRange::ends) {
                rest = rest.into_iter().flat_map(|case| cut(case, end, near)).collect();
            }
        }
        split.extend(rest);
    }
    split
}

/// Splits a case at a threshold, if it lies inside.
fn cut(case: Case, at: &Poly, near: &mut Near<'_>) -> Vec<Case> {
    let before = at - &case.from;
    if !near.holds(&(&before - &Poly::one())) {
        near.require_of_sizes(&-&before);
        return vec![case];
    }
    let behind = case.to.as_ref().map(|to| to - at);
    if let Some(behind) = behind.as_ref().filter(|behind| !near.holds(&(*behind - &Poly::one()))) {
        near.require_of_sizes(&-behind);
        return vec![case];
    }
    near.require_of_sizes(&before);
    behind.iter().for_each(|behind| near.require_of_sizes(behind));
    let first = Case { to: Some(at.clone()), ..case.clone() };
    let last = Case { from: at.clone(), ..case };
    [first, last]
        .into_iter()
        .map(|case| Case { is_wide: is_wide(near.sizes(), &case.from, case.to.as_ref()), ..case })
        .collect()
}
