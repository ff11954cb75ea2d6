//! Affine maps: MLIR's expression trees as affine expressions.

use melior::ir::AffineExpr;
use symloc_affine::{Expr, Overflow};
use symloc_frontend::arithmetic;

/// A reason why an affine expression of MLIR has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MapError {
    /// An input is missing.
    Input,
    /// The expression multiplies two values that are not constant.
    Product,
    /// The expression divides by a value that is not a positive constant.
    Divisor,
    /// The expression is too large.
    Size,
    /// A coefficient does not fit in 64 bits.
    Overflow(Overflow),
}

impl From<Overflow> for MapError {
    fn from(overflow: Overflow) -> Self {
        MapError::Overflow(overflow)
    }
}

/// Returns the value of `expr`; `inputs` are the values of dimensions and, from `dims` on, of symbols.
pub(crate) fn evaluate(expr: AffineExpr, dims: usize, inputs: &[Expr]) -> Result<Expr, MapError> {
    let input = |index: usize| inputs.get(index).cloned().ok_or(MapError::Input);
    if expr.is_dim() {
        return input(expr.dim_position());
    }
    if expr.is_symbol() {
        return input(dims + expr.symbol_position());
    }
    if expr.is_constant() {
        return Ok(Expr::constant(expr.constant_value()));
    }
    let left = evaluate(expr.lhs(), dims, inputs)?;
    let right = evaluate(expr.rhs(), dims, inputs)?;
    let value = if expr.is_add() {
        left.plus(&right)?
    } else if expr.is_mul() {
        product(&left, &right)?.ok_or(MapError::Product)?
    } else {
        let divisor = right.as_constant().filter(|&d| d > 0).ok_or(MapError::Divisor)?;
        if expr.is_mod() {
            left.modulo(divisor)?
        } else if expr.is_floor_div() {
            left.floor_div(divisor)?
        } else {
            left.ceil_div(divisor)?
        }
    };
    small(value)
}

/// Returns the expression, unless it is too large for further arithmetic.
pub(crate) fn small(expr: Expr) -> Result<Expr, MapError> {
    arithmetic::small(expr).map_err(|_| MapError::Size)
}

/// Returns the product, if one of the factors is constant.
pub(crate) fn product(left: &Expr, right: &Expr) -> Result<Option<Expr>, Overflow> {
    match (left.as_constant(), right.as_constant()) {
        (_, Some(factor)) => left.times(factor).map(Some),
        (Some(factor), _) => right.times(factor).map(Some),
        (None, None) => Ok(None),
    }
}

/// Returns true if the expression mentions the input with this number.
pub(crate) fn mentions(expr: AffineExpr, dims: usize, input: usize) -> bool {
    if expr.is_dim() {
        return expr.dim_position() == input;
    }
    if expr.is_symbol() {
        return dims + expr.symbol_position() == input;
    }
    !expr.is_constant() && (mentions(expr.lhs(), dims, input) || mentions(expr.rhs(), dims, input))
}
