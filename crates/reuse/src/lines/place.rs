//! Sets, access maps and polynomials at one place of the program, from its iterators to line coordinates.

use num_bigint::BigInt;
use num_traits::One;
use symloc_affine::{AccessId, Atom, Constraint as Condition, Expr, IterId, ParamId, Program};
use symloc_isl::{Context, Map, Set};
use symloc_quasi::{Atom as PolyAtom, Constraint, Poly, Rational, Relation, Var};

use super::carry::Lines;
use super::split::{Split, range};
use super::{Exact, LineError};
use crate::Error;
use crate::convert::{Frame, constraints};
use crate::timestamps::{Step, statement_name};

/// The translation at a place inside some loops.
pub(super) struct Translation<'a> {
    split: &'a Split,
    /// An access there, to be named if something does not fit.
    access: AccessId,
    iters: Vec<IterId>,
    /// The program's own variables.
    own: Frame,
    /// The line coordinates.
    frame: Frame,
    /// For each iterator its first coordinate.
    starts: Vec<usize>,
}

/// An affine expression in line coordinates.
enum Translated {
    /// Without split iterators.
    Plain(Poly),
    /// With split iterators and parameters only.
    Lines(Lines),
}

/// A disjunction of conjunctions.
type Alternatives = Vec<Vec<Constraint>>;

/// Block coordinates as text, and where they hold.
type Choice = (Vec<String>, Vec<Constraint>);

impl<'a> Translation<'a> {
    /// A place of `access`.
    pub(super) fn new(program: &Program, split: &'a Split, iters: &[IterId], access: AccessId) -> Self {
        let mut names = split.params(program);
        let params = names.len();
        let mut starts = Vec::new();
        for iter in iters {
            starts.push(names.len() - params);
            match split.iter(*iter) {
                Some(parts) => names.extend(parts.iter().cloned()),
                None => names.push(program.iters[iter.index()].name.clone()),
            }
        }
        let frame = Frame::over(names, params);
        Self { split, access, iters: iters.to_vec(), own: Frame::new(program, iters), frame, starts }
    }

    /// The access.
    pub(super) fn access(&self) -> AccessId {
        self.access
    }

    /// The variables of the line coordinates.
    pub(super) fn frame(&self) -> &Frame {
        &self.frame
    }

    /// A set of iterators.
    pub(super) fn set(&self, isl: &Context, set: &Set) -> Result<Exact<Set>, Error> {
        let mut least = BigInt::one();
        let mut parts = Vec::new();
        for basic in set.compute_divs()?.remove_redundancies()?.basic_sets()? {
            let mut text = vec![self.conjunction(&self.ranges())];
            for constraint in constraints(&basic, &self.own)? {
                let alternatives = self.constraint(&constraint, &mut least)?;
                text.push(self.disjunction(&alternatives));
            }
            parts.push(format!("({})", text.join(" and ")));
        }
        let text = if parts.is_empty() { "false".to_owned() } else { parts.join(" or ") };
        Ok(Exact { value: self.frame.set(isl, &text)?, least })
    }

    /// `S<k>[coordinates] -> [timestamp]`
    pub(super) fn schedule(&self, isl: &Context, time: &[Step], length: usize) -> Result<Map, Error> {
        let mut levels: Vec<String> = Vec::new();
        for step in time {
            match step {
                Step::Position(position) => levels.push(position.to_string()),
                Step::Iteration(iter) => {
                    let at = self.iters.iter().position(|i| i == iter);
                    let at = at.ok_or_else(|| Error::Internal("a timestamp of another loop".to_owned()))?;
                    levels.extend(self.coordinates(at).map(|v| self.frame.name(v).to_owned()));
                }
            }
        }
        levels.resize(length, "0".to_owned());
        let timestamp = format!("[{}]", levels.join(", "));
        Ok(Map::read(isl, &self.frame.relation(&statement_name(self.access), &timestamp, "true"))?)
    }

    /// `S<k>[coordinates] -> Array[block]`
    pub(super) fn accessed(&self, isl: &Context, program: &Program, block: &[Expr]) -> Result<Exact<Map>, Error> {
        let mut least = BigInt::one();
        let mut choices: Vec<Choice> = vec![(Vec::new(), self.ranges())];
        for (dim, subscript) in block.iter().enumerate() {
            let options = self.subscript(program, dim, subscript, dim + 1 == block.len(), &mut least)?;
            let join = |(left, a): &Choice| {
                let joined = options.iter().map(|(right, b)| ([&left[..], right].concat(), [&a[..], b].concat()));
                joined.collect::<Vec<_>>()
            };
            choices = choices.iter().flat_map(join).collect();
        }
        let name = statement_name(self.access);
        let array = &program.array(program.access(self.access).array).name;
        let mut union: Option<Map> = None;
        for (coordinates, conditions) in choices {
            let target = format!("{array}[{}]", coordinates.join(", "));
            let map = Map::read(isl, &self.frame.relation(&name, &target, &self.conjunction(&conditions)))?;
            union = Some(union.map_or(Ok(map.clone()), |union| union.union(&map))?);
        }
        let value = union.ok_or_else(|| Error::Internal("an access without a block".to_owned()))?;
        Ok(Exact { value, least })
    }

