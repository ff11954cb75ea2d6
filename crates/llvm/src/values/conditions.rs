//! Conditions: comparisons of numbers, truth values, and the branches that they choose.

use symloc_affine::{Constraint, Expr};
use symloc_frontend::arithmetic::{Comparison, common_divisor, masked};
use symloc_frontend::cases::{CasePath, Cases, join};
use symloc_frontend::poly::Poly;
use symloc_frontend::raising::Cause;

use crate::ir::ffi::{Opcode, Predicate, Value};
use crate::values::addresses::is_address;
use crate::values::environment::Values;
use crate::values::lattice::{Known, Pointer};
use crate::values::refusals::{not_followed, operand};
use crate::values::wrapping::{BitReading, is_narrow, unsigned_bits};

impl<'m> Values<'m> {
    /// Returns the value of an instruction whose type is a truth value.
    pub(super) fn condition(&mut self, value: Value<'m>, opcode: Opcode) -> Result<Known, Cause> {
        use Opcode as O;
        Ok(Known::Flag(match opcode {
            O::LLVMICmp => self.comparison(value)?,
            O::LLVMAnd if self.tests_overlap(value) => Cases::Always(false),
            O::LLVMAnd => self.logic(value, |a, b| a && b)?,
            O::LLVMOr => self.logic(value, |a, b| a || b)?,
            O::LLVMXor => self.logic(value, |a, b| a != b)?,
            O::LLVMTrunc => {
                let number = self.integer(operand(value, 0)?)?;
                number.and_then(&mut |number: &Poly| {
                    let bit = masked(&number.to_affine()?, 1)?;
                    Ok::<_, Cause>(self.ranges.compare(Comparison::Unequal, &bit, &Expr::default())?)
                })?
            }
            O::LLVMSelect => return self.select(value),
            O::LLVMFreeze => return Ok(self.get(operand(value, 0)?)),
            O::LLVMExtractValue => return self.extracted(value),
            _ => return Err(not_followed(value, opcode)),
        }))
    }

    fn logic(&mut self, value: Value<'m>, f: impl Fn(bool, bool) -> bool) -> Result<Cases<bool>, Cause> {
        let both = join(&[self.flag(operand(value, 0)?)?, self.flag(operand(value, 1)?)?])?;
        let value = both.try_map(&mut |values: &Vec<bool>| Ok::<_, Cause>(f(values[0], values[1])))?;
        Ok(value.merged()?)
    }

    /// Returns the index of the successor that a switch takes.
    pub(crate) fn switch(&mut self, terminator: Value<'m>) -> Result<Cases<usize>, Cause> {
        let (cases, default) = terminator.switch().ok_or_else(|| Cause::here("this kind of jump is not followed"))?;
        let chosen = terminator.operand(0).ok_or_else(|| Cause::here("it has no value"))?;
        let value = self.integer(chosen)?;
        value.and_then(&mut |value| {
            let mut choice = Cases::Always(default);
            for (case, successor) in cases.iter().rev() {
                let difference = self.difference_of_bits(value, &Poly::constant(*case), chosen)?;
                let equal = self.ranges.holds(Constraint::zero(difference.to_affine()?));
                choice = equal.and_then(&mut |&holds| {
                    Ok::<_, Cause>(if holds { Cases::Always(*successor) } else { choice.clone() })
                })?;
            }
            Ok(choice)
        })
    }

