//! Sums whose terms may be exchanged: the dependences that are left, and the orders that make use of it.

use std::collections::BTreeSet;

use symloc_isl::Context;
use symloc_schedule::legality::violation;
use symloc_schedule::{Carried, Dependences, Generated, OrderTree, Reduction, Scop};

use crate::error::{AdviseError, MissingOption};
use crate::nest::Nests;

/// The changes that are permitted to the order of sums, products, minima and maxima that collect one element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sums {
    /// It stays, so results are equal bit by bit.
    #[default]
    InOrder,
    /// It may change, so results are equal within rounding.
    Reassociated,
}

/// The dependences that orders have to respect.
pub(crate) struct OrderRules {
    sums: Sums,
    /// The statements that a loop can collect several values of at once.
    collected: BTreeSet<usize>,
    /// Those that an order has to respect.
    pub(crate) dependences: Dependences,
    /// Those that keep the order of sums as well.
    pub(crate) strict: Dependences,
}

impl OrderRules {
    pub(crate) fn new(isl: &Context, scop: &Scop, nests: &Nests, sums: Sums) -> Result<Self, AdviseError> {
        let strict = Dependences::of(isl, scop)?;
        let dependences = match sums {
            Sums::InOrder => strict.clone(),
            Sums::Reassociated => without_order_of_sums(isl, scop, nests)?,
        };
        Ok(Self { sums, collected: nests.collected.clone(), dependences, strict })
    }

    /// Returns what a legal order does to sums: it may exchange their terms, or a loop may collect several at once.
    pub(crate) fn sums_of(
        &self,
        isl: &Context,
        scop: &Scop,
        order: &OrderTree,
        generated: &Generated,
    ) -> Result<Sums, AdviseError> {
        if self.sums == Sums::InOrder {
            return Ok(Sums::InOrder);
        }
        let is_collected = |carried: &Carried| match carried {
            Carried::Reductions(statements) => statements.is_subset(&self.collected),
            Carried::Nothing | Carried::Dependences(_) => false,
        };
        let collects = generated.carried.values().any(is_collected);
        let is_exchanged = collects || violation(isl, scop, &self.strict, order)?.is_some();
        Ok(if is_exchanged { Sums::Reassociated } else { Sums::InOrder })
    }

    /// Returns the option with which an order that is not legal would be.
    pub(crate) fn missing_option(
        &self,
        isl: &Context,
        scop: &Scop,
        nests: &Nests,
        order: &OrderTree,
    ) -> Result<MissingOption, AdviseError> {
        let is_legal = self.sums == Sums::InOrder
            && violation(isl, scop, &without_order_of_sums(isl, scop, nests)?, order)?.is_none();
        Ok(if is_legal { MissingOption::Reassociate } else { MissingOption::None })
    }
}

/// Returns the dependences that remain where sums may be reordered.
fn without_order_of_sums(isl: &Context, scop: &Scop, nests: &Nests) -> Result<Dependences, AdviseError> {
    let reductions: Vec<Reduction> = nests.reductions.iter().flatten().copied().collect();
    Ok(Dependences::with_reductions(isl, scop, &reductions)?)
}
