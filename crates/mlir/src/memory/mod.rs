//! The memory of a memref, and its extents.
//!
//! `steps` maps subscripts of a view to those of the array, `order` those of the array to memory, and `arrays` lists the
//! arrays of the program. The memory of a value is found in `values`.

pub(crate) mod arrays;
pub(crate) mod order;
pub(crate) mod steps;

use melior::ir::r#type::{MemRefType, ShapedTypeLike, TypeLike};
use melior::ir::{Type, ValueLike};
use symloc_affine::Expr;
use symloc_frontend::cases::Cases;
use symloc_frontend::poly::Poly;
use symloc_frontend::ranges::Ranges;

use crate::expressions::products::Products;
use crate::expressions::refusal::Cause;
use crate::ffi::{OpKey, Val, ValueKey};
use steps::Step;

/// The base object of a memref.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Root {
    /// The function's argument of this number. Arguments are assumed not to alias.
    Argument(usize),
    /// The allocation of a `memref.alloc` or `memref.alloca` in the call of this number.
    Allocation(OpKey, u32),
    /// A `memref.global`.
    Global(String),
    /// The rows of an array that data choose, in the call of this number.
    Chosen {
        /// The array.
        of: Box<Root>,
        /// The values that choose them.
        by: Vec<ValueKey>,
        /// The call.
        call: u32,
        /// The number of subscripts that replace each subscript of the array that data choose; `None` for the others.
        spread: Vec<Option<usize>>,
    },
}

/// The memory of a memref.
#[derive(Clone, Debug)]
pub(crate) struct Memory<'a> {
    pub(crate) root: Root,
    /// The value that has the array's own type and name.
    pub(crate) declared: Val<'a>,
    /// The extents of the array.
    pub(crate) whole: Vec<Extent<'a>>,
    /// The extents of the memref, which may be a view of the array.
    pub(crate) extents: Vec<Extent<'a>>,
    /// The views from the array to the memref, in the order in which they were made.
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
    /// The product of these extents, divided by a constant that divides it.
    Product(Vec<Extent<'a>>, i64),
    /// Not known.
    Unknown,
}

impl<'a> Memory<'a> {
    /// Returns a whole array; `sizes` are the operands for its dynamic extents, if it has them.
    pub(crate) fn of_root(root: Root, declared: Val<'a>, sizes: &[Extent<'a>]) -> Self {
        let mut sizes = sizes.iter();
        let dynamic = |dimension| sizes.next().cloned().unwrap_or(Extent::Array(dimension));
        // A memref without a rank is flat memory, of which casts are views.
        let whole = match declared.r#type().is_unranked_mem_ref() {
            true => vec![Extent::Unknown],
            false => extents(declared.r#type(), dynamic),
        };
        Self { root, declared, extents: whole.clone(), whole, steps: Vec::new() }
    }

    /// Returns true if both have the same elements at the same subscripts.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.root == other.root && self.steps == other.steps
    }

    /// Returns the memory as a memref of another type, whose constant extents are then known.
    #[must_use]
    pub(crate) fn cast(mut self, kind: Type<'a>) -> Self {
        if !kind.is_unranked_mem_ref() {
            self.extents = extents(kind, |dimension| self.extents.get(dimension).cloned().unwrap_or(Extent::Unknown));
        }
        self
    }

    /// Returns a view of this memory.
    #[must_use]
    pub(crate) fn view(mut self, steps: impl IntoIterator<Item = Step>, extents: Vec<Extent<'a>>) -> Self {
        self.steps.extend(steps);
        self.extents = extents;
        self
    }

    /// Maps subscripts of the memref to subscripts of the array.
    pub(crate) fn resolve(
        &self,
        subscripts: &Cases<Vec<Expr>>,
        ranges: &Ranges,
    ) -> Result<Cases<Vec<Expr>>, Cause<'a>> {
        self.steps.iter().rev().try_fold(subscripts.clone(), |subscripts, step| step.apply(&subscripts, ranges))
    }

    /// Maps subscripts of the memref to subscripts of the array, as polynomials in sizes.
    pub(crate) fn resolve_flat(
        &self,
        subscripts: &Cases<Vec<Poly>>,
        products: &Products,
        ranges: &Ranges,
    ) -> Result<Cases<Vec<Poly>>, Cause<'a>> {
        let apply = |subscripts: Cases<Vec<Poly>>, step: &Step| step.apply_flat(&subscripts, products, ranges);
        self.steps.iter().rev().try_fold(subscripts.clone(), apply)
    }
}

/// Returns the extents of a memref type; `dynamic` gives those that are not constant.
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
