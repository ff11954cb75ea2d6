//! The operations that make views of memory.

use melior::ir::operation::OperationLike;
use melior::ir::r#type::{MemRefType, ShapedTypeLike, TypeLike};
use melior::ir::{Type, ValueLike};
use symloc_affine::Expr;
use symloc_frontend::cases::{Cases, join};
use symloc_frontend::poly::Poly;

use super::Values;
use crate::expressions::refusal::Cause;
use crate::ffi::{self, Op, Val};
use crate::memory::steps::{Combination, Step, zero};
use crate::memory::{Extent, Memory, constant_extent, extents};
use crate::ops::unsupported;

impl<'a> Values<'a, '_> {
    /// Returns the memory of a view of the first operand.
    pub(crate) fn view(
        &self,
        op: Op<'a>,
        name: &str,
        memory: Memory<'a>,
        kind: Type<'a>,
    ) -> Result<Memory<'a>, Cause<'a>> {
        match name {
            "memref.cast" if op.operand(0).is_ok_and(|source| is_flat(&memory, source)) => self.ranked(memory, kind),
            "memref.cast" | "memref.assume_alignment" | "memref.memory_space_cast" => Ok(memory.cast(kind)),
            "memref.subview" => self.subview(op, memory, kind),
            "memref.reinterpret_cast" => self.reinterpret_cast(op, memory),
            "memref.collapse_shape" => collapse(op, memory, kind),
            "memref.expand_shape" => self.expand(op, memory),
            "memref.transpose" => transpose(op, memory),
            "polygeist.subindex" => self.subindex(op, memory, kind),
            "memref.reshape" => Ok(self.reshape(op, memory, kind)),
            _ => {
                let (what, hint) = unsupported::memory_reason(name);
                Err(Cause::hinted(format!("its memory is {what}"), hint))
            }
        }
    }

    fn subview(&self, op: Op<'a>, memory: Memory<'a>, kind: Type<'a>) -> Result<Memory<'a>, Cause<'a>> {
        let [_, offsets, sizes, strides] = groups(op)?;
        let offsets = self.mixed_offsets(op, "static_offsets", &offsets)?;
        let sizes = self.mixed_extents(op, "static_sizes", &sizes)?;
        let strides = self.mixed_offsets(op, "static_strides", &strides)?;
        let kept = kept_dimensions(&ffi::integers(op, "static_sizes").ok_or_else(|| missing("static_sizes"))?, kind);
        let mut position = 0..;
        let mut rows = Vec::new();
        for ((offset, stride), &kept) in offsets.into_iter().zip(strides).zip(&kept) {
            let terms = position.by_ref().take(usize::from(kept)).map(|p| (p, stride.clone())).collect();
            rows.push(Combination { offset, terms });
        }
        let extents = sizes.into_iter().zip(&kept).filter(|(_, kept)| **kept).map(|(size, _)| size).collect();
        Ok(memory.view([Step::Combine(rows)], extents))
    }

    /// Returns the view of Polygeist's `A + i` and `&A[i][0]`: the first subscript is shifted, or dropped.
    fn subindex(&self, op: Op<'a>, memory: Memory<'a>, kind: Type<'a>) -> Result<Memory<'a>, Cause<'a>> {
        let index = op.operand(1).map_err(|error| Cause::here(error.to_string()))?;
        let offset = self.part(index)?;
        let rank = MemRefType::try_from(kind).map_err(|error| Cause::here(error.to_string()))?.rank();
        let dropped = memory.extents.len().checked_sub(rank).filter(|dropped| *dropped < 2);
        let dropped = dropped.ok_or_else(|| Cause::here("its rank does not fit the memory that it is part of"))?;
        let mut rows = vec![Combination { offset, terms: Combination::keep(0).terms }];
        if dropped == 1 {
            rows[0].terms.clear();
        }
        rows.extend((1..memory.extents.len()).map(|dimension| Combination::keep(dimension - dropped)));
        let known = extents(kind, |dimension| match dimension + dropped {
            0 => Extent::Unknown,
            dimension => memory.extents.get(dimension).cloned().unwrap_or(Extent::Unknown),
        });
        Ok(memory.view([Step::Combine(rows)], known))
    }

    /// Returns the view of a `memref.reinterpret_cast`, whose offset and strides count from the start of the array,
    /// even if the source is a view.
    fn reinterpret_cast(&self, op: Op<'a>, memory: Memory<'a>) -> Result<Memory<'a>, Cause<'a>> {
        let [_, offsets, sizes, strides] = groups(op)?;
        let offset = self.mixed_offsets(op, "static_offsets", &offsets)?.into_iter().next().unwrap_or_else(zero);
        let sizes = self.mixed_extents(op, "static_sizes", &sizes)?;
        let strides = self.mixed_offsets(op, "static_strides", &strides)?;
        let extents = match MemRefType::try_from(memory.declared.r#type()) {
            Ok(array) => row_major(array),
            Err(_) => Some(vec![Step::REST]),
        };
        let extents = extents.ok_or_else(|| {
            Cause::hinted("the array behind it is not row-major with constant strides", "cast an array of rank 1")
        })?;
        let address = Combination { offset, terms: strides.into_iter().enumerate().collect() };
        let whole = Memory { steps: Vec::new(), ..memory };
        Ok(whole.view([Step::Split(vec![extents]), Step::Combine(vec![address])], sizes))
    }

    /// Returns the view of an array without a rank as a dense array.
    fn ranked(&self, memory: Memory<'a>, kind: Type<'a>) -> Result<Memory<'a>, Cause<'a>> {
        let has_rows = MemRefType::try_from(kind).is_ok_and(|kind| ffi::has_identity_layout(kind));
        if !has_rows {
            let hint = "cast to a memref without a layout, or use `memref.reinterpret_cast`";
            return Err(Cause::hinted("its layout is known at run time only", hint));
        }
        let extents = extents(kind, Extent::Array);
        let mut stride = Cases::Always(Poly::constant(1));
        let mut terms = Vec::new();
        for (dimension, extent) in extents.iter().enumerate().rev() {
            terms.push((dimension, stride.clone()));
            if dimension > 0 {
                let extent = self.extent_value(&memory.root, extent)?;
                stride = product(stride, extent.try_map(&mut |e: &Expr| Ok::<_, Cause>(Poly::from(e.clone())))?)?;
            }
        }
        Ok(memory.view([Step::Combine(vec![Combination { offset: zero(), terms }])], extents))
    }

    fn expand(&self, op: Op<'a>, memory: Memory<'a>) -> Result<Memory<'a>, Cause<'a>> {
        let groups = ffi::nested_integers(op, "reassociation").ok_or_else(|| Cause::here("it has no reassociation"))?;
        let sizes: Vec<_> = op.operands().skip(1).collect();
        let extents = self.mixed_extents(op, "static_output_shape", &sizes)?;
        let mut rows = Vec::new();
        for group in &groups {
            let mut stride = Cases::Always(Poly::constant(1));
            let mut terms = Vec::new();
            for (outer, &dimension) in group.iter().enumerate().rev() {
                let extent = extents.get(dimension).cloned().unwrap_or(Extent::Unknown);
                // Along an extent of 1 the only subscript is 0.
                if constant(&extent) != Some(1) {
                    terms.push((dimension, stride.clone()));
                    if outer > 0 {
                        stride = product(stride, self.inner_extent(&extent)?)?;
                    }
                }
            }
            rows.push(Combination { offset: zero(), terms });
        }
        Ok(memory.view([Step::Combine(rows)], extents))
    }

    /// Returns the view of a `memref.reshape`, whose shape is in memory: known are the number of elements, the type,
    /// and the integers that were stored as the shape.
    fn reshape(&self, op: Op<'a>, memory: Memory<'a>, kind: Type<'a>) -> Memory<'a> {
        let shape = op.operand(1).ok();
        let stored = |dimension| self.element(shape?, &[i64::try_from(dimension).ok()?]);
        let known = extents(kind, |dimension| stored(dimension).map_or(Extent::Unknown, Extent::Is));
        let is_unknown = |extent: &&Extent| matches!(extent, Extent::Unknown);
        let one_is_open = known.iter().filter(is_unknown).count() == 1;
        let others = known.iter().filter_map(constant).try_fold(1_i64, i64::checked_mul);
        let rest = match others.filter(|_| one_is_open) {
            Some(others) => Extent::Product(memory.extents.clone(), others.max(1)),
            None => Extent::Unknown,
        };
        let steps = match (reshaped(&known), divisors(&memory.extents).filter(|divisors| !divisors.is_empty())) {
            (Some(position), Some(divisors)) => vec![Step::Split(vec![divisors]), Step::Combine(vec![position])],
            _ => {
                let (_, hint) = unsupported::memory_reason("memref.reshape");
                vec![Step::Opaque(("its shape is loaded from memory", hint))]
            }
        };
        let extents =
            known.into_iter().map(|extent| if is_unknown(&&extent) { rest.clone() } else { extent }).collect();
        memory.view(steps, extents)
    }

    /// Returns the length of a row of a view.
    fn inner_extent(&self, extent: &Extent<'a>) -> Result<Cases<Poly>, Cause<'a>> {
        match extent {
            Extent::Is(extent) => extent.try_map(&mut |extent: &Expr| Ok(Poly::from(extent.clone()))),
            Extent::Operand(size) => self.offset(*size),
            _ => Err(inner_extents()),
        }
    }

    /// Returns the values of an attribute, with operands for those that are not constant.
    pub(crate) fn mixed(
        &self,
        op: Op<'a>,
        attribute: &str,
        operands: &[Val<'a>],
    ) -> Result<Vec<Cases<Expr>>, Cause<'a>> {
        let mut operands = operands.iter();
        let mut value = |constant| match constant {
            ffi::DYNAMIC => self.known_index(*operands.next().ok_or_else(|| missing(attribute))?),
            _ => Ok(Cases::Always(Expr::constant(constant))),
        };
        let constants = ffi::integers(op, attribute).ok_or_else(|| missing(attribute))?;
        constants.into_iter().map(&mut value).collect()
    }

    /// Returns the values of an attribute, with operands for those that are not constant, which may be polynomials.
    fn mixed_offsets(&self, op: Op<'a>, attribute: &str, operands: &[Val<'a>]) -> Result<Vec<Cases<Poly>>, Cause<'a>> {
        let mut operands = operands.iter();
        let mut value = |constant| match constant {
            ffi::DYNAMIC => self.part(*operands.next().ok_or_else(|| missing(attribute))?),
            _ => Ok(Cases::Always(Poly::constant(constant))),
        };
        let constants = ffi::integers(op, attribute).ok_or_else(|| missing(attribute))?;
        constants.into_iter().map(&mut value).collect()
    }

    /// Returns an offset or a factor of a view: affine, or a polynomial.
    fn part(&self, value: Val<'a>) -> Result<Cases<Poly>, Cause<'a>> {
        match self.known_index(value) {
            Ok(index) => index.try_map(&mut |index: &Expr| Ok(Poly::from(index.clone()))),
            // The reason is that it is not affine.
            Err(cause) => self.offset(value).map_err(|_| cause),
        }
    }

    fn mixed_extents(&self, op: Op<'a>, attribute: &str, operands: &[Val<'a>]) -> Result<Vec<Extent<'a>>, Cause<'a>> {
        let mut operands = operands.iter();
        let mut value = |constant| match constant {
            ffi::DYNAMIC => Ok(self.extent_of(*operands.next().ok_or_else(|| missing(attribute))?)),
            _ => Ok(Extent::Is(Cases::Always(Expr::constant(constant)))),
        };
        let constants = ffi::integers(op, attribute).ok_or_else(|| missing(attribute))?;
        constants.into_iter().map(&mut value).collect()
    }
}

