//! The orders that are tried, and the best of them.
//!
//! isl's scheduler gives a few trees. Each nest of a tree is looked at by itself, with the loops around it: its loops are
//! permuted in all ways, the permutations whose innermost loops run best are tiled, and of the cheapest misses are
//! counted. The best moves of all nests together are an order of the program, whose legality is checked and whose cost
//! is estimated as a whole. The program as written is always among the orders.

use std::ops::Range;
use std::time::{Duration, Instant};

use symloc_isl::{Context, Strategy};
use symloc_schedule::find::find_order;
use symloc_schedule::generate::generate_program;
use symloc_schedule::legality::{is_complete, violation};
use symloc_schedule::{Band, Generated, OrderTree, Scop};

use crate::combinations::combinations;
use crate::cost::innermost::{Cost, Costed, add};
use crate::cost::misses::{Hierarchy, MissEstimator, SampleSize};
use crate::error::AdviseError;
use crate::given::{self, GivenOrder};
use crate::moves::{Moves, NestMoves};
use crate::nest::Nests;
use crate::parallel::in_parallel;
use crate::shapes::{permutations, tiles};
use crate::sums::{OrderRules, Sums};

/// What is asked.
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
    /// The only order that is looked at; `None` for a search.
    pub given: Option<&'q GivenOrder>,
    /// What may happen to the order of sums.
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
    /// What happens to the order of sums.
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
}

/// The strategies of the scheduler, in the order in which they are tried.
const STRATEGIES: [Strategy; 3] = [Strategy::Separate, Strategy::Fuse, Strategy::OuterParallel];
/// Permutations are tiled if their innermost loops take at most so many times as long as the best.
const TILED: f64 = 2.5;
/// Misses of deeper levels are not counted of a candidate whose other cycles are so many times those of the best.
const HOPELESS: f64 = 1.5;
/// Misses of the orders that are proposed are counted if no more accesses than that have to be run for each.
const COUNTED: u64 = 150_000_000;
/// So many candidates are looked at together.
const CHUNK: usize = 8;
/// The limit on isl's operations for one answer of the scheduler, and for one candidate.
const OPERATIONS: u64 = 200_000_000;

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
    let estimator = MissEstimator::new(&generated.program, question.hierarchy, question.sizes)?;
    let mut search = Search {
        isl,
        question,
        estimator,
        rules,
        scop,
        end: start + question.time,
        is_partial: false,
        known: Vec::new(),
    };
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
    let (is_partial, is_given) = (search.is_partial, question.given.is_some());
    Ok(Advice { scop: search.scop, written, candidates, is_partial, is_given })
}

/// Moves of a nest, while their cost is looked at.
struct Choice {
    moves: NestMoves,
    generated: Generated,
    /// By innermost loop, the cycles of waiting for the misses that were counted.
    waiting: Vec<f64>,
    /// The cycles of the loops with that.
    cycles: f64,
}

