//! A bundle: regions whose rows alternate.
//!
//! As residues of an iterator give a [braid](super::braid) where rows are points, they give regions where rows are long. If the
//! smallest values of the rows interleave, and the largest ones in the same order, then all regions are searched at once:
//! the rows of all of them, in the order (t, region), have edges that ascend or descend. Only the rows between the two edges
//! are looked at one by one.

use symloc_quasi::{Int, Univariate};

use super::region::{Edge, Region};
use super::{Parts, Sums};
use crate::data::Kind;

/// Regions with fewer rows are left alone.
const SHORT: i128 = 8;
/// So are more regions than these: to compare them takes longer than to search each.
const MANY: usize = 1 << 10;

/// Regions of one number of rows with interleaved edges.
#[derive(Clone, Debug)]
pub(crate) struct Bundle {
    rows: i128,
    strands: Vec<Region>,
    /// For each strand, Σ c and Σ v·c over the first t rows of all strands, and row t of those before it.
    counts: Vec<Univariate>,
    weighted: Vec<Univariate>,
}

/// Which of the two edges.
type Side = fn(&Region) -> &Edge;

impl Bundle {
    /// The smallest value.
    pub(super) fn low(&self) -> Int {
        self.strands.iter().map(Region::low).min().unwrap_or(Int::ZERO)
    }

    /// The largest value.
    pub(super) fn high(&self) -> Int {
        self.strands.iter().map(Region::high).max().unwrap_or(Int::ZERO)
    }

    /// The sums over all points.
    pub(super) fn total(&self) -> Sums {
        self.first(self.rows * self.strands.len() as i128)
    }

    /// The sums over the points with values up to `x`.
    pub(super) fn up_to(&self, x: &Int) -> Sums {
        let touched = self.rows_up_to(Region::smallest, x);
        let full = self.rows_up_to(Region::largest, x);
        let mut sums = self.first(full.1);
        if full.0 > 0 {
            let before = self.first(full.0);
            sums = Sums { count: &sums.count - &before.count, weighted: &sums.weighted - &before.weighted };
        }
        self.search((touched.0, touched.1.min(full.0)), x, &mut sums);
        self.search((touched.0.max(full.1), touched.1), x, &mut sums);
        sums
    }

    /// Adds the points of some rows with values up to `x`, strand by strand.
    fn search(&self, (start, end): (i128, i128), x: &Int, sums: &mut Sums) {
        let strands = self.strands.len() as i128;
        if start >= end {
            return;
        }
        // Row t of strand k is row t·strands + k of all.
        let before = |row: i128, k: i128| row / strands + i128::from(k < row % strands);
        for (k, region) in (0..).zip(&self.strands) {
            let first = region.rows().0;
            region.rows_up_to(first + before(start, k), first + before(end, k), x, sums);
        }
    }

    /// The rows with an edge up to `x`: the first ones, or the last ones.
    fn rows_up_to(&self, side: Side, x: &Int) -> (i128, i128) {
        let all = self.rows * self.strands.len() as i128;
        let Some(first) = self.strands.first() else { return (0, 0) };
        let (rising, start) = (side(first).rising, first.rows().0);
        let begun = side(first).value.crossing(x, start, start + self.rows, rising) - start;
        let change = match begun {
            0 => 0,
            _ => {
                let passed = |region: &Region| side(region).value.is_up_to(region.rows().0 + begun - 1, x) == rising;
                (begun - 1) * self.strands.len() as i128 + self.strands.partition_point(passed) as i128
            }
        };
        if rising { (0, change) } else { (change, all) }
    }

    /// The sums over the first so many rows.
    fn first(&self, rows: i128) -> Sums {
        let strands = self.strands.len() as i128;
        let (t, strand) = (rows / strands, (rows % strands) as usize);
        Sums { count: self.counts[strand].at(t), weighted: self.weighted[strand].at(t) }
    }

    /// Regions that have been found to alternate.
    fn new(strands: Vec<Region>, rows: i128) -> Self {
        let counts = prefixes(&strands, Region::counts);
        let weighted = prefixes(&strands, Region::weighted);
        Self { rows, strands, counts, weighted }
    }
}

/// For each strand, the sum over the first t rows of all strands, and row t of those before it.
fn prefixes(strands: &[Region], sums: fn(&Region) -> &Univariate) -> Vec<Univariate> {
    let samples = 1 + strands.iter().map(|region| sums(region).degree()).max().unwrap_or(0);
    let sampled = |region: &Region| {
        let values: Vec<Int> = (0..=samples).map(|t| sums(region).at(region.rows().0 + t as i128)).collect();
        values.iter().map(|value| value - &values[0]).collect::<Vec<Int>>()
    };
    let sampled: Vec<Vec<Int>> = strands.iter().map(sampled).collect();
    let mut current: Vec<Int> =
        (0..samples).map(|t| sampled.iter().fold(Int::ZERO, |sum, strand| &sum + &strand[t])).collect();
    let mut prefixes = Vec::with_capacity(strands.len());
    for strand in &sampled {
        prefixes.push(Univariate::through(&current));
        for (t, sum) in current.iter_mut().enumerate() {
            *sum += &(&strand[t + 1] - &strand[t]);
        }
    }
    prefixes
}