/// Returns the product.
fn product<'a>(left: Cases<Poly>, right: Cases<Poly>) -> Result<Cases<Poly>, Cause<'a>> {
    join(&[left, right])?.try_map(&mut |factors: &Vec<Poly>| Ok(factors[0].product(&factors[1])?))
}

/// Returns true if the source is a whole array without a rank.
pub(crate) fn is_flat(memory: &Memory, source: Val) -> bool {
    let is_unranked = |value: Val| value.r#type().is_unranked_mem_ref();
    is_unranked(source) && is_unranked(memory.declared) && memory.steps.is_empty()
}

/// Returns the extent, if it is constant.
fn constant(extent: &Extent) -> Option<i64> {
    match extent {
        Extent::Is(Cases::Always(extent)) => extent.as_constant(),
        _ => None,
    }
}

/// Returns the extents by which an index is divided: constants, except for the first that is not 1, which takes the
/// rest.
fn divisors(extents: &[Extent]) -> Option<Vec<i64>> {
    let is_one = |extent: &Extent| constant(extent) == Some(1);
    let first = extents.iter().position(|extent| !is_one(extent)).unwrap_or(0);
    let divisor = |(position, extent)| if position == first { Some(Step::REST) } else { constant(extent) };
    extents.iter().enumerate().map(divisor).collect()
}

