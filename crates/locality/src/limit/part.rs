//! A class in the limit.
//!
//! From the outermost iterator on, an iterator whose bounds differ by a constant is [short](Short); the others grow like the distance of
//! their narrowest pair of bounds. Then residues are taken one by one where a quantity depends on them to leading order
//! ([`Scales::cancels`]): a congruence as a constraint, a count of lines that is one or zero. Each residue of a growing iterator has the
//! same share of its values.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use symloc_model::{Bounds, IntervalKind, Reuse};
use symloc_quasi::{Atom, Constraint, Poly, Rational, Relation, Var};

use crate::class::Class;
use crate::limit::short::Short;
use crate::residue::{Periods, Residues};
use crate::scale::{Direction, Scales, flat};
use symloc_polyhedra::{Halfspace, Polytope};

/// The largest number of parts of a class.
const MAX_PARTS: u64 = 1 << 14;

/// Accesses of one class whose intervals and counts are single polynomials in the limit.
#[derive(Clone, Debug)]
pub(crate) struct LimitPart {
    pub(crate) reuse: Option<Reuse>,
    pub(crate) kind: IntervalKind,
    /// The leading term of the interval, in the parameters and the iterators that grow.
    pub(crate) value: Poly,
    /// Its weight.
    pub(crate) weight: u64,
    /// The leading term of the number of accesses at each place.
    pub(crate) count: Poly,
    /// The iterators that grow.
    pub(crate) variables: Vec<Var>,
    /// The half-spaces that bound them.
    pub(crate) faces: Vec<Halfspace>,
    /// The region bounded by the faces, as simplices.
    pub(crate) polytope: Polytope,
}

/// The parts of a class, and the moduli in which they depend on the parameters.
#[derive(Clone, Debug)]
pub(crate) struct LimitParts {
    pub(crate) parts: Vec<LimitPart>,
    pub(crate) periods: Periods,
}

/// A class that is being taken apart.
#[derive(Clone)]
struct Open {
    class: Class,
    /// The weights of the parameters and of the iterators before `depth`.
    scales: Scales,
    depth: usize,
    short: Vec<Short>,
}

impl Open {
    /// Replaces an iterator by its distance from a bound.
    fn shift(&mut self, iterator: Var, from: &Poly) {
        let moved = from + &Poly::var(iterator);
        self.class = self.class.map(&|poly| poly.with_value(iterator, &moved));
    }
}

impl LimitParts {
    /// Returns the parts of a class far out in the direction of a sample, without those whose number of accesses has less than the least
    /// weight; `None` if its domain is not described by linear constraints, or in too many cases.
    pub(crate) fn of(class: &Class, Direction { scales, sample }: &Direction, least: u64) -> Option<Self> {
        let mut breaking = Breaking {
            parameters: scales.len(),
            sample,
            places: BTreeMap::new(),
            periods: vec![1; scales.len()],
            budget: MAX_PARTS,
        };
        if most(class, scales)? >= least {
            breaking.unfold(Open { class: class.clone(), scales: scales.clone(), depth: 0, short: Vec::new() })?;
        }
        Some(breaking.parts(class))
    }
}

struct Breaking<'s> {
    parameters: usize,
    sample: &'s [BigInt],
    /// The densities at each place: the iterators that grow, and the half-spaces that bound them.
    places: BTreeMap<(Vec<Var>, Vec<Halfspace>), Vec<Density>>,
    periods: Vec<u64>,
    budget: u64,
}

/// Intervals and how many accesses have them at each point of a place, in leading terms.
struct Density {
    weight: u64,
    value: Poly,
    count: Poly,
}

