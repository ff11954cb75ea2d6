//! Index values: follows SSA values back to parameters, iterators and constants.
//!
//! Operations are visited in program order, so the operands of an operation have been visited before it: one table from
//! values to expressions is enough, and a value that is missing from it is not affine. Why it is not is found out only
//! when a bound, guard or subscript needs it. Arithmetic is that of the integers: casts between integer types and
//! `index` are taken to keep the value, as DESIGN section 4 says.

use std::collections::{BTreeMap, BTreeSet};

use melior::ir::operation::OperationLike;
use melior::ir::r#type::{IntegerType, TypeLike};
use melior::ir::{AffineExpr, AffineMap, Type, ValueLike};
use symloc_affine::{Expr, IterId, Location, Overflow, ParamId};

use crate::arrays::{self, Root};
use crate::ffi::{self, Definition, Op, OpKey, Val, ValueKey, definition};
use crate::maps::{self, MapError};
use crate::places::Places;

/// Why a value is of no use where it is needed.
pub(crate) enum Refusal {
    /// It comes from an operation that has been reported already.
    Reported,
    /// A reason of its own.
    Because(Reason),
}

/// A reason, the place it is about, and what to do.
pub(crate) struct Reason {
    pub(crate) why: String,
    pub(crate) at: Option<Location>,
    pub(crate) hint: Option<String>,
}

/// Why an operation has no affine value.
enum Cause<'a> {
    /// This operand has none.
    Operand(Val<'a>),
    /// The operation itself.
    Here { why: String, hint: Option<&'static str> },
}

impl Cause<'_> {
    fn here(why: impl Into<String>) -> Self {
        Cause::Here { why: why.into(), hint: None }
    }

    fn product() -> Self {
        let hint = "multiply by constants; a product of sizes may be an argument of its own";
        Cause::Here { why: "it multiplies two values that are not constant".to_owned(), hint: Some(hint) }
    }

    fn divisor() -> Self {
        let hint = "divide by positive constants";
        Cause::Here { why: "it divides by what is not a positive constant".to_owned(), hint: Some(hint) }
    }
}

impl From<Overflow> for Cause<'_> {
    fn from(overflow: Overflow) -> Self {
        Cause::here(overflow.to_string())
    }
}

impl<'a> From<MapError<Option<Val<'a>>>> for Cause<'a> {
    fn from(error: MapError<Option<Val<'a>>>) -> Self {
        match error {
            MapError::Input(Some(operand)) => Cause::Operand(operand),
            MapError::Input(None) => Cause::here("the map has more inputs than the operation has operands"),
            MapError::Product => Cause::product(),
            MapError::Divisor => Cause::divisor(),
            MapError::Overflow(overflow) => overflow.into(),
        }
    }
}

/// Where a parameter comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The function's argument of this number.
    Argument(usize),
    /// A `memref.dim`.
    Dim,
}

/// What may turn out to be a parameter, if it is used.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) origin: Origin,
    /// The SSA name in the source.
    pub(crate) name: Option<String>,
}

/// The affine values of a function.
pub(crate) struct Values<'a, 's> {
    places: &'s Places<'s>,
    exprs: BTreeMap<ValueKey, Expr>,
    candidates: Vec<Candidate>,
    dims: BTreeMap<(Root, usize), ParamId>,
    refused: BTreeSet<OpKey>,
    function: Op<'a>,
}

impl<'a, 's> Values<'a, 's> {
    /// The values of a function, whose integer arguments are parameters.
    pub(crate) fn new(function: Op<'a>, places: &'s Places<'s>) -> Self {
        let mut values = Self {
            places,
            exprs: BTreeMap::new(),
            candidates: Vec::new(),
            dims: BTreeMap::new(),
            refused: BTreeSet::new(),
            function,
        };
        for (index, argument) in ffi::arguments(function).into_iter().enumerate() {
            if is_integer(argument.r#type()) {
                let param = values.candidate(Origin::Argument(index), argument);
                values.exprs.insert(ffi::value_key(argument), Expr::param(param));
            }
        }
        values
    }

    fn candidate(&mut self, origin: Origin, value: Val<'a>) -> ParamId {
        let id = ParamId(self.candidates.len() as u32);
        self.candidates.push(Candidate { origin, name: self.places.ssa_name(value).map(str::to_owned) });
        id
    }

    /// What may be parameters; a [`ParamId`] in an expression is an index into this list.
    pub(crate) fn into_candidates(self) -> Vec<Candidate> {
        self.candidates
    }

    /// Says that a value is a loop's iterator.
    pub(crate) fn set_iterator(&mut self, value: Val<'a>, iter: IterId) {
        self.exprs.insert(ffi::value_key(value), Expr::iter(iter));
    }

    /// Says that an operation has been reported, so that uses of its results are no errors of their own.
    pub(crate) fn refuse(&mut self, op: Op<'a>) {
        self.refused.insert(ffi::key(op));
    }

