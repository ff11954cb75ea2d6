//! Arrays: element size, shape and strides of the memory that is accessed.

use std::collections::BTreeMap;

use melior::ir::ValueLike;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use symloc_affine::{Array, ArrayId, Extent, IterId, Location};
use symloc_frontend::ArrayVariable;
use symloc_frontend::draft::DraftIter;
use symloc_frontend::names::{is_argument, meaningful};
use symloc_frontend::raising::Reason;

use super::order::{NO_NEIGHBOURS, Order, order};
use super::{Memory, Root};
use crate::expressions::refusal::Refusal;
use crate::ffi::{self, Definition, Op, OpKey, Val};
use crate::input::places::Places;
use crate::ops::widths::DataLayout;

/// The arrays that are accessed, in the order of their first access.
#[derive(Default)]
pub(crate) struct Arrays<'a> {
    by_root: BTreeMap<Root, ArrayId>,
    list: Vec<Array>,
    /// The memory of each array, as in its first access.
    memories: Vec<Memory<'a>>,
    /// The map from the subscripts of each array to those in memory.
    orders: Vec<Order<'a>>,
    /// The memory space of each array, if its type names one.
    spaces: Vec<Option<String>>,
}

impl<'a> Arrays<'a> {
    /// Returns the array of a memref, which may be new.
    pub(crate) fn of(&mut self, memory: &Memory<'a>, function: Op<'a>, places: &Places) -> Result<ArrayId, Refusal> {
        if let Some(&id) = self.by_root.get(&memory.root) {
            return Ok(id);
        }
        let (array, order) = describe(memory.declared, &memory.root, function, places)?;
        let id = ArrayId(self.list.len() as u32);
        self.list.push(array);
        self.orders.push(order);
        self.memories.push(memory.clone());
        self.spaces.push(space(memory.declared));
        self.by_root.insert(memory.root.clone(), id);
        Ok(id)
    }

    /// Returns the array of an argument of the function, if it is accessed.
    pub(crate) fn argument(&self, position: usize) -> Option<ArrayId> {
        self.by_root.get(&Root::Argument(position)).copied()
    }

    /// Returns the map from the subscripts of an array to those in memory.
    pub(crate) fn order(&self, id: ArrayId) -> &Order<'a> {
        &self.orders[id.index()]
    }

    /// Returns the arrays with their memory.
    pub(crate) fn memories(&self) -> impl Iterator<Item = (ArrayId, &Memory<'a>)> {
        self.memories.iter().enumerate().map(|(index, memory)| (ArrayId(index as u32), memory))
    }

    /// Returns the arrays whose subscripts in memory differ from those in the source.
    pub(crate) fn reordered(&self) -> impl Iterator<Item = &Array> {
        self.list.iter().zip(&self.orders).filter(|(_, order)| order.differs()).map(|(array, _)| array)
    }

    /// Returns all arrays with their memory spaces; the default one is `None`.
    pub(crate) fn spaces(&self) -> impl Iterator<Item = (&Array, Option<&str>)> {
        self.list.iter().zip(&self.spaces).map(|(array, space)| (array, space.as_deref()))
    }

    /// Returns true if there is an argument that may overlap another argument or a global, as far as MLIR says.
    pub(crate) fn may_overlap(&self) -> bool {
        let arguments = self.by_root.keys().filter(|root| matches!(root, Root::Argument(_))).count();
        let globals = self.by_root.keys().filter(|root| matches!(root, Root::Global(_))).count();
        arguments > 0 && arguments + globals > 1
    }

    /// Returns the arrays that one operation allocates in several calls of its function.
    pub(crate) fn of_several_calls(&self) -> impl Iterator<Item = &Array> {
        let mut allocations: BTreeMap<OpKey, Vec<ArrayId>> = BTreeMap::new();
        for (root, array) in &self.by_root {
            if let Root::Allocation(operation, _) = root {
                allocations.entry(*operation).or_default().push(*array);
            }
        }
        allocations.into_values().filter(|arrays| arrays.len() > 1).flatten().map(|array| self.get(array))
    }

    /// Returns the arrays that are allocated in loops, with these iterators among those of other loops.
    pub(crate) fn allocated(&self, iters: &[DraftIter]) -> Vec<ArrayVariable> {
        let variable = |(array, memory): (ArrayId, &Memory<'a>)| {
            let (Root::Allocation(..), Definition::Result { op }) = (&memory.root, ffi::definition(memory.declared))
            else {
                return None;
            };
            let around: Vec<usize> = ffi::with_parents(op).map(|op| ffi::key(op).number()).collect();
            let is_around = |draft: &DraftIter| draft.number.is_some_and(|number| around.contains(&number));
            let numbered = (0_u32..).map(IterId).zip(iters);
            let declared_in: Vec<_> = numbered.filter(|(_, draft)| is_around(draft)).map(|(iter, _)| iter).collect();
            let (name, places, named_at) = (self.get(array).name.clone(), Vec::new(), Vec::new());
            Some(ArrayVariable { array, name, places, declared_in, named_at })
        };
        self.memories().filter_map(variable).collect()
    }

    /// Returns an array.
    pub(crate) fn get(&self, id: ArrayId) -> &Array {
        &self.list[id.index()]
    }

    /// Returns an array, to change it.
    pub(crate) fn get_mut(&mut self, id: ArrayId) -> &mut Array {
        &mut self.list[id.index()]
    }

    /// Returns all arrays; their names are those of the source, without `%` and `@`, or empty.
    pub(crate) fn into_list(self) -> Vec<Array> {
        self.list
    }
}

