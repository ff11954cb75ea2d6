//! Integrals over polytopes whose faces move with the parameters.
//!
//! A polytope `{u : aⱼ·u + bⱼ(p) ≥ 0}` with numbers aⱼ and linear forms bⱼ has, for all parameters in one direction, the
//! same combinatorial type: vertices are linear forms in p, found where as many faces meet as there are dimensions, and
//! kept if they satisfy the other constraints at a sample of the direction. It falls into simplices: a vertex, over all
//! simplices of the facets that do not hold it. Over a simplex with the vertices w₀ … w_k, with u = w₀ + Σ λᵢ·(wᵢ − w₀),
//!
//! ```text
//! ∫ f(u) du = |det(w₁ − w₀, …)| · ∫ f(u(λ)) dλ,    ∫ λ^α dλ = α₁!·…·α_k! / (k + |α|)!
//! ```
//!
//! (Dirichlet's integral), so the integral of a polynomial is a polynomial in the parameters.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use symloc_quasi::{Atom, Monomial, Poly, Rational, Var};

/// `slope·u + offset ≥ 0`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Halfspace {
    /// The slope in each dimension.
    pub slope: Vec<Rational>,
    /// A linear form in the parameters.
    pub offset: Poly,
}

/// A polytope as its simplices.
#[derive(Clone, Debug)]
pub struct Polytope {
    /// The variables of its dimensions.
    variables: Vec<Var>,
    /// Its vertices, each a linear form in the parameters for each dimension.
    vertices: Vec<Vec<Poly>>,
    /// The simplices, as positions of vertices.
    simplices: Vec<Vec<usize>>,
    sample: Vec<BigInt>,
}

impl Polytope {
    /// Creates the polytope of some constraints, in the direction of a sample; `None` if it has no volume there.
    pub fn new(variables: &[Var], faces: &[Halfspace], sample: &[BigInt]) -> Option<Self> {
        let dimensions = variables.len();
        let mut vertices: Vec<Vec<Poly>> = Vec::new();
        let mut tight: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); faces.len()];
        let mut places: Vec<Vec<Rational>> = Vec::new();
        for corner in subsets(faces.len(), dimensions) {
            let Some(vertex) = meeting(&corner.iter().map(|&f| &faces[f]).collect::<Vec<_>>()) else { continue };
            let place: Vec<_> = vertex.iter().map(|form| form.evaluate(sample)).collect();
            let slack: Vec<_> = faces.iter().map(|face| face.at(&place, sample)).collect();
            if slack.iter().any(Signed::is_negative) || places.contains(&place) {
                continue;
            }
            for (face, _) in slack.iter().enumerate().filter(|(_, slack)| slack.is_zero()) {
                tight[face].insert(places.len());
            }
            places.push(place);
            vertices.push(vertex);
        }
        let all: BTreeSet<usize> = (0..places.len()).collect();
        let mut simplices = simplices(&all, dimensions, &tight);
        simplices.retain(|simplex| !determinant(&edges(&vertices, simplex)).evaluate(sample).is_zero());
        let (variables, sample) = (variables.to_vec(), sample.to_vec());
        (!simplices.is_empty()).then_some(Self { variables, vertices, simplices, sample })
    }

    /// Returns the vertices.
    pub fn vertices(&self) -> &[Vec<Poly>] {
        &self.vertices
    }

    /// Returns its simplices, as positions of vertices.
    pub fn simplices(&self) -> &[Vec<usize>] {
        &self.simplices
    }

    /// Returns the integral of a polynomial.
    pub fn integral(&self, integrand: &Poly) -> Poly {
        self.simplices.iter().fold(Poly::zero(), |sum, simplex| &sum + &self.over(simplex, integrand))
    }

    fn over(&self, simplex: &[usize], integrand: &Poly) -> Poly {
        let edges = edges(&self.vertices, simplex);
        let start = &self.vertices[simplex[0]];
        let along =
            |var: Var| {
                let dimension = self.variables.iter().position(|v| *v == var)?;
                let moved = edges.iter().zip(&self.variables);
                Some(moved.fold(start[dimension].clone(), |sum, (edge, lambda)| {
                    &sum + &(&edge[dimension] * &Poly::var(*lambda))
                }))
            };
        let volume = determinant(&edges);
        let volume = if volume.evaluate(&self.sample).is_negative() { -&volume } else { volume };
        &self.dirichlet(&integrand.substitute(&along)) * &volume
    }

    /// Returns the integral over the simplex of all λ ≥ 0 with a sum of at most one.
    fn dirichlet(&self, poly: &Poly) -> Poly {
        poly.terms().fold(Poly::zero(), |sum, (monomial, coefficient)| {
            let of_lambda = |atom: &Atom| matches!(atom, Atom::Var(var) if self.variables.contains(var));
            let (lambda, rest): (Vec<_>, Vec<_>) = monomial.factors().iter().partition(|(atom, _)| of_lambda(atom));
            let degree: u32 = lambda.iter().map(|(_, exponent)| exponent).sum();
            let above = lambda.iter().fold(BigInt::one(), |product, (_, exponent)| product * factorial(*exponent));
            let below = factorial(self.variables.len() as u32 + degree);
            let rest = rest.into_iter().fold(Monomial::default(), |product, (atom, exponent)| {
                product.times(&Monomial::power(atom.clone(), *exponent))
            });
            &sum + &Poly::term(coefficient * Rational::new(above, below), rest)
        })
    }
}

