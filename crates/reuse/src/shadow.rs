//! Accesses that others shadow (docs/mathematics.md, "The previous access").
//!
//! Two accesses of one loop body touch the same block in each iteration: `C[i][j]` is read and then written. Or two nests go over the
//! same array, one after the other. The earlier access is the last before another one only if that one executes between the
//! two. So most accesses need not be asked whether they are the previous one, and programs of many nests are analysed in
//! time that grows with their number and not with its square.

use std::collections::BTreeMap;

use symloc_affine::AccessId;
use symloc_isl::{DimType, Map};

use crate::Error;
use crate::timestamps::Step;

/// Which accesses are shadowed, and when they are not.
#[derive(Debug, Default)]
pub(crate) struct Shadows<'a>(BTreeMap<AccessId, Vec<Shadow<'a>>>);

/// In each iteration of the body at the end of a path, another access touches all the blocks that an access touches there, and later:
/// this one is at the first of two positions in the body, or within, and the other one at the second.
#[derive(Debug)]
struct Shadow<'a> {
    path: &'a [Step],
    positions: (Step, Step),
}

impl Shadow<'_> {
    /// Does an access at this time execute after some instance of the one and before some of the other, in the same iteration?
    fn is_around(&self, time: &[Step]) -> bool {
        let (first, second) = &self.positions;
        match time.strip_prefix(self.path) {
            // The one at the first position is the shadowed one itself.
            Some([position]) => first < position && position <= second,
            Some([position, ..]) => first <= position && position <= second,
            _ => false,
        }
    }
}

impl<'a> Shadows<'a> {
    /// Among accesses to one array, in the order of the text, with the blocks that they touch and their times.
    pub(crate) fn among(accesses: &[(AccessId, Map)], times: &'a [Vec<Step>]) -> Result<Self, Error> {
        let mut bodies: BTreeMap<&[Step], Vec<&(AccessId, Map)>> = BTreeMap::new();
        for access in accesses {
            let time = times[access.0.index()].as_slice();
            let positions = (0..time.len()).filter(|at| matches!(time[*at], Step::Position(_)));
            positions.for_each(|at| bodies.entry(&time[..at]).or_default().push(access));
        }
        let mut shadows = Self::default();
        for (path, accesses) in bodies {
            shadows.within(path, &accesses, times)?;
        }
        Ok(shadows)
    }

    /// Among the accesses in one body.
    fn within(&mut self, path: &'a [Step], accesses: &[&(AccessId, Map)], times: &'a [Vec<Step>]) -> Result<(), Error> {
        let position = |access: AccessId| times[access.index()][path.len()];
        let (Some((first, _)), Some((last, _))) = (accesses.first(), accesses.last()) else { return Ok(()) };
        if position(*first) == position(*last) {
            return Ok(());
        }
        // The blocks that are touched in an iteration, and the accesses that touch them, of those that are not shadowed yet.
        let mut open: Vec<(Map, Vec<AccessId>)> = Vec::new();
        for (access, map) in accesses {
            let blocks = in_an_iteration(map, &times[access.index()], path)?;
            let mut same = None;
            for (index, (others, _)) in open.iter().enumerate() {
                if same.is_none() && blocks.plain_is_equal(others)? {
                    same = Some(index);
                }
            }
            let Some(index) = same else {
                open.push((blocks, vec![*access]));
                continue;
            };
            let second = position(*access);
            for other in open[index].1.extract_if(.., |other| position(*other) != second) {
                self.0.entry(other).or_default().push(Shadow { path, positions: (position(other), second) });
            }
            open[index].1.push(*access);
        }
        Ok(())
    }

    /// Is an access never the last one before another one?
    pub(crate) fn hide(&self, access: AccessId, from: &[Step]) -> bool {
        self.0.get(&access).is_some_and(|shadows| shadows.iter().any(|shadow| !shadow.is_around(from)))
    }

    /// Is an access never the last one to a block?
    pub(crate) fn hide_at_last(&self, access: AccessId) -> bool {
        self.0.contains_key(&access)
    }
}

/// The blocks that an access touches in an iteration of the loops on the first part of its path.
fn in_an_iteration(blocks: &Map, time: &[Step], path: &[Step]) -> Result<Map, Error> {
    let loops = |steps: &[Step]| steps.iter().filter(|step| matches!(step, Step::Iteration(_))).count();
    let inner = loops(time) - loops(path);
    let dims = blocks.dim(DimType::In)?;
    // A line start comes before the iterators.
    let starts = dims - loops(time);
    let blocks = blocks.project_out(DimType::In, dims - inner, inner)?.project_out(DimType::In, 0, starts)?;
    Ok(blocks.reset_tuple_name(DimType::In)?)
}
