//! Numbers that wrap around in their types.
//!
//! A value is known as an integer that agrees with its bits modulo 2^width: sums, differences and products do not depend on
//! which one. A quotient, a comparison and a wider type do: they read the bits as unsigned or signed. Numbers that depend on sizes
//! are taken to fit in types of 32 and 64 bits, unless a factor is so large that usual sizes make them wrap around, as the
//! phase of an oscillator does: those are read modulo 2^width if few values are left.

use symloc_affine::{Atom, Constraint, Expr};
use symloc_frontend::Origin;
use symloc_frontend::arithmetic::Trouble;
use symloc_frontend::cases::Cases;
use symloc_frontend::poly::Poly;
use symloc_frontend::raising::Cause;

use crate::ir::ffi::{Opcode, Value};
use crate::values::environment::Values;

/// The way out of numbers that may leave their types.
const HINT: &str = "use a wider type, or state with --assume how large the sizes are";

/// How an instruction reads the bits of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BitReading {
    Unsigned,
    Signed,
}

/// A number as `factor * unit + rest`, where the rest is from 0 to below the factor, a power of two.
pub(crate) struct Wrapped {
    unit: Expr,
    factor: i64,
    rest: i64,
}

/// A number of at most 32 bits with a larger factor is not taken to fit in its type.
const LARGE: i64 = 4096;
/// Of 64 bits; a number of 32 bits is extended by a shift to the upper half of one, and back.
const LARGE_IN_64_BITS: i64 = LARGE << 32;
/// The most bits that a number may have above those that are constant, if it is read modulo a power of two.
const MOST_BITS: u32 = 16;
/// Types up to this width have numbers of the other sign in usual programs.
const NARROW: u32 = 16;

impl Wrapped {
    /// Returns the number.
    pub(crate) fn number(&self) -> Result<Expr, Trouble> {
        Ok(self.unit.times(self.factor)?.plus_constant(self.rest)?)
    }

    /// Returns the quotient by a divisor of the factor; `None` for others.
    pub(crate) fn divided(&self, by: i64) -> Result<Option<Expr>, Trouble> {
        if by <= 0 || self.factor % by != 0 {
            return Ok(None);
        }
        Ok(Some(self.unit.times(self.factor / by)?.plus_constant(self.rest / by)?))
    }
}

impl<'m> Values<'m> {
    /// Returns the number that an instruction reads from the bits of `from`, whose value is `number`.
    pub(crate) fn read_as(
        &mut self,
        number: &Poly,
        from: Value<'m>,
        reading: BitReading,
        at: Value<'m>,
    ) -> Result<Cases<Poly>, Cause> {
        if let (BitReading::Unsigned, Some(constant)) = (reading, number.as_constant()) {
            return Ok(Cases::Always(Poly::constant(unsigned_bits(constant, from))));
        }
        if self.at_exit {
            return Ok(Cases::Always(number.clone()));
        }
        if let Some(wrapped) = self.wrapped(number, from, reading)? {
            return Ok(Cases::Always(wrapped.number()?.into()));
        }
        match (reading, from.r#type().integer_width()) {
            (BitReading::Signed, Some(width @ 2..=NARROW)) => self.signed(number, width, from, at),
            _ => Ok(Cases::Always(number.clone())),
        }
    }

    /// Returns a number modulo 2^width, in the range in which it is read; `None` if it is taken to be in this range.
    pub(crate) fn wrapped(
        &self,
        number: &Poly,
        from: Value<'m>,
        reading: BitReading,
    ) -> Result<Option<Wrapped>, Cause> {
        let (Some(expr), Some(width @ 2..=64)) = (number.affine(), from.r#type().integer_width()) else {
            return Ok(None);
        };
        let large = if width <= 32 { LARGE } else { LARGE_IN_64_BITS };
        let is_large = expr.terms().any(|(_, coefficient)| coefficient.unsigned_abs() > large.unsigned_abs());
        if !is_large || !may_leave(from, reading) || self.is_within(&expr, width, reading)? {
            return Ok(None);
        }
        let zeros = expr.terms().map(|(_, coefficient)| coefficient.trailing_zeros()).min().unwrap_or(0);
        let bits = width.saturating_sub(zeros);
        if !(1..=MOST_BITS).contains(&bits) || zeros > 62 {
            return Err(Cause::hinted(format!("it may wrap around {width} bits"), HINT));
        }
        let factor = 1_i64 << zeros;
        let rest = expr.constant_term().rem_euclid(factor);
        let unit = expr.plus_constant(-rest)?.floor_div(factor)?;
        let below = if reading == BitReading::Signed { 1_i64 << (bits - 1) } else { 0 };
        let unit = unit.plus_constant(below)?.modulo(1 << bits)?.plus_constant(-below)?;
        Ok(Some(Wrapped { unit, factor, rest }))
    }