    pub(super) fn comparison(&mut self, value: Value<'m>) -> Result<Cases<bool>, Cause> {
        let (comparison, swapped) = value.predicate().map(comparison).ok_or_else(|| Cause::here("it is not known"))?;
        let [left, right] = [operand(value, 0)?, operand(value, 1)?];
        let (left, right) = if swapped { (right, left) } else { (left, right) };
        if left.r#type().is_pointer() {
            return self.compared_addresses(comparison, left, right);
        }
        if is_address(value, 0) && right.constant() == Some(0) {
            return self.compared_with_null(comparison, operand(left, 0)?);
        }
        if comparison == (Comparison::Less { unsigned: true }) && self.tests_nearness(left, right) {
            return Ok(Cases::Always(false));
        }
        let both = join(&[self.side(comparison, left, value)?, self.side(comparison, right, value)?])?;
        let result = both.and_then_in(&mut |values: &Vec<Poly>, case| {
            self.compared(comparison, [&values[0], &values[1]], value, case)
        });
        Ok(result?.merged()?)
    }

    /// Returns a side of a comparison, as it is read there.
    fn side(&mut self, comparison: Comparison, side: Value<'m>, at: Value<'m>) -> Result<Cases<Poly>, Cause> {
        let number = self.integer(side)?;
        let reading = match comparison {
            Comparison::Less { unsigned } | Comparison::LessOrEqual { unsigned } if !unsigned => BitReading::Signed,
            Comparison::Less { .. } | Comparison::LessOrEqual { .. } => BitReading::Unsigned,
            // Both sides are equal in either reading; constants are signed.
            _ if !is_narrow(side) => BitReading::Signed,
            _ => return Ok(number),
        };
        number.and_then(&mut |number: &Poly| self.read_as(number, side, reading, at))
    }

    /// Compares two numbers, which are the sides of a comparison in a case.
    fn compared(
        &mut self,
        comparison: Comparison,
        [a, b]: [&Poly; 2],
        at: Value<'m>,
        case: &CasePath,
    ) -> Result<Cases<bool>, Cause> {
        if let Some(result) = self.beside_huge(comparison, a, b)? {
            return Ok(result);
        }
        let comparison = match comparison {
            Comparison::Less { unsigned: true } | Comparison::LessOrEqual { unsigned: true } => {
                // `x < y` with y ≥ 0: a negative x is a huge number, so it is not below y.
                let is_affine = b.affine().is_some() && a.affine().is_some();
                let negative_left = !self.at_exit && is_affine && !self.non_negative_in(case, a);
                if negative_left && self.non_negative_in(case, b) {
                    return Ok(self.ranges.compare(comparison, &a.to_affine()?, &b.to_affine()?)?);
                }
                self.unsigned(a, at, case)?;
                self.unsigned(b, at, case)?;
                match comparison {
                    Comparison::Less { .. } => Comparison::Less { unsigned: false },
                    _ => Comparison::LessOrEqual { unsigned: false },
                }
            }
            other => other,
        };
        // The difference may be affine where the sides are not.
        let difference = match (comparison, at.operand(0)) {
            (Comparison::Equal | Comparison::Unequal, Some(side)) if is_narrow(side) => {
                self.difference_of_bits(a, b, side)?
            }
            _ => a.minus(b)?,
        };
        Ok(self.ranges.compare(comparison, &difference.to_affine()?, &Expr::default())?)
    }

    /// Returns the difference of two numbers of few bits, of which one may be a constant that stands for the other sign.
    fn difference_of_bits(&self, a: &Poly, b: &Poly, side: Value<'m>) -> Result<Poly, Cause> {
        let read = |constant: &Poly, other: &Poly| match constant.as_constant() {
            Some(constant) if self.non_negative(other) => Poly::constant(unsigned_bits(constant, side)),
            _ => constant.clone(),
        };
        Ok(read(a, b).minus(&read(b, a))?)
    }

    /// Compares unsigned numbers if exactly one of them is a negative constant, which is a huge number; `None` for
    /// others.
    fn beside_huge(&self, comparison: Comparison, a: &Poly, b: &Poly) -> Result<Option<Cases<bool>>, Cause> {
        let at_most = match comparison {
            Comparison::Less { unsigned: true } => -1,
            Comparison::LessOrEqual { unsigned: true } => 0,
            _ => return Ok(None),
        };
        let huge = |value: &Poly| value.as_constant().filter(|constant| *constant < 0);
        let holds = |expr: Expr| self.ranges.holds(Constraint::non_negative(expr));
        Ok(match (huge(a), huge(b)) {
            (None, Some(_)) => {
                let (a, b) = (a.to_affine()?, b.to_affine()?);
                let below = holds(b.minus(&a)?.plus_constant(at_most)?);
                Some(either(&holds(a), &below, |small, below| small || below)?)
            }
            (Some(_), None) => {
                let (a, b) = (a.to_affine()?, b.to_affine()?);
                let above = holds(b.minus(&a)?.plus_constant(at_most)?);
                let negative = holds(b.times(-1)?.plus_constant(-1)?);
                Some(either(&negative, &above, |negative, above| negative && above)?)
            }
            _ => None,
        })
    }

    /// Returns the left minus the right operand of a comparison; for addresses, divided by the greatest common divisor.
    pub(crate) fn difference(&mut self, comparison: Value<'m>) -> Result<Cases<Expr>, Cause> {
        let [left, right] = [operand(comparison, 0)?, operand(comparison, 1)?];
        if left.r#type().is_pointer() {
            let both = join(&[self.pointer(left)?, self.pointer(right)?])?;
            return both.try_map(&mut |values: &Vec<Pointer>| {
                if values[0].root != values[1].root {
                    return Err(Cause::hinted(
                        "it compares addresses in different objects",
                        "count with a size that is an argument",
                    ));
                }
                let difference = values[0].bytes()?.minus(&values[1].bytes()?)?.to_affine()?;
                Ok(difference.floor_div(common_divisor(&difference).max(1))?)
            });
        }
        let both = join(&[self.integer(left)?, self.integer(right)?])?;
        both.try_map(&mut |values: &Vec<Poly>| Ok(values[0].minus(&values[1])?.to_affine()?))
    }

    /// Returns a condition whose parts on data are replaced by `holds`.
    pub(crate) fn told(&mut self, condition: Value<'m>, holds: &Cases<bool>, fuel: u32) -> Option<Cases<bool>> {
        use Opcode as O;
        let fuel = fuel.checked_sub(1)?;
        if let Ok(flag) = self.flag(condition) {
            return Some(flag);
        }
        let operands = condition.operands();
        let combine = |values: &mut Self, a: Value<'m>, b: Value<'m>, f: fn(bool, bool) -> bool| {
            let both = join(&[values.told(a, holds, fuel)?, values.told(b, holds, fuel)?]).ok()?;
            both.try_map(&mut |v: &Vec<bool>| Ok::<_, ()>(f(v[0], v[1]))).ok()?.merged().ok()
        };
        let is = |index: usize, value: bool| {
            operands.get(index).and_then(|operand| operand.constant()).is_some_and(|constant| (constant != 0) == value)
        };
        match condition.opcode() {
            Some(O::LLVMAnd) => combine(self, operands[0], operands[1], |a, b| a && b),
            Some(O::LLVMOr) => combine(self, operands[0], operands[1], |a, b| a || b),
            Some(O::LLVMSelect) if is(2, false) => combine(self, operands[0], operands[1], |a, b| a && b),
            Some(O::LLVMSelect) if is(1, true) => combine(self, operands[0], operands[2], |a, b| a || b),
            _ => Some(holds.clone()),
        }
    }
}

