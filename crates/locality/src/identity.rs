//! The symbolic RI test.
//!
//! RI sum invariance (paper, section 3.4) says that the reuse intervals of all accesses, imaginary ones included, sum to
//! N·m: each block's intervals cover the repeated run exactly once. As an identity of quasi-polynomials, `Σ v·c = N·m` checks
//! a whole derivation at once for all sizes of a regime.

use symloc_quasi::{Poly, Var};

use crate::class::ClassExtent;
use crate::regime::Regime;
use crate::residue::{Periods, Residues};

/// The largest number of residues of floors that are tried.
const MAX_VECTORS: u64 = 1 << 12;

/// The result of the symbolic RI test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// `Σ v·c = N·m`, for all sizes of the regime.
    Holds,
    /// The difference `Σ v·c − N·m`, which is not zero.
    Fails(Poly),
    /// It cannot be decided on formulas; evaluation at any size still checks it.
    NotApplicable(String),
}

/// Checks that the classes of a regime of reuse distances hold every access that is no first touch: `Σ c = N − m`.
pub fn reuse_count_identity(regime: &Regime) -> Identity {
    of_classes(regime, &regime.accesses - &regime.blocks, "count", |extent| &extent.count)
}

/// Checks `Σ v·c = N·m`.
pub fn ri_sum_identity(regime: &Regime) -> Identity {
    match of_classes(regime, &regime.accesses * &regime.blocks, "sum", |extent| &extent.sum) {
        Identity::Fails(difference) => Identity::Fails(regime.outward.poly(&difference)),
        decided => decided,
    }
}

/// Checks that a quantity of all classes sums to a total.
fn of_classes(regime: &Regime, total: Poly, name: &str, quantity: fn(&ClassExtent) -> &Option<Poly>) -> Identity {
    let mut difference = -&total;
    for (class, extent) in &regime.classes {
        let Some(more) = quantity(extent) else {
            let iterators = class.iterators.join(", ");
            return Identity::NotApplicable(format!("a class has no closed {name} over its iterators {iterators}"));
        };
        difference += more;
    }
    decide(difference, &regime.residues, regime.parameters.len())
}

/// Decides whether a quasi-polynomial is zero at all sizes with these residues. One with floors is zero if the polynomials for all residues
/// of its floors are.
fn decide(difference: Poly, residues: &Residues, parameters: usize) -> Identity {
    if difference.periodic_form().is_zero() {
        return Identity::Holds;
    }
    let periods = Periods::of([&difference].into_iter(), parameters).and_then(|p| p.and(residues.periods()));
    let Some(periods) = periods.filter(|p| p.vectors().is_some_and(|count| count <= MAX_VECTORS)) else {
        return Identity::NotApplicable("the floors have too many residues".to_owned());
    };
    let of_the_regime = |vector: &Vec<u64>| residues.contain(&vector.iter().map(|&r| r.into()).collect::<Vec<_>>());
    let zero = periods.all().into_iter().filter(of_the_regime).all(|vector| {
        // p = period·p + residue leaves no floor.
        let value = |var: Var| {
            let period = Poly::integer(periods.get(var.0 as usize));
            Some(&(&Poly::var(var) * &period) + &Poly::integer(vector[var.0 as usize]))
        };
        difference.substitute(&value).is_zero()
    });
    if zero { Identity::Holds } else { Identity::Fails(difference) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floors_are_no_excuse() {
        // ⌊n/2⌋ + ⌊(n+1)/2⌋ = n
        let n = Poly::var(Var(0));
        let half = |poly: &Poly| poly.floor_div(&2.into());
        let halves = &half(&n) + &half(&(&n + &Poly::one()));
        let difference = &halves - &n;
        let periods = Periods::of([&difference].into_iter(), 1).unwrap();
        let all = Residues::new(periods.clone(), periods.all());
        assert_eq!(decide(difference.clone(), &all, 1), Identity::Holds);
        let wrong = &difference + &half(&n);
        assert_eq!(decide(wrong.clone(), &all, 1), Identity::Fails(wrong));
        // n mod 2 is zero on even sizes only.
        let odd = &n - &half(&n).scale(&symloc_quasi::Rational::from_integer(2.into()));
        assert_eq!(decide(odd.clone(), &Residues::new(periods.clone(), vec![vec![0]]), 1), Identity::Holds);
        assert_eq!(decide(odd.clone(), &all, 1), Identity::Fails(odd));
    }
}
