//! Surveys the accesses of a program at a size: their numbers, the order of arrays, and the ranges of subscripts.

use symloc_affine::{Array, Extent, Program};

use crate::affine::Affine;
use crate::code::{Code, Op, Site, Visitor, run};
use crate::error::{ReplayError, overflow};
use crate::path::{Path, paths};

/// The elements that a program touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// By array in the order of the program's table, the smallest and the largest value of each subscript; `None` if the array is
    /// never touched.
    pub ranges: Vec<Option<Vec<(i64, i64)>>>,
    /// By array with constant strides, the smallest and the largest distance from its first element, in elements; for others (0, 0).
    pub distances: Vec<(i128, i128)>,
    /// The arrays that are touched, in the order of their first access.
    pub order: Vec<usize>,
    /// The values of the parameters.
    pub(crate) sizes: Vec<i64>,
}

/// A dimension with an undeclared extent that is assumed to be longer than its touched part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The array, by its index in the program's table.
    pub array: usize,
    /// The dimension.
    pub dimension: usize,
    /// The length of the touched part.
    pub touched: i64,
    /// The assumed length.
    pub taken: i64,
}

impl Survey {
    /// Surveys a program.
    ///
    /// # Errors
    ///
    /// [`ReplayError::Overflow`] if a value leaves 64 bits.
    pub fn of(code: &Code<'_>) -> Result<Self, ReplayError> {
        let arrays = code.program.arrays.len();
        let mut survey = Survey {
            ranges: vec![None; arrays],
            distances: vec![(0, 0); arrays],
            order: Vec::new(),
            sizes: code.sizes.clone(),
        };
        let mut iters = vec![0; code.program.iters.len()];
        for path in paths(&code.body) {
            survey.include(&path, code.program, &mut iters)?;
        }
        survey.order = first_accesses(code, survey.ranges.iter().flatten().count())?;
        Ok(survey)
    }

    fn include(&mut self, path: &Path<'_, Site>, program: &Program, iters: &mut [i64]) -> Result<(), ReplayError> {
        let Site { array, subscripts, .. } = path.site;
        // A scalar has no subscript that shows whether it is touched.
        if path.largest(&Affine::constant(0), iters)?.is_none() {
            return Ok(());
        }
        let mut ends =
            |expr: &Affine| Ok::<_, ReplayError>(path.smallest(expr, iters)?.zip(path.largest(expr, iters)?));
        let ranges = self.ranges[*array].get_or_insert_with(|| vec![(i64::MAX, i64::MIN); subscripts.len()]);
        for (subscript, (low, high)) in subscripts.iter().zip(ranges) {
            if let Some((least, most)) = ends(subscript)? {
                (*low, *high) = (least.min(*low), most.max(*high));
            }
        }
        if let Some(strides) = &program.arrays[*array].strides {
            let mut distance = Affine::constant(strides.offset);
            for (subscript, stride) in subscripts.iter().zip(&strides.strides) {
                distance.add(subscript, *stride).ok_or_else(|| overflow("an address"))?;
            }
            if let Some((least, most)) = ends(&distance)? {
                let (low, high) = &mut self.distances[*array];
                (*low, *high) = (i128::from(least).min(*low), i128::from(most).max(*high));
            }
        }
        Ok(())
    }

    /// Returns the number of elements of each array in each dimension: declared and touched ones, and the guessed number in
    /// dynamic dimensions; an empty list if the array is not touched.
    pub fn extents(&self, program: &Program) -> Vec<Vec<i64>> {
        let extents = |(array, touched): (&Array, &Option<Vec<(i64, i64)>>)| match touched {
            Some(touched) => {
                let hull = whole(array, &hull(array, touched), &self.sizes).into_iter();
                hull.map(|(low, high)| high.saturating_sub(low).saturating_add(1)).collect()
            }
            None => Vec::new(),
        };
        program.arrays.iter().zip(&self.ranges).map(extents).collect()
    }

    /// Returns the dimensions that are assumed to be longer than their touched part, in arrays whose row length is unknown at
    /// this size.
    pub fn guesses(&self, program: &Program) -> Vec<Guess> {
        let mut guesses = Vec::new();
        for (index, (array, touched)) in program.arrays.iter().zip(&self.ranges).enumerate() {
            let Some(touched) = touched.as_ref().filter(|_| array.strides_at(&self.sizes).is_none()) else { continue };
            let touched = hull(array, touched);
            let whole = whole(array, &touched, &self.sizes);
            for (dimension, ((_, touched), (_, taken))) in touched.iter().zip(&whole).enumerate() {
                if touched != taken {
                    guesses.push(Guess { array: index, dimension, touched: touched + 1, taken: taken + 1 });
                }
            }
        }
        guesses
    }
}

