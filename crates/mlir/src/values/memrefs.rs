//! The memory and the extents of memrefs.

use melior::ir::ValueLike;
use melior::ir::operation::OperationLike;
use symloc_affine::{Atom, Expr};
use symloc_frontend::cases::{Cases, join};
use symloc_frontend::raising::Reason;

use super::{Known, Values};
use crate::expressions::refusal::{Cause, Refusal};
use crate::ffi::{self, Definition, Op, Val, definition};
use crate::memory::{Extent, Memory, Root};
use crate::ops::unsupported;

impl<'a> Values<'a, '_> {
    /// Returns the memory of a memref.
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
        let why = format!("{} {from} `{maker}`, and its memory is {what}", self.places.describe(value));
        Refusal::Because(Reason::new(why, self.places.location(value.location()), Some(hint)))
    }

    /// Returns the memory of the result of an operation; `None` if it defines no known memory.
    pub(crate) fn define_memory(&self, op: Op<'a>) -> Option<Result<Memory<'a>, Refusal>> {
        let result = OperationLike::result(&op, 0).map(Val::from).ok()?;
        match ffi::name(op).as_str() {
            "memref.alloc" | "memref.alloca" => {
                let sizes: Vec<_> = op.operands().map(|size| self.extent_of(size)).collect();
                Some(Ok(Memory::of_root(Root::Allocation(ffi::key(op), self.calls), result, &sizes)))
            }
            // `krnl.global` is onnx-mlir's form of the constants of networks.
            "memref.get_global" | "krnl.global" => {
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
            Refusal::Because(reason) if reason.at().is_none() => {
                let why = format!("it is a `{}`, and {}", ffi::name(op), reason.why());
                Refusal::Because(Reason::new(why, self.places.of(op), reason.hint()))
            }
            other => other,
        }
    }

    /// Returns true if the size of an allocation depends on iterators, or is not known.
    pub(crate) fn size_varies(&self, op: Op<'a>) -> bool {
        op.operands().any(|size| match self.known_index(size) {
            Ok(Cases::Always(size)) => size.mentions(&|atom| matches!(atom, Atom::Iter(_))),
            _ => true,
        })
    }

    pub(crate) fn extent_of(&self, size: Val<'a>) -> Extent<'a> {
        self.known_index(size).map_or(Extent::Operand(size), Extent::Is)
    }

    /// Returns the result of a `memref.dim`: a constant, the size operand of an allocation, or a parameter.
    pub(crate) fn dim(&self, op: Op<'a>) -> Result<Cases<Expr>, Cause<'a>> {
        let (memory, dimension) = self.dim_operands(op)?;
        let extent = memory.extents.get(dimension).ok_or_else(|| Cause::here("the memref has no such dimension"))?;
        self.extent_value(&memory.root, extent)
    }

    /// Returns the value of an extent of a memref.
    pub(crate) fn extent_value(&self, root: &Root, extent: &Extent<'a>) -> Result<Cases<Expr>, Cause<'a>> {
        let unknown = || Cause::here("the extent is not known before the loops");
        match extent {
            Extent::Is(extent) => Ok(extent.clone()),
            Extent::Operand(size) => Err(Cause::Operand(*size)),
            Extent::Array(dimension) => {
                self.known_extent(root, *dimension).map(|param| Cases::Always(Expr::param(param))).ok_or_else(unknown)
            }
            Extent::Product(factors, divisor) => {
                let factors = factors.iter().map(|factor| self.extent_value(root, factor));
                let factors = join(&factors.collect::<Result<Vec<_>, _>>()?)?;
                factors.try_map(&mut |factors: &Vec<Expr>| {
                    let one = Ok(Expr::constant(1));
                    let product =
                        factors.iter().fold(one, |product, factor| self.products.product(&product?, factor))?;
                    Ok(product.floor_div(*divisor)?)
                })
            }
            Extent::Unknown => Err(unknown()),
        }
    }

    /// Returns the operands of a `memref.dim`.
    pub(crate) fn dim_operands(&self, op: Op<'a>) -> Result<(Memory<'a>, usize), Cause<'a>> {
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
