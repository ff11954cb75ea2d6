//! Piecewise quasi-polynomials whose pieces are plain data.
//!
//! isl adds them too, but simplifies every sum on its piece by the piece's affine hull, which takes minutes where there are
//! many congruences. Here a sum is the sum of two polynomials, on the intersection of two domains.

use symloc_isl::{PwQPolynomial, Set};
use symloc_quasi::{Poly, Rational};

use crate::Error;
use crate::convert::{Frame, pieces};

/// A quasi-polynomial on a part of a domain.
#[derive(Debug, Clone)]
pub struct ValuePiece {
    /// Which part; nothing if it is the whole domain.
    pub domain: Option<Set>,
    /// The value there.
    pub value: Poly,
}

impl ValuePiece {
    /// This value wherever it is asked for.
    pub fn everywhere(value: Poly) -> Self {
        Self { domain: None, value }
    }
}

/// One polynomial on each part of a partition of a set of parameter values.
#[derive(Debug, Clone)]
pub struct Piecewise(Vec<ValuePiece>);

impl Piecewise {
    /// One polynomial everywhere.
    pub fn everywhere(value: Poly) -> Self {
        Self(vec![ValuePiece::everywhere(value)])
    }

    /// isl's polynomial on `context`; zero where it has no piece.
    pub fn new(value: &PwQPolynomial, context: &Set, frame: &Frame) -> Result<Self, Error> {
        let mut partition = Vec::new();
        let mut rest = context.clone();
        for (domain, value) in pieces(value, frame)? {
            rest = rest.subtract(&domain)?;
            partition.push(ValuePiece { domain: Some(domain.intersect(context)?), value });
        }
        partition.push(ValuePiece { domain: Some(rest.coalesce()?), value: Poly::zero() });
        Ok(Self(partition).merged()?)
    }

    /// The pieces: disjoint, none of them empty.
    pub fn pieces(&self) -> &[ValuePiece] {
        &self.0
    }

    /// Every value times a number.
    pub fn scale(&self, factor: &Rational) -> Self {
        let piece = |piece: &ValuePiece| ValuePiece { value: piece.value.scale(factor), ..piece.clone() };
        Self(self.0.iter().map(piece).collect())
    }

    /// The sum where both are defined.
    pub fn add(&self, other: &Self) -> Result<Self, Error> {
        let mut sums = Vec::new();
        for ours in &self.0 {
            for theirs in &other.0 {
                let domain = match (&ours.domain, &theirs.domain) {
                    (Some(a), Some(b)) => Some(a.intersect(b)?),
                    (one, other) => one.as_ref().or(other.as_ref()).cloned(),
                };
                sums.push(ValuePiece { domain, value: &ours.value + &theirs.value });
            }
        }
        Self(sums).merged()
    }

    /// Without empty pieces, and with one for each value.
    fn merged(self) -> Result<Self, Error> {
        if self.0.len() == 1 {
            return Ok(self);
        }
        let mut merged: Vec<ValuePiece> = Vec::new();
        for piece in self.0 {
            if piece.domain.as_ref().map_or(Ok(false), Set::is_empty)? {
                continue;
            }
            match merged.iter_mut().find(|other| other.value == piece.value) {
                Some(other) => {
                    let union = other.domain.take().zip(piece.domain);
                    other.domain = union.map(|(a, b)| a.union(&b)?.coalesce()).transpose()?;
                }
                None => merged.push(piece),
            }
        }
        match merged.as_mut_slice() {
            [only] => only.domain = None,
            _ => {}
        }
        Ok(Self(merged))
    }
}
