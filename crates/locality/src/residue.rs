//! Residues of the parameters.
//!
//! Floors of parameters in the constraints of a model make its pieces depend on residues: ⌊n/8⌋ on n mod 8. The period
//! of A parameter's period is the least common multiple of all divisors above it; a vector of residues, one for each
//! parameter, then decides every such constraint at large sizes.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_integer::{Integer, lcm};
use num_traits::ToPrimitive;
use symloc_quasi::{Atom, Poly, Rational};

/// The period of each parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Periods(Vec<u64>);

/// The largest number of residues of the floors in one polynomial that are tried.
const MAX_CASES: u64 = 1 << 12;

/// A set of residue vectors; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Residues {
    periods: Periods,
    vectors: Vec<Vec<u64>>,
}

impl Periods {
    /// Returns the periods of the floors in polynomials of the parameters alone; `None` if one exceeds 64 bits.
    pub fn of<'p>(polys: impl Iterator<Item = &'p Poly>, parameters: usize) -> Option<Self> {
        let mut periods = vec![BigInt::from(1); parameters];
        polys.for_each(|poly| collect(poly, &BigInt::from(1), &mut periods));
        periods.iter().map(ToPrimitive::to_u64).collect::<Option<_>>().map(Self)
    }

    /// Creates the periods from their values.
    pub(crate) fn new(periods: Vec<u64>) -> Self {
        Self(periods)
    }

    /// Returns the period of one parameter.
    pub fn get(&self, parameter: usize) -> u64 {
        self.0.get(parameter).copied().unwrap_or(1)
    }

    /// Returns the common periods of both; `None` if one exceeds 64 bits.
    pub(crate) fn and(&self, other: &Periods) -> Option<Self> {
        let both = |(a, b): (&u64, &u64)| (a / a.gcd(b)).checked_mul(*b);
        self.0.iter().zip(&other.0).map(both).collect::<Option<_>>().map(Self)
    }

    /// Reduces a vector modulo the periods.
    fn residues(&self, vector: &[u64]) -> Vec<u64> {
        vector.iter().zip(&self.0).map(|(value, period)| value % period).collect()
    }

    /// Returns the residues of a size.
    pub(crate) fn residues_of(&self, size: &[BigInt]) -> Vec<u64> {
        let residue = |(value, period): (&BigInt, &u64)| value.mod_floor(&(*period).into()).to_u64().unwrap_or(0);
        size.iter().zip(&self.0).map(residue).collect()
    }

    /// Returns the number of residue vectors; `None` if it exceeds 64 bits.
    pub fn vectors(&self) -> Option<u64> {
        self.0.iter().try_fold(1_u64, |product, period| product.checked_mul(*period))
    }

    /// Returns the residue vectors in which at most one parameter is not zero.
    pub fn one_by_one(&self) -> Vec<Vec<u64>> {
        let zero = vec![0; self.0.len()];
        let one = |parameter: usize, residue: u64| {
            let mut vector = zero.clone();
            vector[parameter] = residue;
            vector
        };
        let others = self.0.iter().enumerate().flat_map(|(p, &period)| (1..period).map(move |r| (p, r)));
        let others: Vec<_> = others.map(|(parameter, residue)| one(parameter, residue)).collect();
        let mut vectors = [vec![zero.clone()], others].concat();
        vectors.sort();
        vectors
    }

    /// Returns all residue vectors, in lexicographic order.
    pub fn all(&self) -> Vec<Vec<u64>> {
        self.0.iter().fold(vec![Vec::new()], |prefixes, period| {
            let extend =
                |prefix: &Vec<u64>| (0..*period).map(|r| [prefix.as_slice(), &[r]].concat()).collect::<Vec<_>>();
            prefixes.iter().flat_map(extend).collect()
        })
    }
}

/// Collects for each variable below floors the product of the divisors above it.
fn collect(poly: &Poly, above: &BigInt, periods: &mut [BigInt]) {
    for floor in poly.floors() {
        let divisor = above * floor.divisor();
        for atom in floor.numerator().atoms() {
            if let Atom::Var(var) = atom
                && let Some(period) = periods.get_mut(var.0 as usize)
            {
                *period = lcm(period.clone(), divisor.clone());
            }
        }
        collect(floor.numerator(), &divisor, periods);
    }
}

impl Residues {
    /// Creates a set of vectors.
    pub fn new(periods: Periods, vectors: Vec<Vec<u64>>) -> Self {
        Self { periods, vectors }
    }

    /// Returns the periods of its vectors.
    pub(crate) fn periods(&self) -> &Periods {
        &self.periods
    }

    /// Returns a set of other vectors of the same parameters.
    pub(crate) fn only(&self, vectors: Vec<Vec<u64>>) -> Self {
        Self { periods: self.periods.clone(), vectors }
    }

    /// Returns the vectors.
    pub(crate) fn vectors(&self) -> &[Vec<u64>] {
        &self.vectors
    }

