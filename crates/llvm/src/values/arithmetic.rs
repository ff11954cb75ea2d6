//! The values of instructions: piecewise affine integers and conditions.
//!
//! Arithmetic is that of the integers: signed overflow is undefined in the source, and unsigned arithmetic is supported
//! where it does not wrap around. If that depends on the sizes alone, it becomes a condition of the model.

use symloc_affine::{Constraint, Expr};
use symloc_frontend::arithmetic::{Comparison, Trouble, common_divisor, masked, positive, power_of_two, sum_of_sizes};
use symloc_frontend::cases::{Cases, Extreme, join};

use crate::ir::ffi::{Opcode, Predicate, Value};
use crate::memory::base_objects::RootId;
use crate::values::environment::Values;
use crate::values::lattice::{Cause, Known, Pointer};
use symloc_frontend::poly::Poly;

const DIVISION: &str = "it divides by a value that is not constant, and the quotient may have many values";
const DIVISION_HINT: &str =
    "divide by constants; `(i + n) % n` is followed where the bounds of the loops keep `i + n` from 0 to 4*n - 1";

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

    /// Returns the value of an instruction whose type is a truth value.
    fn condition(&mut self, value: Value<'m>, opcode: Opcode) -> Result<Known, Cause> {
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
                    let bit = masked(&affine(number)?, 1)?;
                    Ok::<_, Cause>(self.ranges.compare(Comparison::Unequal, &bit, &Expr::default())?)
                })?
            }
            O::LLVMSelect => return self.select(value),
            O::LLVMFreeze => return Ok(self.get(operand(value, 0)?)),
            O::LLVMExtractValue => return self.extracted(value),
            _ => return Err(not_followed(value, opcode)),
        }))
    }

    fn operands(&mut self, value: Value<'m>) -> Result<Cases<Vec<Poly>>, Cause> {
        let both = [self.integer(operand(value, 0)?)?, self.integer(operand(value, 1)?)?];
        Ok(join(&both)?)
    }

    fn binary(&mut self, value: Value<'m>, f: impl Fn(&Poly, &Poly) -> Result<Poly, Trouble>) -> Result<Known, Cause> {
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

    fn logic(&mut self, value: Value<'m>, f: impl Fn(bool, bool) -> bool) -> Result<Cases<bool>, Cause> {
        let both = join(&[self.flag(operand(value, 0)?)?, self.flag(operand(value, 1)?)?])?;
        let value = both.try_map(&mut |values: &Vec<bool>| Ok::<_, Cause>(f(values[0], values[1])))?;
        Ok(value.merged()?)
    }

    fn bits(&mut self, value: Value<'m>, opcode: Opcode) -> Result<Known, Cause> {
        let both = self.operands(value)?;
        let result = both.try_map(&mut |values: &Vec<Poly>| {
            let (number, mask) = match (values[0].as_constant(), values[1].as_constant()) {
                (Some(a), Some(b)) => {
                    return Ok::<_, Cause>(Poly::constant(match opcode {
                        Opcode::LLVMAnd => a & b,
                        Opcode::LLVMOr => a | b,
                        _ => a ^ b,
                    }));
                }
                (None, Some(mask)) => (&values[0], mask),
                (Some(mask), None) => (&values[1], mask),
                (None, None) => {
                    return Err(Trouble::Bits("it combines the bits of two values that are not constant").into());
                }
            };
            match opcode {
                // −2ᵏ clears the low bits.
                Opcode::LLVMAnd if mask < 0 => {
                    let number = affine(number)?;
                    let low = masked(&number, !mask)?;
                    Ok(number.minus(&low)?.into())
                }
                Opcode::LLVMAnd => Ok(self.masked(&affine(number)?, mask)?.into()),
                // The complement is −1 − x.
                Opcode::LLVMXor if mask == -1 => Ok(Poly::constant(-1).minus(number)?),
                // As `i | 1` of an even number: the bits of the mask are free, so they are added.
                Opcode::LLVMOr if mask >= 0 && is_free(&affine(number)?, mask) => {
                    Ok(number.plus(&Poly::constant(mask))?)
                }
                // x ^ m = x + m − 2·(x & m), and x | m = x + m − (x & m).
                Opcode::LLVMXor | Opcode::LLVMOr if mask > 0 => {
                    let times = if opcode == Opcode::LLVMXor { -2 } else { -1 };
                    let number = affine(number)?;
                    let both = masked(&number, mask)?;
                    Ok(number.plus_constant(mask)?.add_scaled(&both, times)?.into())
                }
                _ => Err(Trouble::Bits("it combines bits in a way that is not affine").into()),
            }
        })?;
        Ok(Known::Integer(result))
    }

    /// Returns the bits of a number under a mask; a number that is known to have no higher bits needs no modulus for
    /// them.
    fn masked(&self, number: &Expr, mask: i64) -> Result<Expr, Trouble> {
        let low = mask & mask.wrapping_neg();
        let largest = mask | (low - 1);
        let room = Expr::constant(largest).minus(number)?;
        match self.ranges.non_negative(number) && self.ranges.non_negative(&room) {
            true => Ok(number.minus(&number.modulo(low.max(1))?)?),
            false => masked(number, mask),
        }
    }

    fn division(&mut self, value: Value<'m>, opcode: Opcode) -> Result<Known, Cause> {
        use Opcode as O;
        let both = self.operands(value)?;
        let result = both.and_then(&mut |values: &Vec<Poly>| {
            let [number, by] = values.as_slice() else { return Err(Cause::here("it has no operands")) };
            let Some(by) = by.as_constant() else { return self.division_by_size(number, by, opcode) };
            let by = if matches!(opcode, O::LLVMAShr | O::LLVMLShr) { power_of_two(by)? } else { by };
            let quotient = matches!(opcode, O::LLVMSDiv | O::LLVMUDiv | O::LLVMAShr | O::LLVMLShr);
            if let (true, Some(exact)) = (quotient, number.divided(by)) {
                return Ok(Cases::Always(exact));
            }
            let expr = affine(number)?;
            Ok(match opcode {
                O::LLVMSDiv => polys(self.ranges.truncated(&expr, by)?)?,
                O::LLVMSRem => polys(self.ranges.remainder(&expr, by)?)?,
                O::LLVMAShr => Cases::Always(expr.floor_div(by)?.into()),
                _ => {
                    self.unsigned(number, value)?;
                    self.does_not_wrap(&expr, value)?;
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
        let most = most.ok_or_else(|| Cause::hinted(DIVISION, DIVISION_HINT))??;
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

    /// Returns the operand of a cast, whose value must fit; a truth value becomes 1 or, sign-extended, −1 if it is
    /// true.
    fn cast(&mut self, value: Value<'m>, opcode: Opcode) -> Result<Known, Cause> {
        let from = operand(value, 0)?;
        if from.r#type().is_flag() {
            let one = if opcode == Opcode::LLVMSExt { -1 } else { 1 };
            let number = |holds: &bool| Ok::<_, Cause>(Poly::constant(if *holds { one } else { 0 }));
            return Ok(Known::Integer(self.flag(from)?.try_map(&mut { number })?));
        }
        let number = self.integer(from)?;
        if let (Opcode::LLVMTrunc, Some(width @ ..32)) = (opcode, value.r#type().integer_width()) {
            number.try_map(&mut |number: &Poly| self.fits(number, width, value))?;
        }
        if opcode == Opcode::LLVMZExt {
            number.try_map(&mut |number: &Poly| self.unsigned(number, value))?;
        }
        Ok(Known::Integer(number))
    }

    /// Checks that an unsigned product by a large number does not wrap around, as a hash function's does.
    fn does_not_wrap(&self, expr: &Expr, at: Value<'m>) -> Result<(), Cause> {
        const LARGE: i64 = 4096;
        let Some(width @ ..63) = at.r#type().integer_width() else { return Ok(()) };
        let room = Expr::constant((1 << width) - 1).minus(expr)?;
        let large = expr.terms().any(|(_, coefficient)| coefficient.abs() > LARGE);
        match large && !self.ranges.non_negative(&room) {
            true => Err(Cause::here(format!("the unsigned product may wrap around {width} bits"))),
            false => Ok(()),
        }
    }

    /// Checks that a number fits in an integer of this width, signed or unsigned; conditions on sizes are required if
    /// that makes it fit.
    fn fits(&mut self, number: &Poly, width: u32, at: Value<'m>) -> Result<(), Cause> {
        const HINT: &str = "use a wider type, or state with --assume how large the sizes are";
        let expr = affine(number)?;
        if self.at_exit || expr.as_constant().is_some() {
            return Ok(());
        }
        let signed = 1_i64 << (width - 1);
        let within = |values: &mut Self, least: i64, most: i64| -> Result<bool, Cause> {
            let (above, below) = (expr.plus_constant(-least)?, Expr::constant(most).minus(&expr)?);
            let why = "a number must fit in its type";
            Ok(values.require(&above, at, why) && values.require(&below, at, why))
        };
        let unsigned = self.non_negative(number);
        let fits = if unsigned { within(self, 0, 2 * signed - 1)? } else { within(self, -signed, signed - 1)? };
        if fits { Ok(()) } else { Err(Cause::hinted(format!("it may not fit in {width} bits"), HINT)) }
    }

    fn select(&mut self, value: Value<'m>) -> Result<Known, Cause> {
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

    /// Returns the index of the successor that a switch takes.
    pub(crate) fn switch(&mut self, terminator: Value<'m>) -> Result<Cases<usize>, Cause> {
        let (cases, default) = terminator.switch().ok_or_else(|| Cause::here("this kind of jump is not followed"))?;
        let value = terminator.operand(0).ok_or_else(|| Cause::here("it has no value"))?;
        let value = self.integer(value)?;
        value.and_then(&mut |value| {
            let mut choice = Cases::Always(default);
            for (case, successor) in cases.iter().rev() {
                let difference = value.minus(&Poly::constant(*case))?;
                let equal = self.ranges.holds(Constraint::zero(affine(&difference)?));
                choice = equal.and_then(&mut |&holds| {
                    Ok::<_, Cause>(if holds { Cases::Always(*successor) } else { choice.clone() })
                })?;
            }
            Ok(choice)
        })
    }

    fn comparison(&mut self, value: Value<'m>) -> Result<Cases<bool>, Cause> {
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
        let both = join(&[self.integer(left)?, self.integer(right)?])?;
        Ok(both
            .and_then(&mut |values: &Vec<Poly>| self.compared(comparison, &values[0], &values[1], value))?
            .merged()?)
    }

    /// Returns true for `a < b_end && b < a_end` with addresses in two objects: a test for overlap, which is assumed to
    /// fail.
    fn tests_overlap(&mut self, both: Value<'m>) -> bool {
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
    fn tests_nearness(&mut self, distance: Value<'m>, bytes: Value<'m>) -> bool {
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
                let (a, b) = (affine(a)?, affine(b)?);
                let below = holds(b.minus(&a)?.plus_constant(at_most)?);
                Some(either(&holds(a), &below, |small, below| small || below)?)
            }
            (Some(_), None) => {
                let (a, b) = (affine(a)?, affine(b)?);
                let above = holds(b.minus(&a)?.plus_constant(at_most)?);
                let negative = holds(b.times(-1)?.plus_constant(-1)?);
                Some(either(&negative, &above, |negative, above| negative && above)?)
            }
            _ => None,
        })
    }

    fn compared(&mut self, comparison: Comparison, a: &Poly, b: &Poly, at: Value<'m>) -> Result<Cases<bool>, Cause> {
        if let Some(result) = self.beside_huge(comparison, a, b)? {
            return Ok(result);
        }
        let comparison = match comparison {
            Comparison::Less { unsigned: true } | Comparison::LessOrEqual { unsigned: true } => {
                // `x < y` with y ≥ 0: a negative x is a huge number, so it is not below y.
                let negative_left =
                    !self.at_exit && !self.non_negative(a) && b.affine().is_some() && a.affine().is_some();
                if negative_left && self.non_negative(b) {
                    return Ok(self.ranges.compare(comparison, &affine(a)?, &affine(b)?)?);
                }
                self.unsigned(a, at)?;
                self.unsigned(b, at)?;
                match comparison {
                    Comparison::Less { .. } => Comparison::Less { unsigned: false },
                    _ => Comparison::LessOrEqual { unsigned: false },
                }
            }
            other => other,
        };
        // The difference may be affine where the sides are not.
        let difference = a.minus(b)?;
        Ok(self.ranges.compare(comparison, &affine(&difference)?, &Expr::default())?)
    }

    fn compared_addresses(
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
            let difference = affine(&values[0].bytes()?.minus(&values[1].bytes()?)?)?;
            let common = common_divisor(&difference);
            let comparison = match comparison {
                Comparison::Less { .. } => Comparison::Less { unsigned: false },
                Comparison::LessOrEqual { .. } => Comparison::LessOrEqual { unsigned: false },
                other => other,
            };
            Ok(self.ranges.compare(comparison, &difference.floor_div(common.max(1))?, &Expr::default())?)
        })
    }

    fn compared_with_null(&mut self, comparison: Comparison, pointer: Value<'m>) -> Result<Cases<bool>, Cause> {
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
    fn distance(&mut self, value: Value<'m>) -> Result<Known, Cause> {
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

    /// Returns the result of an intrinsic: a minimum, a maximum or the like.
    fn intrinsic(&mut self, value: Value<'m>) -> Result<Known, Cause> {
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
                    let expr = affine(number)?;
                    polys(self.ranges.extreme(Extreme::Largest, &[expr.clone(), expr.times(-1)?])?)
                })?;
                return Ok(Known::Integer(result));
            }
            "usub" if name.starts_with("llvm.usub.sat.") => {
                let both = join(&[self.integer(arguments[0])?, self.integer(arguments[1])?])?;
                let result = both.and_then(&mut |values: &Vec<Poly>| {
                    values.iter().try_for_each(|side| self.unsigned(side, value))?;
                    let difference = affine(&values[0].minus(&values[1])?)?;
                    polys(self.ranges.extreme(Extreme::Largest, &[difference, Expr::default()])?)
                })?;
                return Ok(Known::Integer(result));
            }
            "expect" | "ssa" | "launder" | "strip" => return Ok(self.get(arguments[0])),
            _ => return Err(result_of_call(name)),
        };
        let [left, right] = arguments.as_slice() else { return Err(Cause::here("it has no operands")) };
        let both = join(&[self.integer(*left)?, self.integer(*right)?])?;
        let result = both.and_then(&mut |values: &Vec<Poly>| {
            if is_unsigned {
                self.unsigned(&values[0], value)?;
                self.unsigned(&values[1], value)?;
            }
            polys(self.ranges.extreme(extreme, &[affine(&values[0])?, affine(&values[1])?])?)
        })?;
        Ok(Known::Integer(result))
    }

    /// Returns a part of an aggregate: one that was inserted, or a result of `llvm.*.with.overflow`. Its flag is false,
    /// because overflow leads to a call that never returns.
    fn extracted(&mut self, value: Value<'m>) -> Result<Known, Cause> {
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

/// Combines two conditions by a function.
fn either(a: &Cases<bool>, b: &Cases<bool>, f: fn(bool, bool) -> bool) -> Result<Cases<bool>, Cause> {
    let both = join(&[a.clone(), b.clone()])?;
    Ok(both.try_map(&mut |flags: &Vec<bool>| Ok::<_, Cause>(f(flags[0], flags[1])))?.merged()?)
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

/// Chooses one of two values by a condition.
pub(crate) fn choose(condition: &Cases<bool>, then: &Known, otherwise: &Known) -> Result<Known, Cause> {
    fn pick<T: Clone>(condition: &Cases<bool>, then: &Cases<T>, otherwise: &Cases<T>) -> Result<Cases<T>, Cause> {
        condition.and_then(&mut |&holds| Ok(if holds { then.clone() } else { otherwise.clone() }))
    }
    match (then, otherwise) {
        (Known::Unknown(reason), known) | (known, Known::Unknown(reason)) if reason.is_undefined() => Ok(known.clone()),
        (Known::Integer(a), Known::Integer(b)) => Ok(Known::Integer(pick(condition, a, b)?)),
        (Known::Flag(a), Known::Flag(b)) => Ok(Known::Flag(pick(condition, a, b)?.merged()?)),
        (Known::Pointer(a), Known::Pointer(b)) => Ok(Known::Pointer(pick(condition, a, b)?)),
        (Known::Unknown(reason), _) | (_, Known::Unknown(reason)) => match condition {
            Cases::Always(true) => Ok(then.clone()),
            Cases::Always(false) => Ok(otherwise.clone()),
            Cases::When(_) => Err(Cause::Operand(reason.clone())),
        },
        _ => Err(Cause::here("it is chosen between values of different kinds")),
    }
}

pub(crate) fn operand<'m>(value: Value<'m>, index: u32) -> Result<Value<'m>, Cause> {
    value.operand(index).ok_or_else(|| Cause::here("it has no such operand"))
}

/// Returns a polynomial as an affine expression.
pub(crate) fn affine(value: &Poly) -> Result<Expr, Trouble> {
    value.affine().ok_or(Trouble::Product)
}

fn polys(cases: Cases<Expr>) -> Integer {
    cases.try_map(&mut |expr: &Expr| Ok(expr.clone().into()))
}

fn is_address(value: Value, index: u32) -> bool {
    value.operand(index).and_then(Value::opcode) == Some(Opcode::LLVMPtrToInt)
}

fn exponent(value: &Poly) -> Result<i64, Trouble> {
    value.as_constant().ok_or(Trouble::Bits("it shifts by a value that is not constant"))
}

/// Returns a number of which only so many lower bits count, with a constant term as close to zero as they allow: optimisers write
/// `(i - 1) << 6` as `(i + 288230376151711743) << 6`, which is the same in 64 bits.
fn reduced(value: &Poly, bits: i64) -> Result<Poly, Trouble> {
    let (Some(expr), Ok(bits @ 1..=63)) = (value.affine(), u32::try_from(bits)) else { return Ok(value.clone()) };
    let (modulus, term) = (1_i128 << bits, i128::from(expr.constant_term()));
    let rest = (term + modulus / 2).rem_euclid(modulus) - modulus / 2;
    Ok(match i64::try_from(rest - term) {
        Ok(difference) => Poly::from(expr.plus_constant(difference)?),
        Err(_) => value.clone(),
    })
}

/// Returns true if the bits of a mask are zero in every value of the expression.
fn is_free(expr: &Expr, mask: i64) -> bool {
    let modulus = u64::try_from(mask).ok().and_then(|mask| (mask + 1).checked_next_power_of_two());
    let Some(modulus) = modulus.and_then(|modulus| i64::try_from(modulus).ok()) else { return false };
    expr.constant_term() % modulus == 0 && expr.terms().all(|(_, coefficient)| coefficient % modulus == 0)
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

fn result_of_call(name: &str) -> Cause {
    let name = if name.is_empty() { "a function pointer" } else { name };
    Cause::hinted(
        format!("it is the result of a call of `{name}`"),
        "only parameters and loop counters can be followed",
    )
}

/// Returns the reason why the result of an instruction is not known.
fn not_followed(value: Value, opcode: Opcode) -> Cause {
    use Opcode as O;
    match opcode {
        O::LLVMFCmp => Cause::hinted(
            "it compares floating-point numbers, so it depends on data",
            "only conditions on parameters and loop counters can be followed",
        ),
        O::LLVMFPToSI | O::LLVMFPToUI => {
            Cause::hinted("it is converted from a floating-point number", "compute it with integers")
        }
        O::LLVMLoad => loaded(),
        O::LLVMPtrToInt | O::LLVMIntToPtr => {
            Cause::hinted("it turns an address into a number or a number into an address", "subscript the array")
        }
        _ if value.r#type().is_float() => Cause::here("it is a floating-point number"),
        O::LLVMExtractValue | O::LLVMInsertValue => Cause::here("it is a part of a structure, which is not followed"),
        _ => Cause::here("it is computed by an operation that is not followed"),
    }
}

/// Returns the reason why a loaded value is not known.
pub(crate) fn loaded() -> Cause {
    Cause::hinted(
        "it is loaded from memory, so it depends on data",
        "only parameters and loop counters can be followed; pass a size as an argument",
    )
}

impl<'m> Values<'m> {
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
                let difference = affine(&values[0].bytes()?.minus(&values[1].bytes()?)?)?;
                Ok(difference.floor_div(common_divisor(&difference).max(1))?)
            });
        }
        let both = join(&[self.integer(left)?, self.integer(right)?])?;
        both.try_map(&mut |values: &Vec<Poly>| Ok(affine(&values[0].minus(&values[1])?)?))
    }
}
