//! Affine maps: MLIR's expression trees to normal form.

use melior::ir::AffineExpr;
use symloc_affine::{Expr, Overflow};

/// Why an affine expression of MLIR has no value here; `E` is what an input may answer instead of its value.
pub(crate) enum MapError<E> {
    /// An input has no value.
    Input(E),
    /// The expression multiplies two values that are not constant.
    Product,
    /// The expression divides by what is not a positive constant.
    Divisor,
    /// A coefficient does not fit in 64 bits.
    Overflow(Overflow),
}

impl<E> From<Overflow> for MapError<E> {
    fn from(overflow: Overflow) -> Self {
        MapError::Overflow(overflow)
    }
}

/// The value of `expr`, where `input` gives the values of dimensions (from 0) and symbols (from `dims`).
pub(crate) fn evaluate<E>(
    expr: AffineExpr,
    dims: usize,
    input: &impl Fn(usize) -> Result<Expr, E>,
) -> Result<Expr, MapError<E>> {
    if expr.is_dim() {
        return input(expr.dim_position()).map_err(MapError::Input);
    }
    if expr.is_symbol() {
        return input(dims + expr.symbol_position()).map_err(MapError::Input);
    }
    if expr.is_constant() {
        return Ok(Expr::constant(expr.constant_value()));
    }
    let left = evaluate(expr.lhs(), dims, input)?;
    let right = evaluate(expr.rhs(), dims, input)?;
    if expr.is_add() {
        return Ok(left.plus(&right)?);
    }
    if expr.is_mul() {
        return product(&left, &right)?.ok_or(MapError::Product);
    }
    let divisor = right.as_constant().filter(|&d| d > 0);
    let divisor = divisor.ok_or(MapError::Divisor)?;
    Ok(if expr.is_mod() {
        left.modulo(divisor)?
    } else if expr.is_floor_div() {
        left.floor_div(divisor)?
    } else {
        left.ceil_div(divisor)?
    })
}

/// The product, if one of the factors is constant.
pub(crate) fn product(left: &Expr, right: &Expr) -> Result<Option<Expr>, Overflow> {
    match (left.as_constant(), right.as_constant()) {
        (_, Some(factor)) => left.times(factor).map(Some),
        (Some(factor), _) => right.times(factor).map(Some),
        (None, None) => Ok(None),
    }
}
