//! Formulas that fit into a column: too long ones are replaced by those at equal sizes.

use crate::formats::range;
use num_traits::ToPrimitive;
use symloc_locality::profile::at_equal_sizes;
use symloc_quasi::{Notation, Poly, Quotient, Rational, Var};

/// Returns a number in four digits: `~2.866`.
fn decimal(number: &Rational) -> String {
    let number = number.to_f64().unwrap_or(0.0);
    let decimals = (3 - number.log10().floor() as i64).clamp(0, 9) as usize;
    format!("~{number:.decimals$}")
}

/// Formulas that fit into a column.
pub(crate) struct ShortFormulas<'n> {
    pub(crate) notation: Notation<'n>,
    /// The largest parameter, which stands for all where a formula is too long.
    pub(crate) first: Option<usize>,
    pub(crate) longest: usize,
}

impl ShortFormulas<'_> {
    /// Returns the formula, or its value at equal sizes if it is too long; numbers with larger denominators than `denominator`
    /// become decimals.
    pub(crate) fn quotient(&self, quotient: &Quotient, denominator: u64) -> String {
        let text = self.notation.quotient(quotient);
        let (factor, degree) = at_equal_sizes(quotient);
        let number = quotient.numerator().degree() + quotient.denominator().degree() == 0;
        if self.longest != usize::MAX && number && *factor.denom() > denominator.into() {
            return decimal(&factor);
        }
        let Some(first) = self.first.filter(|_| text.chars().count() > self.longest) else { return text };
        let power = |degree: i64| Poly::var(Var(first as u32)).pow(degree.unsigned_abs() as u32);
        let numerator = Poly::constant(factor.clone());
        let equal = match degree {
            0.. => Some(Quotient::from(&numerator * &power(degree))),
            _ => Quotient::new(numerator, power(degree)),
        };
        let equal = equal.map(|equal| format!("~{}", self.notation.quotient(&equal)));
        equal.filter(|text| text.chars().count() <= self.longest).unwrap_or_else(|| self.power(&factor, degree, first))
    }

    /// Returns a formula such as `~0.06250*n^2`.
    fn power(&self, factor: &Rational, degree: i64, first: usize) -> String {
        let name = &self.notation.names[first];
        let power = match degree {
            0 => String::new(),
            1 => format!("*{name}"),
            -1 => format!("/{name}"),
            2.. => format!("*{name}^{degree}"),
            _ => format!("/{name}^{}", -degree),
        };
        format!("{}{power}", decimal(factor))
    }

    /// Returns a range such as `n/2`, `n/2 to n^2/8` or `up to n^2/8`.
    pub(crate) fn range(&self, [from, to]: &[Quotient; 2], denominator: u64) -> String {
        let [start, end] = [from, to].map(|cache| self.quotient(cache, denominator));
        match (start == end, from.is_zero()) {
            (true, _) => end,
            (false, true) => range(self.notation.style, None, &end),
            (false, false) => range(self.notation.style, Some(&start), &end),
        }
    }
}
