//! RI(t) = rank(t) − rank(prev(t)), by substitution (docs/mathematics.md, "Reuse intervals by substitution").
//!
//! prev is piecewise affine and rank piecewise polynomial, so an interval is a polynomial on a part of the domain
//! of its access; no counting is needed. An imaginary interval reaches into the run before: N + rank(t) − rank(last).

use symloc_isl::{Context, Set};
use symloc_model::Kind;
use symloc_quasi::{Poly, Var};

use crate::Error;
use crate::convert::affine_forms;
use crate::coordinates::Coordinates;
use crate::prev::{PrevPiece, Reuse};
use crate::rank::RankPiece;
use crate::simplify::Simplifier;
use crate::strides::{self, Strided};

/// On a part of a statement's domain, the reuse interval is this polynomial.
#[derive(Debug)]
pub struct IntervalPiece {
    /// Real or imaginary.
    pub kind: Kind,
    /// The access, and the previous one.
    pub reuse: Reuse,
    /// The part of the access's domain: `[params] -> { [iters] : … }`.
    pub domain: Set,
    /// The interval, in the variables of the sink's [`Frame`](crate::Frame).
    pub value: Poly,
    /// The iterators that count steps; see [`crate::strides`]. Outermost first.
    pub in_steps: Vec<Var>,
}

/// The intervals on one piece of prev: one for each combination of pieces of the ranks that occurs there.
///
/// # Errors
///
/// [`Error::Isl`] if isl fails or reaches the limit on its operations.
pub fn intervals(isl: &Context, coordinates: &Coordinates, prev: &PrevPiece) -> Result<Vec<IntervalPiece>, Error> {
    let (sink, source) = (coordinates.ranked(prev.sink), coordinates.ranked(prev.source));
    let frame = &sink.frame;
    let iterators = affine_forms(&prev.iterators, &prev.domain, frame)?;
    let at_source = |var: Var| iterators.get(frame.depth(var)?).cloned();
    let mut values = vec![(prev.domain.clone(), Poly::zero())];
    values = refine(values, &sink.ranks, |part| Ok(part.clone()), Clone::clone)?;
    values = refine(
        values,
        &source.ranks,
        |part| Ok(part.preimage_multi_aff(&prev.iterators)?),
        |rank| -&rank.substitute(&at_source),
    )?;
    if prev.kind == Kind::Imaginary {
        let everywhere = Set::universe(&prev.domain.space()?)?;
        let parts = |part: &Set| Ok(everywhere.intersect_params(part)?);
        values = refine(values, &coordinates.totals, parts, Clone::clone)?;
    }
    let piece = |(domain, value): (Set, Poly)| {
        let domain = domain.reset_tuple_name()?;
        let value = Simplifier::new(isl, frame, &domain)?.simplify(&value)?;
        let Strided { domain, value, in_steps } = strides::taken(isl, frame, domain, value)?;
        let value = coordinates.normal(&value);
        Ok(IntervalPiece { kind: prev.kind, reuse: prev.reuse(), domain, value, in_steps })
    };
    values.into_iter().map(piece).collect()
}

/// Adds a piecewise polynomial to values on parts of a domain; `place` brings its parts into the domain's space and
/// `value` its values.
fn refine(
    values: Vec<(Set, Poly)>,
    pieces: &[RankPiece],
    place: impl Fn(&Set) -> Result<Set, Error>,
    value: impl Fn(&Poly) -> Poly,
) -> Result<Vec<(Set, Poly)>, Error> {
    let mut refined = Vec::new();
    for piece in pieces {
        let term = value(&piece.value);
        let part = piece.domain.as_ref().map(&place).transpose()?;
        for (domain, sum) in &values {
            let domain = match &part {
                None => domain.clone(),
                Some(part) => domain.intersect(part)?,
            };
            if part.is_none() || !domain.is_empty()? {
                refined.push((domain, sum + &term));
            }
        }
    }
    Ok(refined)
}
