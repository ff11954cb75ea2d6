//! The arguments of a function, as the walk has read them.

use melior::ir::r#type::{MemRefType, ShapedTypeLike};
use melior::ir::{Type, ValueLike};
use symloc_affine::{ArrayId, ParamId};
use symloc_frontend::Origin;

use crate::ffi;
use crate::memory::Root;
use crate::memory::order::Order;

use super::walker::Walker;

/// The arrays and parameters of the arguments of a function, before parameters have names. In the order of the
/// arguments.
pub(crate) struct Bound {
    /// Their names in the source.
    pub(crate) names: Vec<Option<String>>,
    /// The integers.
    pub(crate) integers: Vec<Option<ParamId>>,
    /// The arrays that are accessed.
    pub(crate) arrays: Vec<Option<ArrayId>>,
    /// The order of their dimensions in the affine program, if it differs from that in the source.
    pub(crate) orders: Vec<Option<Vec<usize>>>,
    /// The dynamic extents that may be parameters.
    pub(crate) extents: Vec<Vec<Option<ParamId>>>,
}

impl Bound {
    pub(crate) fn of(walker: &Walker<'_, '_>) -> Self {
        let arguments = ffi::arguments(walker.values.function());
        let rank = |kind: Type| MemRefType::try_from(kind).map_or(0, |kind| kind.rank());
        let candidate = |position| {
            let candidates = walker.values.candidates();
            let found = candidates.iter().position(|candidate| candidate.origin == Origin::Argument(position));
            found.and_then(|index| u32::try_from(index).ok()).map(ParamId)
        };
        let extents = |(position, kind): (usize, Type)| {
            let root = Root::Argument(position);
            (0..rank(kind)).map(|dimension| walker.values.known_extent(&root, dimension)).collect()
        };
        let arrays: Vec<_> = (0..arguments.len()).map(|position| walker.arrays.argument(position)).collect();
        let order = |array: &Option<ArrayId>| match walker.arrays.order((*array)?) {
            Order::Permuted { dimensions, .. } => Some(dimensions.clone()),
            _ => None,
        };
        Self {
            names: arguments.iter().map(|value| walker.places.ssa_name(*value).map(str::to_owned)).collect(),
            integers: (0..arguments.len()).map(candidate).collect(),
            orders: arrays.iter().map(order).collect(),
            arrays,
            extents: arguments.iter().map(|value| value.r#type()).enumerate().map(extents).collect(),
        }
    }
}
