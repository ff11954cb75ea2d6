//! The intervals of one part: the least, the greatest, and the accesses below an interval in between.
//!
//! Below an interval x are the places with value ≤ x. If the value is linear that is a polytope again, and the integrals over it are exact
//! numbers. Otherwise they are computed to about six digits: simplices are halved until they are small, those that the surface value = x
//! crosses are cut along their edges, and over each piece the rule of Grundmann and Möller integrates polynomials exactly.
//!
//! Numbers are for parameters that are all one in units of their own size.

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use symloc_quasi::{Atom, Monomial, Poly, Quotient, Rational, Var};

use crate::limit::part::LimitPart;
use symloc_polyhedra::{Halfspace, Polytope};

/// The shares of a part below an interval.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Below {
    /// The share of its accesses.
    pub(crate) count: Rational,
    /// The share of the sum of their intervals.
    pub(crate) sum: Rational,
}

impl LimitPart {
    /// Returns the number of its accesses.
    pub(crate) fn total(&self) -> Poly {
        self.polytope.integral(&self.count)
    }

    /// Returns the sum of their intervals.
    pub(crate) fn sum(&self) -> Poly {
        self.polytope.integral(&(&self.count * &self.value))
    }

    /// Returns the least and the greatest interval: at a vertex, or at an extreme on the line between two vertices.
    pub(crate) fn span(&self, sample: &[BigInt]) -> Option<(Quotient, Quotient)> {
        let vertices = self.polytope.vertices();
        let mut values: Vec<Quotient> = vertices.iter().map(|v| Quotient::from(self.at(v))).collect();
        for (index, start) in vertices.iter().enumerate() {
            values.extend(vertices[index + 1..].iter().filter_map(|end| self.summit(start, end, sample)));
        }
        let place = |value: &Quotient| value.numerator().evaluate(sample) / value.denominator().evaluate(sample);
        let least = values.iter().min_by_key(|value| place(value))?.clone();
        let greatest = values.iter().max_by_key(|value| place(value))?.clone();
        Some((least, greatest))
    }

    fn at(&self, place: &[Poly]) -> Poly {
        self.value.substitute(&|var| {
            let dimension = self.variables.iter().position(|v| *v == var)?;
            Some(place[dimension].clone())
        })
    }

    /// Returns the extreme of a quadratic value between two vertices, a + b·s + c·s² with 0 < s < 1: a − b²/4c.
    fn summit(&self, start: &[Poly], end: &[Poly], sample: &[BigInt]) -> Option<Quotient> {
        let s = *self.variables.first()?;
        let along: Vec<Poly> = start.iter().zip(end).map(|(a, b)| a + &(&(b - a) * &Poly::var(s))).collect();
        let coefficients = self.at(&along).coefficients(s)?;
        let [a, b, c] = coefficients.as_slice() else { return None };
        let (slope, bend) = (b.evaluate(sample), c.evaluate(sample));
        let top = -slope / (bend * Rational::from_integer(2.into()));
        if !top.is_positive() || top >= Rational::one() {
            return None;
        }
        let four = Rational::from_integer(4.into());
        Quotient::new(&(a * c).scale(&four) - &(b * b), c.scale(&four))
    }

    /// Returns the shares of the part below an interval.
    pub(crate) fn below(&self, x: &Rational) -> Option<Below> {
        if self.is_linear() { self.exactly_below(x) } else { Some(Numeric::new(self).below(x.to_f64()?)) }
    }

    fn is_linear(&self) -> bool {
        let degree = |monomial: &Monomial| {
            let own = |atom: &Atom| matches!(atom, Atom::Var(var) if self.variables.contains(var));
            monomial.factors().iter().filter(|(atom, _)| own(atom)).map(|(_, exponent)| exponent).sum::<u32>()
        };
        self.value.terms().all(|(monomial, _)| degree(monomial) <= 1)
    }

