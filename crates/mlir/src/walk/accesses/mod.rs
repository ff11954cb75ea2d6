//! Loads and stores, of elements and of vectors.
//!
//! A vector's load or store (`vectors`) is a nest of loops over its elements in row-major order (`lanes`), so that counts
//! are those of the scalar code. A dimension of a transfer that broadcasts touches its element once; one that may go
//! beyond the array stops at its end. A mask is followed (`masks`) where it lets the first lanes through.
//!
//! `copies` are nests of accesses, `reshapes` read shapes, and `gather` reads rows that data choose. Once all accesses
//! are known, `delinearize` finds rows in arrays of rank 1 and `extents` the lengths of the others.

pub(crate) mod copies;
mod delinearize;
mod extents;
mod gather;
mod lanes;
mod masks;
mod reshapes;
mod vectors;

use melior::ir::operation::OperationLike;
use symloc_affine::{Access, AccessKind, ArrayId, Expr, Node};
use symloc_frontend::cases::{Cases, join};
use symloc_frontend::characteristics::Operation;

use crate::expressions::refusal::{Cause, Refusal};
use crate::ffi::{self, Definition, Op, Val, definition};
use crate::memory::{Extent, Memory};
use crate::walk::walker::Walker;

/// The memref of a load or store and the operands after it.
type Target<'a> = (Val<'a>, Vec<Val<'a>>);

