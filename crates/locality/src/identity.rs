//! The symbolic RI test.
//!
//! RI sum invariance says that the reuse intervals of all accesses, imaginary ones included, sum to N·m: each block's
//! intervals cover the repeated run exactly once. As an identity of quasi-polynomials, `Σ v·c = N·m` checks a whole
//! derivation at once for all sizes of a regime.

use symloc_quasi::{Poly, Var};

use crate::regime::Regime;
use crate::residue::Periods;

/// More residues of floors than this are not tried.
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

/// Checks `Σ v·c = N·m`.
pub fn ri_sum_identity(regime: &Regime) -> Identity {
    let mut difference = -&(&regime.accesses * &regime.blocks);
    for (class, extent) in &regime.classes {
        match &extent.sum {
            Some(sum) => difference = &difference + sum,
            None => {
                let iterators = class.iterators.join(", ");
                return Identity::NotApplicable(format!("a class has no closed sum over its iterators {iterators}"));
            }
        }
    }
    decide(difference, regime.parameters.len())
}

/// Is a quasi-polynomial zero everywhere? One with floors is, if the polynomials for all its residues are.
fn decide(difference: Poly, parameters: usize) -> Identity {
    if difference.is_zero() {
        return Identity::Holds;
    }
    let periods = Periods::of([&difference].into_iter(), parameters);
    let Some(periods) = periods.filter(|p| p.vectors().is_some_and(|count| count <= MAX_VECTORS)) else {
        return Identity::NotApplicable("the floors have too many residues".to_owned());
    };
    let zero = periods.all().into_iter().all(|residues| {
        // p = period·p + residue leaves no floor.
        let value = |var: Var| {
            let period = Poly::integer(periods.get(var.0 as usize));
            Some(&(&Poly::var(var) * &period) + &Poly::integer(residues[var.0 as usize]))
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
        assert_eq!(decide(difference.clone(), 1), Identity::Holds);
        let wrong = &difference + &half(&n);
        assert_eq!(decide(wrong.clone(), 1), Identity::Fails(wrong));
    }
}
