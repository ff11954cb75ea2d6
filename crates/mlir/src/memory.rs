//! Memrefs: the memory behind a value, and from the subscripts of a view to those of the array.
//!
//! Every view (`memref.subview`, `collapse_shape`, …) is a chain of two kinds of steps: subscripts that are affine in
//! those of the view, and one index that is split by constant extents. Both are exact for subscripts within the view.

use melior::ir::operation::OperationLike;
use melior::ir::r#type::{MemRefType, ShapedTypeLike};
use melior::ir::{Type, ValueLike};
use symloc_affine::{Constraint, Expr};

use crate::cases::{Cases, join};
use crate::ffi::{self, Definition, Op, OpKey, Val, definition};
use crate::maps;
use crate::ranges::Ranges;
use crate::refusal::{Cause, Reason, Refusal};
use crate::unsupported;
use crate::values::{Known, Values};

/// The memory behind a memref.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Root {
    /// The function's argument of this number. Arguments do not alias.
    Argument(usize),
    /// What this `memref.alloc` or `memref.alloca` allocates in the call of this number.
    Allocation(OpKey, u32),
    /// A `memref.global`.
    Global(String),
}

/// What is known of a memref.
#[derive(Clone, Debug)]
pub(crate) struct Memory<'a> {
    pub(crate) root: Root,
    /// The value that has the array's own type and name.
    pub(crate) declared: Val<'a>,
    /// The extents of the memref, not of the array.
    pub(crate) extents: Vec<Extent<'a>>,
    /// From the array to the memref, in the order in which the views were made.
    steps: Vec<Step>,
}

/// An extent of a memref.
#[derive(Clone, Debug)]
pub(crate) enum Extent<'a> {
    /// An affine value.
    Is(Cases<Expr>),
    /// This dynamic dimension of the array, which is a parameter.
    Array(usize),
    /// This operand, which is not affine.
    Operand(Val<'a>),
    /// Not known.
    Unknown,
}

/// From the subscripts of a view to those of what it is a view of.
#[derive(Clone, Debug)]
enum Step {
    /// Each subscript is affine in those of the view.
    Combine(Vec<Row>),
    /// Each index of the view is split into one subscript for each extent, as by row-major order.
    Split(Vec<Vec<i64>>),
}

/// `offset + Σ factor · subscript`, the subscript given by its position in the view.
#[derive(Clone, Debug)]
struct Row {
    offset: Cases<Expr>,
    terms: Vec<(usize, Cases<Expr>)>,
}

impl<'a> Memory<'a> {
    /// A whole array; `sizes` are the operands for its dynamic extents, if it has them.
    pub(crate) fn of_root(root: Root, declared: Val<'a>, sizes: &[Extent<'a>]) -> Self {
        let mut sizes = sizes.iter();
        let dynamic = |dimension| sizes.next().cloned().unwrap_or(Extent::Array(dimension));
        Self { root, declared, extents: extents(declared.r#type(), dynamic), steps: Vec::new() }
    }

    /// The same memory as a memref of another type, whose constant extents are then known.
    fn cast(mut self, kind: Type<'a>) -> Self {
        self.extents = extents(kind, |dimension| self.extents.get(dimension).cloned().unwrap_or(Extent::Unknown));
        self
    }

    fn view(mut self, steps: impl IntoIterator<Item = Step>, extents: Vec<Extent<'a>>) -> Self {
        self.steps.extend(steps);
        self.extents = extents;
        self
    }

    /// The subscripts of the array's element that these subscripts of the memref mean.
    pub(crate) fn resolve(
        &self,
        subscripts: &Cases<Vec<Expr>>,
        ranges: &Ranges,
    ) -> Result<Cases<Vec<Expr>>, Cause<'a>> {
        let start = subscripts.clone();
        self.steps.iter().rev().try_fold(start, |resolved, step| match step {
            Step::Combine(rows) => {
                let parts: Vec<_> = rows.iter().flat_map(Row::parts).cloned().collect();
                let parts = join(&parts)?;
                resolved.and_then(&mut |view: &Vec<Expr>| parts.try_map(&mut |parts| combine(rows, parts, view)))
            }
            Step::Split(groups) => resolved.try_map(&mut |view: &Vec<Expr>| split(groups, view, ranges)),
        })
    }
}

impl Row {
    /// The subscript of this position, unchanged.
    fn keep(position: usize) -> Self {
        Self { offset: zero(), terms: vec![(position, one())] }
    }

