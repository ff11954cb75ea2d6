//! The misses of legal orders.

use std::collections::BTreeMap;

use symloc_schedule::{Generated, OrderTree};

use super::forms::permuted;
use super::legal::LegalOrders;
use super::registers::RegisterAccesses;
use super::{CountedOrder, NestOrders, OrdersQuestion};
use crate::cost::innermost::{Costed, LevelMisses};
use crate::cost::misses::{MissEstimator, SampleSize};
use crate::error::AdviseError;
use crate::given::GivenOrder;
use crate::parallel::in_parallel;

/// Misses are counted if no more accesses than that have to be run for an order.
const COUNTED: u64 = 150_000_000;
/// Of more combinations of permutations, one chain of loops is permuted after the other.
const COMBINATIONS: usize = 256;
/// So many times as much weighs a miss of the next level.
const DEEPER: u128 = 4;

/// The way in which the misses of a nest's orders are found.
struct Measure<'m> {
    question: &'m OrdersQuestion<'m>,
    estimator: MissEstimator<'m>,
    /// True if misses are counted, and not estimated.
    counts: bool,
}

impl Measure<'_> {
    /// Returns the misses of an order by level, and true if they are counted.
    fn misses(&self, generated: &Generated) -> Result<(Vec<u64>, bool), AdviseError> {
        let generated = &*RegisterAccesses::new(self.question.registers).removed(generated);
        let counted = match self.counts {
            true => self.estimator.counted(&generated.executed(), COUNTED)?,
            false => None,
        };
        if let Some(counted) = counted {
            return Ok((counted, true));
        }
        let costed = Costed::new(generated, self.question.nest, self.question.sizes);
        let cost = self.estimator.cost(&costed, SampleSize::LARGE)?;
        Ok((cost.misses.iter().map(LevelMisses::all).map(|misses| misses.round() as u64).collect(), false))
    }

    /// Counts the misses of the nest with the accesses of the source; `None` if that is the nest of the orders, or those
    /// of orders are not counted.
    fn of_source(&self) -> Result<Option<(Vec<u64>, bool)>, AdviseError> {
        let Some(program) = self.question.written.filter(|_| self.counts) else { return Ok(None) };
        let estimator = MissEstimator::new(program, self.question.hierarchy, self.question.sizes)?;
        Ok(estimator.counted(program, COUNTED)?.map(|misses| (misses, true)))
    }
}

/// The orders of a nest, and the search for more.
pub(super) struct OrderCounter<'c> {
    measure: Measure<'c>,
    legal: LegalOrders<'c>,
    orders: Vec<CountedOrder>,
    applied: Vec<usize>,
}

impl<'c> OrderCounter<'c> {
    pub(super) fn new(question: &'c OrdersQuestion<'c>, estimator: MissEstimator<'c>, legal: LegalOrders<'c>) -> Self {
        let measure = Measure { question, estimator, counts: true };
        Self { measure, legal, orders: Vec::new(), applied: Vec::new() }
    }

    /// Counts the misses of the order as written. If that takes too long, those of all orders are estimated, so that they can
    /// be compared.
    pub(super) fn written(&mut self, order: &OrderTree, generated: &Generated) -> Result<(), AdviseError> {
        let generated = self.measure.misses(generated)?;
        self.measure.counts = generated.1;
        let written = self.counted(order, self.measure.of_source()?.unwrap_or(generated));
        self.orders.push(CountedOrder { is_written: true, ..written });
        Ok(())
    }

