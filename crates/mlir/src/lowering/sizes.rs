//! Sizes of tensors as products, with equality and exact division.
//!
//! Networks compute the shapes of tensors: `[b, s, 768]` becomes `[b·s, 768]`, and −1 in a shape stands for the
//! quotient of the number of elements by the other extents. Multiplication and exact division are enough for most of
//! this arithmetic.

use std::collections::BTreeMap;

use melior::ir::operation::OperationLike;
use melior::ir::{AffineExpr, ValueLike};

use crate::ffi::{self, DYNAMIC, Definition, Op, Val, ValueKey, definition};

/// A product of a constant and of sizes, in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    factor: i64,
    atoms: Vec<SizeFactor>,
}

/// A size that is not a product.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SizeFactor {
    /// Its name in the file.
    Named(String),
    /// A value.
    Value(ValueKey),
    /// An extent of a tensor.
    Extent(ValueKey, usize),
}

impl Size {
    pub(crate) fn constant(factor: i64) -> Self {
        Self { factor, atoms: Vec::new() }
    }

    pub(crate) fn as_constant(&self) -> Option<i64> {
        self.atoms.is_empty().then_some(self.factor)
    }

    fn of(atom: SizeFactor) -> Self {
        Self { factor: 1, atoms: vec![atom] }
    }

    /// Returns the product; `None` if the constant does not fit in 64 bits.
    pub(crate) fn times(&self, other: &Self) -> Option<Self> {
        let mut atoms = [self.atoms.as_slice(), &other.atoms].concat();
        atoms.sort();
        Some(Self { factor: self.factor.checked_mul(other.factor)?, atoms })
    }

    /// Returns the quotient, if it is exact.
    pub(crate) fn divided(&self, by: &Self) -> Option<Self> {
        let mut atoms = self.atoms.clone();
        for atom in &by.atoms {
            atoms.remove(atoms.iter().position(|own| own == atom)?);
        }
        let exact = self.factor.checked_rem(by.factor)? == 0;
        exact.then(|| Self { factor: self.factor / by.factor, atoms })
    }
}

/// The sizes of a function.
pub(crate) struct Sizes {
    /// The names of the extents of its arguments.
    named: BTreeMap<ValueKey, Vec<String>>,
    /// The sizes that assertions state to be equal to others.
    asserted: Vec<(SizeFactor, Size)>,
}

/// The largest depth to which a size is traced back.
const DEPTH: usize = 64;

impl Sizes {
    pub(crate) fn new(function: Op) -> Self {
        let names = ffi::argument_texts(function, "symloc.dims");
        let named = ffi::arguments(function).into_iter().map(ffi::value_key).zip(names).collect();
        let mut sizes = Self { named, asserted: Vec::new() };
        let assertions = ffi::all_within(function).into_iter().filter(|op| ffi::name(*op) == "cf.assert");
        sizes.asserted = assertions.filter_map(|op| sizes.equation(op)).collect();
        sizes
    }

    /// Returns a size and the one that an assertion states to be equal to it.
    fn equation(&self, assertion: Op) -> Option<(SizeFactor, Size)> {
        let Definition::Result { op } = definition(assertion.operand(0).ok()?) else { return None };
        let is_equality = ffi::name(op) == "arith.cmpi" && ffi::integer(op, "predicate") == Some(0);
        let (left, right) = (self.value(op.operand(0).ok().filter(|_| is_equality)?), self.value(op.operand(1).ok()?));
        match (left.atoms.as_slice(), right.atoms.as_slice()) {
            ([SizeFactor::Value(key)], _) if left.factor == 1 && left != right => {
                Some((SizeFactor::Value(*key), right))
            }
            (_, [SizeFactor::Value(key)]) if right.factor == 1 && left != right => {
                Some((SizeFactor::Value(*key), left))
            }
            _ => None,
        }
    }

    /// Replaces the factors of a size by the ones that assertions state to be equal.
    fn replaced(&self, size: Size) -> Size {
        let replaced = |atom: &SizeFactor| {
            let known = self.asserted.iter().find(|(asserted, _)| asserted == atom);
            known.map_or_else(|| Size::of(atom.clone()), |(_, size)| size.clone())
        };
        let product =
            size.atoms.iter().try_fold(Size::constant(size.factor), |product, atom| product.times(&replaced(atom)));
        product.unwrap_or(size)
    }

    /// Returns an integer as a size.
    pub(crate) fn value(&self, value: Val) -> Size {
        self.replaced(self.value_within(value, DEPTH))
    }

    /// Returns an extent of a tensor.
    pub(crate) fn extent(&self, tensor: Val, dimension: usize) -> Size {
        self.replaced(self.extent_within(tensor, dimension, DEPTH))
    }

    fn value_within(&self, value: Val, depth: usize) -> Size {
        let known = match definition(value) {
            Definition::Result { op } if depth > 0 => self.computed(op, depth - 1),
            _ => None,
        };
        known.unwrap_or_else(|| Size::of(SizeFactor::Value(ffi::value_key(value))))
    }

