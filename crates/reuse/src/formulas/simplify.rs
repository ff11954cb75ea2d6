//! Simplification on a domain (docs/mathematics.md, "Simplification").
//!
//! Two intervals are of one class if their formulas are equal, so a formula must not depend on how it was found.
//! Everything that the domain decides is written out:
//!
//! - an iterator that the domain's equalities determine is replaced (`i = n − 2`);
//! - so is one that has a single value for each size (`j = 8·⌊(n − 1)/8⌋`, the start of the last line);
//! - a floor of constant value is replaced by it (`⌊i/8⌋ = 0` where `0 ≤ i < 8`);
//! - a floor of known remainder is replaced by a fraction (`⌊k/8⌋ = (k − 7)/8` where `k mod 8 = 7`);
//! - a floor whose constant does not matter loses it (`⌊(j + 7)/8⌋ = ⌊j/8⌋ + 1` where `j mod 8 ≠ 0`).
//!
//! Each guess comes from one sample point and is then proved by emptiness of the set where it fails. A point where it
//! does is remembered: it refutes later guesses at no cost.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Zero;
use symloc_isl::{Context, DimType, Map, PwMultiAff, Set};
use symloc_quasi::{Atom, Constraint, Floor, Poly, Rational, Var};

use crate::Error;
use crate::convert::{affine_forms, constraints};
use crate::frame::Frame;
use symloc_polyhedra::Facts;

/// So many values are few.
const FEW: i32 = 4;

/// Simplifies polynomials on one domain.
pub struct Simplifier<'a> {
    isl: &'a Context,
    frame: &'a Frame,
    domain: &'a Set,
    /// A point of the domain: parameters, then iterators.
    sample: Vec<BigInt>,
    /// Points of the domain where guesses failed.
    counterexamples: RefCell<Vec<Vec<BigInt>>>,
    /// Iterators that the domain determines, as polynomials in the others.
    determined: Vec<(Var, Poly)>,
    /// The constraints on the points of the domain, computed on demand.
    facts: OnceCell<Facts>,
    /// The results for floors and iterators that were asked for.
    decided: RefCell<BTreeMap<Floor, Option<Poly>>>,
    pinned: RefCell<BTreeMap<Var, Option<Poly>>>,
}

impl<'a> Simplifier<'a> {
    /// Prepares a non-empty domain in the frame's iterators, without a tuple name.
    ///
    /// # Errors
    ///
    /// [`Error::Internal`] if the domain is empty, [`Error::Isl`] if isl fails or reaches the limit.
    pub fn new(isl: &'a Context, frame: &'a Frame, domain: &'a Set) -> Result<Self, Error> {
        let sample = frame.sample(domain)?;
        let determined = determined(frame, domain)?;
        Ok(Self {
            isl,
            frame,
            domain,
            sample,
            counterexamples: RefCell::default(),
            determined,
            facts: OnceCell::new(),
            decided: RefCell::default(),
            pinned: RefCell::default(),
        })
    }

    /// Returns a point of the domain, by variable.
    pub(crate) fn sample(&self) -> &[BigInt] {
        &self.sample
    }

    /// Returns true if a polynomial is known to be zero on the domain.
    pub(crate) fn vanishes(&self, poly: &Poly) -> Result<bool, Error> {
        let refuted = |point: &Vec<BigInt>| !poly.evaluate(point).is_zero();
        if refuted(&self.sample) || self.counterexamples.borrow().iter().any(refuted) {
            return Ok(false);
        }
        Ok(self.simplify(poly)?.is_zero())
    }

    /// Returns all values of a variable or floor on the domain, if they are known to be few, but more than one.
    pub(crate) fn few_values(&self, atom: &Poly) -> Result<Option<Vec<BigInt>>, Error> {
        let facts = self.facts()?;
        let here = atom.evaluate(&self.sample).to_integer();
        let number = |k: i32| Poly::integer(&here + k);
        let least = (0..FEW).find(|k| facts.imply(&Constraint::non_negative(atom - &number(-k))));
        let last = (0..FEW).find(|k| facts.imply(&Constraint::non_negative(&number(*k) - atom)));
        let values = least.zip(last).filter(|(least, last)| least + last > 0);
        Ok(values.map(|(least, last)| (-least..=last).map(|k| &here + k).collect()))
    }

    /// Returns a polynomial equal to the given one on the domain, in fewer terms.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if isl fails or reaches the limit on its operations.
    pub fn simplify(&self, poly: &Poly) -> Result<Poly, Error> {
        let mut poly = self.decide_floors(poly.with_values(&self.determined))?;
        for iterator in poly.vars().into_iter().filter(|v| self.frame.depth(*v).is_some()) {
            if let Some(pinned) = remembered(&self.pinned, &iterator, || self.pinned(iterator))? {
                poly = self.decide_floors(poly.with_value(iterator, &pinned))?;
            }
        }
        Ok(poly.periodic_form())
    }

    /// Writes out what is known of floors. Decided floors may leave simpler ones behind.
    fn decide_floors(&self, mut poly: Poly) -> Result<Poly, Error> {
        loop {
            let mut decided = BTreeMap::new();
            for floor in poly.floors() {
                if let Some(value) = remembered(&self.decided, floor, || self.decide(floor))? {
                    decided.insert(Atom::Floor(floor.clone()), value);
                }
            }
            if decided.is_empty() {
                return Ok(poly);
            }
            poly = poly.map_atoms(&|atom| decided.get(atom).cloned());
        }
    }