fn missing<'a>(attribute: &str) -> Cause<'a> {
    Cause::here(format!("its `{attribute}` and its operands do not fit"))
}

/// Reason and hint for a view with symbolic inner extents, which has no affine subscripts.
const INNER_EXTENTS: (&str, &str) =
    ("it needs inner extents that are constant", "symbolic strides are not affine; use constant extents");

fn inner_extents<'a>() -> Cause<'a> {
    Cause::hinted(INNER_EXTENTS.0, INNER_EXTENTS.1)
}

/// Returns the operand groups: source, offsets, sizes and strides.
fn groups<'a>(op: Op<'a>) -> Result<[Vec<Val<'a>>; 4], Cause<'a>> {
    ffi::operand_groups(op).try_into().map_err(|_| Cause::here("it has no operand segments"))
}

/// Returns true for each dimension that a rank-reducing view keeps. Only dimensions of constant size 1 can be dropped.
/// If there are several candidates, any will do: their only subscript is 0.
fn kept_dimensions(sizes: &[i64], kind: Type) -> Vec<bool> {
    let Ok(kind) = MemRefType::try_from(kind) else { return vec![true; sizes.len()] };
    let mut next = 0;
    let mut surplus = sizes.len().saturating_sub(kind.rank());
    let mut keeps = |size: &i64| {
        let here = (next < kind.rank()).then(|| constant_extent(kind, next));
        if surplus > 0 && *size == 1 && here != Some(Some(1)) {
            surplus -= 1;
            return false;
        }
        next += 1;
        true
    };
    sizes.iter().map(&mut keeps).collect()
}

/// Returns the extents of a dense row-major array; the first one that is not 1 need not be constant.
fn row_major(kind: MemRefType) -> Option<Vec<i64>> {
    let (offset, strides) = ffi::partial_strides(kind)?;
    if offset != Some(0) || strides.is_empty() {
        return None;
    }
    let is_unit = |d: &usize| constant_extent(kind, *d) == Some(1);
    let first = (0..kind.rank()).find(|d| !is_unit(d)).unwrap_or(0);
    let mut extents = vec![1; kind.rank()];
    extents[first] = Step::REST;
    let mut expected = 1_i64;
    // Along an extent of 1 the only subscript is 0, so its stride does not matter.
    for d in (first..kind.rank()).rev().filter(|d| !is_unit(d)) {
        if strides[d] != Some(expected) {
            return None;
        }
        if d != first {
            extents[d] = constant_extent(kind, d)?;
            expected = expected.checked_mul(extents[d])?;
        }
    }
    Some(extents)
}

fn collapse<'a>(op: Op<'a>, memory: Memory<'a>, kind: Type<'a>) -> Result<Memory<'a>, Cause<'a>> {
    let groups = ffi::nested_integers(op, "reassociation").ok_or_else(|| Cause::here("it has no reassociation"))?;
    let mut split = Vec::new();
    for group in groups {
        let extents: Option<Vec<_>> = group.iter().map(|&dimension| memory.extents.get(dimension).cloned()).collect();
        split.push(extents.and_then(|extents| divisors(&extents)));
    }
    let product = |position: usize| collapsed_extent(&memory, op, position);
    let extents = extents(kind, product);
    let step = match split.into_iter().collect::<Option<Vec<_>>>() {
        // A memref of rank 0 has no index to split: all subscripts are 0.
        Some(split) if split.is_empty() => {
            Step::Combine(memory.extents.iter().map(|_| Combination { offset: zero(), terms: Vec::new() }).collect())
        }
        Some(split) => Step::Split(split),
        None => Step::Opaque(INNER_EXTENTS),
    };
    Ok(memory.view([step], extents))
}

