//! Bounds of polynomials with floors by polynomials without.

use num_traits::{One, Signed, Zero};
use symloc_quasi::{Atom, Poly, Rational};

/// Returns a value that a polynomial does not exceed, with fractions for floors, times a number that makes its
/// coefficients integers. Of `⌊u⌋ − ⌈l⌉` it is `u − l`: a range has integers only where this is not negative.
pub(crate) fn without_rounding(poly: &Poly) -> Poly {
    let mut most = Poly::zero();
    for (monomial, coefficient) in poly.terms() {
        most += &match monomial.factors() {
            [(Atom::Floor(floor), 1)] => {
                let divisor = Rational::from_integer(floor.divisor().clone());
                let rounded = if coefficient.is_positive() { Rational::zero() } else { &divisor - Rational::one() };
                (floor.numerator() - &Poly::constant(rounded)).scale(&(coefficient / divisor))
            }
            _ => Poly::term(coefficient.clone(), monomial.clone()),
        };
    }
    most.scale(&Rational::from_integer(most.common_denominator()))
}
