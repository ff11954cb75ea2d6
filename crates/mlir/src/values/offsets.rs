//! Values as polynomials in the sizes: offsets in arrays of rank 1, which need not be affine (`i*ld + j`).

use melior::ir::operation::OperationLike;
use melior::ir::{AffineExpr, AffineMap};
use symloc_affine::Expr;
use symloc_frontend::arithmetic::{Trouble, sum_of_sizes};
use symloc_frontend::cases::{Cases, join};
use symloc_frontend::poly::Poly;

use super::Values;
use crate::expressions::maps;
use crate::expressions::refusal::Cause;
use crate::ffi::{self, Definition, Op, Val, definition};

impl<'a> Values<'a, '_> {
    /// Returns the value as a polynomial in sizes with coefficients that are affine in iterators.
    pub(crate) fn offset(&self, value: Val<'a>) -> Result<Cases<Poly>, Cause<'a>> {
        if let Ok(index) = self.known_index(value) {
            return index.try_map(&mut |index: &Expr| Ok(self.products.expanded(index)?));
        }
        let Definition::Result { op } = definition(self.passed(value)) else { return Err(Cause::Operand(value)) };
        let operand = |index| op.operand(index).map_err(|error| Cause::here(error.to_string()));
        let both = || Ok::<_, Cause>(join(&[self.offset(operand(0)?)?, self.offset(operand(1)?)?])?);
        match ffi::name(op).as_str() {
            "arith.addi" | "index.add" => both()?.try_map(&mut |v: &Vec<Poly>| Ok(v[0].plus(&v[1])?)),
            "arith.subi" | "index.sub" => both()?.try_map(&mut |v: &Vec<Poly>| Ok(v[0].minus(&v[1])?)),
            "arith.muli" | "index.mul" => both()?.try_map(&mut |v: &Vec<Poly>| Ok(v[0].product(&v[1])?)),
            "affine.linearize_index" => self.linearized_offset(op),
            "arith.index_cast" | "arith.extsi" | "arith.trunci" | "index.casts" => self.offset(operand(0)?),
            "affine.apply" => {
                let map = op.attribute("map").ok().and_then(ffi::affine_map);
                let map = map.ok_or_else(|| Cause::here("it has no affine map"))?;
                let results = self.offsets_over(map, &op.operands().collect::<Vec<_>>())?;
                results.into_iter().next().ok_or_else(|| Cause::here("its map has no result"))
            }
            _ => Err(Cause::Operand(value)),
        }
    }

    /// Returns the results of a map whose operands are polynomials.
    pub(crate) fn offsets_over(&self, map: AffineMap, operands: &[Val<'a>]) -> Result<Vec<Cases<Poly>>, Cause<'a>> {
        let inputs = operands.iter().map(|operand| self.offset(*operand)).collect::<Result<Vec<_>, _>>()?;
        let inputs = join(&inputs)?;
        let result = |index| {
            let result = map.result(index).map_err(|error| Cause::here(error.to_string()))?;
            inputs.try_map(&mut |inputs: &Vec<Poly>| polynomial(result, map.dim_count(), inputs))
        };
        (0..map.result_count()).map(result).collect()
    }

    /// Records the sums of sizes that are factors, which are possible lengths of rows.
    pub(crate) fn note_factors(&mut self, op: Op<'a>) {
        let mut found = Vec::new();
        match ffi::name(op).as_str() {
            "affine.apply" => self.multiplied_in(op, &mut found),
            name if IS_MULTIPLIED.contains(&name) => {
                for operand in op.operands().filter_map(|operand| self.known_index(operand).ok()) {
                    operand.each(&mut |factor| found.push(factor.clone()));
                }
            }
            _ => {}
        }
        self.factors.extend(found.iter().filter_map(sum_of_sizes));
    }

    /// Collects the values that an affine map multiplies.
    fn multiplied_in(&self, op: Op<'a>, found: &mut Vec<Expr>) {
        let Some(map) = op.attribute("map").ok().and_then(ffi::affine_map) else { return };
        let operands: Option<Vec<_>> = op.operands().map(|operand| self.known_index(operand).ok()).collect();
        let Some(Ok(operands)) = operands.map(|operands| join(&operands)) else { return };
        for result in (0..map.result_count()).filter_map(|index| map.result(index).ok()) {
            operands.each(&mut |operands: &Vec<Expr>| multiplied(result, map.dim_count(), operands, found));
        }
    }
}

/// The operations whose operands may be factors; those of views may be strides.
const IS_MULTIPLIED: [&str; 4] = ["arith.muli", "index.mul", "memref.subview", "memref.reinterpret_cast"];

/// Collects the values that are multiplied in an expression.
fn multiplied(expr: AffineExpr, dims: usize, inputs: &[Expr], found: &mut Vec<Expr>) {
    if expr.is_add() || expr.is_mul() {
        for side in [expr.lhs(), expr.rhs()] {
            multiplied(side, dims, inputs, found);
            found.extend(maps::evaluate(side, dims, inputs).ok().filter(|_| expr.is_mul()));
        }
    }
}

/// Returns the value of an expression whose inputs are polynomials.
fn polynomial<'a>(expr: AffineExpr, dims: usize, inputs: &[Poly]) -> Result<Poly, Cause<'a>> {
    let input = |index: usize| inputs.get(index).cloned().ok_or_else(|| Cause::here("the map has more inputs"));
    if expr.is_dim() {
        return input(expr.dim_position());
    }
    if expr.is_symbol() {
        return input(dims + expr.symbol_position());
    }
    if expr.is_constant() {
        return Ok(Poly::constant(expr.constant_value()));
    }
    let (left, right) = (polynomial(expr.lhs(), dims, inputs)?, polynomial(expr.rhs(), dims, inputs)?);
    if expr.is_add() {
        return Ok(left.plus(&right)?);
    }
    if expr.is_mul() {
        return Ok(left.product(&right)?);
    }
    let (left, divisor) = left.affine().zip(right.as_constant().filter(|d| *d > 0)).ok_or(Trouble::Divisor)?;
    Ok(Poly::from(match () {
        () if expr.is_mod() => left.modulo(divisor)?,
        () if expr.is_floor_div() => left.floor_div(divisor)?,
        () => left.ceil_div(divisor)?,
    }))
}
