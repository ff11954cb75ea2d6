//! Reductions: updates `x = x op e` whose order does not matter but for rounding.
//!
//! Two instances of one reduction that update the same element may be exchanged: `(x op a) op b` and `(x op b) op a` are
//! equal in exact arithmetic. An order that keeps every other dependence is reached from the program as written by
//! exchanging neighbours, each pair of which touches nothing in common or is such a pair.

use symloc_affine::{Access, AccessId, AccessKind, Program};
use symloc_isl::{Context, UnionMap};

use crate::error::ScheduleError;
use crate::scop::Scop;

/// A statement that updates an element: it is `x = x op e`, and reads x once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// The access that reads x.
    pub read: AccessId,
    /// The access that writes x; it is the only write of its statement.
    pub write: AccessId,
}

impl Reduction {
    /// Returns the reduction that the accesses of a statement are, if the statement's text is `x = x op e`; `None` if it
    /// writes several elements, or reads the element again in `e`.
    pub fn of_update(program: &Program, accesses: &[AccessId]) -> Option<Self> {
        let of = |wanted| accesses.iter().copied().filter(move |id| program.access(*id).kind == wanted);
        let mut writes = of(AccessKind::Write);
        let write = writes.next().filter(|_| writes.next().is_none())?;
        let Access { array, subscripts, .. } = program.access(write);
        let is_read = |id: &AccessId| {
            let access = program.access(*id);
            access.array == *array && access.subscripts == *subscripts
        };
        let mut reads = of(AccessKind::Read).filter(is_read);
        let read = reads.next().filter(|_| reads.next().is_none())?;
        Some(Self { read, write })
    }

    /// Returns true for one of the two accesses.
    pub fn has(&self, access: AccessId) -> bool {
        access == self.read || access == self.write
    }
}

/// The dependences of a program, those between instances of one reduction apart from others.
pub(crate) struct Parted {
    /// From an instance to those that have to come later.
    pub(crate) kept: UnionMap,
    /// From an instance of a reduction to later ones of the same reduction that update the same element.
    pub(crate) exchanged: UnionMap,
}

impl Parted {
    /// Finds the dependences; `later` has the pairs of instances of which the second comes later.
    pub(crate) fn of(
        isl: &Context,
        scop: &Scop,
        reductions: &[Reduction],
        later: &UnionMap,
    ) -> Result<Self, ScheduleError> {
        let pairs = |first: &UnionMap, second: &UnionMap| -> Result<UnionMap, ScheduleError> {
            Ok(first.apply_range(&second.reverse()?)?.intersect(later)?)
        };
        let empty = || UnionMap::empty(isl);
        let (mut updates, mut reads, mut writes, mut exchanged) = (empty()?, empty()?, empty()?, empty()?);
        for (index, statement) in scop.statements.iter().enumerate() {
            let reduction = reductions.iter().find(|reduction| statement.accesses.contains(&reduction.write));
            for access in &statement.accesses {
                let elements = scop.elements(isl, index, *access)?;
                let kind = match scop.program.access(*access).kind {
                    _ if reduction.is_some_and(|reduction| reduction.has(*access)) => &mut updates,
                    AccessKind::Read => &mut reads,
                    AccessKind::Write => &mut writes,
                };
                *kind = kind.union(&elements)?;
            }
            if let Some(reduction) = reduction {
                let elements = scop.elements(isl, index, reduction.write)?;
                exchanged = exchanged.union(&pairs(&elements, &elements)?)?;
            }
        }
        let others = reads.union(&writes)?;
        let kept = [
            pairs(&writes, &others)?,
            pairs(&reads, &writes)?,
            pairs(&updates, &others)?,
            pairs(&others, &updates)?,
            // What two reductions update keeps its order.
            pairs(&updates, &updates)?.subtract(&exchanged)?,
        ];
        let kept = kept.iter().try_fold(empty()?, |all, pairs| all.union(pairs))?;
        Ok(Self { kept, exchanged })
    }
}
