//! The values of instructions: piecewise affine integers.
//!
//! Arithmetic is that of the integers: signed overflow is undefined in the source, and unsigned arithmetic is supported
//! where it does not wrap around. If that depends on the sizes alone, it becomes a condition of the model.

use symloc_affine::{Atom, Constraint, Expr};
use symloc_frontend::arithmetic::{Trouble, masked, positive, power_of_two, sum_of_sizes};
use symloc_frontend::cases::{CasePath, Cases, join};
use symloc_frontend::raising::Cause;

use crate::ir::ffi::{Opcode, Value};
use crate::values::addresses::is_address;
use crate::values::environment::Values;
use crate::values::lattice::{Known, choose, polys};
use crate::values::refusals::{not_followed, operand};
use crate::values::wrapping::BitReading;
use symloc_frontend::poly::Poly;

const NO_UPPER_BITS: &str = "the upper bits of a number, which a mask clears, must be zero";

type Integer = Result<Cases<Poly>, Cause>;

impl<'m> Values<'m> {
    /// Returns the value of an instruction.
    pub(crate) fn compute(&mut self, value: Value<'m>) -> Result<Known, Cause> {
        use Opcode as O;
        let opcode = value.opcode().ok_or_else(|| Cause::here("it is not known"))?;
        if value.r#type().is_flag() {
            return self.condition(value, opcode);
        }
        match opcode {
            O::LLVMAdd => self.binary(value, |a, b| Ok(a.plus(b)?)),
            O::LLVMSub if is_address(value, 0) && is_address(value, 1) => self.distance(value),
            O::LLVMSub => self.binary(value, |a, b| Ok(a.minus(b)?)),
            O::LLVMMul => {
                self.note_factors(value)?;
                self.binary(value, Poly::product)
            }
            O::LLVMShl => {
                let wraps = value.r#type().bits() == 64 && !value.no_signed_wrap() && !value.no_unsigned_wrap();
                self.binary(value, |a, b| {
                    let by = exponent(b)?;
                    let kept = if wraps { reduced(a, 64 - by)? } else { a.clone() };
                    kept.product(&Poly::constant(power_of_two(by)?))
                })
            }
            O::LLVMOr if value.is_disjoint() => self.binary(value, |a, b| Ok(a.plus(b)?)),
            O::LLVMAnd | O::LLVMOr | O::LLVMXor => self.bits(value, opcode),
            O::LLVMSDiv | O::LLVMUDiv | O::LLVMSRem | O::LLVMURem | O::LLVMAShr | O::LLVMLShr => {
                self.division(value, opcode)
            }
            O::LLVMSExt | O::LLVMZExt | O::LLVMTrunc => self.cast(value, opcode),
            O::LLVMFreeze | O::LLVMBitCast => Ok(self.get(operand(value, 0)?)),
            O::LLVMSelect => self.select(value),
            O::LLVMGetElementPtr => self.element_address(value),
            O::LLVMCall => self.intrinsic(value),
            O::LLVMExtractValue => self.extracted(value),
            _ => Err(not_followed(value, opcode)),
        }
    }

    pub(super) fn operands(&mut self, value: Value<'m>) -> Result<Cases<Vec<Poly>>, Cause> {
        let both = [self.integer(operand(value, 0)?)?, self.integer(operand(value, 1)?)?];
        Ok(join(&both)?)
    }

    pub(super) fn binary(
        &mut self,
        value: Value<'m>,
        f: impl Fn(&Poly, &Poly) -> Result<Poly, Trouble>,
    ) -> Result<Known, Cause> {
        let both = self.operands(value)?;
        Ok(Known::Integer(both.try_map(&mut |values: &Vec<Poly>| Ok::<_, Cause>(f(&values[0], &values[1])?))?))
    }

    /// Records the sums of sizes among the factors of a product.
    fn note_factors(&mut self, product: Value<'m>) -> Result<(), Cause> {
        self.operands(product)?.try_map(&mut |factors: &Vec<Poly>| {
            self.factors.extend(factors.iter().filter_map(|factor| sum_of_sizes(&factor.affine()?)));
            Ok::<_, Cause>(())
        })?;
        Ok(())
    }

    /// Returns the operand of a cast, whose value must fit; a truth value becomes 1 or, sign-extended, −1 if it is
    /// true.
    fn cast(&mut self, value: Value<'m>, opcode: Opcode) -> Result<Known, Cause> {
        let from = operand(value, 0)?;
        if from.r#type().is_flag() {
            let one = if opcode == Opcode::LLVMSExt { -1 } else { 1 };
            let number = |holds: &bool| Ok::<_, Cause>(Poly::constant(if *holds { one } else { 0 }));
            return Ok(Known::Integer(self.flag(from)?.try_map(&mut { number })?));
        }
        let mut number = self.integer(from)?;
        if let (Opcode::LLVMTrunc, Some(width)) = (opcode, value.r#type().integer_width()) {
            number = number.try_map(&mut |number: &Poly| without_multiples(number, width))?;
            if width < 32 {
                number.try_map(&mut |number: &Poly| self.fits(number, width, value))?;
            }
        }
        let reading = match opcode {
            Opcode::LLVMZExt => BitReading::Unsigned,
            Opcode::LLVMSExt => BitReading::Signed,
            _ => return Ok(Known::Integer(number)),
        };
        let number = number.and_then(&mut |number: &Poly| self.read_as(number, from, reading, value))?;
        if reading == BitReading::Unsigned {
            number.and_then_in(&mut |number: &Poly, case| {
                self.unsigned(number, value, case)?;
                Ok::<_, Cause>(Cases::Always(()))
            })?;
        }
        Ok(Known::Integer(number))
    }

    pub(super) fn select(&mut self, value: Value<'m>) -> Result<Known, Cause> {
        let [condition, then, otherwise] = [operand(value, 0)?, operand(value, 1)?, operand(value, 2)?];
        let [then, otherwise] = [self.get(then), self.get(otherwise)];
        if let (Known::Integer(a), Known::Integer(b)) = (&then, &otherwise)
            && a == b
        {
            return Ok(then);
        }
        let condition = self.flag(condition)?;
        choose(&condition, &then, &otherwise)
    }

    fn bits(&mut self, value: Value<'m>, opcode: Opcode) -> Result<Known, Cause> {
        let both = match half_that_is_set(value) {
            Some(half) => join(&[self.integer(half)?, self.integer(operand(value, 1)?)?])?,
            None => self.operands(value)?,
        };
        let result = both.and_then_in(&mut |values: &Vec<Poly>, case| {
            Ok::<_, Cause>(Cases::Always(self.combined([&values[0], &values[1]], opcode, value, case)?))
        });
        Ok(Known::Integer(result?))
    }

    /// Combines the bits of two numbers, which are the operands of an instruction in a case.
    fn combined(
        &mut self,
        [a, b]: [&Poly; 2],
        opcode: Opcode,
        value: Value<'m>,
        case: &CasePath,
    ) -> Result<Poly, Cause> {
        let (number, mask) = match (a.as_constant(), b.as_constant()) {
            (Some(a), Some(b)) => {
                return Ok(Poly::constant(match opcode {
                    Opcode::LLVMAnd => a & b,
                    Opcode::LLVMOr => a | b,
                    _ => a ^ b,
                }));
            }
            (None, Some(mask)) => (a, mask),
            (Some(mask), None) => (b, mask),
            (None, None) => {
                return Err(Trouble::Bits("it combines the bits of two values that are not constant").into());
            }
        };
        match opcode {
            // −2ᵏ clears the low bits.
            Opcode::LLVMAnd if mask < 0 => {
                let number = number.to_affine()?;
                let low = masked(&number, !mask)?;
                Ok(number.minus(&low)?.into())
            }
            Opcode::LLVMAnd => Ok(self.masked(&number.to_affine()?, mask, value, case)?.into()),
            // The complement is −1 − x.
            Opcode::LLVMXor if mask == -1 => Ok(Poly::constant(-1).minus(number)?),
            // As `i | 1` of an even number: the bits of the mask are free, so they are added.
            Opcode::LLVMOr if mask >= 0 && is_free(&number.to_affine()?, mask) => {
                Ok(number.plus(&Poly::constant(mask))?)
            }
            // x ^ m = x + m − 2·(x & m), and x | m = x + m − (x & m).
            Opcode::LLVMXor | Opcode::LLVMOr if mask > 0 => {
                let times = if opcode == Opcode::LLVMXor { -2 } else { -1 };
                let number = number.to_affine()?;
                let both = masked(&number, mask)?;
                Ok(number.plus_constant(mask)?.add_scaled(&both, times)?.into())
            }
            _ => Err(Trouble::Bits("it combines bits in a way that is not affine").into()),
        }
    }

    /// Returns the bits of a number under a mask; a number that is known to have no higher bits needs no modulus for
    /// them. Of sizes alone that is required where the mask has more than 31 bits: compilers know by then that the others are
    /// zero.
    fn masked(&mut self, number: &Expr, mask: i64, at: Value<'m>, case: &CasePath) -> Result<Expr, Trouble> {
        let low = (mask & mask.wrapping_neg()).max(1);
        let largest = mask | (low - 1);
        let is_mask_of_low_bits = largest & largest.wrapping_add(1) == 0;
        // No number has more than 63 bits and a sign. Those of narrower types may be unsigned.
        let clears_sign = largest == i64::MAX;
        let room =
            if largest >= largest_of(number) { Expr::default() } else { Expr::constant(largest).minus(number)? };
        let is_small =
            self.non_negative_in(case, &number.clone().into()) && self.non_negative_in(case, &room.clone().into());
        let is_wide = is_mask_of_low_bits && largest > i64::from(i32::MAX);
        let mut has_no_more = |number: &Expr| self.require_in(case, number, at, NO_UPPER_BITS);
        if is_small || is_wide && has_no_more(number) && has_no_more(&room) {
            return Ok(number.minus(&number.modulo(low)?)?);
        }
        match clears_sign {
            true => Err(Trouble::MayBeNegative(number.clone())),
            false => masked(number, mask),
        }
    }

    fn division(&mut self, value: Value<'m>, opcode: Opcode) -> Result<Known, Cause> {
        use Opcode as O;
        let both = self.operands(value)?;
        let from = operand(value, 0)?;
        let is_signed = matches!(opcode, O::LLVMSDiv | O::LLVMSRem | O::LLVMAShr);
        let reading = if is_signed { BitReading::Signed } else { BitReading::Unsigned };
        let result = both.and_then_in(&mut |values: &Vec<Poly>, case| {
            let [number, by] = values.as_slice() else { return Err(Cause::here("it has no operands")) };
            let Some(by) = by.as_constant() else { return self.division_by_size(number, by, opcode) };
            let by = if matches!(opcode, O::LLVMAShr | O::LLVMLShr) { power_of_two(by)? } else { by };
            let quotient = matches!(opcode, O::LLVMSDiv | O::LLVMUDiv | O::LLVMAShr | O::LLVMLShr);
            let wrapped = self.wrapped(number, from, reading)?;
            if let (true, Some(wrapped)) = (quotient, &wrapped)
                && let Some(exact) = wrapped.divided(by)?
            {
                return Ok(Cases::Always(exact.into()));
            }
            let number = &wrapped.map_or_else(|| Ok(number.clone()), |wrapped| wrapped.number().map(Poly::from))?;
            if let (true, Some(exact)) = (quotient, number.divided(by)) {
                return Ok(Cases::Always(exact));
            }
            let expr = number.to_affine()?;
            Ok(match opcode {
                O::LLVMSDiv => polys(self.ranges.truncated(&expr, by)?)?,
                O::LLVMSRem => polys(self.ranges.remainder(&expr, by)?)?,
                O::LLVMAShr => Cases::Always(expr.floor_div(by)?.into()),
                _ => {
                    self.unsigned(number, value, case)?;
                    let (expr, by) = positive(&expr, by)?;
                    let result = if opcode == O::LLVMURem { expr.modulo(by)? } else { expr.floor_div(by)? };
                    Cases::Always(result.into())
                }
            })
        })?;
        Ok(Known::Integer(result))
    }

    /// Divides by a size, as in `(i + 1) % n`: if the number is below a small multiple of the divisor, the quotient is
    /// constant in each of a few cases.
    fn division_by_size(&self, number: &Poly, by: &Poly, opcode: Opcode) -> Integer {
        use Opcode as O;
        const MOST: i64 = 4;
        if !matches!(opcode, O::LLVMSDiv | O::LLVMUDiv | O::LLVMSRem | O::LLVMURem) {
            return Err(Trouble::Divisor.into());
        }
        let (Some(number), Some(by)) = (number.affine(), by.affine()) else { return Err(Trouble::Divisor.into()) };
        let is_below = |times: i64| {
            let room = by.times(times)?.minus(&number)?.plus_constant(-1)?;
            Ok::<_, Cause>(self.ranges.non_negative(&room).then_some(times))
        };
        let fits = self.ranges.non_negative(&number) && self.ranges.non_negative(&by.plus_constant(-1)?);
        let most = (1..=MOST).filter(|_| fits).find_map(|times| is_below(times).transpose());
        let sizes = || by.terms().filter_map(|(atom, _)| if let Atom::Param(size) = atom { Some(*size) } else { None });
        let most = most.ok_or_else(|| Trouble::Quotient(sizes().collect()))??;
        let result = |quotient: i64| match opcode {
            O::LLVMSDiv | O::LLVMUDiv => Ok::<_, Cause>(Poly::constant(quotient)),
            _ => Ok(number.add_scaled(&by, -quotient)?.into()),
        };
        let mut cases = Cases::Always(result(most - 1)?);
        for quotient in (0..most - 1).rev() {
            let room = by.times(quotient + 1)?.minus(&number)?.plus_constant(-1)?;
            let value = result(quotient)?;
            cases = self.ranges.holds(Constraint::non_negative(room)).and_then(&mut |&holds| {
                Ok::<_, Cause>(if holds { Cases::Always(value.clone()) } else { cases.clone() })
            })?;
        }
        Ok(cases)
    }
}

