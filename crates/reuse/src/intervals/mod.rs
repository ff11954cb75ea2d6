//! RI(t) = rank(t) − rank(prev(t)), by substitution (docs/mathematics.md, "Reuse intervals by substitution").
//!
//! prev is piecewise affine and rank piecewise polynomial, so an interval is a polynomial on a part of the domain
//! of its access; no counting is needed. An imaginary interval reaches into the run before: N + rank(t) − rank(last).

pub mod classes;
pub mod strides;

use symloc_affine::AccessId;
use symloc_isl::{Context, Set};
use symloc_model::IntervalKind;
use symloc_quasi::{Poly, Var};

use crate::Error;
use crate::convert::affine_forms;
use crate::formulas::merge::merged;
use crate::intervals::strides::Strided;
use crate::previous::{PrevPiece, Reuse};
use crate::schedule::coordinates::Coordinates;
use crate::schedule::rank::{Rank, RankPiece, Term, sums};

/// On a part of a statement's domain, the reuse interval is this polynomial.
#[derive(Debug)]
pub struct IntervalPiece {
    /// Real or imaginary.
    pub kind: IntervalKind,
    /// The access, and the previous one.
    pub reuse: Reuse,
    /// The part of the access's domain: `[params] -> { [iters] : … }`.
    pub domain: Set,
    /// The interval, in the variables of the sink's [`Frame`](crate::Frame).
    pub value: Poly,
    /// The iterators that count steps; see [`crate::intervals::strides`]. Outermost first.
    pub in_steps: Vec<Var>,
}

/// Returns the intervals on one piece of prev: one for each combination of pieces of the ranks' terms that occurs
/// there. Terms that are the same function of the same iterators cancel.
///
/// # Errors
///
/// [`Error::Isl`] if isl fails or reaches the limit on its operations.
pub fn intervals(isl: &Context, coordinates: &Coordinates, prev: &PrevPiece) -> Result<Vec<IntervalPiece>, Error> {
    let parts = interval_values(isl, coordinates, prev)?;
    parts.into_iter().map(|part| interval(isl, coordinates, prev, part)).collect()
}

/// Returns the interval of a part of one piece of prev, from its domain and value.
pub(crate) fn interval(
    isl: &Context,
    coordinates: &Coordinates,
    prev: &PrevPiece,
    (domain, value): (Set, Poly),
) -> Result<IntervalPiece, Error> {
    let frame = &coordinates.ranked(prev.sink).frame;
    let Strided { domain, value, in_steps } = strides::taken(isl, frame, domain, value)?;
    let value = coordinates.normal(&value);
    Ok(IntervalPiece { kind: prev.kind, reuse: prev.reuse(), domain, value, in_steps })
}

/// Returns true if each access of a piece of prev comes right after its previous one, in the same iteration of all loops.
pub(crate) fn is_right_after(coordinates: &Coordinates, prev: &PrevPiece) -> Result<bool, Error> {
    let (sink, source) = (coordinates.ranked(prev.sink), coordinates.ranked(prev.source));
    let numbers = |rank: &Rank| rank.terms.iter().map(|term| term.number).collect::<Vec<_>>();
    if prev.kind == IntervalKind::Imaginary
        || &sink.rank.everywhere - &source.rank.everywhere != Poly::one()
        || numbers(&sink.rank) != numbers(&source.rank)
    {
        return Ok(false);
    }
    let iterators = affine_forms(&prev.iterators, &prev.domain, &sink.frame)?;
    Ok(iterators.len() == sink.frame.iterators().count()
        && iterators.iter().zip(sink.frame.iterators()).all(|(there, here)| *there == Poly::var(here)))
}

/// Returns the intervals on one piece of prev, in iterators.
pub(crate) fn interval_values(
    isl: &Context,
    coordinates: &Coordinates,
    prev: &PrevPiece,
) -> Result<Vec<(Set, Poly)>, Error> {
    let (sink, source) = (coordinates.ranked(prev.sink), coordinates.ranked(prev.source));
    let frame = &sink.frame;
    let iterators = affine_forms(&prev.iterators, &prev.domain, frame)?;
    let at_source = |var: Var| iterators.get(frame.depth(var)?).filter(|there| **there != Poly::var(var)).cloned();
    let same = iterators.iter().zip(frame.iterators()).take_while(|(there, here)| **there == Poly::var(*here)).count();
    let cancels =
        |term: &Term, other: &Rank| term.depth <= same && other.terms.iter().any(|other| other.number == term.number);
    let value = &sink.rank.everywhere - &source.rank.everywhere.substitute(&at_source);
    let mut values = vec![RankPiece { domain: prev.domain.clone(), value }];
    for term in sink.rank.terms.iter().filter(|term| !cancels(term, &source.rank)) {
        values = sums(&values, &term.pieces)?;
    }
    let before = |piece: &RankPiece| {
        let domain = piece.domain.preimage_multi_aff(&prev.iterators)?;
        Ok(RankPiece { domain, value: -&piece.value.substitute(&at_source) })
    };
    for term in source.rank.terms.iter().filter(|term| !cancels(term, &sink.rank)) {
        values = sums(&values, &term.pieces.iter().map(before).collect::<Result<Vec<_>, Error>>()?)?;
    }
    if prev.kind == IntervalKind::Imaginary {
        let everywhere = Set::universe(&prev.domain.space()?)?;
        let total = |(domain, value): &(Set, Poly)| {
            Ok(RankPiece { domain: everywhere.intersect_params(domain)?, value: value.clone() })
        };
        values = sums(&values, &coordinates.totals.iter().map(total).collect::<Result<Vec<_>, Error>>()?)?;
    }
    let part = |RankPiece { domain, value }: RankPiece| Ok((domain.reset_tuple_name()?, value));
    let parts = values.into_iter().map(part).collect::<Result<_, Error>>()?;
    merged(isl, frame, parts, Poly::clone)
}

/// Returns the number of accesses from those of a part of an access, `S<k>[iters]`, to the end of the program, as if
/// their blocks were accessed again there.
pub(crate) fn values_at_end(
    isl: &Context,
    coordinates: &Coordinates,
    access: AccessId,
    domain: &Set,
) -> Result<Vec<(Set, Poly)>, Error> {
    let ranked = coordinates.ranked(access);
    let everywhere = Set::universe(&domain.space()?)?;
    let mut values = Vec::new();
    for RankPiece { domain, value } in ranked.rank.pieces(domain)? {
        for (sizes, total) in &coordinates.totals {
            let domain = domain.intersect(&everywhere.intersect_params(sizes)?)?;
            if !domain.is_empty()? {
                values.push((domain.reset_tuple_name()?, total - &value));
            }
        }
    }
    merged(isl, &ranked.frame, values, Poly::clone)
}
