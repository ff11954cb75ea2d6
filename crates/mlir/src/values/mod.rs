//! SSA values at the current point of the walk: indices, conditions and memrefs.
//!
//! Operations are visited in program order, so the operands of an operation have been visited before it: a table of
//! values is enough, and a value that is missing from it is not affine. The reason is determined only when a bound,
//! guard or subscript needs it.
//!
//! - `arithmetic` computes indices and conditions, `row_major` positions in row-major order, `rounded` integers from
//!   floating-point numbers, `offsets` polynomials in the sizes,
//! - `memrefs` finds the memory of a memref, `views` makes views of it, `stored` has the numbers in small arrays,
//! - `uses` classifies arguments as sizes, `parameters` makes parameters of extents and products.
//!
//! The files are one recursion over the operands of a value: [`Values`] has methods in most of them, which call each
//! other in a ring. An extent is a value, and a value may be an extent.
//!
//! A region may be visited more than once (a function for each call, a body for each case of its bounds); every visit
//! overwrites the values of the one before.

mod arithmetic;
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
use symloc_affine::{Atom, Constraint, Expr, IterId, ParamId};
use symloc_frontend::assumed::{Assumed, freed};
use symloc_frontend::cases::{Cases, join};
use symloc_frontend::ranges::Ranges;
use symloc_frontend::{Candidate, Domain, Origin};

use crate::expressions::maps;
use crate::expressions::products::Products;
use crate::expressions::refusal::{Cause, Reason, Refusal};
use crate::ffi::{self, Definition, Op, OpKey, Val, ValueKey, definition, is_flag, is_integer, op_results};
use crate::input::fixed::Fixed;
use crate::input::places::Places;
use crate::memory::{Memory, Root};
use uses::Uses;

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

/// The attribute of an argument with a name for each of its extents; empty for one without.
const DIMENSIONS: &str = "symloc.dims";
/// The attribute in onnx-mlir's form: `"0:batch,2:height"`.
const ONNX_DIMENSIONS: &str = "onnx.dim_params";

