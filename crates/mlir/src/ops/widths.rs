//! The sizes of elements, in bits and in bytes.

use melior::ir::Type;
use melior::ir::r#type::{IntegerType, TypeLike};

use crate::ffi;

/// Returns the distance of elements in memory in bytes, as LLVM allocates them: sizes are powers of two.
pub(crate) fn element_bytes(kind: Type) -> Option<u64> {
    if let Some(part) = ffi::complex_element(kind) {
        return element_bytes(part)?.checked_mul(2);
    }
    if let Some((shape, element)) = ffi::vector_shape(kind) {
        let (inner, outer) = shape.split_last().map_or((1, &[][..]), |(last, rest)| (*last, rest));
        let row = bits(element)?.checked_mul(inner)?.div_ceil(8).checked_next_power_of_two()?;
        return outer.iter().try_fold(row, |size, &extent| size.checked_mul(extent));
    }
    bits(kind)?.div_ceil(8).checked_next_power_of_two()
}

/// Returns the width of a scalar in bits.
pub(crate) fn bits(kind: Type) -> Option<u64> {
    if kind.is_index() {
        return Some(64);
    }
    if let Ok(integer) = IntegerType::try_from(kind) {
        return Some(integer.width().into());
    }
    kind.is_float().then(|| kind.float_width().into())
}