    fn exactly_below(&self, x: &Rational) -> Option<Below> {
        let value = self.unit(&self.value);
        let slope = |var: &Var| -value.slope(*var);
        let cut = Halfspace {
            slope: self.variables.iter().map(slope).collect(),
            offset: Poly::constant(x - value.constant_term()),
        };
        let mut faces: Vec<Halfspace> =
            self.faces.iter().map(|f| Halfspace { offset: self.unit(&f.offset), ..f.clone() }).collect();
        let whole = Polytope::new(&self.variables, &faces, &[])?;
        faces.push(cut);
        let count = self.unit(&self.count);
        let sum = &count * &value;
        let Some(part) = Polytope::new(&self.variables, &faces, &[]) else {
            return Some(Below { count: Rational::zero(), sum: Rational::zero() });
        };
        let share = |poly: &Poly| {
            let whole = whole.integral(poly).constant_term();
            (!whole.is_zero()).then(|| part.integral(poly).constant_term() / whole)
        };
        Some(Below { count: share(&count)?, sum: share(&sum)? })
    }

    /// Returns a polynomial where all parameters are one.
    fn unit(&self, poly: &Poly) -> Poly {
        poly.substitute(&|var| (!self.variables.contains(&var)).then(Poly::one))
    }
}

/// A part in floating point.
struct Numeric {
    value: FloatTerms,
    count: FloatTerms,
    simplices: Vec<Vec<Vec<f64>>>,
    degree: u32,
}

/// Coefficients and the exponents of the variables.
struct FloatTerms(Vec<(f64, Vec<u32>)>);

impl FloatTerms {
    fn new(poly: &Poly, variables: &[Var]) -> Self {
        let term = |(monomial, coefficient): (&Monomial, &Rational)| {
            let exponents = variables.iter().map(|var| monomial.exponent(&Atom::Var(*var))).collect();
            (coefficient.to_f64().unwrap_or(0.0), exponents)
        };
        Self(poly.terms().map(term).collect())
    }

    fn at(&self, place: &[f64]) -> f64 {
        let term = |(coefficient, exponents): &(f64, Vec<u32>)| {
            place.iter().zip(exponents).fold(*coefficient, |product, (x, e)| product * x.powi(*e as i32))
        };
        self.0.iter().map(term).sum()
    }
}

/// The number of simplices up to which a simplex is halved.
const CELLS: usize = 1 << 10;

impl Numeric {
    fn new(part: &LimitPart) -> Self {
        let number = |form: &Poly| part.unit(form).constant_term().to_f64().unwrap_or(0.0);
        let vertices: Vec<Vec<f64>> =
            part.polytope.vertices().iter().map(|vertex| vertex.iter().map(number).collect()).collect();
        let corners = |simplex: &Vec<usize>| simplex.iter().map(|&v| vertices[v].clone()).collect();
        let [value, count] = [&part.value, &part.count].map(|poly| part.unit(poly));
        Self {
            degree: value.degree() + count.degree(),
            value: FloatTerms::new(&value, &part.variables),
            count: FloatTerms::new(&count, &part.variables),
            simplices: part.polytope.simplices().iter().map(corners).collect(),
        }
    }

    fn below(&self, x: f64) -> Below {
        let (mut low, mut all) = ([0.0; 2], [0.0; 2]);
        for simplex in &self.simplices {
            let whole = self.integrals(simplex);
            (0..2).for_each(|k| all[k] += whole[k]);
            for cell in halved(simplex.clone()) {
                let part = self.cut(cell, x);
                (0..2).for_each(|k| low[k] += part[k]);
            }
        }
        let share = |k: usize| {
            let share = (low[k] / all[k]).clamp(0.0, 1.0);
            Rational::new(((share * 1e9).round() as i64).into(), 1_000_000_000.into())
        };
        Below { count: share(0), sum: share(1) }
    }

    /// Returns the integrals over the part of a small simplex that is not above x.
    fn cut(&self, simplex: Vec<Vec<f64>>, x: f64) -> [f64; 2] {
        let values: Vec<f64> = simplex.iter().map(|corner| self.value.at(corner)).collect();
        let tolerance = 1e-12 * x.abs().max(1e-300);
        if values.iter().all(|&value| value <= x + tolerance) {
            return self.integrals(&simplex);
        }
        if values.iter().all(|&value| value >= x - tolerance) {
            return [0.0; 2];
        }
        let low = (0..values.len()).min_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(0);
        let high = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(0);
        let middle = self.crossing(&simplex[low], &simplex[high], x);
        let halves = [low, high].map(|corner| {
            let mut half = simplex.clone();
            half[corner] = middle.clone();
            self.cut_again(half, x)
        });
        [halves[0][0] + halves[1][0], halves[0][1] + halves[1][1]]
    }

