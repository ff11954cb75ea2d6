//! Loop-carried values: those that stay the same, those that grow by a constant, and those that depend on data.
//!
//! A value that is passed on is traced back through sums with constants, casts, and branches if one side is known to
//! lead to the next iteration. If the trace ends at the value with which the iteration began, the value in iteration j
//! is `first + j · step`. Threads cannot share a loop whose other values something in it depends on.

use std::collections::BTreeSet;

use melior::ir::operation::OperationLike;
use symloc_affine::{Expr, Overflow};
use symloc_frontend::cases::Cases;

use crate::expressions::refusal::Cause;
use crate::ffi::{self, Definition, Op, OpKey, Val, ValueKey, definition, op_results, value_key};
use crate::values::{Known, Values};

/// The flow of values through an iteration of a loop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passing<'a> {
    /// The values at the beginning of an iteration.
    pub(crate) arguments: Vec<Val<'a>>,
    /// Further block arguments, with the values that they are equal to.
    pub(crate) aliases: Vec<(Val<'a>, Val<'a>)>,
    /// The operation that decides about the next iteration, and the region of it that leads there.
    pub(crate) continues: Option<(OpKey, usize)>,
}

/// A carried value plus a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shifted {
    /// The position of the carried value.
    pub(crate) position: usize,
    pub(crate) plus: i64,
}

/// The loop-carried values of a loop.
#[derive(Default)]
pub(crate) struct Carried<'a> {
    /// The values before the first iteration.
    pub(crate) inits: Vec<Val<'a>>,
    /// The flow through an iteration.
    pub(crate) passing: Passing<'a>,
    /// The values that an iteration passes on.
    pub(crate) next: Vec<Val<'a>>,
}

/// Returns the `iter_args` of a sequential loop.
pub(crate) fn carried_by(op: Op<'_>) -> Carried<'_> {
    let count = op.result_count();
    let is_sequential = ["affine.for", "scf.for"].contains(&ffi::name(op).as_str());
    let (operands, arguments): (Vec<_>, _) = (op.operands().collect(), ffi::arguments(op));
    let last = op.first_region().and_then(|region| ffi::operations(region).last());
    let (Some(last), true) = (last, is_sequential && count <= operands.len() && count < arguments.len()) else {
        return Carried::default();
    };
    Carried {
        inits: operands[operands.len() - count..].to_vec(),
        passing: Passing { arguments: arguments[arguments.len() - count..].to_vec(), ..Passing::default() },
        next: last.operands().collect(),
    }
}

impl<'a> Carried<'a> {
    /// Returns the initial value at a position, if each iteration passes it on unchanged.
    pub(crate) fn unchanged(&self, position: usize, values: &Values<'a, '_>) -> Option<Val<'a>> {
        let passed = self.passing.trace(*self.next.get(position)?, values)?;
        self.inits.get(position).copied().filter(|_| passed == Shifted { position, plus: 0 })
    }
}

impl<'a> Passing<'a> {
    /// Returns the flow to the values with which the loop is left: through the other region.
    pub(crate) fn leaving(&self) -> Self {
        let other = |(key, region): (OpKey, usize)| (key, 1 - region.min(1));
        Self { continues: self.continues.map(other), ..self.clone() }
    }