    /// The block coordinates of one subscript: itself, or the line and, except in the last dimension, the place in the line.
    fn subscript(
        &self,
        program: &Program,
        dim: usize,
        subscript: &Expr,
        last: bool,
        least: &mut BigInt,
    ) -> Result<Vec<Choice>, Error> {
        let poly = self.own_polynomial(subscript);
        let array = program.access(self.access).array;
        if !self.split.dim(array, dim) {
            return Ok(vec![(vec![self.frame.text(&self.plain(&poly))], Vec::new())]);
        }
        let shown = || program.show(subscript);
        let lines =
            self.lines(&poly).map_err(|reason| self.refused(format!("the subscript `{}`: {reason}", shown())))?;
        let carries = lines.carries();
        let carries =
            carries.ok_or_else(|| self.refused(format!("the subscript `{}` has large coefficients", shown())))?;
        *least = carries.least.clone().max(least.clone());
        let ratio = self.ratio(program)?;
        let choice = |carry: i64| {
            let (quotient, rest, conditions) = lines.divided(carry, self.split.line());
            let coordinates = match last {
                true => vec![self.frame.text(&quotient.floor_div(&ratio.into()))],
                false => vec![self.frame.text(&quotient), self.frame.text(&rest)],
            };
            (coordinates, conditions)
        };
        Ok((carries.first..=carries.last).map(choice).collect())
    }

    /// How many times b elements of the accessed array a line holds: b is counted in the largest elements.
    fn ratio(&self, program: &Program) -> Result<u64, Error> {
        let array = program.array(program.access(self.access).array);
        let largest = program.largest_element();
        match largest.checked_rem(array.element_bytes) {
            Some(0) => Ok(largest / array.element_bytes),
            _ => Err(self.refused(format!(
                "the sizes of elements must divide each other, and {} and {largest} bytes do not",
                array.element_bytes
            ))),
        }
    }

    /// A polynomial in the program's variables.
    pub(super) fn polynomial(&self, poly: &Poly) -> Result<Poly, Error> {
        let b = Poly::var(self.split.line());
        if let Some(floor) = poly.floors().into_iter().find(|f| self.mentions_split(f.numerator())) {
            let floor = Poly::atom(PolyAtom::Floor(floor.clone()));
            let floor = self.own.text(&floor);
            return Err(self.refused(format!("the number of accesses before it must not depend on `{floor}`")));
        }
        Ok(poly.substitute(&|var| {
            let depth = self.own.depth(var)?;
            Some(match self.parts(depth) {
                Some((u, r)) => &(&b * &u) + &r,
                None => Poly::var(self.frame.iterator(self.starts[depth])),
            })
        }))
    }

    /// Conditions on the program's own parameters, as they are.
    pub(super) fn plain_constraints(&self, conditions: &[Condition]) -> Vec<Constraint> {
        conditions.iter().map(|c| self.own_constraint(c)).collect()
    }

    /// What conditions on the parameters imply for quotients, whatever the remainders.
    pub(super) fn hull(&self, conditions: &[Condition]) -> Vec<Constraint> {
        let implied = |constraint: Constraint| {
            let sides = match constraint.relation {
                Relation::NonNegative => vec![constraint.poly],
                Relation::Zero => vec![-&constraint.poly, constraint.poly],
            };
            sides.into_iter().filter_map(|poly| {
                let lines = self.lines(&poly).ok()?;
                Some(Constraint::non_negative(&lines.quotient + &Poly::integer(lines.last_carry()?)))
            })
        };
        conditions.iter().map(|c| self.own_constraint(c)).flat_map(implied).collect()
    }

    /// 0 ≤ r < b for each split iterator.
    fn ranges(&self) -> Vec<Constraint> {
        let b = Poly::var(self.split.line());
        (0..self.iters.len()).filter_map(|depth| self.parts(depth)).flat_map(|(_, r)| range(&r, &b)).collect()
    }

