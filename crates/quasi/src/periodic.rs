//! A normal form for floors of one variable.
//!
//! Counting produces products of floors that say little: where `d = ⌊(n + 7)/8⌋ − ⌊(n + 6)/8⌋` is 1 only for `n mod 8 = 1`, a
//! polynomial in both floors may well be zero everywhere. On each residue `n mod D` a quasi-polynomial in `n` is a
//! polynomial in `n`, and its coefficients are functions `c(r)` of the residue alone. Two quasi-polynomials are equal if and
//! only if these functions are. [`Poly::periodic_form`] computes them and writes each again as
//!
//! `c(r) = α + σ·r + Σ βⱼ·[r ≥ j]`, with `r = n − D·⌊n/D⌋` and `[r ≥ j] = ⌊(n + D − j)/D⌋ − ⌊n/D⌋`,
//!
//! which is linear in floors. σ is the most frequent difference of neighbours, so that most βⱼ vanish.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

use crate::Rational;
use crate::floor::Floor;
use crate::poly::{Atom, Monomial, Poly, Var};

/// Periods above this are left as they are.
const MAX_PERIOD: u32 = 240;

impl Poly {
    /// The same function with the floors of single variables in normal form, where that is not longer.
    pub fn periodic_form(&self) -> Poly {
        let mut poly = self.clone();
        for var in self.vars() {
            if let Some(form) = in_variable(&poly, var).filter(|form| form.terms().len() <= poly.terms().len()) {
                poly = form;
            }
        }
        poly
    }
}

/// `⌊(a·var + b)/d⌋` as (a, b, d).
fn linear_floor(floor: &Floor, var: Var) -> Option<(BigInt, BigInt, BigInt)> {
    let slope = floor.numerator().coefficient(&Monomial::power(Atom::Var(var), 1));
    let constant = floor.numerator().constant_term();
    let only = &(&Poly::var(var).scale(&slope) + &Poly::constant(constant.clone())) == floor.numerator();
    only.then(|| (slope.to_integer(), constant.to_integer(), floor.divisor().clone()))
}

/// A univariate polynomial, constant coefficient first.
type Coefficients = Vec<Rational>;

fn product(a: &Coefficients, b: &Coefficients) -> Coefficients {
    let mut result = vec![Rational::zero(); a.len() + b.len() - 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            result[i + j] += x * y;
        }
    }
    result
}

/// The normal form in one variable; nothing if it has no floors of this variable, or their period is too long.
fn in_variable(poly: &Poly, var: Var) -> Option<Poly> {
    let floors: BTreeMap<&Floor, _> =
        poly.floors().into_iter().filter_map(|floor| Some((floor, linear_floor(floor, var)?))).collect();
    let period = floors.values().fold(BigInt::one(), |lcm, (_, _, d)| lcm.lcm(d)).to_u32()?;
    if period == 1 || period > MAX_PERIOD {
        return None;
    }
    // For each cofactor, by residue, the polynomial in the variable.
    let mut residues: BTreeMap<Monomial, Vec<Coefficients>> = BTreeMap::new();
    for (monomial, coefficient) in poly.terms() {
        let mut cofactor = Monomial::default();
        let mut factors = Vec::new();
        for (atom, exponent) in monomial.factors() {
            match atom {
                Atom::Var(v) if *v == var => factors.push((None, *exponent)),
                Atom::Floor(floor) if floors.contains_key(floor) => factors.push((floors.get(floor), *exponent)),
                _ => cofactor = cofactor.times(&Monomial::power(atom.clone(), *exponent)),
            }
        }
        let rows = residues.entry(cofactor).or_insert_with(|| vec![Coefficients::new(); period as usize]);
        for (residue, row) in rows.iter_mut().enumerate() {
            let mut term = vec![coefficient.clone()];
            for (floor, exponent) in &factors {
                let linear = match floor {
                    None => vec![Rational::zero(), Rational::one()],
                    Some((a, b, d)) => {
                        let remainder = (a * residue + b).mod_floor(d);
                        vec![Rational::new(b - remainder, d.clone()), Rational::new(a.clone(), d.clone())]
                    }
                };
                for _ in 0..*exponent {
                    term = product(&term, &linear);
                }
            }
            row.resize(row.len().max(term.len()), Rational::zero());
            row.iter_mut().zip(term).for_each(|(sum, c)| *sum += c);
        }
    }
    let mut result = Poly::zero();
    for (cofactor, rows) in residues {
        let cofactor = Poly::term(Rational::one(), cofactor);
        let degree = rows.iter().map(Vec::len).max().unwrap_or(0);
        for exponent in 0..degree {
            let at = |row: &Coefficients| row.get(exponent).cloned().unwrap_or_else(Rational::zero);
            let coefficient = periodic(&rows.iter().map(at).collect::<Vec<_>>(), var);
            let power = Poly::var(var).pow(exponent as u32);
            result = &result + &(&(&cofactor * &power) * &coefficient);
        }
    }
    Some(result)
}

