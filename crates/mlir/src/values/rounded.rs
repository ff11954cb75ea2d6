//! Indices that are rounded from floating-point numbers, as in the scaling of an image: `floor((i + 0.5) / 2 − 0.5)`.
//!
//! Such a number is an affine expression over a constant, if floating point computes it exactly: with constants that
//! are multiples of a power of two, and sizes up to 2²². A division by another integer is not exact, but its floor or
//! ceiling is, if there is no other operation in between.

use melior::ir::attribute::FloatAttribute;
use melior::ir::operation::OperationLike;
use symloc_affine::Expr;
use symloc_frontend::cases::{Cases, Extreme, join};

use super::Values;
use crate::expressions::refusal::Cause;
use crate::ffi::{self, Definition, Op, Val, definition};
use crate::ops::comparisons::Predicate;

/// The number `over / by`.
#[derive(Clone, Debug)]
struct Quotient {
    over: Cases<Expr>,
    by: i64,
    /// True if floating point computes it exactly.
    is_exact: bool,
}

/// The largest denominator and numerator of a constant; a 32-bit float holds 24 bits.
const LARGEST: i64 = 1 << 20;

impl<'a> Values<'a, '_> {
    /// Returns the result of an `arith.fptosi`, which rounds toward zero.
    pub(crate) fn rounded(&self, op: Op<'a>) -> Result<Cases<Expr>, Cause<'a>> {
        let number = op.operand(0).map_err(|error| Cause::here(error.to_string()))?;
        let Quotient { over, by, .. } = self.quotient_of(number)?;
        over.and_then(&mut |over: &Expr| Ok(self.ranges.truncated(over, by)?))
    }

    fn quotient_of(&self, number: Val<'a>) -> Result<Quotient, Cause<'a>> {
        let Definition::Result { op } = definition(self.passed(number)) else { return Err(inexact()) };
        let operand = |index| op.operand(index).map_err(|error| Cause::here(error.to_string()));
        let name = ffi::name(op);
        let exact = |index| self.quotient_of(operand(index)?).and_then(|q| q.is_exact.then_some(q).ok_or_else(inexact));
        match name.as_str() {
            "arith.constant" => constant(op).ok_or_else(inexact),
            "arith.sitofp" | "arith.uitofp" => {
                Ok(Quotient { over: self.known_index(operand(0)?)?, by: 1, is_exact: true })
            }
            "arith.extf" | "arith.truncf" => exact(0),
            "arith.addf" => together(exact(0)?, exact(1)?, |a, b| Ok(Cases::Always(a.plus(b)?))),
            "arith.subf" => together(exact(0)?, exact(1)?, |a, b| Ok(Cases::Always(a.minus(b)?))),
            "arith.maximumf" | "arith.maxnumf" => self.extreme_of(Extreme::Largest, exact(0)?, exact(1)?),
            "arith.minimumf" | "arith.minnumf" => self.extreme_of(Extreme::Smallest, exact(0)?, exact(1)?),
            "arith.mulf" => {
                let (a, b) = (exact(0)?, exact(1)?);
                let (value, factor) = if as_constant(&b).is_some() { (a, b) } else { (b, a) };
                scaled(value, as_constant(&factor).ok_or_else(inexact)?, factor.by)
            }
            "arith.divf" => {
                let divisor = exact(1)?;
                let over = as_constant(&divisor).filter(|over| *over > 0).ok_or_else(inexact)?;
                scaled(exact(0)?, divisor.by, over)
            }
            "arith.select" => self.selected(operand(0)?, exact(1)?, exact(2)?),
            "math.floor" | "math.ceil" => {
                let Quotient { over, by, .. } = self.quotient_of(operand(0)?)?;
                let whole = |over: &Expr| if name == "math.floor" { over.floor_div(by) } else { over.ceil_div(by) };
                Ok(Quotient { over: over.try_map(&mut |over| whole(over))?, by: 1, is_exact: true })
            }
            _ => Err(Cause::hinted(
                format!("it is rounded from the result of `{name}`, which is not followed"),
                "scale by constants, and round with `math.floor` or `math.ceil`",
            )),
        }
    }

    /// Returns one of two numbers, chosen by a comparison of two others.
    fn selected(&self, condition: Val<'a>, then: Quotient, otherwise: Quotient) -> Result<Quotient, Cause<'a>> {
        let Definition::Result { op } = definition(condition) else { return Err(inexact()) };
        let side = |index| self.quotient_of(op.operand(index).map_err(|error| Cause::here(error.to_string()))?);
        let predicate = Predicate::of_floats(op).filter(|_| ffi::name(op) == "arith.cmpf").ok_or_else(inexact)?;
        let [left, right] = predicate.ordered([0, 1]);
        let (left, right) = (side(left)?, side(right)?);
        if !left.is_exact || !right.is_exact {
            return Err(inexact());
        }
        let (compared, _) = over_one(left, right)?;
        let holds = compared.and_then(&mut |both: &Vec<Expr>| {
            Ok::<_, Cause<'a>>(self.ranges.compare(predicate.comparison, &both[0], &both[1])?)
        })?;
        let (both, by) = over_one(then, otherwise)?;
        let over = holds.and_then(&mut |&holds| {
            both.try_map(&mut |both: &Vec<Expr>| Ok::<_, Cause<'a>>(both[usize::from(!holds)].clone()))
        })?;
        Ok(Quotient { over, by, is_exact: true })
    }

    fn extreme_of(&self, extreme: Extreme, a: Quotient, b: Quotient) -> Result<Quotient, Cause<'a>> {
        together(a, b, |a, b| Ok(self.ranges.extreme(extreme, &[a.clone(), b.clone()])?))
    }
}

/// Returns the numerators of two exact numbers over a common denominator, and the denominator.
fn over_one<'a>(a: Quotient, b: Quotient) -> Result<(Cases<Vec<Expr>>, i64), Cause<'a>> {
    // Both are powers of two.
    let by = a.by.max(b.by);
    let numerator = |q: &Quotient| q.over.try_map(&mut |over: &Expr| over.times(by / q.by));
    Ok((join(&[numerator(&a)?, numerator(&b)?])?, by))
}

/// Combines two numbers over their common denominator.
fn together<'a>(
    a: Quotient,
    b: Quotient,
    combine: impl Fn(&Expr, &Expr) -> Result<Cases<Expr>, Cause<'a>>,
) -> Result<Quotient, Cause<'a>> {
    let (both, by) = over_one(a, b)?;
    let over = both.and_then(&mut |both: &Vec<Expr>| combine(&both[0], &both[1]))?;
    Ok(Quotient { over, by, is_exact: true })
}

