//! `A[i*N + j]` with a size N: an array of rank 1 is divided into the rows that its accesses go over (`delinearize` in
//! `frontend`), once all of them are known.

use std::collections::{BTreeMap, BTreeSet};

use melior::ir::AffineExpr;
use melior::ir::operation::OperationLike;
use symloc_affine::{Access, AccessId, AccessKind, Array, ArrayId, Constraint, Expr, Extent, Node, Strides};
use symloc_frontend::arithmetic::{Trouble, sum_of_sizes};
use symloc_frontend::cases::{Cases, join};
use symloc_frontend::conditions;
use symloc_frontend::delinearize::{Offset, ROWS_HOLD, Reference, Rows, Sizes, delinearize};
use symloc_frontend::poly::Poly;

use crate::ffi::{self, Definition, Op, Val, definition};
use crate::memory::Memory;
use crate::refusal::Cause;
use crate::values::Values;
use crate::walker::{LinearAccess, Walker};

impl<'a> Values<'a, '_> {
    /// The value as a polynomial in sizes with coefficients that are affine in iterators. `factors` are sums of sizes that something
    /// is multiplied by.
    fn offset(&self, value: Val<'a>, factors: &mut BTreeSet<Expr>) -> Result<Cases<Poly>, Cause<'a>> {
        if let Ok(index) = self.known_index(value) {
            return index.try_map(&mut |index: &Expr| Ok(self.products.expanded(index)?));
        }
        let Definition::Result { op } = definition(self.passed(value)) else { return Err(Cause::Operand(value)) };
        let operand = |index| op.operand(index).map_err(|error| Cause::here(error.to_string()));
        let mut both =
            || Ok::<_, Cause>(join(&[self.offset(operand(0)?, factors)?, self.offset(operand(1)?, factors)?])?);
        match ffi::name(op).as_str() {
            "arith.addi" | "index.add" => both()?.try_map(&mut |v: &Vec<Poly>| Ok(v[0].plus(&v[1])?)),
            "arith.subi" | "index.sub" => both()?.try_map(&mut |v: &Vec<Poly>| Ok(v[0].minus(&v[1])?)),
            "arith.muli" | "index.mul" => both()?.try_map(&mut |v: &Vec<Poly>| product(&v[0], &v[1], factors)),
            "arith.index_cast" | "arith.extsi" | "arith.trunci" | "index.casts" => self.offset(operand(0)?, factors),
            "affine.apply" => {
                let map = op.attribute("map").ok().and_then(ffi::affine_map);
                let result = map.and_then(|map| Some((map.result(0).ok()?, map.dim_count())));
                let (result, dims) = result.ok_or_else(|| Cause::here("it has no affine map"))?;
                self.offset_over(result, dims, &op.operands().collect::<Vec<_>>(), factors)
            }
            _ => Err(Cause::Operand(value)),
        }
    }

    fn offset_over(
        &self,
        expr: AffineExpr<'a>,
        dims: usize,
        operands: &[Val<'a>],
        factors: &mut BTreeSet<Expr>,
    ) -> Result<Cases<Poly>, Cause<'a>> {
        let inputs = operands.iter().map(|operand| self.offset(*operand, factors)).collect::<Result<Vec<_>, _>>()?;
        join(&inputs)?.try_map(&mut |inputs: &Vec<Poly>| polynomial(expr, dims, inputs, factors))
    }
}

/// The product; sums of sizes in it are factors.
fn product<'a>(left: &Poly, right: &Poly, factors: &mut BTreeSet<Expr>) -> Result<Poly, Cause<'a>> {
    factors.extend([left, right].into_iter().filter_map(|factor| sum_of_sizes(&factor.affine()?)));
    Ok(left.product(right)?)
}

/// The value of an expression whose inputs are polynomials.
fn polynomial<'a>(
    expr: AffineExpr,
    dims: usize,
    inputs: &[Poly],
    factors: &mut BTreeSet<Expr>,
) -> Result<Poly, Cause<'a>> {
    let input = |index: usize| inputs.get(index).cloned().ok_or_else(|| Cause::here("the map has more inputs"));
    if expr.is_dim() {
        return input(expr.dim_position());
    }
    if expr.is_symbol() {
        return input(dims + expr.symbol_position());
    }
    if expr.is_constant() {
        return Ok(Poly::constant(expr.constant_value()));
    }
    let left = polynomial(expr.lhs(), dims, inputs, factors)?;
    let right = polynomial(expr.rhs(), dims, inputs, factors)?;
    if expr.is_add() {
        return Ok(left.plus(&right)?);
    }
    if expr.is_mul() {
        return product(&left, &right, factors);
    }
    let (left, divisor) = left.affine().zip(right.as_constant().filter(|d| *d > 0)).ok_or_else(Cause::divisor)?;
    Ok(Poly::from(match () {
        () if expr.is_mod() => left.modulo(divisor)?,
        () if expr.is_floor_div() => left.floor_div(divisor)?,
        () => left.ceil_div(divisor)?,
    }))
}

