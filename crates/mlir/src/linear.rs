//! `A[i*N + j]` with a size N: an array of rank 1 whose rows are told by all of its accesses together.
//!
//! An offset is a polynomial in the sizes. The products of sizes that iterators are multiplied by are the strides of the
//! array; each must be the next one times a size, which is the length of a row. What is left of an offset must stay
//! within the row: 0 ≤ j < N on the domain. Where that depends on sizes alone, it is a condition of the model.

use std::collections::{BTreeMap, BTreeSet};

use melior::ir::AffineExpr;
use melior::ir::operation::OperationLike;
use symloc_affine::{Access, AccessId, AccessKind, Array, ArrayId, Atom, Constraint, Expr, Extent, Node};
use symloc_frontend::cases::{Cases, join};
use symloc_frontend::poly::{Monomial, Poly};

use crate::ffi::{self, Definition, Op, Val, definition};
use crate::memory::Memory;
use crate::refusal::Cause;
use crate::values::Values;
use crate::walker::{LinearAccess, Walker};

impl<'a> Values<'a, '_> {
    /// The value as a polynomial in sizes with coefficients that are affine in iterators.
    pub(crate) fn offset(&self, value: Val<'a>) -> Result<Cases<Poly>, Cause<'a>> {
        if let Ok(index) = self.known_index(value) {
            return index.try_map(&mut |index: &Expr| Ok(self.products.expanded(index)?));
        }
        let Definition::Result { op } = definition(self.passed(value)) else { return Err(Cause::Operand(value)) };
        let operand = |index| op.operand(index).map_err(|error| Cause::here(error.to_string()));
        let both = || Ok::<_, Cause>(join(&[self.offset(operand(0)?)?, self.offset(operand(1)?)?])?);
        match ffi::name(op).as_str() {
            "arith.addi" | "index.add" => both()?.try_map(&mut |v: &Vec<Poly>| Ok(v[0].plus(&v[1])?)),
            "arith.subi" | "index.sub" => both()?.try_map(&mut |v: &Vec<Poly>| Ok(v[0].minus(&v[1])?)),
            "arith.muli" | "index.mul" => both()?.try_map(&mut |v: &Vec<Poly>| Ok(v[0].product(&v[1])?)),
            "affine.linearize_index" => self.linearized_offset(op),
            "arith.index_cast" | "arith.extsi" | "arith.trunci" | "index.casts" => self.offset(operand(0)?),
            "affine.apply" => {
                let map = op.attribute("map").ok().and_then(ffi::affine_map);
                let result = map.and_then(|map| Some((map.result(0).ok()?, map.dim_count())));
                let (result, dims) = result.ok_or_else(|| Cause::here("it has no affine map"))?;
                self.offset_over(result, dims, &op.operands().collect::<Vec<_>>())
            }
            _ => Err(Cause::Operand(value)),
        }
    }

    fn offset_over(&self, expr: AffineExpr<'a>, dims: usize, operands: &[Val<'a>]) -> Result<Cases<Poly>, Cause<'a>> {
        let inputs = operands.iter().map(|operand| self.offset(*operand)).collect::<Result<Vec<_>, _>>()?;
        join(&inputs)?.try_map(&mut |inputs: &Vec<Poly>| polynomial(expr, dims, inputs))
    }
}

