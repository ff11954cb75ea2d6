//! Counts in as few pieces as they need.
//!
//! Barvinok counts case by case: i iterations where i ≥ 1, and nothing where i = 0. But i is 0 there, too. A formula is
//! taken on every other piece on which it is equal, and conditions are dropped from its piece as long as that adds
//! points only where nothing is counted and the formula is 0. What is left are the cases that make a difference; so
//! sums of such counts have few pieces.

use symloc_isl::{Context, Set};
use symloc_quasi::{Atom, Poly, Rational};

use crate::Error;
use crate::convert::constraints;
use crate::formulas::simplify::Simplifier;
use crate::frame::{Frame, dims_to_params};

/// Returns the count on a context in fewer pieces; outside them it is zero. The frame's variables are parameters.
pub(crate) fn covered(
    isl: &Context,
    count: Vec<(Set, Poly)>,
    context: &Set,
    frame: &Frame,
) -> Result<Vec<(Set, Poly)>, Error> {
    let points = Frame::over(frame.names().to_vec(), 0);
    let context = points.over_iters(isl, context)?;
    let mut cover = Cover { isl, points, rest: context.clone(), pieces: Vec::new() };
    cover.merge(count)?;
    cover.relax(&context)?;
    cover.over_params()
}

struct Piece {
    domain: Set,
    value: Poly,
}

impl Piece {
    fn add(&mut self, domain: &Set) -> Result<(), Error> {
        self.domain = self.domain.union(domain)?.coalesce()?;
        Ok(())
    }
}

struct Cover<'a> {
    isl: &'a Context,
    /// The variables, all of them dimensions of sets.
    points: Frame,
    /// The points at which nothing is counted.
    rest: Set,
    pieces: Vec<Piece>,
}

impl Cover<'_> {
    /// Adds one piece for each formula, the most general ones first.
    fn merge(&mut self, count: Vec<(Set, Poly)>) -> Result<(), Error> {
        let mut parts = Vec::new();
        for (domain, value) in count {
            let domain = self.points.over_iters(self.isl, &domain)?.intersect(&self.rest)?;
            if !domain.is_empty()? {
                parts.push((self.points.equalities(&domain)?.len(), Piece { domain, value }));
            }
        }
        parts.sort_by_key(|(equalities, _)| *equalities);
        for (_, piece) in parts {
            self.rest = self.rest.subtract(&piece.domain)?;
            match self.home(&piece)? {
                Some(home) => self.pieces[home].add(&piece.domain)?,
                None => self.take_in(piece)?,
            }
        }
        Ok(())
    }

    /// Adds a piece with a new formula, and takes in the pieces on which that formula is equal to theirs.
    fn take_in(&mut self, mut piece: Piece) -> Result<(), Error> {
        for other in std::mem::take(&mut self.pieces) {
            if self.vanishes(&(&other.value - &piece.value), &other.domain)? {
                piece.add(&other.domain)?;
            } else {
                self.pieces.push(other);
            }
        }
        self.pieces.push(piece);
        Ok(())
    }

    /// Returns the position of a piece whose formula is equal on `piece`, preferably of one that makes a convex set
    /// with it.
    fn home(&self, piece: &Piece) -> Result<Option<usize>, Error> {
        let mut first = None;
        for (index, other) in self.pieces.iter().enumerate() {
            if self.vanishes(&(&other.value - &piece.value), &piece.domain)? {
                if other.domain.union(&piece.domain)?.coalesce()?.basic_sets()?.len() == 1 {
                    return Ok(Some(index));
                }
                first = first.or(Some(index));
            }
        }
        Ok(first)
    }

    /// Returns true if a polynomial is known to be zero on a non-empty set.
    fn vanishes(&self, value: &Poly, domain: &Set) -> Result<bool, Error> {
        let simplifier = Simplifier::new(self.isl, &self.points, domain)?;
        if value.evaluate(simplifier.sample()) != Rational::default() {
            return Ok(false);
        }
        let value = simplifier.simplify(value)?;
        if value.is_zero() {
            return Ok(true);
        }
        let floors = value.floors().into_iter().map(|floor| Poly::atom(Atom::Floor(floor.clone())));
        let mut atoms = value.vars().into_iter().map(Poly::var).chain(floors);
        let few = |atom: Poly| Some((simplifier.few_values(&atom).transpose()?, atom));
        let Some((values, atom)) = atoms.find_map(few) else { return Ok(false) };
        for number in values? {
            let there = format!("{} = {number}", self.points.text(&atom));
            let there = domain.intersect(&self.points.set(self.isl, &there)?)?;
            if !there.is_empty()? && !self.vanishes(&value, &there)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Drops conditions from the pieces.
    fn relax(&mut self, context: &Set) -> Result<(), Error> {
        for index in 0..self.pieces.len() {
            let [basic] = &self.pieces[index].domain.gist(context)?.compute_divs()?.basic_sets()?[..] else { continue };
            let mut conditions = constraints(basic, &self.points)?;
            let mut position = 0;
            while position < conditions.len() && !self.rest.is_empty()? {
                let mut fewer = conditions.clone();
                fewer.remove(position);
                let relaxed = self.points.set(self.isl, &self.points.conjunction(&fewer))?.intersect(context)?;
                if self.may_hold(&self.pieces[index], &relaxed)? {
                    self.rest = self.rest.subtract(&relaxed)?;
                    self.pieces[index].domain = relaxed;
                    conditions = fewer;
                } else {
                    position += 1;
                }
            }
        }
        Ok(())
    }

    /// Returns true if the formula of a piece holds on a larger set.
    fn may_hold(&self, piece: &Piece, larger: &Set) -> Result<bool, Error> {
        let added = larger.subtract(&piece.domain)?;
        if !added.is_subset(&self.rest)? {
            return Ok(false);
        }
        for part in added.basic_sets()? {
            let part = part.to_set()?;
            if !part.is_empty()? && !self.vanishes(&piece.value, &part)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the pieces, with the variables as parameters again.
    fn over_params(self) -> Result<Vec<(Set, Poly)>, Error> {
        let names = self.points.iterator_names();
        let piece = |Piece { domain, value }| Ok((dims_to_params(&domain, 0, &names)?.params()?, value));
        self.pieces.into_iter().map(piece).collect()
    }
}
