//! Polynomials in machine integers.

use num_traits::ToPrimitive;

use crate::int::product;
use crate::poly::{Atom, Poly};

/// A polynomial in machine integers: floors first, then a sum of products over `point ++ floors`.
#[derive(Clone, Debug)]
pub(super) struct Fast {
    floors: Vec<(Fast, i128)>,
    terms: Vec<FastTerm>,
    /// The factors of all terms: places among the variables, then the floors, with exponents.
    factors: Vec<(usize, u32)>,
    denominator: i128,
    variables: usize,
}

/// A coefficient, and the end of its factors: they begin where those of the term before end.
#[derive(Clone, Copy, Debug)]
struct FastTerm {
    coefficient: i128,
    end: usize,
}

impl Fast {
    pub(super) fn new(poly: &Poly, variables: usize) -> Option<Self> {
        let denominator = poly.common_denominator();
        let floor_atoms: Vec<_> = poly.floors().into_iter().collect();
        let floors = floor_atoms
            .iter()
            .map(|floor| Some((Fast::new(floor.numerator(), variables)?, floor.divisor().to_i128()?)))
            .collect::<Option<Vec<_>>>()?;
        let slot = |atom: &Atom| match atom {
            Atom::Var(var) => Some(var.0 as usize).filter(|v| *v < variables),
            Atom::Floor(floor) => floor_atoms.iter().position(|f| *f == floor).map(|i| variables + i),
        };
        let (mut terms, mut factors) = (Vec::new(), Vec::new());
        for (monomial, coefficient) in poly.terms() {
            let coefficient = (coefficient.numer() * (&denominator / coefficient.denom())).to_i128()?;
            for (atom, exponent) in monomial.factors() {
                factors.push((slot(atom)?, *exponent));
            }
            terms.push(FastTerm { coefficient, end: factors.len() });
        }
        Some(Self { floors, terms, factors, denominator: denominator.to_i128()?, variables })
    }

    /// Returns the terms, each with its factors.
    fn terms(&self) -> impl Iterator<Item = (i128, &[(usize, u32)])> {
        let mut start = 0;
        self.terms.iter().map(move |term| {
            let factors = &self.factors[start..term.end];
            start = term.end;
            (term.coefficient, factors)
        })
    }

    pub(super) fn eval(&self, point: &[i128]) -> Option<i128> {
        let mut few = [0; FEW];
        let mut many = Vec::new();
        let floors: &mut [i128] = match few.get_mut(..self.floors.len()) {
            Some(few) => few,
            None => {
                many.resize(self.floors.len(), 0);
                &mut many
            }
        };
        for (value, (numerator, divisor)) in floors.iter_mut().zip(&self.floors) {
            *value = quotient(numerator.eval(point)?, *divisor);
        }
        let mut sum = 0_i128;
        for (mut term, factors) in self.terms() {
            for &(slot, exponent) in factors {
                let value = if slot < self.variables { *point.get(slot)? } else { floors[slot - self.variables] };
                for _ in 0..exponent {
                    term = product(term, value)?;
                }
            }
            sum = sum.checked_add(term)?;
        }
        if self.denominator == 1 {
            return Some(sum);
        }
        (sum % self.denominator == 0).then(|| sum / self.denominator)
    }

    /// Returns the sum with values for the first variables: constant factors join the coefficients, like terms are added.
    pub(super) fn section(&self, prefix: &[i128]) -> Option<Fast> {
        let variables = self.variables.checked_sub(prefix.len())?;
        let mut floors = Vec::new();
        // Where each floor goes: to a number, or to another place among the floors.
        let mut places = Vec::with_capacity(self.floors.len());
        for (numerator, divisor) in &self.floors {
            let numerator = numerator.section(prefix)?;
            places.push(match numerator.constant() {
                Some(value) => Err(quotient(value, *divisor)),
                None => {
                    floors.push((numerator, *divisor));
                    Ok(variables + floors.len() - 1)
                }
            });
        }
        let mut section = Self {
            floors,
            terms: Vec::with_capacity(self.terms.len()),
            factors: Vec::with_capacity(self.factors.len()),
            denominator: self.denominator,
            variables,
        };
        for (mut coefficient, factors) in self.terms() {
            let start = section.factors.len();
            for &(slot, exponent) in factors {
                let place = match slot.checked_sub(self.variables) {
                    Some(floor) => places[floor],
                    None => prefix.get(slot).map_or(Ok(slot.saturating_sub(prefix.len())), |value| Err(*value)),
                };
                match place {
                    Ok(slot) => section.factors.push((slot, exponent)),
                    Err(value) => {
                        for _ in 0..exponent {
                            coefficient = product(coefficient, value)?;
                        }
                    }
                }
            }
            section.add(coefficient, start)?;
        }
        Some(section.without_zeros())
    }

