//! Arguments in MLIR's calling convention: a memref is its allocated pointer, its aligned pointer, its offset, its
//! extents and its strides.

use inkwell::types::{BasicTypeEnum, PointerType};
use inkwell::values::{BasicMetadataValueEnum, IntValue};
use symloc_frontend::Diagnostic;
use symloc_frontend::signature::{Apart, Argument, ArrayArgument, Side};

use crate::compiled::entry::{Asked, Entry, failed};

impl<'c> Entry<'_, '_, 'c> {
    /// Returns the values of all arguments.
    pub(crate) fn handed_over(
        &mut self,
        signature: &[Argument],
    ) -> Result<Vec<BasicMetadataValueEnum<'c>>, Diagnostic> {
        let mut values = Vec::new();
        for (position, argument) in signature.iter().enumerate() {
            let name = match argument {
                Argument::Array(array) => {
                    let space = self.next_type(&values).filter(|kind| kind.is_pointer_type());
                    let space = space.map(BasicTypeEnum::into_pointer_type);
                    values.extend(self.array(array, space)?);
                    continue;
                }
                Argument::Integer(name) => name.clone(),
                Argument::Scalar => None,
            };
            let shown = format!("argument {} is neither a number nor a memref", position + 1);
            let kind = self.next_type(&values).ok_or_else(|| self.refuse(&shown))?;
            let number = self.scalar(kind, name)?;
            // Complex numbers are structures.
            let zero = || match kind {
                BasicTypeEnum::StructType(kind) => Some(kind.const_zero().into()),
                BasicTypeEnum::VectorType(kind) => Some(kind.const_zero().into()),
                _ => None,
            };
            let value = number.or_else(zero);
            values.push(value.ok_or_else(|| self.refuse(&shown))?);
        }
        match u32::try_from(values.len()) == Ok(self.callee.count_params()) {
            true => Ok(values),
            false => Err(self.refuse("its arguments are not passed as MLIR passes them")),
        }
    }

    /// Returns the type of the argument after these.
    fn next_type(&self, values: &[BasicMetadataValueEnum<'c>]) -> Option<BasicTypeEnum<'c>> {
        let next = self.callee.get_nth_param(u32::try_from(values.len()).ok()?)?;
        Some(next.get_type())
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
            Apart::Constant(strides) => strides.iter().map(|stride| self.number(*stride)).collect(),
            Apart::Dense(order) => self.dense(&extents, order)?,
        };
        let offset = self.number(array.offset);
        let numbers = [vec![offset], extents, strides].concat().into_iter().map(BasicMetadataValueEnum::from);
        Ok([start.into(), start.into()].into_iter().chain(numbers).collect())
    }

    /// Returns the strides of a dense array, in this order of dimensions, the innermost last.
    fn dense(&self, extents: &[IntValue<'c>], order: &[usize]) -> Result<Vec<IntValue<'c>>, Diagnostic> {
        let mut strides = vec![self.number(1); extents.len()];
        let mut next = self.number(1);
        for &dimension in order.iter().rev() {
            let (Some(stride), Some(extent)) = (strides.get_mut(dimension), extents.get(dimension)) else { continue };
            *stride = next;
            next = self.builder.build_int_mul(next, *extent, "").map_err(failed)?;
        }
        Ok(strides)
    }

    fn number(&self, value: i64) -> IntValue<'c> {
        self.module.get_context().i64_type().const_int(value.cast_unsigned(), true)
    }
}
