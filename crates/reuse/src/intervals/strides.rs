//! Iterators that go in steps.
//!
//! Lines put congruences on iterators: where a line begins, `j mod 8 = 0`. A free iterator with one is written `j = 8·u + r`,
//! and u takes its place. Then the domain is a plain range of u, over which counts and intervals can be summed in closed form.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};
use symloc_isl::{Context, MultiAff, Set};
use symloc_quasi::{Constraint, Poly, Rational, Var};

use crate::Error;
use crate::frame::Frame;

/// A domain and a value on it, with steps for iterators.
#[derive(Debug)]
pub struct Strided {
    /// The domain, in the new iterators.
    pub domain: Set,
    /// The value, in the new iterators.
    pub value: Poly,
    /// Which iterators count steps, outermost first.
    pub in_steps: Vec<Var>,
}

/// Replaces each iterator of the value that has a constant remainder on the domain.
///
/// # Errors
///
/// [`Error::Isl`] if isl fails or reaches the limit on its operations.
pub fn taken(isl: &Context, frame: &Frame, domain: Set, value: Poly) -> Result<Strided, Error> {
    Ok(taken_where(isl, frame, domain, (value, Vec::new()))?.0)
}

/// Replaces each iterator of the value or of conditions that has a constant remainder on the domain.
pub(crate) fn taken_where(
    isl: &Context,
    frame: &Frame,
    domain: Set,
    (value, mut conditions): (Poly, Vec<Constraint>),
) -> Result<(Strided, Vec<Constraint>), Error> {
    let mut strided = Strided { domain, value, in_steps: Vec::new() };
    for iterator in frame.iterators() {
        let mentioned = strided.value.vars().contains(&iterator)
            || conditions.iter().any(|condition| condition.poly.vars().contains(&iterator));
        let Some((stride, remainder)) =
            mentioned.then(|| congruence(isl, frame, &strided.domain, iterator)).transpose()?.flatten()
        else {
            continue;
        };
        let original = &Poly::var(iterator).scale(&Rational::from_integer(stride)) + &Poly::integer(remainder);
        let place = MultiAff::read(isl, &frame.map_text(iterator, &original))?;
        let replaced = |poly: &Poly| poly.with_value(iterator, &original).periodic_form();
        conditions = conditions.iter().map(|condition| condition.map(replaced)).collect();
        strided.domain = strided.domain.preimage_multi_aff(&place)?;
        strided.value = replaced(&strided.value);
        strided.in_steps.push(iterator);
    }
    Ok((strided, conditions))
}

/// Returns the largest `d ≥ 2` and the remainder r with which an iterator is `r mod d` on a domain, if there is one. Two points refute all
/// d that do not divide their difference; what is left is proved, or refuted by another point.
fn congruence(isl: &Context, frame: &Frame, domain: &Set, iterator: Var) -> Result<Option<(BigInt, BigInt)>, Error> {
    let (name, at) = (frame.name(iterator), iterator.0 as usize);
    let Some(mut point) = frame.point(domain)? else { return Ok(None) };
    let first = point.swap_remove(at);
    let mut stride = BigInt::ZERO;
    while !stride.is_one() {
        let others = match stride.is_zero() {
            true => format!("{name} != {first}"),
            false => format!("({name} - {first}) mod {stride} >= 1"),
        };
        match frame.point(&domain.intersect(&frame.set(isl, &others)?)?)? {
            Some(other) => stride = stride.gcd(&(&other[at] - &first)),
            None => return Ok((!stride.is_zero()).then(|| (stride.clone(), first.mod_floor(&stride)))),
        }
    }
    Ok(None)
}
