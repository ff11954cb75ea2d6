//! The conditions and polynomials of a part in line coordinates.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::One;
use symloc_affine::{AccessId, ParamId};
use symloc_isl::{Context, Set};
use symloc_quasi::{Atom, Constraint, Poly, Rational, Var};

use super::carry::Divided;
use super::part::Part;
use super::split::{SplitSizes, closure, is_split, range};
use super::terms::WindowTerm;
use crate::frame::{Frame, FreshNames};
use crate::{Error, LineError};

/// From the variables of a part to line coordinates.
pub(super) struct Translation<'a> {
    sizes: &'a SplitSizes,
    /// Named if something does not fit.
    access: AccessId,
    /// The part's own variables.
    own: &'a Frame,
    /// Its iterators that are split.
    split: BTreeSet<Var>,
    /// The line coordinates: first those of the part's own variables, then those of its terms.
    frame: Frame,
    /// The number of iterators of the frame that stand for the part's own variables.
    count: usize,
    /// The value of each iterator of the part.
    values: Vec<LineIterator>,
}

/// An iterator in line coordinates.
enum LineIterator {
    /// Itself.
    Plain(Var),
    /// b·U + R
    Split(Poly, Poly),
}

/// A disjunction of conjunctions.
type Alternatives = Vec<Vec<Constraint>>;

impl<'a> Translation<'a> {
    pub(super) fn new(sizes: &'a SplitSizes, part: &'a Part) -> Self {
        let (split, _) = closure(part, sizes.line());
        let params = sizes.params();
        let mut coordinates = Coordinates { names: sizes.names.clone(), all: params.clone() };
        let starts = part.starts();
        let (mut values, mut count) = (Vec::new(), 0);
        for (depth, iterator) in part.frame.iterators().enumerate() {
            let name = part.frame.name(iterator);
            values.push(match starts.get(&iterator) {
                Some(ratio) => {
                    let number = if depth == 0 { String::new() } else { depth.to_string() };
                    let lines = Poly::var(coordinates.add("line", &number));
                    LineIterator::Split(lines.scale(&Rational::from_integer((*ratio).into())), Poly::zero())
                }
                _ if split.contains(&iterator) => {
                    let [u, r] = ["u_", "r_"].map(|prefix| Poly::var(coordinates.add(prefix, name)));
                    LineIterator::Split(u, r)
                }
                _ => LineIterator::Plain(coordinates.add("", name)),
            });
            if depth < part.own {
                count = coordinates.all.len() - params.len();
            }
        }
        let frame = Frame::over(coordinates.all, params.len());
        Self { sizes, access: part.subject.reuse.sink, own: &part.frame, split, frame, count, values }
    }

    /// Returns the line coordinates of the part's own variables.
    pub(super) fn into_frame(self) -> Frame {
        self.own_frame()
    }

    fn own_frame(&self) -> Frame {
        let params = self.frame.iterator(0).0 as usize;
        Frame::over(self.frame.names()[..params + self.count].to_vec(), params)
    }

    /// Returns the domain of a part for every b from `least` on; raises `least` if necessary.
    pub(super) fn domain(&self, isl: &Context, part: &Part, least: &mut BigInt) -> Result<Set, Error> {
        let ranges = self.ranges(part.frame.iterators().take(part.own));
        let constraints = &part.constraints;
        let text = [self.frame.conjunction(&ranges), self.conditions(isl, constraints, constraints, least)?];
        self.own_frame().set(isl, &text.join(" and "))
    }

    /// Returns the points of a term, with the part's own variables as parameters.
    pub(super) fn points(
        &self,
        isl: &Context,
        part: &Part,
        term: &WindowTerm,
        least: &mut BigInt,
    ) -> Result<Set, Error> {
        let all = [&part.constraints[..], &term.constraints[..]].concat();
        let ranges = self.ranges(term.coordinates.iter().copied());
        let text = [self.frame.conjunction(&ranges), self.conditions(isl, &term.constraints, &all, least)?];
        let points: BTreeSet<Var> = term.coordinates.iter().flat_map(|c| self.value(*c).vars()).collect();
        let points: Vec<_> = points.into_iter().map(|var| self.frame.name(var)).collect();
        let own = self.own_frame().names().join(", ");
        Ok(Set::read(isl, &format!("[{own}] -> {{ [{}] : {} }}", points.join(", "), text.join(" and ")))?)
    }

    /// Constraints that are among `all`.
    fn conditions(
        &self,
        isl: &Context,
        constraints: &[Constraint],
        all: &[Constraint],
        least: &mut BigInt,
    ) -> Result<String, Error> {
        let mut text = vec!["true".to_owned()];
        for constraint in constraints {
            let (alternatives, from) = self.constraint(constraint)?;
            if from > *least {
                match self.has_lines_below(isl, all, &from)? {
                    true => *least = from,
                    // Of shorter lines the alternatives may say anything.
                    false => text.push(format!("{} >= {from}", self.frame.name(self.sizes.line()))),
                }
            }
            let all: Vec<_> = alternatives.iter().map(|all| self.frame.conjunction(all)).collect();
            text.push(format!("({})", all.join(" or ")));
        }
        Ok(text.join(" and "))
    }