impl Breaking<'_> {
    fn spend(&mut self, parts: u64) -> Option<()> {
        self.budget = self.budget.checked_sub(parts)?;
        Some(())
    }

    /// Gives every iterator a weight; those that do not grow have the weight 0, and begin at 0.
    fn unfold(&mut self, mut open: Open) -> Option<()> {
        let Some(bounds) = open.class.bounds.get(open.depth) else {
            return self.shorten(open, &Rational::one());
        };
        let IteratorRange { weight, lower, width } = IteratorRange::narrowest(bounds, &open.scales)?;
        let own = Var((self.parameters + open.depth) as u32);
        if weight > 0 {
            if open.scales.leading(&flat(&lower)).0 > weight {
                open.shift(own, &lower);
            }
            open.scales.push(weight);
            open.depth += 1;
            return self.unfold(open);
        }
        open.short.push(Short { var: own, longest: greatest(&width, &open.short)? });
        open.shift(own, &lower);
        open.scales.push(0);
        open.depth += 1;
        self.unfold(open)
    }

    /// Takes the values of short iterators one by one where the value matters, and counts them otherwise.
    fn shorten(&mut self, mut open: Open, share: &Rational) -> Option<()> {
        let Some(short) = open.short.pop() else { return self.settle(open, share, 0) };
        let (first, values) = short.values(&open.class)?;
        let at = |class: &Class, value: i64| class.map(&|poly| poly.with_value(short.var, &Poly::integer(value)));
        if values == 0 {
            return Some(());
        }
        if !short.matters(&open.class, &open.scales) {
            open.class = at(&open.class, first);
            return self.shorten(open, &(share * Rational::from_integer(values.into())));
        }
        self.spend(values)?;
        for value in first..first + i64::try_from(values).ok()? {
            self.shorten(Open { class: at(&open.class, value), ..open.clone() }, share)?;
        }
        Some(())
    }

    /// Takes residues one by one until nothing depends on them any more; `share` is the share of the residues taken so far.
    fn settle(&mut self, open: Open, share: &Rational, round: u32) -> Option<()> {
        let Open { class, scales, .. } = &open;
        let values = [&class.value, &class.count].into_iter().filter(|poly| scales.cancels(poly));
        let unsettled =
            |c: &&Constraint| scales.cancels(&c.poly) || (c.relation == Relation::Zero && !c.poly.floors().is_empty());
        let constraints = class.domain.iter().filter(unsettled).map(|c| &c.poly);
        let dependent: Vec<&Poly> = values.chain(constraints).collect();
        if dependent.is_empty() {
            return self.finish(open, share);
        }
        let periods = Periods::of(dependent.into_iter(), scales.len())?;
        if round > 4 {
            return None;
        }
        let iterators = self.parameters..scales.len();
        self.periods.iter_mut().enumerate().for_each(|(p, period)| *period = period.lcm(&periods.get(p)));
        let cases: u64 = iterators.clone().try_fold(1_u64, |product, i| product.checked_mul(periods.get(i)))?;
        self.spend(cases)?;
        let known = periods.residues_of(self.sample);
        let share = share / Rational::from_integer(cases.into());
        for case in Periods::new(iterators.map(|i| periods.get(i)).collect()).all() {
            let residues = Residues::new(periods.clone(), vec![[known.as_slice(), &case].concat()]);
            let class = open.class.map(&|poly| residues.resolve(poly));
            self.settle(Open { class, ..open.clone() }, &share, round + 1)?;
        }
        Some(())
    }

    fn finish(&mut self, open: Open, share: &Rational) -> Option<()> {
        let Open { class, scales, .. } = open;
        let growing = (self.parameters..scales.len()).filter(|&iterator| scales.of(iterator) > 0);
        let variables: Vec<Var> = growing.map(|iterator| Var(iterator as u32)).collect();
        let mut faces = Vec::new();
        for constraint in &class.domain {
            match self.face(constraint, &scales, &variables)? {
                Face::Everywhere => (),
                Face::Nowhere => return Some(()),
                Face::Half(face) if faces.contains(&face) => (),
                Face::Half(face) => faces.push(face),
            }
        }
        faces.sort();
        let (weight, value) = scales.leading(&flat(&class.value));
        let count = scales.leading(&flat(&class.count)).1.scale(share);
        let place = self.places.entry((variables, faces)).or_default();
        match place.iter_mut().find(|known| known.value == value) {
            Some(known) => known.count = &known.count + &count,
            None => place.push(Density { weight, value, count }),
        }
        Some(())
    }

    /// Returns the parts; densities with the same place and the same value become one part.
    fn parts(self, class: &Class) -> LimitParts {
        let mut parts = Vec::new();
        for ((variables, faces), densities) in self.places {
            let Some(polytope) = Polytope::new(&variables, &faces, self.sample) else { continue };
            for Density { weight, value, count } in densities.into_iter().filter(|density| !density.count.is_zero()) {
                parts.push(LimitPart {
                    reuse: class.reuse,
                    kind: class.kind,
                    value,
                    weight,
                    count,
                    variables: variables.clone(),
                    faces: faces.clone(),
                    polytope: polytope.clone(),
                });
            }
        }
        LimitParts { parts, periods: Periods::new(self.periods) }
    }

    /// Returns the limit of a constraint; `None` if it is not linear in the iterators, or holds on a plane only.
    fn face(&self, constraint: &Constraint, scales: &Scales, variables: &[Var]) -> Option<Face> {
        let (weight, leading) = scales.leading(&flat(&constraint.poly));
        if weight == 0 || leading.is_zero() {
            let value = leading.constant_term();
            let holds = value.is_zero() || (constraint.relation == Relation::NonNegative && value.is_positive());
            return Some(if holds { Face::Everywhere } else { Face::Nowhere });
        }
        if constraint.relation == Relation::Zero {
            return None;
        }
        let slopes: Vec<Rational> = variables.iter().map(|var| leading.slope(*var)).collect();
        let moving = variables.iter().zip(&slopes);
        let offset = moving.fold(leading.clone(), |rest, (var, slope)| &rest - &Poly::var(*var).scale(slope));
        if offset.vars().iter().any(|var| variables.contains(var)) {
            return None;
        }
        if slopes.iter().all(Zero::is_zero) {
            let holds = !offset.evaluate(self.sample).is_negative();
            return Some(if holds { Face::Everywhere } else { Face::Nowhere });
        }
        Some(Face::Half(Halfspace { slope: slopes, offset }))
    }
}

