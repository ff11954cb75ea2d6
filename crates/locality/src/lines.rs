//! Independent variables for a symbolic line size, and for tiles of symbolic size.
//!
//! With m = ⌊n/b⌋ the variables n, b and m of a model depend on each other. Inside this crate n = b·m + s takes n's
//! place, and s is a variable of its own, with n's number: then b, m and s are independent but for 0 ≤ s < b, and a
//! formula has one form only. Where n is a multiple of b, the context says s = 0. What leaves the crate is written in n
//! and b again: s is n − b·m, and m is n/b if s = 0, and ⌊n/b⌋ otherwise. A size in tiles has 1 ≤ s ≤ b, and m is
//! ⌊(n − 1)/b⌋, unless it is a multiple of b.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_traits::Signed;
use symloc_model::{LineCount, Model};
use symloc_quasi::{Atom, Constraint, Monomial, Poly, Quotient, Relation, Var};

/// A size n, with b and m.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SizeSplit {
    size: Var,
    line: Var,
    count: Var,
    /// The least remainder: 0, or 1 in tiles.
    least: i64,
}

/// The sizes that are counted in lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lines(Vec<SizeSplit>);

impl Lines {
    pub(crate) fn new(model: &Model) -> Self {
        let var = |index: usize| Var(index as u32);
        let counts = model.line_counts.iter().zip(model.first_line_count()..);
        let split = |(c, at): (&LineCount, usize)| SizeSplit {
            size: var(c.of),
            line: var(c.by),
            count: var(at),
            least: c.plus.saturating_neg(),
        };
        Self(counts.map(split).collect())
    }

    /// Returns true if a size is divided in two ways, so that its parts depend on each other.
    pub(crate) fn are_dependent(&self) -> bool {
        self.0.iter().enumerate().any(|(at, split)| self.0[..at].iter().any(|other| other.size == split.size))
    }

    fn of(&self, size: Var) -> Option<&SizeSplit> {
        self.0.iter().find(|split| split.size == size)
    }

    /// Returns true if this variable is the line size.
    pub(crate) fn is_line(&self, var: Var) -> bool {
        self.0.iter().any(|split| split.line == var)
    }

    /// Returns true if this variable is the remainder of a size.
    pub(crate) fn is_remainder(&self, var: Var) -> bool {
        self.of(var).is_some()
    }

    /// Returns true if this variable is a number of lines.
    pub(crate) fn is_count(&self, var: Var) -> bool {
        self.0.iter().any(|split| split.count == var)
    }

    /// Rewrites a formula of the model in independent variables.
    pub(crate) fn inward(&self, poly: &Poly) -> Poly {
        if self.0.is_empty() {
            return poly.clone();
        }
        poly.substitute(&|var| {
            let split = self.of(var)?;
            Some(&(&Poly::var(split.line) * &Poly::var(split.count)) + &Poly::var(var))
        })
    }

    /// Returns the values of these variables at a size of the model.
    pub(crate) fn point(&self, sizes: &[i128]) -> Vec<i128> {
        let mut point = sizes.to_vec();
        for SizeSplit { size, line, count, .. } in &self.0 {
            let at = |var: &Var| sizes.get(var.0 as usize).copied().unwrap_or_default();
            if let Some(rest) = point.get_mut(size.0 as usize) {
                *rest = at(size).saturating_sub(at(line).saturating_mul(at(count)));
            }
        }
        point
    }

    /// Returns the constraints on these variables that follow from a context: 0 ≤ s < b or 1 ≤ s ≤ b, and m ≥ k where n ≥ k·b,
    /// or n ≥ k·b + 1.
    /// `exact` returns true for the sizes of which s is 0.
    pub(crate) fn ranges(&self, context: &[Constraint], exact: &dyn Fn(Var) -> bool) -> Vec<Constraint> {
        let mut ranges = Vec::new();
        for split in &self.0 {
            let rest = Poly::var(split.size);
            if !exact(split.size) {
                let least = Poly::integer(split.least);
                let below = &(&(&Poly::var(split.line) + &least) - &rest) - &Poly::one();
                ranges.extend([&rest - &least, below].map(Constraint::non_negative));
            }
            let bounds = context.iter().filter_map(|c| split.at_least(c, exact(split.size)));
            let least = bounds.max().map(|least| &Poly::var(split.count) - &Poly::integer(least));
            ranges.extend(least.map(Constraint::non_negative));
        }
        ranges
    }
}

impl SizeSplit {
    /// Returns k of n − k·b − c ≥ 0, for c ≥ 0; one more if n is a multiple of b and c > 0, and one less if the least remainder
    /// is more than c.
    fn at_least(&self, constraint: &Constraint, exact: bool) -> Option<BigInt> {
        let lines = -constraint.poly.slope(self.line);
        let rest = &(&Poly::var(self.size) - &Poly::var(self.line).scale(&lines)) - &constraint.poly;
        let rest = rest.as_constant().filter(|rest| !rest.is_negative() && lines.is_integer())?;
        let more = exact && rest.is_positive();
        let less = !exact && rest < Poly::integer(self.least).constant_term();
        let change = BigInt::from(u8::from(more)) - BigInt::from(u8::from(less));
        (constraint.relation == Relation::NonNegative).then(|| lines.to_integer() + change)
    }
}

/// The substitution from independent variables back to sizes and line counts.
#[derive(Clone, Debug)]
pub(crate) struct Outward {
    /// Sizes that are multiples of the line size.
    whole: Vec<SizeSplit>,
    /// Others.
    broken: Vec<SizeSplit>,
}