/// Makes bundles of regions where that is possible.
pub(super) fn bundle(kind: Kind, regions: Vec<Region>, parts: &mut Parts) {
    let few = regions.len() <= MANY;
    let mut waiting: Vec<(Form, Region)> = Vec::with_capacity(regions.len());
    for region in regions {
        match few && region.rows().1 - region.rows().0 >= SHORT {
            true => waiting.push((Form::of(&region), region)),
            false => parts.region(kind, region),
        }
    }
    waiting.sort_by(|a, b| a.0.cmp(&b.0));
    let mut groups: Vec<Vec<Region>> = Vec::new();
    let mut last = None;
    for (form, region) in waiting {
        match groups.last_mut() {
            Some(group) if last.as_ref() == Some(&form) => group.push(region),
            _ => groups.push(vec![region]),
        }
        last = Some(form);
    }
    for mut group in groups {
        while !group.is_empty() {
            group = one(kind, group, parts);
        }
    }
}

/// What regions that alternate have in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Form {
    edges: [(bool, usize, Int); 2],
    /// Roughly how many rows there are.
    scale: u32,
}

impl Form {
    fn of(region: &Region) -> Self {
        let edge = |edge: &Edge| (edge.rising, edge.value.degree(), edge.value.top_difference());
        let rows = region.rows().1 - region.rows().0;
        Self { edges: [edge(region.smallest()), edge(region.largest())], scale: (rows + 2).unsigned_abs().ilog2() }
    }
}

/// Adds the first region, with those that alternate with it; returns the others.
fn one(kind: Kind, group: Vec<Region>, parts: &mut Parts) -> Vec<Region> {
    let Some(side) = leading(&group) else {
        group.into_iter().for_each(|region| parts.region(kind, region));
        return Vec::new();
    };
    let Some(anchor) = group.first().cloned() else { return Vec::new() };
    let (near, mut others): (Vec<Region>, Vec<Region>) = group.into_iter().partition(|other| overlap(&anchor, other));
    // All begin at the same value of the leading edge.
    let rising = side(&anchor).rising;
    let starts = near.iter().map(|region| side(region).value.at(region.rows().0));
    let Some(begin) = (if rising { starts.max() } else { starts.min() }) else { return others };
    let before = |region: &Region| {
        let (start, end) = region.rows();
        match rising {
            true => side(region).value.crossing(&(&begin - &Int::from(1)), start, end, true),
            false => side(region).value.crossing(&begin, start, end, false),
        }
    };
    let mut tails: Vec<(Region, i128)> =
        near.into_iter().map(|region| (before(&region), region)).map(|(t, r)| (r, t)).collect();
    tails.sort_by_cached_key(|(region, start)| {
        let value = side(region).value.at(*start);
        if rising { value } else { &Int::ZERO - &value }
    });
    let rows = tails.iter().map(|(region, start)| region.rows().1 - start).min().unwrap_or(0);
    let (mut chosen, mut ends): (Vec<Region>, Vec<Region>) = (Vec::new(), Vec::new());
    for (region, start) in tails {
        let part = region.part(start, start + rows);
        let fits = match (chosen.first(), chosen.last()) {
            (Some(first), Some(last)) => [Region::smallest as Side, Region::largest]
                .iter()
                .all(|side| ordered(*side, last, &part, 0, rows) && ordered(*side, &part, first, 1, rows - 1)),
            _ => rows > 1,
        };
        if fits {
            let (whole_start, whole_end) = region.rows();
            ends.extend([(whole_start, start), (start + rows, whole_end)].map(|(start, end)| region.part(start, end)));
            chosen.push(part);
        } else {
            others.push(region);
        }
    }
    match chosen.len() {
        // Nothing alternates: whatever comes first stays as it is.
        0 => {
            let first = others.remove(0);
            parts.region(kind, first);
        }
        1 => {
            chosen
                .into_iter()
                .chain(ends)
                .filter(|part| part.rows().0 < part.rows().1)
                .for_each(|r| parts.region(kind, r));
        }
        _ => {
            ends.into_iter().filter(|end| end.rows().0 < end.rows().1).for_each(|end| parts.region(kind, end));
            parts.bundle(kind, Bundle::new(chosen, rows));
        }
    }
    others
}

/// The edge that is not constant.
fn leading(group: &[Region]) -> Option<Side> {
    let first = group.first()?;
    [Region::smallest as Side, Region::largest].into_iter().find(|side| side(first).value.degree() > 0)
}

/// Do the values of two regions share at least half of either's range?
fn overlap(one: &Region, other: &Region) -> bool {
    let (low, high) = (one.low().max(other.low()), one.high().min(other.high()));
    let twice = &(&high - &low) + &(&high - &low);
    [one, other].iter().all(|region| twice >= &region.high() - &region.low())
}

/// Is the edge of `b` at row t + ahead never before that of `a` at row t, in the direction of the edge?
fn ordered(side: Side, a: &Region, b: &Region, ahead: i128, rows: i128) -> bool {
    if rows <= 0 {
        return true;
    }
    let (one, other) = (&side(a).value, &side(b).value);
    let degree = one.degree().max(other.degree()) as i128;
    let at = |t: i128| &other.at(b.rows().0 + ahead + t) - &one.at(a.rows().0 + t);
    let (least, most) = Univariate::through(&(0..=degree).map(at).collect::<Vec<_>>()).range(rows);
    if side(a).rising { !least.is_negative() } else { most <= Int::ZERO }
}