/// A lower bound of an iterator, the distance to an upper bound, and the weight of this distance.
struct IteratorRange {
    weight: u64,
    lower: Poly,
    width: Poly,
}

impl IteratorRange {
    /// Returns the range between the pair of bounds with the least weight.
    fn narrowest(bounds: &Bounds, scales: &Scales) -> Option<Self> {
        let pairs = bounds.lower.iter().flat_map(|lower| bounds.upper.iter().map(move |upper| (lower, upper - lower)));
        let range = |(lower, width): (&Poly, Poly)| {
            let weight = scales.leading(&flat(&width)).0;
            Self { weight, lower: lower.clone(), width }
        };
        pairs.map(range).min_by_key(|range| range.weight)
    }
}

/// Returns a weight that the number of a class's accesses does not exceed.
fn most(class: &Class, scales: &Scales) -> Option<u64> {
    let mut scales = scales.clone();
    let mut places = 0;
    for bounds in &class.bounds {
        let range = IteratorRange::narrowest(bounds, &scales)?;
        places += range.weight;
        scales.push(range.weight.max(scales.reach(&range.lower)));
    }
    Some(scales.reach(&class.count) + places)
}

enum Face {
    Everywhere,
    Nowhere,
    Half(Halfspace),
}

/// Returns a number that a linear form in short iterators and floors does not exceed; `None` if the polynomial is not such a form.
fn greatest(poly: &Poly, short: &[Short]) -> Option<BigInt> {
    let lost = poly.terms().try_fold(Rational::zero(), |lost, (monomial, coefficient)| match monomial.factors() {
        [(Atom::Floor(floor), 1)] if floor.numerator().floors().is_empty() => {
            let below = Rational::one() - Rational::new(1.into(), floor.divisor().clone());
            Some(if coefficient.is_negative() { lost - coefficient * below } else { lost })
        }
        [] | [(Atom::Var(_), 1)] => Some(lost),
        _ => None,
    })?;
    let longest = |var: Var| short.iter().find(|short| short.var == var).map(|short| short.longest.clone());
    let most = flat(poly).terms().try_fold(lost, |most, (monomial, coefficient)| match monomial.factors() {
        [] => Some(most + coefficient),
        [(Atom::Var(var), 1)] => {
            let longest = Rational::from_integer(longest(*var)?);
            Some(if coefficient.is_positive() { most + coefficient * longest } else { most })
        }
        _ => None,
    })?;
    Some(most.floor().to_integer())
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: Var = Var(0);

    fn var(v: u32) -> Poly {
        Poly::var(Var(v))
    }

    fn number(value: i64) -> Poly {
        Poly::integer(value)
    }

    fn parts(class: &Class) -> Vec<LimitPart> {
        let direction = Direction { scales: Scales::new(vec![1]), sample: vec![BigInt::from(1_i64 << 40)] };
        LimitParts::of(class, &direction, 0).unwrap().parts
    }

    fn class(bounds: Vec<(Poly, Poly)>, domain: Vec<Constraint>, value: Poly, count: Poly) -> Class {
        let range = |(lower, upper): (Poly, Poly)| Bounds { lower: vec![lower], upper: vec![upper] };
        Class {
            reuse: None,
            kind: IntervalKind::Real,
            iterators: bounds.iter().map(|_| "q".to_owned()).collect(),
            value,
            bounds: bounds.into_iter().map(range).collect(),
            domain,
            count,
        }
    }

    fn eighths(poly: Poly, eighths: i64) -> Poly {
        poly.scale(&Rational::new(eighths.into(), 8.into()))
    }

    /// 1 + ⌊j/8⌋ − ⌊(j + 1)/8⌋ is zero for one j in eight, and one for the others.
    #[test]
    fn counts_are_averages_over_residues() {
        let (n, j) = (Poly::var(N), var(1));
        let domain = vec![Constraint::non_negative(j.clone()), Constraint::non_negative(&(&n - &j) - &number(1))];
        let count = &(&number(1) + &j.floor_div(&8.into())) - &(&j + &number(1)).floor_div(&8.into());
        let found = parts(&class(vec![(number(0), &n - &number(1))], domain, j.clone(), count));
        let [part] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(
            (part.total(), part.sum()),
            (eighths(n.clone(), 7), eighths(n.pow(2), 7).scale(&Rational::new(1.into(), 2.into())))
        );
    }

    /// The places of a line, 8·u ≤ i ≤ 8·u + 7, and a congruence: i mod 4 = 1.
    #[test]
    fn short_ranges_and_congruences() {
        let (n, u, i) = (Poly::var(N), var(1), var(2));
        let first = u.scale(&Rational::from_integer(8.into()));
        let quarter = &(&i - &i.floor_div(&4.into()).scale(&Rational::from_integer(4.into()))) - &number(1);
        let domain = vec![
            Constraint::non_negative(u.clone()),
            Constraint::non_negative(&i - &first),
            Constraint::non_negative(&(&first + &number(7)) - &i),
            Constraint::non_negative(&(&n - &i) - &number(1)),
            Constraint::zero(quarter),
        ];
        let bounds = vec![(number(0), n.floor_div(&8.into())), (first.clone(), &first + &number(7))];
        let found = parts(&class(bounds, domain, &i + &n, number(1)));
        let total = found.iter().fold(Poly::zero(), |sum, part| &sum + &part.total());
        assert_eq!(total, n.scale(&Rational::new(1.into(), 4.into())));
        assert!(found.iter().all(|part| part.value == &n + &first), "the place within a line does not lead");
    }

    #[test]
    fn few_accesses_are_left_out() {
        let n = Poly::var(N);
        let domain = vec![Constraint::non_negative(var(1)), Constraint::non_negative(&number(7) - &var(1))];
        let edge = class(vec![(number(0), number(7))], domain, n.clone(), number(1));
        let direction = Direction { scales: Scales::new(vec![1]), sample: vec![BigInt::from(1_i64 << 40)] };
        assert_eq!(
            parts(&edge).iter().map(|part| part.total().constant_term()).sum::<Rational>(),
            Rational::from_integer(8.into())
        );
        assert!(LimitParts::of(&edge, &direction, 1).unwrap().parts.is_empty());
    }
}