    /// Returns the value of an iterator in terms of the parameters, if it has only one for each size.
    fn pinned(&self, iterator: Var) -> Result<Option<Poly>, Error> {
        let Some(depth) = self.frame.depth(iterator) else {
            return Ok(None);
        };
        let inner = self.domain.dim(DimType::SET)? - depth - 1;
        let values = self.domain.project_out(DimType::SET, depth + 1, inner)?.project_out(DimType::SET, 0, depth)?;
        let values = values.coalesce()?;
        // No two values for one size: an emptiness test, where the least and the greatest value would be integer
        // programs with parameters.
        if !values.lex_lt(&values)?.is_empty()? {
            return Ok(None);
        }
        let params = values.params()?.from_params()?;
        let function = PwMultiAff::from_map(&Map::from_domain_and_range(&params, &values)?)?;
        match function.pieces()?.as_slice() {
            [(domain, value)] => Ok(affine_forms(value, domain, &self.frame.params_only())?.pop()),
            _ => Ok(None),
        }
    }

    fn decide(&self, floor: &Floor) -> Result<Option<Poly>, Error> {
        let numerator = floor.numerator();
        let divisor = floor.divisor();
        let at = |poly: &Poly, point: &[BigInt]| poly.evaluate(point).to_integer().div_mod_floor(divisor);
        let (quotient, remainder) = at(numerator, &self.sample);

        let low = &quotient * divisor;
        let high = &low + divisor;
        let text = self.frame.text(numerator);
        let facts = self.facts()?;
        let bounds = [numerator - &Poly::integer(low.clone()), &Poly::integer(&high - 1) - numerator];
        let outside = format!("{text} < {low} or {text} >= {high}");
        if bounds.into_iter().all(|bound| facts.imply(&Constraint::non_negative(bound)))
            || self.never(&outside, |point| at(numerator, point).0 != quotient)?
        {
            return Ok(Some(Poly::integer(quotient)));
        }
        let exact = numerator - &Poly::integer(remainder.clone());
        let multiple = Poly::atom(Atom::Floor(floor.clone())).scale(&Rational::from_integer(divisor.clone()));
        let other = format!("({text} - {remainder}) mod {divisor} >= 1");
        if facts.imply(&Constraint::zero(&exact - &multiple))
            || self.never(&other, |point| at(numerator, point).1 != remainder)?
        {
            return Ok(Some(exact.scale(&Rational::new(1.into(), divisor.clone()))));
        }
        let constant = numerator.constant_term();
        if constant.is_zero() {
            return Ok(None);
        }
        let plain = numerator - &Poly::constant(constant);
        let shift_at = |point: &[BigInt]| at(numerator, point).0 - at(&plain, point).0;
        let shift = shift_at(&self.sample);
        let plain_text = self.frame.text(&plain);
        let same = format!("floor(({text})/{divisor}) - floor(({plain_text})/{divisor}) = {shift}");
        let same = self.never(&format!("not ({same})"), |point| shift_at(point) != shift)?;
        Ok(same.then(|| &plain.floor_div(divisor) + &Poly::integer(shift)))
    }

    fn facts(&self) -> Result<&Facts, Error> {
        if let Some(facts) = self.facts.get() {
            return Ok(facts);
        }
        let facts = match &self.domain.compute_divs()?.basic_sets()?[..] {
            [basic] => Facts::new(&constraints(basic, self.frame)?),
            _ => Facts::default(),
        };
        Ok(self.facts.get_or_init(|| facts))
    }

    /// Returns true if a condition, which is also given for points, holds nowhere on the domain.
    fn never(&self, condition: &str, at: impl Fn(&[BigInt]) -> bool) -> Result<bool, Error> {
        if self.counterexamples.borrow().iter().any(|point| at(point)) {
            return Ok(false);
        }
        let point = self.frame.point(&self.domain.intersect(&self.frame.set(self.isl, condition)?)?)?;
        let never = point.is_none();
        self.counterexamples.borrow_mut().extend(point);
        Ok(never)
    }
}

/// Returns the stored result for a key, or computes and stores it.
fn remembered<K: Ord + Clone>(
    known: &RefCell<BTreeMap<K, Option<Poly>>>,
    key: &K,
    find: impl FnOnce() -> Result<Option<Poly>, Error>,
) -> Result<Option<Poly>, Error> {
    if let Some(found) = known.borrow().get(key) {
        return Ok(found.clone());
    }
    let found = find()?;
    known.borrow_mut().insert(key.clone(), found.clone());
    Ok(found)
}

/// Returns true if a polynomial is zero on the context without `domain`. Then it may be given for the whole context:
/// `i` for `i ≥ 1`, and 0 for `i = 0`. The sets are over the frame's variables, all of them parameters.
pub(crate) fn vanishes_outside(
    isl: &Context,
    frame: &Frame,
    domain: &Set,
    context: &Set,
    poly: &Poly,
) -> Result<bool, Error> {
    for rest in context.subtract(domain)?.basic_sets()? {
        let rest = frame.over_iters(isl, &rest.to_set()?)?;
        if !rest.is_empty()? && !Simplifier::new(isl, frame, &rest)?.vanishes(poly)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Solves the domain's equalities for iterators, innermost first.
pub(crate) fn determined(frame: &Frame, domain: &Set) -> Result<Vec<(Var, Poly)>, Error> {
    let mut equalities = frame.equalities(domain)?;
    let mut determined: Vec<(Var, Poly)> = Vec::new();
    for iterator in frame.iterators().rev() {
        let Some(index) = equalities.iter().position(|e| !e.slope(iterator).is_zero()) else { continue };
        let (slope, rest) = equalities.swap_remove(index).split_slope(iterator);
        let solution = rest.scale(&-slope.recip());
        let replace = |poly: &Poly| poly.with_value(iterator, &solution);
        equalities = equalities.iter().map(replace).filter(|e| !e.is_zero()).collect();
        determined = determined.iter().map(|(v, p)| (*v, replace(p))).collect();
        determined.push((iterator, solution));
    }
    Ok(determined)
}
