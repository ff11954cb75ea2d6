//! The values of parameters in front of the loops.

use std::collections::BTreeMap;

use melior::Context;
use melior::ir::r#type::TypeLike;
use melior::ir::{Type, ValueLike};
use symloc_affine::{ParamId, Program};

use super::partition::Partition;
use crate::ffi::{self, Op, Val};
use crate::walk::params::ParamSource;

/// The parameters of a program as indices in front of an operation. Operations that compute them are inserted there.
pub(super) struct ParamValues<'a, 's> {
    pub(super) context: &'a Context,
    pub(super) function: Op<'a>,
    pub(super) partition: &'s Partition<'a>,
    /// The operation that they are in front of.
    pub(super) at: Op<'a>,
    /// By candidate for a parameter, its value.
    pub(super) sources: &'s [ParamSource<'a>],
    /// By parameter, its candidate.
    pub(super) candidates: &'s [usize],
}

impl<'a> ParamValues<'a, '_> {
    /// Returns the values of some parameters; the error is a parameter that has none.
    pub(super) fn of(
        &self,
        program: &Program,
        params: impl IntoIterator<Item = ParamId>,
    ) -> Result<BTreeMap<ParamId, Val<'a>>, ParamId> {
        let value = |param: ParamId| {
            let value = match program.only_value(param) {
                Some(value) => self.constant(value),
                None => self.candidates.get(param.index()).and_then(|candidate| self.candidate(*candidate)),
            };
            Ok((param, value.ok_or(param)?))
        };
        params.into_iter().map(value).collect()
    }

    fn candidate(&self, candidate: usize) -> Option<Val<'a>> {
        match self.sources.get(candidate)? {
            ParamSource::Values(values) => {
                let is_ahead = |value: &&Val<'a>| !self.partition.inside.contains(&ffi::value_key(**value));
                self.as_index(*values.iter().find(is_ahead)?)
            }
            ParamSource::Extent { argument, dimension } => {
                let array = *ffi::arguments(self.function).get(*argument)?;
                let dimension = self.constant(i64::try_from(*dimension).ok()?)?;
                self.insert("memref.dim", &[array, dimension], &[])
            }
            ParamSource::Product(factors) => {
                let factors: Option<Vec<_>> = factors.iter().map(|factor| self.candidate(factor.index())).collect();
                let (first, others) = factors?.split_first().map(|(first, others)| (*first, others.to_vec()))?;
                others.into_iter().try_fold(first, |product, factor| self.insert("arith.muli", &[product, factor], &[]))
            }
            ParamSource::Unknown => None,
        }
    }

    /// Returns an integer as an index. Casts are taken not to wrap, as everywhere; a truth value is 0 or 1.
    fn as_index(&self, value: Val<'a>) -> Option<Val<'a>> {
        let kind = value.r#type();
        match kind.is_index() {
            true => Some(value),
            false if ffi::is_flag(kind) => self.insert("arith.index_castui", &[value], &[]),
            false => self.insert("arith.index_cast", &[value], &[]),
        }
    }

    fn constant(&self, value: i64) -> Option<Val<'a>> {
        self.insert("arith.constant", &[], &[("value", format!("{value} : index"))])
    }

    fn insert(&self, name: &str, operands: &[Val<'a>], attributes: &[(&str, String)]) -> Option<Val<'a>> {
        ffi::insert_before(self.context, self.at, name, operands, Type::index(self.context), attributes)
    }
}
