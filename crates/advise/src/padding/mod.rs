//! Rows that are made longer, so that columns meet more sets of caches (docs/advice.md, "Padding of rows").
//!
//! - `rows`: columns that meet few sets, and arrays with longer rows; `lengths`: arrays whose rows have one length.
//!
//! Arrays are tried alone, those with the most misses together, and all. The cost is that of orders, with the arrays' strides changed.

mod lengths;
mod rows;

use symloc_affine::{Array, Atom, Program};
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

/// So many groups of arrays are tried alone, and so many of the first ones together.
const GROUPS: usize = 4;
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
    let search = PaddingSearch { question, crowded, written: &written.generated };
    orders.iter().map(|order| search.best(order)).collect()
}

/// Returns the arrays with columns that meet few sets.
fn crowded_rows(question: &PaddingQuestion<'_>, written: &Generated) -> Result<Vec<CrowdedRows>, AdviseError> {
    let PaddingQuestion { sizes, hierarchy, .. } = question;
    let executed = written.executed();
    let ranges = Survey::of(&Code::new(&executed, sizes)?)?.ranges;
    let of = |(place, touched): (usize, &Option<Vec<(i64, i64)>>)| {
        if runs_across_rows(question.declared, place) {
            return None;
        }
        CrowdedRows::of(place, &executed.arrays[place], touched.as_ref()?, hierarchy.line, &hierarchy.designs)
    };
    Ok(ranges.iter().enumerate().filter_map(of).collect())
}

/// Returns true if an access reaches an array of a program across its rows, so that its subscripts are quotients and remainders by the
/// length of a row: with longer rows it would reach other elements.
fn runs_across_rows(program: &Program, array: usize) -> bool {
    let is_quotient = |atom: &Atom| matches!(atom, Atom::Floor(..));
    let own = program.accesses.iter().filter(|access| access.array.index() == array);
    own.flat_map(|access| &access.subscripts).any(|subscript| subscript.mentions(&is_quotient))
}

/// A distance of rows for each of some arrays.
type RowDistances = Vec<(usize, i64)>;

struct PaddingSearch<'s> {
    question: &'s PaddingQuestion<'s>,
    crowded: Vec<CrowdedRows>,
    /// The program as written.
    written: &'s Generated,
}

impl PaddingSearch<'_> {
    /// Returns the distances that are tried for each group of arrays whose rows are longer together, the group with the most misses
    /// of an order first.
    fn groups(&self, order: &AdvisedOrder) -> Vec<Vec<RowDistances>> {
        let mut groups: Vec<Vec<RowDistances>> = Vec::new();
        for rows in &self.crowded {
            let together = padded_together(self.question.declared, rows.array);
            // The first crowded array of a group has its distances.
            if self.crowded.iter().any(|other| other.array < rows.array && together.contains(&other.array)) {
                continue;
            }
            let with = |distance: i64| together.iter().map(|array| (*array, distance)).collect();
            groups.push(rows.longer().into_iter().map(with).collect());
        }
        let misses = |array: usize| order.cost.misses.iter().map(|level| level.arrays[array]).sum::<f64>();
        let weight = |group: &Vec<RowDistances>| {
            group.first().into_iter().flatten().map(|(array, _)| misses(*array)).sum::<f64>()
        };
        groups.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
        groups
    }

    /// Returns the distances that are tried, those of fewer groups first: each group alone, the first two, three and so on, and all.
    fn candidates(&self, order: &AdvisedOrder) -> Vec<RowDistances> {
        let groups = self.groups(order);
        let mut candidates: Vec<RowDistances> = groups.iter().take(GROUPS).flatten().cloned().collect();
        let most = groups.iter().map(Vec::len).max().unwrap_or(0);
        let together = |(first, place): (usize, usize)| {
            let chosen = groups[..first].iter().filter_map(|group| group.get(place).or(group.last()));
            chosen.flatten().copied().collect()
        };
        let firsts = (2..=groups.len()).filter(|first| *first <= GROUPS || *first == groups.len());
        candidates.extend(firsts.flat_map(|first| (0..most).map(move |place| (first, place))).map(together));
        candidates
    }

    /// Returns the longer rows with which an order costs least; of those that cost nearly as little the ones of the fewest arrays.
    fn best(&self, order: &AdvisedOrder) -> Result<Option<RowPadding>, AdviseError> {
        let candidates = self.candidates(order);
        let limit = COUNTED / (4 * candidates.len().max(1) as u64);
        let cost = |distances: &RowDistances| self.cost(order, distances, limit, Some(SampleSize::LARGE));
        let costs = in_parallel(&candidates, cost).into_iter().collect::<Result<Vec<_>, _>>()?;
        let known = || candidates.iter().zip(&costs).filter_map(|(distances, cost)| Some((distances, cost.as_ref()?)));
        let least = known().map(|(_, cost)| cost.cycles).fold(f64::INFINITY, f64::min);
        let mut found = known().filter(|(_, cost)| cost.cycles * (1.0 - GAIN) <= least && self.is_kept(order, cost));
        let Some((distances, cost)) = found.next() else { return Ok(None) };
        let counted = match order.cost.is_exact && !cost.is_exact {
            true => self.cost(order, distances, COUNTED, None)?,
            false => None,
        };
        let cost = counted.unwrap_or_else(|| cost.clone());
        Ok(self.is_kept(order, &cost).then(|| RowPadding { arrays: self.longer(distances), cost }))
    }

    /// Returns true if longer rows save enough: a share of all cycles, and beyond what samples leave open of both costs.
    fn is_kept(&self, order: &AdvisedOrder, padded: &Cost) -> bool {
        let PaddingQuestion { nests, sizes, hierarchy, .. } = self.question;
        let open = match order.cost.is_exact && padded.is_exact {
            true => 0.0,
            false => {
                let accesses: f64 = Costed::new(&order.generated, nests, sizes).counts.accesses.iter().sum();
                2.0 * PRECISION * accesses * hierarchy.designs.len() as f64
            }
        };
        order.cost.cycles - padded.cycles > GAIN * order.cost.cycles + open
    }

    /// Returns the cost of an order with rows so far apart, counted if no more than `limit` accesses have to be run for it, and
    /// otherwise estimated from so many samples; `None` if there are to be none, or if an array cannot have such rows.
    fn cost(
        &self,
        order: &AdvisedOrder,
        distances: &RowDistances,
        limit: u64,
        otherwise: Option<SampleSize>,
    ) -> Result<Option<Cost>, AdviseError> {
        let PaddingQuestion { nests, sizes, hierarchy, .. } = self.question;
        let Some(arrays) = with_distances(&self.written.program.arrays, distances) else { return Ok(None) };
        let estimator = MissEstimator::new(&with_arrays(self.written, &arrays).executed(), hierarchy, sizes)?;
        let generated = with_arrays(&order.generated, &arrays);
        let costed = Costed::new(&generated, nests, sizes);
        match estimator.exact_cost(&costed, limit)? {
            None => otherwise.map(|size| estimator.cost(&costed, size)).transpose(),
            counted => Ok(counted),
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
