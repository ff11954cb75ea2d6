//! The moves of one nest: those that are tried, and the cycles of each.

use std::ops::Range;
use std::time::Instant;

use symloc_isl::Context;
use symloc_schedule::legality::violation;
use symloc_schedule::{Band, Generated, OrderTree, Scop};

use super::combinations::Selection;
use super::permutations::{NestLoop, is_deep, permutations};
use super::shapes::{outer_tiles, tiles};
use crate::cost::innermost::{Costed, add};
use crate::cost::misses::{Hierarchy, MissEstimator, SampleSize};
use crate::moves::NestMoves;
use crate::nest::Nests;
use crate::sums::{OrderRules, generate_collecting};

/// Permutations are tiled if their innermost loops take at most so many times as long as the best.
const TILED: f64 = 2.5;
/// Misses of deeper levels are not counted of a candidate whose other cycles are so many times those of the best.
const HOPELESS: f64 = 1.5;
/// Of the permutations of a deep nest so many are tiled.
const DEEP_BASES: usize = 8;
/// Tiles get larger ones around them if deeper levels add this part of their cycles.
const NOTICEABLE: f64 = 0.1;
/// So many of them do.
const RETILED: usize = 3;
/// Tiles in tiles are kept if they take at most so many times as long as the best without.
const WORTHWHILE: f64 = 0.97;
/// So many candidates are looked at together.
const CHUNK: usize = 8;
/// The limit on isl's operations for one answer of the scheduler, and for one candidate.
const OPERATIONS: u64 = 200_000_000;

/// Moves of a nest, while their cost is looked at.
struct Choice {
    moves: NestMoves,
    generated: Generated,
    /// By innermost loop, the cycles of waiting for the misses that were counted.
    waiting: Vec<f64>,
    /// The cycles of the loops with that.
    cycles: f64,
    /// The part of them that the levels added whose misses were counted last.
    added: f64,
}

/// The search in one nest after the other.
pub(crate) struct NestSearch<'s> {
    pub(crate) isl: &'s Context,
    pub(crate) nests: &'s Nests,
    pub(crate) sizes: &'s [i64],
    pub(crate) hierarchy: &'s Hierarchy,
    pub(crate) estimator: MissEstimator<'s>,
    pub(crate) rules: OrderRules,
    pub(crate) scop: Scop,
    pub(crate) end: Instant,
    pub(crate) selection: Selection,
    pub(crate) is_partial: bool,
    /// The nests that were looked at, with the cycles of their moves, the cheapest first.
    pub(crate) known: Vec<(OrderTree, Vec<(NestMoves, f64)>)>,
}