fn exponent(value: &Poly) -> Result<i64, Trouble> {
    value.as_constant().ok_or(Trouble::Bits("it shifts by a value that is not constant"))
}

/// Returns a number of which only so many lower bits count, with a constant term as close to zero as they allow:
/// optimisers write `(i - 1) << 6` as `(i + 288230376151711743) << 6`, which is the same in 64 bits.
fn reduced(value: &Poly, bits: i64) -> Result<Poly, Trouble> {
    let (Some(expr), Ok(bits @ 1..=63)) = (value.affine(), u32::try_from(bits)) else { return Ok(value.clone()) };
    let (modulus, term) = (1_i128 << bits, i128::from(expr.constant_term()));
    let rest = (term + modulus / 2).rem_euclid(modulus) - modulus / 2;
    Ok(match i64::try_from(rest - term) {
        Ok(difference) => Poly::from(expr.plus_constant(difference)?),
        Err(_) => value.clone(),
    })
}

/// Returns the largest value of a number that is computed in 64 bits; less than that of the type where it is a quotient.
fn largest_of(number: &Expr) -> i64 {
    let mut terms = number.terms();
    match (terms.next(), terms.next()) {
        (Some((Atom::Floor(_, by), 1)), None) if number.constant_term() == 0 => i64::MAX / by,
        _ => i64::MAX,
    }
}

