//! Loads and stores, of elements and of vectors.
//!
//! A vector's load or store is the accesses to its elements, one after the other in the row-major order of the vector,
//! so that counts are those of the scalar code. A dimension of a transfer that broadcasts touches its element once.

use melior::ir::ValueLike;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::{MemRefType, ShapedTypeLike, TypeLike};
use symloc_affine::{Access, AccessId, AccessKind, ArrayId, Constraint, Expr, Node};

use crate::cases::{Cases, join};
use crate::ffi::{self, Definition, Op, Val, definition};
use crate::flops;
use crate::memory::{Extent, Memory};
use crate::refusal::{Cause, Refusal};
use crate::walk::{MOST_ACCESSES, Walker};

/// The memref of a load or store and the operands behind it.
type Target<'a> = (Val<'a>, Vec<Val<'a>>);

impl<'a> Walker<'a, '_> {
    pub(crate) fn access(&mut self, op: Op<'a>, kind: AccessKind) -> Vec<Node> {
        // A store has the value first.
        self.element_access(op, kind, usize::from(kind == AccessKind::Write))
    }

    /// A load and a store of one element.
    pub(crate) fn update(&mut self, op: Op<'a>) -> Vec<Node> {
        let read = self.element_access(op, AccessKind::Read, 1);
        let update = self.counted(op, flops::of_update(op));
        [read, update, self.element_access(op, AccessKind::Write, 1)].concat()
    }

    fn element_access(&mut self, op: Op<'a>, kind: AccessKind, memref_at: usize) -> Vec<Node> {
        let Some((memref, indices)) = self.target(op, memref_at) else { return Vec::new() };
        let memory = self.memory_of(op, memref);
        let subscripts = self.subscripts(op, &indices);
        match (memory, subscripts) {
            (Some(memory), Some(subscripts)) => self.elements(op, kind, &memory, &[subscripts]),
            _ => Vec::new(),
        }
    }

    pub(crate) fn vector_access(&mut self, op: Op<'a>, kind: AccessKind) -> Vec<Node> {
        let Some((memref, indices)) = self.target(op, usize::from(kind == AccessKind::Write)) else {
            return Vec::new();
        };
        let Some(shape) = self.vector_shape(op, kind, memref) else { return Vec::new() };
        let memory = self.memory_of(op, memref);
        let subscripts = self.subscripts(op, &indices);
        let (Some(memory), Some(subscripts)) = (memory, subscripts) else { return Vec::new() };
        let rank = memory.extents.len();
        // The vector lies along the last dimensions.
        let along: Vec<_> = (0..shape.len()).map(|d| (rank + d).checked_sub(shape.len())).collect();
        let elements = offsets(&shape)
            .map(|offset| shifted(&subscripts, &along, &offset).map_err(|cause| self.values.explain(cause, Some(op))));
        let elements = elements.collect::<Result<Vec<_>, _>>();
        match self.report(op, "the elements of this vector are not affine", elements) {
            Some(elements) => self.elements(op, kind, &memory, &elements),
            None => Vec::new(),
        }
    }

    pub(crate) fn transfer(&mut self, op: Op<'a>, kind: AccessKind) -> Vec<Node> {
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
        if !mask.is_empty() {
            return self.refused_transfer(op, "its mask depends on data");
        }
        let Some(shape) = self.vector_shape(op, kind, memref) else { return Vec::new() };
        let memory = self.memory_of(op, memref);
        let subscripts = self.subscripts(op, indices);
        let (Some(memory), Some(subscripts)) = (memory, subscripts) else { return Vec::new() };
        let Some(along) = permutation(op, shape.len()) else {
            return self.refused_transfer(op, "its permutation map is not one of dimensions");
        };
        let elements = self.transferred(op, &memory, &subscripts, &shape, &along);
        match self.report(op, "the elements of this vector are not affine", elements) {
            Some(elements) => self.guarded_elements(op, kind, &memory, elements),
            None => Vec::new(),
        }
    }

    fn refused_transfer(&mut self, op: Op<'a>, why: &str) -> Vec<Node> {
        let error = self.error(op, format!("this `{}` is not supported", ffi::name(op)));
        self.push_error(error.note(why).hint("analyse the loops before they are vectorised"));
        self.values.refuse(op);
        Vec::new()
    }

    /// The elements of a transfer; none for one that lies outside of the array.
    fn transferred(
        &mut self,
        op: Op<'a>,
        memory: &Memory<'a>,
        subscripts: &Cases<Vec<Expr>>,
        shape: &[u64],
        along: &[Option<usize>],
    ) -> Result<Vec<Cases<Option<Vec<Expr>>>>, Refusal> {
        let in_bounds = ffi::booleans(op, "in_bounds").unwrap_or_default();
        let touched: Vec<u64> =
            shape.iter().zip(along).map(|(&n, along)| if along.is_some() { n } else { 1 }).collect();
        let checked: Vec<usize> = along
            .iter()
            .enumerate()
            .filter(|(position, _)| !in_bounds.get(*position).copied().unwrap_or(false))
            .filter_map(|(_, along)| *along)
            .collect();
        let extents = checked.iter().map(|&dimension| self.extent(op, memory, dimension));
        let extents = join(&extents.collect::<Result<Vec<_>, _>>()?);
        let explain = |cause| self.values.explain(cause, Some(op));
        let extents = extents.map_err(|error| explain(Cause::from(error)))?;
        let element = |offset: Vec<u64>| {
            let element = shifted(subscripts, along, &offset)?;
            element.and_then(&mut |element: &Vec<Expr>| {
                extents.and_then(&mut |extents: &Vec<Expr>| self.where_inside(element, &checked, extents))
            })
        };
        offsets(&touched).map(|offset| element(offset).map_err(explain)).collect()
    }

    fn where_inside(
        &self,
        element: &[Expr],
        checked: &[usize],
        extents: &[Expr],
    ) -> Result<Cases<Option<Vec<Expr>>>, Cause<'a>> {
        let mut condition = Vec::new();
        for (&dimension, extent) in checked.iter().zip(extents) {
            let inside = Constraint::non_negative(extent.minus(&element[dimension])?.plus_constant(-1)?);
            match self.values.ranges.decide(&inside) {
                Some(true) => {}
                Some(false) => return Ok(Cases::Always(None)),
                None => condition.push(inside),
            }
        }
        let element = Cases::Always(Some(element.to_vec()));
        Ok(if condition.is_empty() { element } else { Cases::when(condition, element, Cases::Always(None)) })
    }

    /// An extent of a memref; a dynamic one of an argument is a parameter.
    fn extent(&mut self, op: Op<'a>, memory: &Memory<'a>, dimension: usize) -> Result<Cases<Expr>, Refusal> {
        match memory.extents.get(dimension) {
            Some(Extent::Is(extent)) => Ok(extent.clone()),
            Some(Extent::Operand(size)) => self.values.index(*size),
            Some(&Extent::Array(dimension)) => {
                let array = self.places.ssa_name(memory.declared);
                let name = array.map(|array| format!("{array}_dim{dimension}"));
                let is_new = self.values.known_extent(&memory.root, dimension).is_none();
                let param = self.values.extent_param(&memory.root, dimension, name);
                let array = array.map_or_else(|| "the array".to_owned(), |array| format!("`{array}`"));
                let why = "elements beyond it are not touched; `in_bounds` says that there are none";
                if is_new {
                    self.note(op, format!("the extent {dimension} of {array} becomes a parameter: {why}"));
                }
                Ok(Cases::Always(Expr::param(param)))
            }
            Some(Extent::Unknown) | None => {
                let why = "where the array ends is not known, and the transfer may go beyond it";
                Err(self.values.explain(Cause::hinted(why, "state `in_bounds` if it does not"), Some(op)))
            }
        }
    }

    /// The operand `memref_at` and those behind it.
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

    /// The memory behind a memref; one error for all accesses through it.
    fn memory_of(&mut self, op: Op<'a>, memref: Val<'a>) -> Option<Memory<'a>> {
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

    /// Subscripts are the results of an affine map or, for `memref.load` and the like, the operands themselves.
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
            subscripts.extend(self.report(op, &what, result));
        }
        if subscripts.len() < count {
            return None;
        }
        let joined = join(&subscripts).map_err(|error| self.values.explain(Cause::from(error), Some(op)));
        self.report(op, "the subscripts are not affine", joined)
    }

    /// The shape of the vector that is loaded or stored; empty if it is one element of an array of vectors.
    fn vector_shape(&mut self, op: Op<'a>, kind: AccessKind, memref: Val<'a>) -> Option<Vec<u64>> {
        let vector = match kind {
            AccessKind::Read => OperationLike::result(&op, 0).map(|result| result.r#type()).ok(),
            AccessKind::Write => op.operand(0).map(|value| value.r#type()).ok(),
        };
        let element = MemRefType::try_from(memref.r#type()).map(|kind| kind.element()).ok();
        let shape = vector.and_then(ffi::vector_shape);
        match shape {
            Some((_, of)) if element.is_some_and(|element| element.is_vector() && element != of) => {
                match element == vector {
                    true => Some(Vec::new()),
                    false => self.no_shape(op, "the array has vectors of another shape for elements"),
                }
            }
            Some((shape, _)) if shape.iter().try_fold(1_u64, |n, s| n.checked_mul(*s)).is_some_and(few) => Some(shape),
            Some(_) => self.no_shape(op, "limit: the vector has too many elements"),
            None => self.no_shape(op, "the vector's length is not constant"),
        }
    }

    fn no_shape(&mut self, op: Op<'a>, why: &str) -> Option<Vec<u64>> {
        self.refused_transfer(op, why);
        None
    }

    /// The accesses to elements of a memref.
    fn elements(
        &mut self,
        op: Op<'a>,
        kind: AccessKind,
        memory: &Memory<'a>,
        elements: &[Cases<Vec<Expr>>],
    ) -> Vec<Node> {
        let some = |element: &Cases<Vec<Expr>>| element.try_map(&mut |e| Ok::<_, Refusal>(Some(e.clone())));
        let elements = elements.iter().map(some).collect::<Result<Vec<_>, _>>();
        elements.map_or_else(|_| Vec::new(), |elements| self.guarded_elements(op, kind, memory, elements))
    }

    /// The accesses to those elements that there are.
    fn guarded_elements(
        &mut self,
        op: Op<'a>,
        kind: AccessKind,
        memory: &Memory<'a>,
        elements: Vec<Cases<Option<Vec<Expr>>>>,
    ) -> Vec<Node> {
        let array = self.arrays.of(memory, self.values.function(), self.places);
        let Some(array) = self.report(op, "the array of this access is not known", array) else { return Vec::new() };
        let mut nodes = Vec::new();
        for element in elements {
            let resolved = element.and_then(&mut |element: &Option<Vec<Expr>>| match element {
                Some(element) => {
                    let element = memory.resolve(&Cases::Always(element.clone()), &self.values.ranges)?;
                    element.try_map(&mut |element| Ok::<_, Cause>(Some(element.clone())))
                }
                None => Ok(Cases::Always(None)),
            });
            let resolved = resolved.map_err(|cause| self.values.explain(cause, Some(op)));
            let what = "the element of the array that this access touches is not affine";
            match self.report(op, what, resolved) {
                Some(resolved) => nodes.extend(self.add_accesses(op, array, kind, resolved)),
                None => break,
            }
        }
        nodes
    }

    fn add_accesses(
        &mut self,
        op: Op<'a>,
        array: ArrayId,
        kind: AccessKind,
        subscripts: Cases<Option<Vec<Expr>>>,
    ) -> Vec<Node> {
        let location = self.places.or_start(op.location());
        subscripts.into_nodes(&mut |subscripts| {
            let Some(subscripts) = subscripts else { return Vec::new() };
            let id = AccessId(self.accesses.len() as u32);
            self.accesses.push(Access { array, kind, subscripts, location: location.clone() });
            vec![Node::Access(id)]
        })
    }
}

/// Few enough elements for one vector.
fn few(elements: u64) -> bool {
    elements <= MOST_ACCESSES as u64
}

/// The positions of a vector's elements in row-major order.
fn offsets(shape: &[u64]) -> impl Iterator<Item = Vec<u64>> {
    let shape = shape.to_vec();
    (0..shape.iter().product()).map(move |index| {
        let mut rest = index;
        let mut offset: Vec<u64> = shape
            .iter()
            .rev()
            .map(|extent| {
                let digit = rest % extent;
                rest /= extent;
                digit
            })
            .collect();
        offset.reverse();
        offset
    })
}

/// The subscripts of the element that lies so far behind the first one; `along` are the memref's dimensions.
fn shifted<'a>(
    subscripts: &Cases<Vec<Expr>>,
    along: &[Option<usize>],
    offset: &[u64],
) -> Result<Cases<Vec<Expr>>, Cause<'a>> {
    subscripts.try_map(&mut |subscripts: &Vec<Expr>| {
        let mut element = subscripts.clone();
        for (dimension, &distance) in along.iter().zip(offset).filter(|(along, _)| along.is_some()) {
            let subscript = dimension.and_then(|dimension| element.get_mut(dimension));
            let subscript = subscript.ok_or_else(|| Cause::here("the vector has more dimensions than the array"))?;
            *subscript = subscript.plus_constant(i64::try_from(distance).map_err(|_| symloc_affine::Overflow)?)?;
        }
        Ok(element)
    })
}

/// The dimension of the memref along which each dimension of the vector lies; none where the map is a constant.
fn permutation(op: Op, rank: usize) -> Option<Vec<Option<usize>>> {
    let map = op.attribute("permutation_map").ok().and_then(ffi::affine_map)?;
    let along = |i| {
        let result = map.result(i).ok()?;
        if result.is_constant() { Some(None) } else { result.is_dim().then(|| Some(result.dim_position())) }
    };
    // An array of vectors is transferred element by element: its vector has no dimensions here.
    (0..map.result_count().min(rank)).map(along).collect()
}
