//! Sums over the points of a set: in [closed form](symloc_polyhedra::ClosedSum) where there is one, else by Barvinok.

pub(crate) mod bits;
pub(crate) mod bounds;
pub(crate) mod disjoint;

use std::collections::BTreeSet;
use std::time::Duration;

use num_bigint::BigInt;
use num_traits::One;
use symloc_isl::{Context, DimType, PwQPolynomial, Set};
use symloc_quasi::{Constraint, Floor, Poly, Rational, Var};

use crate::Error;
use crate::convert::{constraints, counts, sums};
use crate::frame::Frame;
use symloc_polyhedra::{Addend, ClosedSum, Domains, Facts, PARTS, irredundant, joined, without_quotients};

/// Adds up, for all values of the parameters that a context allows.
pub(crate) struct Summation<'a> {
    isl: &'a Context,
    /// Of parameters, as a set of their values.
    context: Set,
    facts: Facts,
    domains: Domains,
    /// True if closed forms of points that are hard for Barvinok may have many parts.
    many: bool,
}

/// The most parts of sums over points that are hard for Barvinok.
const MANY: usize = 2048;

impl<'a> Summation<'a> {
    /// Prepares sums over sets with these parameters. The context may have dimensions.
    pub(crate) fn new(isl: &'a Context, params: &[String], context: &Set) -> Result<Self, Error> {
        let context = context.params()?;
        let frame = Frame::of_params(params.to_vec());
        let mut facts = Facts::default();
        // What all parts of it have in common is said by one.
        if let [basic] = &context.compute_divs()?.basic_sets()?[..] {
            facts = Facts::new(&constraints(basic, &frame)?);
        }
        let domains = Domains::WithPoints { first: Var(params.len() as u32) };
        Ok(Self { isl, context, facts, domains, many: false })
    }

    /// Returns the context: the constraints on the parameters.
    pub(crate) fn context(&self) -> &Set {
        &self.context
    }

    /// Allows fewer cases, whose domains include more points where the sum is empty.
    pub(crate) fn on_large_domains(self) -> Self {
        Self { domains: Domains::Large, ..self }
    }

    /// Allows closed forms of many parts where Barvinok may take very long: with several floors its results are
    /// polynomials of as many fractional parts, which it multiplies by each other; with one of a multiple of an
    /// iterator cones have large indices. For sums whose parts are kept side by side.
    pub(crate) fn in_many_parts(self) -> Self {
        Self { many: true, ..self }
    }