/// Returns the comparison of a predicate, and true if its operands are swapped.
fn comparison(predicate: Predicate) -> (Comparison, bool) {
    use Comparison::{Equal, Less, LessOrEqual, Unequal};
    use Predicate as P;
    match predicate {
        P::LLVMIntEQ => (Equal, false),
        P::LLVMIntNE => (Unequal, false),
        P::LLVMIntSLT => (Less { unsigned: false }, false),
        P::LLVMIntSLE => (LessOrEqual { unsigned: false }, false),
        P::LLVMIntSGT => (Less { unsigned: false }, true),
        P::LLVMIntSGE => (LessOrEqual { unsigned: false }, true),
        P::LLVMIntULT => (Less { unsigned: true }, false),
        P::LLVMIntULE => (LessOrEqual { unsigned: true }, false),
        P::LLVMIntUGT => (Less { unsigned: true }, true),
        P::LLVMIntUGE => (LessOrEqual { unsigned: true }, true),
    }
}

/// Combines two conditions by a function.
fn either(a: &Cases<bool>, b: &Cases<bool>, f: fn(bool, bool) -> bool) -> Result<Cases<bool>, Cause> {
    let both = join(&[a.clone(), b.clone()])?;
    Ok(both.try_map(&mut |flags: &Vec<bool>| Ok::<_, Cause>(f(flags[0], flags[1])))?.merged()?)
}
