//! Progressions on which a quasi-polynomial is a polynomial.
//!
//! `⌊E/d⌋` is a polynomial on every progression `q, q + D·s, q + 2D·s, …` along which E grows by multiples of d. If E
//! is affine with the slope g along s, that is `D = d / gcd(d, g)`; for any E with integer coefficients `D = d` will
//! do. [`Periods`] are the floors of some polynomials, ready for this question.

use num_integer::Integer;
use num_traits::ToPrimitive;

use crate::floor::Floor;
use crate::poly::{Atom, Monomial, Poly, Var};

/// The floors of some polynomials that mention variables from a certain one on.
#[derive(Clone, Debug, Default)]
pub struct Periods(Vec<Period>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Period {
    divisor: i128,
    /// The coefficient of each variable, if the numerator is affine in them.
    slopes: Option<Vec<i128>>,
}

impl Poly {
    /// Returns the degree in the variables from `first` on, those inside floors included.
    pub fn degree_from(&self, first: Var) -> u32 {
        self.terms().map(|(monomial, _)| monomial_degree(monomial, first)).max().unwrap_or(0)
    }
}

fn monomial_degree(monomial: &Monomial, first: Var) -> u32 {
    let degree = |atom: &Atom| match atom {
        Atom::Var(var) => u32::from(*var >= first),
        Atom::Floor(floor) => floor.numerator().degree_from(first),
    };
    monomial
        .factors()
        .iter()
        .map(|(atom, exponent)| degree(atom).saturating_mul(*exponent))
        .fold(0, u32::saturating_add)
}

impl Periods {
    /// Adds the floors of a polynomial that mention one of the `count` variables from `first` on. `None` if a divisor
    /// leaves 128 bits.
    pub fn add(&mut self, poly: &Poly, first: Var, count: usize) -> Option<()> {
        for floor in poly.floors() {
            if floor.numerator().degree_from(first) > 0 {
                let period = Period::new(floor, first, count)?;
                if !self.0.contains(&period) {
                    self.0.push(period);
                }
            }
        }
        Some(())
    }

    /// Returns true if there are no floors.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the smallest D that is known such that all polynomials are polynomials on every progression with step
    /// `D·step`. `None` if it leaves 64 bits.
    pub fn along(&self, step: &[i128]) -> Option<i128> {
        let mut period = 1_i128;
        for floor in &self.0 {
            period = period.checked_mul(floor.along(step)? / period.gcd(&floor.along(step)?))?;
            i64::try_from(period).ok()?;
        }
        Some(period)
    }
}

impl Period {
    fn new(floor: &Floor, first: Var, count: usize) -> Option<Self> {
        let numerator = floor.numerator();
        let divisor = floor.divisor().to_i128()?;
        let inner: Vec<_> = numerator.floors().into_iter().filter(|f| f.numerator().degree_from(first) > 0).collect();
        if inner.is_empty()
            && numerator.degree_from(first) == 1
            && let Some(slopes) = slopes(numerator, first, count)
        {
            return Some(Self { divisor, slopes: Some(slopes) });
        }
        let nested = inner
            .into_iter()
            .try_fold(divisor, |product, floor| product.checked_mul(Self::new(floor, first, count)?.divisor))?;
        Some(Self { divisor: nested, slopes: None })
    }

    fn along(&self, step: &[i128]) -> Option<i128> {
        let Some(slopes) = &self.slopes else { return Some(self.divisor) };
        let mut slope = 0_i128;
        for (a, b) in slopes.iter().zip(step) {
            slope = slope.checked_add(a.checked_mul(*b)?)?;
        }
        Some(self.divisor / self.divisor.gcd(&slope))
    }
}

/// Returns the coefficients of an affine polynomial, if they are constant.
fn slopes(poly: &Poly, first: Var, count: usize) -> Option<Vec<i128>> {
    let mut slopes = vec![0; count];
    for (monomial, coefficient) in poly.terms() {
        match monomial.factors() {
            [(Atom::Var(var), 1)] if *var >= first => {
                *slopes.get_mut((var.0 - first.0) as usize)? = coefficient.to_integer().to_i128()?;
            }
            _ if monomial_degree(monomial, first) == 0 => {}
            _ => return None,
        }
    }
    Some(slopes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x(v: u32) -> Poly {
        Poly::var(Var(v))
    }

    fn periods(poly: &Poly) -> Periods {
        let mut periods = Periods::default();
        periods.add(poly, Var(1), 2).unwrap();
        periods
    }

    #[test]
    fn floors_along_directions() {
        let sum = &(&x(0) + &x(1)) + &(&x(2) * &Poly::integer(7));
        let floor = sum.floor_div(&8.into());
        let along = |step: [i128; 2]| periods(&floor).along(&step).unwrap();
        assert_eq!([along([1, 0]), along([0, 1]), along([1, 1]), along([1, -1]), along([2, 0])], [8, 8, 1, 4, 4]);
        assert!(periods(&x(0).floor_div(&8.into())).is_empty());
        assert_eq!(floor.pow(2).degree_from(Var(1)), 2);
        assert_eq!((&x(0).pow(3) * &x(2)).degree_from(Var(1)), 1);
    }

    #[test]
    fn what_is_not_affine_has_the_whole_divisor() {
        let square = (&x(1) * &x(1)).floor_div(&6.into());
        assert_eq!(periods(&square).along(&[2, 0]), Some(6));
        let with_parameter = (&x(0) * &x(1)).floor_div(&6.into());
        assert_eq!(periods(&with_parameter).along(&[2, 0]), Some(6));
        // ⌊(3·⌊(x₁ + 1)/4⌋ + x₂)/5⌋ is not flattened.
        let inner = (&x(1) + &Poly::one()).floor_div(&4.into());
        let nested = (&(&inner * &Poly::integer(3)) + &x(2)).floor_div(&5.into());
        assert_eq!(periods(&nested).along(&[1, 0]), Some(20));
    }
}
