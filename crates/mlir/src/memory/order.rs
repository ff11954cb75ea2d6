//! The order of an array's dimensions in memory.
//!
//! In an affine program the last dimension of an array must be the contiguous one. The layout of a memref may differ:
//! strides can make any dimension contiguous, and a map can define other dimensions. So subscripts are mapped to the
//! order of memory before they become those of the program.

use melior::ir::ValueLike;
use melior::ir::r#type::{MemRefType, ShapedTypeLike, TypeLike};
use melior::ir::{AffineExpr, AffineMap, Type};
use symloc_affine::{Expr, Extent, Strides};
use symloc_frontend::arithmetic::Trouble;

use super::constant_extent;
use crate::expressions::maps::{self, MapError};
use crate::ffi::{self, Val};

/// The map from the subscripts in the source to those in memory.
#[derive(Clone, Debug)]
pub(crate) enum Order<'a> {
    /// The identity.
    Written,
    /// A permutation of the dimensions; the last subscript is multiplied by `apart`.
    Permuted { dimensions: Vec<usize>, apart: i64 },
    /// The results of a map.
    Mapped(AffineMap<'a>),
    /// The distance from the start, for rows that overlap.
    Address(Strides),
}

/// Reason and hint for an array without a known contiguous dimension.
pub(crate) const NO_NEIGHBOURS: (&str, &str) = (
    "its layout does not say which of its elements are neighbours in memory",
    "use a memref without a layout, or with a constant stride; bufferization has \
     `function-boundary-type-conversion=identity-layout-map` for that",
);