    /// Counts the rest of a cut by its centre if its corners are on the surface up to rounding, and cuts it again otherwise.
    fn cut_again(&self, simplex: Vec<Vec<f64>>, x: f64) -> [f64; 2] {
        let tolerance = 1e-9 * x.abs();
        let side = |corner: &Vec<f64>| {
            let value = self.value.at(corner);
            if (value - x).abs() <= tolerance {
                0
            } else if value < x {
                -1
            } else {
                1
            }
        };
        let sides: Vec<i32> = simplex.iter().map(side).collect();
        match (sides.contains(&-1), sides.contains(&1)) {
            (true, true) => self.cut(simplex, x),
            (_, false) => self.integrals(&simplex),
            (false, true) => [0.0; 2],
        }
    }

    /// Returns the point between two places where the value is x, by bisection.
    fn crossing(&self, low: &[f64], high: &[f64], x: f64) -> Vec<f64> {
        let at = |s: f64| -> Vec<f64> { low.iter().zip(high).map(|(a, b)| a + (b - a) * s).collect() };
        let (mut start, mut end) = (0.0, 1.0);
        for _ in 0..50 {
            let middle = (start + end) / 2.0;
            if self.value.at(&at(middle)) <= x { start = middle } else { end = middle }
        }
        at((start + end) / 2.0)
    }

    /// Returns the integrals of count and count · value over a simplex.
    fn integrals(&self, simplex: &[Vec<f64>]) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for (weight, place) in rule(simplex, self.degree.div_ceil(2)) {
            let count = self.count.at(&place) * weight;
            sums[0] += count;
            sums[1] += count * self.value.at(&place);
        }
        sums
    }
}

/// Returns the rule of Grundmann and Möller, exact up to degree 2s + 1: weights, which include the volume, and places.
fn rule(simplex: &[Vec<f64>], s: u32) -> Vec<(f64, Vec<f64>)> {
    let n = simplex.len() as u32 - 1;
    let volume = volume(simplex);
    let degree = 2 * s + 1;
    let factorial = |k: u32| (1..=k).map(f64::from).product::<f64>();
    let mut rule = Vec::new();
    for i in 0..=s {
        let base = f64::from(degree + n - 2 * i);
        let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
        let weight = sign * 0.5_f64.powi(2 * s as i32) * base.powi(degree as i32)
            / (factorial(i) * factorial(degree + n - i))
            * factorial(n)
            * volume;
        for parts in compositions(s - i, n + 1) {
            let mut place = vec![0.0; n as usize];
            for (corner, part) in simplex.iter().zip(&parts) {
                let share = f64::from(2 * part + 1) / base;
                place.iter_mut().zip(corner).for_each(|(sum, x)| *sum += share * x);
            }
            rule.push((weight, place));
        }
    }
    rule
}

/// Returns all ways to write a number as a sum of `parts` numbers.
fn compositions(total: u32, parts: u32) -> Vec<Vec<u32>> {
    if parts == 1 {
        return vec![vec![total]];
    }
    let rest = |first: u32| {
        compositions(total - first, parts - 1).into_iter().map(move |rest| [&[first], rest.as_slice()].concat())
    };
    (0..=total).flat_map(rest).collect()
}

fn volume(simplex: &[Vec<f64>]) -> f64 {
    let n = simplex.len() - 1;
    let mut rows: Vec<Vec<f64>> =
        simplex[1..].iter().map(|end| end.iter().zip(&simplex[0]).map(|(e, s)| e - s).collect()).collect();
    let mut determinant = 1.0;
    for column in 0..n {
        let pivot = (column..n).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        rows.swap(column, pivot.unwrap_or(column));
        let lead = rows[column].clone();
        if lead[column] == 0.0 {
            return 0.0;
        }
        determinant *= lead[column] / (column + 1) as f64;
        for row in &mut rows[column + 1..] {
            let factor = row[column] / lead[column];
            row.iter_mut().zip(&lead).for_each(|(a, l)| *a -= factor * l);
        }
    }
    determinant.abs()
}

