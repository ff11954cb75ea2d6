//! The operations that make views of memory.

use melior::ir::operation::OperationLike;
use melior::ir::r#type::{MemRefType, ShapedTypeLike};
use melior::ir::{Type, ValueLike};
use symloc_affine::Expr;
use symloc_frontend::cases::Cases;

use crate::ffi::{self, Op, Val};
use crate::memory::{Extent, Memory, constant_extent, extents};
use crate::refusal::Cause;
use crate::steps::{Row, Step, zero};
use crate::unsupported;
use crate::values::Values;

impl<'a> Values<'a, '_> {
    /// What a view operation makes of the memory behind its first operand.
    pub(crate) fn view(
        &self,
        op: Op<'a>,
        name: &str,
        memory: Memory<'a>,
        kind: Type<'a>,
    ) -> Result<Memory<'a>, Cause<'a>> {
        match name {
            "memref.cast" | "memref.assume_alignment" | "memref.memory_space_cast" => Ok(memory.cast(kind)),
            "memref.subview" => self.subview(op, memory, kind),
            "memref.reinterpret_cast" => self.reinterpret_cast(op, memory),
            "memref.collapse_shape" => collapse(op, memory, kind),
            "memref.expand_shape" => self.expand(op, memory),
            "memref.transpose" => transpose(op, memory),
            _ => {
                let (what, hint) = unsupported::memory_reason(name);
                Err(Cause::hinted(format!("its memory is {what}"), hint))
            }
        }
    }

    fn subview(&self, op: Op<'a>, memory: Memory<'a>, kind: Type<'a>) -> Result<Memory<'a>, Cause<'a>> {
        let [_, offsets, sizes, strides] = groups(op)?;
        let offsets = self.mixed(op, "static_offsets", &offsets)?;
        let sizes = self.mixed_extents(op, "static_sizes", &sizes)?;
        let strides = self.mixed(op, "static_strides", &strides)?;
        let kept = kept_dimensions(&sizes, kind);
        let mut position = 0..;
        let mut rows = Vec::new();
        for ((offset, stride), &kept) in offsets.into_iter().zip(strides).zip(&kept) {
            let terms = position.by_ref().take(usize::from(kept)).map(|p| (p, stride.clone())).collect();
            rows.push(Row { offset, terms });
        }
        let extents = sizes.into_iter().zip(&kept).filter(|(_, kept)| **kept).map(|(size, _)| size).collect();
        Ok(memory.view([Step::Combine(rows)], extents))
    }

    /// Offset and strides count from the start of the array, whatever view the source is.
    fn reinterpret_cast(&self, op: Op<'a>, memory: Memory<'a>) -> Result<Memory<'a>, Cause<'a>> {
        let [_, offsets, sizes, strides] = groups(op)?;
        let offset = self.mixed(op, "static_offsets", &offsets)?.into_iter().next().unwrap_or_else(zero);
        let sizes = self.mixed_extents(op, "static_sizes", &sizes)?;
        let strides = self.mixed(op, "static_strides", &strides)?;
        let array = MemRefType::try_from(memory.declared.r#type()).map_err(|error| Cause::here(error.to_string()))?;
        let extents = row_major(array).ok_or_else(|| {
            Cause::hinted("the array behind it is not row-major with constant strides", "cast an array of rank 1")
        })?;
        let address = Row { offset, terms: strides.into_iter().enumerate().collect() };
        let whole = Memory { steps: Vec::new(), ..memory };
        Ok(whole.view([Step::Split(vec![extents]), Step::Combine(vec![address])], sizes))
    }

    fn expand(&self, op: Op<'a>, memory: Memory<'a>) -> Result<Memory<'a>, Cause<'a>> {
        let groups = ffi::nested_integers(op, "reassociation").ok_or_else(|| Cause::here("it has no reassociation"))?;
        let sizes: Vec<_> = op.operands().skip(1).collect();
        let extents = self.mixed_extents(op, "static_output_shape", &sizes)?;
        let mut rows = Vec::new();
        for group in &groups {
            let inner: Option<Vec<_>> = group.iter().map(|&dimension| extents.get(dimension).cloned()).collect();
            let inner = inner.and_then(|inner| constant_extents(&inner)).ok_or_else(inner_extents)?;
            let mut stride = 1_i64;
            let mut terms = Vec::new();
            for (&dimension, extent) in group.iter().zip(inner).rev() {
                terms.push((dimension, Cases::Always(Expr::constant(stride))));
                stride = stride.checked_mul(extent).ok_or(symloc_affine::Overflow)?;
            }
            rows.push(Row { offset: zero(), terms });
        }
        Ok(memory.view([Step::Combine(rows)], extents))
    }

    /// Constants of an attribute, with operands in the place of those that are not constant.
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

/// The extents, if all but the first are constants.
fn constant_extents(extents: &[Extent]) -> Option<Vec<i64>> {
    let constant = |(position, extent): (usize, &Extent)| match extent {
        _ if position == 0 => Some(0),
        Extent::Is(Cases::Always(extent)) => extent.as_constant(),
        _ => None,
    };
    extents.iter().enumerate().map(constant).collect()
}

fn missing<'a>(attribute: &str) -> Cause<'a> {
    Cause::here(format!("its `{attribute}` and its operands do not fit"))
}

fn inner_extents<'a>() -> Cause<'a> {
    Cause::hinted("it needs inner extents that are constant", "symbolic strides are not affine; use constant extents")
}

/// The operand groups: the source, offsets, sizes and strides.
fn groups<'a>(op: Op<'a>) -> Result<[Vec<Val<'a>>; 4], Cause<'a>> {
    ffi::operand_groups(op).try_into().map_err(|_| Cause::here("it has no operand segments"))
}

/// Which dimensions a rank-reducing view keeps. Where several of size 1 could be the one that is dropped, any will do:
/// their only subscript is 0.
fn kept_dimensions(sizes: &[Extent], kind: Type) -> Vec<bool> {
    let Ok(kind) = MemRefType::try_from(kind) else { return vec![true; sizes.len()] };
    let is_one = |size: &Extent| matches!(size, Extent::Is(Cases::Always(e)) if e.as_constant() == Some(1));
    let mut next = 0;
    let mut surplus = sizes.len().saturating_sub(kind.rank());
    let mut keeps = |size: &Extent| {
        let here = (next < kind.rank()).then(|| constant_extent(kind, next));
        if surplus > 0 && is_one(size) && here != Some(Some(1)) {
            surplus -= 1;
            return false;
        }
        next += 1;
        true
    };
    sizes.iter().map(&mut keeps).collect()
}

/// The extents of an array whose elements lie densely in row-major order; the first one may not be constant.
fn row_major(kind: MemRefType) -> Option<Vec<i64>> {
    let (offset, strides) = ffi::strides(kind)?;
    let inner = (1..kind.rank()).map(|d| constant_extent(kind, d)).collect::<Option<Vec<_>>>()?;
    let mut expected = 1_i64;
    for (position, stride) in strides.iter().enumerate().rev() {
        if *stride != expected {
            return None;
        }
        expected = expected.checked_mul(position.checked_sub(1).map_or(1, |p| inner[p]))?;
    }
    (offset == 0 && kind.rank() > 0).then(|| [vec![0], inner].concat())
}

fn collapse<'a>(op: Op<'a>, memory: Memory<'a>, kind: Type<'a>) -> Result<Memory<'a>, Cause<'a>> {
    let groups = ffi::nested_integers(op, "reassociation").ok_or_else(|| Cause::here("it has no reassociation"))?;
    let mut split = Vec::new();
    for group in groups {
        let extents: Option<Vec<_>> = group.iter().map(|&dimension| memory.extents.get(dimension).cloned()).collect();
        split.push(extents.and_then(|extents| constant_extents(&extents)).ok_or_else(inner_extents)?);
    }
    let product = |position: usize| collapsed_extent(&memory, op, position);
    let extents = extents(kind, product);
    // A memref of rank 0 has no index to split: all subscripts are 0.
    let step = match split.is_empty() {
        true => Step::Combine(memory.extents.iter().map(|_| Row { offset: zero(), terms: Vec::new() }).collect()),
        false => Step::Split(split),
    };
    Ok(memory.view([step], extents))
}

