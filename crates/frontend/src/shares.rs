//! Conditions on data that hold in a share of the iterations, which the user gives (`--branch LINE=SHARE`).

use std::collections::BTreeSet;

use num_rational::Ratio;
use symloc_affine::{Constraint, Expr};

use crate::cases::Cases;
use crate::diagnostics::{Diagnostic, Kind};
use crate::ranges::Ranges;

/// The most iterations after which conditions that are in each other may repeat.
const LONGEST: i64 = 10_000;

/// The conditions on data of which the user has said how often they hold.
#[derive(Clone, Debug, Default)]
pub struct ToldConditions {
    lines: BTreeSet<u32>,
    conditions: Vec<ToldCondition>,
}

/// A condition that holds in a share of the iterations of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ToldCondition {
    line: u32,
    /// The number of the iteration.
    iteration: Expr,
    holds: Constraint,
    /// The denominator of the share.
    all: i64,
}

/// A condition on data as the program has it now.
#[derive(Clone, Debug)]
pub struct ToldShare {
    /// The iterations in which it holds.
    pub holds: Cases<bool>,
    /// The remark of the model.
    pub remark: String,
}

impl ToldConditions {
    /// Returns true if a condition on this line was met.
    pub fn has(&self, line: u32) -> bool {
        self.lines.contains(&line)
    }

    /// Returns the condition on a line, which holds in a share a/b of the iterations k of the innermost loop, evenly spread: where a·j mod b < a,
    /// and j is k without the digits that conditions around it depend on (`docs/raising.md`, "Shares"). `ranges` has those conditions.
    ///
    /// # Errors
    ///
    /// If a condition outside of loops neither always nor never holds, or all the conditions repeat after too many iterations.
    pub fn spread(
        &mut self,
        line: u32,
        share: Ratio<i64>,
        iteration: Option<&Expr>,
        ranges: &Ranges,
    ) -> Result<ToldShare, Diagnostic> {
        self.lines.insert(line);
        let (times, all) = (*share.numer(), *share.denom());
        if all == 1 {
            return Ok(ToldShare { holds: Cases::Always(times == 1), remark: remark(line, share, 1) });
        }
        let iteration = iteration.ok_or_else(|| once(line, share))?;
        let digits = self.digits_around(line, iteration, ranges);
        let holds = digits.and_then(|digits| holds(times, all, &iteration.floor_div(digits).ok()?));
        let (digits, holds) = digits.zip(holds).ok_or_else(|| too_long(line, share))?;
        if digits.saturating_mul(all) > LONGEST {
            return Err(too_long(line, share));
        }
        let condition = ToldCondition { line, iteration: iteration.clone(), holds: holds.clone(), all };
        if !self.conditions.contains(&condition) {
            self.conditions.push(condition);
        }
        let holds = Cases::when(vec![holds], Cases::Always(true), Cases::Always(false));
        Ok(ToldShare { holds, remark: remark(line, share, digits) })
    }

    /// Returns the product of the denominators of the conditions on other lines that are known to hold, or not to, where one
    /// is tested.
    fn digits_around(&self, line: u32, iteration: &Expr, ranges: &Ranges) -> Option<i64> {
        let around = self.conditions.iter().filter(|other| {
            other.line != line && other.iteration == *iteration && ranges.decide(&other.holds).is_some()
        });
        around.map(|other| other.all).try_fold(1_i64, i64::checked_mul)
    }
}

/// Returns that a·j mod b < a.
fn holds(times: i64, all: i64, number: &Expr) -> Option<Constraint> {
    let position = number.times(times).and_then(|product| product.modulo(all)).ok()?;
    Some(Constraint::non_negative(Expr::constant(times - 1).minus(&position).ok()?))
}

