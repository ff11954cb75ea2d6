//! Min-max scaling (the paper's Table 3): the smallest cache that bounds the miss ratio.
//!
//! From a cache of s(x) blocks on, the miss ratio is at most that of the table's row x. Rows whose miss ratios agree in
//! their leading term differ little at large sizes; of those the one with the smallest cache is kept. What remains is how
//! the cache must grow with the size of the problem for each order of magnitude of the miss ratio.

use symloc_quasi::{Atom, Poly, Quotient, Rational};

use crate::table::Table;

/// A cache size and the miss ratio that it guarantees.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The smallest cache, in blocks.
    pub cache: Quotient,
    /// The miss ratio from this size on, at most.
    pub miss_ratio: Quotient,
    /// The leading term of the cache size.
    pub cache_leading: Quotient,
    /// The leading term of the miss ratio.
    pub miss_ratio_leading: Quotient,
}

/// The rows of Table 3, by ascending cache size.
pub fn scaling(table: &Table) -> Vec<Bound> {
    let mut bounds: Vec<Bound> = Vec::new();
    for row in &table.rows {
        let (Some(cache), Some(miss_ratio)) = (&row.cache, &row.miss_ratio) else { continue };
        let (Some(cache_leading), Some(miss_ratio_leading)) = (leading_term(cache), leading_term(miss_ratio)) else {
            continue;
        };
        if bounds.last().is_none_or(|last| last.miss_ratio_leading != miss_ratio_leading) {
            let (cache, miss_ratio) = (cache.clone(), miss_ratio.clone());
            bounds.push(Bound { cache, miss_ratio, cache_leading, miss_ratio_leading });
        }
    }
    bounds
}

/// What a quotient comes to when all parameters grow alike.
fn leading_term(quotient: &Quotient) -> Option<Quotient> {
    Quotient::new(leading(quotient.numerator()), leading(quotient.denominator()))
}

/// The terms of the largest degree, ⌊e/d⌋ counting as e/d.
fn leading(poly: &Poly) -> Poly {
    let flat = without_floors(poly);
    let degree = flat.degree();
    let top = flat.terms().filter(|(monomial, _)| monomial.degree() == degree);
    top.fold(Poly::zero(), |sum, (monomial, c)| &sum + &Poly::term(c.clone(), monomial.clone()))
}

fn without_floors(poly: &Poly) -> Poly {
    poly.map_atoms(&|atom| match atom {
        Atom::Var(_) => None,
        Atom::Floor(floor) => {
            Some(without_floors(floor.numerator()).scale(&Rational::new(1.into(), floor.divisor().clone())))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use symloc_quasi::Var;

    #[test]
    fn leading_terms_ignore_floors_and_lower_degrees() {
        let [n, m] = [0, 1].map(|v| Poly::var(Var(v)));
        let rows = &n * &(&m + &Poly::integer(7)).floor_div(&8.into());
        let quotient = Quotient::new(&rows + &n, &(&n * &m) - &m).unwrap();
        let eighth = Quotient::from(Poly::constant(Rational::new(1.into(), 8.into())));
        assert_eq!(leading_term(&quotient), Some(eighth));
    }
}
