//! Rows that are made longer, so that columns meet more sets of caches (docs/advice.md, "Padding of rows").
//!
//! - `rows`: columns that meet few sets, and arrays with longer rows; `lengths`: arrays whose rows have one length.
//!
//! Each array is tried alone, and all are together. The cost is that of orders, with the arrays' strides changed.

mod lengths;
mod rows;

use symloc_affine::{Array, Program};
use symloc_cache::Design;
use symloc_replay::{Code, Survey};
use symloc_schedule::Generated;

pub use self::lengths::RowLength;
use self::lengths::padded_together;
use self::rows::{CrowdedRows, pitch, with_rows};
use crate::candidates::{AdvisedOrder, COUNTED};
use crate::cost::innermost::{Cost, Costed};
use crate::cost::misses::{Hierarchy, MissEstimator, PRECISION, SampleSize};
use crate::error::AdviseError;
use crate::nest::Nests;
use crate::parallel::in_parallel;

/// A question for longer rows.
#[derive(Clone, Copy, Debug)]
pub struct PaddingQuestion<'q> {
    /// The loops.
    pub nests: &'q Nests,
    /// The program with the extents that the source declares; `nests` has those at this size.
    pub declared: &'q Program,
    /// The sizes, in the order of the program's parameters.
    pub sizes: &'q [i64],
    /// The caches.
    pub hierarchy: &'q Hierarchy,
}

/// Longer rows with which an order costs less.
#[derive(Clone, Debug)]
pub struct RowPadding {
    /// The arrays whose rows are longer, in the order of the program's table.
    pub arrays: Vec<LongerRows>,
    /// The cost of the order with them.
    pub cost: Cost,
}

/// The rows of one array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongerRows {
    /// The array, by its place in the program's table.
    pub array: usize,
    /// The distance of neighbouring rows before, in elements.
    pub before: i64,
    /// The distance after, in elements.
    pub after: i64,
    /// The length of the rows, as the program declares it.
    pub length: RowLength,
    /// The sets that the crowded column meets in each cache with several; none if the rows are longer only because they are as long as
    /// those of another array.
    pub sets: Vec<SetsMet>,
}

/// The sets of a cache that a column meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetsMet {
    /// The level, by its place in the hierarchy.
    pub level: usize,
    /// The number of its sets.
    pub sets: u64,
    /// Those that the column meets before.
    pub before: u64,
    /// Those that it meets after.
    pub after: u64,
}

/// So many groups of arrays are tried alone, those with the most misses first.
const ALONE: usize = 4;
/// Padding is kept if an order takes at least this share of its cycles less: two orders that differ by less are equally good
/// (docs/advice.md, "Many sizes"). Longer rows take memory as well.
const GAIN: f64 = 0.02;

/// Returns, for each order, the longer rows with which it costs least; `None` if none make it cheaper. `written` is the program as
/// written.
///
/// # Errors
///
/// [`AdviseError::Replay`] if the program cannot be run with them at these sizes.
pub fn pad_rows(
    question: &PaddingQuestion<'_>,
    written: &AdvisedOrder,
    orders: &[&AdvisedOrder],
) -> Result<Vec<Option<RowPadding>>, AdviseError> {
    let crowded = crowded_rows(question, &written.generated)?;
    let candidates = candidates(question, &crowded, &written.cost);
    let searched = PaddingSearch { question, crowded, candidates, written: &written.generated };
    orders.iter().map(|order| searched.best(order)).collect()
}

/// Returns the arrays with columns that meet few sets.
fn crowded_rows(question: &PaddingQuestion<'_>, written: &Generated) -> Result<Vec<CrowdedRows>, AdviseError> {
    let PaddingQuestion { sizes, hierarchy, .. } = question;
    let executed = written.executed();
    let ranges = Survey::of(&Code::new(&executed, sizes)?)?.ranges;
    let of = |(place, touched): (usize, &Option<Vec<(i64, i64)>>)| {
        CrowdedRows::of(place, &executed.arrays[place], touched.as_ref()?, hierarchy.line, &hierarchy.designs)
    };
    Ok(ranges.iter().enumerate().filter_map(of).collect())
}

/// A distance of rows for each of some arrays.
type RowDistances = Vec<(usize, i64)>;

/// Returns the distances that are tried, those of fewer arrays first.
fn candidates(question: &PaddingQuestion<'_>, crowded: &[CrowdedRows], cost: &Cost) -> Vec<RowDistances> {
    let mut groups: Vec<Vec<RowDistances>> = Vec::new();
    for rows in crowded {
        let together = padded_together(question.declared, rows.array);
        // The first crowded array of a group has tried these.
        if crowded.iter().any(|other| other.array < rows.array && together.contains(&other.array)) {
            continue;
        }
        let with = |length: i64| together.iter().map(|array| (*array, length)).collect();
        groups.push(rows.longer().into_iter().map(with).collect());
    }
    let misses = |array: usize| cost.misses.iter().map(|level| level.arrays[array]).sum::<f64>();
    let weight =
        |group: &Vec<RowDistances>| group.first().into_iter().flatten().map(|(array, _)| misses(*array)).sum::<f64>();
    groups.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    let mut candidates: Vec<RowDistances> = groups.iter().take(ALONE).flatten().cloned().collect();
    if groups.len() > 1 {
        let most = groups.iter().map(Vec::len).max().unwrap_or(0);
        let all = |place: usize| {
            let chosen = groups.iter().filter_map(|group| group.get(place).or(group.last()));
            chosen.flatten().copied().collect()
        };
        candidates.extend((0..most).map(all));
    }
    candidates
}

