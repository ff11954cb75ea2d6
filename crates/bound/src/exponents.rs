//! Exponents of the discrete Brascamp-Lieb inequality.
//!
//! For homomorphisms φⱼ of Zᵈ and exponents sⱼ in [0, 1], every finite set E has |E| ≤ Π |φⱼ(E)|^sⱼ if and only if
//! rank H ≤ Σ sⱼ rank φⱼ(H) for every subgroup H, and it suffices to ask this of the lattice that the kernels generate
//! (Christ, Demmel, Knight, Scanlon, Yelick). The exponents with the smallest sum are best for large sets: they are a face
//! of a polytope, and its middle is taken.

use num_traits::{One, Zero};
use symloc_quasi::Rational;

use crate::subspace::{Subspace, lattice, reduced};

/// No kernels beyond so many are used; a bound without them is a bound too.
const KERNELS: usize = 6;

/// Larger lattices are not looked at.
const LATTICE: usize = 400;

/// More candidates for vertices are not tried.
const VERTICES: usize = 100_000;

/// `Σ coefficients·s ≥ constant`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RankCondition {
    coefficients: Vec<i64>,
    constant: i64,
}

/// Returns an exponent for each kernel, with the smallest sum; `None` if there are none, or if they are not known.
pub(crate) fn exponents(kernels: &[Subspace]) -> Option<Vec<Rational>> {
    let used = &kernels[..kernels.len().min(KERNELS)];
    let conditions = conditions(used)?;
    let vertices = vertices(&conditions, used.len())?;
    let sum = |vertex: &Vec<Rational>| vertex.iter().fold(Rational::zero(), |sum, s| sum + s);
    let least = vertices.iter().map(sum).min()?;
    let best: Vec<_> = vertices.iter().filter(|vertex| sum(vertex) == least).collect();
    let count = Rational::from_integer(best.len().into());
    let middle = |kernel| best.iter().fold(Rational::zero(), |sum, vertex| sum + &vertex[kernel]) / &count;
    let unused = std::iter::repeat_n(Rational::zero(), kernels.len() - used.len());
    Some((0..used.len()).map(middle).chain(unused).collect())
}

/// Returns the conditions that no other one implies by itself, and those of the unit cube.
fn conditions(kernels: &[Subspace]) -> Option<Vec<RankCondition>> {
    let number = |rank: usize| i64::try_from(rank).ok();
    let of_subspace = |subspace: &Subspace| {
        let ranks = kernels.iter().map(|kernel| number(subspace.rank_without(kernel)));
        Some(RankCondition { coefficients: ranks.collect::<Option<_>>()?, constant: number(subspace.rank())? })
    };
    let mut lattice = lattice(kernels, LATTICE)?;
    // The conditions of sums with a subspace outside of the lattice follow, that of the whole space among them, if the
    // kernels span it; else it is a condition of its own.
    lattice.extend(kernels.first().map(|kernel| Subspace::kernel(kernel.dimension(), Vec::new())));
    let all = lattice.iter().map(of_subspace).collect::<Option<Vec<_>>>()?;
    let mut needed: Vec<RankCondition> = Vec::new();
    for condition in all.into_iter().filter(|condition| condition.constant > 0) {
        if !needed.iter().any(|other| other.implies(&condition)) {
            needed.retain(|other| !condition.implies(other));
            needed.push(condition);
        }
    }
    for kernel in 0..kernels.len() {
        for (sign, constant) in [(1, 0), (-1, -1)] {
            let coefficients = (0..kernels.len()).map(|other| if other == kernel { sign } else { 0 }).collect();
            needed.push(RankCondition { coefficients, constant });
        }
    }
    Some(needed)
}

impl RankCondition {
    /// Returns true if the other condition follows for exponents that are not negative.
    fn implies(&self, other: &Self) -> bool {
        self.constant >= other.constant && self.coefficients.iter().zip(&other.coefficients).all(|(a, b)| a <= b)
    }

