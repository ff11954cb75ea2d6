//! Loads and stores, of elements and of vectors.
//!
//! A vector's load or store is a nest of loops over its elements in row-major order, so that counts are those of the
//! scalar code. A dimension of a transfer that broadcasts touches its element once; one that may go beyond the array
//! stops at its end. A mask is followed (`masks`) where it lets the first lanes through.
//!
//! `copies` are nests of accesses, `reshapes` read shapes, `gather` reads rows that data choose. `delinearize` finds rows in arrays of rank 1 and
//! `extents` the lengths of the others, once all accesses are known.

pub(crate) mod copies;
mod delinearize;
mod extents;
mod gather;
mod masks;
mod reshapes;

use melior::ir::ValueLike;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::{MemRefType, ShapedTypeLike, TypeLike};
use symloc_affine::{Access, AccessId, AccessKind, ArrayId, Constraint, Expr, IterId, Loop, Node, Overflow};
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

    pub(crate) fn vector_access(&mut self, op: Op<'a>, kind: AccessKind) -> Vec<Node> {
        let Some((memref, indices)) = self.target(op, usize::from(kind == AccessKind::Write)) else {
            return Vec::new();
        };
        let Some(shape) = self.vector_shape(op, kind, memref) else { return Vec::new() };
        if self.records() {
            return self.moved(op, moving(kind), memref, shape.iter().fold(1, |all, &count| all.saturating_mul(count)));
        }
        let memory = self.memory_of(op, memref);
        let subscripts = self.subscripts(op, &indices);
        let (Some(memory), Some(subscripts)) = (memory, subscripts) else { return Vec::new() };
        // The vector lies along the last dimensions.
        let Some(first) = memory.extents.len().checked_sub(shape.len()) else {
            return self.refused_transfer(op, "the vector has more dimensions than the array");
        };
        let lanes = shape.iter().zip(first..).map(|(&count, along)| Lanes { count, along, extent: None, masked: None });
        self.elements(op, kind, &memory, &subscripts, &lanes.collect::<Vec<_>>())
    }

    /// Returns the accesses of `vector.maskedload` and `vector.maskedstore`: to the first lanes, as many as the mask
    /// lets through.
    pub(crate) fn masked_access(&mut self, op: Op<'a>, kind: AccessKind) -> Vec<Node> {
        let operands: Vec<Val<'a>> = op.operands().collect();
        let [memref, indices @ .., mask, vector] = operands.as_slice() else {
            self.malformed(op, "has no array");
            return Vec::new();
        };
        let Some((shape, _)) = ffi::vector_shape(vector.r#type()) else {
            return self.refused_transfer(op, "the vector's length is not constant");
        };
        let Some(first) = self.mask(op, *mask) else { return Vec::new() };
        let memory = self.memory_of(op, *memref);
        let subscripts = self.subscripts(op, indices);
        let (Some(memory), Some(subscripts)) = (memory, subscripts) else { return Vec::new() };
        let (&[count], Some(along)) = (shape.as_slice(), memory.extents.len().checked_sub(1)) else {
            return self.refused_transfer(op, "the vector has more than one dimension");
        };
        let lanes = [Lanes { count, along, extent: None, masked: first.into_iter().next() }];
        let nodes = self.elements(op, kind, &memory, &subscripts, &lanes);
        if self.records() { self.moved_lanes(op, &[(moving(kind), *memref)], nodes) } else { nodes }
    }

    pub(crate) fn transfer(&mut self, op: Op<'a>, kind: AccessKind) -> Vec<Node> {
        self.transfer_under(op, kind, None)
    }

    /// Returns the accesses of a transfer with its own mask, or under that of a `vector.mask`.
    pub(crate) fn transfer_under(&mut self, op: Op<'a>, kind: AccessKind, outer: Option<Val<'a>>) -> Vec<Node> {
        let groups = ffi::operand_groups(op);
        // read: source, indices, padding, mask; write: vector, destination, indices, mask
        let (memref, indices, mask) = match (kind, groups.as_slice()) {
            (AccessKind::Read, [memref, indices, _, mask]) | (AccessKind::Write, [_, memref, indices, mask]) => {
                (memref, indices, mask)
            }
            _ => return self.refused_transfer(op, "it has no operand segments"),
        };
        let Some(&memref) = memref.first().filter(|memref| memref.r#type().is_mem_ref()) else {
            return self.refused_transfer(op, "it is on a tensor, which has no place in memory yet");
        };
        let Some(shape) = self.vector_shape(op, kind, memref) else { return Vec::new() };
        let memory = self.memory_of(op, memref);
        let subscripts = self.subscripts(op, indices);
        let (Some(memory), Some(subscripts)) = (memory, subscripts) else { return Vec::new() };
        let Some(along) = permutation(op, shape.len()) else {
            return self.refused_transfer(op, "its permutation map is not one of dimensions");
        };
        let masks = match outer.or(mask.first().copied()) {
            Some(mask) => match self.mask(op, mask) {
                Some(masks) => masks,
                None => return Vec::new(),
            },
            None => Vec::new(),
        };
        let lanes = self.transferred(op, &memory, &shape, &along, &masks);
        match self.report(op, "the end of this transfer is not affine", lanes) {
            Some(lanes) if self.records() && lanes.iter().all(Lanes::are_all) => {
                let all = lanes.iter().fold(1, |all: u64, lanes| all.saturating_mul(lanes.count));
                self.moved(op, moving(kind), memref, all)
            }
            Some(lanes) => {
                let nodes = self.elements(op, kind, &memory, &subscripts, &lanes);
                if self.records() { self.moved_lanes(op, &[(moving(kind), memref)], nodes) } else { nodes }
            }
            None => Vec::new(),
        }
    }

    pub(crate) fn refused_transfer(&mut self, op: Op<'a>, why: &str) -> Vec<Node> {
        let error = self.error(op, format!("this `{}` is not supported", ffi::name(op)));
        self.push_error(error.note(why).hint("analyse the loops before they are vectorised"));
        self.values.refuse(op);
        Vec::new()
    }

    /// Returns the loops of a transfer: none along a dimension that broadcasts; they end with the array, unless
    /// `in_bounds` is set.
    fn transferred(
        &mut self,
        op: Op<'a>,
        memory: &Memory<'a>,
        shape: &[u64],
        along: &[Option<usize>],
        masks: &[Cases<Expr>],
    ) -> Result<Vec<Lanes>, Refusal> {
        let in_bounds = ffi::booleans(op, "in_bounds").unwrap_or_default();
        // A mask has the dimensions of the array that the vector lies along, in their order.
        let mask_dimension = |of: usize| along.iter().flatten().filter(|along| **along < of).count();
        let mut lanes = Vec::new();
        for (position, (&count, along)) in shape.iter().zip(along).enumerate() {
            let Some(along) = *along else { continue };
            let checked = !in_bounds.get(position).copied().unwrap_or(false);
            let extent = checked.then(|| self.extent(op, memory, along, &TRANSFER)).transpose()?;
            lanes.push(Lanes { count, along, extent, masked: masks.get(mask_dimension(along)).cloned() });
        }
        Ok(lanes)
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

    /// Returns the shape of the vector that is loaded or stored; empty if it is one element of an array of vectors.
    fn vector_shape(&mut self, op: Op<'a>, kind: AccessKind, memref: Val<'a>) -> Option<Vec<u64>> {
        let vector = match kind {
            AccessKind::Read => OperationLike::result(&op, 0).map(|result| result.r#type()).ok(),
            AccessKind::Write => op.operand(0).map(|value| value.r#type()).ok(),
        };
        let element = MemRefType::try_from(memref.r#type()).ok().and_then(|kind| ffi::vector_shape(kind.element()));
        match (vector.and_then(ffi::vector_shape), element) {
            (Some((shape, of)), Some((inner, element))) if element != of || !shape.ends_with(&inner) => {
                self.no_shape(op, "the array has vectors of another shape for elements")
            }
            (Some((shape, _)), inner) => {
                let outer = shape.len() - inner.map_or(0, |(inner, _)| inner.len());
                Some(shape[..outer].to_vec())
            }
            (None, _) => self.no_shape(op, "the vector's length is not constant"),
        }
    }

    fn no_shape(&mut self, op: Op<'a>, why: &str) -> Option<Vec<u64>> {
        self.refused_transfer(op, why);
        None
    }

    /// Returns the accesses to elements of a memref from `first` on, along some of its dimensions.
    pub(crate) fn elements(
        &mut self,
        op: Op<'a>,
        kind: AccessKind,
        memory: &Memory<'a>,
        first: &Cases<Vec<Expr>>,
        lanes: &[Lanes],
    ) -> Vec<Node> {
        let array = self.arrays.of(memory, self.values.function(), self.places);
        let Some(array) = self.report(op, "the array of this access is not known", array) else { return Vec::new() };
        first.clone().into_nodes(&mut |element| self.lane_loops(op, kind, memory, array, element, lanes))
    }

    /// Returns the loops over the lanes around one access; `element` is the first that they touch.
    fn lane_loops(
        &mut self,
        op: Op<'a>,
        kind: AccessKind,
        memory: &Memory<'a>,
        array: ArrayId,
        element: Vec<Expr>,
        lanes: &[Lanes],
    ) -> Vec<Node> {
        let Some((outer, inner)) = lanes.split_first() else {
            return self.one_access(op, kind, memory, array, element);
        };
        let explain = |cause| self.values.explain(cause, Some(op));
        let ends = self.lane_ends(&element, outer).map_err(explain);
        let Some(ends) = self.report(op, "the elements of this vector are not affine", ends) else { return Vec::new() };
        ends.into_nodes(&mut |upper| {
            if upper.iter().all(|end| end.as_constant() == Some(1)) {
                return self.lane_loops(op, kind, memory, array, element.clone(), inner);
            }
            let (iter, lower) = (self.new_iterator(None), vec![Expr::constant(0)]);
            self.values.ranges.set(iter, &lower, &upper);
            let lane = lane(&element, outer, iter).map_err(|cause| self.values.explain(cause, Some(op)));
            let Some(lane) = self.report(op, "the elements of this vector are not affine", lane) else {
                return Vec::new();
            };
            let body = self.lane_loops(op, kind, memory, array, lane, inner);
            vec![Node::Loop(Loop { iter, lower, upper, step: 1, body })]
        })
    }

    /// Returns the upper bounds of the loop over lanes from an element on: all lanes, the mask, and the end of the
    /// array.
    fn lane_ends(&self, element: &[Expr], lanes: &Lanes) -> Result<Cases<Vec<Expr>>, Cause<'a>> {
        let count = Expr::constant(i64::try_from(lanes.count).map_err(|_| Overflow)?);
        let mut limits = Vec::from_iter(lanes.masked.clone());
        if let Some(extent) = &lanes.extent {
            let first = lanes.first(element)?;
            limits.push(extent.try_map(&mut |extent: &Expr| Ok::<_, Cause>(extent.minus(first)?))?);
        }
        join(&limits)?.try_map(&mut |limits: &Vec<Expr>| {
            let mut short = Vec::new();
            for limit in limits {
                let beyond = Constraint::non_negative(limit.minus(&count)?);
                if self.values.ranges.decide(&beyond) != Some(true) {
                    short.push(limit.clone());
                }
            }
            let is_known = short.iter().any(|limit| limit.as_constant().is_some());
            Ok(Vec::from_iter((!is_known).then(|| count.clone()).into_iter().chain(short)))
        })
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
            let id = AccessId(self.accesses.len() as u32);
            self.accesses.push(Access { array, kind, subscripts, location: location.clone() });
            vec![Node::Access(id)]
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

const TRANSFER: Need = Need {
    why: "elements beyond it are not touched; `in_bounds` says that there are none",
    unknown: "where the array ends is not known, and the transfer may go beyond it",
    hint: "state `in_bounds` if it does not",
};

fn moving(kind: AccessKind) -> Operation {
    match kind {
        AccessKind::Read => Operation::Load,
        AccessKind::Write => Operation::Store,
    }
}

/// The elements of a vector along a dimension of the array.
pub(crate) struct Lanes {
    count: u64,
    along: usize,
    /// The extent of the array, if the vector may go beyond it.
    extent: Option<Cases<Expr>>,
    /// The number of lanes that a mask lets through, if there is one.
    masked: Option<Cases<Expr>>,
}

impl Lanes {
    /// Returns true if all lanes are accessed: there is no mask, and none may be beyond the array.
    fn are_all(&self) -> bool {
        self.extent.is_none() && self.masked.is_none()
    }

    /// Returns the subscript of the first lane.
    fn first<'e, 'a>(&self, element: &'e [Expr]) -> Result<&'e Expr, Cause<'a>> {
        element.get(self.along).ok_or_else(|| Cause::here("the vector has more dimensions than the array"))
    }
}

/// Returns the element of one lane.
fn lane<'a>(element: &[Expr], lanes: &Lanes, iter: IterId) -> Result<Vec<Expr>, Cause<'a>> {
    let subscript = lanes.first(element)?.plus(&Expr::iter(iter))?;
    let replaced =
        |(dimension, old): (usize, &Expr)| if dimension == lanes.along { subscript.clone() } else { old.clone() };
    Ok(element.iter().enumerate().map(replaced).collect())
}

/// Returns the dimension of the memref for each dimension of the vector, `None` for one that broadcasts.
fn permutation(op: Op, rank: usize) -> Option<Vec<Option<usize>>> {
    let map = op.attribute("permutation_map").ok().and_then(ffi::affine_map)?;
    let along = |i| {
        let result = map.result(i).ok()?;
        if result.is_constant() { Some(None) } else { result.is_dim().then(|| Some(result.dim_position())) }
    };
    // An array of vectors is transferred element by element: its vector has no dimensions here.
    (0..map.result_count().min(rank)).map(along).collect()
}