struct Search<'s> {
    isl: &'s Context,
    question: &'s AdviceQuestion<'s>,
    estimator: MissEstimator<'s>,
    rules: OrderRules,
    scop: Scop,
    end: Instant,
    is_partial: bool,
    /// The nests that were looked at, with the cycles of their moves, the cheapest first.
    known: Vec<(OrderTree, Vec<(NestMoves, f64)>)>,
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
        let cost = self.estimator.cost(&self.costed(&generated), SampleSize::LARGE)?;
        let sums = self.rules.sums_of(self.isl, &self.scop, &order, &generated)?;
        Ok(AdvisedOrder { moves, words, order, generated, sums, cost })
    }

    /// Returns the orders that the strategies of the scheduler lead to, each with a share of the time.
    fn all(&mut self, start: Instant) -> Vec<AdvisedOrder> {
        let mut candidates: Vec<AdvisedOrder> = Vec::new();
        for (strategy, left) in STRATEGIES.into_iter().zip((1..=STRATEGIES.len() as u32).rev()) {
            let now = Instant::now();
            self.end = now + (start + self.question.time).saturating_duration_since(now) / left;
            for order in self.orders(strategy) {
                if candidates.iter().all(|other| other.order != order.order) {
                    candidates.push(order);
                }
            }
        }
        candidates
    }

    /// Returns the order that the user gives.
    fn given(&self, given: &GivenOrder) -> Result<AdvisedOrder, AdviseError> {
        let order = given.apply(self.question.nests, &self.scop, &self.rules.dependences)?;
        if let Some(broken) = violation(self.isl, &self.scop, &self.rules.dependences, &order)? {
            let nests = self.question.nests;
            let missing = self.rules.missing_option(self.isl, &self.scop, nests, &order)?;
            return Err(given::refusal(nests, &self.scop, &broken, missing));
        }
        let generated = generate_program(self.isl, &self.scop, &self.rules.dependences, &order)?;
        if !is_complete(self.isl, &self.scop, &order, &generated)? {
            return Err(AdviseError::NoCode);
        }
        self.advised(None, vec![given.in_words()], order, generated)
    }

    /// Counts the misses of orders where that does not take too long.
    fn count(&self, orders: &mut [&mut AdvisedOrder]) -> Result<(), AdviseError> {
        let costed: Vec<Costed<'_>> = orders.iter().map(|order| self.costed(&order.generated)).collect();
        let estimator = &self.estimator;
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

    fn costed<'c>(&'c self, generated: &'c Generated) -> Costed<'c> {
        Costed::new(generated, self.question.nests, self.question.sizes)
    }

    fn generated(&self, order: &OrderTree) -> Option<Generated> {
        generate_program(self.isl, &self.scop, &self.rules.dependences, order).ok()
    }

    fn is_over(&mut self) -> bool {
        let is_over = Instant::now() > self.end;
        self.is_partial |= is_over;
        is_over
    }

    fn limited(&self) {
        self.isl.reset_operations();
        self.isl.set_max_operations(OPERATIONS);
    }

    /// Returns the best orders that are made of one tree of the scheduler; none if isl does not find it within its limit.
    fn orders(&mut self, strategy: Strategy) -> Vec<AdvisedOrder> {
        self.limited();
        let Ok(tree) = find_order(&self.scop, &self.rules.dependences, strategy) else { return Vec::new() };
        let end = self.end;
        let nests: Vec<Band> = tree.nests().into_iter().cloned().collect();
        let mut choices = Vec::new();
        for (place, nest) in nests.iter().enumerate() {
            // Some time is for the orders of the whole program.
            let now = Instant::now();
            let left = nests.len() - place + usize::from(nests.len() > 1);
            self.end = now + end.saturating_duration_since(now) / left as u32;
            let statements = OrderTree::Band(nest.clone()).statements(&self.scop);
            choices.push(self.choices(&tree.restricted(&statements), nest.depth()));
        }
        self.end = end;
        let costs: Vec<Vec<f64>> =
            choices.iter().map(|choices| choices.iter().map(|(_, cycles)| *cycles).collect()).collect();
        let mut orders = Vec::new();
        for picks in combinations(&costs, self.question.top) {
            let nests = choices.iter().zip(&picks).map(|(choices, pick)| choices[*pick].0.clone()).collect();
            let moves = Moves { strategy, nests };
            orders.extend(self.order(&tree, moves));
        }
        orders
    }

    /// Returns an order of the whole program with its cost; `None` if it is not legal or isl has no code for it.
    fn order(&self, tree: &OrderTree, moves: Moves) -> Option<AdvisedOrder> {
        self.limited();
        let order = moves.apply(tree).ok()?;
        let generated = self.legal(&order)?;
        self.limited();
        if !is_complete(self.isl, &self.scop, &order, &generated).ok()? {
            return None;
        }
        let words = moves.in_words(self.question.nests, &self.scop, tree);
        self.advised(Some(moves), words, order, generated).ok()
    }

    /// Returns the code of an order; `None` if the order is not legal.
    fn legal(&self, order: &OrderTree) -> Option<Generated> {
        let broken = violation(self.isl, &self.scop, &self.rules.dependences, order).ok()?;
        if broken.is_some() { None } else { self.generated(order) }
    }

    /// Returns the moves of a nest with the cycles that it takes by itself, the cheapest first; `tree` has the nest alone,
    /// with the loops around it.
    fn choices(&mut self, tree: &OrderTree, depth: usize) -> Vec<(NestMoves, f64)> {
        if let Some((_, known)) = self.known.iter().find(|(known, _)| known == tree) {
            return known.clone();
        }
        let untiled = self.permuted(tree, depth);
        let mut choices = self.tiled(tree, depth, &untiled);
        choices.extend(untiled);
        let counted = self.counted(choices).into_iter().map(|choice| (choice.moves, choice.cycles));
        let choices: Vec<_> = counted.collect();
        self.known.push((tree.clone(), choices.clone()));
        choices
    }

    /// Returns the permutations of a nest that are legal, with the cycles of their loops.
    fn permuted(&mut self, tree: &OrderTree, depth: usize) -> Vec<Choice> {
        let mut choices: Vec<Choice> = Vec::new();
        let mut seen: Vec<OrderTree> = Vec::new();
        for permutation in permutations(depth) {
            for distributed in [false, true] {
                if !choices.is_empty() && self.is_over() {
                    return choices;
                }
                self.limited();
                let moves = NestMoves { permutation: permutation.clone(), distributed, ..NestMoves::none(depth) };
                let Ok(order) = tree.with_nests(&mut |nest| moves.apply(nest)) else { continue };
                if seen.contains(&order) {
                    continue;
                }
                let Some(generated) = self.legal(&order) else { continue };
                seen.push(order);
                let cycles = self.costed(&generated).loop_cycles();
                choices.push(Choice { moves, generated, waiting: Vec::new(), cycles });
            }
        }
        choices
    }

    /// Returns the tilings of the permutations whose loops run best.
    fn tiled(&mut self, tree: &OrderTree, depth: usize, untiled: &[Choice]) -> Vec<Choice> {
        let best = untiled.iter().map(|choice| choice.cycles).fold(f64::INFINITY, f64::min);
        let mut bases: Vec<&Choice> = untiled.iter().filter(|choice| choice.cycles <= TILED * best).collect();
        bases.sort_by(|a, b| a.cycles.total_cmp(&b.cycles));
        let mut choices = Vec::new();
        for tiles in tiles(depth) {
            for base in &bases {
                if self.is_over() {
                    return choices;
                }
                self.limited();
                // Tiles of a permutable band are legal; the order of the whole program is checked all the same.
                let moves = NestMoves { tiles: tiles.clone(), ..base.moves.clone() };
                let Ok(order) = tree.with_nests(&mut |nest| moves.apply(nest)) else { continue };
                let Some(generated) = self.generated(&order) else { continue };
                let cycles = self.costed(&generated).loop_cycles();
                choices.push(Choice { moves, generated, waiting: Vec::new(), cycles });
            }
        }
        choices
    }

    /// Adds the cycles of misses, and sorts. Deeper levels are looked at only for those that may still be among the best.
    fn counted(&self, choices: Vec<Choice>) -> Vec<Choice> {
        let levels = self.question.hierarchy.designs.len();
        let mut open = self.waited(choices, 0..levels.min(1));
        let (mut counted, mut best) = (Vec::new(), f64::INFINITY);
        while !open.is_empty() {
            let later = open.split_off(open.len().min(CHUNK));
            open.retain(|choice| choice.cycles <= best * HOPELESS);
            let chunk = self.waited(open, levels.min(1)..levels);
            best = chunk.iter().map(|choice| choice.cycles).fold(best, f64::min);
            counted.extend(chunk);
            open = later;
        }
        counted.sort_by(|a, b| a.cycles.total_cmp(&b.cycles));
        counted
    }

    /// Adds the cycles that choices wait for some levels, and sorts. Those that cannot be run are dropped.
    fn waited(&self, choices: Vec<Choice>, levels: Range<usize>) -> Vec<Choice> {
        let costed: Vec<Costed<'_>> = choices.iter().map(|choice| self.costed(&choice.generated)).collect();
        let found = self.estimator.wait(&costed, &levels, SampleSize::SMALL);
        let found = choices.iter().zip(&costed).zip(found).map(|((choice, costed), waiting)| {
            let mut waiting = waiting.ok()?;
            add(&mut waiting, &choice.waiting);
            Some((costed.cycles(&waiting), waiting))
        });
        let found: Vec<_> = found.collect();
        drop(costed);
        let waited = choices.into_iter().zip(found).filter_map(|(choice, found)| {
            let (cycles, waiting) = found?;
            Some(Choice { cycles, waiting, ..choice })
        });
        let mut waited: Vec<Choice> = waited.collect();
        waited.sort_by(|a, b| a.cycles.total_cmp(&b.cycles));
        waited
    }
}