    fn holds_at(&self, point: &[Rational]) -> bool {
        let terms = self.coefficients.iter().zip(point);
        let sum = terms.fold(Rational::zero(), |sum, (c, x)| sum + x * Rational::from_integer((*c).into()));
        sum >= Rational::from_integer(self.constant.into())
    }
}

/// Returns the vertices of a polytope: the points at which as many conditions as coordinates are equalities.
fn vertices(conditions: &[RankCondition], dimension: usize) -> Option<Vec<Vec<Rational>>> {
    let mut found: Vec<Vec<Rational>> = Vec::new();
    let mut chosen: Vec<usize> = (0..dimension).collect();
    for _ in 0..VERTICES {
        let point = equalities(conditions, &chosen, dimension);
        let is_new = |point: &Vec<Rational>| conditions.iter().all(|c| c.holds_at(point)) && !found.contains(point);
        found.extend(point.filter(is_new));
        if !advance(&mut chosen, conditions.len()) {
            return Some(found);
        }
    }
    None
}

/// Returns the only point at which some conditions are equalities, if there is one.
fn equalities(conditions: &[RankCondition], chosen: &[usize], dimension: usize) -> Option<Vec<Rational>> {
    let integer = |value: i64| Rational::from_integer(value.into());
    let row = |index: &usize| {
        let RankCondition { coefficients, constant } = &conditions[*index];
        coefficients.iter().chain([constant]).map(|value| integer(*value)).collect()
    };
    let rows = reduced(chosen.iter().map(row).collect(), dimension);
    let solved = rows.len() == dimension && rows.iter().enumerate().all(|(index, row)| row[index].is_one());
    solved.then(|| rows.into_iter().map(|mut row| row.swap_remove(dimension)).collect())
}

/// Goes on to the next choice of so many numbers below `count`; returns false after the last one.
fn advance(chosen: &mut [usize], count: usize) -> bool {
    let size = chosen.len();
    let Some(last) = (0..size).rev().find(|index| chosen[*index] + size - index < count) else { return false };
    chosen[last] += 1;
    for index in last + 1..size {
        chosen[index] = chosen[index - 1] + 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kernel of a map to some coordinates.
    fn without(dimension: usize, coordinates: &[usize]) -> Subspace {
        let unit = |c: &usize| (0..dimension).map(|x| Rational::from_integer(i64::from(x == *c).into())).collect();
        Subspace::kernel(dimension, coordinates.iter().map(unit).collect())
    }

    fn text(kernels: &[Subspace]) -> Vec<String> {
        exponents(kernels).unwrap().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_product_of_matrices_has_halves() {
        assert_eq!(text(&[without(3, &[0, 1]), without(3, &[0, 2]), without(3, &[2, 1])]), ["1/2", "1/2", "1/2"]);
    }

    #[test]
    fn a_tensor_times_a_matrix_takes_the_middle() {
        // sum[p] += A[r][q][s]·C4[s][p], over r, q, p, s.
        assert_eq!(text(&[without(4, &[2]), without(4, &[0, 1, 3]), without(4, &[3, 2])]), ["1/2", "1", "1/2"]);
    }

    #[test]
    fn an_iterator_that_no_access_has_leaves_no_exponents() {
        assert_eq!(exponents(&[without(3, &[1]), without(3, &[2])]), None);
        assert_eq!(exponents(&[without(2, &[1])]), None);
    }

    #[test]
    fn sums_of_iterators_are_no_coordinates() {
        // a[i + j], b[i], c[j]: any two of them determine i and j, and the three of them with halves.
        let row = |values: [i64; 2]| values.iter().map(|x| Rational::from_integer((*x).into())).collect();
        let kernels = [[1, 1], [1, 0], [0, 1]].map(|values| Subspace::kernel(2, vec![row(values)]));
        assert_eq!(text(&kernels), ["2/3", "2/3", "2/3"]);
    }
}
