//! Sums of piecewise polynomials whose pieces stay disjoint.
//!
//! isl adds them too, but simplifies every sum on its piece by the piece's affine hull, which takes minutes where
//! pieces have many congruences. Here polynomials are plain data, and nothing is simplified.

use symloc_isl::Set;
use symloc_quasi::Poly;

use crate::Error;

/// Polynomials on disjoint sets; zero elsewhere.
#[derive(Clone, Debug, Default)]
pub(crate) struct DisjointSum(Vec<(Set, Poly)>);

impl DisjointSum {
    /// Returns the polynomials and their sets.
    pub(crate) fn parts(&self) -> &[(Set, Poly)] {
        &self.0
    }

    /// Adds a polynomial on a set.
    pub(crate) fn add(&mut self, domain: Set, value: &Poly) -> Result<(), Error> {
        let mut sum = Vec::new();
        let mut rest = Some(domain);
        for (part, before) in std::mem::take(&mut self.0) {
            let Some(open) = &rest else {
                sum.push((part, before));
                continue;
            };
            if part.is_equal(open)? {
                sum.push((part, &before + value));
                rest = None;
                continue;
            }
            let common = part.intersect(open)?;
            if common.is_empty()? {
                sum.push((part, before));
                continue;
            }
            let (without, left) = (part.subtract(open)?, open.subtract(&part)?);
            sum.push((common.coalesce()?, &before + value));
            if !without.is_empty()? {
                sum.push((without.coalesce()?, before));
            }
            rest = (!left.is_empty()?).then_some(left);
        }
        sum.extend(rest.map(|rest| (rest, value.clone())));
        self.0 = sum;
        Ok(())
    }

    /// Returns zero, as a piece that covers a context.
    pub(crate) fn zero_on(context: &Set) -> Self {
        Self(vec![(context.clone(), Poly::zero())])
    }

    /// Returns the pieces that are not zero; one for each polynomial.
    pub(crate) fn pieces(self) -> Result<Vec<(Set, Poly)>, Error> {
        let mut pieces: Vec<(Set, Poly)> = Vec::new();
        for (domain, value) in self.0 {
            let value = value.periodic_form();
            if value.is_zero() {
                continue;
            }
            match pieces.iter_mut().find(|(_, other)| *other == value) {
                Some((domains, _)) => *domains = domains.union(&domain)?.coalesce()?,
                None => pieces.push((domain, value)),
            }
        }
        Ok(pieces)
    }
}