/// Splits the simplex into small ones: always the longest edge is halved.
fn halved(simplex: Vec<Vec<f64>>) -> Vec<Vec<Vec<f64>>> {
    let dimensions = simplex.len() - 1;
    let mut cells = vec![simplex];
    if dimensions == 0 {
        return cells;
    }
    while cells.len() < CELLS {
        cells = cells.into_iter().flat_map(halve).collect();
    }
    cells
}

fn halve(simplex: Vec<Vec<f64>>) -> [Vec<Vec<f64>>; 2] {
    let length =
        |&(a, b): &(usize, usize)| simplex[a].iter().zip(&simplex[b]).map(|(x, y)| (x - y) * (x - y)).sum::<f64>();
    let pairs = (0..simplex.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let (a, b) = pairs.max_by(|p, q| length(p).total_cmp(&length(q))).unwrap_or((0, 0));
    let middle: Vec<f64> = simplex[a].iter().zip(&simplex[b]).map(|(x, y)| (x + y) / 2.0).collect();
    [a, b].map(|corner| {
        let mut half = simplex.clone();
        half[corner] = middle.clone();
        half
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use symloc_model::IntervalKind;

    fn half(slope: &[i64], offset: Poly) -> Halfspace {
        Halfspace { slope: slope.iter().map(|&a| Rational::from_integer(a.into())).collect(), offset }
    }

    /// Returns the triangle 0 ≤ j ≤ i ≤ n with this value.
    fn triangle(value: Poly) -> LimitPart {
        let n = Poly::var(Var(0));
        let faces = vec![half(&[1, -1], Poly::zero()), half(&[0, 1], Poly::zero()), half(&[-1, 0], n)];
        let variables = vec![Var(1), Var(2)];
        let polytope = Polytope::new(&variables, &faces, &sample()).unwrap();
        let (kind, count) = (IntervalKind::Real, Poly::one());
        LimitPart { reuse: None, kind, weight: 2, value, count, variables, faces, polytope }
    }

    fn sample() -> Vec<BigInt> {
        vec![BigInt::from(1_i64 << 40)]
    }

    fn rational(a: i64, b: i64) -> Rational {
        Rational::new(a.into(), b.into())
    }

    #[test]
    fn what_is_below_a_linear_value() {
        let [n, i] = [0, 1].map(|v| Poly::var(Var(v)));
        let part = triangle(&n * &i);
        assert_eq!(part.span(&sample()), Some((Quotient::from(Poly::zero()), Quotient::from(n.pow(2)))));
        // i ≤ 1/2 of ∫ i di = 1/2 and ∫ i² di = 1/3.
        let below = part.below(&rational(1, 2)).unwrap();
        assert_eq!(below, Below { count: rational(1, 4), sum: rational(1, 8) });
        let numeric = Numeric::new(&part).below(0.5);
        let close = |a: &Rational, b: &Rational| (a - b).abs() < rational(1, 1_000_000);
        assert!(close(&numeric.count, &below.count) && close(&numeric.sum, &below.sum), "{numeric:?}");
    }

    #[test]
    fn what_is_below_a_curved_value() {
        let [i, j] = [1, 2].map(|v| Poly::var(Var(v)));
        // i² + j² ≤ 1/4 is an eighth of a circle.
        let below = triangle(&i.pow(2) + &j.pow(2)).below(&rational(1, 4)).unwrap();
        let share = below.count.to_f64().unwrap();
        assert!((share - std::f64::consts::PI / 16.0).abs() < 1e-4, "{share}");
    }

    #[test]
    fn a_value_may_be_largest_between_vertices() {
        let [n, i] = [0, 1].map(|v| Poly::var(Var(v)));
        let part = triangle(&(&n * &i) - &i.pow(2));
        let (least, greatest) = part.span(&sample()).unwrap();
        assert_eq!((least.is_zero(), greatest), (true, Quotient::from(n.pow(2).scale(&rational(1, 4)))));
    }
}
