//! Min-max scaling (the paper's Table 3): the smallest cache that bounds the miss ratio.
//!
//! From a cache of s(x) blocks on, the miss ratio is at most that of the table's row x. Rows whose miss ratios agree in their leading term
//! differ little at large sizes; of those the one with the smallest cache is kept. The result shows how the cache must grow with the size
//! of the problem for each order of magnitude of the miss ratio.

use symloc_quasi::{Monomial, Poly, Quotient};

use crate::scale::flat;
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
    /// Floating-point operations per byte read from this size on, at least; `None` if they are not known.
    pub operations_per_byte: Option<Quotient>,
    /// The leading term of these.
    pub operations_per_byte_leading: Option<Quotient>,
}

/// Returns the rows of Table 3, by ascending cache size.
pub fn scaling(table: &Table) -> Vec<Bound> {
    let mut bounds: Vec<Bound> = Vec::new();
    for row in &table.rows {
        let (Some(cache), Some(miss_ratio)) = (&row.cache, &row.miss_ratio) else { continue };
        let (Some(cache_leading), Some(miss_ratio_leading)) =
            (leading_term(table, cache), leading_term(table, miss_ratio))
        else {
            continue;
        };
        if bounds.last().is_none_or(|last| last.miss_ratio_leading != miss_ratio_leading) {
            bounds.push(Bound {
                cache: cache.clone(),
                miss_ratio: miss_ratio.clone(),
                cache_leading,
                miss_ratio_leading,
                operations_per_byte: row.operations_per_byte.clone(),
                operations_per_byte_leading: row.operations_per_byte.as_ref().and_then(|q| leading_term(table, q)),
            });
        }
    }
    bounds
}

/// Returns the leading term of a quotient as all sizes grow alike and the line size, if it is symbolic, stays as it is.
fn leading_term(table: &Table, quotient: &Quotient) -> Option<Quotient> {
    let flat = Quotient::new(flat(quotient.numerator()), flat(quotient.denominator()))?;
    let flat = table.flat.quotient(&flat);
    Quotient::new(leading(table, flat.numerator()), leading(table, flat.denominator()))
}

/// Returns the terms of the largest degree in the sizes.
fn leading(table: &Table, poly: &Poly) -> Poly {
    let degree = |monomial: &Monomial| {
        let sizes = monomial.factors().iter().filter(|(atom, _)| !table.flat.is_line(atom));
        sizes.map(|(_, exponent)| exponent).sum::<u32>()
    };
    let most = poly.terms().map(|(monomial, _)| degree(monomial)).max().unwrap_or(0);
    let top = poly.terms().filter(|(monomial, _)| degree(monomial) == most);
    top.fold(Poly::zero(), |sum, (monomial, c)| &sum + &Poly::term(c.clone(), monomial.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regime::regimes;
    use symloc_model::Model;
    use symloc_quasi::{Rational, Var};

    #[test]
    fn leading_terms_ignore_floors_and_lower_degrees() {
        let path = format!("{}/../../tests/models/matmul.loc.json", env!("CARGO_MANIFEST_DIR"));
        let model = Model::load(path.as_ref()).unwrap();
        let table = Table::new(&regimes(&model, &model.lines[0]).unwrap()[0]);
        let [n, m] = [0, 1].map(|v| Poly::var(Var(v)));
        let rows = &n * &(&m + &Poly::integer(7)).floor_div(&8.into());
        let quotient = Quotient::new(&rows + &n, &(&n * &m) - &m).unwrap();
        let eighth = Quotient::from(Poly::constant(Rational::new(1.into(), 8.into())));
        assert_eq!(leading_term(&table, &quotient), Some(eighth));
    }
}