impl Halfspace {
    fn at(&self, place: &[Rational], sample: &[BigInt]) -> Rational {
        self.slope.iter().zip(place).fold(self.offset.evaluate(sample), |sum, (slope, value)| sum + slope * value)
    }
}

fn factorial(n: u32) -> BigInt {
    (1..=n).fold(BigInt::one(), |product, k| product * k)
}

/// Returns all sets of `size` numbers below `count`, ascending.
fn subsets(count: usize, size: usize) -> Vec<Vec<usize>> {
    (0..size).fold(vec![Vec::new()], |sets, _| {
        let extend = |set: &Vec<usize>| {
            let first = set.last().map_or(0, |last| last + 1);
            (first..count).map(|next| [set.as_slice(), &[next]].concat()).collect::<Vec<_>>()
        };
        sets.iter().flat_map(extend).collect()
    })
}

/// Returns the point where the faces meet, which are as many as there are dimensions; `None` if that is not one point.
fn meeting(faces: &[&Halfspace]) -> Option<Vec<Poly>> {
    let mut rows: Vec<(Vec<Rational>, Poly)> = faces.iter().map(|f| (f.slope.clone(), -&f.offset)).collect();
    for column in 0..rows.len() {
        let pivot = (column..rows.len()).find(|&row| !rows[row].0[column].is_zero())?;
        rows.swap(column, pivot);
        let scale = rows[column].0[column].recip();
        let (slope, value) = &rows[column];
        let unit = (slope.iter().map(|a| a * &scale).collect::<Vec<_>>(), value.scale(&scale));
        for (other, (slope, value)) in rows.iter_mut().enumerate() {
            let factor = slope[column].clone();
            if other != column && !factor.is_zero() {
                slope.iter_mut().zip(&unit.0).for_each(|(a, u)| *a -= &factor * u);
                *value = &*value - &unit.1.scale(&factor);
            }
        }
        rows[column] = unit;
    }
    Some(rows.into_iter().map(|(_, value)| value).collect())
}

/// Returns the simplices of the face with these vertices; `tight` holds the vertices on each of the polytope's faces.
fn simplices(face: &BTreeSet<usize>, dimensions: usize, tight: &[BTreeSet<usize>]) -> Vec<Vec<usize>> {
    let Some(&apex) = face.first().filter(|_| face.len() > dimensions) else { return Vec::new() };
    if dimensions == 0 {
        return vec![vec![apex]];
    }
    let proper: BTreeSet<BTreeSet<usize>> =
        tight.iter().map(|on| on & face).filter(|on| on.len() < face.len() && on.len() >= dimensions).collect();
    let facets = proper.iter().filter(|on| !proper.iter().any(|other| on.is_subset(other) && *on != other));
    let opposite = facets.filter(|facet| !facet.contains(&apex));
    opposite
        .flat_map(|facet| simplices(facet, dimensions - 1, tight))
        .map(|base| [&[apex], base.as_slice()].concat())
        .collect()
}

