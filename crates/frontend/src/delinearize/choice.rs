//! The choice among several ways to divide an object into rows.
//!
//! Each way is right where its conditions on the sizes hold, so the one with the fewest conditions is taken. Of two with as many, it is the
//! one without sums, unless the text has rows of the sum throughout and their conditions compare fewer sizes, or smaller multiples of
//! them: `a[(n + 4)*i + j]` for j below m and i below l is in rows of n elements if 4·l + m ≤ n + 4, and in rows of n + 4 if m ≤ n + 4. Rows under whose
//! conditions an access that needs one is never executed come last, and those under which no access is are none.

use std::collections::BTreeSet;

use symloc_affine::{Atom, Expr};

use super::execution::is_never;
use super::refusal::Refusal;
use super::{Reference, Rows};
use crate::ranges::Ranges;

/// Rows that all accesses to an object fit.
pub(super) struct Division {
    pub(super) rows: Rows,
    /// True if the strides that mention a size have the rows throughout: all of them are plain, or multiples of the sum in which it is.
    pub(super) is_throughout: bool,
}

/// Returns the rows with the fewest conditions on the sizes under which the accesses that need them are executed, or else some accesses; if
/// there are none, the plain rows, with the accesses that are refused.
pub(super) fn chosen(
    references: &[Reference],
    plain: Result<Rows, Refusal>,
    others: Vec<Division>,
    ranges: &Ranges,
) -> Result<Rows, Refusal> {
    let own = plain.iter().filter(|rows| rows.is_whole()).cloned();
    let mut divisions: Vec<Division> = own.map(|rows| Division { rows, is_throughout: true }).collect();
    divisions.extend(others);
    divisions.sort_by_key(rank);
    let mut partly = None;
    for (position, Division { rows, .. }) in divisions.iter().enumerate() {
        let conditions: Vec<Expr> = rows.conditions.iter().map(|condition| condition.expr.clone()).collect();
        let is_lost = |reference: &Reference| is_never(reference, &conditions, ranges);
        let relying: BTreeSet<usize> = rows.conditions.iter().map(|condition| condition.reference).collect();
        if !relying.iter().any(|reference| is_lost(&references[*reference])) {
            return Ok(divisions.swap_remove(position).rows);
        }
        if partly.is_none() && !references.iter().all(is_lost) {
            partly = Some(position);
        }
    }
    if let Some(partly) = partly {
        return Ok(divisions.swap_remove(partly).rows);
    }
    let mut plain = plain?;
    if plain.is_whole() {
        for condition in &plain.conditions {
            plain.subscripts[condition.reference] = Err(Refusal::NeverExecuted);
        }
    }
    Ok(plain)
}

/// Returns numbers that are lower for better rows: those with fewer conditions, then with fewer sizes that these compare, then with
/// smaller multiples of these sizes.
fn rank(Division { rows, is_throughout }: &Division) -> (usize, usize, u128) {
    let terms = rows.conditions.iter().flat_map(|condition| condition.expr.terms());
    let factors: Vec<i64> =
        terms.filter(|(atom, _)| matches!(atom, Atom::Param(_))).map(|(_, factor)| factor).collect();
    let multiples = factors.iter().map(|factor| u128::from(factor.unsigned_abs())).sum();
    (rows.conditions.len(), if *is_throughout { factors.len() } else { usize::MAX }, multiples)
}