impl<'a> Walker<'a, '_> {
    pub(crate) fn access(&mut self, op: Op<'a>, kind: AccessKind) -> Vec<Node> {
        // The first operand of a store is the value.
        self.element_access(op, kind, usize::from(kind == AccessKind::Write))
    }

    /// Returns a load, an update and a store of one element.
    pub(crate) fn update(&mut self, op: Op<'a>) -> Vec<Node> {
        let read = self.element_access(op, AccessKind::Read, 1);
        let update = self.updated(op);
        [read, update, self.element_access(op, AccessKind::Write, 1)].concat()
    }

    fn element_access(&mut self, op: Op<'a>, kind: AccessKind, memref_at: usize) -> Vec<Node> {
        let Some((memref, indices)) = self.target(op, memref_at) else { return Vec::new() };
        if self.records() {
            return self.moved(op, moving(kind), memref, 1);
        }
        if kind == AccessKind::Read
            && let Some(gathered) = self.gathered(op, memref, &indices)
        {
            let what = "the rows that data choose here are not known";
            let Some((memory, subscripts)) = self.report(op, what, gathered) else { return Vec::new() };
            return self.elements(op, kind, &memory, &subscripts, &[]);
        }
        let memory = self.memory_of(op, memref);
        let linear = memory.as_ref().and_then(|memory| self.linear_access(op, kind, memory, &indices));
        if let Some(nodes) = linear {
            return nodes;
        }
        let subscripts = self.subscripts(op, &indices);
        match (memory, subscripts) {
            (Some(memory), Some(subscripts)) => self.elements(op, kind, &memory, &subscripts, &[]),
            _ => Vec::new(),
        }
    }

    /// Returns an extent of a memref; a dynamic one of an argument becomes a parameter.
    pub(crate) fn extent(
        &mut self,
        op: Op<'a>,
        memory: &Memory<'a>,
        dimension: usize,
        need: &Need,
    ) -> Result<Cases<Expr>, Refusal> {
        match memory.extents.get(dimension) {
            Some(Extent::Is(extent)) => Ok(extent.clone()),
            Some(Extent::Operand(size)) => self.values.index(*size),
            Some(&Extent::Array(dimension)) => {
                let array = self.places.array_name(memory.declared);
                let name = array.as_ref().map(|array| format!("{array}_dim{dimension}"));
                let is_new = self.values.known_extent(&memory.root, dimension).is_none();
                let param = self.values.extent_param(&memory.root, dimension, name);
                let array = array.map_or_else(|| "the array".to_owned(), |array| format!("`{array}`"));
                if is_new {
                    self.note(op, format!("the extent {dimension} of {array} becomes a parameter: {}", need.why));
                }
                Ok(Cases::Always(Expr::param(param)))
            }
            Some(extent @ Extent::Product(..)) => {
                let extent = extent.clone();
                self.values.introduce(memory, &extent, None);
                self.values.extent_value(&memory.root, &extent).map_err(|cause| self.values.explain(cause, Some(op)))
            }
            Some(Extent::Unknown) | None => Err(self.values.explain(Cause::hinted(need.unknown, need.hint), Some(op))),
        }
    }

    /// Returns the operand `memref_at` and those after it.
    fn target(&mut self, op: Op<'a>, memref_at: usize) -> Option<Target<'a>> {
        let operands: Vec<Val<'a>> = op.operands().collect();
        match operands.get(memref_at..).and_then(<[_]>::split_first) {
            Some((&memref, indices)) => Some((memref, indices.to_vec())),
            None => {
                self.malformed(op, "has no array");
                None
            }
        }
    }

    /// Returns the memory of a memref; reports one error for all accesses through it.
    pub(crate) fn memory_of(&mut self, op: Op<'a>, memref: Val<'a>) -> Option<Memory<'a>> {
        let memory = self.values.memory(memref);
        let memory = memory.and_then(|memory| {
            self.arrays.of(&memory, self.values.function(), self.places)?;
            Ok(memory)
        });
        let memory = self.report(op, &format!("the array of this `{}` is not known", ffi::name(op)), memory);
        if let (None, Definition::Result { op: maker }) = (&memory, definition(self.values.passed(memref))) {
            self.values.refuse(maker);
            self.values.set(memref, None);
        }
        memory
    }

    /// Returns the subscripts: the results of an affine map or, for `memref.load` and the like, the operands
    /// themselves.
    fn subscripts(&mut self, op: Op<'a>, indices: &[Val<'a>]) -> Option<Cases<Vec<Expr>>> {
        let name = ffi::name(op);
        let map = op.attribute("map").ok().and_then(ffi::affine_map).filter(|_| name.starts_with("affine."));
        let results: Vec<_> = match map {
            Some(map) => self.values.map(op, map, indices),
            None => indices.iter().map(|&index| self.values.index(index)).collect(),
        };
        let mut subscripts = Vec::new();
        let count = results.len();
        for (position, result) in results.into_iter().enumerate() {
            let what = format!("subscript {} of this `{name}` is not affine", position + 1);
            let index = indices.get(position).copied().filter(|_| name == "memref.load");
            let result = self.to_declare(result, index);
            subscripts.extend(self.report(op, &what, result));
        }
        if subscripts.len() < count {
            return None;
        }
        let joined = join(&subscripts).map_err(|error| self.values.explain(Cause::from(error), Some(op)));
        self.report(op, "the subscripts are not affine", joined)
    }

    fn one_access(
        &mut self,
        op: Op<'a>,
        kind: AccessKind,
        memory: &Memory<'a>,
        array: ArrayId,
        element: Vec<Expr>,
    ) -> Vec<Node> {
        let resolved = memory.resolve(&Cases::Always(element.clone()), &self.values.ranges);
        if resolved.is_err() {
            let polynomials = element.iter().map(|subscript| self.values.products.expanded(subscript));
            let polynomials = polynomials.collect::<Result<Vec<_>, _>>().ok().map(Cases::Always);
            let flat = polynomials.and_then(|element| self.flat_access(op, kind, memory, &element));
            if let Some(nodes) = flat {
                return nodes;
            }
        }
        let resolved = resolved.map_err(|cause| self.values.explain(cause, Some(op)));
        let what = "the position of this access in the array is not affine";
        let Some(resolved) = self.report(op, what, resolved) else { return Vec::new() };
        let location = self.places.or_start(op.location());
        let order = self.arrays.order(array).clone();
        let ordered = resolved.try_map(&mut |subscripts: &Vec<Expr>| Ok::<_, Cause>(order.apply(subscripts.clone())?));
        let ordered = ordered.map_err(|cause| self.values.explain(cause, Some(op)));
        let Some(ordered) = self.report(op, what, ordered) else { return Vec::new() };
        ordered.into_nodes(&mut |subscripts| {
            let access = Access { array, kind, subscripts, elements: 1, cases: Vec::new(), location: location.clone() };
            vec![Node::Access(self.push_access(op, access))]
        })
    }
}

/// The messages about the extent of a memref that is needed.
pub(crate) struct Need {
    /// The reason why an extent of an argument becomes a parameter.
    pub(crate) why: &'static str,
    /// The reason why an unknown extent is an error.
    pub(crate) unknown: &'static str,
    pub(crate) hint: &'static str,
}

fn moving(kind: AccessKind) -> Operation {
    match kind {
        AccessKind::Read => Operation::Load,
        AccessKind::Write => Operation::Store,
    }
}