fn edges(vertices: &[Vec<Poly>], simplex: &[usize]) -> Vec<Vec<Poly>> {
    let start = &vertices[simplex[0]];
    simplex[1..].iter().map(|&end| vertices[end].iter().zip(start).map(|(e, s)| e - s).collect()).collect()
}

/// Computes the determinant by Laplace's expansion: there are few dimensions, and entries that have no common divisor.
fn determinant(rows: &[Vec<Poly>]) -> Poly {
    let Some((first, rest)) = rows.split_first() else { return Poly::one() };
    let minor = |column: usize| {
        let without = |row: &Vec<Poly>| {
            row.iter().enumerate().filter(|(c, _)| *c != column).map(|(_, entry)| entry.clone()).collect()
        };
        determinant(&rest.iter().map(without).collect::<Vec<Vec<Poly>>>())
    };
    let entries = first.iter().enumerate().filter(|(_, entry)| !entry.is_zero());
    entries.fold(Poly::zero(), |sum, (column, entry)| {
        let term = entry * &minor(column);
        if column % 2 == 0 { &sum + &term } else { &sum - &term }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half(slope: &[i64], offset: Poly) -> Halfspace {
        Halfspace { slope: slope.iter().map(|&a| Rational::from_integer(a.into())).collect(), offset }
    }

    fn rational(a: i64, b: i64) -> Rational {
        Rational::new(a.into(), b.into())
    }

    #[test]
    fn boxes_and_triangles() {
        let [n, m] = [0, 1].map(|v| Poly::var(Var(v)));
        let (i, j) = (Var(2), Var(3));
        let sample = [BigInt::from(1000), BigInt::from(900)];
        let faces = [
            half(&[1, 0], Poly::zero()),
            half(&[0, 1], Poly::zero()),
            half(&[-1, 0], n.clone()),
            half(&[0, -1], m.clone()),
            half(&[-1, -1], (&n + &m).scale(&rational(3, 2))),
        ];
        let rectangle = Polytope::new(&[i, j], &faces, &sample).unwrap();
        assert_eq!(rectangle.integral(&Poly::one()), &n * &m, "the last constraint touches nothing");
        assert_eq!(rectangle.integral(&Poly::var(i)), (&n.pow(2) * &m).scale(&rational(1, 2)));
        // 0 ≤ j ≤ i ≤ n
        let faces = [half(&[1, -1], Poly::zero()), half(&[0, 1], Poly::zero()), half(&[-1, 0], n.clone())];
        let triangle = Polytope::new(&[i, j], &faces, &sample).unwrap();
        let product = &Poly::var(i) * &Poly::var(j);
        assert_eq!(triangle.integral(&product), n.pow(4).scale(&rational(1, 8)));
    }

    #[test]
    fn corners_cut_off_and_pyramids() {
        let n = Poly::var(Var(0));
        let axes = [Var(1), Var(2), Var(3)];
        let sample = [BigInt::from(1000)];
        let mut faces: Vec<_> = (0..3)
            .flat_map(|axis| {
                let unit: Vec<i64> = (0..3).map(|a| i64::from(a == axis)).collect();
                let back: Vec<i64> = unit.iter().map(|a| -a).collect();
                [half(&unit, Poly::zero()), half(&back, n.clone())]
            })
            .collect();
        faces.push(half(&[-1, -1, -1], n.scale(&rational(2, 1))));
        let cut = Polytope::new(&axes, &faces, &sample).unwrap();
        assert_eq!(cut.integral(&Poly::one()), n.pow(3).scale(&rational(5, 6)));
        faces.push(half(&[1, 1, 1], n.scale(&rational(-1, 1))));
        let slab = Polytope::new(&axes, &faces, &sample).unwrap();
        assert_eq!(slab.integral(&Poly::one()), n.pow(3).scale(&rational(2, 3)));
    }

    #[test]
    fn what_is_thin_has_no_volume() {
        let n = Poly::var(Var(0));
        let faces = [half(&[1], Poly::zero()), half(&[-1], Poly::zero()), half(&[-1], n)];
        assert!(Polytope::new(&[Var(1)], &faces, &[BigInt::from(1000)]).is_none());
    }
}