    /// Returns each vector as a set of its own.
    pub(crate) fn each(&self) -> impl Iterator<Item = Residues> {
        self.vectors.iter().map(|vector| self.only(vec![vector.clone()]))
    }

    /// Writes `⌊e/d⌋` as `(e − r)/d` wherever `e mod d` is the same number r for all residue vectors.
    pub fn resolve(&self, poly: &Poly) -> Poly {
        poly.map_atoms(&|atom| {
            let Atom::Floor(floor) = atom else { return None };
            let numerator = self.resolve(floor.numerator());
            let remainder = self.remainder(&numerator, floor.divisor())?;
            let whole = &numerator - &Poly::integer(remainder);
            Some(whole.scale(&Rational::new(1.into(), floor.divisor().clone())))
        })
    }

    /// Returns the polynomials for the single residue vectors, without duplicates.
    pub(crate) fn cases(&self, poly: &Poly) -> BTreeSet<Poly> {
        if poly.floors().is_empty() {
            return BTreeSet::from([poly.clone()]);
        }
        self.each().map(|one| one.resolve(poly)).collect()
    }

    /// Returns true if the polynomial depends on residues alone.
    pub(crate) fn decide(&self, poly: &Poly) -> bool {
        self.cases(poly).iter().all(|case| case.as_constant().is_some())
    }

    /// Returns the polynomial for each residue that its own floors distinguish, including residues that the vectors
    /// leave open; `None` if there are too many.
    pub(crate) fn refined(&self, poly: &Poly) -> Option<BTreeSet<Poly>> {
        if poly.floors().is_empty() {
            return Some(BTreeSet::from([poly.clone()]));
        }
        let floors = Periods::of([poly].into_iter(), self.periods.0.len())?;
        // A parameter below no floor does not matter.
        let known = |parameter: usize| if floors.get(parameter) == 1 { 1 } else { self.periods.get(parameter) };
        let known = Periods((0..floors.0.len()).map(known).collect());
        let allowed: BTreeSet<Vec<u64>> = self.vectors.iter().map(|vector| known.residues(vector)).collect();
        let periods = floors.and(&known).filter(|p| p.vectors().is_some_and(|count| count <= MAX_CASES))?;
        let vectors = periods.all().into_iter().filter(|vector| allowed.contains(&known.residues(vector)));
        Some(vectors.map(|vector| Self::new(periods.clone(), vec![vector]).resolve(poly)).collect())
    }

    /// Returns `poly mod divisor` if the residues decide it: with p = period·p′ + r, all terms with a p′ are multiples
    /// of the divisor.
    fn remainder(&self, poly: &Poly, divisor: &BigInt) -> Option<BigInt> {
        if !poly.floors().is_empty() {
            return None;
        }
        let remainder = |vector: &Vec<u64>| {
            let counted = poly.substitute(&|var| {
                let parameter = var.0 as usize;
                let period = Rational::from_integer(self.periods.get(parameter).into());
                Some(&Poly::var(var).scale(&period) + &Poly::integer(*vector.get(parameter)?))
            });
            let rest = counted.constant_term();
            let others = &counted - &Poly::constant(rest.clone());
            let mut slopes = others.terms().map(|(_, slope)| slope);
            let decided = rest.is_integer() && slopes.all(|s| s.is_integer() && s.numer().is_multiple_of(divisor));
            decided.then(|| rest.to_integer().mod_floor(divisor))
        };
        let mut remainders = self.vectors.iter().map(remainder);
        let first = remainders.next()??;
        remainders.all(|r| r.as_ref() == Some(&first)).then_some(first)
    }

    /// Returns true if a size has one of the vectors.
    pub fn contain(&self, size: &[BigInt]) -> bool {
        let matches = |vector: &Vec<u64>| {
            let mut pairs = size.iter().zip(vector).enumerate();
            pairs.all(|(p, (value, r))| value.mod_floor(&BigInt::from(self.periods.get(p))) == BigInt::from(*r))
        };
        self.vectors.iter().any(matches)
    }

    /// Returns the residues that a parameter takes.
    fn of(&self, parameter: usize) -> BTreeSet<u64> {
        self.vectors.iter().filter_map(|vector| vector.get(parameter)).copied().collect()
    }

    /// Returns the first value from `bound` on that has one of the residues.
    pub fn first_from(&self, parameter: usize, bound: &BigInt) -> BigInt {
        let period = BigInt::from(self.periods.get(parameter));
        let ahead = |residue: u64| (BigInt::from(residue) - bound).mod_floor(&period);
        bound + self.of(parameter).into_iter().map(ahead).min().unwrap_or_default()
    }