    /// Counts the misses of orders that the user gives, as far as the nest has their loops.
    pub(super) fn given(&mut self, given: &[GivenOrder]) -> Result<(), AdviseError> {
        let names = self.legal.names;
        let (mut places, mut orders) = (Vec::new(), Vec::new());
        for (place, given) in given.iter().enumerate() {
            match given.apply(names.nests, names.scop, &self.legal.rules.dependences) {
                Ok(order) => {
                    places.push(place);
                    orders.push(order);
                }
                Err(AdviseError::NoSuchLoops { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let first_refused = self.legal.refused.len();
        let counted = self.count(&orders)?;
        for (place, counted) in places.iter().zip(&counted) {
            if let Some(counted) = counted {
                self.orders[*counted].given = Some(*place);
            }
        }
        let others = places.iter().zip(&counted).filter(|(_, counted)| counted.is_none());
        for ((place, _), refused) in others.zip(&mut self.legal.refused[first_refused..]) {
            refused.given = Some(*place);
        }
        self.applied = places;
        Ok(())
    }

    /// Counts the misses of all legal permutations of the nest's loops.
    pub(super) fn permutations(&mut self, written: &OrderTree) -> Result<(), AdviseError> {
        for (place, form) in self.legal.forms(written)?.iter().enumerate() {
            let chains = self.legal.permutations(form)?;
            let known = if place == 0 { self.orders.first().map(|order| weight(&order.misses)) } else { None };
            let mut search = FormSearch { form, chains: &chains, weights: BTreeMap::new() };
            search.weights.extend(known.map(|weight| (search.unchanged(), weight)));
            let combinations = chains.iter().fold(1, |product: usize, chain| product.saturating_mul(chain.len()));
            if combinations <= COMBINATIONS {
                search.count(self, search.combinations())?;
            } else {
                self.legal.is_complete = false;
                search.by_chain(self)?;
            }
        }
        Ok(())
    }

    /// Counts the misses of orders; returns the place of each among those that are counted, `None` if it is not legal or the
    /// time is over.
    fn count(&mut self, orders: &[OrderTree]) -> Result<Vec<Option<usize>>, AdviseError> {
        let found = self.legal.with_code(orders);
        let measure = &self.measure;
        let misses = in_parallel(&found, |(_, generated)| measure.misses(generated));
        let mut places = vec![None; orders.len()];
        for ((place, _), misses) in found.iter().zip(misses) {
            let counted = self.counted(&orders[*place], misses?);
            places[*place] = Some(self.orders.len());
            self.orders.push(counted);
        }
        Ok(places)
    }

    fn counted(&self, order: &OrderTree, (misses, is_exact): (Vec<u64>, bool)) -> CountedOrder {
        let names = self.legal.names;
        let (text, statements) = (names.text(order), names.statement_loops(order));
        CountedOrder { text, statements, misses, is_exact, is_written: false, given: None }
    }

    /// Returns the orders, that with the fewest misses first; of equal ones the order as written is the first.
    pub(super) fn answer(mut self) -> NestOrders {
        self.orders.sort_by_key(|order| weight(&order.misses));
        let LegalOrders { refused, is_complete, is_partial, .. } = self.legal;
        NestOrders { orders: self.orders, refused, is_complete, is_partial, applied: self.applied }
    }
}

/// Returns the number by which orders are sorted: misses, of which those of deeper levels weigh more.
fn weight(misses: &[u64]) -> u128 {
    misses.iter().rev().fold(0, |sum, misses| sum.saturating_mul(DEEPER).saturating_add(u128::from(*misses)))
}

/// The orders of one form of a nest: a permutation of each chain of loops, by its place among those of the chain.
struct FormSearch<'s> {
    form: &'s OrderTree,
    chains: &'s [Vec<Vec<usize>>],
    /// By permutation of each chain, the weight; those that are known.
    weights: BTreeMap<Vec<usize>, u128>,
}

impl FormSearch<'_> {
    /// Returns the permutations that change nothing.
    fn unchanged(&self) -> Vec<usize> {
        vec![0; self.chains.len()]
    }

    fn combinations(&self) -> Vec<Vec<usize>> {
        let longer = |all: Vec<Vec<usize>>, chain: &Vec<Vec<usize>>| {
            let with = |picks: &Vec<usize>| (0..chain.len()).map(|pick| [&picks[..], &[pick]].concat()).collect();
            all.iter().flat_map::<Vec<_>, _>(with).collect()
        };
        self.chains.iter().fold(vec![Vec::new()], longer)
    }

    /// Counts the misses of combinations that are not known yet.
    fn count(&mut self, counter: &mut OrderCounter<'_>, picks: Vec<Vec<usize>>) -> Result<(), AdviseError> {
        let open: Vec<Vec<usize>> = picks.into_iter().filter(|picks| !self.weights.contains_key(picks)).collect();
        let order = |picks: &Vec<usize>| {
            let chosen = picks.iter().zip(self.chains).map(|(pick, chain)| chain[*pick].as_slice());
            permuted(self.form, &mut chosen.into_iter())
        };
        let places = counter.count(&open.iter().map(order).collect::<Vec<_>>())?;
        let weight = |place: usize| weight(&counter.orders[place].misses);
        self.weights.extend(open.into_iter().zip(places).filter_map(|(picks, place)| Some((picks, weight(place?)))));
        Ok(())
    }

    /// Permutes one chain after the other, each with the best permutations of those before it.
    fn by_chain(&mut self, counter: &mut OrderCounter<'_>) -> Result<(), AdviseError> {
        let mut best = self.unchanged();
        for (place, chain) in self.chains.iter().enumerate() {
            let with = |pick: usize| [&best[..place], &[pick], &best[place + 1..]].concat();
            let tried: Vec<Vec<usize>> = (0..chain.len()).map(with).collect();
            self.count(counter, tried.clone())?;
            let known = tried.into_iter().filter_map(|picks| Some((*self.weights.get(&picks)?, picks)));
            if let Some((_, picks)) = known.min() {
                best = picks;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misses_of_deeper_levels_weigh_more() {
        assert_eq!(weight(&[100, 10, 1]), 100 + 4 * 10 + 16);
        assert!(weight(&[u64::MAX; 70]) > weight(&[u64::MAX; 2]) && weight(&[]) == 0);
    }

    #[test]
    fn combinations_have_one_permutation_of_each_chain() {
        let chains = [vec![vec![0]], vec![vec![0, 1], vec![1, 0]], vec![vec![0, 1], vec![1, 0]]];
        let search = FormSearch { form: &OrderTree::Leaf, chains: &chains, weights: BTreeMap::new() };
        assert_eq!(search.combinations(), [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1]]);
        assert_eq!(search.unchanged(), [0, 0, 0]);
    }
}