fn describe<'a>(value: Val<'a>, root: &Root, function: Op, places: &Places) -> Result<(Array, Order<'a>), Refusal> {
    let name = array_name(value, root, places);
    let because = |why: String| Refusal::Because(Reason::new(why, places.location(value.location()), None));
    let element = ffi::memref_element(value.r#type()).ok_or_else(|| because("it is not a memref".to_owned()))?;
    let element_bytes = DataLayout::of(value)
        .element_bytes(element)
        .ok_or_else(|| because(format!("its elements are of type `{element}`, whose size is not known")))?;
    let (order, shape, strides) = order(value).ok_or_else(|| {
        let (why, hint) = NO_NEIGHBOURS;
        Refusal::Because(Reason::new(why, places.location(value.location()), Some(hint)))
    })?;
    let (shape, strides) = match root {
        Root::Chosen { .. } if order.differs() => return Err(because("data choose rows, but".to_owned() + REORDERED)),
        Root::Chosen { spread, .. } => (chosen_shape(spread, &shape), None),
        _ => (shape, strides),
    };
    let location = declaration(value, root, function, places);
    Ok((Array { name, element_bytes, shape, strides, location, per_thread: false }, order))
}

/// Returns the memory space that the type of a memref names.
fn space(value: Val<'_>) -> Option<String> {
    let space = MemRefType::try_from(value.r#type()).ok()?.memory_space()?.to_string();
    Some(space.strip_suffix(" : i64").map_or(space.clone(), str::to_owned))
}

/// Returns the name of an array; an argument without a meaningful name is `arg` with its number.
fn array_name(value: Val, root: &Root, places: &Places) -> String {
    let name = places.array_name(value).unwrap_or_default();
    match root {
        Root::Global(name) => name.clone(),
        Root::Argument(position) if !is_argument(&name) && meaningful(&name).is_none() => format!("arg{position}"),
        _ => name,
    }
}

/// The reason why rows of an array are not supported.
const REORDERED: &str = " its last dimension is not the one along which neighbours lie in memory";

/// Returns the shape of rows that data choose: their number is that of the reads, their length that in the array.
fn chosen_shape(spread: &[Option<usize>], shape: &[Extent]) -> Vec<Extent> {
    let dimensions = spread.iter().zip(shape).map(|(spread, extent)| match spread {
        None => vec![extent.clone()],
        Some(count) => vec![Extent::Dynamic; *count],
    });
    dimensions.flatten().collect()
}

/// Returns the place where the array is declared; for a global, its `memref.global`.
fn declaration(value: Val, root: &Root, function: Op, places: &Places) -> Location {
    let Root::Global(name) = root else { return places.or_start(value.location()) };
    let is_declaration =
        |op: &Op| ffi::name(*op) == "memref.global" && ffi::text_attribute(*op, "sym_name").as_deref() == Some(name);
    let module = function.parent_operation().into_iter().flat_map(ffi::regions);
    let global = module.flat_map(ffi::operations).find(is_declaration);
    places.or_start(global.map_or(value.location(), |op| op.location()))
}