    /// Returns the number of points of a set over the variables of a frame as parameters, for each of their values, as
    /// parts that may overlap.
    pub(crate) fn count(&self, set: &Set, frame: &Frame) -> Result<Vec<Addend>, Error> {
        let (all, conjunctions) = conjunctions(set, frame)?;
        let parts = conjunctions.into_iter().map(|points| self.over(points, &all, &Poly::one()));
        Ok(parts.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// Counts the points of a set in closed form; `None` if there is no closed form.
    pub(crate) fn closed_count(&self, set: &Set, frame: &Frame) -> Result<Option<Vec<Addend>>, Error> {
        let (all, conjunctions) = conjunctions(set, frame)?;
        let parts = conjunctions.into_iter().map(|points| {
            let (points, left) = self.joined(points, &all, &Poly::one());
            self.closed(points, &left, &Poly::one())
        });
        Ok(parts.collect::<Option<Vec<_>>>().map(|parts| parts.concat()))
    }

    /// Returns the sum of a polynomial over a conjunction, for each value of a frame's parameters, as parts that may
    /// overlap.
    pub(crate) fn over(
        &self,
        conjunction: Vec<Constraint>,
        frame: &Frame,
        summand: &Poly,
    ) -> Result<Vec<Addend>, Error> {
        let (points, left) = self.joined(conjunction, frame, summand);
        match self.closed(points.clone(), &left, summand) {
            Some(parts) => Ok(parts),
            None => Ok(with_values(self.by_barvinok(&points, &left, frame, summand)?)),
        }
    }

    /// Returns an irredundant conjunction and the iterators that are left: where points are counted, digits are joined and quotients left
    /// out.
    fn joined(&self, conjunction: Vec<Constraint>, frame: &Frame, summand: &Poly) -> (Vec<Constraint>, Vec<Var>) {
        let iterators: Vec<Var> = frame.iterators().collect();
        if summand.as_constant().is_none() {
            return (irredundant(&self.facts, conjunction), iterators);
        }
        let (points, left) = joined(&self.facts, conjunction, iterators);
        without_quotients(irredundant(&self.facts, points), left)
    }

    fn closed(&self, points: Vec<Constraint>, iterators: &[Var], summand: &Poly) -> Option<Vec<Addend>> {
        let most = if self.many && are_hard(&points, iterators) { MANY } else { PARTS };
        ClosedSum { context: &self.facts, domains: self.domains, most }
            .over(points, iterators, summand)
            .map(with_values)
    }

    fn by_barvinok(
        &self,
        points: &[Constraint],
        iterators: &[Var],
        frame: &Frame,
        summand: &Poly,
    ) -> Result<Vec<Addend>, Error> {
        let params = frame.params_only();
        let dims: Vec<_> = iterators.iter().map(|var| frame.name(*var)).collect();
        let (names, dims) = (params.names().join(", "), dims.join(", "));
        let conjunction = points;
        let points = frame.conjunction(conjunction);
        let (pieces, factor) = match summand.as_constant() {
            Some(constant) => {
                let set = Set::read(self.isl, &format!("[{names}] -> {{ [{dims}] : {points} }}"))?;
                if self.isl.max_operations() > 0 && may_be_endless(conjunction, iterators) {
                    in_time(&set)?;
                }
                (counts(&set, &params)?, constant)
            }
            None => {
                let divisor = summand.common_denominator();
                // isl writes powers with another sign.
                let integral = frame.text(&summand.scale(&Rational::from_integer(divisor.clone()))).replace("**", "^");
                let text = format!("[{names}] -> {{ [{dims}] -> {integral} : {points} }}");
                (sums(&PwQPolynomial::read(self.isl, &text)?, &params)?, Rational::new(BigInt::one(), divisor))
            }
        };
        let mut parts = Vec::new();
        for (domain, value) in pieces {
            for part in domain.gist(&self.context)?.make_disjoint()?.compute_divs()?.basic_sets()? {
                parts.push((constraints(&part, &params)?, value.scale(&factor)));
            }
        }
        Ok(parts)
    }
}

/// The time for which Barvinok may count one set that may take too long.
const PATIENCE: Duration = Duration::from_secs(5);

/// The vertices of a set, times the square of the number of parameters, from which on counting it may take too long: in
/// the tiled stencils of `tests/tiled`, sets with 5,000 took seconds, or had no end.
const MANY_VERTICES: u64 = 5000;

/// Returns true if Barvinok may take very long to find the parameters for which a set has the same vertices; isl's
/// limit on steps does not hold there.
fn may_be_endless(points: &[Constraint], iterators: &[Var]) -> bool {
    let mut parameters = BTreeSet::new();
    let mut faces = 0_u64;
    for point in points {
        let (counted, others): (Vec<Var>, Vec<Var>) =
            point.poly.vars().into_iter().partition(|v| iterators.contains(v));
        faces += u64::from(!counted.is_empty());
        parameters.extend(others);
    }
    let vertices = binomial(faces, iterators.len() as u64);
    vertices.saturating_mul((parameters.len() as u64).pow(2)) > MANY_VERTICES
}

/// Returns the number of ways to choose `k` of `n`; some large number where that leaves 64 bits.
fn binomial(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    (0..k).fold(1_u64, |ways, chosen| ways.saturating_mul(n - chosen) / (chosen + 1))
}

/// Counts a set in another process, which can be ended; [`Error::Endless`] if it takes too long.
fn in_time(set: &Set) -> Result<(), Error> {
    match symloc_workers::within(PATIENCE, || set.card_pieces().is_ok()) {
        // What went wrong there is found again here.
        Ok(Some(_)) => Ok(()),
        Ok(None) => Err(Error::Endless(PATIENCE)),
        Err(error) => Err(Error::Start(error)),
    }
}

/// Returns the parts whose values are not 0.
fn with_values(mut parts: Vec<Addend>) -> Vec<Addend> {
    parts.iter_mut().for_each(|(_, value)| *value = value.periodic_form());
    parts.retain(|(_, value)| !value.is_zero());
    parts
}

/// Returns a set, which depends on the variables of a frame as parameters, as disjoint conjunctions in the variables of
/// a larger one.
fn conjunctions(set: &Set, frame: &Frame) -> Result<(Frame, Vec<Vec<Constraint>>), Error> {
    let dims = (0..set.dim(DimType::SET)?).map(|dim| format!("_d{dim}"));
    let all = Frame::over(frame.names().iter().cloned().chain(dims).collect(), frame.names().len());
    let disjoint = set.make_disjoint()?.compute_divs()?.basic_sets()?;
    let conjunctions = disjoint.iter().map(|basic| constraints(basic, &all)).collect::<Result<_, _>>()?;
    Ok((all, conjunctions))
}

/// Returns true if points have several floors, or one of a multiple of an iterator, as ⌊3i/8⌋.
fn are_hard(points: &[Constraint], iterators: &[Var]) -> bool {
    let floors: BTreeSet<_> = points.iter().flat_map(|constraint| constraint.poly.floors()).collect();
    let multiple = |floor: &Floor, var: &Var| {
        let coefficient = floor.numerator().slope(*var).to_integer();
        // Of -i it is one less than the divisor.
        coefficient > BigInt::one() && coefficient < floor.divisor() - 1
    };
    floors.len() > 1 || floors.into_iter().any(|floor| iterators.iter().any(|var| multiple(floor, var)))
}

#[cfg(test)]
mod tests {
    use num_traits::Zero;

    use super::*;
    use crate::counting::bounds::bounds;

    /// Sets in n and m, and how many parts their counts have; 0 if Barvinok counts them.
    const SETS: [(&str, usize); 16] = [
        ("[i, j] : 0 <= i < n and i <= j < n", 1),
        ("[i, j] : 0 <= i < n and 0 <= j < m - i", 2),
        ("[i, j] : 0 <= i < n and 0 <= j <= i and j < m", 2),
        ("[i] : 0 <= i < n and i mod 8 = 7", 1),
        ("[i, j] : 0 <= i < n and 8*floor(i/8) <= j <= i", 1),
        ("[i, j] : 0 <= i < n and 0 <= j and 3j <= i and i mod 3 = 1", 1),
        ("[i] : 2i = n", 1),
        ("[i, j] : 2i = n + 3j and 0 <= j < m", 5),
        ("[i] : 0 <= 3i <= n and 5i >= m", 1),
        ("[i, j, k] : 0 <= i < n and i < j < n and j < k < n and k <= i + 4", 2),
        ("[u, r] : 0 <= r < 8 and u >= 0 and 8u + r < n", 1),
        ("[i, j] : 0 <= i < n and 0 <= j < m and i + j >= 3", 5),
        ("[] : n >= 4 and m >= n", 1),
        ("[i] : 0 <= i < n and floor((i + m)/100) = 3", 4),
        // However often i is divided by 8, a part of it is left below 21, which comes first.
        ("[i] : 5 <= i < n and i + 2 >= 8*floor((i + 3*floor((i + 15)/21) + 6)/8)", 6),
        ("[i, j] : 0 <= i < n and 0 <= j < m and i + 3j >= n and 2j <= n + i and i <= 2m + j", 0),
    ];

    fn at(parts: &[Addend], point: &[BigInt]) -> Rational {
        let here = parts.iter().filter(|(domain, _)| domain.iter().all(|c| c.holds_at(point)));
        here.map(|(_, value)| value.evaluate(point)).sum()
    }

    /// Sets in n and m with several floors, whose counts have some parts, though not more than [`MANY`].
    const ROUNDED: [&str; 10] = [
        // Congruences of two iterators, and what denies them.
        "[i, j] : 0 <= i <= 20 and 0 <= j < 11 and (i + j) mod 8 = 0",
        "[i, j] : 0 <= i <= 20 and 1 <= j < 11 and (3i + 5j + 2) mod 8 >= 1",
        "[i, j] : 0 <= i <= 20 and 0 <= j < 11 and (2i + 3j + 1) mod 6 >= 1",
        "[i, j] : 0 <= i < n and 0 <= j < m and (3i + 2j) mod 4 = 1",
        "[i] : 0 <= i < n and i mod 6 <= 3 and (i + m) mod 4 <= 1 and (i + 2) mod 9 >= 2",
        "[i] : 0 <= i < n and (i + 3*floor((i + m)/4)) mod 9 <= 5",
        "[i] : 2m <= i <= 2m + 4 and i < n and (i + n) mod 7 >= 2 and (i + 1) mod 9 <= 7",
        "[i, j] : 0 <= i < n and 0 <= j <= 3 and (i + 3j) mod 12 = 0 and 2i + j <= 5*floor((i + m)/3)",
        "[i, j] : 0 <= i < n and 0 <= j < m and (2i + j) mod 4 = 1 and (i + j) mod 6 <= 4",
        "[i, j] : 0 <= i < n and 0 <= j < m and 2*floor(i/3) = 4*floor(j/2) + 2*floor(n/5)",
    ];

    #[test]
    fn sums_are_those_of_barvinok() {
        for (text, closed) in SETS {
            assert_eq!(compared(text, PARTS), closed, "{text}");
        }
        for text in ROUNDED {
            assert!(compared(text, MANY) > 0, "{text}");
        }
    }

    /// Compares sums over a set with those of Barvinok. Of how many parts its count is; 0 if it has no closed form.
    fn compared(text: &str, most: usize) -> usize {
        let isl = Context::new().unwrap();
        let names = vec!["n".to_owned(), "m".to_owned()];
        let context = Set::read(&isl, "[n, m] -> { [] : n >= 1 and m >= 1 }").unwrap();
        let summation = Summation::new(&isl, &names, &context).unwrap();
        let set = Set::read(&isl, &format!("[n, m] -> {{ {text} }}")).unwrap();
        let [basic] = &set.compute_divs().unwrap().basic_sets().unwrap()[..] else { panic!("{text}") };
        let dims = set.dim(DimType::SET).unwrap();
        let all = names.iter().cloned().chain((0..dims).map(|d| format!("_d{d}"))).collect();
        let frame = Frame::over(all, 2);
        let points = irredundant(&summation.facts, constraints(basic, &frame).unwrap());
        let iterators: Vec<Var> = frame.iterators().collect();
        let summands = match iterators[..] {
            [] => vec![Poly::one()],
            [first, ..] => vec![&(&Poly::var(first) * &Poly::var(first)) + &Poly::var(Var(0)), Poly::one()],
        };
        let mut closed = 0;
        for (summand, domains) in summands.iter().flat_map(|s| [(s, Domains::Large), (s, summation.domains)]) {
            let parts =
                ClosedSum { context: &summation.facts, domains, most }.over(points.clone(), &iterators, summand);
            closed = parts.as_ref().map_or(0, Vec::len);
            let expected = summation.by_barvinok(&points, &iterators, &frame, summand).unwrap();
            let found = parts.unwrap_or_else(|| summation.over(points.clone(), &frame, summand).unwrap());
            for (n, m) in (1..40).flat_map(|n| (1..12).map(move |m| (n, m))) {
                let point = [n, m].map(BigInt::from);
                assert_eq!(at(&found, &point), at(&expected, &point), "{text} at n = {n}, m = {m}");
            }
        }
        closed
    }

    /// If 8 divides 3q, no p satisfies the first condition, so all bounds of q follow from it. It becomes a factor,
    /// which is 0 there, but a part needs the bounds of its iterators.
    #[test]
    fn parts_say_how_far_free_iterators_go() {
        let isl = Context::new().unwrap();
        let text = "[q, p] -> { [x] : 8*floor((5q + p + 2)/8) >= 5q + 697 and 3q + 7 >= 4*floor((5q + p + 7)/8) and (5q + x) mod 8 = 0 \
                    and q < p < 700 and 1 <= x <= q - 10 }";
        let set = Set::read(&isl, text).unwrap();
        let [basic] = &set.compute_divs().unwrap().basic_sets().unwrap()[..] else { panic!("{text}") };
        let all = Frame::over(["q", "p", "x"].map(str::to_owned).to_vec(), 2);
        let summation = Summation::new(&isl, &[], &Set::read(&isl, "{ [] }").unwrap()).unwrap().in_many_parts();
        let parts = summation.over(constraints(basic, &all).unwrap(), &all, &Poly::one()).unwrap();
        let free = Frame::over(["q", "p"].map(str::to_owned).to_vec(), 0);
        for (domain, _) in &parts {
            assert!(bounds(domain, &free).unwrap().is_some(), "{}", free.conjunction(domain));
        }
        for (p, q) in (690..702).flat_map(|p| (670..702).map(move |q| (p, q))) {
            let here =
                (5 * q + p + 2) / 8 * 8 >= 5 * q + 697 && 3 * q + 7 >= (5 * q + p + 7) / 8 * 4 && q < p && p < 700;
            let points = (1..=q - 10).filter(|x| here && (5 * q + x) % 8 == 0).count();
            assert_eq!(at(&parts, &[q, p].map(BigInt::from)), Rational::from_integer(points.into()), "{p}, {q}");
        }
    }

    /// Sets in n and m, and how many dimensions are left of them.
    const DIGITS: [(&str, usize); 12] = [
        ("[u, r] : 0 <= r < 8 and u >= 0 and 8u + r < n", 1),
        ("[t, u, r] : 0 <= r < 8 and 0 <= u < 4 and 0 <= t and 32t + 8u + r < 32m + n", 1),
        ("[u, r] : 0 <= r < 8 and m <= u <= n and 8u + r < 3n + m", 1),
        ("[u, r, i] : 0 <= r < 8 and u >= 0 and 8u + r <= i and i < n and i >= m - 8u - r", 2),
        // What is said of one digit alone.
        ("[u, r] : 0 <= r < 8 and 0 <= u and r <= m and 8u + r < n", 2),
        ("[u, r] : 0 <= r < 8 and 0 <= u and 3u <= m and 8u + r < n", 2),
        // What is said of the higher digit follows, or does not.
        ("[t, u, r] : 0 <= r < 8 and 0 <= t < 5 and 2t < 8u + r and 2t <= 8u + 7 and 8u + r < n", 2),
        ("[t, u, r] : 0 <= r < 8 and 0 <= t < 5 and 2t < 8u + r and t <= 4u + 3 and 8u + r < n", 2),
        ("[t, u, r] : 0 <= r < 8 and 0 <= t < 5 and 2t < 8u + r and 2t <= 8u + 4 and 8u + r < n", 3),
        ("[u, r] : 1 <= r < 8 and 0 <= u and 8u + r < n", 2),
        // Floors of the lower digit are some of the number, or not.
        ("[u, r] : 0 <= r < 8 and 0 <= u and 8u + r < n and (3r + m) mod 4 = 1", 1),
        ("[u, r] : 0 <= r < 8 and 0 <= u and 8u + r < n and (3r + m) mod 5 = 1", 2),
    ];

    #[test]
    fn numbers_are_as_many_as_pairs_of_digits() {
        let isl = Context::new().unwrap();
        let frame = Frame::over(vec!["n".to_owned(), "m".to_owned()], 2);
        for (text, dims) in DIGITS {
            let set = Set::read(&isl, &format!("[n, m] -> {{ {text} }}")).unwrap();
            let names = (0..set.dim(DimType::SET).unwrap()).map(|dim| format!("_d{dim}"));
            let all = Frame::over(frame.names().iter().cloned().chain(names).collect(), 2);
            let [basic] = &set.basic_sets().unwrap()[..] else { panic!("{text}") };
            let (system, left) =
                joined(&Facts::default(), constraints(basic, &all).unwrap(), all.iterators().collect());
            assert_eq!(left.len(), dims, "{text}");
            let left: Vec<_> = left.iter().map(|var| all.name(*var)).collect();
            let one = format!("[n, m] -> {{ [{}] : {} }}", left.join(", "), all.conjunction(&system));
            let one = Set::read(&isl, &one).unwrap();
            let (pairs, numbers) = (counts(&set, &frame).unwrap(), counts(&one, &frame).unwrap());
            for (n, m) in (-3..40).flat_map(|n| (-3..6).map(move |m| (n, m))) {
                let at = |pieces: &[(Set, Poly)]| {
                    let point =
                        Set::read(&isl, &format!("[n, m] -> {{ : n = {n} and m = {m} }}")).unwrap().params().unwrap();
                    let here = pieces.iter().find(|(domain, _)| !domain.is_disjoint(&point).unwrap());
                    here.map_or_else(Rational::zero, |(_, count)| count.evaluate(&[BigInt::from(n), BigInt::from(m)]))
                };
                assert_eq!(at(&pairs), at(&numbers), "{text} at n = {n}, m = {m}");
            }
        }
    }
}
