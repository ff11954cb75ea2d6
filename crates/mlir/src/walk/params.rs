//! The values of parameters in a function, for those who change its operations.

use melior::ir::ValueLike;
use melior::ir::r#type::TypeLike;
use symloc_affine::{Expr, ParamId};
use symloc_frontend::cases::Cases;
use symloc_frontend::{Candidate, Origin};

use super::walker::Walker;
use crate::ffi::{self, Op, Val};
use crate::memory::Root;
use crate::values::Known;

/// Where a candidate for a parameter has its value in the function.
#[derive(Clone, Debug)]
pub(crate) enum ParamSource<'a> {
    /// Integers at the top level of the function that are equal to it, indices first; at least one.
    Values(Vec<Val<'a>>),
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
        let of = |(index, candidate): (usize, &Candidate)| {
            let param = ParamId(u32::try_from(index).unwrap_or(u32::MAX));
            let is_it = |value: &&Val<'a>| match self.values.get(**value) {
                Some(Known::Index(Cases::Always(known))) => *known == Expr::param(param),
                _ => false,
            };
            // An index needs no cast.
            let mut found: Vec<Val<'a>> = integers.iter().filter(is_it).copied().collect();
            found.sort_by_key(|value| !value.r#type().is_index());
            if !found.is_empty() {
                return ParamSource::Values(found);
            }
            match &candidate.origin {
                Origin::Product(factors) => ParamSource::Product(factors.clone()),
                Origin::Argument(position) => {
                    let value = integers.get(*position).copied();
                    value.map_or(ParamSource::Unknown, |value| ParamSource::Values(vec![value]))
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