    /// Returns true if a number is known to be in the range in which it is read.
    fn is_within(&self, number: &Expr, width: u32, reading: BitReading) -> Result<bool, Cause> {
        if width > 62 {
            return Ok(false);
        }
        let holds = |expr: &Expr| self.ranges.non_negative(expr) || self.ranges.follows_from_sizes(expr);
        Ok(room(number, width, reading)?.iter().all(holds))
    }

    /// Returns true if a number is in the range in which it is read, or if the sizes are required to be such.
    fn require_within(&mut self, number: &Expr, width: u32, reading: BitReading, at: Value<'m>) -> Result<bool, Cause> {
        let room = room(number, width, reading)?;
        Ok(room.iter().all(|expr| self.require(expr, at, "a number must fit in its type")))
    }

    /// Checks that a number fits in an integer of this width, signed or unsigned; conditions on sizes are required if
    /// that makes it fit.
    pub(super) fn fits(&mut self, number: &Poly, width: u32, at: Value<'m>) -> Result<(), Cause> {
        let expr = number.to_affine()?;
        if self.at_exit || expr.as_constant().is_some() {
            return Ok(());
        }
        let reading = if self.non_negative(number) { BitReading::Unsigned } else { BitReading::Signed };
        match self.require_within(&expr, width, reading, at)? {
            true => Ok(()),
            false => Err(does_not_fit(width)),
        }
    }

    /// Returns a number of few bits as a signed one. One in the sizes alone is required to be in its range.
    fn signed(&mut self, number: &Poly, width: u32, from: Value<'m>, at: Value<'m>) -> Result<Cases<Poly>, Cause> {
        let (expr, half) = (number.to_affine()?, 1_i64 << (width - 1));
        if let Some(constant) = expr.as_constant() {
            return Ok(Cases::Always(Poly::constant((constant + half).rem_euclid(2 * half) - half)));
        }
        if matches!(from.opcode(), None | Some(Opcode::LLVMLoad)) && self.is_signed_parameter(&expr) {
            return Ok(Cases::Always(number.clone()));
        }
        if self.require_within(&expr, width, BitReading::Signed, at)? {
            return Ok(Cases::Always(number.clone()));
        }
        if !self.is_within(&expr, width, BitReading::Unsigned)? {
            return Err(does_not_fit(width));
        }
        let is_negative = Constraint::non_negative(expr.plus_constant(-half)?);
        let negative = Poly::from(expr.plus_constant(-2 * half)?);
        Ok(Cases::when(vec![is_negative], Cases::Always(negative), Cases::Always(number.clone())))
    }

    /// Returns true for a parameter by itself, unless it is an argument of an unsigned type: its values are those of its type.
    fn is_signed_parameter(&self, number: &Expr) -> bool {
        let mut terms = number.terms();
        let (Some((Atom::Param(param), 1)), None, 0) = (terms.next(), terms.next(), number.constant_term()) else {
            return false;
        };
        match self.candidates.get(param.index()).map(|candidate| &candidate.origin) {
            Some(Origin::Argument(index)) => {
                u32::try_from(*index).is_ok_and(|index| !self.function.argument_has(index, "zeroext"))
            }
            _ => true,
        }
    }
}

/// Returns true if a number may leave the range in which it is read: signed ones only where the source does not say that they
/// stay in it.
fn may_leave(from: Value<'_>, reading: BitReading) -> bool {
    match reading {
        BitReading::Unsigned => !from.no_unsigned_wrap(),
        BitReading::Signed if from.may_wrap() => !from.no_signed_wrap(),
        BitReading::Signed => from.opcode() == Some(Opcode::LLVMTrunc),
    }
}

/// Returns two expressions that are not negative where a number is in the range in which it is read.
fn room(number: &Expr, width: u32, reading: BitReading) -> Result<[Expr; 2], Trouble> {
    let (least, most) = match reading {
        BitReading::Unsigned => (0, (1_i64 << width) - 1),
        BitReading::Signed => (-(1_i64 << (width - 1)), (1_i64 << (width - 1)) - 1),
    };
    Ok([number.plus_constant(-least)?, Expr::constant(most).minus(number)?])
}

fn does_not_fit(width: u32) -> Cause {
    Cause::hinted(format!("it may not fit in {width} bits"), HINT)
}

/// Returns true for an integer of few bits.
pub(crate) fn is_narrow(value: Value<'_>) -> bool {
    value.r#type().integer_width().is_some_and(|width| width <= NARROW)
}

/// Returns a constant of few bits, in the type of a value, as an unsigned number: -56 stands for 200 in 8 bits. Others stay.
pub(crate) fn unsigned_bits(constant: i64, of: Value<'_>) -> i64 {
    match of.r#type().integer_width() {
        Some(width @ ..=NARROW) if constant < 0 => constant + (1 << width),
        _ => constant,
    }
}