/// Returns the range of each dimension that is declared or touched.
pub(crate) fn hull(array: &Array, touched: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let dimensions = array.shape.iter().zip(touched);
    dimensions.map(|(extent, (low, high))| ((*low).min(0), last(extent).max(*high))).collect()
}

/// Returns the range of each dimension, with symbolic extents evaluated at this size and dynamic ones guessed. Loops leave out a
/// row or two at the edge of an array (of a triangle, of a grid with a boundary), so a parameter that exceeds the touched part by
/// no more than that is taken for the extent.
pub(crate) fn whole(array: &Array, hull: &[(i64, i64)], sizes: &[i64]) -> Vec<(i64, i64)> {
    let dimension = |(extent, &(low, high)): (&Extent, &(i64, i64))| {
        let edge = high.saturating_add(EDGE);
        let guess = || sizes.iter().map(|size| size - 1).filter(|last| (high..=edge).contains(last)).min();
        match extent.at(sizes) {
            Some(extent) => (low, high.max(extent.saturating_sub(1))),
            None => (low, guess().filter(|_| low >= 0).unwrap_or(high)),
        }
    };
    array.shape.iter().zip(hull).map(dimension).collect()
}

/// The largest number of rows or columns that a loop leaves out at the edge of an array.
const EDGE: i64 = 2;

/// Returns the last subscript of an extent; 0 where it is unknown.
pub(crate) fn last(extent: &Extent) -> i64 {
    extent.constant().map_or(0, |extent| extent.saturating_sub(1).max(0))
}

/// Returns the number of executions of each access of the text.
///
/// # Errors
///
/// [`ReplayError::TooManyAccesses`] if there are more than `limit` in all, or [`ReplayError::Overflow`] if a value leaves 64 bits.
pub fn executions(code: &Code<'_>, limit: u64) -> Result<Vec<u64>, ReplayError> {
    let mut executions = vec![0; code.program.accesses.len()];
    let mut iters = vec![0; code.program.iters.len()];
    let mut all = 0_u64;
    for path in paths(&code.body) {
        let free: Vec<usize> = path.free().map(|head| head.slot).collect();
        path.walk(&mut iters, &|head| free.contains(&head.slot), &mut |_, accesses| {
            executions[path.site.access] += accesses;
            all = all.saturating_add(accesses);
            if all > limit { Err(ReplayError::TooManyAccesses { limit }) } else { Ok(()) }
        })?;
    }
    Ok(executions)
}

/// Returns the touched arrays, `touched` in number, in the order of their first access.
fn first_accesses(code: &Code<'_>, touched: usize) -> Result<Vec<usize>, ReplayError> {
    let mut below = vec![Vec::new(); code.program.iters.len()];
    for op in &code.body {
        collect_below(op, &mut below);
    }
    let mut arrivals = Arrivals { order: Vec::new(), touched, rectangular: &code.rectangular, below };
    match run(code.program, &code.body, &mut arrivals) {
        Ok(()) | Err(Stop::Complete) => Ok(arrivals.order),
        Err(Stop::Failed(error)) => Err(error),
    }
}

/// Collects the arrays in the order of their first access.
struct Arrivals<'c> {
    order: Vec<usize>,
    /// The expected number of arrays.
    touched: usize,
    rectangular: &'c [bool],
    /// By loop, the arrays that are accessed in it.
    below: Vec<Vec<usize>>,
}

/// Returns the arrays that a node accesses, and sets those of each loop in it.
fn collect_below(op: &Op<Site>, below: &mut [Vec<usize>]) -> Vec<usize> {
    match op {
        Op::Access(site) => vec![site.array],
        Op::Row(_, sites) => sites.iter().map(|site| site.array).collect(),
        Op::Loop(head, body) => {
            let arrays: Vec<usize> = body.iter().flat_map(|op| collect_below(op, below)).collect();
            below[head.slot].clone_from(&arrays);
            arrays
        }
        Op::If(_, branches) => branches.iter().flatten().flat_map(|op| collect_below(op, below)).collect(),
    }
}

/// The reason why a run ends early.
enum Stop {
    /// All arrays have been found.
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
        let is_over = || self.below[slot].iter().all(|array| self.order.contains(array));
        if done == 1 && self.rectangular[slot] || done > 0 && is_over() { left } else { 0 }
    }
}
