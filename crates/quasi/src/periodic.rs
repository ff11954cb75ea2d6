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
use std::iter;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive};

use crate::Rational;
use crate::floor::Floor;
use crate::int::Int;
use crate::poly::{Atom, Monomial, Poly, Var};

/// Periods above this are left as they are.
const MAX_PERIOD: u32 = 240;

impl Poly {
    /// Returns the function with the floors of single variables in normal form, where that is not longer.
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

/// `slope·var + constant`, to be divided by a divisor and rounded down.
struct FloorArgument {
    slope: BigInt,
    constant: BigInt,
    divisor: BigInt,
}

impl FloorArgument {
    /// Returns the linear function inside a floor; `None` if it is not a floor of this variable alone.
    fn of(floor: &Floor, var: Var) -> Option<Self> {
        let slope = floor.numerator().slope(var);
        let constant = floor.numerator().constant_term();
        let only = &(&Poly::var(var).scale(&slope) + &Poly::constant(constant.clone())) == floor.numerator();
        let divisor = floor.divisor().clone();
        only.then(|| Self { slope: slope.to_integer(), constant: constant.to_integer(), divisor })
    }

    /// Returns the divisor times the floor on a residue, where it is a polynomial: its constant, and its slope.
    fn on(&self, residue: u32) -> (Int, Int) {
        let remainder = (&self.slope * residue + &self.constant).mod_floor(&self.divisor);
        (Int::from(&self.constant - remainder), Int::from(self.slope.clone()))
    }
}

/// A univariate polynomial, constant coefficient first.
type Coefficients = Vec<Int>;

/// Multiplies by `slope·x + constant`.
fn multiply(poly: &mut Coefficients, (constant, slope): &(Int, Int)) {
    poly.push(Int::ZERO);
    for exponent in (0..poly.len()).rev() {
        let lower = exponent.checked_sub(1).map_or(Int::ZERO, |lower| &poly[lower] * slope);
        poly[exponent] = &(&poly[exponent] * constant) + &lower;
    }
}

/// A term as a product: of a number, powers of the variable, floors of it on each residue, and what is left.
struct TermFactors<'p> {
    coefficient: &'p Rational,
    exponent: u32,
    /// The floors, as often as they are factors.
    floors: Vec<&'p [(Int, Int)]>,
    /// The product of the floors' divisors.
    divisor: BigInt,
    cofactor: Monomial,
}

