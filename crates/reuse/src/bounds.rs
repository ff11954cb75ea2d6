//! Ranges for the free iterators of a count, so that an evaluator can scan its points.
//!
//! For each iterator the others further in are projected out, and every constraint `a·q + e ≥ 0` that is left bounds it:
//! `q ≥ ⌈−e/a⌉` or `q ≤ ⌊e/−a⌋`. Floors are dropped before, so a range may be too wide, never too narrow; the exact
//! domain is stored beside it.

use num_traits::{Signed, Zero};
use symloc_isl::{BasicSet, Context, DimType};
use symloc_model::Bounds;
use symloc_quasi::{Atom, Monomial, Poly, Relation, Var};

use crate::Error;
use crate::convert::constraints;
use crate::frame::Frame;

/// The range of each iterator of `frame` in a set over parameters and iterators, all of them isl parameters.
pub(crate) fn bounds(isl: &Context, set: &BasicSet, frame: &Frame) -> Result<Vec<Bounds>, Error> {
    let iterators: Vec<Var> = frame.iterators().collect();
    if iterators.is_empty() {
        return Ok(Vec::new());
    }
    let mut hull = frame.over_iters(isl, &set.to_set()?.remove_divs()?.params()?)?;
    let mut ranges = Vec::new();
    for (depth, iterator) in iterators.iter().enumerate().rev() {
        ranges.push(range(&hull.remove_divs()?.simple_hull()?, frame, *iterator)?);
        hull = hull.project_out(DimType::SET, depth, 1)?;
    }
    ranges.reverse();
    Ok(ranges)
}

fn range(hull: &BasicSet, frame: &Frame, iterator: Var) -> Result<Bounds, Error> {
    let monomial = Monomial::power(Atom::Var(iterator), 1);
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for constraint in constraints(hull, frame)? {
        let coefficient = constraint.poly.coefficient(&monomial).to_integer();
        if coefficient.is_zero() {
            continue;
        }
        let rest = &constraint.poly - &Poly::term(constraint.poly.coefficient(&monomial), monomial.clone());
        // a·q + rest ≥ 0 (or = 0, which is both) with a of either sign.
        let size = coefficient.abs();
        let towards = if coefficient.is_positive() { -&rest } else { rest };
        let equality = constraint.relation == Relation::Zero;
        if coefficient.is_positive() || equality {
            lower.push(-&(-&towards).floor_div(&size));
        }
        if coefficient.is_negative() || equality {
            upper.push(towards.floor_div(&size));
        }
    }
    if lower.is_empty() || upper.is_empty() {
        return Err(Error::Unbounded("the range of an iterator"));
    }
    Ok(Bounds { lower, upper })
}
