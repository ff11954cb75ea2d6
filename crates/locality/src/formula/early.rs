//! Earlier borders between segments.
//!
//! A segment that begins with a root q, where the first point of a class no longer exceeds the threshold, often gives
//! the count before it, too: with q one less than its least value, or with its greatest value if roots fall with the
//! threshold, no sum changes. Where the root of its family is that small, or that large, the border can be earlier.
//! Borders of the residues of an iterator, one after the other, so become one.

use num_traits::{One, Signed};
use symloc_quasi::{Poly, Rational, Var};

use crate::formula::joined::{ResidueRoot, RootFamily};
use crate::formula::member::{Above, Segment};
use crate::formula::root::ThresholdRoot;
use crate::formula::threshold::Near;

/// The largest number of values of a root below its least one.
const MAX_VALUES: u32 = 8;

/// A border that can be earlier.
struct MovableBorder {
    class: usize,
    segment: usize,
    /// The earliest threshold.
    earliest: Poly,
    at: Poly,
    place: Rational,
}

/// Moves borders to few thresholds.
pub(super) fn move_borders(
    found: &mut [Vec<Segment>],
    roots: &[ThresholdRoot],
    families: &[RootFamily],
    near: &mut Near<'_>,
) {
    let mut movable: Vec<MovableBorder> = Vec::new();
    for (class, segments) in found.iter().enumerate() {
        for segment in 1..segments.len() {
            let earliest = earliest(&segments[segment - 1], &segments[segment], roots, families, near);
            movable.extend(earliest.map(|earliest| {
                let at = segments[segment].from.clone();
                MovableBorder { class, segment, earliest, place: at.evaluate(near.sizes()), at }
            }));
        }
    }
    // The first border that has to be passed takes all others with it that can be as early. Those that are numbers
    // stay apart: small caches have few rows.
    movable.sort_by(|a, b| a.place.cmp(&b.place));
    let mut target: Option<Poly> = None;
    for border in movable {
        let segments = &mut found[border.class];
        let follows = |at: &Poly, near: &Near<'_>| {
            [&border.earliest, &segments[border.segment - 1].from].iter().all(|earlier| near.holds(&(at - earlier)))
        };
        let is_number = |at: &Poly| at.as_constant().is_some();
        let alike = |at: &&Poly| is_number(at) == is_number(&border.at);
        match target.as_ref().filter(alike).filter(|target| follows(target, near)) {
            Some(at) => {
                near.require_of_sizes(&(at - &border.earliest));
                near.require_of_sizes(&(at - &segments[border.segment - 1].from));
                near.require_of_sizes(&(&border.at - at));
                segments[border.segment].from = at.clone();
            }
            None => target = Some(border.at),
        }
    }
}

/// Returns the earliest threshold from which on a segment gives the count of the one before, too; `None` if it gives
/// another one.
fn earliest(
    before: &Segment,
    segment: &Segment,
    roots: &[ThresholdRoot],
    families: &[RootFamily],
    near: &mut Near<'_>,
) -> Option<Poly> {
    let (Above::Sums([earlier, _]), Above::Sums([count, _])) = (&before.above, &segment.above) else { return None };
    let (known, mentioned) = (earlier.vars(), count.vars());
    let is_new = |root: &&ThresholdRoot| mentioned.contains(&root.var) && !known.contains(&root.var);
    let new: Vec<&ThresholdRoot> = roots.iter().filter(is_new).collect();
    let new: Vec<IdleRoot<'_>> = new.into_iter().map(|root| IdleRoot::new(root, near)).collect::<Option<_>>()?;
    // Just before the border all points exceed the threshold.
    let last = &segment.from - &Poly::one();
    let firsts: Vec<Poly> = new.iter().map(|root| root.idle(&last, near.threshold())).collect();
    if new.is_empty() || firsts.iter().any(|first| !near.holds(first)) {
        return None;
    }
    let start: Vec<(Var, Poly)> = new.iter().map(|idle| (idle.root.var, idle.value(0))).collect();
    if count.with_values(&start) != *earlier {
        return None;
    }
    firsts.iter().for_each(|first| near.require_of_sizes(first));
    let mut bound = Poly::zero();
    for idle in new {
        let others: Vec<_> = start.iter().filter(|(var, _)| *var != idle.root.var).cloned().collect();
        let alone = count.with_values(&others);
        // The terms of different roots add up.
        let is_equal = |steps: &u32| alone.with_value(idle.root.var, &idle.value(*steps)) == *earlier;
        let steps = (0..MAX_VALUES).take_while(is_equal).last()?;
        if let Some(own) = idle.earliest(steps, families, near)?
            && near.decide_of_sizes(&(&own - &bound))
        {
            bound = own;
        }
    }
    Some(bound)
}

/// A root before the threshold at which it begins to count.
struct IdleRoot<'r> {
    root: &'r ThresholdRoot,
    /// True if roots rise with the threshold.
    rises: bool,
}

impl<'r> IdleRoot<'r> {
    /// Returns the root; `None` if its polynomial is not a threshold and a polynomial in the sizes and the root.
    fn new(root: &'r ThresholdRoot, near: &Near<'_>) -> Option<Self> {
        let (slope, rest) = root.excess.split_slope(near.threshold());
        let is_alone = slope.abs().is_one() && !rest.vars().contains(&near.threshold());
        is_alone.then(|| Self { root, rises: slope.is_positive() })
    }

    /// Returns a polynomial that is not negative where the root is idle: no point of its range is passed, or all are.
    fn idle(&self, at: &Poly, threshold: Var) -> Poly {
        let end = if self.rises { &self.root.least } else { &self.root.greatest };
        let excess = self.root.excess.with_value(self.root.var, end).with_value(threshold, at);
        if self.rises { &-&excess - &Poly::one() } else { excess }
    }

    /// Returns a value of the root where it is idle, some steps beyond its range.
    fn value(&self, steps: u32) -> Poly {
        match self.rises {
            true => &self.root.least - &Poly::integer(steps + 1),
            false => &self.root.greatest + &Poly::integer(steps),
        }
    }

    /// Returns the threshold from which on the root of the family is at most so many steps beyond this one's range;
    /// the first `None` if it is not known, the second one if that is so for all thresholds.
    fn earliest(&self, steps: u32, families: &[RootFamily], near: &mut Near<'_>) -> Option<Option<Poly>> {
        let is_own = |member: &&ResidueRoot| member.var == self.root.var;
        let (family, member) =
            families.iter().find_map(|family| Some((family, family.members.iter().find(is_own)?)))?;
        let joined = family.roots.get(member.root)?;
        let modulus = Rational::from_integer(family.modulus.clone());
        // The first place that is too far.
        let last = if self.rises { self.value(steps) } else { self.value(steps + 1) };
        let place = &last.scale(&modulus) + &Poly::integer(member.residue.clone());
        let beyond = match self.rises {
            true => &(&joined.least - &Poly::one()) - &place,
            false => &(&place - &Poly::one()) - &joined.greatest,
        };
        if near.decide_of_sizes(&beyond) {
            return Some(None);
        }
        let (_, rest) = joined.excess.with_value(joined.var, &place).split_slope(near.threshold());
        let whole = near.rounded(&rest);
        Some(Some(if self.rises { -&whole } else { &whole + &Poly::one() }))
    }
}