    /// Translates a polynomial to line coordinates.
    pub(super) fn polynomial(&self, poly: &Poly) -> Result<Poly, Error> {
        let b = Poly::var(self.sizes.line());
        let of_lines = |floor: &&symloc_quasi::Floor| floor.numerator().vars().iter().any(|v| self.split.contains(v));
        if let Some(floor) = poly.floors().into_iter().find(of_lines) {
            let floor = self.own.text(&Poly::atom(Atom::Floor(floor.clone())));
            let start = self.own.iterators().next().map_or("?", |start| self.own.name(start));
            return Err(self.refused(format!(
                "last subscripts fit that have coefficients 1 and -1 and no steps, `mod` or `floordiv`; how often this access \
                 touches the line from element `{start}` on depends on `{floor}`"
            )));
        }
        Ok(poly.substitute(&|var| {
            Some(match &self.values[self.own.depth(var)?] {
                LineIterator::Plain(var) => Poly::var(*var),
                LineIterator::Split(quotient, rest) => &(&b * quotient) + rest,
            })
        }))
    }

    /// Returns 0 ≤ r < b for each remainder r of the iterators.
    fn ranges(&self, iterators: impl Iterator<Item = Var>) -> Vec<Constraint> {
        let b = Poly::var(self.sizes.line());
        let rest = |iterator: Var| match &self.values[self.own.depth(iterator)?] {
            LineIterator::Split(_, rest) if !rest.is_zero() => Some(range(rest, &b)),
            _ => None,
        };
        iterators.filter_map(rest).flatten().collect()
    }

    /// Returns the value of an iterator of the part.
    fn value(&self, iterator: Var) -> Poly {
        self.own.depth(iterator).map_or_else(Poly::zero, |depth| match &self.values[depth] {
            LineIterator::Plain(var) => Poly::var(*var),
            LineIterator::Split(quotient, rest) => quotient + rest,
        })
    }

    /// Returns true if the constraints allow lines shorter than `least`.
    fn has_lines_below(&self, isl: &Context, constraints: &[Constraint], least: &BigInt) -> Result<bool, Error> {
        let shorter = &Poly::integer(least - 1) - &Poly::var(self.sizes.line());
        let shorter = Constraint::non_negative(shorter);
        Ok(!self.own.set(isl, &self.own.conjunction(&[constraints, &[shorter]].concat()))?.is_empty()?)
    }

    /// Returns alternatives to a constraint, and the least b from which on they are equivalent to it.
    fn constraint(&self, constraint: &Constraint) -> Result<(Alternatives, BigInt), Error> {
        if !is_split(constraint, self.own, &self.split, self.sizes.line()) {
            return Ok((vec![vec![constraint.map(|poly| self.plain(poly))]], BigInt::one()));
        }
        let shown = || self.own.text(&constraint.poly);
        let lines = Divided::of(&constraint.poly, &|var| self.variable(var)).map_err(|term| {
            let term = self.own.text(&term);
            self.refused(format!("steps, `mod` and `floordiv` cannot be split into lines, as in `{term}`"))
        })?;
        let carries = lines
            .carries()
            .ok_or_else(|| self.refused(format!("`{}` is compared, with large coefficients", shown())))?;
        Ok((lines.compared(constraint.relation, &carries, self.sizes.line()), carries.least))
    }

    /// Returns a polynomial without split iterators: the parameters keep their numbers.
    fn plain(&self, poly: &Poly) -> Poly {
        poly.substitute(&|var| match &self.values[self.own.depth(var)?] {
            LineIterator::Plain(var) => Some(Poly::var(*var)),
            LineIterator::Split(..) => None,
        })
    }

    fn variable(&self, var: Var) -> Option<(Poly, Poly)> {
        match self.own.depth(var) {
            None => self.sizes.param(ParamId(var.0)),
            Some(depth) => match &self.values[depth] {
                LineIterator::Split(quotient, rest) => Some((quotient.clone(), rest.clone())),
                LineIterator::Plain(_) => None,
            },
        }
    }

    fn refused(&self, reason: String) -> Error {
        LineError { access: self.access, reason }.into()
    }
}

/// The variables so far.
struct Coordinates {
    names: FreshNames,
    all: Vec<String>,
}

impl Coordinates {
    fn add(&mut self, prefix: &str, name: &str) -> Var {
        // An iterator that is not split keeps its name.
        let name = if prefix.is_empty() { name.to_owned() } else { self.names.fresh(prefix, name) };
        self.all.push(name);
        Var((self.all.len() - 1) as u32)
    }
}