    /// Returns the value of a result of the deciding operation in the region that is taken.
    pub(crate) fn chosen(&self, value: Val<'a>) -> Option<Val<'a>> {
        let Definition::Result { op } = definition(value) else { return None };
        let (_, region) = self.continues.filter(|(key, _)| *key == ffi::key(op))?;
        let is_value = |result: &Val| ffi::value_key(*result) == ffi::value_key(value);
        yielded(op, region, op_results(op).iter().position(is_value)?)
    }

    /// Returns the carried value that a result of a branch is, if it is the same one on both sides.
    fn on_both_sides(&self, op: Op<'a>, result: Val<'a>, values: &Values<'a, '_>) -> Option<Shifted> {
        let position = op_results(op).into_iter().position(|value| value == result)?;
        let side = |region| self.trace(yielded(op, region, position)?, values);
        side(0).filter(|shifted| side(1) == Some(*shifted))
    }

    /// Traces a value back to a carried value plus a constant.
    pub(crate) fn trace(&self, mut value: Val<'a>, values: &Values<'a, '_>) -> Option<Shifted> {
        let same = |a: Val, b: Val| ffi::value_key(a) == ffi::value_key(b);
        let mut plus = 0_i64;
        loop {
            if let Some(position) = self.arguments.iter().position(|argument| same(*argument, value)) {
                return Some(Shifted { position, plus });
            }
            if let Some((_, is)) = self.aliases.iter().find(|(alias, _)| same(*alias, value)) {
                value = *is;
                continue;
            }
            let Definition::Result { op } = definition(value) else { return None };
            let operand = |index| op.operand(index).ok();
            value = match ffi::name(op).as_str() {
                "arith.addi" | "index.add" => {
                    let (left, right) = (operand(0)?, operand(1)?);
                    match (values.constant(left), values.constant(right)) {
                        (_, Some(constant)) => {
                            plus = plus.checked_add(constant)?;
                            left
                        }
                        (Some(constant), None) => {
                            plus = plus.checked_add(constant)?;
                            right
                        }
                        (None, None) => return None,
                    }
                }
                "arith.subi" | "index.sub" => {
                    plus = plus.checked_sub(values.constant(operand(1)?)?)?;
                    operand(0)?
                }
                "affine.apply" => {
                    let (sum, input) = shift(op)?;
                    plus = plus.checked_add(sum)?;
                    input
                }
                "arith.index_cast" | "arith.extsi" | "arith.trunci" | "index.casts" => operand(0)?,
                "affine.for" | "scf.for" => {
                    let position = op_results(op).into_iter().position(|result| result == value)?;
                    carried_by(op).unchanged(position, values)?
                }
                "affine.if" | "scf.if" => match self.chosen(value) {
                    Some(chosen) => chosen,
                    None => {
                        let shifted = self.on_both_sides(op, value, values)?;
                        return Some(Shifted { plus: plus.checked_add(shifted.plus)?, ..shifted });
                    }
                },
                _ => return None,
            };
        }
    }
}

/// Returns the value that a region of an operation yields at a position.
pub(crate) fn yielded<'a>(op: Op<'a>, region: usize, position: usize) -> Option<Val<'a>> {
    let region = ffi::regions(op).into_iter().nth(region)?;
    ffi::operations(region).last()?.operand(position).ok()
}

/// Returns true if something in a loop reads a value that it carries.
pub(crate) fn is_read<'a>(op: Op<'a>, argument: Val<'a>) -> bool {
    ffi::all_within(op).into_iter().any(|inner| has_operand(inner, &BTreeSet::from([value_key(argument)])))
}

/// Returns true if something in a loop depends on a value that it carries, other than numbers that are computed of numbers and
/// handed on.
pub(crate) fn is_used<'a>(op: Op<'a>, argument: Val<'a>) -> bool {
    let inside = ffi::all_within(op);
    let mut reached = BTreeSet::from([value_key(argument)]);
    loop {
        let before = reached.len();
        for inner in inside.iter().filter(|inner| has_operand(**inner, &reached)).collect::<Vec<_>>() {
            let Some(depending) = depending_on(op, *inner, &reached) else { return true };
            reached.extend(depending.into_iter().map(value_key));
        }
        if reached.len() == before {
            return false;
        }
    }
}

fn has_operand(op: Op<'_>, values: &BTreeSet<ValueKey>) -> bool {
    op.operands().any(|operand| values.contains(&value_key(operand)))
}

/// Returns true for operations on numbers alone, and for those that hand them on.
fn is_computation(op: Op<'_>) -> bool {
    let name = ffi::name(op);
    let dialect = name.split('.').next().unwrap_or_default();
    ["arith", "math", "complex", "index"].contains(&dialect) || name.ends_with(".yield")
}