    fn parts(&self) -> impl Iterator<Item = &Cases<Expr>> {
        std::iter::once(&self.offset).chain(self.terms.iter().map(|(_, factor)| factor))
    }
}

fn zero() -> Cases<Expr> {
    Cases::Always(Expr::default())
}

fn one() -> Cases<Expr> {
    Cases::Always(Expr::constant(1))
}

/// The rows with the values `parts` of their [`Row::parts`].
fn combine<'a>(rows: &[Row], parts: &[Expr], view: &[Expr]) -> Result<Vec<Expr>, Cause<'a>> {
    let mut parts = parts.iter();
    let mut next = || parts.next().cloned().unwrap_or_default();
    let mut subscripts = Vec::new();
    for row in rows {
        let mut sum = next();
        for (position, _) in &row.terms {
            let subscript = view.get(*position).ok_or_else(|| Cause::here("the view has other subscripts"))?;
            let product = maps::product(subscript, &next())?.ok_or_else(|| {
                Cause::hinted("its stride is not a constant", "symbolic strides are not affine; use constant ones")
            })?;
            sum = maps::small(sum.plus(&product)?)?;
        }
        subscripts.push(sum);
    }
    Ok(subscripts)
}

fn split<'a>(groups: &[Vec<i64>], view: &[Expr], ranges: &Ranges) -> Result<Vec<Expr>, Cause<'a>> {
    let mut subscripts = Vec::new();
    for (group, index) in groups.iter().zip(view) {
        let mut digits = Vec::new();
        let mut rest = index.clone();
        for &extent in group.iter().skip(1).rev() {
            let (quotient, remainder) = divide(&rest, extent.max(1), ranges)?;
            digits.push(remainder);
            rest = quotient;
        }
        if !group.is_empty() {
            digits.push(rest);
        }
        subscripts.extend(digits.into_iter().rev());
    }
    Ok(subscripts)
}

/// Quotient and remainder, without floors where the remainder is seen to be small.
fn divide<'a>(value: &Expr, by: i64, ranges: &Ranges) -> Result<(Expr, Expr), Cause<'a>> {
    let mut whole = Expr::constant(value.constant_term().div_euclid(by));
    for (atom, coefficient) in value.terms().filter(|(_, c)| c % by == 0) {
        whole = whole.add_scaled(&Expr::atom(atom.clone()), coefficient / by)?;
    }
    let rest = value.add_scaled(&whole, -by)?;
    let below = Constraint::non_negative(rest.times(-1)?.plus_constant(by - 1)?);
    if ranges.non_negative(&rest) && ranges.decide(&below) == Some(true) {
        return Ok((whole, rest));
    }
    Ok((maps::small(whole.plus(&rest.floor_div(by)?)?)?, maps::small(rest.modulo(by)?)?))
}

/// The extents of a memref type; `dynamic` gives those that are not constant.
fn extents<'a>(kind: Type<'a>, mut dynamic: impl FnMut(usize) -> Extent<'a>) -> Vec<Extent<'a>> {
    let Ok(kind) = MemRefType::try_from(kind) else { return Vec::new() };
    let extent = |dimension| match constant_extent(kind, dimension) {
        Some(extent) => Extent::Is(Cases::Always(Expr::constant(extent))),
        None => dynamic(dimension),
    };
    (0..kind.rank()).map(extent).collect()
}

