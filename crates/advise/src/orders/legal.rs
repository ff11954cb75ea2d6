//! The permutations of a nest's loops that keep every dependence, with their code.

use std::time::Instant;

use symloc_isl::Context;
use symloc_schedule::generate::generate_program;
use symloc_schedule::legality::{is_complete, violation};
use symloc_schedule::{Band, Generated, OrderTree};

use super::forms::{chains, permuted, taken_apart, with_chains};
use super::words::LoopNames;
use super::{OrdersQuestion, RefusedOrder};
use crate::error::{AdviseError, MissingOption};
use crate::given::refusal;
use crate::search::permutations::{NestLoop, is_deep, permutations};
use crate::sums::OrderRules;

/// The limit on isl's operations for one order.
const OPERATIONS: u64 = 200_000_000;

/// The search for legal orders, with what it refuses.
pub(super) struct LegalOrders<'l> {
    isl: &'l Context,
    question: &'l OrdersQuestion<'l>,
    pub(super) rules: &'l OrderRules,
    pub(super) names: LoopNames<'l>,
    pub(super) refused: Vec<RefusedOrder>,
    /// True if no permutation was left out.
    pub(super) is_complete: bool,
    /// True if the time was over before all orders were looked at.
    pub(super) is_partial: bool,
}

impl<'l> LegalOrders<'l> {
    pub(super) fn new(
        isl: &'l Context,
        question: &'l OrdersQuestion<'l>,
        rules: &'l OrderRules,
        names: LoopNames<'l>,
    ) -> Self {
        Self { isl, question, rules, names, refused: Vec::new(), is_complete: true, is_partial: false }
    }

    /// Returns the forms of a nest: as written, and with its statements taken apart if that is legal.
    pub(super) fn forms(&mut self, written: &OrderTree) -> Result<Vec<OrderTree>, AdviseError> {
        let scop = self.names.scop;
        let apart = taken_apart(scop, written, &mut |order| self.is_legal(order))?;
        Ok(std::iter::once(written).chain(&apart).map(with_chains).collect())
    }

    /// Returns the legal permutations of each chain of a form, the first of which is the order that it has.
    pub(super) fn permutations(&mut self, form: &OrderTree) -> Result<Vec<Vec<Vec<usize>>>, AdviseError> {
        let all = chains(form);
        let unchanged: Vec<Vec<usize>> = all.iter().map(|band| (0..band.depth()).collect()).collect();
        let mut legal = Vec::new();
        for (place, band) in all.iter().enumerate() {
            let mut of_chain = vec![unchanged[place].clone()];
            for permutation in self.tried(band) {
                if permutation == unchanged[place] {
                    continue;
                }
                let mut choice = unchanged.clone();
                choice[place].clone_from(&permutation);
                // In iterations of the loops around, an order of this chain is legal or not whatever the order of other chains.
                if self.is_legal(&permuted(form, &mut choice.iter().map(Vec::as_slice)))? {
                    of_chain.push(permutation);
                }
            }
            legal.push(of_chain);
        }
        Ok(legal)
    }

    /// Returns the permutations of a chain that are tried: all of them unless it has many loops.
    fn tried(&mut self, band: &Band) -> Vec<Vec<usize>> {
        let OrdersQuestion { sizes, hierarchy, .. } = self.question;
        self.is_complete &= !is_deep(band.depth());
        permutations(&NestLoop::of_nest(band, self.names.scop, sizes, hierarchy.line))
    }

    /// Returns true if an order keeps every dependence; keeps the reason if it does not.
    fn is_legal(&mut self, order: &OrderTree) -> Result<bool, AdviseError> {
        let LoopNames { nests, scop } = self.names;
        self.limited();
        let broken = match violation(self.isl, scop, &self.rules.dependences, order) {
            Ok(None) => return Ok(true),
            Ok(Some(broken)) => refusal(nests, scop, &broken, MissingOption::None),
            Err(error) => error.into(),
        };
        self.refuse(order, broken);
        Ok(false)
    }

    /// Returns the places of the orders that are legal, with their code, until the time is over.
    pub(super) fn with_code(&mut self, orders: &[OrderTree]) -> Vec<(usize, Generated)> {
        let mut found = Vec::new();
        for (place, order) in orders.iter().enumerate() {
            if Instant::now() > self.question.end {
                self.is_partial = true;
                break;
            }
            found.extend(self.code(order).map(|code| (place, code)));
        }
        found
    }

    /// Returns the code of an order; keeps the reason if it is not legal or has none.
    fn code(&mut self, order: &OrderTree) -> Option<Generated> {
        match self.checked_code(order) {
            Ok(code) => Some(code),
            Err(error) => {
                self.refuse(order, error);
                None
            }
        }
    }

    fn checked_code(&self, order: &OrderTree) -> Result<Generated, AdviseError> {
        let LoopNames { nests, scop } = self.names;
        self.limited();
        if let Some(broken) = violation(self.isl, scop, &self.rules.dependences, order)? {
            return Err(refusal(nests, scop, &broken, MissingOption::None));
        }
        let generated = generate_program(self.isl, scop, &self.rules.dependences, order)?;
        self.limited();
        match is_complete(self.isl, scop, order, &generated)? {
            true => Ok(generated),
            false => Err(AdviseError::NoCode),
        }
    }

    fn refuse(&mut self, order: &OrderTree, error: AdviseError) {
        let why = match error {
            AdviseError::NotLegal { why, .. } => why,
            other => other.to_string(),
        };
        let (text, statements) = (self.names.text(order), self.names.statement_loops(order));
        self.refused.push(RefusedOrder { text, statements, why, given: None });
    }

    fn limited(&self) {
        self.isl.reset_operations();
        self.isl.set_max_operations(OPERATIONS);
    }
}
