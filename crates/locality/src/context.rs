//! Solves the equalities of the context.
//!
//! Under `m = n` every formula can be written in n alone, and m is no parameter of its own.

use num_traits::{One, Signed};
use symloc_quasi::{Constraint, Poly, Relation, Var};

use crate::lines::Lines;

/// n and s of a sample p = n + k·s, and the line size at the sample.
const LARGE: i128 = 1 << 60;
const STEP: i128 = 1 << 30;
const LINE: i128 = 1 << 20;

/// A remainder at the sample: no simple part of a line, so that conditions such as `2·r ≤ b` do not end there.
const REMAINDER: i128 = LINE / 16 * 7;

/// Parameters that the context expresses by others.
pub(crate) struct Solved {
    lines: Lines,
    values: Vec<Option<Poly>>,
}

impl Solved {
    /// Solves the equalities of a context, each for its last parameter with coefficient ±1.
    pub(crate) fn new(context: &[Constraint], variables: usize, lines: Lines) -> Self {
        let mut solved = Self { lines, values: vec![None; variables] };
        for constraint in context.iter().filter(|c| c.relation == Relation::Zero) {
            if let Some((var, value)) = solve(&solved.apply(&constraint.poly)) {
                solved.values.iter_mut().flatten().for_each(|earlier| *earlier = earlier.with_value(var, &value));
                solved.values[var.0 as usize] = Some(value);
            }
        }
        solved
    }

    /// Returns the value of a parameter if other parameters express it.
    pub(crate) fn value(&self, var: Var) -> Option<&Poly> {
        self.values.get(var.0 as usize).and_then(Option::as_ref)
    }

    /// Returns true if the context makes the size a multiple of the line size.
    pub(crate) fn is_whole(&self, size: Var) -> bool {
        self.lines.is_remainder(size) && self.value(size).is_some_and(Poly::is_zero)
    }

    /// Returns the sizes that are counted in lines.
    pub(crate) fn lines(&self) -> &Lines {
        &self.lines
    }

    /// Returns true if the variable is, or stands for, an unbounded size. The line size and remainders are bounded.
    pub(crate) fn grows(&self, var: Var) -> bool {
        self.value(var).is_none() && !self.lines.is_line(var) && !self.lines.is_remainder(var)
    }

    /// Returns a large value; the more steps, the larger. A size of m lines is as large as one that is not counted in
    /// lines.
    pub(crate) fn start(&self, var: Var, steps: i128) -> i128 {
        match (self.lines.is_line(var), self.lines.is_remainder(var), self.lines.is_count(var)) {
            (true, ..) => LINE,
            (_, true, _) => REMAINDER,
            (.., true) => LARGE / LINE + steps * (STEP / LINE),
            _ => LARGE + steps * STEP,
        }
    }

    /// Rewrites a polynomial of the model in the remaining variables.
    pub(crate) fn apply(&self, poly: &Poly) -> Poly {
        self.lines.inward(poly).substitute(&|var| self.value(var).cloned())
    }
}

/// Solves `±v + rest = 0` for v.
fn solve(poly: &Poly) -> Option<(Var, Poly)> {
    if !poly.floors().is_empty() || poly.degree() != 1 {
        return None;
    }
    poly.vars().into_iter().rev().find_map(|var| {
        let (slope, rest) = poly.split_slope(var);
        slope.abs().is_one().then(|| (var, rest.scale(&-slope)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equalities_chain() {
        let [n, m, k] = [0, 1, 2].map(|v| Poly::var(Var(v)));
        let context = [Constraint::zero(&k - &m), Constraint::zero(&(&m - &n) - &Poly::one())];
        let solved = Solved::new(&context, 3, Lines::default());
        assert_eq!(solved.apply(&k), &n + &Poly::one());
        assert_eq!(solved.apply(&m), &n + &Poly::one());
        assert!(solved.value(Var(0)).is_none());
        let congruence = Constraint::zero(&n - &n.floor_div(&2.into()));
        assert!(Solved::new(&[congruence], 1, Lines::default()).value(Var(0)).is_none());
    }
}