    fn computed(&self, op: Op, depth: usize) -> Option<Size> {
        let operand = |index| Some(self.value_within(op.operand(index).ok()?, depth));
        match ffi::name(op).as_str() {
            "arith.constant" => ffi::integer(op, "value").map(Size::constant),
            "arith.index_cast" | "arith.index_castui" | "arith.extsi" | "arith.extui" | "arith.trunci" => operand(0),
            "arith.muli" => operand(0)?.times(&operand(1)?),
            "arith.divsi" | "arith.divui" | "arith.floordivsi" | "arith.ceildivsi" => operand(0)?.divided(&operand(1)?),
            // The minimum or maximum of two equal sizes.
            "arith.maxui" | "arith.maxsi" | "arith.minui" | "arith.minsi" => {
                operand(0).filter(|left| operand(1).as_ref() == Some(left))
            }
            "affine.apply" => {
                let map = op.attribute("map").ok().and_then(ffi::affine_map)?;
                let operands: Vec<_> = op.operands().collect();
                self.applied(map.result(0).ok()?, map.dim_count(), &operands, depth)
            }
            "tensor.dim" => {
                let dimension = self.value_within(op.operand(1).ok()?, depth).as_constant()?;
                Some(self.extent_within(op.operand(0).ok()?, usize::try_from(dimension).ok()?, depth))
            }
            _ => None,
        }
    }

    /// Returns an affine expression as a size, if it is a product.
    fn applied(&self, expr: AffineExpr, dims: usize, operands: &[Val], depth: usize) -> Option<Size> {
        if expr.is_constant() {
            return Some(Size::constant(expr.constant_value()));
        }
        let input = |position: usize| Some(self.value_within(*operands.get(position)?, depth));
        if expr.is_dim() {
            return input(expr.dim_position());
        }
        if expr.is_symbol() {
            return input(dims + expr.symbol_position());
        }
        let part = |expr| self.applied(expr, dims, operands, depth);
        if expr.is_mul() {
            return part(expr.lhs())?.times(&part(expr.rhs())?);
        }
        let divides = expr.is_floor_div() || expr.is_ceil_div();
        divides.then(|| part(expr.lhs())?.divided(&part(expr.rhs())?)).flatten()
    }

    fn extent_within(&self, tensor: Val, dimension: usize, depth: usize) -> Size {
        let constant =
            ffi::tensor_shape(tensor.r#type()).and_then(|(shape, _)| shape.get(dimension).copied().flatten());
        if let Some(constant) = constant {
            return Size::constant(constant);
        }
        let known = match definition(tensor) {
            Definition::Result { op } if depth > 0 => self.made(op, tensor, dimension, depth - 1),
            Definition::Result { .. } => None,
            Definition::Argument { .. } => {
                let names = self.named.get(&ffi::value_key(tensor));
                let name = names.and_then(|names| names.get(dimension)).filter(|name| !name.is_empty());
                name.map(|name| Size::of(SizeFactor::Named(name.clone())))
            }
        };
        known.unwrap_or_else(|| Size::of(SizeFactor::Extent(ffi::value_key(tensor), dimension)))
    }

    /// Returns an extent of a result of an operation.
    fn made(&self, op: Op, tensor: Val, dimension: usize, depth: usize) -> Option<Size> {
        let name = ffi::name(op);
        let source = |index: usize| Some(self.extent_within(op.operand(index).ok()?, dimension, depth));
        match name.as_str() {
            "tensor.cast" => source(0),
            "tensor.insert_slice" | "tensor.insert" => source(1),
            "tensor.empty" => {
                let (shape, _) = ffi::tensor_shape(tensor.r#type())?;
                let position = shape.iter().take(dimension).filter(|extent| extent.is_none()).count();
                Some(self.value_within(op.operand(position).ok()?, depth))
            }
            "tensor.expand_shape" => {
                let operands: Vec<_> = op.operands().skip(1).collect();
                self.mixed(op, "static_output_shape", &operands, dimension, depth)
            }
            "tensor.extract_slice" => {
                let groups = ffi::operand_groups(op);
                let (shape, _) = ffi::tensor_shape(tensor.r#type())?;
                let sizes = ffi::integers(op, "static_sizes")?;
                (sizes.len() == shape.len()).then_some(())?;
                self.mixed(op, "static_sizes", groups.get(2)?, dimension, depth)
            }
            "tensor.collapse_shape" => {
                let groups = ffi::nested_integers(op, "reassociation")?;
                let group = groups.get(dimension)?;
                let source = op.operand(0).ok()?;
                group
                    .iter()
                    .try_fold(Size::constant(1), |product, d| product.times(&self.extent_within(source, *d, depth)))
            }
            "tensor.reshape" => Some(self.value_within(*elements(op.operand(1).ok()?)?.get(dimension)?, depth)),
            // The last operands are the outputs, one for each result.
            _ if name.starts_with("linalg.") => {
                let position =
                    op.results().position(|result| ffi::value_key(result.into()) == ffi::value_key(tensor))?;
                source((op.operand_count() + position).checked_sub(op.result_count())?)
            }
            _ => None,
        }
    }

    /// Returns a size from an attribute, or from the operands for sizes that are not constant.
    fn mixed(&self, op: Op, attribute: &str, operands: &[Val], dimension: usize, depth: usize) -> Option<Size> {
        let sizes = ffi::integers(op, attribute)?;
        match *sizes.get(dimension)? {
            DYNAMIC => {
                let position = sizes.iter().take(dimension).filter(|size| **size == DYNAMIC).count();
                Some(self.value_within(*operands.get(position)?, depth))
            }
            size => Some(Size::constant(size)),
        }
    }
}

/// Returns the elements of a tensor of integers.
pub(crate) fn elements<'a>(shape: Val<'a>) -> Option<Vec<Val<'a>>> {
    let Definition::Result { op } = definition(shape) else { return None };
    match ffi::name(op).as_str() {
        "tensor.from_elements" => Some(op.operands().collect()),
        "tensor.cast" => elements(op.operand(0).ok()?),
        _ => None,
    }
}