    pub(crate) fn is_refused(&self, op: Op<'a>) -> bool {
        self.refused.contains(&ffi::key(op))
    }

    /// Visits an operation that computes registers only.
    pub(crate) fn define(&mut self, op: Op<'a>) {
        let Ok(result) = OperationLike::result(&op, 0) else { return };
        if op.result_count() != 1 || !is_integer(result.r#type()) {
            return;
        }
        if ffi::name(op) == "memref.dim" {
            self.introduce_extent(op, result.into());
        }
        if let Ok(expr) = self.evaluate(op) {
            self.exprs.insert(ffi::value_key(result.into()), expr);
        }
    }

    /// A dynamic extent of an argument is a parameter; its first `memref.dim` names it.
    fn introduce_extent(&mut self, op: Op<'a>, result: Val<'a>) {
        let Ok((dimension, arrays::Dimension::Argument(root))) = self.extent(op) else { return };
        if !self.dims.contains_key(&(root.clone(), dimension)) {
            let param = self.candidate(Origin::Dim, result);
            self.dims.insert((root, dimension), param);
        }
    }

    /// The affine value.
    pub(crate) fn expr(&self, value: Val<'a>) -> Result<Expr, Refusal> {
        self.known(value).map_err(|cause| self.explain(cause, None))
    }

    /// The results of an affine map; `op` has the operands.
    pub(crate) fn map(&self, op: Op<'a>, map: AffineMap<'a>, operands: &[Val<'a>]) -> Result<Vec<Expr>, Refusal> {
        let results = (0..map.result_count()).filter_map(|i| map.result(i).ok());
        results.map(|result| self.map_expr(op, result, map.dim_count(), operands)).collect()
    }

    /// One expression over the operands of `op`, of which the first `dims` are dimensions.
    pub(crate) fn map_expr(
        &self,
        op: Op<'a>,
        expr: AffineExpr<'a>,
        dims: usize,
        operands: &[Val<'a>],
    ) -> Result<Expr, Refusal> {
        self.over_operands(expr, dims, operands).map_err(|cause| self.explain(cause, Some(op)))
    }

    fn over_operands(&self, expr: AffineExpr<'a>, dims: usize, operands: &[Val<'a>]) -> Result<Expr, Cause<'a>> {
        let input = |index: usize| {
            let operand = operands.get(index).copied();
            operand.and_then(|value| self.exprs.get(&ffi::value_key(value)).cloned()).ok_or(operand)
        };
        Ok(maps::evaluate(expr, dims, &input)?)
    }

