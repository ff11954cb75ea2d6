//! The operations of a function, in order, to loops, guards and accesses.

use melior::ir::operation::OperationLike;
use symloc_affine::{Access, AccessId, AccessKind, Array, ArrayId, Constraint, Expr, If, IterId, Loop, Node};

use crate::arrays::{Arrays, behind_casts};
use crate::diagnostics::{Diagnostic, Kind};
use crate::ffi::{self, Definition, Op, Region, Val, definition};
use crate::places::Places;
use crate::unsupported;
use crate::values::{Candidate, Refusal, Values};

/// A program whose parameters are candidates and whose names are those of the source.
pub(crate) struct Draft {
    pub(crate) function: String,
    pub(crate) candidates: Vec<Candidate>,
    /// Their names are SSA names, or empty.
    pub(crate) arrays: Vec<Array>,
    /// The SSA names of the iterators.
    pub(crate) iters: Vec<Option<String>>,
    pub(crate) accesses: Vec<Access>,
    pub(crate) body: Vec<Node>,
}

/// Reads the body of a function.
pub(crate) fn walk(function: Op, places: &Places) -> Result<Draft, Vec<Diagnostic>> {
    let mut walker = Walker {
        places,
        values: Values::new(function, places),
        arrays: Arrays::default(),
        iters: Vec::new(),
        accesses: Vec::new(),
        errors: Vec::new(),
        loop_depth: 0,
    };
    let body = ffi::regions(function).into_iter().flat_map(|region| walker.region(region)).collect();
    if !walker.errors.is_empty() {
        return Err(walker.errors);
    }
    Ok(Draft {
        function: ffi::text_attribute(function, "sym_name").unwrap_or_default(),
        candidates: walker.values.into_candidates(),
        arrays: walker.arrays.into_list(),
        iters: walker.iters,
        accesses: walker.accesses,
        body,
    })
}

/// After an error the walk goes on, to find the others; what it builds is then thrown away.
struct Walker<'a, 's> {
    places: &'s Places<'s>,
    values: Values<'a, 's>,
    arrays: Arrays,
    iters: Vec<Option<String>>,
    accesses: Vec<Access>,
    errors: Vec<Diagnostic>,
    loop_depth: usize,
}

