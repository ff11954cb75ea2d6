//! What a program touches at a size: how often, in which order, and in which ranges of subscripts.
//!
//! In a loop on whose iterator nothing below depends but affine subscripts, their extremes are at its ends: two iterations are surveyed,
//! however many there are.

use symloc_affine::{Array, Extent, Program};

use crate::code::{Code, Site, Visitor, run};
use crate::error::{ReplayError, overflow};
use crate::path::{Path, Visit, paths};

/// What a program touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// How many accesses there are (N).
    pub accesses: u64,
    /// By array in the order of the program's table, for each subscript the smallest and the largest value; nothing if the array is
    /// never touched.
    pub ranges: Vec<Option<Vec<(i64, i64)>>>,
    /// By array with constant strides, the smallest and the largest distance from its first element, in elements; for others (0, 0).
    pub distances: Vec<(i128, i128)>,
    /// The arrays that are touched, by their first access.
    pub order: Vec<usize>,
}

impl Survey {
    /// Surveys a program; ends with an error if it has more accesses than `limit`.
    ///
    /// # Errors
    ///
    /// [`ReplayError::TooManyAccesses`], or [`ReplayError::Overflow`] if a value leaves 64 bits.
    pub fn of(code: &Code<'_>, limit: u64) -> Result<Self, ReplayError> {
        let arrays = code.program.arrays.len();
        let (ranges, distances) = (vec![None; arrays], vec![(0, 0); arrays]);
        let survey = Survey { accesses: 0, ranges, distances, order: Vec::new() };
        let mut surveyor = Surveyor { program: code.program, survey, limit };
        let mut iters = vec![0; code.program.iters.len()];
        paths(&code.body).iter().try_for_each(|path| surveyor.path(path, &mut iters))?;
        let Surveyor { mut survey, .. } = surveyor;
        survey.order = first_accesses(code, survey.ranges.iter().flatten().count())?;
        Ok(survey)
    }

    /// For each array, how many elements it has in each dimension, declared ones and those that are touched; none if it is not touched.
    pub fn extents(&self, program: &Program) -> Vec<Vec<i64>> {
        let extents = |(array, touched): (&Array, &Option<Vec<(i64, i64)>>)| match touched {
            Some(touched) => {
                let hull = hull(array, touched).into_iter();
                hull.map(|(low, high)| high.saturating_sub(low).saturating_add(1)).collect()
            }
            None => Vec::new(),
        };
        program.arrays.iter().zip(&self.ranges).map(extents).collect()
    }
}

/// In each dimension what is declared, and what is touched.
pub(crate) fn hull(array: &Array, touched: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let dimensions = array.shape.iter().zip(touched);
    dimensions.map(|(extent, (low, high))| ((*low).min(0), last(extent).max(*high))).collect()
}

/// The last subscript of an extent; 0 where that is not known.
pub(crate) fn last(extent: &Extent) -> i64 {
    match extent {
        Extent::Known(extent) => extent.saturating_sub(1).max(0),
        Extent::Dynamic => 0,
    }
}

struct Surveyor<'p> {
    program: &'p Program,
    survey: Survey,
    limit: u64,
}

impl Surveyor<'_> {
    fn path(&mut self, path: &Path<'_, Site>, iters: &mut [i64]) -> Result<(), ReplayError> {
        let mut visits = vec![Visit::All; iters.len()];
        for head in path.free() {
            let slopes = path.site.subscripts.iter().map(|subscript| subscript.slope(head.slot));
            visits[head.slot] = match slopes.collect::<Option<Vec<_>>>() {
                Some(slopes) if slopes.iter().all(|slope| *slope == 0) => Visit::First,
                Some(_) => Visit::Ends,
                None => Visit::All,
            };
        }
        path.walk(iters, &|head| visits[head.slot], &mut |iters, accesses| {
            self.count(accesses)?;
            self.include(path.site, iters)
        })
    }

    fn count(&mut self, accesses: u64) -> Result<(), ReplayError> {
        self.survey.accesses = self.survey.accesses.saturating_add(accesses);
        match self.survey.accesses <= self.limit {
            true => Ok(()),
            false => Err(ReplayError::TooManyAccesses { limit: self.limit }),
        }
    }

    fn include(&mut self, site: &Site, iters: &[i64]) -> Result<(), ReplayError> {
        let Survey { ranges, distances, .. } = &mut self.survey;
        let ranges = ranges[site.array].get_or_insert_with(|| vec![(i64::MAX, i64::MIN); site.subscripts.len()]);
        let strides = self.program.arrays[site.array].strides.as_ref();
        let mut distance = strides.map_or(0, |strides| i128::from(strides.offset));
        for (dimension, (subscript, (low, high))) in site.subscripts.iter().zip(ranges).enumerate() {
            let value = subscript.at(iters).ok_or_else(|| overflow("a subscript"))?;
            *low = value.min(*low);
            *high = value.max(*high);
            distance += strides.map_or(0, |strides| i128::from(strides.strides[dimension]) * i128::from(value));
        }
        let (low, high) = &mut distances[site.array];
        *low = distance.min(*low);
        *high = distance.max(*high);
        Ok(())
    }
}

/// The arrays that are touched, of which there are so many, by their first access.
fn first_accesses(code: &Code<'_>, touched: usize) -> Result<Vec<usize>, ReplayError> {
    let mut arrivals = Arrivals { order: Vec::new(), touched, rectangular: &code.rectangular };
    match run(code.program, &code.body, &mut arrivals) {
        Ok(()) | Err(Stop::Complete) => Ok(arrivals.order),
        Err(Stop::Failed(error)) => Err(error),
    }
}

/// The arrays in the order of their first access.
struct Arrivals<'c> {
    order: Vec<usize>,
    /// How many there will be.
    touched: usize,
    rectangular: &'c [bool],
}

/// Why a run ends early.
enum Stop {
    /// There is nothing more to be found.
    Complete,
    Failed(ReplayError),
}

impl From<ReplayError> for Stop {
    fn from(error: ReplayError) -> Self {
        Self::Failed(error)
    }
}

impl Visitor<Site> for Arrivals<'_> {
    type Error = Stop;

    fn row(&mut self, sites: &[Site], _: u64, iters: &[i64]) -> Result<(), Stop> {
        sites.iter().try_for_each(|site| self.access(site, iters))
    }

    fn access(&mut self, site: &Site, _: &[i64]) -> Result<(), Stop> {
        if !self.order.contains(&site.array) {
            self.order.push(site.array);
        }
        if self.order.len() < self.touched { Ok(()) } else { Err(Stop::Complete) }
    }

    fn leaves_out(&mut self, slot: usize, done: u64, left: u64) -> u64 {
        if done == 1 && self.rectangular[slot] { left } else { 0 }
    }
}
