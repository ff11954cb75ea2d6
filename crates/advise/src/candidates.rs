//! The orders that are tried, and the best of them.
//!
//! isl's scheduler gives a few trees, or else the program as written is the only one. Each nest of a tree is looked at by itself, with the loops around it: its loops are
//! permuted in all ways, the permutations whose innermost loops run best are tiled, and of the cheapest misses are
//! counted. The best moves of all nests together are an order of the program, whose legality is checked and whose cost
//! is estimated as a whole. The program as written is always among the orders.

use std::time::{Duration, Instant};

use symloc_isl::{Context, Strategy};
use symloc_schedule::find::{find_order, written_order};
use symloc_schedule::generate::generate_program;
use symloc_schedule::legality::{is_complete, violation};
use symloc_schedule::{Band, Generated, OrderTree, Scop};

use crate::cost::innermost::{Cost, Costed};
use crate::cost::misses::{Hierarchy, MissEstimator, SampleSize};
use crate::error::AdviseError;
use crate::given::{self, GivenOrder};
use crate::moves::Moves;
use crate::nest::Nests;
use crate::parallel::in_parallel;
use crate::search::choices::NestSearch;
use crate::search::combinations::{Selection, combinations, spread};
use crate::sums::{OrderRules, Sums, generate_collecting};

/// A question for orders of loops.
#[derive(Clone, Debug)]
pub struct AdviceQuestion<'q> {
    /// The loops.
    pub nests: &'q Nests,
    /// The sizes, in the order of the program's parameters.
    pub sizes: &'q [i64],
    /// The caches.
    pub hierarchy: &'q Hierarchy,
    /// The search ends after this time, with what was found.
    pub time: Duration,
    /// So many orders are wanted.
    pub top: usize,
    /// Which ones.
    pub selection: Selection,
    /// The only order that is looked at; `None` for a search.
    pub given: Option<&'q GivenOrder>,
    /// The changes that are permitted to the order of sums.
    pub sums: Sums,
}

/// An order, with its cost.
#[derive(Clone, Debug)]
pub struct AdvisedOrder {
    /// The moves; `None` for the program as written, and for an order that was given.
    pub moves: Option<Moves>,
    /// The moves as phrases.
    pub words: Vec<String>,
    /// The order.
    pub order: OrderTree,
    /// Its code.
    pub generated: Generated,
    /// The changes to the order of sums.
    pub sums: Sums,
    /// The cost.
    pub cost: Cost,
}

/// The answer.
#[derive(Debug)]
pub struct Advice {
    /// The program's statements, as relations.
    pub scop: Scop,
    /// The cost of the program as written.
    pub written: AdvisedOrder,
    /// The other candidates, the cheapest first.
    pub candidates: Vec<AdvisedOrder>,
    /// True if the time was over before all candidates were tried.
    pub is_partial: bool,
    /// True if the only candidate is the order that the user gave.
    pub is_given: bool,
    /// Which candidates these are.
    pub selection: Selection,
}

/// An order is worth proposing if it is predicted to be this many times as fast: below that the prediction may be wrong.
pub const WORTHWHILE: f64 = 1.15;

impl Advice {
    /// Returns the orders that are predicted to be faster than the program as written, the fastest first; an order that
    /// the user gives, whatever is predicted.
    pub fn proposed(&self) -> impl Iterator<Item = &AdvisedOrder> {
        let is_any = self.is_given || self.selection == Selection::Spread;
        let limit = if is_any { f64::INFINITY } else { self.written.cost.cycles / WORTHWHILE };
        self.candidates.iter().filter(move |candidate| candidate.cost.cycles < limit)
    }
}

/// The strategies of the scheduler, in the order in which they are tried, and the order as written. The scheduler skews loops that could
/// also be interchanged, as of `A[i][j] = A[i - 1][j - 1]`.
const STRATEGIES: [Option<Strategy>; 4] =
    [Some(Strategy::Separate), None, Some(Strategy::Fuse), Some(Strategy::OuterParallel)];