    /// The coordinates of the iterator at a depth.
    fn coordinates(&self, depth: usize) -> impl Iterator<Item = Var> + '_ {
        let count = if self.split.iter(self.iters[depth]).is_some() { 2 } else { 1 };
        (self.starts[depth]..self.starts[depth] + count).map(|at| self.frame.iterator(at))
    }

    /// u and r of the iterator at a depth, if it is split.
    fn parts(&self, depth: usize) -> Option<(Poly, Poly)> {
        self.split.iter(self.iters[depth])?;
        let at = self.starts[depth];
        Some((Poly::var(self.frame.iterator(at)), Poly::var(self.frame.iterator(at + 1))))
    }

    fn constraint(&self, constraint: &Constraint, least: &mut BigInt) -> Result<Alternatives, Error> {
        match self.expression(&constraint.poly)? {
            Translated::Plain(poly) => Ok(vec![vec![Constraint { poly, relation: constraint.relation }]]),
            Translated::Lines(lines) => {
                let carries = lines.carries().ok_or_else(|| {
                    self.refused(format!("`{}` is compared, with large coefficients", self.own.text(&constraint.poly)))
                })?;
                *least = std::mem::take(least).max(carries.least.clone());
                Ok(lines.compared(constraint.relation, &carries, self.split.line()))
            }
        }
    }

    fn expression(&self, poly: &Poly) -> Result<Translated, Error> {
        if !self.mentions_split(poly) {
            return Ok(Translated::Plain(self.plain(poly)));
        }
        self.lines(poly).map(Translated::Lines).map_err(|reason| self.refused(reason))
    }

    fn mentions_split(&self, poly: &Poly) -> bool {
        let split = |var: Var| self.own.depth(var).is_some_and(|depth| self.split.iter(self.iters[depth]).is_some());
        poly.vars().into_iter().any(split)
    }

    /// A polynomial without split iterators: the parameters keep their numbers.
    fn plain(&self, poly: &Poly) -> Poly {
        poly.substitute(&|var| Some(Poly::var(self.frame.iterator(self.starts[self.own.depth(var)?]))))
    }

    /// An expression in split iterators and parameters.
    fn lines(&self, poly: &Poly) -> Result<Lines, String> {
        let mut lines = Lines { quotient: Poly::zero(), rest: Poly::zero() };
        for (monomial, coefficient) in poly.terms() {
            let (quotient, rest) = match monomial.factors() {
                [] => (Poly::zero(), Poly::one()),
                [(PolyAtom::Var(var), 1)] => {
                    self.variable(*var).ok_or_else(|| format!("`{}` is not split into lines", self.own.name(*var)))?
                }
                _ => {
                    let term = self.own.text(&Poly::term(Rational::one(), monomial.clone()));
                    return Err(format!("steps, `mod` and `floordiv` cannot be split into lines, as in `{term}`"));
                }
            };
            lines.quotient = &lines.quotient + &quotient.scale(coefficient);
            lines.rest = &lines.rest + &rest.scale(coefficient);
        }
        Ok(lines)
    }

    fn variable(&self, var: Var) -> Option<(Poly, Poly)> {
        match self.own.depth(var) {
            Some(depth) => self.parts(depth),
            None => self.split.param(ParamId(var.0)),
        }
    }

    fn own_constraint(&self, condition: &Condition) -> Constraint {
        let poly = self.own_polynomial(&condition.expr);
        match condition.relation {
            symloc_affine::Relation::Zero => Constraint::zero(poly),
            symloc_affine::Relation::NonNegative => Constraint::non_negative(poly),
        }
    }

    /// An expression of the program in its own variables.
    fn own_polynomial(&self, expr: &Expr) -> Poly {
        let mut sum = Poly::integer(expr.constant_term());
        for (atom, coefficient) in expr.terms() {
            let atom = match atom {
                Atom::Param(param) => Poly::var(Var(param.0)),
                Atom::Iter(iter) => {
                    let depth = self.iters.iter().position(|i| i == iter).unwrap_or(self.iters.len());
                    Poly::var(self.own.iterator(depth))
                }
                Atom::Floor(numerator, divisor) => self.own_polynomial(numerator).floor_div(&(*divisor).into()),
            };
            sum = &sum + &atom.scale(&Rational::from_integer(coefficient.into()));
        }
        sum
    }

    fn disjunction(&self, alternatives: &Alternatives) -> String {
        let all: Vec<_> = alternatives.iter().map(|all| self.conjunction(all)).collect();
        format!("({})", all.join(" or "))
    }

    pub(super) fn conjunction(&self, constraints: &[Constraint]) -> String {
        let relation = |c: &Constraint| match c.relation {
            Relation::Zero => "=",
            Relation::NonNegative => ">=",
        };
        let all = constraints.iter().map(|c| format!("{} {} 0", self.frame.text(&c.poly), relation(c)));
        all.fold("true".to_owned(), |text, condition| format!("{text} and {condition}"))
    }

    fn refused(&self, reason: String) -> Error {
        LineError { access: self.access, reason }.into()
    }
}
