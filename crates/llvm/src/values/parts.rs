//! The results of intrinsics and parts of aggregates.

use symloc_affine::Expr;
use symloc_frontend::cases::{Cases, Extreme, join};
use symloc_frontend::poly::Poly;
use symloc_frontend::raising::Cause;

use crate::ir::ffi::{Opcode, Value};
use crate::values::environment::Values;
use crate::values::lattice::{Known, polys};
use crate::values::refusals::{loaded, not_followed, operand};

impl<'m> Values<'m> {
    /// Returns the result of an intrinsic: a minimum, a maximum or the like.
    pub(super) fn intrinsic(&mut self, value: Value<'m>) -> Result<Known, Cause> {
        let (callee, arguments) = value.call().ok_or_else(|| Cause::here("it is not a call"))?;
        let name = callee.name();
        let stem = name.strip_prefix("llvm.").and_then(|name| name.split('.').next()).unwrap_or_default();
        let (extreme, is_unsigned) = match stem {
            "smin" => (Extreme::Smallest, false),
            "smax" => (Extreme::Largest, false),
            "umin" => (Extreme::Smallest, true),
            "umax" => (Extreme::Largest, true),
            "abs" => {
                let number = self.integer(arguments[0])?;
                let result = number.and_then(&mut |number: &Poly| {
                    let expr = number.to_affine()?;
                    polys(self.ranges.extreme(Extreme::Largest, &[expr.clone(), expr.times(-1)?])?)
                })?;
                return Ok(Known::Integer(result));
            }
            "usub" if name.starts_with("llvm.usub.sat.") => {
                let both = join(&[self.integer(arguments[0])?, self.integer(arguments[1])?])?;
                let result = both.and_then_in(&mut |values: &Vec<Poly>, case| {
                    values.iter().try_for_each(|side| self.unsigned(side, value, case))?;
                    let difference = values[0].minus(&values[1])?.to_affine()?;
                    polys(self.ranges.extreme(Extreme::Largest, &[difference, Expr::default()])?)
                })?;
                return Ok(Known::Integer(result));
            }
            "expect" | "ssa" | "launder" | "strip" => return Ok(self.get(arguments[0])),
            _ => return Err(result_of_call(name)),
        };
        let [left, right] = arguments.as_slice() else { return Err(Cause::here("it has no operands")) };
        let both = join(&[self.integer(*left)?, self.integer(*right)?])?;
        let result = both.and_then_in(&mut |values: &Vec<Poly>, case| {
            if is_unsigned {
                self.unsigned(&values[0], value, case)?;
                self.unsigned(&values[1], value, case)?;
            }
            polys(self.ranges.extreme(extreme, &[values[0].to_affine()?, values[1].to_affine()?])?)
        })?;
        Ok(Known::Integer(result))
    }

    /// Returns a part of an aggregate: one that was inserted, or a result of `llvm.*.with.overflow`. Its flag is false,
    /// because overflow leads to a call that never returns.
    pub(super) fn extracted(&mut self, value: Value<'m>) -> Result<Known, Cause> {
        let call = operand(value, 0)?;
        if let Some(part) = inserted(call, &value.indices()) {
            return Ok(self.get(part));
        }
        if call.opcode() == Some(Opcode::LLVMLoad) {
            return Err(loaded());
        }
        let name = call.call().map(|(callee, _)| callee.name()).unwrap_or_default();
        let Some(operation) = name.strip_prefix("llvm.").filter(|name| name.contains(".with.overflow")) else {
            return Err(not_followed(value, Opcode::LLVMExtractValue));
        };
        if value.r#type().is_flag() {
            return Ok(Known::Flag(Cases::Always(false)));
        }
        match operation.get(1..4) {
            Some("add") => self.binary(call, |a, b| Ok(a.plus(b)?)),
            Some("sub") => self.binary(call, |a, b| Ok(a.minus(b)?)),
            _ => self.binary(call, Poly::product),
        }
    }
}

/// Returns the value that was inserted at these indices of an aggregate.
fn inserted<'m>(aggregate: Value<'m>, indices: &[u32]) -> Option<Value<'m>> {
    let mut aggregate = aggregate;
    while aggregate.opcode() == Some(Opcode::LLVMInsertValue) {
        if aggregate.indices() == indices {
            return aggregate.operand(1);
        }
        aggregate = aggregate.operand(0)?;
    }
    indices.iter().try_fold(aggregate, |aggregate, index| aggregate.part(*index))
}

fn result_of_call(name: &str) -> Cause {
    let name = if name.is_empty() { "a function pointer" } else { name };
    Cause::hinted(
        format!("it is the result of a call of `{name}`"),
        "only parameters and loop counters can be followed",
    )
}