/// Returns the names in onnx-mlir's form, with their dimensions.
fn numbered(text: &Option<String>) -> Vec<(usize, String)> {
    let entry = |entry: &str| {
        let (dimension, name) = entry.split_once(':')?;
        let name = name.trim();
        (!name.is_empty()).then_some((dimension.trim().parse().ok()?, name.to_owned()))
    };
    text.iter().flat_map(|text| text.split(',')).filter_map(entry).collect()
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
        let uses = Uses::new(function);
        for (index, argument) in ffi::arguments(function).into_iter().enumerate() {
            if is_integer(argument.r#type()) {
                let name = places.ssa_name(argument).map(str::to_owned);
                let param = values.candidate_in(uses.domain(argument), Origin::Argument(index), name);
                values.set(argument, Some(Known::Index(Cases::Always(Expr::param(param)))));
            } else if is_flag(argument.r#type()) {
                let name = places.ssa_name(argument).map(str::to_owned);
                let param = values.candidate_in(Domain::Flag, Origin::Argument(index), name);
                values.set(argument, truth_value(param).map(Known::Flag));
            } else if argument.r#type().is_mem_ref() || argument.r#type().is_unranked_mem_ref() {
                let memory = Memory::of_root(Root::Argument(index), argument, &[]);
                values.set(argument, Some(Known::Memory(Ok(memory))));
            }
        }
        values.name_extents();
        values
    }

    /// Makes the extents of arguments with a name in an attribute candidates; equal names are one.
    fn name_extents(&mut self) {
        let mut named: BTreeMap<String, ParamId> = BTreeMap::new();
        let ours =
            ffi::argument_texts(self.function, DIMENSIONS).into_iter().map(|names| names.into_iter().enumerate());
        let ours = ours.map(|names| names.filter(|(_, name)| !name.is_empty()).collect::<Vec<_>>()).enumerate();
        let theirs =
            ffi::argument_text(self.function, ONNX_DIMENSIONS).into_iter().map(|text| numbered(&text)).enumerate();
        for (argument, names) in ours.chain(theirs) {
            for (dimension, name) in names {
                let param = match named.get(&name) {
                    Some(&param) => param,
                    None => self.candidate(Origin::Extent, Some(name.clone())),
                };
                named.insert(name, param);
                self.extents.insert((Root::Argument(argument), dimension), param);
            }
        }
    }

    /// Returns the name in `--assume` of a value that is an argument, if it has one.
    pub(crate) fn argument_name(&self, value: &Cases<Expr>) -> Option<String> {
        let Cases::Always(value) = value else { return None };
        let is_it = |position: usize, candidate: &Candidate| {
            let param = u32::try_from(position).map(|position| Expr::param(ParamId(position)));
            matches!(candidate.origin, Origin::Argument(_)) && param.as_ref() == Ok(value)
        };
        let (_, argument) = self.candidates.iter().enumerate().find(|(position, c)| is_it(*position, c))?;
        Assumed::default().name(argument.name.as_deref()?)
    }

    /// Returns conditions that give each argument that has become a constant its value.
    pub(crate) fn fix(&mut self, fixed: &[Fixed]) -> Vec<Constraint> {
        let mut conditions = Vec::new();
        for Fixed { name, value } in fixed {
            let is_it = |c: &Candidate| matches!(c.origin, Origin::Argument(_)) && c.name.as_ref() == Some(name);
            let param = self.candidates.iter().position(is_it).and_then(|position| u32::try_from(position).ok());
            let Some(param) = param.map(ParamId) else { continue };
            conditions.extend(Constraint::equal(&Expr::param(param), *value));
        }
        conditions
    }

    /// Adds the conditions of `--assume` on arguments as facts; arguments that they allow to be 0 or negative may be
    /// any integers.
    pub(crate) fn assume(&mut self, assumed: &Assumed) {
        let arguments = self.candidates.iter().take_while(|c| matches!(c.origin, Origin::Argument(_))).count();
        let conditions = assumed.of(&self.candidates[..arguments]);
        for param in freed(&conditions, &self.candidates) {
            self.candidates[param.index()].domain = Domain::Any;
            self.ranges.set_domain(param, Domain::Any);
        }
        conditions.into_iter().for_each(|condition| self.ranges.add_fact(condition));
    }

    fn candidate_in(&mut self, domain: Domain, origin: Origin, name: Option<String>) -> ParamId {
        let param = self.candidate_of(Candidate { origin, name, domain });
        if domain != Domain::Size {
            self.ranges.set_domain(param, domain);
        }
        param
    }

    fn candidate(&mut self, origin: Origin, name: Option<String>) -> ParamId {
        self.candidate_of(Candidate::size(origin, name))
    }

    pub(crate) fn candidate_of(&mut self, candidate: Candidate) -> ParamId {
        let id = ParamId(self.candidates.len() as u32);
        self.candidates.push(candidate);
        id
    }

    /// Returns the candidates for parameters.
    pub(crate) fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Returns the candidates for parameters; a [`ParamId`] in an expression is an index into this list.
    pub(crate) fn into_candidates(self) -> Vec<Candidate> {
        self.candidates
    }

    /// Returns the parameter for a dynamic extent, which is made, with this name, on the first call.
    pub(crate) fn extent_param(&mut self, root: &Root, dimension: usize, name: Option<String>) -> ParamId {
        let key = (root.clone(), dimension);
        if let Some(&param) = self.extents.get(&key) {
            return param;
        }
        let param = self.candidate(Origin::Extent, name);
        self.extents.insert(key, param);
        param
    }

    /// Returns the parameter for a dynamic extent, if it has been made.
    pub(crate) fn known_extent(&self, root: &Root, dimension: usize) -> Option<ParamId> {
        self.extents.get(&(root.clone(), dimension)).copied()
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

    /// Traces a value that is not affine to the operation that is the reason; `user` is the start of the search.
    pub(crate) fn explain(&self, mut cause: Cause<'a>, user: Option<Op<'a>>) -> Refusal {
        let mut value = None;
        loop {
            let operand = match cause {
                Cause::Operand(operand) => self.passed(operand),
                Cause::Here { why, hint } => return self.reason(value, why, hint, user),
            };
            let op = match definition(operand) {
                Definition::Argument { .. } => return self.argument(operand),
                Definition::Result { op } => op,
            };
            if self.is_refused(op) {
                return Refusal::Reported;
            }
            let evaluated = match is_flag(operand.r#type()) {
                true => self.evaluate_flag(op).map(drop),
                false => self.evaluate(op).map(drop),
            };
            let unknown = || Cause::here(format!("it is the result of `{}`, which is not followed", ffi::name(op)));
            cause = evaluated.err().unwrap_or_else(unknown);
            value = Some(operand);
        }
    }

    /// Returns the value that an argument of an inlined function is bound to.
    pub(crate) fn passed(&self, mut value: Val<'a>) -> Val<'a> {
        while let Some(&operand) = self.operands.get(&ffi::value_key(value)) {
            value = operand;
        }
        value
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

    /// Returns the reason why a block argument that is neither parameter nor iterator is not affine.
    fn argument(&self, value: Val<'a>) -> Refusal {
        let parent = match definition(value) {
            Definition::Argument { parent } => parent.map(ffi::name),
            Definition::Result { .. } => None,
        };
        let (why, hint) = match parent.as_deref() {
            Some("affine.for" | "scf.for") => {
                ("it is carried from one iteration to the next", "express it with iterators and parameters")
            }
            _ => ("it is the argument of a block", "express it with iterators and parameters"),
        };
        Refusal::Because(Reason {
            why: format!("{}: {why}", self.places.describe(value)),
            at: self.places.location(value.location()),
            hint: Some(hint.to_owned()),
        })
    }

    /// Returns true if a comparison of sizes in a condition is decided only because sizes are at least 1.
    pub(crate) fn rests_on_sizes(&mut self, condition: Val<'a>, fuel: u32) -> bool {
        use melior::ir::operation::OperationLike;
        let (Some(fuel), Definition::Result { op }) = (fuel.checked_sub(1), definition(self.passed(condition))) else {
            return false;
        };
        if matches!(ffi::name(op).as_str(), "arith.andi" | "arith.ori" | "arith.xori" | "arith.select") {
            let operands: Vec<Val<'a>> = op.operands().collect();
            return operands.into_iter().any(|operand| self.rests_on_sizes(operand, fuel));
        }
        let varies = |expr: &Expr| expr.mentions(&|atom| matches!(atom, Atom::Iter(_)));
        let of_sizes = op.operands().all(|operand| match self.get(operand) {
            Some(Known::Index(Cases::Always(expr))) => !varies(expr),
            _ => false,
        });
        let decided = |values: &Self| matches!(values.evaluate_flag(op), Ok(Cases::Always(_)));
        let with_sizes = of_sizes && decided(self);
        self.ranges.ignore_sizes(true);
        let without = decided(self);
        self.ranges.ignore_sizes(false);
        with_sizes && !without
    }

    /// Returns the function whose values these are.
    pub(crate) fn function(&self) -> Op<'a> {
        self.function
    }
}

/// Returns the value of an argument that is a truth value: a parameter that is 0 or 1.
fn truth_value(param: ParamId) -> Option<Cases<bool>> {
    let is_set = Constraint::non_negative(Expr::param(param).plus_constant(-1).ok()?);
    Some(Cases::when(vec![is_set], Cases::Always(true), Cases::Always(false)))
}
