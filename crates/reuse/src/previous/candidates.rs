//! Which accesses may be the previous one (docs/mathematics.md, "The previous access").
//!
//! Two accesses of one loop body touch the same block in each iteration: `C[i][j]` is read and then written. Or two
//! nests go over the same array, one after the other. The earlier access is the last before another one only if that
//! one executes between the two: elsewhere it is *shadowed*. So most accesses need not be asked whether they are the
//! previous one, and programs of many nests are analysed in time that grows with their number and not with its square.

use std::collections::BTreeMap;

use symloc_affine::AccessId;
use symloc_isl::{DimType, Map};

use crate::Error;
use crate::schedule::timestamps::TimeComponent;

/// The accesses to one array, as candidates.
#[derive(Debug)]
pub(crate) struct Candidates<'a> {
    times: &'a [Vec<TimeComponent>],
    shadows: BTreeMap<AccessId, Vec<Shadow<'a>>>,
}

/// In each iteration of the body at the end of a path, another access touches all the blocks that an access touches
/// there, and later: this one is at the first of two positions in the body, or within, and the other one at the second.
#[derive(Debug)]
struct Shadow<'a> {
    path: &'a [TimeComponent],
    positions: (TimeComponent, TimeComponent),
}

impl Shadow<'_> {
    /// Returns true if an access at this time executes after some instance of the first access and before some of the
    /// second, in the same iteration.
    fn is_around(&self, time: &[TimeComponent]) -> bool {
        let (first, second) = &self.positions;
        match time.strip_prefix(self.path) {
            // The one at the first position is the shadowed one itself.
            Some([position]) => first < position && position <= second,
            Some([position, ..]) => first <= position && position <= second,
            _ => false,
        }
    }
}

impl<'a> Candidates<'a> {
    /// Finds the candidates among accesses to one array, given in the order of the text with the blocks that they
    /// touch.
    pub(crate) fn among(accesses: &[(AccessId, Map)], times: &'a [Vec<TimeComponent>]) -> Result<Self, Error> {
        let mut bodies: BTreeMap<&[TimeComponent], Vec<&(AccessId, Map)>> = BTreeMap::new();
        for access in accesses {
            let time = times[access.0.index()].as_slice();
            let positions = (0..time.len()).filter(|at| matches!(time[*at], TimeComponent::Position(_)));
            positions.for_each(|at| bodies.entry(&time[..at]).or_default().push(access));
        }
        let mut candidates = Self { times, shadows: BTreeMap::new() };
        for (path, accesses) in bodies {
            candidates.find_shadows(path, &accesses)?;
        }
        Ok(candidates)
    }

    /// Finds the shadows among the accesses in one body.
    fn find_shadows(&mut self, path: &'a [TimeComponent], accesses: &[&(AccessId, Map)]) -> Result<(), Error> {
        let times = self.times;
        let position = |access: AccessId| times[access.index()][path.len()];
        let (Some((first, _)), Some((last, _))) = (accesses.first(), accesses.last()) else { return Ok(()) };
        if position(*first) == position(*last) {
            return Ok(());
        }
        // The blocks that are touched in an iteration, and the accesses that touch them, of those that are not shadowed
        // yet.
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
                self.shadows.entry(other).or_default().push(Shadow { path, positions: (position(other), second) });
            }
            open[index].1.push(*access);
        }
        Ok(())
    }

    /// Returns true if an access may be the last one before a sink.
    pub(crate) fn may_precede(&self, access: AccessId, sink: AccessId) -> bool {
        let time = |access: AccessId| self.times[access.index()].as_slice();
        let shadows = self.shadows.get(&access);
        let shadowed = shadows.is_some_and(|shadows| shadows.iter().any(|shadow| !shadow.is_around(time(sink))));
        !shadowed && !is_after(time(access), time(sink))
    }

    /// Returns true if an access may be the last one to a block.
    pub(crate) fn may_be_last(&self, access: AccessId) -> bool {
        !self.shadows.contains_key(&access)
    }
}

/// Returns true if an access is always after another one, since they have no loop in common.
fn is_after(time: &[TimeComponent], other: &[TimeComponent]) -> bool {
    let apart =
        time.iter().zip(other).find(|(own, others)| own != others || matches!(own, TimeComponent::Iteration(_)));
    apart.is_some_and(|(own, others)| matches!(own, TimeComponent::Position(_)) && own > others)
}

/// Returns the blocks that an access touches in one iteration of the loops on `path`, the first part of its own path.
fn in_an_iteration(blocks: &Map, time: &[TimeComponent], path: &[TimeComponent]) -> Result<Map, Error> {
    let loops =
        |steps: &[TimeComponent]| steps.iter().filter(|step| matches!(step, TimeComponent::Iteration(_))).count();
    let inner = loops(time) - loops(path);
    let dims = blocks.dim(DimType::In)?;
    // A line start comes before the iterators.
    let starts = dims - loops(time);
    let blocks = blocks.project_out(DimType::In, dims - inner, inner)?.project_out(DimType::In, 0, starts)?;
    Ok(blocks.reset_tuple_name(DimType::In)?)
}

#[cfg(test)]
mod tests {
    use symloc_affine::builder::ProgramBuilder;
    use symloc_affine::{Layout, Line, Program};
    use symloc_isl::Context;

    use super::*;
    use crate::schedule::timestamps::{Timestamps, statement_access};

    /// One nest, two in a loop over time, and one more.
    fn nests() -> Program {
        let mut builder = ProgramBuilder::new("nests");
        let (n, steps) = (builder.param("n"), builder.param("steps"));
        let a = builder.array("A", 8, 1);
        let row = |inner: &mut ProgramBuilder, writes: bool| {
            inner.for_("i", 0, n, |body, i| {
                body.read(a, [i]);
                if writes {
                    body.write(a, [i]);
                }
            });
        };
        row(&mut builder, false);
        builder.for_("t", 0, steps, |inner, _| {
            row(inner, true);
            row(inner, false);
        });
        row(&mut builder, false);
        builder.build()
    }

    #[test]
    fn only_accesses_that_none_follows_are_candidates() {
        let isl = Context::new().unwrap();
        let mut program = nests();
        program.context = Program::default_context(&program.params);
        let timestamps = Timestamps::new(&isl, &program).unwrap();
        let times: Vec<Vec<TimeComponent>> =
            timestamps.statements.iter().map(|statement| statement.time.clone()).collect();
        let maps = timestamps.accesses(&isl, &program, Layout::Rows, Line::Bytes(64)).unwrap().maps().unwrap();
        let named = |map: Map| (statement_access(&map.tuple_name(DimType::In).unwrap().unwrap()).unwrap(), map);
        let mut accesses: Vec<_> = maps.into_iter().map(named).collect();
        accesses.sort_by_key(|(access, _)| *access);
        let candidates = Candidates::among(&accesses, &times).unwrap();
        let of =
            |sink: u32| (0..5).filter(|id| candidates.may_precede(AccessId(*id), AccessId(sink))).collect::<Vec<_>>();
        assert_eq!([0, 1, 2, 3, 4].map(of), [vec![0], vec![0, 2, 3], vec![0, 1, 2, 3], vec![0, 2, 3], vec![3, 4]]);
        assert_eq!((0..5).filter(|id| candidates.may_be_last(AccessId(*id))).collect::<Vec<_>>(), [4]);
    }
}
