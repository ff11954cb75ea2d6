//! The sizes of elements, in bits and in bytes.

use melior::ir::Type;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::{IntegerType, TypeLike};

use crate::ffi::{self, Definition, Op, Val};

/// The width of `index` in bits, where no data layout says otherwise.
pub(crate) const INDEX_BITS: u32 = 64;

/// The sizes that MLIR leaves to the data layout (`dlti.dl_spec`): that of `index`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DataLayout {
    index_bits: u64,
}

impl DataLayout {
    /// Returns the layout for a value: that of the innermost operation around it which says how wide `index` is.
    pub(crate) fn of(value: Val<'_>) -> Self {
        let (Definition::Result { op } | Definition::Argument { parent: Some(op) }) = ffi::definition(value) else {
            return Self { index_bits: INDEX_BITS.into() };
        };
        let index_bits = ffi::with_parents(op).find_map(index_bits);
        Self { index_bits: index_bits.unwrap_or(INDEX_BITS.into()) }
    }

    /// Returns the distance of elements in memory in bytes, as LLVM allocates them: sizes are powers of two.
    pub(crate) fn element_bytes(self, kind: Type) -> Option<u64> {
        if let Some(part) = ffi::complex_element(kind) {
            return self.element_bytes(part)?.checked_mul(2);
        }
        if let Some((shape, element)) = ffi::vector_shape(kind) {
            let (inner, outer) = shape.split_last().map_or((1, &[][..]), |(last, rest)| (*last, rest));
            let row = self.bits(element)?.checked_mul(inner)?.div_ceil(8).checked_next_power_of_two()?;
            return outer.iter().try_fold(row, |size, &extent| size.checked_mul(extent));
        }
        self.bits(kind)?.div_ceil(8).checked_next_power_of_two()
    }

    fn bits(self, kind: Type) -> Option<u64> {
        if kind.is_index() { Some(self.index_bits) } else { bits(kind) }
    }
}

/// Returns the width of `index` in bits, if the data layout of an operation has it. It is read from the layout's text, since
/// MLIR's C API has no function for it.
fn index_bits(op: Op<'_>) -> Option<u64> {
    let layout = op.attribute("dlti.dl_spec").ok()?.to_string();
    let width = layout.split(['<', ',']).find_map(|entry| entry.trim().strip_prefix("index = "))?;
    width.split([' ', '>']).next()?.parse().ok()
}

/// Returns the width of a scalar in bits.
pub(crate) fn bits(kind: Type) -> Option<u64> {
    if kind.is_index() {
        return Some(INDEX_BITS.into());
    }
    if let Ok(integer) = IntegerType::try_from(kind) {
        return Some(integer.width().into());
    }
    kind.is_float().then(|| kind.float_width().into())
}
