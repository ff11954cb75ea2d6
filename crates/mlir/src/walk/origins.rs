//! The operations that accesses and iterators come from, for those who change the operations.

use symloc_affine::{AccessId, IterId};

use crate::ffi::{Op, Val};

/// One visit of a region. A region is visited again for each case of the bounds and conditions around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RegionVisit(u32);

/// The origins of accesses and iterators.
#[derive(Clone, Debug, Default)]
pub(crate) struct WalkOrigins<'a> {
    /// By access, the operation that makes it, and the visit of the region that the operation is in.
    pub(crate) accesses: Vec<(Op<'a>, RegionVisit)>,
    /// By iterator, the induction variable; `None` for the loops inside of one operation.
    pub(crate) inductions: Vec<Option<Val<'a>>>,
    /// The outermost branches on data, each of which is one with the statement that it is in.
    pub(crate) data_branches: Vec<Op<'a>>,
    in_data_branch: bool,
    now: RegionVisit,
    visits: u32,
}

impl<'a> WalkOrigins<'a> {
    /// Notes that a region is visited; returns the visit around it. The regions of a branch on data are visited with the
    /// region around it.
    #[must_use]
    pub(crate) fn enter(&mut self) -> RegionVisit {
        if self.in_data_branch {
            return self.now;
        }
        self.visits += 1;
        std::mem::replace(&mut self.now, RegionVisit(self.visits))
    }

    /// Returns to the visit around a region.
    pub(crate) fn leave(&mut self, around: RegionVisit) {
        self.now = around;
    }

    /// Notes that a branch on data begins; returns true if it is in another one.
    #[must_use]
    pub(crate) fn enter_data_branch(&mut self, op: Op<'a>) -> bool {
        if !self.in_data_branch {
            self.data_branches.push(op);
        }
        std::mem::replace(&mut self.in_data_branch, true)
    }

    /// Notes that a branch on data ends.
    pub(crate) fn leave_data_branch(&mut self, outer: bool) {
        self.in_data_branch = outer;
    }

    /// Notes the operation of the next access.
    pub(crate) fn access(&mut self, id: AccessId, op: Op<'a>) {
        debug_assert_eq!(id.index(), self.accesses.len());
        self.accesses.push((op, self.now));
    }

    /// Notes the induction variable of the next iterator.
    pub(crate) fn iterator(&mut self, id: IterId, induction: Option<Val<'a>>) {
        debug_assert_eq!(id.index(), self.inductions.len());
        self.inductions.push(induction);
    }
}
