//! SSA values at the current point of the walk: indices, conditions and memrefs.
//!
//! Operations are visited in program order, so the operands of an operation have been visited before it: a table of
//! values is enough, and a value that is missing from it is not affine. The reason is determined only when a bound,
//! guard or subscript needs it.
//!
//! - `arithmetic` computes indices and conditions, `row_major` positions in row-major order, `rounded` integers from
//!   floating-point numbers, `offsets` polynomials in the sizes,
//! - `memrefs` finds the memory of a memref, `views` makes views of it, `stored` has the numbers in small arrays,
//! - `candidates` are the parameters: arguments, classified by their `uses`, and extents and products (`parameters`),
//! - `explain` traces a value that is not affine to the reason.
//!
//! The files are one recursion over the operands of a value: [`Values`] has methods in most of them, which call each
//! other in a ring. An extent is a value, and a value may be an extent.
//!
//! A region may be visited more than once (a function for each call, a body for each case of its bounds); every visit
//! overwrites the values of the one before.

mod arithmetic;
mod candidates;
mod explain;
mod memrefs;
mod offsets;
mod parameters;
mod rounded;
mod row_major;
mod stored;
mod uses;
mod views;

use std::collections::{BTreeMap, BTreeSet};

use melior::ir::r#type::TypeLike;
use melior::ir::{AffineMap, ValueLike};
use symloc_affine::{Expr, IterId, ParamId};
use symloc_frontend::Candidate;
use symloc_frontend::cases::{Cases, join};
use symloc_frontend::ranges::Ranges;

use crate::expressions::maps;
use crate::expressions::products::Products;
use crate::expressions::refusal::{Cause, Refusal};
use crate::ffi::{self, Op, OpKey, Val, ValueKey, is_flag, is_integer, op_results};
use crate::input::places::Places;
use crate::memory::{Memory, Root};

/// A value, as far as it is known.
#[derive(Clone, Debug)]
pub(crate) enum Known<'a> {
    /// A piecewise affine index.
    Index(Cases<Expr>),
    /// A piecewise affine condition.
    Flag(Cases<bool>),
    /// A memref, or the reason why accesses through it are refused.
    Memory(Result<Memory<'a>, Refusal>),
}

/// The values of a function and its callees.
pub(crate) struct Values<'a, 's> {
    pub(crate) places: &'s Places<'s>,
    pub(crate) ranges: Ranges,
    /// The number of calls that have been inlined so far: allocations of different calls are different arrays.
    pub(crate) calls: u32,
    known: BTreeMap<ValueKey, Known<'a>>,
    /// The operands that the arguments of inlined functions stand for.
    operands: BTreeMap<ValueKey, Val<'a>>,
    candidates: Vec<Candidate>,
    extents: BTreeMap<(Root, usize), ParamId>,
    /// Products of sizes that are parameters.
    pub(crate) products: Products,
    /// The sums of sizes that are factors in the source.
    pub(crate) factors: BTreeSet<Expr>,
    /// The integers in elements of small arrays, by allocation and subscripts.
    pub(crate) stored: BTreeMap<ValueKey, BTreeMap<Vec<i64>, Cases<Expr>>>,
    refused: BTreeSet<OpKey>,
    function: Op<'a>,
}

impl<'a, 's> Values<'a, 's> {
    /// Returns the values at the start of a function: integer arguments are candidates, memrefs are arrays.
    pub(crate) fn new(function: Op<'a>, places: &'s Places<'s>) -> Self {
        let mut values = Self {
            places,
            ranges: Ranges::default(),
            calls: 0,
            known: BTreeMap::new(),
            operands: BTreeMap::new(),
            candidates: Vec::new(),
            extents: BTreeMap::new(),
            products: Products::default(),
            factors: BTreeSet::new(),
            stored: BTreeMap::new(),
            refused: BTreeSet::new(),
            function,
        };
        values.introduce_arguments();
        values.name_extents();
        values
    }

    /// Sets a value; `None` makes it unknown.
    pub(crate) fn set(&mut self, value: Val<'a>, known: Option<Known<'a>>) {
        let key = ffi::value_key(value);
        match known {
            Some(known) => self.known.insert(key, known),
            None => self.known.remove(&key),
        };
    }

