//! Sizes counted in lines: n = b·m + s, with m and s as parameters. The variables of a part that are split like that
//! are those compared with a line start, closed under comparison with variables that are split.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use symloc_affine::{ParamId, Program};
use symloc_quasi::{Constraint, Poly, Relation, Var};

use super::carry::Divided;
use super::part::Part;
use crate::frame::{Frame, FreshNames};

/// The parameters of line coordinates: those of the program, then every m, then every s.
#[derive(Debug)]
pub(super) struct SplitSizes {
    line: ParamId,
    own: Vec<String>,
    /// n, with the names of m and, unless n is a multiple of b, of s.
    split: BTreeMap<ParamId, (String, Option<String>)>,
    /// Names that nothing else has.
    pub(super) names: FreshNames,
}

impl SplitSizes {
    /// Returns the sizes that parts need.
    pub(super) fn new(program: &Program, line: ParamId, parts: &[Part]) -> Self {
        let mut needed: BTreeSet<ParamId> = parts.iter().flat_map(|part| closure(part, Var(line.0)).1).collect();
        needed.remove(&line);
        let mut names = FreshNames::new(program);
        let param = |p: ParamId| {
            let name = &program.params[p.index()].name;
            let multiple = program.multiples.contains(&(p, line));
            (p, (names.fresh("m_", name), (!multiple).then(|| names.fresh("s_", name))))
        };
        let split = needed.into_iter().map(param).collect();
        Self { line, own: program.params.iter().map(|p| p.name.clone()).collect(), split, names }
    }

    /// Returns true if these include all sizes that a part needs.
    pub(super) fn cover(&self, part: &Part) -> bool {
        closure(part, self.line()).1.iter().all(|param| *param == self.line || self.split.contains_key(param))
    }

    /// Returns the variable b.
    pub(super) fn line(&self) -> Var {
        Var(self.line.0)
    }

    /// Returns m and s of a parameter, with s = 0 if it has no remainder; `None` if it is not split. b itself is b·1 +
    /// 0.
    pub(super) fn param(&self, param: ParamId) -> Option<(Poly, Poly)> {
        if param == self.line {
            return Some((Poly::one(), Poly::zero()));
        }
        let position = self.split.keys().position(|p| *p == param)?;
        let variable = |position: usize| Poly::var(Var((self.own.len() + position) as u32));
        let remainder = self.remainder(param).map_or_else(Poly::zero, |r| variable(self.split.len() + r));
        Some((variable(position), remainder))
    }

    /// Returns the position of a parameter's s among the remainders.
    fn remainder(&self, param: ParamId) -> Option<usize> {
        self.split.iter().filter(|(_, (_, s))| s.is_some()).position(|(p, _)| *p == param)
    }

    /// Returns the parameters that have a quotient.
    pub(super) fn quotients(&self) -> Vec<ParamId> {
        self.split.keys().copied().collect()
    }

    /// Returns the number of remainders.
    pub(super) fn remainders(&self) -> usize {
        self.split.values().filter(|(_, s)| s.is_some()).count()
    }

    /// Returns the names of all parameters.
    pub(super) fn params(&self) -> Vec<String> {
        let quotients = self.split.values().map(|(m, _)| m.clone());
        let remainders = self.split.values().filter_map(|(_, s)| s.clone());
        self.own.iter().cloned().chain(quotients).chain(remainders).collect()
    }

    /// Returns the definitions s = n − b·m, or n = b·m for sizes without a remainder.
    pub(super) fn defined(&self) -> Vec<(Var, Poly)> {
        let b = Poly::var(self.line());
        let define = |param: &ParamId| {
            let (m, s) = self.param(*param)?;
            let (n, start) = (Var(param.0), &b * &m);
            let remainder = s.vars().pop_first();
            Some(remainder.map_or_else(|| (n, start.clone()), |s| (s, &Poly::var(n) - &start)))
        };
        self.split.keys().filter_map(define).collect()
    }

    /// Returns n = b·m + s for every n that is split.
    pub(super) fn divided(&self) -> Vec<(Var, Poly)> {
        let b = Poly::var(self.line());
        let divide = |param: &ParamId| self.param(*param).map(|(m, s)| (Var(param.0), &(&b * &m) + &s));
        self.split.keys().filter_map(divide).collect()
    }

    /// Returns 0 ≤ s < b for every remainder s.
    pub(super) fn remainder_ranges(&self) -> Vec<Constraint> {
        let b = Poly::var(self.line());
        let first = self.own.len() + self.split.len();
        let variables = (first..first + self.remainders()).map(|v| Poly::var(Var(v as u32)));
        variables.flat_map(|s| range(&s, &b)).collect()
    }

    /// Returns the constraints on the quotients that a condition on the parameters implies, whatever the remainders.
    pub(super) fn implied(&self, condition: &Constraint) -> Vec<Constraint> {
        let sides = match condition.relation {
            Relation::NonNegative => vec![condition.poly.clone()],
            Relation::Zero => vec![condition.poly.clone(), -&condition.poly],
        };
        let implied = |poly: Poly| {
            let lines = Divided::of(&poly, &|var| self.param(ParamId(var.0))).ok()?;
            Some(Constraint::non_negative(&lines.quotient + &Poly::integer(BigInt::from(lines.last_carry()?))))
        };
        sides.into_iter().filter_map(implied).collect()
    }
}

/// Returns 0 ≤ rest < b.
pub(super) fn range(rest: &Poly, b: &Poly) -> [Constraint; 2] {
    [Constraint::non_negative(rest.clone()), Constraint::non_negative(&(b - rest) - &Poly::one())]
}

/// Returns the iterators of a part that are split, including line starts, and the parameters that are split.
pub(super) fn closure(part: &Part, line: Var) -> (BTreeSet<Var>, BTreeSet<ParamId>) {
    let frame = &part.frame;
    let mut iters: BTreeSet<Var> = part.starts().into_keys().collect();
    let mut params = BTreeSet::new();
    loop {
        let before = (iters.len(), params.len());
        for constraint in part.systems().flatten() {
            if !is_split(constraint, frame, &iters, line) {
                continue;
            }
            let (iterators, parameters): (Vec<_>, Vec<_>) =
                constraint.poly.vars().into_iter().partition(|v| frame.depth(*v).is_some());
            iters.extend(iterators);
            params.extend(parameters.into_iter().map(|v| ParamId(v.0)));
        }
        if before == (iters.len(), params.len()) {
            return (iters, params);
        }
    }
}

/// Returns true if a comparison is one of lines: if it contains an iterator that is split, or only b and other
/// parameters.
pub(super) fn is_split(constraint: &Constraint, frame: &Frame, iters: &BTreeSet<Var>, line: Var) -> bool {
    let vars = constraint.poly.vars();
    let of_parameters = vars.len() > 1 && vars.contains(&line) && vars.iter().all(|v| frame.depth(*v).is_none());
    of_parameters || vars.iter().any(|v| iters.contains(v))
}
