//! Subscripts within rows: whole rows in a subscript are carried to the next outer dimension, and the rest must stay
//! within its row.
//!
//! If 0 ≤ j < n holds for every access, (i, j) names the element i·n + j and no other pair does. The proof uses the
//! bounds of loops and the conditions around the access; where it comes down to a comparison of sizes, that becomes a
//! condition on the sizes. In rows of constant length a subscript that leaves its row is divided, which is always
//! exact.

use symloc_affine::{Atom, Constraint, Expr};

use super::refusal::Refusal;
use super::shape::Length;
use crate::arithmetic::Trouble;
use crate::cases::occurrences;
use crate::ranges::Ranges;

/// Divides the subscripts of one reference.
pub(super) struct Divider<'r> {
    /// The bounds and facts at the reference.
    pub(super) ranges: &'r mut Ranges,
    /// The conditions on the sizes that are required beyond them.
    pub(super) conditions: Vec<Expr>,
}

/// Whole rows, and the subscript in the last one.
type Divided = (Expr, Expr);

impl Divider<'_> {
    /// Divides a subscript by the length of its row. If the source has a subscript for the rows themselves
    /// (`declared`), a constant length may become an upper bound on the sizes.
    pub(super) fn divide(&mut self, subscript: &Expr, length: &Length, declared: bool) -> Result<Divided, Refusal> {
        let stay = (Expr::default(), subscript.clone());
        match length {
            Length::Unlimited => Ok(stay),
            Length::Constant(length) => self.by_constant(subscript, *length, declared),
            Length::Affine(length) => self.by_size(subscript, length),
            Length::Product(factors) => match self.is_within_product(subscript, factors)? {
                true => Ok(stay),
                false => Err(Refusal::LeavesRow),
            },
        }
    }

    fn by_constant(&mut self, subscript: &Expr, length: i64, declared: bool) -> Result<Divided, Refusal> {
        let row = Expr::constant(length);
        if self.is_within(subscript, &row)? {
            return Ok((Expr::default(), subscript.clone()));
        }
        // Multiples of the length are whole rows.
        let mut whole = Expr::default();
        for (atom, coefficient) in subscript.terms().filter(|(_, coefficient)| coefficient % length == 0) {
            whole = whole.add_scaled(&Expr::atom(atom.clone()), coefficient / length)?;
        }
        let rest = subscript.add_scaled(&whole, -length)?;
        let constant = rest.constant_term().div_euclid(length);
        let candidates = [0, constant, constant - 1, constant + 1, -1];
        if let Some((rows, rest)) = self.proved(&rest, &row, &candidates)? {
            return Ok((whole.plus(&rows)?, rest));
        }
        for rows in candidates.into_iter().filter(|_| declared) {
            let rest = without(&rest, &row, rows)?;
            if self.begins_in_row(&rest, length) && self.require_room(&rest, &row)? {
                return Ok((whole.plus_constant(rows)?, rest));
            }
        }
        // ⌊(j − 16)/16⌋ is ⌊j/16⌋ − 1.
        let rest = rest.plus_constant(constant.checked_mul(-length).ok_or(Trouble::Size)?)?;
        let rows = rest.floor_div(length)?;
        Ok((whole.plus(&rows)?.plus_constant(constant)?, rest.add_scaled(&rows, -length)?))
    }

    /// Returns true if a subscript begins in the first half of its row. Else the row is too short for most sizes.
    fn begins_in_row(&self, subscript: &Expr, length: i64) -> bool {
        self.ranges.least(subscript).is_some_and(|least| (0..=length / 2).contains(&least))
    }

    /// Requires that a subscript stays below the end of its row; returns false if that is not a condition on the sizes.
    fn require_room(&mut self, subscript: &Expr, length: &Expr) -> Result<bool, Refusal> {
        let room = length.minus(subscript)?.plus_constant(-1)?;
        let above = self.possible(&room, length)?;
        Ok(above.map(|above| self.rely_on(above)).is_some())
    }

    fn by_size(&mut self, subscript: &Expr, length: &Expr) -> Result<Divided, Refusal> {
        let rows = multiple(subscript, length);
        let candidates = [rows, rows.saturating_sub(1), 0, -1, 1];
        if let Some(divided) = self.proved(subscript, length, &candidates)? {
            return Ok(divided);
        }
        self.required(subscript, length, &candidates)?.ok_or(Refusal::LeavesRow)
    }

    /// Finds a number of rows with which the rest is known to stay within its row.
    fn proved(&self, subscript: &Expr, length: &Expr, candidates: &[i64]) -> Result<Option<Divided>, Refusal> {
        for rows in candidates {
            let rest = without(subscript, length, *rows)?;
            if self.is_within(&rest, length)? {
                return Ok(Some((Expr::constant(*rows), rest)));
            }
        }
        Ok(None)
    }

    fn is_within(&self, rest: &Expr, length: &Expr) -> Result<bool, Refusal> {
        let room = length.minus(rest)?.plus_constant(-1)?;
        Ok(self.is_proved(rest) && self.is_proved(&room))
    }

    /// Returns true if an expression is known not to be negative; a condition around the access may count several times, as often as its
    /// innermost iterator is in the expression: 3*w - 3*x - 3 is three times w - x - 1.
    fn is_proved(&self, expr: &Expr) -> bool {
        let without = |fact: &Constraint| expr.add_scaled(&fact.expr, -occurrences(expr, &fact.expr)?).ok();
        let mut rests = self.ranges.facts().iter().filter_map(without);
        self.ranges.non_negative(expr) || rests.any(|rest| self.ranges.non_negative(&rest))
    }

    /// Returns true if the subscript is within one of the factors of the length; the others are at least 1.
    fn is_within_product(&self, rest: &Expr, factors: &[Expr]) -> Result<bool, Refusal> {
        for factor in factors {
            if self.is_within(rest, factor)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Finds the number of rows with which the rest stays within its row under the fewest conditions on the sizes; of several, the
    /// first: the one that the source has.
    fn required(&mut self, subscript: &Expr, length: &Expr, candidates: &[i64]) -> Result<Option<Divided>, Refusal> {
        let mut best: Option<(usize, i64, [Expr; 2])> = None;
        for rows in candidates {
            let Some(conditions) = self.conditions_of(&without(subscript, length, *rows)?, length)? else { continue };
            let open = conditions.iter().filter(|expr| !self.ranges.non_negative(expr)).count();
            if best.as_ref().is_none_or(|(fewest, ..)| open < *fewest) {
                best = Some((open, *rows, conditions));
            }
        }
        let Some((_, rows, conditions)) = best else { return Ok(None) };
        conditions.into_iter().for_each(|condition| self.rely_on(condition));
        Ok(Some((Expr::constant(rows), without(subscript, length, rows)?)))
    }

    /// Returns the conditions on the sizes, below and above, with which a subscript stays within its row; `None` if there are none.
    fn conditions_of(&self, rest: &Expr, length: &Expr) -> Result<Option<[Expr; 2]>, Refusal> {
        let Some(below) = self.possible(rest, length)? else { return Ok(None) };
        let room = length.minus(rest)?.plus_constant(-1)?;
        Ok(self.possible(&room, length)?.map(|above| [below, above]))
    }

    /// Returns an expression in the sizes such that `expr` is non-negative if it is: one that is known to be, or else
    /// the first that may be. It must not fall with the length of the row: longer rows must satisfy it too.
    fn possible(&self, expr: &Expr, length: &Expr) -> Result<Option<Expr>, Refusal> {
        if self.is_proved(expr) {
            return Ok(Some(Expr::default()));
        }
        let least = self.largest(&expr.times(-1)?);
        let least = least.iter().map(|largest| largest.times(-1)).collect::<Result<Vec<_>, _>>()?;
        let decided = |expr: &&Expr| self.ranges.decide(&Constraint::non_negative((*expr).clone()));
        let is_possible = |least: &Expr| !falls_with(least, length) && !is_of_one_iteration(least, expr);
        let is_open = |least: &&Expr| decided(least).is_none() && is_possible(least);
        Ok(least.iter().find(|expr| decided(expr) == Some(true)).or_else(|| least.iter().find(is_open)).cloned())
    }

    fn rely_on(&mut self, expr: Expr) {
        let holds = Constraint::non_negative(expr.clone());
        if self.ranges.decide(&holds) != Some(true) {
            self.ranges.add_fact(holds);
            self.conditions.push(expr);
        }
    }

    /// Returns upper bounds of an expression, in the sizes: by conditions on iterators around the access, and by the
    /// bounds of its loops. A condition may count several times, as in [`is_proved`](Self::is_proved). Conditions on sizes alone are
    /// not used: the comparison of sizes is the question.
    fn largest(&self, expr: &Expr) -> Vec<Expr> {
        let moves = |expr: &Expr| expr.mentions(&|atom| matches!(atom, Atom::Iter(_)));
        let facts = self.ranges.facts().iter().filter(|fact| moves(&fact.expr));
        let times = |fact: &Constraint| occurrences(&expr.times(-1).ok()?, &fact.expr).or(Some(1));
        let beyond = facts.filter_map(|fact| expr.add_scaled(&fact.expr, times(fact)?).ok());
        beyond.chain(self.ranges.largest(expr)).filter(|expr| !moves(expr)).collect()
    }
}

/// Returns true if the least value of an expression is not negative only where a size is at most 1 that is none of its own: a loop up to that
/// size has one iteration.
fn is_of_one_iteration(least: &Expr, expr: &Expr) -> bool {
    let mut terms = least.terms();
    let (Some(term @ (Atom::Param(_), coefficient)), None) = (terms.next(), terms.next()) else { return false };
    let is_own = expr.terms().any(|own| own == term);
    coefficient < 0 && least.constant_term() < coefficient.saturating_mul(-2) && !is_own
}

/// Returns true if the expression falls as a size in the length grows.
fn falls_with(expr: &Expr, length: &Expr) -> bool {
    let of = |size: &Atom| length.terms().find(|(own, _)| *own == size).map_or(0, |(_, factor)| factor.signum());
    let sizes = expr.terms().filter(|(atom, _)| matches!(atom, Atom::Param(_)));
    sizes.into_iter().any(|(size, coefficient)| coefficient.signum() * of(size) < 0)
}

/// Returns the subscript minus a number of rows.
fn without(subscript: &Expr, length: &Expr, rows: i64) -> Result<Expr, Refusal> {
    Ok(subscript.add_scaled(length, rows.checked_neg().ok_or(Trouble::Size)?)?)
}

/// Returns the multiple of a length in a subscript, by the first size in the length.
fn multiple(subscript: &Expr, length: &Expr) -> i64 {
    let size = length.terms().find(|(atom, _)| matches!(atom, Atom::Param(_)));
    let Some((size, factor)) = size.filter(|(_, factor)| *factor != 0) else { return 0 };
    let of = subscript.terms().find(|(atom, _)| *atom == size);
    of.map_or(0, |(_, coefficient)| coefficient.div_euclid(factor))
}
