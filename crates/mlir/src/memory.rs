//! Memrefs: the memory behind a value, and its extents. `views` makes views of it, `steps` goes back through them.

use melior::ir::operation::OperationLike;
use melior::ir::r#type::{MemRefType, ShapedTypeLike};
use melior::ir::{Type, ValueLike};
use symloc_affine::{Atom, Expr};
use symloc_frontend::cases::{Cases, join};
use symloc_frontend::ranges::Ranges;

use crate::ffi::{self, Definition, Op, OpKey, Val, definition};
use crate::refusal::{Cause, Reason, Refusal};
use crate::steps::Step;
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
    /// The rows of an array that data choose for an operation, in the call of this number.
    Chosen {
        /// The array.
        of: Box<Root>,
        /// The operation.
        by: OpKey,
        /// The call.
        call: u32,
        /// How many subscripts stand for each one of the array that data choose.
        spread: Vec<Option<usize>>,
    },
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
    pub(crate) steps: Vec<Step>,
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
    /// The product of these, over a constant that divides it.
    Product(Vec<Extent<'a>>, i64),
    /// Not known.
    Unknown,
}

impl<'a> Memory<'a> {
    /// A whole array; `sizes` are the operands for its dynamic extents, if it has them.
    pub(crate) fn of_root(root: Root, declared: Val<'a>, sizes: &[Extent<'a>]) -> Self {
        let mut sizes = sizes.iter();
        let dynamic = |dimension| sizes.next().cloned().unwrap_or(Extent::Array(dimension));
        Self { root, declared, extents: extents(declared.r#type(), dynamic), steps: Vec::new() }
    }

    /// The same memory as a memref of another type, whose constant extents are then known.
    pub(crate) fn cast(mut self, kind: Type<'a>) -> Self {
        self.extents = extents(kind, |dimension| self.extents.get(dimension).cloned().unwrap_or(Extent::Unknown));
        self
    }

    /// A view of this memory, which goes through these steps.
    pub(crate) fn view(mut self, steps: impl IntoIterator<Item = Step>, extents: Vec<Extent<'a>>) -> Self {
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
        self.steps.iter().rev().try_fold(subscripts.clone(), |subscripts, step| step.apply(&subscripts, ranges))
    }
}

/// The extents of a memref type; `dynamic` gives those that are not constant.
pub(crate) fn extents<'a>(kind: Type<'a>, mut dynamic: impl FnMut(usize) -> Extent<'a>) -> Vec<Extent<'a>> {
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
            // Constants of networks, as onnx-mlir writes them.
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
            Refusal::Because(Reason { why, at: None, hint }) => {
                let why = format!("it is a `{}`, and {why}", ffi::name(op));
                Refusal::Because(Reason { why, at: self.places.of(op), hint })
            }
            other => other,
        }
    }

    /// Does the size of an allocation depend on iterators, or on what is not known?
    pub(crate) fn size_varies(&self, op: Op<'a>) -> bool {
        op.operands().any(|size| match self.known_index(size) {
            Ok(Cases::Always(size)) => size.mentions(&|atom| matches!(atom, Atom::Iter(_))),
            _ => true,
        })
    }

    pub(crate) fn extent_of(&self, size: Val<'a>) -> Extent<'a> {
        self.known_index(size).map_or(Extent::Operand(size), Extent::Is)
    }

    /// `memref.dim`: a constant, the size operand of an allocation, or a parameter.
    pub(crate) fn dim(&self, op: Op<'a>) -> Result<Cases<Expr>, Cause<'a>> {
        let (memory, dimension) = self.dim_operands(op)?;
        let extent = memory.extents.get(dimension).ok_or_else(|| Cause::here("the memref has no such dimension"))?;
        self.extent_value(&memory.root, extent)
    }

    /// The value of an extent of a memref in this memory.
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
                    let product = factors.iter().fold(one, |product, factor| self.product(&product?, factor))?;
                    Ok(product.floor_div(*divisor)?)
                })
            }
            Extent::Unknown => Err(unknown()),
        }
    }

    /// A dynamic extent of an argument is a parameter; its first `memref.dim` names it.
    pub(crate) fn introduce_extent(&mut self, op: Op<'a>, result: Val<'a>) {
        if ffi::name(op) != "memref.dim" {
            return;
        }
        let Ok((memory, dimension)) = self.dim_operands(op) else { return };
        let name = self.places.ssa_name(result).map(str::to_owned);
        if let Some(extent) = memory.extents.get(dimension) {
            self.introduce(&memory, extent, name);
        }
    }

    /// Makes parameters of the dynamic extents of an argument that an extent consists of, and of their products.
    pub(crate) fn introduce(&mut self, memory: &Memory<'a>, extent: &Extent<'a>, name: Option<String>) {
        match extent {
            Extent::Array(dimension) => {
                let array = self.places.array_name(memory.declared);
                let name = name.or_else(|| array.map(|array| format!("{array}_dim{dimension}")));
                self.extent_param(&memory.root, *dimension, name);
            }
            Extent::Product(factors, _) => {
                factors.iter().for_each(|factor| self.introduce(memory, factor, None));
                let factors = factors.iter().map(|factor| self.extent_value(&memory.root, factor));
                if let Ok(Ok(factors)) = factors.collect::<Result<Vec<_>, _>>().map(|factors| join(&factors)) {
                    self.introduce_products(&factors);
                }
            }
            _ => {}
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