    fn known(&self, value: Val<'a>) -> Result<Expr, Cause<'a>> {
        self.exprs.get(&ffi::value_key(value)).cloned().ok_or(Cause::Operand(value))
    }

    fn operand(&self, op: Op<'a>, index: usize) -> Result<Expr, Cause<'a>> {
        let operand = op.operand(index).map_err(|error| Cause::here(error.to_string()))?;
        self.known(operand)
    }

    /// The value of a register's operation.
    fn evaluate(&self, op: Op<'a>) -> Result<Expr, Cause<'a>> {
        let name = ffi::name(op);
        match name.as_str() {
            "arith.constant" | "index.constant" => ffi::integer(op, "value")
                .map(Expr::constant)
                .ok_or_else(|| Cause::here("the constant does not fit in 64 bits")),
            "arith.addi" | "index.add" => Ok(self.operand(op, 0)?.plus(&self.operand(op, 1)?)?),
            "arith.subi" | "index.sub" => Ok(self.operand(op, 0)?.minus(&self.operand(op, 1)?)?),
            "arith.muli" | "index.mul" => self.product(op),
            "arith.floordivsi" | "index.floordivs" => Ok(self.operand(op, 0)?.floor_div(self.divisor(op)?)?),
            "arith.ceildivsi" | "index.ceildivs" => Ok(self.operand(op, 0)?.ceil_div(self.divisor(op)?)?),
            "arith.index_cast" | "arith.index_castui" | "arith.extsi" | "arith.extui" | "arith.trunci"
            | "index.casts" | "index.castu" => self.operand(op, 0),
            "affine.apply" => self.apply(op),
            "memref.dim" => self.dim(op),
            _ => Err(refusal_of(&name)),
        }
    }

    fn product(&self, op: Op<'a>) -> Result<Expr, Cause<'a>> {
        let product = maps::product(&self.operand(op, 0)?, &self.operand(op, 1)?)?;
        product.ok_or_else(Cause::product)
    }

    fn divisor(&self, op: Op<'a>) -> Result<i64, Cause<'a>> {
        let divisor = self.operand(op, 1)?.as_constant().filter(|&d| d > 0);
        divisor.ok_or_else(Cause::divisor)
    }

    fn apply(&self, op: Op<'a>) -> Result<Expr, Cause<'a>> {
        let map = op.attribute("map").ok().and_then(ffi::affine_map);
        let result = map.and_then(|map| Some((map.result(0).ok()?, map.dim_count())));
        let (result, dims) = result.ok_or_else(|| Cause::here("it has no affine map"))?;
        let operands: Vec<_> = op.operands().collect();
        self.over_operands(result, dims, &operands)
    }

    /// `memref.dim`: a constant, the size operand of an allocation, or a parameter.
    fn dim(&self, op: Op<'a>) -> Result<Expr, Cause<'a>> {
        let param = match self.extent(op)? {
            (_, arrays::Dimension::Known(extent)) => return Ok(Expr::constant(extent)),
            (_, arrays::Dimension::Operand(size)) => return self.known(size),
            (dimension, arrays::Dimension::Argument(root)) => self.dims.get(&(root, dimension)),
            (_, arrays::Dimension::Unknown) => None,
        };
        param.map(|&param| Expr::param(param)).ok_or_else(|| Cause::here("the extent is not known before the loops"))
    }

    /// The dimension that a `memref.dim` asks for, and what is known of it.
    fn extent(&self, op: Op<'a>) -> Result<(usize, arrays::Dimension<'a>), Cause<'a>> {
        let dimension = self.operand(op, 1)?.as_constant().and_then(|d| usize::try_from(d).ok());
        let dimension = dimension.ok_or_else(|| Cause::here("the dimension is not a constant"))?;
        let array = op.operand(0).map_err(|error| Cause::here(error.to_string()))?;
        Ok((dimension, arrays::extent(array, dimension)))
    }

    /// Follows a value that is not affine to the operation that makes it so; `user` is where the search starts.
    fn explain(&self, mut cause: Cause<'a>, user: Option<Op<'a>>) -> Refusal {
        let mut value = None;
        loop {
            let operand = match cause {
                Cause::Operand(operand) => operand,
                Cause::Here { why, hint } => return self.reason(value, why, hint, user),
            };
            let op = match definition(operand) {
                Definition::Argument { .. } => return self.argument(operand),
                Definition::Result { op } => op,
            };
            if self.is_refused(op) {
                return Refusal::Reported;
            }
            cause = match self.evaluate(op) {
                Err(cause) => cause,
                Ok(_) => Cause::here(format!("it is one of several results of `{}`", ffi::name(op))),
            };
            value = Some(operand);
        }
    }

    fn reason(&self, value: Option<Val<'a>>, why: String, hint: Option<&str>, user: Option<Op<'a>>) -> Refusal {
        let why = match value {
            Some(value) => format!("{}: {why}", self.places.describe(value)),
            None => why,
        };
        let at = match value.map(definition) {
            Some(Definition::Result { op }) if user != Some(op) => self.places.of(op),
            _ => None,
        };
        Refusal::Because(Reason { why, at, hint: hint.map(str::to_owned) })
    }

    /// Why a block argument that is neither parameter nor iterator is not affine.
    fn argument(&self, value: Val<'a>) -> Refusal {
        let parent = match definition(value) {
            Definition::Argument { parent, .. } => parent.map(ffi::name),
            Definition::Result { .. } => None,
        };
        let why = match parent.as_deref() {
            Some("affine.for") => "it is carried from one iteration to the next",
            _ => "it is the argument of a block",
        };
        Refusal::Because(Reason {
            why: format!("{}: {why}", self.places.describe(value)),
            at: self.places.location(value.location()),
            hint: Some("express it with iterators and parameters".to_owned()),
        })
    }

    /// The function whose values these are.
    pub(crate) fn function(&self) -> Op<'a> {
        self.function
    }
}

/// Why results of operations of this name are not affine.
fn refusal_of<'a>(name: &str) -> Cause<'a> {
    let (why, hint) = match name {
        "affine.load" | "memref.load" => (
            "it is loaded from memory, so it depends on data".to_owned(),
            Some("only parameters and iterators can be followed; pass a size as an `index` argument"),
        ),
        "affine.min" | "affine.max" | "arith.minsi" | "arith.maxsi" | "arith.minui" | "arith.maxui" => (
            format!("`{name}` is not affine"),
            Some("put the expressions into the bounds of an `affine.for`, which may have several, or use `affine.if`"),
        ),
        "arith.divsi" | "arith.divui" | "arith.remsi" | "arith.remui" => (
            format!("`{name}` rounds toward zero, which is not affine for negative values"),
            Some("use `affine.apply` with `floordiv` or `mod`"),
        ),
        "arith.select" | "affine.if" => {
            (format!("`{name}` chooses it at run time"), Some("use `affine.if` round the accesses"))
        }
        "affine.for" => ("it is computed by a loop".to_owned(), Some("express it with iterators and parameters")),
        _ => (
            format!("it is the result of `{name}`, which is not followed"),
            Some("compute it with `affine.apply`, or from sums and constant multiples of iterators and parameters"),
        ),
    };
    Cause::Here { why, hint }
}

/// True for `index` and the integer types that fit in 64 bits.
fn is_integer(kind: Type) -> bool {
    kind.is_index() || IntegerType::try_from(kind).is_ok_and(|integer| integer.width() <= 64)
}