impl Outward {
    pub(crate) fn new(lines: &Lines, exact: &dyn Fn(Var) -> bool) -> Self {
        let (whole, broken) = lines.0.iter().partition(|split| exact(split.size));
        Self { whole, broken }
    }

    /// Returns this substitution with n/b in place of every ⌊n/b⌋.
    pub(crate) fn flat(&self) -> Self {
        Self { whole: [&self.whole[..], &self.broken].concat(), broken: Vec::new() }
    }

    /// Returns true if this is the line size.
    pub(crate) fn is_line(&self, atom: &Atom) -> bool {
        self.whole.iter().chain(&self.broken).any(|split| Atom::Var(split.line) == *atom)
    }

    /// Returns the position of the size that a variable counts in lines; for other variables their own position.
    pub(crate) fn size(&self, variable: usize) -> usize {
        let split = self.whole.iter().chain(&self.broken).find(|split| split.count.0 as usize == variable);
        split.map_or(variable, |split| split.size.0 as usize)
    }

    /// Rewrites a formula in n, b and ⌊n/b⌋; without ⌊n/b⌋ where n is a multiple of b, if the result is a polynomial.
    pub(crate) fn poly(&self, poly: &Poly) -> Poly {
        self.times(poly, &BTreeMap::new())
    }

    /// Rewrites a quotient of such formulas; in n and b alone where n is a multiple of b.
    pub(crate) fn quotient(&self, quotient: &Quotient) -> Quotient {
        let (numerator, denominator) = (quotient.numerator(), quotient.denominator());
        let mut powers = self.missing(numerator);
        for (line, power) in self.missing(denominator) {
            let known = powers.entry(line).or_default();
            *known = power.max(*known);
        }
        let (numerator, denominator) = (self.times(numerator, &powers), self.times(denominator, &powers));
        Quotient::new(numerator, denominator).unwrap_or_else(|| quotient.clone())
    }

    /// Rewrites a condition in n and b. It may be multiplied by b, because b is positive.
    pub(crate) fn constraint(&self, constraint: &Constraint) -> Constraint {
        constraint.map(|poly| self.times(poly, &self.missing(poly)))
    }

    /// Returns the power of each b by which a formula must be multiplied so that every m becomes an n.
    fn missing(&self, poly: &Poly) -> BTreeMap<Var, u32> {
        let exponent = |monomial: &Monomial, var: Var| monomial.exponent(&Atom::Var(var));
        let lines: BTreeSet<Var> = self.whole.iter().map(|split| split.line).collect();
        let of_line = |line: Var| {
            let missing = |monomial: &Monomial| {
                let own = self.whole.iter().filter(|split| split.line == line);
                let counts: u32 = own.map(|split| exponent(monomial, split.count)).sum();
                counts.saturating_sub(exponent(monomial, line))
            };
            (line, poly.terms().map(|(monomial, _)| missing(monomial)).max().unwrap_or(0))
        };
        lines.into_iter().map(of_line).collect()
    }

    /// Returns a formula times powers of each b, with n for b·m as often as possible.
    fn times(&self, poly: &Poly, powers: &BTreeMap<Var, u32>) -> Poly {
        let remainders = poly.substitute(&|var| {
            let split = self.broken.iter().find(|split| split.size == var)?;
            Some(&Poly::var(var) - &(&Poly::var(split.line) * &Poly::var(split.count)))
        });
        let scaled = powers.iter().fold(remainders, |poly, (line, power)| &poly * &Poly::var(*line).pow(*power));
        self.whole.iter().fold(scaled, |poly, SizeSplit { size, line, count, .. }| {
            let product = Monomial::power(Atom::Var(*line), 1).times(&Monomial::power(Atom::Var(*count), 1));
            poly.with_name(&product, *size)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: Var = Var(0);
    const B: Var = Var(1);
    const M: Var = Var(2);

    fn lines() -> Lines {
        Lines(vec![SizeSplit { size: N, line: B, count: M, least: 0 }])
    }

    fn var(v: Var) -> Poly {
        Poly::var(v)
    }

    #[test]
    fn there_and_back() {
        let poly = &(&var(N) * &var(N)) - &(&var(B) * &var(M));
        let inward = lines().inward(&poly);
        assert_eq!(Outward::new(&lines(), &|_| false).poly(&inward), poly);
        let without = inward.substitute(&|v| (v == N).then(Poly::zero));
        let whole = Outward::new(&lines(), &|_| true);
        assert_eq!(whole.poly(&without), &(&var(N) * &var(N)) - &var(N));
        // m² is n²/b².
        let squared = whole.quotient(&Quotient::from(var(M).pow(2)));
        assert_eq!(squared, Quotient::new(var(N).pow(2), var(B).pow(2)).unwrap());
        let two_lines = whole.constraint(&Constraint::non_negative(&var(M) - &Poly::integer(2)));
        assert_eq!(two_lines.poly, &var(N) - &var(B).scale(&num_rational(2)));
    }

    fn num_rational(value: i64) -> symloc_quasi::Rational {
        symloc_quasi::Rational::from_integer(value.into())
    }

    #[test]
    fn sizes_bound_line_counts() {
        let context = [Constraint::non_negative(&var(N) - &Poly::one())];
        let text = |constraints: Vec<Constraint>| constraints.into_iter().map(|c| c.poly).collect::<Vec<_>>();
        assert_eq!(text(lines().ranges(&context, &|_| true)), [&var(M) - &Poly::one()]);
        let below = &(&var(B) - &var(N)) - &Poly::one();
        assert_eq!(text(lines().ranges(&context, &|_| false)), [var(N), below, var(M)]);
    }
}