/// Misses of the orders that are proposed are counted if no more accesses than that have to be run for each.
pub const COUNTED: u64 = 150_000_000;

/// Finds orders in which the program costs less.
///
/// # Errors
///
/// [`AdviseError::Schedule`] if the relations of the program cannot be built, [`AdviseError::Replay`] if it cannot be run
/// at these sizes.
pub fn advise(isl: &Context, question: &AdviceQuestion<'_>) -> Result<Advice, AdviseError> {
    let start = Instant::now();
    let scop = Scop::new(isl, question.nests.program.clone(), &question.nests.groups)?;
    let rules = OrderRules::new(isl, &scop, question.nests, question.sums)?;
    let order = OrderTree::as_written(&scop);
    // As isl writes it, without the guards that the reading leaves. As written, sums keep their order.
    let generated = generate_program(isl, &scop, &rules.strict, &order)?;
    let estimator = MissEstimator::new(&generated.executed(), question.hierarchy, question.sizes)?;
    let nests = NestSearch {
        isl,
        nests: question.nests,
        sizes: question.sizes,
        hierarchy: question.hierarchy,
        estimator,
        rules,
        scop,
        end: start + question.time,
        selection: question.selection,
        is_partial: false,
        known: Vec::new(),
    };
    let mut search = Search { question, nests };
    let mut written = search.advised(None, Vec::new(), order, generated)?;
    let mut candidates = match question.given {
        Some(given) => vec![search.given(given)?],
        None => search.all(start),
    };
    // What is made of the candidates is not subject to the limits of the search.
    isl.set_max_operations(0);
    candidates.sort_by(|a, b| a.cost.cycles.total_cmp(&b.cost.cycles));
    let proposed = candidates.len().min(question.top);
    let mut counted: Vec<&mut AdvisedOrder> = candidates[..proposed].iter_mut().chain([&mut written]).collect();
    search.count(&mut counted)?;
    candidates[..proposed].sort_by(|a, b| a.cost.cycles.total_cmp(&b.cost.cycles));
    let (is_partial, is_given) = (search.nests.is_partial, question.given.is_some());
    let selection = question.selection;
    Ok(Advice { scop: search.nests.scop, written, candidates, is_partial, is_given, selection })
}

struct Search<'s> {
    question: &'s AdviceQuestion<'s>,
    /// The search in a nest, with what both need.
    nests: NestSearch<'s>,
}