struct PaddingSearch<'s> {
    question: &'s PaddingQuestion<'s>,
    crowded: Vec<CrowdedRows>,
    candidates: Vec<RowDistances>,
    /// The program as written.
    written: &'s Generated,
}

impl PaddingSearch<'_> {
    /// Returns the longer rows with which an order costs least; of those that cost nearly as little the ones of the fewest arrays.
    fn best(&self, order: &AdvisedOrder) -> Result<Option<RowPadding>, AdviseError> {
        let cost = |distances: &RowDistances| self.cost(order, distances, COUNTED / self.candidates.len() as u64);
        let costs = in_parallel(&self.candidates, cost).into_iter().collect::<Result<Vec<_>, _>>()?;
        let known =
            || self.candidates.iter().zip(&costs).filter_map(|(distances, cost)| Some((distances, cost.as_ref()?)));
        let least = known().map(|(_, cost)| cost.cycles).fold(f64::INFINITY, f64::min);
        let Some((distances, cost)) = known().find(|(_, cost)| cost.cycles * (1.0 - GAIN) <= least) else {
            return Ok(None);
        };
        let mut cost = cost.clone();
        if order.cost.is_exact && !cost.is_exact {
            let Some(counted) = self.cost(order, distances, COUNTED)? else { return Ok(None) };
            cost = counted;
        }
        let is_kept = order.cost.cycles - cost.cycles > self.margin(order, &cost);
        Ok(is_kept.then(|| RowPadding { arrays: self.longer(distances), cost }))
    }

    /// Returns the cycles that longer rows have to save: a share of all, and beyond what samples leave open of both costs.
    fn margin(&self, order: &AdvisedOrder, padded: &Cost) -> f64 {
        let share = GAIN * order.cost.cycles;
        if order.cost.is_exact && padded.is_exact {
            return share;
        }
        let PaddingQuestion { nests, sizes, hierarchy, .. } = self.question;
        let accesses: f64 = Costed::new(&order.generated, nests, sizes).counts.accesses.iter().sum();
        share + 2.0 * PRECISION * accesses * hierarchy.designs.len() as f64
    }

    /// Returns the cost of an order with rows so far apart, counted if no more than `limit` accesses have to be run for it; `None`
    /// if an array cannot have such rows.
    fn cost(&self, order: &AdvisedOrder, distances: &RowDistances, limit: u64) -> Result<Option<Cost>, AdviseError> {
        let PaddingQuestion { nests, sizes, hierarchy, .. } = self.question;
        let Some(arrays) = with_distances(&self.written.program.arrays, distances) else { return Ok(None) };
        let estimator = MissEstimator::new(&with_arrays(self.written, &arrays).executed(), hierarchy, sizes)?;
        let generated = with_arrays(&order.generated, &arrays);
        let costed = Costed::new(&generated, nests, sizes);
        match estimator.exact_cost(&costed, limit)? {
            Some(counted) => Ok(Some(counted)),
            None => estimator.cost(&costed, SampleSize::LARGE).map(Some),
        }
    }

    fn longer(&self, distances: &RowDistances) -> Vec<LongerRows> {
        let rows = |(array, after): &(usize, i64)| {
            let crowded = self.crowded.iter().find(|rows| rows.array == *array);
            Some(LongerRows {
                array: *array,
                before: pitch(&self.written.program.arrays[*array])?,
                after: *after,
                length: RowLength::of(self.question.declared, *array),
                sets: crowded.map(|rows| self.sets_met(rows, *after)).unwrap_or_default(),
            })
        };
        let mut longer: Vec<LongerRows> = distances.iter().filter_map(rows).collect();
        longer.sort_by_key(|rows| rows.array);
        longer
    }

    fn sets_met(&self, rows: &CrowdedRows, after: i64) -> Vec<SetsMet> {
        let levels =
            self.question.hierarchy.designs.iter().enumerate().filter(|(_, design)| design.geometry.sets() > 1);
        let met = |(level, design): (usize, &Design)| SetsMet {
            level,
            sets: design.geometry.sets(),
            before: rows.sets_met(design.geometry, rows.pitch),
            after: rows.sets_met(design.geometry, after),
        };
        levels.map(met).collect()
    }
}

/// Returns arrays with rows so far apart; `None` if one of them cannot have such rows.
fn with_distances(arrays: &[Array], distances: &RowDistances) -> Option<Vec<Array>> {
    let mut padded = arrays.to_vec();
    for (array, distance) in distances {
        padded[*array] = with_rows(&arrays[*array], *distance)?;
    }
    Some(padded)
}

/// Returns an order with other arrays.
fn with_arrays(generated: &Generated, arrays: &[Array]) -> Generated {
    let mut generated = generated.clone();
    generated.program.arrays = arrays.to_vec();
    generated
}