/// Returns a number times `factor / by`.
fn scaled<'a>(value: Quotient, factor: i64, by: i64) -> Result<Quotient, Cause<'a>> {
    let by = value.by.checked_mul(by).filter(|by| (1..=LARGEST).contains(by)).ok_or_else(inexact)?;
    // Powers of two are cancelled, so that 2·i/2 is an integer.
    let shared = 1 << factor.trailing_zeros().min(by.trailing_zeros());
    let over = value.over.try_map(&mut |over: &Expr| over.times(factor / shared))?;
    let by = by / shared;
    let is_exact = (by as u64).is_power_of_two();
    // A division by another number must be the only operation.
    if !is_exact && (value.by != 1 || factor != 1) {
        return Err(inexact());
    }
    Ok(Quotient { over, by, is_exact })
}

fn as_constant(number: &Quotient) -> Option<i64> {
    match &number.over {
        Cases::Always(over) => over.as_constant(),
        Cases::When(_) => None,
    }
}

/// Returns a floating-point constant, if it is a small integer over a power of two.
fn constant(op: Op) -> Option<Quotient> {
    let value = FloatAttribute::try_from(op.attribute("value").ok()?).ok()?.value();
    let by = (0..=20).map(|exponent| 1_i64 << exponent).find(|by| (value * *by as f64).fract() == 0.0)?;
    let over = value * by as f64;
    let is_small = over.abs() <= LARGEST as f64;
    is_small.then(|| Quotient { over: Cases::Always(Expr::constant(over as i64)), by, is_exact: true })
}

fn inexact<'a>() -> Cause<'a> {
    Cause::hinted(
        "it is rounded from a floating-point number that is not computed exactly",
        "scale by whole numbers or by powers of two",
    )
}