/// A function of the residue as a polynomial that is linear in floors.
fn periodic(values: &[Rational], var: Var) -> Poly {
    let period = (1..=values.len())
        .find(|p| values.len().is_multiple_of(*p) && values.iter().zip(&values[*p..]).all(|(a, b)| a == b))
        .unwrap_or(values.len());
    let steps: Vec<Rational> = (1..period).map(|j| &values[j] - &values[j - 1]).collect();
    let mut frequency: BTreeMap<&Rational, usize> = BTreeMap::new();
    for step in &steps {
        *frequency.entry(step).or_insert(0) += 1;
    }
    let slope = frequency.iter().max_by_key(|(_, count)| **count).map_or_else(Rational::zero, |(s, _)| (*s).clone());
    let floor = |offset: usize| (&Poly::var(var) + &Poly::integer(offset)).floor_div(&BigInt::from(period));
    let residue = &Poly::var(var) - &floor(0).scale(&Rational::from_integer(period.into()));
    let mut sum = &Poly::constant(values[0].clone()) + &residue.scale(&slope);
    for (index, step) in steps.iter().enumerate() {
        let jump = step - &slope;
        sum = &sum + &(&floor(period - index - 1) - &floor(0)).scale(&jump);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn n() -> Poly {
        Poly::var(Var(0))
    }

    fn floor(offset: i64, divisor: i64) -> Poly {
        (&n() + &Poly::integer(offset)).floor_div(&divisor.into())
    }

    #[test]
    fn what_is_zero_everywhere_becomes_zero() {
        // With d = [n mod 8 = 1]: d·(d − 1) = 0, and n·d = (8·⌊n/8⌋ + 1)·d.
        let d = &floor(7, 8) - &floor(6, 8);
        assert_eq!((&(&d * &d) - &d).periodic_form(), Poly::zero());
        let on_residue = &(&floor(0, 8) * &Poly::integer(8)) + &Poly::one();
        assert_eq!((&(&n() * &d) - &(&on_residue * &d)).periodic_form(), Poly::zero());
    }

    #[test]
    fn short_forms_stay() {
        for poly in [floor(0, 8), floor(7, 8), &n() - &floor(7, 8), &floor(0, 4) * &Poly::var(Var(1)), floor(0, 4)] {
            assert_eq!(poly.periodic_form(), poly);
        }
    }

    proptest! {
        #[test]
        fn the_value_stays(a in 0_i64..8, b in 0_i64..8, c in -3_i64..3, d in 2_i64..7, x in -40_i64..40, y in -9_i64..9) {
            let m = Poly::var(Var(1));
            let poly = &(&(&floor(a, 8) * &floor(b, d)) + &(&n().scale(&Rational::from_integer(c.into())) * &floor(b, 8)))
                + &(&m * &(&floor(a, 8) - &floor(b, 8)));
            let point = [BigInt::from(x), BigInt::from(y)];
            let form = in_variable(&poly, Var(0)).unwrap();
            prop_assert_eq!(form.evaluate(&point), poly.evaluate(&point));
            prop_assert_eq!(poly.periodic_form().evaluate(&point), poly.evaluate(&point));
        }
    }
}
