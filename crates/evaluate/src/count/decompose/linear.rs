//! Counts that are linear in floors.
//!
//! Many counts mean "once every 64": `⌊(j + 63)/64⌋ − ⌊j/64⌋`. Summed over a whole line, such a count needs no residues: each
//! floor is a [`floor_sum`], whatever its period.

use symloc_quasi::{Atom, Evaluator as Formula, Floor, Int, Monomial, Poly, Section, Univariate, Var, floor_sum};

use super::lattice::LatticeLine;

/// `rest + Σ coefficient·⌊numerator/divisor⌋`
#[derive(Debug)]
pub(super) struct Linear {
    rest: Formula,
    degree: usize,
    floors: Vec<FloorTerm>,
}

#[derive(Debug)]
struct FloorTerm {
    /// A polynomial in the parameters.
    coefficient: Formula,
    numerator: Formula,
    divisor: i128,
}

/// A [`Linear`] count at one size.
pub(super) struct LinearSection<'l> {
    rest: Section<'l>,
    degree: usize,
    floors: Vec<(Int, Section<'l>, i128)>,
}

impl Linear {
    /// Prepares a polynomial; `None` if it is not linear in floors of the variables from `first` on, or has no such floors.
    pub(super) fn new(poly: &Poly, first: Var, iterators: usize) -> Option<Self> {
        let parameters = first.0 as usize;
        let mentions = |floor: &Floor| floor.numerator().degree_from(first) > 0;
        let mut rest = Poly::zero();
        let mut floors: Vec<(&Floor, Poly)> = Vec::new();
        for (monomial, coefficient) in poly.terms() {
            let mut found = monomial.factors().iter().filter_map(|(atom, exponent)| match atom {
                Atom::Floor(floor) if mentions(floor) => Some((floor, *exponent)),
                _ => None,
            });
            let Some((floor, exponent)) = found.next() else {
                rest.add_term(coefficient.clone(), monomial.clone());
                continue;
            };
            let others = monomial.divided_by(&Monomial::power(Atom::Floor(floor.clone()), 1))?;
            let others = Poly::term(coefficient.clone(), others);
            let plain =
                floor.numerator().degree_from(first) == 1 && !floor.numerator().floors().into_iter().any(mentions);
            if exponent != 1 || others.degree_from(first) > 0 || !plain {
                return None;
            }
            match floors.iter_mut().find(|(known, _)| *known == floor) {
                Some((_, sum)) => *sum = &*sum + &others,
                None => floors.push((floor, others)),
            }
        }
        let term = |(floor, coefficient): &(&Floor, Poly)| {
            Some(FloorTerm {
                coefficient: Formula::new(coefficient, parameters),
                numerator: Formula::new(floor.numerator(), parameters + iterators),
                divisor: i128::try_from(floor.divisor()).ok()?,
            })
        };
        Some(Self {
            degree: usize::try_from(rest.degree_from(first)).ok()?,
            rest: Formula::new(&rest, parameters + iterators),
            floors: floors.iter().map(term).collect::<Option<_>>().filter(|floors: &Vec<_>| !floors.is_empty())?,
        })
    }

    /// Returns the count with values for the first parameters.
    pub(super) fn fix(&self, values: &[i128]) -> Self {
        let fix = |term: &FloorTerm| FloorTerm {
            coefficient: term.coefficient.fix(values),
            numerator: term.numerator.fix(values),
            divisor: term.divisor,
        };
        Self { rest: self.rest.fix(values), degree: self.degree, floors: self.floors.iter().map(fix).collect() }
    }

    /// Evaluates the coefficients at a size; `None` if one is not an integer there.
    pub(super) fn section<'l>(&'l self, size: &'l [i128]) -> Option<LinearSection<'l>> {
        let term =
            |term: &'l FloorTerm| Some((term.coefficient.value(size)?, term.numerator.section(size), term.divisor));
        let floors = self.floors.iter().map(term).collect::<Option<_>>()?;
        Some(LinearSection { rest: self.rest.section(size), degree: self.degree, floors })
    }
}

impl LinearSection<'_> {
    /// Returns the sum over the first `length` points of a line. `None` if a value is not an integer, or leaves 128 bits.
    pub(super) fn sum(&self, line: &LatticeLine, length: i128) -> Option<Int> {
        let rest = (0..=self.degree as i128).map(|t| self.rest.value(line.at(t)?.coordinates()));
        let mut sum = Univariate::sum_through(&rest.collect::<Option<Vec<_>>>()?).at(length);
        let next = line.at(1)?;
        for (coefficient, numerator, divisor) in &self.floors {
            let constant = numerator.value(line.origin())?.to_i128()?;
            let slope = numerator.value(next.coordinates())?.to_i128()?.checked_sub(constant)?;
            sum += &(coefficient * &Int::from(floor_sum(length, constant, slope, *divisor)?));
        }
        Some(sum)
    }
}