/// Returns one side of the `or` below a mask, if the bits of the other side are undefined and the mask clears all of them: that is
/// how the second half of a register is set after the first one.
fn half_that_is_set(masked: Value<'_>) -> Option<Value<'_>> {
    let mask = masked.operand(1).filter(|_| masked.opcode() == Some(Opcode::LLVMAnd))?.constant()?;
    let both = masked.operand(0).filter(|both| both.opcode() == Some(Opcode::LLVMOr))?;
    let is_cleared = |side: Value<'_>| {
        let of = side.operand(0).filter(|of| side.opcode() == Some(Opcode::LLVMAnd) && of.is_undefined());
        of.is_some() && side.operand(1).and_then(Value::constant).is_some_and(|kept| kept & mask == 0)
    };
    match [both.operand(0)?, both.operand(1)?] {
        [undefined, half] | [half, undefined] if is_cleared(undefined) => Some(half),
        _ => None,
    }
}

/// Returns a number without the multiples of 2^width in it, which a register of that many bits does not hold. A constant that does not
/// fit is the signed one with the same bits.
fn without_multiples(value: &Poly, width: u32) -> Result<Poly, Cause> {
    let (Some(expr), Some(modulus)) = (value.affine(), 1_i64.checked_shl(width).filter(|modulus| *modulus > 1)) else {
        return Ok(value.clone());
    };
    let mut rest = expr.clone();
    for (atom, coefficient) in expr.terms().filter(|(_, coefficient)| coefficient % modulus == 0) {
        rest = rest.add_scaled(&Expr::atom(atom.clone()), coefficient.checked_neg().ok_or(Trouble::Size)?)?;
    }
    let (constant, half) = (rest.constant_term(), modulus / 2);
    let fits = -half..if rest.as_constant().is_some() { half } else { modulus };
    if !fits.contains(&constant) {
        let signed = (constant.rem_euclid(modulus) ^ half) - half;
        rest = rest.plus_constant(signed.checked_sub(constant).ok_or(Trouble::Size)?)?;
    }
    Ok(rest.into())
}

/// Returns true if the bits of a mask are zero in every value of the expression.
fn is_free(expr: &Expr, mask: i64) -> bool {
    let modulus = u64::try_from(mask).ok().and_then(|mask| (mask + 1).checked_next_power_of_two());
    let Some(modulus) = modulus.and_then(|modulus| i64::try_from(modulus).ok()) else { return false };
    expr.constant_term() % modulus == 0 && expr.terms().all(|(_, coefficient)| coefficient % modulus == 0)
}