pub(crate) fn constant_extent(kind: MemRefType, dimension: usize) -> Option<i64> {
    use melior::ir::r#type::DimSize;
    match kind.dim_size(dimension) {
        Ok(DimSize::Static(extent)) => i64::try_from(extent).ok(),
        _ => None,
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

impl<'a> Values<'a, '_> {
    /// The memory behind a memref.
    pub(crate) fn memory(&self, value: Val<'a>) -> Result<Memory<'a>, Refusal> {
        let value = self.passed(value);
        match self.get(value) {
            Some(Known::Memory(memory)) => memory.clone(),
            _ => match definition(value) {
                Definition::Result { op } if self.is_refused(op) => Err(Refusal::Reported),
                _ => Err(self.unknown_memory(value)),
            },
        }
    }

    fn unknown_memory(&self, value: Val<'a>) -> Refusal {
        let (from, maker) = match definition(value) {
            Definition::Argument { parent } => ("comes from a block of", parent.map(ffi::name)),
            Definition::Result { op } => ("is the result of", Some(ffi::name(op))),
        };
        let maker = maker.unwrap_or_default();
        let (what, hint) = unsupported::memory_reason(&maker);
        Refusal::Because(Reason {
            why: format!("{} {from} `{maker}`, and its memory is {what}", self.places.describe(value)),
            at: self.places.location(value.location()),
            hint: Some(hint.to_owned()),
        })
    }

    /// Visits an operation whose result is a memref; none if it is not known what memory that is.
    pub(crate) fn define_memory(&self, op: Op<'a>) -> Option<Result<Memory<'a>, Refusal>> {
        let result = OperationLike::result(&op, 0).map(Val::from).ok()?;
        match ffi::name(op).as_str() {
            "memref.alloc" | "memref.alloca" => {
                let sizes: Vec<_> = op.operands().map(|size| self.extent_of(size)).collect();
                Some(Ok(Memory::of_root(Root::Allocation(ffi::key(op), self.calls), result, &sizes)))
            }
            "memref.get_global" => {
                let name = ffi::text_attribute(op, "name")?;
                Some(Ok(Memory::of_root(Root::Global(name), result, &[])))
            }
            name if unsupported::is_view(name) => {
                let source = op.operand(0).ok()?;
                let memory = match self.memory(source) {
                    Ok(memory) => memory,
                    Err(refusal) => return Some(Err(refusal)),
                };
                let view = self.view(op, name, memory, result.r#type());
                Some(view.map_err(|cause| self.unusable_view(op, cause)))
            }
            _ => None,
        }
    }

    fn unusable_view(&self, op: Op<'a>, cause: Cause<'a>) -> Refusal {
        match self.explain(cause, Some(op)) {
            Refusal::Because(Reason { why, at: None, hint }) => {
                let why = format!("it is a `{}`, and {why}", ffi::name(op));
                Refusal::Because(Reason { why, at: self.places.of(op), hint })
            }
            other => other,
        }
    }

    fn view(&self, op: Op<'a>, name: &str, memory: Memory<'a>, kind: Type<'a>) -> Result<Memory<'a>, Cause<'a>> {
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

    fn extent_of(&self, size: Val<'a>) -> Extent<'a> {
        self.known_index(size).map_or(Extent::Operand(size), Extent::Is)
    }

    /// `memref.dim`: a constant, the size operand of an allocation, or a parameter.
    pub(crate) fn dim(&self, op: Op<'a>) -> Result<Cases<Expr>, Cause<'a>> {
        let (memory, dimension) = self.dim_operands(op)?;
        match memory.extents.get(dimension) {
            Some(Extent::Is(extent)) => Ok(extent.clone()),
            Some(Extent::Operand(size)) => Err(Cause::Operand(*size)),
            Some(&Extent::Array(dimension)) => match self.known_extent(&memory.root, dimension) {
                Some(param) => Ok(Cases::Always(Expr::param(param))),
                None => Err(Cause::here("the extent is not known before the loops")),
            },
            Some(Extent::Unknown) => Err(Cause::here("the extent is not known before the loops")),
            None => Err(Cause::here("the memref has no such dimension")),
        }
    }

    /// A dynamic extent of an argument is a parameter; its first `memref.dim` names it.
    pub(crate) fn introduce_extent(&mut self, op: Op<'a>, result: Val<'a>) {
        if ffi::name(op) != "memref.dim" {
            return;
        }
        let Ok((memory, dimension)) = self.dim_operands(op) else { return };
        if let Some(&Extent::Array(dimension)) = memory.extents.get(dimension) {
            let name = self.places.ssa_name(result).map(str::to_owned);
            self.extent_param(&memory.root, dimension, name);
        }
    }

    fn dim_operands(&self, op: Op<'a>) -> Result<(Memory<'a>, usize), Cause<'a>> {
        let operand = |index| op.operand(index).map_err(|error| Cause::here(error.to_string()));
        let dimension = match self.known_index(operand(1)?)? {
            Cases::Always(dimension) => dimension.as_constant().and_then(|d| usize::try_from(d).ok()),
            Cases::When(_) => None,
        };
        let dimension = dimension.ok_or_else(|| Cause::here("the dimension is not a constant"))?;
        let memory = self.memory(operand(0)?);
        Ok((memory.map_err(|_| Cause::here("the extent is not known before the loops"))?, dimension))
    }
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
