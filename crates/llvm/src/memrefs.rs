//! Arguments as MLIR passes them: a memref is where it was allocated, where it is, its offset, its extents and its strides.

use inkwell::types::PointerType;
use inkwell::values::{BasicMetadataValueEnum, IntValue};
use symloc_frontend::Diagnostic;
use symloc_frontend::signature::{Argument, ArrayArgument, Side};

use crate::entry::{Asked, Entry, failed};

impl<'c> Entry<'_, '_, 'c> {
    /// The values of all arguments.
    pub(crate) fn handed_over(
        &mut self,
        signature: &[Argument],
    ) -> Result<Vec<BasicMetadataValueEnum<'c>>, Diagnostic> {
        let mut values = Vec::new();
        for (position, argument) in signature.iter().enumerate() {
            let name = match argument {
                Argument::Array(array) => {
                    let next = u32::try_from(values.len()).ok().and_then(|next| self.callee.get_nth_param(next));
                    let space = next
                        .filter(|value| value.is_pointer_value())
                        .map(|value| value.into_pointer_value().get_type());
                    values.extend(self.array(array, space)?);
                    continue;
                }
                Argument::Integer(name) => name.clone(),
                Argument::Scalar => None,
            };
            let kind = u32::try_from(values.len()).ok().and_then(|next| self.callee.get_nth_param(next));
            let value =
                kind.map(|kind| self.scalar(inkwell::values::BasicValue::as_basic_value_enum(&kind).get_type(), name));
            let value = value.transpose()?.flatten();
            let why = || self.refuse(&format!("argument {} is neither a number nor a memref", position + 1));
            values.push(value.ok_or_else(why)?);
        }
        match u32::try_from(values.len()) == Ok(self.callee.count_params()) {
            true => Ok(values),
            false => Err(self.refuse("its arguments are not passed as MLIR passes them")),
        }
    }

    fn array(
        &mut self,
        array: &ArrayArgument,
        kind: Option<PointerType<'c>>,
    ) -> Result<Vec<BasicMetadataValueEnum<'c>>, Diagnostic> {
        let mut start = self.asked_memory(array.name.clone())?;
        // Other address spaces are parts of one memory.
        if let Some(kind) = kind.filter(|kind| *kind != start.get_type()) {
            start = self.builder.build_address_space_cast(start, kind, "").map_err(failed)?;
        }
        let rank = array.extents.len();
        let extents = array.extents.iter().map(|side| match side {
            Side::Constant(extent) => Ok(self.number(*extent)),
            Side::Parameter(name) => self.asked(Asked::Value(Some(name.clone()))).map(|value| value.into_int_value()),
            Side::Accessed(dimension) => {
                let asked = Asked::Extent { array: array.name.clone(), dimension: *dimension, rank };
                self.asked(asked).map(|value| value.into_int_value())
            }
        });
        let extents: Vec<_> = extents.collect::<Result<_, _>>()?;
        let strides = match &array.strides {
            Some(strides) => strides.iter().map(|stride| self.number(*stride)).collect(),
            None => self.row_major(&extents)?,
        };
        let offset = self.number(array.offset);
        let numbers = [vec![offset], extents, strides].concat().into_iter().map(BasicMetadataValueEnum::from);
        Ok([start.into(), start.into()].into_iter().chain(numbers).collect())
    }

    /// The distances of neighbours where rows follow each other.
    fn row_major(&self, extents: &[IntValue<'c>]) -> Result<Vec<IntValue<'c>>, Diagnostic> {
        let mut strides = Vec::new();
        let mut next = self.number(1);
        for extent in extents.iter().rev() {
            strides.push(next);
            next = self.builder.build_int_mul(next, *extent, "").map_err(failed)?;
        }
        strides.reverse();
        Ok(strides)
    }

    fn number(&self, value: i64) -> IntValue<'c> {
        self.module.get_context().i64_type().const_int(value.cast_unsigned(), true)
    }
}