/// Returns the product of the extents of a group.
fn collapsed_extent<'a>(memory: &Memory<'a>, op: Op<'a>, position: usize) -> Extent<'a> {
    let group = ffi::nested_integers(op, "reassociation").and_then(|groups| groups.into_iter().nth(position));
    let group: Option<Vec<_>> =
        group.map(|group| group.iter().filter_map(|&d| memory.extents.get(d).cloned()).collect());
    match group {
        Some(mut group) if group.len() == 1 => group.swap_remove(0),
        Some(group) => Extent::Product(group, 1),
        None => Extent::Unknown,
    }
}

/// Returns the position of an element of a view in row-major order, from its extents; the first need not be known.
fn reshaped(extents: &[Extent]) -> Option<Combination> {
    let mut terms = Vec::new();
    let mut stride = Some(1_i64);
    for (dimension, extent) in extents.iter().enumerate().rev() {
        let step = stride?;
        terms.push((dimension, Cases::Always(Poly::constant(step))));
        stride = constant(extent).and_then(|extent| step.checked_mul(extent));
    }
    Some(Combination { offset: zero(), terms })
}

fn transpose<'a>(op: Op<'a>, memory: Memory<'a>) -> Result<Memory<'a>, Cause<'a>> {
    let map = op.attribute("permutation").ok().and_then(ffi::affine_map);
    let map = map.ok_or_else(|| Cause::here("it has no permutation"))?;
    let sources: Vec<_> = (0..map.result_count()).filter_map(|i| map.result(i).ok()).collect();
    let position = |dimension| sources.iter().position(|s| s.is_dim() && s.dim_position() == dimension);
    let rows = (0..memory.extents.len()).map(|dimension| position(dimension).map(Combination::keep));
    let rows: Option<Vec<_>> = rows.collect();
    let extents = sources.iter().filter_map(|source| memory.extents.get(source.dim_position()).cloned()).collect();
    Ok(memory.view([Step::Combine(rows.ok_or_else(|| Cause::here("it is not a permutation"))?)], extents))
}