impl<'a> Walker<'a, '_> {
    fn region(&mut self, region: Region<'a>) -> Vec<Node> {
        ffi::operations(region).filter_map(|op| self.operation(op)).collect()
    }

    /// What an operation adds to the tree.
    fn operation(&mut self, op: Op<'a>) -> Option<Node> {
        match ffi::name(op).as_str() {
            "affine.for" => Some(Node::Loop(self.affine_for(op))),
            "affine.if" => Some(Node::If(self.affine_if(op))),
            "affine.load" | "memref.load" => self.access(op, AccessKind::Read).map(Node::Access),
            "affine.store" | "memref.store" => self.access(op, AccessKind::Write).map(Node::Access),
            "memref.alloc" | "memref.alloca" => {
                self.allocation(op);
                None
            }
            "affine.yield" | "func.return" => None,
            _ if unsupported::touches_no_memory(op) => {
                self.values.define(op);
                None
            }
            name => {
                self.refuse(op, name);
                None
            }
        }
    }

    fn error(&self, op: Op<'a>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Kind::Unsupported, self.places.of(op), message)
    }

    fn refuse(&mut self, op: Op<'a>, name: &str) {
        let (why, hint) = unsupported::reason(name);
        self.errors.push(self.error(op, format!("`{name}` is not supported")).note(why).hint(hint));
        self.values.refuse(op);
    }

    /// The value, or none after reporting what is wrong with it.
    fn report<T>(&mut self, op: Op<'a>, what: &str, result: Result<T, Refusal>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(Refusal::Reported) => None,
            Err(Refusal::Because(reason)) => {
                let mut error = self.error(op, what).note_at(reason.at, reason.why);
                error.hint = reason.hint;
                self.errors.push(error);
                None
            }
        }
    }

    /// The generic form allows things that MLIR's verifier does not look at.
    fn malformed(&mut self, op: Op<'a>, what: &str) {
        self.errors.push(self.error(op, format!("`{}` {what}", ffi::name(op))));
    }

    /// One array would have to be a new one in every iteration.
    fn allocation(&mut self, op: Op<'a>) {
        if self.loop_depth == 0 {
            return;
        }
        let error = self
            .error(op, format!("`{}` inside a loop is not supported", ffi::name(op)))
            .note("every iteration allocates memory, and whether it is the same as before is not known")
            .hint("allocate the array before the loops");
        self.errors.push(error);
        self.values.refuse(op);
    }

    fn access(&mut self, op: Op<'a>, kind: AccessKind) -> Option<AccessId> {
        let operands: Vec<Val<'a>> = op.operands().collect();
        // A store has the value first.
        let memref_at = usize::from(kind == AccessKind::Write);
        let Some((&memref, indices)) = operands.get(memref_at..).and_then(<[_]>::split_first) else {
            self.malformed(op, "has no array");
            return None;
        };
        let array = self.arrays.of(memref, &self.values, self.places);
        let array = self.report(op, &format!("the array of this `{}` is not known", ffi::name(op)), array);
        if let (None, Definition::Result { op: maker }) = (array, definition(behind_casts(memref))) {
            self.values.refuse(maker); // One error for all accesses through it.
        }
        let subscripts = self.subscripts(op, indices);
        let (array, subscripts) = (array?, subscripts?);
        Some(self.add_access(op, array, kind, subscripts))
    }

    fn add_access(&mut self, op: Op<'a>, array: ArrayId, kind: AccessKind, subscripts: Vec<Expr>) -> AccessId {
        let id = AccessId(self.accesses.len() as u32);
        self.accesses.push(Access { array, kind, subscripts, location: self.places.or_start(op.location()) });
        id
    }

    /// Subscripts are the results of an affine map or, for `memref.load` and `memref.store`, the operands themselves.
    fn subscripts(&mut self, op: Op<'a>, indices: &[Val<'a>]) -> Option<Vec<Expr>> {
        let name = ffi::name(op);
        let map = op.attribute("map").ok().and_then(ffi::affine_map).filter(|_| name.starts_with("affine."));
        let results: Vec<Result<Expr, Refusal>> = match map {
            Some(map) => {
                let results = (0..map.result_count()).filter_map(|i| map.result(i).ok());
                results.map(|result| self.values.map_expr(op, result, map.dim_count(), indices)).collect()
            }
            None => indices.iter().map(|&index| self.values.expr(index)).collect(),
        };
        let mut subscripts = Vec::new();
        let count = results.len();
        for (position, result) in results.into_iter().enumerate() {
            let what = format!("subscript {} of this `{name}` is not affine", position + 1);
            subscripts.extend(self.report(op, &what, result));
        }
        (subscripts.len() == count).then_some(subscripts)
    }

    fn affine_for(&mut self, op: Op<'a>) -> Loop {
        let (lower, upper) = self.bound_operands(op);
        let lower = self.bounds(op, "lower", &lower);
        let upper = self.bounds(op, "upper", &upper);
        let step = ffi::integer(op, "step").filter(|&step| step > 0).unwrap_or_else(|| {
            self.malformed(op, "has no positive step");
            1
        });
        let iter = self.new_iterator(op);
        self.loop_depth += 1;
        let body = op.first_region().map(|region| self.region(region)).unwrap_or_default();
        self.loop_depth -= 1;
        Loop { iter, lower, upper, step, body }
    }

    /// The first argument of the body is the iterator; others are registers.
    fn new_iterator(&mut self, op: Op<'a>) -> IterId {
        let iter = IterId(self.iters.len() as u32);
        let induction = ffi::arguments(op).first().copied();
        self.iters.push(induction.and_then(|value| self.places.ssa_name(value)).map(str::to_owned));
        if let Some(value) = induction {
            self.values.set_iterator(value, iter);
        }
        iter
    }

    /// The operands of the lower bound and of the upper bound; those of `iter_args` follow.
    fn bound_operands(&mut self, op: Op<'a>) -> (Vec<Val<'a>>, Vec<Val<'a>>) {
        let mut operands = op.operands();
        match ffi::segments(op).as_slice() {
            &[lower, upper, ..] => (operands.by_ref().take(lower).collect(), operands.take(upper).collect()),
            _ => {
                self.malformed(op, "has no operand segments");
                (Vec::new(), Vec::new())
            }
        }
    }

    /// The results of `lowerBoundMap` or `upperBoundMap`; empty after an error.
    fn bounds(&mut self, op: Op<'a>, side: &str, operands: &[Val<'a>]) -> Vec<Expr> {
        let Some(map) = op.attribute(&format!("{side}BoundMap")).ok().and_then(ffi::affine_map) else {
            self.malformed(op, "has no bound map");
            return Vec::new();
        };
        let bounds = self.values.map(op, map, operands);
        self.report(op, &format!("the {side} bound of this loop is not affine"), bounds).unwrap_or_default()
    }

    fn affine_if(&mut self, op: Op<'a>) -> If {
        let condition = self.condition(op);
        let mut branches = ffi::regions(op).into_iter();
        let then = branches.next().map(|region| self.region(region)).unwrap_or_default();
        let otherwise = branches.next().map(|region| self.region(region)).unwrap_or_default();
        If { condition, then, otherwise }
    }

    fn condition(&mut self, op: Op<'a>) -> Vec<Constraint> {
        let Some(set) = op.attribute("condition").ok().and_then(ffi::integer_set) else {
            self.malformed(op, "has no integer set");
            return Vec::new();
        };
        let operands: Vec<Val<'a>> = op.operands().collect();
        let constraint = |(expr, is_equality)| {
            let expr = self.values.map_expr(op, expr, set.dims, &operands)?;
            Ok(if is_equality { Constraint::zero(expr) } else { Constraint::non_negative(expr) })
        };
        let condition = set.constraints.into_iter().map(constraint).collect();
        self.report(op, "this condition is not affine", condition).unwrap_or_default()
    }
}
