//! The legal orders of the loops of one nest, with the misses of each.
//!
//! - `outermost`: the nests of a function,
//! - `forms`: the nest as written and with its statements taken apart, and the loops of each that are permuted,
//! - `legal`: the permutations that keep every dependence, `counted`: their misses,
//! - `registers`: scalars that are dependences and miss nowhere,
//! - `words`: orders as text.
//!
//! The nest is run by itself, with its arrays where the whole program has them and caches that are empty at first.

mod counted;
mod forms;
mod legal;
mod outermost;
mod registers;
mod words;

use std::collections::BTreeSet;
use std::time::Instant;

use symloc_affine::Program;
use symloc_isl::Context;
use symloc_schedule::generate::generate_program;
use symloc_schedule::{OrderTree, Scop};

use crate::cost::misses::{Hierarchy, MissEstimator};
use crate::error::AdviseError;
use crate::given::GivenOrder;
use crate::nest::Nests;
use crate::sums::{OrderRules, Sums};
use counted::OrderCounter;
use legal::LegalOrders;
use registers::RegisterAccesses;
use words::LoopNames;

pub use outermost::outermost_loops;
pub use words::StatementLoops;

/// A question for the legal orders of one nest.
#[derive(Clone, Debug)]
pub struct OrdersQuestion<'q> {
    /// The nest: one of [`Nests::outermost`].
    pub nest: &'q Nests,
    /// The nest with the accesses of the source, where that of orders has others: sums in variables, one side of each
    /// condition. The misses of the order as written are those of this program.
    pub written: Option<&'q Program>,
    /// The sizes, in the order of the program's parameters.
    pub sizes: &'q [i64],
    /// The caches.
    pub hierarchy: &'q Hierarchy,
    /// The names of the scalars that are in registers: using them is no access to memory.
    pub registers: &'q BTreeSet<String>,
    /// The orders that are looked at besides the one as written; if there are none, all permutations are.
    pub given: &'q [GivenOrder],
    /// The changes that are permitted to the order of sums.
    pub sums: Sums,
    /// After this time no further order is looked at.
    pub end: Instant,
}

/// The orders of one nest.
#[derive(Debug)]
pub struct NestOrders {
    /// The legal ones, that with the fewest misses first.
    pub orders: Vec<CountedOrder>,
    /// Those that are not legal, and those without code.
    pub refused: Vec<RefusedOrder>,
    /// True if these are all permutations of the loops.
    pub is_complete: bool,
    /// True if the time was over before all orders were looked at.
    pub is_partial: bool,
    /// The given orders whose loops the nest has, by their places.
    pub applied: Vec<usize>,
}

/// A legal order, with its misses.
#[derive(Debug)]
pub struct CountedOrder {
    /// The order as text.
    pub text: String,
    /// The loops around its statements.
    pub statements: Vec<StatementLoops>,
    /// By level, the misses.
    pub misses: Vec<u64>,
    /// True if the misses are counted, and not estimated from samples.
    pub is_exact: bool,
    /// True for the order as written.
    pub is_written: bool,
    /// The place of the given order that it is; `None` for others.
    pub given: Option<usize>,
}

/// An order that is not among the legal ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedOrder {
    /// The order as text.
    pub text: String,
    /// The loops around its statements.
    pub statements: Vec<StatementLoops>,
    /// The reason: the accesses that it would exchange, or that there is no code for it.
    pub why: String,
    /// The place of the given order that it is; `None` for others.
    pub given: Option<usize>,
}

/// Finds the legal orders of a nest, and counts the misses of each.
///
/// # Errors
///
/// [`AdviseError::Schedule`] if the relations of the nest cannot be built, [`AdviseError::Replay`] if it cannot be run at
/// these sizes.
pub fn nest_orders(isl: &Context, question: &OrdersQuestion<'_>) -> Result<NestOrders, AdviseError> {
    isl.set_max_operations(0);
    let scop = Scop::new(isl, question.nest.program.clone(), &question.nest.groups)?;
    let rules = OrderRules::new(isl, &scop, question.nest, question.sums)?;
    let written = OrderTree::as_written(&scop);
    let generated = generate_program(isl, &scop, &rules.strict, &written)?;
    let in_memory = RegisterAccesses::new(question.registers).removed(&generated);
    let estimator = MissEstimator::new(&in_memory.executed(), question.hierarchy, question.sizes)?;
    let names = LoopNames { nests: question.nest, scop: &scop };
    let legal = LegalOrders::new(isl, question, &rules, names);
    let mut counter = OrderCounter::new(question, estimator, legal);
    counter.written(&written, &generated)?;
    match question.given {
        [] => counter.permutations(&written)?,
        given => counter.given(given)?,
    }
    // What comes after the search is not subject to its limits.
    isl.set_max_operations(0);
    Ok(counter.answer())
}