impl<'p> TermFactors<'p> {
    fn new(
        (monomial, coefficient): (&Monomial, &'p Rational),
        var: Var,
        floors: &'p BTreeMap<&Floor, Vec<(Int, Int)>>,
    ) -> Self {
        let (divisor, cofactor) = (BigInt::one(), Monomial::default());
        let mut term = Self { coefficient, exponent: 0, floors: Vec::new(), divisor, cofactor };
        for (atom, exponent) in monomial.factors() {
            match atom {
                Atom::Var(v) if *v == var => term.exponent = *exponent,
                Atom::Floor(floor) if floors.contains_key(floor) => {
                    term.floors.extend(iter::repeat_n(floors[floor].as_slice(), *exponent as usize));
                    term.divisor *= floor.divisor().pow(*exponent);
                }
                _ => term.cofactor = term.cofactor.times(&Monomial::power(atom.clone(), *exponent)),
            }
        }
        term
    }

    /// Returns the denominator that all of its coefficients have in common.
    fn denominator(&self) -> BigInt {
        self.coefficient.denom() * &self.divisor
    }

    /// Its polynomial in the variable on a residue, times a number that its denominator divides.
    fn on(&self, residue: usize, scale: &BigInt) -> Coefficients {
        let factor = Int::from(self.coefficient.numer() * (scale / self.denominator()));
        let mut row = vec![Int::ZERO; self.exponent as usize];
        row.push(factor);
        self.floors.iter().for_each(|floor| multiply(&mut row, &floor[residue]));
        row
    }
}

/// Returns the normal form in one variable; `None` if there are no floors of this variable, or their period is too long.
fn in_variable(poly: &Poly, var: Var) -> Option<Poly> {
    let floors: BTreeMap<&Floor, FloorArgument> =
        poly.floors().into_iter().filter_map(|floor| Some((floor, FloorArgument::of(floor, var)?))).collect();
    let period = floors.values().fold(BigInt::one(), |lcm, linear| lcm.lcm(&linear.divisor)).to_u32()?;
    if period == 1 || period > MAX_PERIOD {
        return None;
    }
    let on_residues = |linear: FloorArgument| (0..period).map(|residue| linear.on(residue)).collect();
    let floors: BTreeMap<&Floor, Vec<_>> =
        floors.into_iter().map(|(floor, linear)| (floor, on_residues(linear))).collect();
    let terms: Vec<TermFactors<'_>> = poly.terms().map(|term| TermFactors::new(term, var, &floors)).collect();
    let scale = terms.iter().fold(BigInt::one(), |lcm, term| lcm.lcm(&term.denominator()));
    // For each cofactor, by residue, the polynomial in the variable.
    let mut residues: BTreeMap<&Monomial, Vec<Coefficients>> = BTreeMap::new();
    for term in &terms {
        let rows = residues.entry(&term.cofactor).or_insert_with(|| vec![Coefficients::new(); period as usize]);
        for (residue, row) in rows.iter_mut().enumerate() {
            let added = term.on(residue, &scale);
            row.resize(row.len().max(added.len()), Int::ZERO);
            row.iter_mut().zip(&added).for_each(|(sum, c)| *sum += c);
        }
    }
    let mut result = Poly::zero();
    for (cofactor, rows) in residues {
        let degree = rows.iter().map(Vec::len).max().unwrap_or(0);
        for exponent in 0..degree {
            let at = |row: &Coefficients| row.get(exponent).cloned().unwrap_or(Int::ZERO);
            let coefficient = periodic(&rows.iter().map(at).collect::<Vec<_>>(), &scale, var);
            let factor = cofactor.times(&Monomial::power(Atom::Var(var), exponent as u32));
            result += &(&Poly::term(Rational::one(), factor) * &coefficient);
        }
    }
    Some(result)
}

/// Returns a function of the residue, divided by a number, as a polynomial that is linear in floors.
fn periodic(values: &[Int], divisor: &BigInt, var: Var) -> Poly {
    let period = (1..=values.len())
        .find(|p| values.len().is_multiple_of(*p) && values.iter().zip(&values[*p..]).all(|(a, b)| a == b))
        .unwrap_or(values.len());
    let quotient = |value: &Int| Rational::new(value.to_big(), divisor.clone());
    if period == 1 {
        return Poly::constant(quotient(&values[0]));
    }
    let steps: Vec<Int> = (1..period).map(|j| &values[j] - &values[j - 1]).collect();
    let mut frequency: BTreeMap<&Int, usize> = BTreeMap::new();
    for step in &steps {
        *frequency.entry(step).or_insert(0) += 1;
    }
    let slope = frequency.iter().max_by_key(|(_, count)| **count).map_or(Int::ZERO, |(step, _)| (*step).clone());
    let floor = |offset: usize| (&Poly::var(var) + &Poly::integer(offset)).floor_div(&BigInt::from(period));
    let mut sum = &Poly::constant(quotient(&values[0])) + &Poly::var(var).scale(&quotient(&slope));
    // What is multiplied by ⌊n/D⌋: −σ·D, and −βⱼ for each j.
    let mut below = &Int::ZERO - &(&slope * &Int::from(period as u64));
    for (index, step) in steps.iter().enumerate().filter(|(_, step)| **step != slope) {
        let jump = step - &slope;
        sum = &sum + &floor(period - index - 1).scale(&quotient(&jump));
        below = &below - &jump;
    }
    &sum + &floor(0).scale(&quotient(&below))
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
