//! The arguments of a function, in terms of its affine program.

use melior::ir::r#type::{MemRefType, ShapedTypeLike, TypeLike};
use melior::ir::{Type, ValueLike};
use symloc_affine::ParamId;
use symloc_frontend::Finished;
use symloc_frontend::signature::{Apart, Argument, ArrayArgument, Side};

use crate::ffi::{self, Op};
use crate::memory::constant_extent;
use crate::walk::arguments::Bound;

/// Returns the arguments of a function; the error names an argument whose layout is not known, with the reason.
pub(crate) fn signature(function: Op<'_>, bound: &Bound, read: &Finished) -> Result<Vec<Argument>, String> {
    let arguments = ffi::arguments(function).into_iter().enumerate();
    arguments.map(|(position, value)| argument(position, value.r#type(), bound, read)).collect()
}

fn argument(position: usize, kind: Type<'_>, bound: &Bound, read: &Finished) -> Result<Argument, String> {
    let name = bound.names.get(position).cloned().flatten();
    let shown = || name.as_ref().map_or_else(|| format!("argument {}", position + 1), |name| format!("`%{name}`"));
    let parameter = |candidate: Option<ParamId>| {
        let index = read.candidates.iter().position(|index| Some(*index) == candidate.map(ParamId::index))?;
        read.program.params.get(index).map(|param| param.name.clone())
    };
    if ffi::is_integer(kind) || ffi::is_flag(kind) {
        let integer = bound.integers.get(position).copied().flatten();
        return Ok(Argument::Integer(parameter(integer).or(name)));
    }
    if kind.is_unranked_mem_ref() {
        return Err(format!("{} is a memref without a rank", shown()));
    }
    let Ok(memref) = MemRefType::try_from(kind) else { return Ok(Argument::Scalar) };
    let order = bound.orders.get(position).and_then(Option::as_ref);
    // A dimension that is not among them is not accessed.
    let place = |dimension| order.map_or(Some(dimension), |order| order.iter().position(|other| *other == dimension));
    let accessed = |dimension| Side::Accessed(place(dimension).unwrap_or(usize::MAX));
    let candidates = bound.extents.get(position).map(Vec::as_slice).unwrap_or_default();
    let side = |(dimension, candidate): (usize, &Option<ParamId>)| match constant_extent(memref, dimension) {
        Some(extent) => Side::Constant(extent),
        None => parameter(*candidate).map_or_else(|| accessed(dimension), Side::Parameter),
    };
    let (offset, strides) =
        layout(memref).ok_or_else(|| format!("the addresses of the rows of {} are not known", shown()))?;
    let array = bound.arrays.get(position).copied().flatten();
    let name = array.and_then(|id| read.program.arrays.get(id.index())).map(|array| array.name.clone());
    Ok(Argument::Array(ArrayArgument {
        name,
        offset,
        extents: candidates.iter().enumerate().map(side).collect(),
        strides,
    }))
}

/// Returns offset and strides of a memref type. An offset that the type leaves open is 0; strides that it leaves open
/// are those of dense rows, with the contiguous dimension innermost.
fn layout(kind: MemRefType<'_>) -> Option<(i64, Apart)> {
    let written = || (0..kind.rank()).collect::<Vec<_>>();
    if ffi::has_identity_layout(kind) {
        return Some((0, Apart::Dense(written())));
    }
    let (offset, strides) = ffi::partial_strides(kind)?;
    let offset = offset.unwrap_or(0);
    if let Some(constant) = strides.iter().copied().collect::<Option<Vec<_>>>() {
        return Some((offset, Apart::Constant(constant)));
    }
    let innermost = strides.iter().rposition(|stride| *stride == Some(1)).or_else(|| kind.rank().checked_sub(1))?;
    let others_are_open = (0..kind.rank()).all(|dimension| dimension == innermost || strides[dimension].is_none());
    let mut order = written();
    order.remove(innermost);
    order.push(innermost);
    let is_side_by_side = strides[innermost].is_none_or(|stride| stride == 1);
    (others_are_open && is_side_by_side).then_some((offset, Apart::Dense(order)))
}
