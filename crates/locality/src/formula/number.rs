//! Numbers that formulas mention and that roots determine.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::ToPrimitive;
use symloc_quasi::{Poly, Var};

/// A number that a root determines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootNumber {
    /// The variable that stands for it in formulas.
    pub var: Var,
    /// Its definition.
    pub definition: RootNumberDefinition,
}

/// The definition of a number that a root determines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RootNumberDefinition {
    /// A table by the remainder of a root modulo the number of values, the first of which is zero.
    Periodic {
        /// The variable of the root.
        root: Var,
        /// The values.
        values: Vec<BigInt>,
    },
    /// A polynomial in the sizes, the threshold and a root: the slack of the root's inequality.
    Slack(Poly),
    /// 1 where a slack is below a bound, else 0.
    Below {
        /// The variable of the slack.
        slack: Var,
        /// The bound.
        bound: BigInt,
    },
}

impl RootNumber {
    /// Returns its value at a point with values for the sizes, the threshold, the roots and the numbers before.
    pub(super) fn value(&self, point: &[BigInt]) -> BigInt {
        let known = |var: &Var| &point[var.0 as usize];
        match &self.definition {
            RootNumberDefinition::Periodic { root, values } => {
                let remainder = known(root).mod_floor(&BigInt::from(values.len()));
                remainder.to_usize().and_then(|index| values.get(index)).cloned().unwrap_or_default()
            }
            RootNumberDefinition::Slack(poly) => poly.evaluate(point).to_integer(),
            RootNumberDefinition::Below { slack, bound } => BigInt::from(u8::from(known(slack) < bound)),
        }
    }

    /// Returns the variables that the definition mentions.
    pub fn mentions(&self) -> Vec<Var> {
        match &self.definition {
            RootNumberDefinition::Periodic { root, .. } => vec![*root],
            RootNumberDefinition::Slack(poly) => poly.vars().into_iter().collect(),
            RootNumberDefinition::Below { slack, .. } => vec![*slack],
        }
    }

    /// Returns the number with other variables.
    pub(super) fn renamed(&self, name: &impl Fn(Var) -> Var) -> Self {
        let definition = match &self.definition {
            RootNumberDefinition::Periodic { root, values } => {
                RootNumberDefinition::Periodic { root: name(*root), values: values.clone() }
            }
            RootNumberDefinition::Slack(poly) => {
                RootNumberDefinition::Slack(poly.substitute(&|var| Some(Poly::var(name(var)))))
            }
            RootNumberDefinition::Below { slack, bound } => {
                RootNumberDefinition::Below { slack: name(*slack), bound: bound.clone() }
            }
        };
        Self { var: name(self.var), definition }
    }
}