/// The value of an expression whose inputs are polynomials.
fn polynomial<'a>(expr: AffineExpr, dims: usize, inputs: &[Poly]) -> Result<Poly, Cause<'a>> {
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
    let (left, right) = (polynomial(expr.lhs(), dims, inputs)?, polynomial(expr.rhs(), dims, inputs)?);
    if expr.is_add() {
        return Ok(left.plus(&right)?);
    }
    if expr.is_mul() {
        return Ok(left.product(&right)?);
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
            Some(map) => self.values.offset_over(map.result(0).ok()?, map.dim_count(), indices),
            None => self.values.offset(*indices.first()?),
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
        let Some(strides) = strides(own.values().map(|linear| &linear.offset)) else {
            let why = "it is walked in rows of lengths of which none is a multiple of the other by one size";
            let hint = "use an array of two dimensions, or one row length for the array";
            let error = self.error(first, "the rows of this array are not known");
            return self.push_error(error.note(why).hint(hint));
        };
        if !own.values().any(|own| own.offset.terms().any(|(m, c)| m.is_empty() && c.as_constant().is_none())) {
            let why = "its elements are a size apart, so how many of them share a line depends on that size";
            let error = self.error(first, "the rows of this array are not known");
            return self.push_error(error.note(why).hint("use an array of two dimensions, or a constant distance"));
        }
        for index in 0..self.accesses.len() {
            let id = AccessId(index as u32);
            if self.accesses[index].array != array {
                continue;
            }
            let (op, offset, facts) = match own.get(&id) {
                Some(own) => (own.op, Ok(own.offset.clone()), own.facts.clone()),
                None => {
                    let subscript = self.accesses[index].subscripts.first().cloned().unwrap_or_default();
                    (first, self.values.products.expanded(&subscript), Vec::new())
                }
            };
            let offset = offset.map_err(Cause::from);
            let before = self.values.ranges.replace_facts([facts, self.context.clone()].concat());
            let subscripts = offset.and_then(|offset| self.in_rows(op, &offset, &strides));
            self.values.ranges.replace_facts(before);
            match subscripts {
                Ok(subscripts) => self.accesses[index].subscripts = subscripts,
                Err(cause) => {
                    let refusal = self.values.explain(cause, Some(op));
                    let what = "which element of the array this access touches is not affine";
                    self.report::<()>(op, what, Err(refusal));
                }
            }
        }
        let array: &mut Array = self.arrays.get_mut(array);
        array.shape = vec![Extent::Dynamic; strides.len() + 1];
        array.strides = None;
    }

    /// The subscripts of an offset in rows.
    fn in_rows(&mut self, op: Op<'a>, offset: &Poly, strides: &[Monomial]) -> Result<Vec<Expr>, Cause<'a>> {
        let mut subscripts = vec![Expr::default(); strides.len() + 1];
        let all = strides.iter().cloned().chain([Monomial::new()]).collect::<Vec<_>>();
        for (monomial, coefficient) in offset.terms() {
            let place = all.iter().enumerate().find_map(|(d, stride)| Some((d, quotient(monomial, stride)?)));
            let (dimension, rest) = place.ok_or_else(Cause::product)?;
            let term = match (rest.as_slice(), coefficient.as_constant()) {
                ([], _) => coefficient.clone(),
                ([size], Some(factor)) => Expr::param(*size).times(factor)?,
                _ => return Err(Cause::product()),
            };
            subscripts[dimension] = subscripts[dimension].plus(&term)?;
        }
        for dimension in (1..subscripts.len()).rev() {
            let length = quotient(&all[dimension - 1], &all[dimension]).and_then(|q| q.first().copied());
            let length = Expr::param(length.ok_or_else(Cause::product)?);
            let (rows, rest) = self.within(op, &subscripts[dimension], &length)?;
            subscripts[dimension - 1] = subscripts[dimension - 1].plus_constant(rows)?;
            subscripts[dimension] = rest;
        }
        Ok(subscripts)
    }

    /// Whole rows in a subscript, and what is left within the row.
    fn within(&mut self, op: Op<'a>, subscript: &Expr, length: &Expr) -> Result<(i64, Expr), Cause<'a>> {
        for rows in [0, -1, 1] {
            let rest = subscript.add_scaled(length, -rows)?;
            let room = length.minus(&rest)?.plus_constant(-1)?;
            if self.values.ranges.non_negative(&rest) && self.values.ranges.non_negative(&room) {
                return Ok((rows, rest));
            }
        }
        if self.values.ranges.non_negative(subscript) {
            let room = length.minus(subscript)?.plus_constant(-1)?;
            let by_facts = self.values.ranges.facts().iter().filter_map(|fact| room.minus(&fact.expr).ok());
            let by_bounds = self.values.ranges.largest(subscript);
            let by_bounds = by_bounds.iter().filter_map(|largest| length.minus(largest).ok()?.plus_constant(-1).ok());
            let rooms: Vec<Expr> = by_facts.chain(by_bounds).collect();
            if rooms.iter().any(|room| self.values.ranges.non_negative(room))
                || rooms.into_iter().any(|room| self.require(op, room))
            {
                return Ok((0, subscript.clone()));
            }
        }
        let why =
            "its subscript is a sum with a multiple of a size, and that the rest stays below that size is not known";
        Err(Cause::hinted(why, "use an array of two dimensions, or bounds from which it follows"))
    }

    /// A condition on the sizes that the model relies on from now on.
    fn require(&mut self, op: Op<'a>, room: Expr) -> bool {
        let is_size = !room.mentions(&|atom| matches!(atom, Atom::Iter(_)));
        let holds = Constraint::non_negative(room);
        if is_size && self.values.ranges.decide(&holds).is_none() {
            self.note(
                op,
                "the model is for sizes where a row is as long as what is touched of it; its context says so",
            );
            self.values.ranges.add_fact(holds.clone());
            self.context.push(holds);
            return true;
        }
        false
    }
}

/// The products of sizes that iterators are multiplied by, the largest first; nothing if they do not divide each other.
fn strides<'p>(offsets: impl Iterator<Item = &'p Poly>) -> Option<Vec<Monomial>> {
    let moves = |coefficient: &Expr| coefficient.mentions(&|atom| matches!(atom, Atom::Iter(_)));
    let mut found = BTreeSet::new();
    for offset in offsets {
        found.extend(offset.terms().filter(|(m, c)| !m.is_empty() && moves(c)).map(|(m, _)| m.clone()));
    }
    let mut strides: Vec<Monomial> = found.into_iter().collect();
    strides.sort_by_key(|stride| std::cmp::Reverse(stride.len()));
    let all = strides.iter().cloned().chain([Monomial::new()]).collect::<Vec<_>>();
    let one_size = |pair: &[Monomial]| quotient(&pair[0], &pair[1]).is_some_and(|q| q.len() == 1);
    all.windows(2).all(one_size).then_some(strides)
}

/// `product / by`, if `by` divides it.
fn quotient(product: &Monomial, by: &Monomial) -> Option<Monomial> {
    let mut rest = product.clone();
    for size in by {
        rest.remove(rest.iter().position(|s| s == size)?);
    }
    Some(rest)
}
