//! Parameters that are 0 or 1, such as truth values (docs/mathematics.md, "Truth values").
//!
//! "2n where g = 1" is `2n·g`, and "n where g = 0" is `n·(1 − g)`: a count has one formula where it had two cases. So the counts of
//! many of them are added without a case for each combination.

use symloc_affine::Program;
use symloc_affine::truths::asked;
use symloc_quasi::{Constraint, Poly, Var};

use crate::conditions::constraint;
use symloc_polyhedra::Addend;

/// The parameters of which the context says that they are 0 or 1, and which the program asks for nothing else.
pub(crate) struct Bits(Vec<Var>);

impl Bits {
    pub(crate) fn of(program: &Program) -> Self {
        let context: Vec<Constraint> = program.context.iter().map(constraint).collect();
        let is_bit = |var: &Var| {
            let bit = Poly::var(*var);
            let known = |poly: Poly| context.contains(&Constraint::non_negative(poly));
            known(bit.clone()) && known(&Poly::one() - &bit)
        };
        Self(asked(program).into_iter().map(|param| Var(param.0)).filter(is_bit).collect())
    }

    /// Writes a part whose conditions ask for values of bits as one on a larger domain, which is zero where they have others.
    pub(crate) fn factored(&self, (domain, value): Addend) -> Addend {
        let mut rest = Vec::new();
        let mut product = value;
        for condition in domain {
            match self.factor(&condition) {
                Some(factor) => product = &product * &factor,
                None => rest.push(condition),
            }
        }
        (rest, product)
    }

    /// Returns 1 where a condition holds and 0 elsewhere, if it is about one bit alone.
    fn factor(&self, condition: &Constraint) -> Option<Poly> {
        let [var] = condition.poly.vars().into_iter().collect::<Vec<_>>()[..] else { return None };
        if !self.0.contains(&var) || !condition.poly.floors().is_empty() {
            return None;
        }
        let holds = |value: i64| {
            let there = condition.poly.substitute(&|_| Some(Poly::integer(value)));
            Poly::integer(i64::from(condition.relation.holds(there.constant_term().cmp(&Default::default()))))
        };
        let (at_zero, bit) = (holds(0), Poly::var(var));
        Some(&at_zero + &(&bit * &(&holds(1) - &at_zero)))
    }
}
