//! The conditions and polynomials of a part in line coordinates.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::One;
use symloc_affine::{AccessId, ParamId};
use symloc_isl::{Context, Set};
use symloc_quasi::{Atom, Constraint, Poly, Rational, Var};

use super::LineError;
use super::carry::Lines;
use super::part::Part;
use super::split::{Names, Sizes, closure, is_split, range};
use crate::Error;
use crate::convert::Frame;

/// From the variables of a part to line coordinates.
pub(super) struct Translation<'a> {
    sizes: &'a Sizes,
    /// Named if something does not fit.
    access: AccessId,
    /// The part's own variables.
    own: &'a Frame,
    /// Its iterators that are split.
    split: BTreeSet<Var>,
    /// The line coordinates.
    frame: Frame,
    /// For each iterator of the part, what it is.
    values: Vec<Value>,
}

/// An iterator in line coordinates.
enum Value {
    /// Itself.
    Plain(Var),
    /// b·U + R
    Split(Poly, Poly),
}

/// A disjunction of conjunctions.
type Alternatives = Vec<Vec<Constraint>>;

impl<'a> Translation<'a> {
    pub(super) fn new(sizes: &'a Sizes, part: &'a Part) -> Self {
        let (split, _) = closure(part, sizes.line());
        let params = sizes.params();
        let mut coordinates = Coordinates { names: sizes.names.clone(), all: params.clone() };
        let mut values = Vec::new();
        for (depth, iterator) in part.frame.iterators().enumerate() {
            let name = part.frame.name(iterator);
            values.push(match (depth, part.ratio) {
                (0, Some(ratio)) => {
                    let lines = Poly::var(coordinates.add("line", "")).scale(&Rational::from_integer(ratio.into()));
                    Value::Split(lines, Poly::zero())
                }
                _ if split.contains(&iterator) => {
                    let [u, r] = ["u_", "r_"].map(|prefix| Poly::var(coordinates.add(prefix, name)));
                    Value::Split(u, r)
                }
                _ => Value::Plain(coordinates.add("", name)),
            });
        }
        let frame = Frame::over(coordinates.all, params.len());
        Self { sizes, access: part.access, own: &part.frame, split, frame, values }
    }

    /// The line coordinates.
    pub(super) fn into_frame(self) -> Frame {
        self.frame
    }

    /// Where the constraints hold, for every b from `least` on, which grows.
    pub(super) fn set(&self, isl: &Context, constraints: &[Constraint], least: &mut BigInt) -> Result<Set, Error> {
        let mut text = vec![self.frame.conjunction(&self.ranges())];
        for constraint in constraints {
            let (alternatives, from) = self.constraint(constraint)?;
            if from > *least {
                match self.has_lines_below(isl, constraints, &from)? {
                    true => *least = from,
                    // Of shorter lines the alternatives may say anything.
                    false => text.push(format!("{} >= {from}", self.frame.name(self.sizes.line()))),
                }
            }
            let all: Vec<_> = alternatives.iter().map(|all| self.frame.conjunction(all)).collect();
            text.push(format!("({})", all.join(" or ")));
        }
        self.frame.set(isl, &text.join(" and "))
    }

    /// A polynomial.
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
                Value::Plain(var) => Poly::var(*var),
                Value::Split(quotient, rest) => &(&b * quotient) + rest,
            })
        }))
    }

    /// 0 ≤ r < b for each r.
    fn ranges(&self) -> Vec<Constraint> {
        let b = Poly::var(self.sizes.line());
        let rest = |value: &Value| match value {
            Value::Split(_, rest) if !rest.is_zero() => Some(range(rest, &b)),
            _ => None,
        };
        self.values.iter().filter_map(rest).flatten().collect()
    }

    /// Is there a part of the constraints with shorter lines?
    fn has_lines_below(&self, isl: &Context, constraints: &[Constraint], least: &BigInt) -> Result<bool, Error> {
        let shorter = &Poly::integer(least - 1) - &Poly::var(self.sizes.line());
        let shorter = Constraint::non_negative(shorter);
        Ok(!self.own.set(isl, &self.own.conjunction(&[constraints, &[shorter]].concat()))?.is_empty()?)
    }

    /// A constraint as alternatives, and from which b on they say the same.
    fn constraint(&self, constraint: &Constraint) -> Result<(Alternatives, BigInt), Error> {
        if !is_split(constraint, self.own, &self.split, self.sizes.line()) {
            return Ok((vec![vec![constraint.map(|poly| self.plain(poly))]], BigInt::one()));
        }
        let shown = || self.own.text(&constraint.poly);
        let lines = Lines::of(&constraint.poly, &|var| self.variable(var)).map_err(|term| {
            let term = self.own.text(&term);
            self.refused(format!("steps, `mod` and `floordiv` cannot be split into lines, as in `{term}`"))
        })?;
        let carries = lines
            .carries()
            .ok_or_else(|| self.refused(format!("`{}` is compared, with large coefficients", shown())))?;
        Ok((lines.compared(constraint.relation, &carries, self.sizes.line()), carries.least))
    }

    /// A polynomial without split iterators: the parameters keep their numbers.
    fn plain(&self, poly: &Poly) -> Poly {
        poly.substitute(&|var| match &self.values[self.own.depth(var)?] {
            Value::Plain(var) => Some(Poly::var(*var)),
            Value::Split(..) => None,
        })
    }

    fn variable(&self, var: Var) -> Option<(Poly, Poly)> {
        match self.own.depth(var) {
            None => self.sizes.param(ParamId(var.0)),
            Some(depth) => match &self.values[depth] {
                Value::Split(quotient, rest) => Some((quotient.clone(), rest.clone())),
                Value::Plain(_) => None,
            },
        }
    }

    fn refused(&self, reason: String) -> Error {
        LineError { access: self.access, reason }.into()
    }
}

/// The variables so far.
struct Coordinates {
    names: Names,
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