/// Returns the remark of a model about a condition on data; under others, it is not tested in all iterations.
fn remark(line: u32, share: Ratio<i64>, digits: i64) -> String {
    let often = match (*share.numer(), *share.denom()) {
        (0, _) => "never holds".to_owned(),
        (1, 1) => "always holds".to_owned(),
        (times, all) if digits > 1 => {
            format!("holds in {times} of {all} iterations that test it, evenly spread")
        }
        (times, all) => format!("holds in {times} of {all} iterations, evenly spread"),
    };
    format!("this condition on data {often} (--branch {line}={share})")
}

fn too_long(line: u32, share: Ratio<i64>) -> Diagnostic {
    let message = format!(
        "--branch {line}={share}: with the conditions around it, it would repeat after more than {LONGEST} iterations"
    );
    Diagnostic::new(Kind::Unsupported, None, message).hint("give shares with smaller denominators, such as 0.5")
}

/// Returns the error for a share of a condition that is tested once.
fn once(line: u32, share: Ratio<i64>) -> Diagnostic {
    let message = format!("--branch {line}={share}: this condition is tested once, outside all loops");
    Diagnostic::new(Kind::Unsupported, None, message).note("it holds or it does not").hint("give 0 or 1")
}

/// Returns the error for a line without a branch on data.
pub fn untold(line: u32) -> Diagnostic {
    let message = format!("--branch {line}: there is no branch on data on this line that is ever reached");
    Diagnostic::new(Kind::Request, None, message).hint("give the line of the condition, or leave it out")
}

/// Returns the hint for a condition on data, in a loop or outside of loops.
pub fn hint(line: u32, in_loop: bool) -> String {
    let (never, always) = (format!("--branch {line}=0 (never)"), format!("--branch {line}=1 (always)"));
    match in_loop {
        true => format!("say how often it holds, with {never}, {always} or a share such as --branch {line}=0.5"),
        false => format!("say how often it holds, with {never} or {always}"),
    }
}

#[cfg(test)]
mod tests {
    use symloc_affine::IterId;

    use super::*;

    /// Tells a condition under facts; returns the constraint under which it holds.
    fn told(conditions: &mut ToldConditions, line: u32, share: (i64, i64), facts: &[Constraint]) -> Constraint {
        let mut ranges = Ranges::default();
        ranges.replace_facts(facts.to_vec());
        let iteration = Expr::iter(IterId(0));
        let told = conditions.spread(line, Ratio::new(share.0, share.1), Some(&iteration), &ranges).unwrap();
        match told.holds {
            Cases::When(when) => when.condition[0].clone(),
            Cases::Always(_) => panic!("it is no share"),
        }
    }

    fn not(constraint: &Constraint) -> Constraint {
        Constraint::non_negative(constraint.expr.times(-1).unwrap().plus_constant(-1).unwrap())
    }

    fn count(constraints: &[&Constraint], iterations: i128) -> usize {
        let holds = |k: i128| constraints.iter().all(|c| c.holds(&|_| 0, &|_| k) == Some(true));
        (0..iterations).filter(|k| holds(*k)).count()
    }

    #[test]
    fn shares_are_of_the_iterations_that_test_a_condition() {
        let mut conditions = ToldConditions::default();
        let outer = told(&mut conditions, 1, (1, 2), &[]);
        let inner = told(&mut conditions, 2, (1, 4), std::slice::from_ref(&outer));
        let behind_else = told(&mut conditions, 3, (2, 3), &[not(&outer)]);
        let innermost = told(&mut conditions, 4, (1, 2), &[outer.clone(), inner.clone()]);
        assert_eq!(count(&[&outer, &inner], 48), 6);
        assert_eq!(count(&[&not(&outer), &behind_else], 48), 16);
        assert_eq!(count(&[&outer, &inner, &innermost], 48), 3);
        // The second condition of one line holds where the first one does, and one behind another holds as often as it says.
        assert_eq!(told(&mut conditions, 1, (1, 2), std::slice::from_ref(&outer)), outer);
        assert_eq!(count(&[&told(&mut conditions, 5, (1, 3), &[])], 48), 16);
    }
}
