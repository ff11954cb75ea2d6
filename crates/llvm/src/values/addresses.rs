//! Comparisons and distances of addresses.

use symloc_affine::Expr;
use symloc_frontend::arithmetic::{Comparison, common_divisor};
use symloc_frontend::cases::{Cases, join};
use symloc_frontend::raising::Cause;

use crate::ir::ffi::{Opcode, Predicate, Value};
use crate::memory::base_objects::RootId;
use crate::values::environment::Values;
use crate::values::lattice::{Known, Pointer};
use crate::values::refusals::operand;

impl<'m> Values<'m> {
    pub(super) fn compared_addresses(
        &mut self,
        comparison: Comparison,
        left: Value<'m>,
        right: Value<'m>,
    ) -> Result<Cases<bool>, Cause> {
        if left.is_null() || right.is_null() {
            return self.compared_with_null(comparison, if left.is_null() { right } else { left });
        }
        let both = join(&[self.pointer(left)?, self.pointer(right)?])?;
        both.and_then(&mut |values: &Vec<Pointer>| {
            if values[0].root != values[1].root {
                return match comparison {
                    Comparison::Equal => Ok(Cases::Always(false)),
                    Comparison::Unequal => Ok(Cases::Always(true)),
                    _ => Err(Cause::hinted(
                        "it compares addresses in different objects",
                        "count with a size that is an argument",
                    )),
                };
            }
            let difference = values[0].bytes()?.minus(&values[1].bytes()?)?.to_affine()?;
            let common = common_divisor(&difference);
            let comparison = match comparison {
                Comparison::Less { .. } => Comparison::Less { unsigned: false },
                Comparison::LessOrEqual { .. } => Comparison::LessOrEqual { unsigned: false },
                other => other,
            };
            Ok(self.ranges.compare(comparison, &difference.floor_div(common.max(1))?, &Expr::default())?)
        })
    }

    pub(super) fn compared_with_null(
        &mut self,
        comparison: Comparison,
        pointer: Value<'m>,
    ) -> Result<Cases<bool>, Cause> {
        let is_null = self.is_null(pointer)?;
        match comparison {
            Comparison::Equal => Ok(is_null),
            Comparison::Unequal => is_null.try_map(&mut |is_null: &bool| Ok(!is_null)),
            _ => Err(Cause::here("it compares an address with null")),
        }
    }

    /// Returns true where a pointer is null: one with a known object is not, but a `select` may choose null.
    fn is_null(&mut self, pointer: Value<'m>) -> Result<Cases<bool>, Cause> {
        if pointer.is_null() {
            return Ok(Cases::Always(true));
        }
        if pointer.opcode() == Some(Opcode::LLVMSelect) {
            let [condition, then, otherwise] = [operand(pointer, 0)?, operand(pointer, 1)?, operand(pointer, 2)?];
            if then.is_null() || otherwise.is_null() {
                let chosen = if then.is_null() { otherwise } else { then };
                self.pointer(chosen)?;
                return self.flag(condition)?.try_map(&mut |holds: &bool| Ok(*holds == then.is_null()));
            }
        }
        self.pointer(pointer)?;
        Ok(Cases::Always(false))
    }

    /// Returns the difference of two addresses in bytes.
    pub(super) fn distance(&mut self, value: Value<'m>) -> Result<Known, Cause> {
        let address = |value: Value<'m>, index| operand(operand(value, index)?, 0);
        let both = join(&[self.pointer(address(value, 0)?)?, self.pointer(address(value, 1)?)?])?;
        let distance = both.try_map(&mut |values: &Vec<Pointer>| match values[0].root == values[1].root {
            true => Ok::<_, Cause>(values[0].bytes()?.minus(&values[1].bytes()?)?),
            false => Err(Cause::hinted(
                "it subtracts addresses that are read from memory or lie in different objects",
                "pass the size as an argument",
            )),
        })?;
        Ok(Known::Integer(distance))
    }

    /// Returns true for `a < b_end && b < a_end` with addresses in two objects: a test for overlap, which is assumed to
    /// fail.
    pub(super) fn tests_overlap(&mut self, both: Value<'m>) -> bool {
        let mut roots = |test: Value<'m>| {
            let less = test.predicate() == Some(Predicate::LLVMIntULT);
            let sides = test.operand(0).zip(test.operand(1)).filter(|(left, _)| less && left.r#type().is_pointer())?;
            Some((self.root_behind(sides.0)?, self.root_behind(sides.1)?))
        };
        let tests = both.operand(0).and_then(&mut roots).zip(both.operand(1).and_then(&mut roots));
        tests.is_some_and(|((a, b_end), (b, a_end))| a != b && a == a_end && b == b_end)
    }

    /// Returns true for an unsigned `a - b < 32` with addresses in two objects: a test of a vectorised loop for overlap
    /// within one vector, which is assumed to fail.
    pub(super) fn tests_nearness(&mut self, distance: Value<'m>, bytes: Value<'m>) -> bool {
        const VECTORS: i64 = 4096;
        let is_distance =
            distance.opcode() == Some(Opcode::LLVMSub) && is_address(distance, 0) && is_address(distance, 1);
        let near = bytes.constant().is_some_and(|bytes| (0..=VECTORS).contains(&bytes));
        let mut root = |index| self.root_behind(distance.operand(index)?.operand(0)?);
        is_distance && near && root(0).zip(root(1)).is_some_and(|(a, b)| a != b)
    }

    /// Returns the object that an address points into.
    fn root_behind(&mut self, address: Value<'m>) -> Option<RootId> {
        let mut base = address;
        while base.opcode() == Some(Opcode::LLVMGetElementPtr) {
            base = base.operand(0)?;
        }
        match self.pointer(base).ok()? {
            Cases::Always(pointer) => Some(pointer.root),
            Cases::When(_) => None,
        }
    }
}

/// Returns true if an operand is an address as a number.
pub(super) fn is_address(value: Value, index: u32) -> bool {
    value.operand(index).and_then(Value::opcode) == Some(Opcode::LLVMPtrToInt)
}