impl Search<'_> {
    /// Returns an order with its cost, estimated from many samples.
    fn advised(
        &self,
        moves: Option<Moves>,
        words: Vec<String>,
        order: OrderTree,
        generated: Generated,
    ) -> Result<AdvisedOrder, AdviseError> {
        let cost = self.nests.estimator.cost(&self.nests.costed(&generated), SampleSize::LARGE)?;
        let sums = self.nests.rules.sums_of(self.nests.isl, &self.nests.scop, &order, &generated)?;
        Ok(AdvisedOrder { moves, words, order, generated, sums, cost })
    }

    /// Returns the orders that the strategies of the scheduler lead to, each with a share of the time.
    fn all(&mut self, start: Instant) -> Vec<AdvisedOrder> {
        let (mut candidates, mut trees): (Vec<AdvisedOrder>, Vec<OrderTree>) = (Vec::new(), Vec::new());
        for (strategy, left) in STRATEGIES.into_iter().zip((1..=STRATEGIES.len() as u32).rev()) {
            let now = Instant::now();
            self.nests.end = now + (start + self.question.time).saturating_duration_since(now) / left;
            // Strategies often lead to one tree, which has the same orders.
            let Some((tree, strategy)) = self.tree(strategy).filter(|(tree, _)| !trees.contains(tree)) else {
                continue;
            };
            for order in self.orders(&tree, strategy) {
                if candidates.iter().all(|other| other.order != order.order) {
                    candidates.push(order);
                }
            }
            trees.push(tree);
        }
        candidates
    }

    /// Returns the order that the user gives.
    fn given(&self, given: &GivenOrder) -> Result<AdvisedOrder, AdviseError> {
        let NestSearch { isl, nests, scop, rules, .. } = &self.nests;
        let order = given.apply(nests, scop, &rules.dependences)?;
        if let Some(broken) = violation(isl, scop, &rules.dependences, &order)? {
            let missing = rules.missing_option(isl, scop, nests, &order)?;
            return Err(given::refusal(nests, scop, &broken, missing));
        }
        let generated = generate_collecting(isl, scop, nests, &rules.dependences, &order)?;
        if !is_complete(isl, scop, &order, &generated)? {
            return Err(AdviseError::NoCode);
        }
        self.advised(None, vec![given.in_words()], order, generated)
    }

    /// Counts the misses of orders where that does not take too long.
    fn count(&self, orders: &mut [&mut AdvisedOrder]) -> Result<(), AdviseError> {
        let costed: Vec<Costed<'_>> = orders.iter().map(|order| self.nests.costed(&order.generated)).collect();
        let estimator = &self.nests.estimator;
        let costs = in_parallel(&costed, |costed| estimator.exact_cost(costed, COUNTED));
        let costs = costs.into_iter().collect::<Result<Vec<_>, _>>()?;
        drop(costed);
        for (order, cost) in orders.iter_mut().zip(costs) {
            if let Some(cost) = cost {
                order.cost = cost;
            }
        }
        Ok(())
    }

    /// Returns the tree of the scheduler, or the order as written where that is asked for, or if isl finds none within its limit; with the
    /// strategy that led to it. `None` if that takes too long as well.
    fn tree(&self, strategy: Option<Strategy>) -> Option<(OrderTree, Option<Strategy>)> {
        let NestSearch { isl, scop, rules, .. } = &self.nests;
        self.nests.limited();
        if let Some(strategy) = strategy
            && let Ok(tree) = find_order(scop, &rules.dependences, strategy)
        {
            return Some((tree, Some(strategy)));
        }
        self.nests.limited();
        Some((written_order(isl, scop, &rules.dependences).ok()?, None))
    }

    /// Returns the best orders that are made of one tree.
    fn orders(&mut self, tree: &OrderTree, strategy: Option<Strategy>) -> Vec<AdvisedOrder> {
        let end = self.nests.end;
        let nests: Vec<Band> = tree.nests().into_iter().cloned().collect();
        let mut choices = Vec::new();
        for (place, nest) in nests.iter().enumerate() {
            // Some time is for the orders of the whole program.
            let now = Instant::now();
            let left = nests.len() - place + usize::from(nests.len() > 1);
            self.nests.end = now + end.saturating_duration_since(now) / left as u32;
            let statements = OrderTree::Band(nest.clone()).statements(&self.nests.scop);
            choices.push(self.nests.choices(&tree.restricted(&statements), nest));
        }
        self.nests.end = end;
        let costs: Vec<Vec<f64>> =
            choices.iter().map(|choices| choices.iter().map(|(_, cycles)| *cycles).collect()).collect();
        let mut orders = Vec::new();
        let picked = match self.question.selection {
            Selection::Cheapest => combinations(&costs, self.question.top),
            Selection::Spread => spread(&costs, self.question.top.div_ceil(STRATEGIES.len())),
        };
        for picks in picked {
            let nests = choices.iter().zip(&picks).map(|(choices, pick)| choices[*pick].0.clone()).collect();
            let moves = Moves { strategy, nests };
            orders.extend(self.order(tree, moves));
        }
        orders
    }

    /// Returns an order of the whole program with its cost; `None` if it is not legal or isl has no code for it.
    fn order(&self, tree: &OrderTree, moves: Moves) -> Option<AdvisedOrder> {
        self.nests.limited();
        let order = moves.apply(tree).ok()?;
        let generated = self.nests.legal(&order)?;
        self.nests.limited();
        if !is_complete(self.nests.isl, &self.nests.scop, &order, &generated).ok()? {
            return None;
        }
        let words = moves.in_words(self.question.nests, &self.nests.scop, tree);
        self.advised(Some(moves), words, order, generated).ok()
    }
}