impl NestSearch<'_> {
    pub(crate) fn costed<'c>(&'c self, generated: &'c Generated) -> Costed<'c> {
        Costed::new(generated, self.nests, self.sizes)
    }

    fn generated(&self, order: &OrderTree) -> Option<Generated> {
        generate_collecting(self.isl, &self.scop, self.nests, &self.rules.dependences, order).ok()
    }

    fn is_over(&mut self) -> bool {
        let is_over = Instant::now() > self.end;
        self.is_partial |= is_over;
        is_over
    }

    pub(crate) fn limited(&self) {
        self.isl.reset_operations();
        self.isl.set_max_operations(OPERATIONS);
    }

    /// Returns the code of an order; `None` if the order is not legal.
    pub(crate) fn legal(&self, order: &OrderTree) -> Option<Generated> {
        let broken = violation(self.isl, &self.scop, &self.rules.dependences, order).ok()?;
        if broken.is_some() { None } else { self.generated(order) }
    }

    /// Returns the moves of a nest with the cycles that it takes by itself, the cheapest first; `tree` has the nest alone,
    /// with the loops around it.
    pub(crate) fn choices(&mut self, tree: &OrderTree, nest: &Band) -> Vec<(NestMoves, f64)> {
        if let Some((_, known)) = self.known.iter().find(|(known, _)| known == tree) {
            return known.clone();
        }
        let loops = NestLoop::of_nest(nest, &self.scop, self.sizes, self.hierarchy.line);
        let untiled = self.permuted(tree, &loops);
        let mut choices = self.tiled(tree, &loops, &untiled);
        choices.extend(untiled);
        let mut choices = self.counted(choices);
        let retiled = self.retiled(tree, &loops, &choices);
        choices.extend(retiled);
        choices.sort_by(|a, b| a.cycles.total_cmp(&b.cycles));
        let choices: Vec<_> = choices.into_iter().map(|choice| (choice.moves, choice.cycles)).collect();
        self.known.push((tree.clone(), choices.clone()));
        choices
    }

    /// Returns the permutations of a nest that are legal, with the cycles of their loops.
    fn permuted(&mut self, tree: &OrderTree, loops: &[NestLoop]) -> Vec<Choice> {
        let mut choices: Vec<Choice> = Vec::new();
        let mut seen: Vec<OrderTree> = Vec::new();
        for permutation in permutations(loops) {
            for distributed in [false, true] {
                if !choices.is_empty() && self.is_over() {
                    return choices;
                }
                self.limited();
                let moves = NestMoves { permutation: permutation.clone(), distributed, ..NestMoves::none(loops.len()) };
                let Ok(order) = tree.with_nests(&mut |nest| moves.apply(nest)) else { continue };
                if seen.contains(&order) {
                    continue;
                }
                let Some(generated) = self.legal(&order) else { continue };
                seen.push(order);
                let cycles = self.costed(&generated).loop_cycles();
                choices.push(Choice { moves, generated, waiting: Vec::new(), cycles, added: 0.0 });
            }
        }
        choices
    }

    /// Returns the tilings of the permutations whose loops run best.
    fn tiled(&mut self, tree: &OrderTree, loops: &[NestLoop], untiled: &[Choice]) -> Vec<Choice> {
        let best = untiled.iter().map(|choice| choice.cycles).fold(f64::INFINITY, f64::min);
        let mut bases: Vec<&Choice> = untiled.iter().filter(|choice| choice.cycles <= TILED * best).collect();
        bases.sort_by(|a, b| a.cycles.total_cmp(&b.cycles));
        if is_deep(loops.len()) {
            bases.truncate(DEEP_BASES);
        }
        let mut choices = Vec::new();
        let shapes: Vec<_> = bases.iter().map(|base| shapes(loops, &base.moves)).collect();
        for shape in 0..shapes.iter().map(Vec::len).max().unwrap_or(0) {
            for (base, shapes) in bases.iter().zip(&shapes) {
                let Some(sizes) = shapes.get(shape) else { continue };
                if self.is_over() {
                    return choices;
                }
                choices.extend(self.with_tiles(tree, &base.moves, vec![sizes.clone()]));
            }
        }
        choices
    }

    /// Returns tilings whose tiles are in larger ones, around the few that would be the cheapest without misses of deeper
    /// levels; `counted` has all others, the cheapest first. Those that are not cheaper than the cheapest are left out.
    fn retiled(&mut self, tree: &OrderTree, loops: &[NestLoop], counted: &[Choice]) -> Vec<Choice> {
        let worthwhile = counted.first().map_or(0.0, |best| best.cycles * WORTHWHILE);
        let rest = |choice: &Choice| choice.cycles - choice.added;
        let is_base = |choice: &&Choice| {
            let is_deep = choice.added >= NOTICEABLE * choice.cycles;
            !choice.moves.tiles.is_empty() && is_deep && rest(choice) < worthwhile
        };
        let mut bases: Vec<&Choice> = counted.iter().filter(is_base).collect();
        bases.sort_by(|a, b| rest(a).total_cmp(&rest(b)));
        bases.truncate(RETILED);
        let mut choices = Vec::new();
        for base in bases {
            let outer = base.moves.tiles.first().map_or_else(Vec::new, |inner| outer_tiles(inner));
            for tiles in fitting(outer, loops, &base.moves) {
                if self.is_over() {
                    break;
                }
                let tiles = [vec![tiles], base.moves.tiles.clone()].concat();
                choices.extend(self.with_tiles(tree, &base.moves, tiles));
            }
        }
        let mut choices = self.counted(choices);
        choices.retain(|choice| choice.cycles < worthwhile);
        choices
    }

    /// Returns a permutation with tiles; `None` if isl has no code for it. Tiles of a permutable band are legal; the order
    /// of the whole program is checked all the same.
    fn with_tiles(&self, tree: &OrderTree, moves: &NestMoves, tiles: Vec<Vec<i64>>) -> Option<Choice> {
        self.limited();
        let moves = NestMoves { tiles, ..moves.clone() };
        let order = tree.with_nests(&mut |nest| moves.apply(nest)).ok()?;
        let generated = self.generated(&order)?;
        let cycles = self.costed(&generated).loop_cycles();
        Some(Choice { moves, generated, waiting: Vec::new(), cycles, added: 0.0 })
    }

    /// Adds the cycles of misses, and sorts. Deeper levels are looked at only for those that may still be among the best.
    fn counted(&self, choices: Vec<Choice>) -> Vec<Choice> {
        let hopeless = match self.selection {
            Selection::Cheapest => HOPELESS,
            Selection::Spread => f64::INFINITY,
        };
        let levels = self.hierarchy.designs.len();
        let mut open = self.waited(choices, 0..levels.min(1));
        let (mut counted, mut best) = (Vec::new(), f64::INFINITY);
        while !open.is_empty() {
            let later = open.split_off(open.len().min(CHUNK));
            open.retain(|choice| choice.cycles <= best * hopeless);
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
            Some(Choice { cycles, waiting, added: cycles - choice.cycles, ..choice })
        });
        let mut waited: Vec<Choice> = waited.collect();
        waited.sort_by(|a, b| a.cycles.total_cmp(&b.cycles));
        waited
    }
}

/// Returns the tile sizes to try for a permutation.
fn shapes(loops: &[NestLoop], moves: &NestMoves) -> Vec<Vec<i64>> {
    let may_be_tiled: Vec<bool> = moves.permutation.iter().map(|place| loops[*place].band == 0).collect();
    fitting(tiles(&may_be_tiled), loops, moves)
}

/// Leaves loops whole that have no more iterations than a tile, and then tiles that are the same or divide nothing.
fn fitting(shapes: Vec<Vec<i64>>, loops: &[NestLoop], moves: &NestMoves) -> Vec<Vec<i64>> {
    let mut fitting: Vec<Vec<i64>> = Vec::new();
    for shape in shapes {
        let sizes = shape.iter().zip(&moves.permutation);
        let sizes = sizes.map(|(size, place)| if *size as f64 >= loops[*place].trips { 0 } else { *size });
        let sizes: Vec<i64> = sizes.collect();
        if sizes.iter().any(|size| *size > 0) && !fitting.contains(&sizes) {
            fitting.push(sizes);
        }
    }
    fitting
}
