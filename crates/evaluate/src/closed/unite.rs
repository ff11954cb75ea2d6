//! Uniting regions whose rows have values near one another.
//!
//! Every residue of an iterator makes a region of its own, and many classes have intervals that differ little. Row t of such
//! regions may as well be one row of several strands: then one search over t does for all of them, and one prefix sum. What is
//! paid for that are edges further apart: a few more rows are searched.

use num_integer::Integer;
use symloc_quasi::{Int, Univariate};

use super::cut::RESIDUES;
use super::overlap;
use super::prefix::Prefix;
use super::region::{Edge, Region};

/// A region costs as much as so many rows of a strand, even if none is searched.
const REGION: i128 = 64;
/// More regions than these are left alone: to compare them takes longer than to search each.
const MANY: usize = 1 << 7;
/// Rows that were cut off are united again so many times.
const ROUNDS: usize = 2;

/// Unites what can be united.
pub(super) fn unite(mut regions: Vec<Region>) -> Vec<Region> {
    if regions.len() > MANY {
        return regions;
    }
    for _ in 0..ROUNDS {
        // The others would spoil the unions of those of which few rows are searched.
        regions.sort_by_cached_key(|region| region.searched_about(region.rows() / 2));
        let mut unions: Vec<Union> = Vec::new();
        for region in regions {
            if !unions.iter_mut().any(|union| union.admit(&region)) {
                unions.push(Union::of(region));
            }
        }
        regions = unions.into_iter().flat_map(Union::finish).collect();
    }
    regions
}

/// Regions that will be united.
struct Union {
    members: Vec<Region>,
    /// As many as all members have.
    rows: i128,
    low: Int,
    high: Int,
    smallest: Edge,
    largest: Edge,
}

impl Union {
    fn of(region: Region) -> Self {
        let (smallest, largest) = region.edges();
        let (smallest, largest) = (smallest.clone(), largest.clone());
        Self { rows: region.rows(), low: region.low(), high: region.high(), smallest, largest, members: vec![region] }
    }

    /// Takes a region in, if that is worth while.
    fn admit(&mut self, region: &Region) -> bool {
        let rows = self.rows.min(region.rows());
        if 2 * rows < self.rows.max(region.rows()) || !overlap((&self.low, &self.high), (&region.low(), &region.high()))
        {
            return false;
        }
        let (smallest, largest) = region.edges();
        let (Some(smallest), Some(largest)) = (self.smallest.below(smallest, rows), self.largest.above(largest, rows))
        else {
            return false;
        };
        let strands = |region: &Region| region.strands() as i128;
        let mine: i128 = self.members.iter().map(strands).sum();
        let few = [rows / 4, rows / 2, rows - rows / 4 - 1].into_iter().all(|t| {
            let x = smallest.at(t, Int::div_ceil);
            let apart = mine * self.smallest.rows_apart(&self.largest, &x, rows)
                + strands(region) * region.edges().0.rows_apart(region.edges().1, &x, rows);
            (mine + strands(region)) * smallest.rows_apart(&largest, &x, rows) <= apart + REGION
        });
        if few {
            (self.rows, self.smallest, self.largest) = (rows, smallest, largest);
            self.members.push(region.clone());
        }
        few
    }

    /// The union, and what is left of its members.
    fn finish(self) -> Vec<Region> {
        let Self { members, rows, smallest, largest, .. } = self;
        if members.len() == 1 {
            return members;
        }
        let Some(sums) = Prefix::sum(members.iter().map(Region::sums), RESIDUES) else { return members };
        let rest = members.iter().filter(|region| region.rows() > rows).map(|region| region.from(rows));
        let mut regions: Vec<Region> = rest.collect();
        let strands = members.into_iter().flat_map(Region::into_strands).collect();
        regions.push(Region::new(rows, strands, sums, [smallest, largest]));
        regions
    }
}

impl Edge {
    /// An edge that is below both in the first rows; `None` if they have different directions.
    fn below(&self, other: &Self, rows: i128) -> Option<Self> {
        Some(self.negated().above(&other.negated(), rows)?.negated())
    }

    /// An edge that is above both in the first rows; `None` if they have different directions.
    fn above(&self, other: &Self, rows: i128) -> Option<Self> {
        let scale = self.scale.checked_mul(other.scale / self.scale.gcd(&other.scale))?;
        let (one, two) = (self.scaled(scale), other.scaled(scale));
        let degree = one.value.degree().max(two.value.degree()) as i128;
        let difference: Vec<Int> = (0..=degree).map(|t| &two.value.at(t) - &one.value.at(t)).collect();
        let (least, most) = Univariate::through(&difference).range(rows);
        // Either is raised where the other is above it.
        let raised = if most <= &Int::ZERO - &least { one.raised(&most) } else { two.raised(&(&Int::ZERO - &least)) };
        (self.rising == other.rising).then_some(raised)
    }

    fn negated(&self) -> Self {
        Self { value: self.mapped(|value| &Int::ZERO - value), scale: self.scale, rising: !self.rising }
    }

    fn scaled(&self, scale: i128) -> Self {
        let factor = Int::from(scale / self.scale);
        Self { value: self.mapped(|value| value * &factor), scale, rising: self.rising }
    }

    fn raised(&self, by: &Int) -> Self {
        let by = by.max(&Int::ZERO);
        Self { value: self.mapped(|value| value + by), ..self.clone() }
    }

    fn mapped(&self, map: impl Fn(&Int) -> Int) -> Univariate {
        let values = self.value.values(self.value.degree() + 1);
        Univariate::through(&values.iter().map(map).collect::<Vec<_>>())
    }
}
