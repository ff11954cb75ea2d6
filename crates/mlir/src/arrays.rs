//! Memrefs: the array behind a value, its element size, shape and strides.

use std::collections::BTreeMap;

use melior::ir::operation::OperationLike;
use melior::ir::r#type::{IntegerType, MemRefType, ShapedTypeLike, TypeLike};
use melior::ir::{Type, ValueLike};
use symloc_affine::{Array, ArrayId, Extent, Location, Strides};

use crate::ffi::{self, Definition, Op, OpKey, Val, definition};
use crate::places::Places;
use crate::unsupported;
use crate::values::{Reason, Refusal, Values};

/// The memory behind a memref.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Root {
    /// The function's argument of this number. Arguments do not alias.
    Argument(usize),
    /// What this `memref.alloc` or `memref.alloca` allocates.
    Allocation(OpKey),
    /// A `memref.global`.
    Global(String),
}

/// The arrays that are accessed, in the order of their first access.
#[derive(Default)]
pub(crate) struct Arrays {
    by_root: BTreeMap<Root, ArrayId>,
    list: Vec<Array>,
}

impl Arrays {
    /// The array behind a memref.
    pub(crate) fn of<'a>(
        &mut self,
        value: Val<'a>,
        values: &Values<'a, '_>,
        places: &Places,
    ) -> Result<ArrayId, Refusal> {
        let source = behind_casts(value);
        let root = root(source, values, places)?;
        if let Some(&id) = self.by_root.get(&root) {
            return Ok(id);
        }
        let array = describe(source, &root, values.function(), places)?;
        let id = ArrayId(self.list.len() as u32);
        self.list.push(array);
        self.by_root.insert(root, id);
        Ok(id)
    }

    /// All arrays; their names are those of the source, without `%` and `@`, or empty.
    pub(crate) fn into_list(self) -> Vec<Array> {
        self.list
    }
}

/// Operations whose result is the same memory, element by element, as their first operand.
fn is_cast(name: &str) -> bool {
    matches!(name, "memref.cast" | "memref.assume_alignment" | "memref.memory_space_cast")
}

/// The memref before all casts.
pub(crate) fn behind_casts(mut value: Val) -> Val {
    while let Definition::Result { op } = definition(value)
        && is_cast(&ffi::name(op))
        && let Ok(operand) = op.operand(0)
    {
        value = operand;
    }
    value
}

fn root<'a>(value: Val<'a>, values: &Values<'a, '_>, places: &Places) -> Result<Root, Refusal> {
    let op = match definition(value) {
        Definition::Argument { parent: Some(parent), entry: true, index } if parent == values.function() => {
            return Ok(Root::Argument(index));
        }
        Definition::Argument { parent, .. } => {
            return Err(unknown(value, &parent.map(ffi::name).unwrap_or_default(), places));
        }
        Definition::Result { op } => op,
    };
    if values.is_refused(op) {
        return Err(Refusal::Reported);
    }
    match (ffi::name(op).as_str(), ffi::text_attribute(op, "name")) {
        ("memref.alloc" | "memref.alloca", _) => Ok(Root::Allocation(ffi::key(op))),
        ("memref.get_global", Some(name)) => Ok(Root::Global(name)),
        (name, _) => Err(unknown(value, name, places)),
    }
}

/// `maker` is the operation that the memref is a result or an argument of.
fn unknown(value: Val, maker: &str, places: &Places) -> Refusal {
    let (what, hint) = unsupported::memory_reason(maker);
    let from = match definition(value) {
        Definition::Argument { .. } => "comes from a block of",
        Definition::Result { .. } => "is the result of",
    };
    Refusal::Because(Reason {
        why: format!("{} {from} `{maker}`, and its memory is {what}", places.describe(value)),
        at: places.location(value.location()),
        hint: Some(hint.to_owned()),
    })
}

fn describe(value: Val, root: &Root, function: Op, places: &Places) -> Result<Array, Refusal> {
    let name = match root {
        Root::Global(name) => name.clone(),
        _ => places.ssa_name(value).unwrap_or_default().to_owned(),
    };
    let because = |why: String| Refusal::Because(Reason { why, at: places.location(value.location()), hint: None });
    let kind = MemRefType::try_from(value.r#type()).map_err(|error| because(error.to_string()))?;
    let element_bytes = element_bytes(kind.element())
        .ok_or_else(|| because(format!("its elements are of type `{}`, whose size is not known", kind.element())))?;
    Ok(Array {
        name,
        element_bytes,
        shape: (0..kind.rank()).map(|d| constant_extent(kind, d).map_or(Extent::Dynamic, Extent::Known)).collect(),
        strides: ffi::strides(kind).map(|(offset, strides)| Strides { offset, strides }),
        location: declaration(value, root, function, places),
    })
}

/// Where the array is declared; for a global that is its `memref.global`.
fn declaration(value: Val, root: &Root, function: Op, places: &Places) -> Location {
    let Root::Global(name) = root else { return places.or_start(value.location()) };
    let is_declaration =
        |op: &Op| ffi::name(*op) == "memref.global" && ffi::text_attribute(*op, "sym_name").as_deref() == Some(name);
    let module = function.parent_operation().into_iter().flat_map(ffi::regions);
    let global = module.flat_map(ffi::operations).find(is_declaration);
    places.or_start(global.map_or(value.location(), |op| op.location()))
}

/// The distance between neighbouring elements in memory, as LLVM allocates them: sizes are powers of two.
fn element_bytes(kind: Type) -> Option<u64> {
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

/// The width of a scalar.
fn bits(kind: Type) -> Option<u64> {
    if kind.is_index() {
        return Some(64);
    }
    if let Ok(integer) = IntegerType::try_from(kind) {
        return Some(integer.width().into());
    }
    kind.is_float().then(|| kind.float_width().into())
}

fn constant_extent(kind: MemRefType, dimension: usize) -> Option<i64> {
    use melior::ir::r#type::DimSize;
    match kind.dim_size(dimension) {
        Ok(DimSize::Static(extent)) => i64::try_from(extent).ok(),
        _ => None,
    }
}

/// What is known of an extent.
pub(crate) enum Dimension<'a> {
    /// A constant.
    Known(i64),
    /// The value of a size operand.
    Operand(Val<'a>),
    /// A dynamic extent of a function argument.
    Argument(Root),
    /// Nothing.
    Unknown,
}

/// The extent of a memref in one dimension.
pub(crate) fn extent(mut value: Val, dimension: usize) -> Dimension {
    loop {
        let Ok(kind) = MemRefType::try_from(value.r#type()) else { return Dimension::Unknown };
        if let Some(extent) = constant_extent(kind, dimension) {
            return Dimension::Known(extent);
        }
        let op = match definition(value) {
            Definition::Argument { parent: Some(parent), entry: true, index } if ffi::name(parent) == "func.func" => {
                return Dimension::Argument(Root::Argument(index));
            }
            Definition::Argument { .. } => return Dimension::Unknown,
            Definition::Result { op } => op,
        };
        let operand = match ffi::name(op).as_str() {
            "memref.alloc" | "memref.alloca" => {
                // The size operands stand for the dynamic extents, in order.
                let earlier = (0..dimension).filter(|&d| constant_extent(kind, d).is_none()).count();
                return op.operand(earlier).map_or(Dimension::Unknown, Dimension::Operand);
            }
            name if is_cast(name) => op.operand(0),
            _ => return Dimension::Unknown,
        };
        match operand {
            Ok(operand) => value = operand,
            Err(_) => return Dimension::Unknown,
        }
    }
}
