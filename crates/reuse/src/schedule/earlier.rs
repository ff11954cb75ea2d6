//! Numbers of accesses at a place of the tree, polynomials and what depends on cases.

use std::ops::Range;

use symloc_isl::Set;
use symloc_quasi::Poly;

use crate::Error;
use crate::counting::disjoint::DisjointSum;

/// A number of accesses: a polynomial, and more case by case.
#[derive(Clone, Debug, Default)]
pub(super) struct Earlier {
    pub everywhere: Poly,
    pub terms: Vec<RegionTerm>,
}

/// A [`Term`](super::rank::Term) at a region of the tree, in the variables of the region's frame, which are all parameters to isl.
#[derive(Clone, Debug)]
pub(super) struct RegionTerm {
    /// The number of the term.
    pub number: usize,
    /// Of how many iterators it is a function.
    pub depth: usize,
    /// Disjoint parts that cover the region's domain.
    pub parts: Vec<(Set, Poly)>,
}

impl Earlier {
    /// Returns the sum of two numbers at one place.
    pub(super) fn plus(&self, other: Earlier) -> Self {
        let terms = self.terms.iter().cloned().chain(other.terms).collect();
        Self { everywhere: &self.everywhere + &other.everywhere, terms }
    }

    /// Returns the sum over a context without iterators, on disjoint parts.
    pub(super) fn total(&self, context: &Set) -> Result<Vec<(Set, Poly)>, Error> {
        let mut sum = DisjointSum::zero_on(context);
        for (domain, value) in self.terms.iter().flat_map(|term| &term.parts) {
            sum.add(domain.clone(), value)?;
        }
        let total = |(domain, value): &(Set, Poly)| (domain.clone(), (&self.everywhere + value).periodic_form());
        Ok(sum.parts().iter().map(total).collect())
    }
}

/// A node of the program's body, with ranks from its beginning.
pub(super) struct RankedNode {
    /// Its regions.
    pub regions: Range<usize>,
    /// The ranks of its accesses.
    pub ranks: Vec<Poly>,
    /// The number of its accesses.
    pub all: Poly,
}