    /// Returns the condition on the parameters that distinguishes these residues from the others; empty if there are no
    /// others.
    pub fn describe(&self, among: &Residues, names: &[String]) -> String {
        if self.vectors == among.vectors {
            return String::new();
        }
        let sets: Vec<_> = (0..names.len()).map(|p| (self.of(p), among.of(p))).collect();
        let independent = |chosen: &dyn Fn(usize) -> usize| (0..names.len()).map(chosen).product::<usize>();
        if independent(&|p| sets[p].0.len()) == self.vectors.len() {
            let parts = sets.iter().enumerate().filter(|(_, (own, all))| own != all);
            return parts.map(|(p, (own, all))| self.one(p, own, all, &names[p])).collect::<Vec<_>>().join(" and ");
        }
        let varying: Vec<usize> = (0..names.len()).filter(|&p| sets[p].1.len() > 1).collect();
        let tuple = |parts: Vec<String>| format!("({})", parts.join(", "));
        let left = tuple(varying.iter().map(|&p| format!("{} mod {}", names[p], self.periods.get(p))).collect());
        let right = self.vectors.iter().map(|v| tuple(varying.iter().map(|&p| v[p].to_string()).collect()));
        format!("{left} in {{{}}}", right.collect::<Vec<_>>().join(", "))
    }

    /// Returns the residues `own` of one parameter among `all`, with the smallest modulus that distinguishes them.
    fn one(&self, parameter: usize, own: &BTreeSet<u64>, all: &BTreeSet<u64>, name: &str) -> String {
        let period = self.periods.get(parameter);
        let reduced = |set: &BTreeSet<u64>, modulus: u64| set.iter().map(|r| r % modulus).collect::<BTreeSet<_>>();
        let separates = |modulus: &u64| {
            period.is_multiple_of(*modulus)
                && all.difference(own).all(|r| !reduced(own, *modulus).contains(&(r % modulus)))
        };
        let modulus = (1..=period).find(separates).unwrap_or(period);
        let (own, all) = (reduced(own, modulus), reduced(all, modulus));
        let others: Vec<_> = all.difference(&own).collect();
        match (own.len(), others.as_slice()) {
            (1, _) => format!("{name} mod {modulus} = {}", own.first().unwrap_or(&0)),
            (_, [other]) => format!("{name} mod {modulus} != {other}"),
            _ => {
                let list: Vec<_> = own.iter().map(u64::to_string).collect();
                format!("{name} mod {modulus} in {{{}}}", list.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symloc_quasi::Var;

    fn residues(periods: &[u64], vectors: &[&[u64]]) -> Residues {
        Residues::new(Periods(periods.to_vec()), vectors.iter().map(|v| v.to_vec()).collect())
    }

    #[test]
    fn conditions_use_the_smallest_modulus() {
        let names = ["n".to_owned(), "m".to_owned()];
        let all = Residues::new(Periods(vec![8, 1]), Periods(vec![8, 1]).all());
        let text = |vectors: &[&[u64]]| residues(&[8, 1], vectors).describe(&all, &names);
        assert_eq!(text(&[&[0, 0], &[4, 0]]), "n mod 4 = 0");
        assert_eq!(text(&[&[3, 0]]), "n mod 8 = 3");
        assert_eq!(text(&[&[0, 0], &[2, 0], &[4, 0], &[6, 0]]), "n mod 2 = 0");
        assert_eq!(text(&[&[1, 0], &[2, 0], &[3, 0], &[5, 0], &[6, 0], &[7, 0]]), "n mod 4 != 0");
        assert_eq!(text(&[&[1, 0], &[2, 0]]), "n mod 8 in {1, 2}");
        assert_eq!(all.describe(&all, &names), "");
        let both = Residues::new(Periods(vec![2, 2]), Periods(vec![2, 2]).all());
        let text = |vectors: &[&[u64]]| residues(&[2, 2], vectors).describe(&both, &names);
        assert_eq!(text(&[&[0, 1]]), "n mod 2 = 0 and m mod 2 = 1");
        assert_eq!(text(&[&[0, 1], &[1, 0]]), "(n mod 2, m mod 2) in {(0, 1), (1, 0)}");
    }

    #[test]
    fn floors_that_residues_decide_disappear() {
        let n = Poly::var(Var(0));
        let floor = (&n + &Poly::integer(7)).floor_div(&8.into());
        let eighth = Rational::new(1.into(), 8.into());
        assert_eq!(residues(&[8], &[&[0]]).resolve(&floor), n.scale(&eighth));
        assert_eq!(residues(&[8], &[&[3]]).resolve(&floor), (&n + &Poly::integer(5)).scale(&eighth));
        assert_eq!(residues(&[8], &[&[0], &[1]]).resolve(&floor), floor);
        assert_eq!(residues(&[4], &[&[0]]).resolve(&floor), floor);
        assert_eq!(residues(&[8], &[&[3]]).first_from(0, &12.into()), 19.into());
    }

    #[test]
    fn periods_multiply_along_nesting() {
        let (n, m) = (Poly::var(Var(0)), Poly::var(Var(1)));
        let inner = &n.floor_div(&4.into()).scale(&Rational::from_integer(2.into())) + &m;
        let periods = Periods::of([inner.floor_div(&5.into())].iter(), 2).unwrap();
        assert_eq!(periods, Periods(vec![20, 5]));
    }
}
