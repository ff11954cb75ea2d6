//! Orders of a nest, as answers have them: the times of iterations in them, and all permutations of a nest's loops.

use std::cmp::Ordering;

use serde_json::Value;

use super::lists::texts;
use super::printed::Iteration;

/// The statements of a nest in an order.
pub(super) struct Ordered {
    /// By statement in the sequence of the program, its place in that of the order.
    places: Vec<usize>,
    /// By statement in the sequence of the order, the places of its loops among those that are around it as written.
    loops: Vec<Vec<usize>>,
    /// By statement in the sequence of the order, the loops that it shares with the one before it.
    shared: Vec<usize>,
}

impl Ordered {
    /// Reads an order of a nest; `written` has the statements in the order as written.
    pub(super) fn of(written: &[Value], statements: &[Value]) -> Self {
        let mut places = vec![usize::MAX; written.len()];
        let mut loops = Vec::new();
        for (place, statement) in statements.iter().enumerate() {
            let before = written.iter().position(|other| other["lines"] == statement["lines"]).unwrap();
            places[before] = place;
            let names = texts(&written[before]["loops"]);
            let old = |name: &str| names.iter().position(|other| *other == name).unwrap();
            loops.push(texts(&statement["loops"]).into_iter().map(old).collect());
        }
        let shared = statements.iter().map(|statement| statement["shared"].as_u64().unwrap() as usize).collect();
        Self { places, loops, shared }
    }

    /// Compares the times of two iterations: those of shared loops first, then the places of the statements.
    pub(super) fn compare(&self, first: usize, a: &Iteration, b: &Iteration) -> Ordering {
        let (a_place, b_place) = (self.places[a.statement - first], self.places[b.statement - first]);
        let time = |iteration: &Iteration, place: usize| -> Vec<i64> {
            self.loops[place].iter().map(|old| iteration.values[*old]).collect()
        };
        let (a_time, b_time) = (time(a, a_place), time(b, b_place));
        let (low, high) = (a_place.min(b_place), a_place.max(b_place));
        let common = self.shared[low + 1..=high].iter().copied().min().unwrap_or(a_time.len());
        a_time[..common].cmp(&b_time[..common]).then(a_place.cmp(&b_place)).then(a_time.cmp(&b_time))
    }
}

/// The statements of a nest in an order: their lines, their loops, and how many of these they share with the one before.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct StatementOrder {
    lines: Vec<String>,
    loops: Vec<Vec<String>>,
    shared: Vec<usize>,
}

impl StatementOrder {
    pub(super) fn of(statements: &[Value]) -> Self {
        let names = |statement: &Value| texts(&statement["loops"]).into_iter().map(str::to_owned).collect();
        Self {
            lines: statements.iter().map(|statement| statement["lines"].to_string()).collect(),
            loops: statements.iter().map(names).collect(),
            shared: statements.iter().map(|statement| statement["shared"].as_u64().unwrap() as usize).collect(),
        }
    }

    /// Returns true if the statements are in the same sequence, and share as many loops.
    pub(super) fn is_permutation_of(&self, other: &Self) -> bool {
        self.lines == other.lines && self.shared == other.shared
    }

    /// Returns the order of iterations of a permutation of this order.
    pub(super) fn permuted_to(&self, new: &Self) -> Ordered {
        let old = |names: &[String], name: &String| names.iter().position(|other| other == name).unwrap();
        let loops = self.loops.iter().zip(&new.loops);
        let loops = loops.map(|(names, new)| new.iter().map(|name| old(names, name)).collect()).collect();
        Ordered { places: (0..self.lines.len()).collect(), loops, shared: self.shared.clone() }
    }

    /// Returns the statements in the loop at a depth around a statement.
    fn inside(&self, statement: usize, depth: usize) -> (usize, usize) {
        let is_shared = |next: &usize| self.shared[*next] > depth;
        let first = (0..=statement).rev().find(|place| *place == 0 || !is_shared(place)).unwrap();
        let end = (statement + 1..self.lines.len()).find(|next| !is_shared(next)).unwrap_or(self.lines.len());
        (first, end)
    }

    /// Returns the chains of loops directly in each other around the same statements: the statements, and the depths.
    fn chains(&self) -> Vec<((usize, usize), (usize, usize))> {
        let mut chains: Vec<((usize, usize), (usize, usize))> = Vec::new();
        for (statement, loops) in self.loops.iter().enumerate() {
            for depth in 0..loops.len() {
                let inside = self.inside(statement, depth);
                match chains.iter_mut().find(|(statements, _)| *statements == inside) {
                    Some((_, (_, end))) => *end = (*end).max(depth + 1),
                    None => chains.push((inside, (depth, depth + 1))),
                }
            }
        }
        chains
    }
}

/// Returns all permutations of the loops of each chain, in all combinations.
pub(super) fn permutations(written: &StatementOrder) -> Vec<StatementOrder> {
    let mut all = vec![written.clone()];
    for ((first, end), (outer, inner)) in written.chains() {
        let of = |order: &StatementOrder| {
            let permuted = |permutation: Vec<usize>| {
                let mut new = order.clone();
                for (place, old) in permutation.into_iter().enumerate() {
                    (first..end).for_each(|statement| {
                        new.loops[statement][outer + place].clone_from(&order.loops[statement][outer + old]);
                    });
                }
                new
            };
            arrangements(inner - outer).into_iter().map(permuted).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(of).collect();
    }
    all
}

/// Returns all sequences of the numbers below `count`.
fn arrangements(count: usize) -> Vec<Vec<usize>> {
    let Some(last) = count.checked_sub(1) else { return vec![Vec::new()] };
    let with_last = |shorter: &Vec<usize>| {
        let at = |place: usize| [&shorter[..place], &[last], &shorter[place..]].concat();
        (0..count).map(at).collect::<Vec<_>>()
    };
    arrangements(last).iter().flat_map(with_last).collect()
}