    /// Adds a term whose factors are those from `start` on, to a like one if there is one.
    fn add(&mut self, coefficient: i128, start: usize) -> Option<()> {
        let like = self.terms().position(|(_, factors)| *factors == self.factors[start..]);
        match like {
            _ if coefficient == 0 => self.factors.truncate(start),
            Some(like) => {
                self.factors.truncate(start);
                let sum = &mut self.terms[like].coefficient;
                *sum = sum.checked_add(coefficient)?;
            }
            None => self.terms.push(FastTerm { coefficient, end: self.factors.len() }),
        }
        Some(())
    }

    /// Leaves out the terms that others have cancelled.
    fn without_zeros(mut self) -> Self {
        if self.terms.iter().any(|term| term.coefficient == 0) {
            let (mut terms, mut factors) = (Vec::new(), Vec::new());
            for (coefficient, own) in self.terms().filter(|(coefficient, _)| *coefficient != 0) {
                factors.extend_from_slice(own);
                terms.push(FastTerm { coefficient, end: factors.len() });
            }
            (self.terms, self.factors) = (terms, factors);
        }
        self
    }

    /// Returns the value, if it is the same integer at every point.
    pub(super) fn constant(&self) -> Option<i128> {
        match self.terms.as_slice() {
            [] => Some(0),
            [FastTerm { coefficient, end: 0 }] if coefficient % self.denominator == 0 => {
                Some(coefficient / self.denominator)
            }
            _ => None,
        }
    }

    /// Returns the constant and the slopes with values for the first variables, where the rest is affine in the other ones and has integer
    /// coefficients.
    pub(super) fn affine(&self, prefix: &[i128]) -> Option<(i128, Vec<i128>)> {
        let quotients =
            self.floors.iter().map(|(numerator, divisor)| Some(quotient(numerator.eval(prefix)?, *divisor)));
        let floors = quotients.collect::<Option<Vec<_>>>()?;
        let (mut constant, mut slopes) = (0_i128, vec![0_i128; self.variables.checked_sub(prefix.len())?]);
        for (mut coefficient, factors) in self.terms() {
            let mut along = None;
            for &(slot, exponent) in factors {
                let value = slot.checked_sub(self.variables).map_or(prefix.get(slot), |floor| floors.get(floor));
                match value {
                    Some(value) => {
                        for _ in 0..exponent {
                            coefficient = product(coefficient, *value)?;
                        }
                    }
                    None if exponent == 1 && along.is_none() => along = Some(slot - prefix.len()),
                    None => return None,
                }
            }
            let sum = along.map_or(&mut constant, |iterator| &mut slopes[iterator]);
            *sum = sum.checked_add(coefficient)?;
        }
        let divided = |value: i128| (value % self.denominator == 0).then(|| value / self.denominator);
        Some((divided(constant)?, slopes.into_iter().map(divided).collect::<Option<_>>()?))
    }
}

/// Polynomials with so many floors are evaluated without an allocation.
const FEW: usize = 8;

/// `⌊value / divisor⌋` for a positive divisor; most are powers of two.
fn quotient(value: i128, divisor: i128) -> i128 {
    match divisor & (divisor - 1) {
        0 => value >> divisor.trailing_zeros(),
        _ => value.div_euclid(divisor),
    }
}