    /// Returns a value, if it is known.
    pub(crate) fn get(&self, value: Val<'a>) -> Option<&Known<'a>> {
        self.known.get(&ffi::value_key(value))
    }

    /// Sets a value to a loop's iterator.
    pub(crate) fn set_iterator(&mut self, value: Val<'a>, iter: IterId) {
        self.set(value, Some(Known::Index(Cases::Always(Expr::iter(iter)))));
    }

    /// Binds the argument of an inlined function to an operand of the call.
    pub(crate) fn pass(&mut self, argument: Val<'a>, operand: Val<'a>) {
        self.set(argument, self.get(operand).cloned());
        self.operands.insert(ffi::value_key(argument), operand);
    }

    /// Marks an operation as reported, so that uses of its results are not reported again.
    pub(crate) fn refuse(&mut self, op: Op<'a>) {
        self.refused.insert(ffi::key(op));
    }

    pub(crate) fn is_refused(&self, op: Op<'a>) -> bool {
        self.refused.contains(&ffi::key(op))
    }

    /// Evaluates an operation that touches no memory, and sets its results.
    pub(crate) fn define(&mut self, op: Op<'a>) {
        for value in op_results(op) {
            self.set(value, None);
        }
        if ffi::name(op) == "affine.delinearize_index" {
            for (position, value) in op_results(op).into_iter().enumerate() {
                self.set(value, self.delinearized(op, position).ok().map(Known::Index));
            }
            return;
        }
        let [result] = op_results(op)[..] else { return };
        self.note_factors(op);
        let kind = result.r#type();
        let known = if kind.is_mem_ref() {
            self.introduce_rows(op, kind);
            self.define_memory(op).map(Known::Memory)
        } else if is_flag(kind) {
            self.evaluate_flag(op).ok().map(Known::Flag)
        } else if is_integer(kind) {
            self.introduce_extent(op, result);
            self.introduce_product(op);
            self.evaluate(op).ok().map(Known::Index)
        } else {
            None
        };
        self.set(result, known);
    }

    /// Returns the value of an index.
    pub(crate) fn index(&self, value: Val<'a>) -> Result<Cases<Expr>, Refusal> {
        self.known_index(value).map_err(|cause| self.explain(cause, None))
    }

    /// Returns the value of a condition.
    pub(crate) fn flag(&self, value: Val<'a>) -> Result<Cases<bool>, Refusal> {
        self.known_flag(value).map_err(|cause| self.explain(cause, None))
    }

    pub(crate) fn known_index(&self, value: Val<'a>) -> Result<Cases<Expr>, Cause<'a>> {
        match self.get(value) {
            Some(Known::Index(cases)) => Ok(cases.clone()),
            _ => Err(Cause::Operand(value)),
        }
    }

    pub(crate) fn known_flag(&self, value: Val<'a>) -> Result<Cases<bool>, Cause<'a>> {
        match self.get(value) {
            Some(Known::Flag(cases)) => Ok(cases.clone()),
            _ => Err(Cause::Operand(value)),
        }
    }

    /// Returns the results of an affine map; `op` has the operands.
    pub(crate) fn map(
        &self,
        op: Op<'a>,
        map: AffineMap<'a>,
        operands: &[Val<'a>],
    ) -> Vec<Result<Cases<Expr>, Refusal>> {
        let results = (0..map.result_count()).filter_map(|i| map.result(i).ok());
        let cases = results.map(|result| self.over(result, map.dim_count(), operands));
        cases.map(|result| result.map_err(|cause| self.explain(cause, Some(op)))).collect()
    }

    /// Evaluates an expression over operands; the first `dims` are dimensions.
    pub(crate) fn over(
        &self,
        expr: melior::ir::AffineExpr<'a>,
        dims: usize,
        operands: &[Val<'a>],
    ) -> Result<Cases<Expr>, Cause<'a>> {
        let mut inputs = Vec::new();
        for (index, &operand) in operands.iter().enumerate() {
            // An input that is not mentioned must not add its cases.
            inputs.push(match maps::mentions(expr, dims, index) {
                true => self.known_index(operand)?,
                false => Cases::Always(Expr::default()),
            });
        }
        join(&inputs)?.try_map(&mut |inputs: &Vec<Expr>| Ok(maps::evaluate(expr, dims, inputs)?))
    }

    /// Returns the value that an argument of an inlined function is bound to.
    pub(crate) fn passed(&self, mut value: Val<'a>) -> Val<'a> {
        while let Some(&operand) = self.operands.get(&ffi::value_key(value)) {
            value = operand;
        }
        value
    }

    /// Returns the function whose values these are.
    pub(crate) fn function(&self) -> Op<'a> {
        self.function
    }
}
