//! Properties of types: integers, vectors, tensors and memrefs.

use melior::ir::r#type::{IntegerType, MemRefType, RankedTensorType, ShapedTypeLike, TypeLike};
use melior::ir::{AffineMap, Attribute, Type};
use mlir_sys::{
    mlirComplexTypeGetElementType, mlirMemRefTypeGetAffineMap, mlirMemRefTypeGetStridesAndOffset,
    mlirRankedTensorTypeGetEncoding, mlirShapedTypeGetDimSize, mlirShapedTypeGetElementType, mlirShapedTypeGetRank,
    mlirShapedTypeIsDynamicDim,
};

/// Returns true for `index` and the integer types of 2 to 64 bits.
pub(crate) fn is_integer(kind: Type) -> bool {
    kind.is_index() || IntegerType::try_from(kind).is_ok_and(|integer| (2..=64).contains(&integer.width()))
}

/// Returns the number of bits of an integer type.
pub(crate) fn integer_width(kind: Type) -> Option<u32> {
    IntegerType::try_from(kind).ok().map(|integer| integer.width())
}

/// Returns true for `i1`.
pub(crate) fn is_flag(kind: Type) -> bool {
    IntegerType::try_from(kind).is_ok_and(|integer| integer.width() == 1)
}

/// Returns the element type of a complex number.
pub(crate) fn complex_element<'a>(complex: Type<'a>) -> Option<Type<'a>> {
    // SAFETY: the kind of the type is checked first; the context owns the element type.
    complex.is_complex().then(|| unsafe { Type::from_raw(mlirComplexTypeGetElementType(complex.to_raw())) })
}

/// Returns shape and element type of a vector of constant size.
pub(crate) fn vector_shape<'a>(vector: Type<'a>) -> Option<(Vec<u64>, Type<'a>)> {
    if !vector.is_vector() || vector.is_scalable_vector() {
        return None;
    }
    let raw = vector.to_raw();
    // SAFETY: a vector is a ranked shaped type; positions are below the rank.
    unsafe {
        let rank = mlirShapedTypeGetRank(raw);
        let shape = (0..rank).map(|i| mlirShapedTypeGetDimSize(raw, i as isize).unsigned_abs()).collect();
        Some((shape, Type::from_raw(mlirShapedTypeGetElementType(raw))))
    }
}

/// Returns the element type of a memref, with or without a rank.
pub(crate) fn memref_element<'a>(kind: Type<'a>) -> Option<Type<'a>> {
    let is_memref = kind.is_mem_ref() || kind.is_unranked_mem_ref();
    // SAFETY: a memref is a shaped type, also one without a rank.
    is_memref.then(|| unsafe { Type::from_raw(mlirShapedTypeGetElementType(kind.to_raw())) })
}

/// Returns the offset and the strides of a memref in elements, `None` for those that are not constant; `None` if its
/// layout is not strided.
pub(crate) fn partial_strides(kind: MemRefType) -> Option<(Option<i64>, Vec<Option<i64>>)> {
    let mut strides = vec![0_i64; kind.rank()];
    let mut offset = 0_i64;
    // SAFETY: the type is a memref, and there is room for one stride per dimension.
    let result = unsafe { mlirMemRefTypeGetStridesAndOffset(kind.to_raw(), strides.as_mut_ptr(), &raw mut offset) };
    let constant = |stride: i64| MemRefType::is_static_stride_or_offset(stride).then_some(stride);
    (result.value != 0).then(|| (constant(offset), strides.into_iter().map(constant).collect()))
}

/// Returns true if a memref has the identity layout: rows without gaps, in the order of its dimensions.
pub(crate) fn has_identity_layout(kind: MemRefType) -> bool {
    let kind = Type::from(kind);
    let map = layout_map(kind);
    map.is_some_and(|map| {
        let is_dimension = |index| map.result(index).is_ok_and(|r| r.is_dim() && r.dim_position() == index);
        map.result_count() == map.dim_count() && (0..map.result_count()).all(is_dimension)
    })
}

/// Returns the affine map of a memref's layout.
pub(crate) fn layout_map<'a>(kind: Type<'a>) -> Option<AffineMap<'a>> {
    // SAFETY: the kind of the type is checked first; the context owns the map.
    kind.is_mem_ref().then(|| unsafe { AffineMap::from_raw(mlirMemRefTypeGetAffineMap(kind.to_raw())) })
}

/// MLIR's value for a stride, an offset or a size that is not constant.
pub(crate) const DYNAMIC: i64 = i64::MIN;

/// Returns the encoding of a ranked tensor, if it has one.
pub(crate) fn encoding<'a>(tensor: Type<'a>) -> Option<Attribute<'a>> {
    let tensor = RankedTensorType::try_from(tensor).ok()?;
    // SAFETY: the kind of the type is checked; the context owns the attribute, and a missing one is null.
    unsafe { Attribute::from_option_raw(mlirRankedTensorTypeGetEncoding(tensor.to_raw())) }
}

/// Returns shape and element type of a ranked tensor; an extent that is not constant is `None`.
pub(crate) fn tensor_shape<'a>(tensor: Type<'a>) -> Option<(Vec<Option<i64>>, Type<'a>)> {
    let tensor = RankedTensorType::try_from(tensor).ok()?;
    let raw = tensor.to_raw();
    // SAFETY: a ranked tensor is a shaped type; positions are below the rank.
    let extent = |i| unsafe { (!mlirShapedTypeIsDynamicDim(raw, i)).then(|| mlirShapedTypeGetDimSize(raw, i)) };
    // SAFETY: as above.
    let element = unsafe { Type::from_raw(mlirShapedTypeGetElementType(raw)) };
    Some(((0..tensor.rank() as isize).map(extent).collect(), element))
}
