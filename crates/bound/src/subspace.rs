//! Subspaces of the rational vector space of iterations, and the lattice that some of them generate.

use std::collections::BTreeSet;

use num_traits::{One, Zero};
use symloc_quasi::Rational;

type Vector = Vec<Rational>;

/// A subspace, as the reduced row echelon form of a basis: equal subspaces compare equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Subspace {
    dimension: usize,
    basis: Vec<Vector>,
}

impl Subspace {
    /// Returns the subspace that vectors span in a space of `dimension` coordinates.
    pub(crate) fn spanned(dimension: usize, vectors: Vec<Vector>) -> Self {
        Self { dimension, basis: reduced(vectors, dimension) }
    }

    /// Returns the kernel of a matrix with these rows.
    pub(crate) fn kernel(dimension: usize, rows: Vec<Vector>) -> Self {
        let rows = reduced(rows, dimension);
        let pivots: Vec<usize> = rows.iter().filter_map(|row| row.iter().position(|x| !x.is_zero())).collect();
        let free = (0..dimension).filter(|column| !pivots.contains(column));
        let vector = |free: usize| {
            let mut vector = vec![Rational::zero(); dimension];
            vector[free] = Rational::one();
            for (row, pivot) in rows.iter().zip(&pivots) {
                vector[*pivot] = -&row[free];
            }
            vector
        };
        Self::spanned(dimension, free.map(vector).collect())
    }

    /// Returns the number of coordinates of the space around it.
    pub(crate) fn dimension(&self) -> usize {
        self.dimension
    }

    /// Returns the number of dimensions of the subspace itself.
    pub(crate) fn rank(&self) -> usize {
        self.basis.len()
    }

    /// Returns true if the subspace is the whole space.
    pub(crate) fn is_whole(&self) -> bool {
        self.rank() == self.dimension
    }

    /// Returns the smallest subspace that holds both.
    pub(crate) fn sum(&self, other: &Self) -> Self {
        Self::spanned(self.dimension, [&self.basis[..], &other.basis[..]].concat())
    }

    /// Returns the intersection of both.
    pub(crate) fn intersection(&self, other: &Self) -> Self {
        Self::kernel(self.dimension, [self.annihilator(), other.annihilator()].concat())
    }

    /// Returns the rank of the image of this subspace under a map with that kernel.
    pub(crate) fn rank_without(&self, kernel: &Self) -> usize {
        self.rank() - self.intersection(kernel).rank()
    }

    /// Returns linear forms whose common kernel the subspace is.
    fn annihilator(&self) -> Vec<Vector> {
        Self::kernel(self.dimension, self.basis.clone()).basis
    }
}

/// Returns the lattice that subspaces generate by sums and intersections; `None` if it has more than `most` members.
pub(crate) fn lattice(generators: &[Subspace], most: usize) -> Option<Vec<Subspace>> {
    let mut known: BTreeSet<Subspace> = generators.iter().cloned().collect();
    let mut members: Vec<Subspace> = known.iter().cloned().collect();
    let mut next = 0;
    while next < members.len() {
        for other in 0..next {
            let (a, b) = (&members[next], &members[other]);
            for found in [a.sum(b), a.intersection(b)] {
                if known.insert(found.clone()) {
                    members.push(found);
                }
            }
            if members.len() > most {
                return None;
            }
        }
        next += 1;
    }
    Some(members)
}

/// Returns the reduced row echelon form of a matrix, without rows that are zero.
pub(crate) fn reduced(mut rows: Vec<Vector>, columns: usize) -> Vec<Vector> {
    let mut rank = 0;
    for column in 0..columns {
        let Some(found) = (rank..rows.len()).find(|row| !rows[*row][column].is_zero()) else { continue };
        rows.swap(rank, found);
        let factor = rows[rank][column].recip();
        rows[rank].iter_mut().for_each(|x| *x *= &factor);
        let pivot = rows[rank].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(index, _)| *index != rank) {
            let factor = row[column].clone();
            if !factor.is_zero() {
                row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= &factor * p);
            }
        }
        rank += 1;
    }
    rows.truncate(rank);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(values: &[i64]) -> Vector {
        values.iter().map(|value| Rational::from_integer((*value).into())).collect()
    }

    fn spanned(vectors: &[&[i64]]) -> Subspace {
        Subspace::spanned(vectors[0].len(), vectors.iter().map(|values| vector(values)).collect())
    }

    #[test]
    fn sums_and_intersections_of_planes() {
        let (a, b) = (spanned(&[&[1, 0, 0], &[0, 1, 0]]), spanned(&[&[0, 1, 1], &[0, 0, 2]]));
        assert_eq!(a.intersection(&b), spanned(&[&[0, 3, 0]]));
        assert!(a.sum(&b).is_whole());
        assert_eq!(a.rank_without(&b), 1);
        assert_eq!(Subspace::kernel(3, vec![vector(&[1, -1, 0])]), spanned(&[&[1, 1, 0], &[0, 0, 1]]));
    }

    /// Three lines of a plane generate 0, themselves and the plane; the kernels of a convolution 17 subspaces and 0 at most.
    #[test]
    fn lattices_are_closed() {
        let lines = [spanned(&[&[1, 0]]), spanned(&[&[0, 1]]), spanned(&[&[1, 1]])];
        assert_eq!(lattice(&lines, 10).unwrap().len(), 5);
        assert!(lattice(&lines, 4).is_none());
    }
}
