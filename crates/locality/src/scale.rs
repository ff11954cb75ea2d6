//! Growth of variables and polynomials: weights and leading terms.
//!
//! Let a parameter of weight w be of the size tʷ, with t without bound. A monomial then grows like t to its weight, the
//! sum of its factors', and the *leading term* of a polynomial is the part of the largest weight: the polynomial
//! divided by its leading term goes to one. Sizes that are large and of like size have weight one; `n >> m` gives n a
//! weight that no power of m in a formula reaches.
//!
//! ⌊e/d⌋ is e/d up to a constant. So the leading term of a floor is that of e/d, unless leading terms cancel: in
//! 8·⌊i/8⌋ − i only the remainder is left, and each residue of i has to be taken by itself ([`Scales::cancels`]).

use num_bigint::BigInt;
use symloc_quasi::{Atom, Monomial, Poly, Quotient, Rational};

/// The weights of the variables: parameters first, then iterators from the outermost on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scales(Vec<u64>);

impl Scales {
    pub(crate) fn new(weights: Vec<u64>) -> Self {
        Self(weights)
    }

    /// Returns the number of variables that have a weight.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn push(&mut self, weight: u64) {
        self.0.push(weight);
    }

    /// Returns the weight of a variable.
    pub(crate) fn of(&self, variable: usize) -> u64 {
        self.0.get(variable).copied().unwrap_or(0)
    }

    /// Returns the leading term of a polynomial without floors, and its weight; zero has weight 0.
    pub(crate) fn leading(&self, poly: &Poly) -> (u64, Poly) {
        let most = poly.terms().map(|(monomial, _)| self.weight(monomial)).max().unwrap_or(0);
        let top = poly.terms().filter(|(monomial, _)| self.weight(monomial) == most);
        (most, top.fold(Poly::zero(), |sum, (monomial, c)| &sum + &Poly::term(c.clone(), monomial.clone())))
    }

    /// Returns the parts of a polynomial by falling weight, from the largest on without gaps.
    fn orders(&self, poly: &Poly) -> Vec<Poly> {
        let most = self.reach(poly);
        let mut parts = vec![Poly::zero(); most as usize + 1];
        for (monomial, coefficient) in poly.terms() {
            parts[(most - self.weight(monomial)) as usize].add_term(coefficient.clone(), monomial.clone());
        }
        parts
    }

    fn weight(&self, monomial: &Monomial) -> u64 {
        let weight = |atom: &Atom| match atom {
            Atom::Var(var) => self.of(var.0 as usize),
            Atom::Floor(floor) => self.reach(floor.numerator()),
        };
        monomial.factors().iter().map(|(atom, exponent)| weight(atom) * u64::from(*exponent)).sum()
    }

    /// Returns the largest weight of any term, where a floor counts like its numerator.
    pub(crate) fn reach(&self, poly: &Poly) -> u64 {
        poly.terms().map(|(monomial, _)| self.weight(monomial)).max().unwrap_or(0)
    }

    /// Returns true if the leading term depends on residues, because leading terms cancel once floors are written as
    /// fractions.
    pub(crate) fn cancels(&self, poly: &Poly) -> bool {
        if poly.floors().is_empty() {
            return false;
        }
        let (weight, leading) = self.leading(&flat(poly));
        weight < self.reach(poly) || leading.is_zero() || weight == 0
    }
}

/// A direction in which sizes grow: the weights, and a size far out.
pub(crate) struct Direction {
    pub(crate) scales: Scales,
    pub(crate) sample: Vec<BigInt>,
}

/// Replaces ⌊e/d⌋ by e/d.
pub(crate) fn flat(poly: &Poly) -> Poly {
    poly.map_atoms(&|atom| match atom {
        Atom::Var(_) => None,
        Atom::Floor(floor) => Some(flat(floor.numerator()).scale(&Rational::new(1.into(), floor.divisor().clone()))),
    })
}

/// Returns the terms of the first `orders` orders of a quotient, where all `variables` variables are large and of like
/// size; floors stay as they are. With P = P₀ + P₁ + … by falling order, and likewise N, these are Q₀ = P₀/N₀ and Qₖ =
/// (Pₖ − Σ Qⱼ·Nₖ₋ⱼ)/N₀ over j < k.
pub fn first_terms(quotient: &Quotient, variables: usize, orders: usize) -> Option<Quotient> {
    let scales = Scales::new(vec![1; variables]);
    let [over, under] = [quotient.numerator(), quotient.denominator()].map(|poly| scales.orders(poly));
    let lead = Quotient::from(under.first()?.clone());
    let inverse = Quotient::new(lead.denominator().clone(), lead.numerator().clone())?;
    let part = |parts: &[Poly], order: usize| Quotient::from(parts.get(order).cloned().unwrap_or_default());
    let mut found: Vec<Quotient> = Vec::new();
    for order in 0..orders {
        let known = found.iter().enumerate().map(|(j, term)| term * &part(&under, order - j));
        let rest = known.fold(part(&over, order), |rest, known| &rest - &known);
        found.push(&rest * &inverse);
    }
    found.into_iter().reduce(|sum, term| &sum + &term)
}

/// Returns the leading terms of a quotient where all `variables` variables are large and of like size.
pub fn leading_terms(quotient: &Quotient, variables: usize) -> Option<Quotient> {
    let scales = Scales::new(vec![1; variables]);
    let leading = |poly: &Poly| scales.leading(&flat(poly)).1;
    Quotient::new(leading(quotient.numerator()), leading(quotient.denominator()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use symloc_quasi::Var;

    #[test]
    fn floors_lead_like_fractions_unless_they_cancel() {
        let [n, i] = [0, 1].map(|v| Poly::var(Var(v)));
        let scales = Scales::new(vec![1, 1]);
        let eight = Rational::from_integer(8.into());
        let lines = (&n + &Poly::integer(7)).floor_div(&8.into());
        assert_eq!(scales.leading(&flat(&(&lines * &n))), (2, (&n * &n).scale(&eight.recip())));
        assert!(!scales.cancels(&lines));
        let remainder = &i - &i.floor_div(&8.into()).scale(&eight);
        assert!(scales.cancels(&remainder));
        assert!(!scales.cancels(&(&remainder + &n)), "n leads, whatever the remainder");
    }

    #[test]
    fn much_larger_sizes_lead() {
        let [n, m] = [0, 1].map(|v| Poly::var(Var(v)));
        let poly = &m.pow(3) + &n;
        assert_eq!(Scales::new(vec![1, 1]).leading(&poly), (3, m.pow(3)));
        assert_eq!(Scales::new(vec![64, 1]).leading(&poly), (64, n));
    }

    #[test]
    fn quotients_by_falling_order() {
        let [n, m] = [0, 1].map(|v| Poly::var(Var(v)));
        // (n² + 3n)/(n·m + m) = n/m + 2/m − 2/(n·m) + …
        let quotient = Quotient::new(&n.pow(2) + &n.scale(&Rational::from_integer(3.into())), &(&n * &m) + &m).unwrap();
        let first = Quotient::new(n.clone(), m.clone()).unwrap();
        let second = Quotient::new(Poly::integer(2), m.clone()).unwrap();
        assert_eq!(first_terms(&quotient, 2, 1), Some(first.clone()));
        assert_eq!(first_terms(&quotient, 2, 2), Some(&first + &second));
        let third = Quotient::new(Poly::integer(-2), &n * &m).unwrap();
        assert_eq!(first_terms(&quotient, 2, 3), Some(&(&first + &second) + &third));
        assert_eq!(first_terms(&quotient, 2, 1), leading_terms(&quotient, 2));
    }
}
