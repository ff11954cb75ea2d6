//! The reuses of an access as other processes hand them over: sets and functions as text.

use serde::{Deserialize, Serialize};
use symloc_affine::AccessId;
use symloc_isl::{Context, MultiAff, Set};
use symloc_model::IntervalKind;
use symloc_quasi::Poly;

use crate::Error;
use crate::previous::PrevPiece;

/// Values of an access on a part of its domain.
#[derive(Clone, Debug)]
pub(crate) struct ValuePart {
    /// `[params] -> { [iterators] : … }`
    pub(crate) domain: Set,
    /// In the variables of the access.
    pub(crate) value: Poly,
}

/// The reuses of one access, or of a part of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct FoundReuses {
    /// The last accesses to the blocks of its first touches.
    pub(crate) imaginary: Vec<PrevText>,
    /// The previous writes, but where an access repeats the one before.
    pub(crate) writes: Vec<PrevText>,
    /// The previous accesses there.
    pub(crate) repeated: Vec<PrevText>,
    /// The reuse intervals.
    pub(crate) intervals: Vec<ValueText>,
    /// The reuse distances, in line coordinates.
    pub(crate) distances: Vec<ValueText>,
    /// True if some distances are not known.
    pub(crate) estimated: bool,
}

/// A piece of previous accesses.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PrevText {
    source: u32,
    domain: String,
    iterators: String,
}

/// A value on a part of the domain of an access.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ValueText {
    domain: String,
    value: Poly,
}

impl FoundReuses {
    /// Adds the distances in a window; `None` if they are not known.
    pub(crate) fn add_distances(&mut self, values: &Option<Vec<(Set, Poly)>>) {
        match values {
            Some(values) => self.distances.extend(values.iter().map(ValueText::new)),
            None => self.estimated = true,
        }
    }

    /// Adds those of another part.
    pub(crate) fn add(&mut self, more: Self) {
        self.imaginary.extend(more.imaginary);
        self.writes.extend(more.writes);
        self.repeated.extend(more.repeated);
        self.intervals.extend(more.intervals);
        self.distances.extend(more.distances);
        self.estimated |= more.estimated;
    }
}

impl PrevText {
    /// Returns the pieces of one kind.
    pub(crate) fn of(pieces: &[PrevPiece], kind: IntervalKind) -> Vec<Self> {
        let text = |PrevPiece { source, domain, iterators, .. }: &PrevPiece| Self {
            source: source.0,
            domain: domain.to_string(),
            iterators: iterators.to_string(),
        };
        pieces.iter().filter(|piece| piece.kind == kind).map(text).collect()
    }

    /// Returns the piece of an access.
    pub(crate) fn read(&self, isl: &Context, sink: AccessId) -> Result<PrevPiece, Error> {
        Ok(PrevPiece {
            kind: IntervalKind::Real,
            sink,
            source: AccessId(self.source),
            domain: Set::read(isl, &self.domain)?,
            iterators: MultiAff::read(isl, &self.iterators)?,
        })
    }
}

impl ValueText {
    pub(crate) fn new((domain, value): &(Set, Poly)) -> Self {
        Self { domain: domain.to_string(), value: value.clone() }
    }

    pub(crate) fn read(&self, isl: &Context) -> Result<ValuePart, Error> {
        Ok(ValuePart { domain: Set::read(isl, &self.domain)?, value: self.value.clone() })
    }
}