impl<'a> Walker<'a, '_> {
    /// The accesses to an array of rank 1 whose subscript is a polynomial; nothing if it is affine, or neither.
    pub(crate) fn linear_access(
        &mut self,
        op: Op<'a>,
        kind: AccessKind,
        memory: &Memory<'a>,
        indices: &[Val<'a>],
    ) -> Option<Vec<Node>> {
        if !memory.steps.is_empty() || memory.extents.len() != 1 {
            return None;
        }
        let map = op.attribute("map").ok().and_then(ffi::affine_map).filter(|_| ffi::name(op).starts_with("affine."));
        let offset = match map {
            Some(map) => {
                let result = map.result(0).ok()?;
                self.values.offset_over(result, map.dim_count(), indices, &mut self.factors)
            }
            None => self.values.offset(*indices.first()?, &mut self.factors),
        };
        let mut is_affine = true;
        let offset = offset.ok()?;
        // Only looks at the leaves.
        let _ = offset.try_map(&mut |offset: &Poly| {
            is_affine &= offset.affine().is_some();
            Ok::<_, ()>(())
        });
        if is_affine {
            return None;
        }
        let array = self.arrays.of(memory, self.values.function(), self.places).ok()?;
        if self.arrays.order(array).differs() {
            return None;
        }
        let location = self.places.or_start(op.location());
        Some(offset.into_nodes(&mut |offset| {
            let access = AccessId(self.accesses.len() as u32);
            self.accesses.push(Access { array, kind, subscripts: vec![Expr::default()], location: location.clone() });
            let facts = self.values.ranges.facts().to_vec();
            self.linear.push(LinearAccess { op, access, offset, facts });
            vec![Node::Access(access)]
        }))
    }

    /// Gives the arrays with such accesses their rows, once all accesses are known.
    pub(crate) fn shape_linear(&mut self) {
        let arrays: BTreeSet<ArrayId> = self.linear.iter().map(|l| self.accesses[l.access.index()].array).collect();
        for array in arrays {
            self.shape_array(array);
        }
    }

    fn shape_array(&mut self, array: ArrayId) {
        let is_own = |linear: &LinearAccess| self.accesses[linear.access.index()].array == array;
        let (own, others) = std::mem::take(&mut self.linear).into_iter().partition::<Vec<_>, _>(is_own);
        self.linear = others;
        let own: BTreeMap<AccessId, LinearAccess<'a>> = own.into_iter().map(|linear| (linear.access, linear)).collect();
        let Some(first) = own.values().next().map(|linear| linear.op) else { return };
        let accesses: Vec<AccessId> = (0..self.accesses.len() as u32).map(AccessId).collect();
        let accesses: Vec<AccessId> =
            accesses.into_iter().filter(|id| self.accesses[id.index()].array == array).collect();
        let references: Result<Vec<Reference>, Cause> =
            accesses.iter().map(|id| self.reference(array, *id, own.get(id))).collect();
        let sizes = Sizes { count: self.values.candidates().len(), factors: &self.factors };
        let rows = references.and_then(|references| Ok(delinearize(&references, &sizes, &mut self.values.ranges)?));
        let rows = rows.map_err(|cause| self.values.explain(cause, Some(first)));
        let Some(rows) = self.report(first, "the rows of this array are not known", rows) else { return };
        let op = |id: &AccessId| own.get(id).map_or(first, |linear| linear.op);
        for condition in &rows.conditions {
            self.rely_on(op(&accesses[condition.reference]), &condition.expr);
        }
        for (id, subscripts) in accesses.iter().zip(&rows.subscripts) {
            match subscripts {
                Ok(subscripts) => self.accesses[id.index()].subscripts.clone_from(subscripts),
                Err(refusal) => {
                    let refusal = self.values.explain(Cause::from(refusal.clone()), Some(op(id)));
                    let what = "which element of the array this access touches is not affine";
                    self.report::<()>(op(id), what, Err(refusal));
                }
            }
        }
        self.divide(array, rows);
    }

    /// An access as it goes over the array.
    fn reference(
        &self,
        array: ArrayId,
        id: AccessId,
        linear: Option<&LinearAccess<'a>>,
    ) -> Result<Reference, Cause<'a>> {
        let bytes = i64::try_from(self.arrays.get(array).element_bytes).map_err(|_| Trouble::Size)?;
        let (poly, facts) = match linear {
            Some(linear) => (linear.offset.clone(), linear.facts.clone()),
            None => {
                let subscript = self.accesses[id.index()].subscripts.first().cloned().unwrap_or_default();
                (self.values.products.expanded(&subscript)?, Vec::new())
            }
        };
        let offset = Offset::default().advanced(&poly, bytes)?;
        Ok(Reference { offset, bytes, facts: [facts, self.context.clone()].concat() })
    }

    /// An array of rank 1 is one of these rows.
    fn divide(&mut self, array: ArrayId, rows: Rows) {
        let strides = rows.strides.iter().map(|stride| Some((*stride)? / rows.element));
        let strides = strides.collect::<Option<_>>().map(|strides| Strides { offset: 0, strides });
        let array: &mut Array = self.arrays.get_mut(array);
        array.shape = [Extent::Dynamic].into_iter().chain(rows.lengths).collect();
        array.strides = strides;
    }

    /// A condition on the sizes that the model relies on from now on.
    fn rely_on(&mut self, op: Op<'a>, expr: &Expr) {
        let holds = Constraint::non_negative(expr.clone());
        let shown = conditions::shown(expr, self.values.candidates());
        self.note(op, format!("the model is for {shown}: {ROWS_HOLD}"));
        self.values.ranges.add_fact(holds.clone());
        self.context.push(holds);
    }
}
