//! Constraints that ask something of one parameter.

use crate::expr::{Atom, Constraint, Expr, Overflow, Relation};
use crate::ids::ParamId;

/// A test of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    /// The parameter has this value.
    Equals(i64),
    /// The parameter is at least this value.
    AtLeast(i64),
}

impl Test {
    /// Returns the parameter of a constraint, the test that the constraint makes of it, and the answer that satisfies
    /// it; `None` if it has more variables, or if no value or every value satisfies it.
    pub(crate) fn of(constraint: &Constraint) -> Option<(ParamId, Test, bool)> {
        let mut terms = constraint.expr.terms();
        let (Some((Atom::Param(param), factor)), None) = (terms.next(), terms.next()) else { return None };
        let constant = constraint.expr.constant_term();
        let (test, answer) = match constraint.relation {
            Relation::Zero if constant.checked_rem(factor)? == 0 => {
                (Test::Equals(constant.checked_div(factor)?.checked_neg()?), true)
            }
            Relation::Zero => return None,
            // f·p + c ≥ 0 is p ≥ ⌈−c/f⌉; with f = −e it is p ≤ ⌊c/e⌋.
            Relation::NonNegative if factor > 0 => (Test::AtLeast(constant.div_euclid(factor).checked_neg()?), true),
            Relation::NonNegative => (Test::AtLeast(constant.div_euclid(factor.checked_neg()?).checked_add(1)?), false),
        };
        Some((*param, test, answer))
    }

    /// Returns the constraint that the answer is yes.
    pub(crate) fn condition(self, param: ParamId) -> Result<Constraint, Overflow> {
        let param = Expr::param(param);
        match self {
            Test::Equals(value) => Constraint::equal(&param, value),
            Test::AtLeast(value) => Ok(Constraint::non_negative(Constraint::equal(&param, value)?.expr)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition(factor: i64, constant: i64, relation: Relation) -> Constraint {
        let expr = Expr::param(ParamId(0)).times(factor).unwrap().plus_constant(constant).unwrap();
        Constraint { expr, relation }
    }

    #[test]
    fn a_constraint_holds_where_its_test_is_answered_so() {
        for (factor, constant) in [-3, -2, -1, 1, 2, 3].into_iter().flat_map(|f| (-7..8).map(move |c| (f, c))) {
            for relation in [Relation::Zero, Relation::NonNegative] {
                let constraint = condition(factor, constant, relation);
                let Some((param, test, answer)) = Test::of(&constraint) else {
                    assert_ne!(constant % factor, 0);
                    continue;
                };
                let yes = test.condition(param).unwrap();
                for value in -10..10 {
                    let holds = |constraint: &Constraint| constraint.holds(&|_| value, &|_| 0).unwrap();
                    assert_eq!(holds(&constraint), holds(&yes) == answer, "{factor} {constant} {relation:?} {value}");
                }
            }
        }
    }
}