/// The product of the extents of a group, if it is affine.
fn collapsed_extent<'a>(memory: &Memory<'a>, op: Op<'a>, position: usize) -> Extent<'a> {
    let group = ffi::nested_integers(op, "reassociation").and_then(|groups| groups.into_iter().nth(position));
    match group.as_deref() {
        Some([only]) => memory.extents.get(*only).cloned().unwrap_or(Extent::Unknown),
        _ => Extent::Unknown,
    }
}

fn transpose<'a>(op: Op<'a>, memory: Memory<'a>) -> Result<Memory<'a>, Cause<'a>> {
    let map = op.attribute("permutation").ok().and_then(ffi::affine_map);
    let map = map.ok_or_else(|| Cause::here("it has no permutation"))?;
    let sources: Vec<_> = (0..map.result_count()).filter_map(|i| map.result(i).ok()).collect();
    let position = |dimension| sources.iter().position(|s| s.is_dim() && s.dim_position() == dimension);
    let rows = (0..memory.extents.len()).map(|dimension| position(dimension).map(Row::keep));
    let rows: Option<Vec<_>> = rows.collect();
    let extents = sources.iter().filter_map(|source| memory.extents.get(source.dim_position()).cloned()).collect();
    Ok(memory.view([Step::Combine(rows.ok_or_else(|| Cause::here("it is no permutation"))?)], extents))
}
