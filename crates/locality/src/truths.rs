//! Truth values of a model where a formula holds: each is 0 or 1 there, so the formula does not mention it.
//!
//! At large sizes the side is taken on which all conditions hold, because the program then does all that it may do;
//! given sizes decide for themselves.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::Zero;
use symloc_model::Model;
use symloc_quasi::{Constraint, Evaluator, Poly, Rational, Relation, Var};

/// Returns on which side of each condition of a model formulas are to hold, in the model's parameters: the side of the
/// sizes, which have a value for each variable, or else the side on which the condition holds, unless the context
/// excludes it.
pub(crate) fn sides(model: &Model, sizes: Option<&[i128]>) -> Vec<Constraint> {
    let side = |truth: &Constraint| match sizes {
        Some(sizes) => side_of(truth, Evaluator::new(&truth.poly, sizes.len()).sign(sizes)),
        None => {
            let signs = [Ordering::Equal, Ordering::Greater, Ordering::Less];
            let sides = signs.map(|sign| side_of(truth, sign));
            sides.iter().find(|side| is_allowed(model, side)).unwrap_or(truth).clone()
        }
    };
    model.truths.iter().map(side).collect()
}

/// Returns true if the context's constraints on one parameter alone allow it a value on this side of a condition.
fn is_allowed(model: &Model, side: &Constraint) -> bool {
    let vars = side.poly.vars();
    let about_it = |constraint: &&Constraint| constraint.poly.vars() == vars;
    let conditions: Vec<&Constraint> = model.context.iter().filter(about_it).chain([side]).collect();
    // A conjunction of bounds and values holds at one of its borders, if anywhere.
    let border = |constraint: &&Constraint| {
        let slope = constraint.poly.slope(*vars.first()?);
        (!slope.is_zero()).then(|| -constraint.poly.constant_term() / slope)
    };
    let near = |border: Rational| [border.floor().to_integer(), border.ceil().to_integer()];
    let holds = |value: &BigInt| {
        let point = vec![value.clone(); model.parameters.len()];
        conditions.iter().all(|constraint| constraint.holds_at(&point))
    };
    conditions.iter().filter_map(border).flat_map(near).any(|value| holds(&value))
}

/// Returns the constraint on the sizes at which the polynomial of a condition has a sign.
fn side_of(truth: &Constraint, sign: Ordering) -> Constraint {
    let below = &-&truth.poly - &Poly::one();
    match (truth.relation, sign) {
        (Relation::Zero, Ordering::Greater) => Constraint::non_negative(&truth.poly - &Poly::one()),
        (_, Ordering::Less) => Constraint::non_negative(below),
        _ => truth.clone(),
    }
}

/// Returns the value of each truth value of a model on these sides, as an equality.
pub(crate) fn values(model: &Model, sides: &[Constraint]) -> Vec<Constraint> {
    let value = |(var, (truth, side)): (usize, (&Constraint, &Constraint))| {
        let value = Poly::integer(i64::from(truth == side));
        Constraint::zero(&Poly::var(Var(var as u32)) - &value)
    };
    (model.parameters.len()..).zip(model.truths.iter().zip(sides)).map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_on_one_side_of_a_condition() {
        let flag = &Poly::var(Var(0)) - &Poly::integer(2);
        for truth in [Constraint::zero(flag.clone()), Constraint::non_negative(flag.clone())] {
            for size in -1..6_i128 {
                let sign = Evaluator::new(&truth.poly, 1).sign(&[size]);
                let side = side_of(&truth, sign);
                assert!(side.holds_at(&[size.into()]));
                assert_eq!(side == truth, truth.holds_at(&[size.into()]), "{truth:?} {size}");
            }
        }
    }
}
