//! The operations that accesses, iterators and parameters come from, for those who change the operations.

use melior::ir::ValueLike;
use melior::ir::r#type::TypeLike;
use symloc_affine::{AccessId, Expr, IterId, ParamId};
use symloc_frontend::Origin;
use symloc_frontend::cases::Cases;

use super::walker::Walker;
use crate::ffi::{self, Op, Val};
use crate::memory::Root;
use crate::values::Known;

/// One visit of a region. A region is visited again for each case of the bounds and conditions around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Visit(u32);

/// The origins of accesses and iterators.
#[derive(Clone, Debug, Default)]
pub(crate) struct WalkOrigins<'a> {
    /// By access, the operation that makes it, and the visit of the region that the operation is in.
    pub(crate) accesses: Vec<(Op<'a>, Visit)>,
    /// By iterator, the induction variable; `None` for the loops inside of one operation.
    pub(crate) inductions: Vec<Option<Val<'a>>>,
    /// The outermost branches on data, each of which is one with the statement that it is in.
    pub(crate) data_branches: Vec<Op<'a>>,
    in_data_branch: bool,
    now: Visit,
    visits: u32,
}

impl<'a> WalkOrigins<'a> {
    /// Notes that a region is visited; returns the visit around it. The regions of a branch on data are visited with the
    /// region around it.
    #[must_use]
    pub(crate) fn enter(&mut self) -> Visit {
        if self.in_data_branch {
            return self.now;
        }
        self.visits += 1;
        std::mem::replace(&mut self.now, Visit(self.visits))
    }

    /// Returns to the visit around a region.
    pub(crate) fn leave(&mut self, around: Visit) {
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

/// Where a candidate for a parameter has its value in the function.
#[derive(Clone, Debug)]
pub(crate) enum ParamSource<'a> {
    /// An integer at the top level of the function.
    Value(Val<'a>),
    /// An extent of an argument that is a memref.
    Extent {
        /// The position of the argument.
        argument: usize,
        /// The dimension of the memref.
        dimension: usize,
    },
    /// The product of these candidates.
    Product(Vec<ParamId>),
    /// Nowhere.
    Unknown,
}

impl<'a> Walker<'a, '_> {
    /// Returns the values of the candidates for parameters that are known in front of an operation at the top level.
    pub(crate) fn param_sources(&self, before: Option<Op<'a>>) -> Vec<ParamSource<'a>> {
        let function = self.values.function();
        let is_before = |op: &Op<'a>| before.is_none_or(|before| ffi::key(*op) != ffi::key(before));
        let ops = ffi::regions(function).into_iter().take(1).flat_map(ffi::operations).take_while(is_before);
        let results: Vec<_> = ops.flat_map(ffi::op_results).collect();
        let integers: Vec<Val<'a>> = ffi::arguments(function).into_iter().chain(results).collect();
        let of = |(index, candidate): (usize, &symloc_frontend::Candidate)| {
            let param = ParamId(u32::try_from(index).unwrap_or(u32::MAX));
            let is_it = |value: &&Val<'a>| match self.values.get(**value) {
                Some(Known::Index(Cases::Always(known))) => *known == Expr::param(param),
                _ => false,
            };
            // An index needs no cast.
            let mut found: Vec<Val<'a>> = integers.iter().filter(is_it).copied().collect();
            found.sort_by_key(|value| !value.r#type().is_index());
            if let Some(value) = found.first() {
                return ParamSource::Value(*value);
            }
            match &candidate.origin {
                Origin::Product(factors) => ParamSource::Product(factors.clone()),
                Origin::Argument(position) => {
                    let value = integers.get(*position).copied();
                    value.map_or(ParamSource::Unknown, ParamSource::Value)
                }
                Origin::Extent => match self.values.extent_with(param) {
                    Some((Root::Argument(argument), dimension)) => ParamSource::Extent { argument, dimension },
                    _ => ParamSource::Unknown,
                },
            }
        };
        self.values.candidates().iter().enumerate().map(of).collect()
    }
}