/// Returns the values in a loop that an operation computes of reached values or hands on; `None` if it does something else
/// with them.
fn depending_on<'a>(around: Op<'a>, op: Op<'a>, reached: &BTreeSet<ValueKey>) -> Option<Vec<Val<'a>>> {
    let is_reached = |value: &Val<'a>| reached.contains(&value_key(*value));
    let carries = |op: Op<'a>, position: usize| {
        let argument = carried_by(op).passing.arguments.get(position).copied();
        argument.into_iter().chain(op_results(op).get(position).copied())
    };
    match ffi::name(op).as_str() {
        "affine.yield" | "scf.yield" => {
            let parent = ffi::with_parents(op).nth(1).filter(|parent| ffi::key(*parent) != ffi::key(around));
            let positions =
                op.operands().enumerate().filter(|(_, value)| is_reached(value)).map(|(position, _)| position);
            Some(
                parent
                    .map_or_else(Vec::new, |parent| positions.flat_map(|position| carries(parent, position)).collect()),
            )
        }
        "affine.for" | "scf.for" => {
            let inits = carried_by(op).inits;
            let bounds = op.operand_count() - inits.len();
            let is_bound = op.operands().take(bounds).any(|value| is_reached(&value));
            let positions = inits.iter().enumerate().filter(|(_, value)| is_reached(value));
            (!is_bound).then(|| positions.flat_map(|(position, _)| carries(op, position)).collect())
        }
        "affine.if" | "scf.if" => ffi::all_within(op).into_iter().all(is_computation).then(|| op_results(op)),
        _ => is_computation(op).then(|| op_results(op)),
    }
}

/// Returns the constant and the operand of an `affine.apply` that only adds a constant.
fn shift(op: Op<'_>) -> Option<(i64, Val<'_>)> {
    let map = op.attribute("map").ok().and_then(ffi::affine_map)?;
    let sum = map.result(0).ok()?;
    let input = op.operand(0).ok().filter(|_| op.operand_count() == 1)?;
    let is_input = |expr: &melior::ir::AffineExpr| expr.is_dim() || expr.is_symbol();
    if is_input(&sum) {
        return Some((0, input));
    }
    (sum.is_add() && is_input(&sum.lhs()) && sum.rhs().is_constant()).then(|| (sum.rhs().constant_value(), input))
}

impl<'a> Values<'a, '_> {
    /// Returns the value, if it is constant.
    pub(crate) fn constant(&self, value: Val<'a>) -> Option<i64> {
        if let Definition::Result { op } = definition(value)
            && ["arith.constant", "index.constant"].contains(&ffi::name(op).as_str())
        {
            return ffi::boolean(op, "value").map(i64::from).or_else(|| ffi::integer(op, "value"));
        }
        match self.get(value) {
            Some(Known::Index(Cases::Always(value))) => value.as_constant(),
            Some(Known::Flag(Cases::Always(value))) => Some(i64::from(*value)),
            _ => None,
        }
    }

    /// Returns a carried value in an iteration: `first + step · iteration`.
    pub(crate) fn carried(
        &self,
        first: Val<'a>,
        shifted: Option<Shifted>,
        position: usize,
        iteration: &Expr,
    ) -> Option<Known<'a>> {
        let step = shifted.filter(|shifted| shifted.position == position)?.plus;
        match self.get(first)? {
            known if step == 0 => Some(known.clone()),
            Known::Index(first) => {
                let value = first.try_map(&mut |first: &Expr| Ok::<_, Cause>(first.add_scaled(iteration, step)?));
                value.ok().map(Known::Index)
            }
            Known::Flag(_) | Known::Memory(_) => None,
        }
    }
}

/// Returns the number of the iteration in which an iterator that starts at `lower` has a value.
pub(crate) fn iteration(iterator: &Expr, lower: &Expr, step: i64) -> Result<Expr, Overflow> {
    iterator.minus(lower)?.floor_div(step)
}