/// Returns the order of a memref's dimensions, its shape and its strides in memory; `None` if no contiguous dimension
/// is known.
pub(crate) fn order<'a>(array: Val<'a>) -> Option<(Order<'a>, Vec<Extent>, Option<Strides>)> {
    if array.r#type().is_unranked_mem_ref() {
        return Some((Order::Written, vec![Extent::Dynamic], Some(Strides { offset: 0, strides: vec![1] })));
    }
    let kind = MemRefType::try_from(array.r#type()).ok()?;
    let shape: Vec<Extent> =
        (0..kind.rank()).map(|d| constant_extent(kind, d).map_or(Extent::Dynamic, Extent::Known)).collect();
    let Some((offset, mut strides)) = ffi::partial_strides(kind) else { return mapped(array.r#type(), &shape) };
    let is_unit = |d: usize| shape[d] == Extent::Known(1);
    // Along an extent of 1 the only subscript is 0, so its stride does not matter.
    (0..shape.len()).filter(|&d| is_unit(d)).for_each(|d| _ = strides[d].get_or_insert(1));
    let constant: Option<Vec<i64>> = strides.iter().copied().collect();
    let constant = constant.zip(offset).map(|(strides, offset)| Strides { offset, strides });
    let mut dimensions: Vec<usize> = (0..shape.len()).collect();
    match &constant {
        // The largest stride first; dimensions of extent 1 come before the others.
        Some(Strides { strides, .. }) => {
            dimensions.sort_by_key(|&d| (!is_unit(d), std::cmp::Reverse(strides[d].unsigned_abs())));
        }
        None => {
            let nearest = (0..shape.len()).filter(|&d| !is_unit(d));
            let nearest = nearest.filter_map(|d| Some((strides[d]?.unsigned_abs(), d))).min();
            let (_, nearest) = nearest.or_else(|| shape.iter().all(|e| *e == Extent::Known(1)).then_some((1, 0)))?;
            dimensions.sort_by_key(|&d| (!is_unit(d), d == nearest));
        }
    }
    if !shape.iter().rev().take_while(|extent| **extent == Extent::Known(1)).any(|_| true) {
        // Extents of 1 before or between others do not affect addresses.
        let moved = |d: &usize| !is_unit(*d);
        let in_order: Vec<usize> = dimensions.iter().copied().filter(moved).collect();
        if in_order.is_sorted() {
            dimensions = (0..shape.len()).collect();
        }
    }
    let apart = dimensions.last().and_then(|&d| strides[d].filter(|_| !is_unit(d))).unwrap_or(1);
    if overlap(&shape, &strides) {
        // Overlapping rows need constant strides.
        let constant = constant?;
        let address = Some(Strides { offset: constant.offset, strides: vec![1] });
        return Some((Order::Address(constant), vec![Extent::Dynamic], address));
    }
    if dimensions.is_sorted() && apart == 1 {
        return Some((Order::Written, shape, constant));
    }
    let mut in_memory: Vec<Extent> = dimensions.iter().map(|&d| shape[d].clone()).collect();
    if let Some(Extent::Known(extent)) = in_memory.last_mut() {
        *extent = extent.saturating_sub(1).saturating_mul(apart.saturating_abs()).saturating_add(1);
    }
    let constant = constant.map(|constant| {
        let mut strides: Vec<i64> = dimensions.iter().map(|&d| constant.strides[d]).collect();
        if let Some(last) = strides.last_mut().filter(|last| **last == apart) {
            *last = 1;
        }
        Strides { strides, ..constant }
    });
    Some((Order::Permuted { dimensions, apart }, in_memory, constant))
}

/// Returns the order for a layout that is not strided: the dimensions in memory are the results of its map, in
/// row-major order as `normalize-memrefs` places them.
fn mapped<'a>(kind: Type<'a>, shape: &[Extent]) -> Option<(Order<'a>, Vec<Extent>, Option<Strides>)> {
    let map = ffi::layout_map(kind)?;
    let results = (0..map.result_count()).map(|i| map.result(i).ok().and_then(|result| extent_of(result, shape)));
    let extents: Vec<Option<i64>> = results.collect();
    let strides = row_major(&extents).map(|strides| Strides { offset: 0, strides });
    let extents: Vec<Extent> = extents.into_iter().map(|e| e.map_or(Extent::Dynamic, Extent::Known)).collect();
    (!extents.is_empty()).then_some((Order::Mapped(map), extents, strides))
}

/// Returns the number of values of a result of a layout's map, from 0 on; `None` if it is not known.
fn extent_of(expr: AffineExpr, shape: &[Extent]) -> Option<i64> {
    if expr.is_constant() {
        return expr.constant_value().checked_add(1);
    }
    if expr.is_dim() {
        return match shape.get(expr.dim_position()) {
            Some(Extent::Known(extent)) => Some(*extent),
            _ => None,
        };
    }
    if !expr.is_mod() && !expr.is_floor_div() {
        return None;
    }
    let divisor = expr.rhs().is_constant().then(|| expr.rhs().constant_value()).filter(|divisor| *divisor > 0)?;
    match expr.is_mod() {
        // Tiles are whole, even where the array is smaller.
        true => Some(divisor),
        false => Some(extent_of(expr.lhs(), shape)?.checked_add(divisor - 1)?.div_euclid(divisor)),
    }
}

/// Returns the strides of an array without gaps, if its inner extents are known.
fn row_major(extents: &[Option<i64>]) -> Option<Vec<i64>> {
    let mut strides = vec![1_i64; extents.len()];
    for dimension in (1..extents.len()).rev() {
        strides[dimension - 1] = strides[dimension].checked_mul(extents[dimension]?)?;
    }
    Some(strides)
}

/// Returns true if a row extends into the next one. Unknown strides are assumed to be large enough.
fn overlap(shape: &[Extent], strides: &[Option<i64>]) -> bool {
    let known = strides.iter().zip(shape).filter(|(_, extent)| **extent != Extent::Known(1));
    let mut known: Vec<_> = known.filter_map(|(stride, extent)| Some(((*stride)?.saturating_abs(), extent))).collect();
    known.sort_by_key(|(stride, _)| *stride);
    let mut reach = 0_i64;
    for (stride, extent) in known {
        if stride <= reach {
            return true;
        }
        // An unknown extent is assumed to be 2.
        let last = if let Extent::Known(extent) = extent { extent.saturating_sub(1).max(0) } else { 1 };
        reach = reach.saturating_add(stride.saturating_mul(last));
    }
    false
}

impl Order<'_> {
    /// Maps subscripts to those in memory.
    pub(crate) fn apply(&self, subscripts: Vec<Expr>) -> Result<Vec<Expr>, Trouble> {
        match self {
            Order::Written => Ok(subscripts),
            Order::Permuted { dimensions, apart } => {
                let pick = |d: &usize| subscripts.get(*d).cloned().unwrap_or_default();
                let mut ordered: Vec<Expr> = dimensions.iter().map(pick).collect();
                if let Some(last) = ordered.last_mut() {
                    *last = last.times(*apart)?;
                }
                Ok(ordered)
            }
            Order::Mapped(map) => {
                let results = (0..map.result_count()).filter_map(|i| map.result(i).ok());
                results.map(|result| maps::evaluate(result, map.dim_count(), &subscripts).map_err(trouble)).collect()
            }
            Order::Address(Strides { strides, .. }) => {
                let mut address = Expr::default();
                for (subscript, stride) in subscripts.iter().zip(strides) {
                    address = address.add_scaled(subscript, *stride)?;
                }
                Ok(vec![address])
            }
        }
    }

    /// Returns true unless it is the identity.
    pub(crate) fn differs(&self) -> bool {
        !matches!(self, Order::Written)
    }
}

fn trouble(error: MapError) -> Trouble {
    match error {
        MapError::Overflow(overflow) => overflow.into(),
        MapError::Divisor => Trouble::Divisor,
        MapError::Size => Trouble::Size,
        MapError::Product | MapError::Input => Trouble::Product(Vec::new()),
    }
}
