//! The values of operations on registers: piecewise affine indices and conditions.
//!
//! Arithmetic is that of the integers, without wrapping, and casts between integer types and `index` keep the value, as
//! the whole front end assumes; those of constants are computed. Unsigned operations read a negative number as a huge
//! one; they are supported where their operands are known not to be negative.

use melior::ir::ValueLike;
use melior::ir::operation::OperationLike;
use symloc_affine::Expr;
use symloc_frontend::arithmetic::{Comparison, Trouble, masked, positive, power_of_two};
use symloc_frontend::cases::{Cases, Extreme, join};

use super::Values;
use crate::expressions::maps;
use crate::expressions::refusal::Cause;
use crate::ffi::{self, Op, Val, is_flag};
use crate::ops::comparisons::{Predicate, Signedness};

type Index<'a> = Result<Cases<Expr>, Cause<'a>>;
type Flag<'a> = Result<Cases<bool>, Cause<'a>>;

impl<'a> Values<'a, '_> {
    /// Returns the index that an operation computes.
    pub(crate) fn evaluate(&self, op: Op<'a>) -> Index<'a> {
        let name = ffi::name(op);
        match name.as_str() {
            "arith.constant" | "index.constant" => {
                let value = ffi::integer(op, "value").ok_or_else(|| Cause::here("it does not fit in 64 bits"))?;
                Ok(Cases::Always(Expr::constant(value)))
            }
            "arith.addi" | "index.add" => self.binary(op, |a, b| Ok(always(maps::small(a.plus(b)?)?))),
            "arith.subi" | "index.sub" => self.binary(op, |a, b| Ok(always(maps::small(a.minus(b)?)?))),
            "arith.muli" | "index.mul" => self.binary(op, |a, b| Ok(always(self.products.product(a, b)?))),
            "arith.shli" | "index.shl" => {
                self.binary(op, |a, b| Ok(always(maps::product(a, &power(b)?)?.ok_or(Trouble::Product(Vec::new()))?)))
            }
            "affine.apply" => self.apply(op),
            "affine.linearize_index" => self.linearized(op),
            "affine.delinearize_index" => self.delinearized(op, 0),
            "affine.min" => self.extreme_of_map(op, Extreme::Smallest),
            "affine.max" => self.extreme_of_map(op, Extreme::Largest),
            "arith.minsi" | "index.mins" => self.extreme_of_operands(op, Extreme::Smallest, Signedness::Signed),
            "arith.maxsi" | "index.maxs" => self.extreme_of_operands(op, Extreme::Largest, Signedness::Signed),
            "arith.minui" | "index.minu" => self.extreme_of_operands(op, Extreme::Smallest, Signedness::Unsigned),
            "arith.maxui" | "index.maxu" => self.extreme_of_operands(op, Extreme::Largest, Signedness::Unsigned),
            "arith.select" => self.select(op),
            "arith.extsi" | "arith.index_cast" | "index.casts" => self.cast(op, -1),
            "arith.extui" | "arith.index_castui" | "index.castu" => self.extended_by_zeros(op),
            "arith.trunci" => self.truncated(op),
            "arith.fptosi" | "arith.fptoui" => self.rounded(op),
            "memref.dim" => self.dim(op),
            _ if is_division(&name) => self.binary(op, |a, b| self.divide(&name, a, b)),
            _ => Err(refusal_of(&name)),
        }
    }

    /// Returns the condition that an operation computes.
    pub(crate) fn evaluate_flag(&self, op: Op<'a>) -> Flag<'a> {
        let name = ffi::name(op);
        match name.as_str() {
            "arith.constant" | "index.bool.constant" => {
                let value = ffi::boolean(op, "value").ok_or_else(|| Cause::here("it is not a truth value"))?;
                Ok(Cases::Always(value))
            }
            "arith.cmpi" | "index.cmp" => {
                let predicate = Predicate::of_integers(op);
                let predicate = predicate.ok_or_else(|| Cause::here("its predicate is not known"))?;
                self.binary(op, |a, b| {
                    let [a, b] = predicate.ordered([a, b]);
                    Ok(self.ranges.compare(predicate.comparison, a, b)?)
                })
            }
            "arith.trunci" => self.operand(op, 0)?.and_then(&mut |number: &Expr| {
                Ok(self.ranges.compare(Comparison::Unequal, &masked(number, 1)?, &Expr::default())?)
            }),
            "arith.andi" => self.logic(op, |a, b| a && b),
            "arith.ori" => self.logic(op, |a, b| a || b),
            "arith.xori" => self.logic(op, |a, b| a != b),
            "arith.select" => {
                let condition = self.known_flag(operand(op, 0)?)?;
                let [then, otherwise] = [self.known_flag(operand(op, 1)?)?, self.known_flag(operand(op, 2)?)?];
                condition.and_then(&mut |&holds| Ok(if holds { then.clone() } else { otherwise.clone() }))
            }
            _ => Err(refusal_of(&name)),
        }
    }

    fn operand(&self, op: Op<'a>, index: usize) -> Index<'a> {
        self.known_index(operand(op, index)?)
    }

    fn binary<T>(
        &self,
        op: Op<'a>,
        f: impl Fn(&Expr, &Expr) -> Result<Cases<T>, Cause<'a>>,
    ) -> Result<Cases<T>, Cause<'a>> {
        let both = join(&[self.operand(op, 0)?, self.operand(op, 1)?])?;
        both.and_then(&mut |values: &Vec<Expr>| f(&values[0], &values[1]))
    }

    fn logic(&self, op: Op<'a>, f: impl Fn(bool, bool) -> bool) -> Flag<'a> {
        let both = join(&[self.known_flag(operand(op, 0)?)?, self.known_flag(operand(op, 1)?)?])?;
        let value = both.try_map(&mut |values: &Vec<bool>| Ok::<_, Cause>(f(values[0], values[1])))?;
        Ok(value.merged()?)
    }

    fn apply(&self, op: Op<'a>) -> Index<'a> {
        let map = op.attribute("map").ok().and_then(ffi::affine_map);
        let result = map.and_then(|map| Some((map.result(0).ok()?, map.dim_count())));
        let (result, dims) = result.ok_or_else(|| Cause::here("it has no affine map"))?;
        self.over(result, dims, &op.operands().collect::<Vec<_>>())
    }

    fn extreme_of_map(&self, op: Op<'a>, extreme: Extreme) -> Index<'a> {
        let map = op.attribute("map").ok().and_then(ffi::affine_map);
        let map = map.ok_or_else(|| Cause::here("it has no affine map"))?;
        let operands: Vec<_> = op.operands().collect();
        let results = (0..map.result_count()).filter_map(|i| map.result(i).ok());
        let results = results.map(|r| self.over(r, map.dim_count(), &operands)).collect::<Result<Vec<_>, _>>()?;
        join(&results)?.and_then(&mut |values: &Vec<Expr>| Ok(self.ranges.extreme(extreme, values)?))
    }

    fn extreme_of_operands(&self, op: Op<'a>, extreme: Extreme, read_as: Signedness) -> Index<'a> {
        self.binary(op, |a, b| {
            if read_as == Signedness::Unsigned {
                self.ranges.unsigned(a)?;
                self.ranges.unsigned(b)?;
            }
            Ok(self.ranges.extreme(extreme, &[a.clone(), b.clone()])?)
        })
    }

    fn select(&self, op: Op<'a>) -> Index<'a> {
        let condition = self.known_flag(operand(op, 0)?)?;
        let [then, otherwise] = [self.operand(op, 1)?, self.operand(op, 2)?];
        condition.and_then(&mut |&holds| Ok(if holds { then.clone() } else { otherwise.clone() }))
    }

    /// Returns the operand of a cast; a truth value becomes 1 or, sign-extended, −1 if it is true.
    fn cast(&self, op: Op<'a>, one: i64) -> Index<'a> {
        let value = operand(op, 0)?;
        match is_flag(value.r#type()) {
            true => self.known_flag(value)?.try_map(&mut |&holds| Ok(Expr::constant(if holds { one } else { 0 }))),
            false => self.known_index(value),
        }
    }

    /// Returns a value read as unsigned: a negative constant is a larger number, others must not be negative.
    fn extended_by_zeros(&self, op: Op<'a>) -> Index<'a> {
        let bits = ffi::integer_width(operand(op, 0)?.r#type());
        self.cast(op, 1)?.and_then(&mut |number: &Expr| {
            let constant = number.as_constant().filter(|constant| *constant < 0).zip(bits.filter(|bits| *bits < 63));
            match constant {
                Some((constant, bits)) => Ok(always(Expr::constant(constant.rem_euclid(1 << bits)))),
                None => self.ranges.unsigned(number).map(|()| always(number.clone())).map_err(Cause::from),
            }
        })
    }

    /// Returns a value in fewer bits, which only changes constants.
    fn truncated(&self, op: Op<'a>) -> Index<'a> {
        let bits = op.result(0).ok().and_then(|result| ffi::integer_width(result.r#type())).filter(|bits| *bits < 63);
        self.operand(op, 0)?.try_map(&mut |number: &Expr| {
            let wrapped = number.as_constant().zip(bits).map(|(constant, bits)| {
                let half = 1 << (bits - 1);
                Expr::constant((constant + half).rem_euclid(1 << bits) - half)
            });
            Ok::<_, Cause>(wrapped.unwrap_or_else(|| number.clone()))
        })
    }

    /// Returns a quotient, remainder, shift or masked value, each rounded in its own way.
    fn divide(&self, name: &str, value: &Expr, by: &Expr) -> Index<'a> {
        let (_, operation) = name.split_once('.').unwrap_or_default();
        if let "andi" | "and" = operation {
            return match (value.as_constant(), by.as_constant()) {
                (_, Some(mask)) => Ok(always(masked(value, mask)?)),
                (Some(mask), None) => Ok(always(masked(by, mask)?)),
                (None, None) => Err(Cause::here("it combines the bits of two values that are not constant")),
            };
        }
        let Some(by) = by.as_constant() else {
            let is_exact = operation.contains("div");
            let quotient = self.products.quotient(value, by).filter(|_| is_exact);
            return Ok(quotient.map(always).ok_or(Trouble::Divisor)?);
        };
        match operation {
            "floordivsi" | "floordivs" => {
                let (value, by) = positive(value, by)?;
                Ok(always(value.floor_div(by)?))
            }
            "ceildivsi" | "ceildivs" => {
                let (value, by) = positive(value, by)?;
                Ok(always(value.ceil_div(by)?))
            }
            "divsi" | "divs" => Ok(self.ranges.truncated(value, by)?),
            "remsi" | "rems" => Ok(self.ranges.remainder(value, by)?),
            "shrsi" | "shrs" => Ok(always(value.floor_div(power_of_two(by)?)?)),
            _ => {
                self.ranges.unsigned(value)?;
                let by = if operation.starts_with("shr") { power_of_two(by)? } else { by };
                let by = Some(by).filter(|by| *by > 0).ok_or(Trouble::Divisor)?;
                Ok(always(match operation {
                    "remui" | "remu" => maps::small(value.modulo(by)?)?,
                    "ceildivui" | "ceildivu" => value.ceil_div(by)?,
                    _ => value.floor_div(by)?,
                }))
            }
        }
    }
}

fn always(expr: Expr) -> Cases<Expr> {
    Cases::Always(expr)
}

fn operand<'a>(op: Op<'a>, index: usize) -> Result<Val<'a>, Cause<'a>> {
    op.operand(index).map_err(|error| Cause::here(error.to_string()))
}

fn is_division(name: &str) -> bool {
    const DIVISIONS: &[&str] = &[
        "arith.andi",
        "arith.ceildivsi",
        "arith.ceildivui",
        "arith.divsi",
        "arith.divui",
        "arith.floordivsi",
        "arith.remsi",
        "arith.remui",
        "arith.shrsi",
        "arith.shrui",
        "index.and",
        "index.ceildivs",
        "index.ceildivu",
        "index.divs",
        "index.divu",
        "index.floordivs",
        "index.rems",
        "index.remu",
        "index.shrs",
        "index.shru",
    ];
    DIVISIONS.contains(&name)
}

fn power<'a>(exponent: &Expr) -> Result<Expr, Cause<'a>> {
    let exponent = exponent.as_constant().ok_or_else(|| Cause::here("it shifts by a value that is not constant"))?;
    Ok(Expr::constant(power_of_two(exponent)?))
}

/// Returns the reason why results of operations of this name are not affine.
fn refusal_of<'a>(name: &str) -> Cause<'a> {
    match name {
        "affine.load" | "memref.load" => Cause::hinted(
            "it is loaded from memory, so it depends on data",
            "only parameters and iterators can be followed; pass a size as an `index` argument",
        ),
        "arith.cmpf" => Cause::hinted(
            "it compares floating-point numbers, so it depends on data",
            "only conditions on parameters and iterators can be followed",
        ),
        "affine.if" | "scf.if" | "scf.index_switch" => {
            Cause::hinted(format!("`{name}` chooses it at run time"), "compute it from parameters and iterators")
        }
        "affine.for" | "scf.for" | "affine.parallel" | "scf.parallel" => {
            Cause::hinted("it is computed by a loop", "express it with iterators and parameters")
        }
        _ => Cause::hinted(
            format!("it is the result of `{name}`, which is not followed"),
            "compute it with `affine.apply`, or from sums and constant multiples of iterators and parameters",
        ),
    }
}
