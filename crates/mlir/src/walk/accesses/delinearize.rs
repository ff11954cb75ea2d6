//! Delinearisation of arrays of rank 1: `A[i*N + j]` with a size N. An array is divided into rows by all accesses to it
//! (`symloc_frontend::delinearize`), once they are known.

use std::collections::{BTreeMap, BTreeSet};

use melior::ir::operation::OperationLike;
use symloc_affine::{
    Access, AccessId, AccessKind, Array, ArrayId, AssumptionKind, Constraint, Expr, Extent, Node, Strides,
};
use symloc_frontend::arithmetic::Trouble;
use symloc_frontend::cases::{Cases, join};
use symloc_frontend::conditions;
use symloc_frontend::delinearize::{Condition, Offset, Reference, Rows, Sizes, delinearize};
use symloc_frontend::poly::Poly;

use crate::expressions::refusal::Cause;
use crate::ffi::{self, Op, Val};
use crate::memory::Memory;
use crate::walk::walker::{LinearAccess, Walker};

impl<'a> Walker<'a, '_> {
    /// Returns the accesses to an array of rank 1 whose subscripts are polynomials, but not affine; `None` for others.
    pub(crate) fn linear_access(
        &mut self,
        op: Op<'a>,
        kind: AccessKind,
        memory: &Memory<'a>,
        indices: &[Val<'a>],
    ) -> Option<Vec<Node>> {
        let map = op.attribute("map").ok().and_then(ffi::affine_map).filter(|_| ffi::name(op).starts_with("affine."));
        let subscripts = match map {
            Some(map) => self.values.offsets_over(map, indices),
            None => indices.iter().map(|index| self.values.offset(*index)).collect(),
        };
        let subscripts = join(&subscripts.ok()?).ok()?;
        let is_affine = subscripts.all(&|subscripts: &Vec<Poly>| subscripts.iter().all(|s| s.affine().is_some()));
        if is_affine { None } else { self.flat_access(op, kind, memory, &subscripts) }
    }

    /// Returns the accesses to an array of rank 1 through its views; `None` if it has another rank, or the views cannot
    /// be followed.
    pub(crate) fn flat_access(
        &mut self,
        op: Op<'a>,
        kind: AccessKind,
        memory: &Memory<'a>,
        subscripts: &Cases<Vec<Poly>>,
    ) -> Option<Vec<Node>> {
        if memory.whole.len() != 1 {
            return None;
        }
        let offsets = memory.resolve_flat(subscripts, &self.values.products, &self.values.ranges).ok()?;
        let array = self.arrays.of(memory, self.values.function(), self.places).ok()?;
        if self.arrays.order(array).differs() || !offsets.all(&|offsets: &Vec<Poly>| offsets.len() == 1) {
            return None;
        }
        let location = self.places.or_start(op.location());
        Some(offsets.into_nodes(&mut |offsets| {
            let subscripts = vec![Expr::default()];
            let access = Access { array, kind, subscripts, elements: 1, cases: Vec::new(), location: location.clone() };
            let access = self.push_access(op, access);
            let facts = self.values.ranges.facts().to_vec();
            let offset = offsets.into_iter().next().unwrap_or_default();
            self.linear.push(LinearAccess { op, access, offset, facts });
            vec![Node::Access(access)]
        }))
    }

    /// Divides the arrays with such accesses into rows, once all accesses are known.
    pub(crate) fn shape_linear(&mut self) {
        let arrays: BTreeSet<ArrayId> =
            self.linear.iter().map(|l| self.raising.accesses[l.access.index()].array).collect();
        for array in arrays {
            self.shape_array(array);
        }
    }

    fn shape_array(&mut self, array: ArrayId) {
        let is_own = |linear: &LinearAccess| self.raising.accesses[linear.access.index()].array == array;
        let (own, others) = std::mem::take(&mut self.linear).into_iter().partition::<Vec<_>, _>(is_own);
        self.linear = others;
        let own: BTreeMap<AccessId, LinearAccess<'a>> = own.into_iter().map(|linear| (linear.access, linear)).collect();
        let Some(first) = own.values().next().map(|linear| linear.op) else { return };
        let accesses: Vec<AccessId> = (0..self.raising.accesses.len() as u32).map(AccessId).collect();
        let accesses: Vec<AccessId> =
            accesses.into_iter().filter(|id| self.raising.accesses[id.index()].array == array).collect();
        let references: Result<Vec<Reference>, Cause> =
            accesses.iter().map(|id| self.reference(array, *id, own.get(id))).collect();
        let sizes = Sizes { count: self.values.candidates().len(), factors: &self.values.factors };
        let rows = references.and_then(|references| Ok(delinearize(&references, &sizes, &mut self.values.ranges)?));
        let rows = rows.map_err(|cause| self.values.explain(cause, Some(first)));
        let Some(rows) = self.report(first, "the rows of this array are not known", rows) else { return };
        let op = |id: &AccessId| own.get(id).map_or(first, |linear| linear.op);
        for condition in &rows.conditions {
            self.rely_on(op(&accesses[condition.reference]), condition);
        }
        for (id, subscripts) in accesses.iter().zip(&rows.subscripts) {
            match subscripts {
                Ok(subscripts) => self.raising.accesses[id.index()].subscripts.clone_from(subscripts),
                Err(refusal) => {
                    let refusal = self.values.explain(Cause::from(refusal.clone()), Some(op(id)));
                    let what = "the position of this access in the array is not affine";
                    self.report::<()>(op(id), what, Err(refusal));
                }
            }
        }
        self.divide(array, rows);
    }

    /// Returns an access as a reference for delinearisation.
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
                let subscript = self.raising.accesses[id.index()].subscripts.first().cloned().unwrap_or_default();
                (self.values.products.expanded(&subscript)?, Vec::new())
            }
        };
        let offset = Offset::default().advanced(&poly, bytes)?;
        Ok(Reference { offset, bytes, is_aligned: true, facts: [facts, self.context.clone()].concat() })
    }

    /// Changes the shape of an array of rank 1 to these rows.
    fn divide(&mut self, array: ArrayId, rows: Rows) {
        let strides = rows.strides.iter().map(|stride| Some((*stride)? / rows.element));
        let strides: Option<Vec<i64>> = strides.collect();
        let array: &mut Array = self.arrays.get_mut(array);
        // The offset of the first element stays.
        let before = array.strides.as_ref().map(|before| before.offset);
        let strides = before.zip(strides).map(|(offset, strides)| Strides { offset, strides });
        array.shape = [Extent::Dynamic].into_iter().chain(rows.lengths).collect();
        array.strides = strides;
    }

    /// Adds a condition on the sizes to the model.
    fn rely_on(&mut self, op: Op<'a>, Condition { expr, why, .. }: &Condition) {
        let holds = Constraint::non_negative(expr.clone());
        let shown = conditions::shown(expr, self.values.candidates());
        self.assuming(op, AssumptionKind::RowLength, format!("the model is for {shown}: {why}"));
        self.values.ranges.add_fact(holds.clone());
        self.context.push(holds);
    }
}
