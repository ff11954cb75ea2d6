//! Fortran's array descriptors, as flang lays them out: where an array with a deferred or assumed shape lies, and its shape.
//!
//! A descriptor holds the address of the first element, the size of an element, and for each dimension its lower bound, its
//! extent and the distance of neighbours in bytes. Reading it is no access of the program. What a procedure does not write
//! stays as it is, so extents are sizes. Distances are those of an array whose elements lie side by side: that is so
//! for allocatable arrays and those declared `contiguous`; of others it is taken for granted, which is said in a note.

use std::collections::BTreeMap;

use crate::ffi::{DataLayout, Opcode, Type, Value};
use crate::places::Places;

/// The descriptors that a function reads.
#[derive(Debug, Default)]
pub(crate) struct Descriptors<'m> {
    /// The bytes of an element, as far as they are known, by argument or global.
    elements: BTreeMap<Value<'m>, Option<i64>>,
    /// The arrays' names, by descriptor, or by the call that allocates a local one.
    names: BTreeMap<Value<'m>, String>,
}

/// What lies at some place in a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// The address of the first element.
    Base,
    /// The lower bound of a dimension, from 0.
    Lower(i64),
    /// The extent of a dimension.
    Extent(i64),
    /// The distance of neighbours in a dimension.
    Stride(i64),
    /// Something else.
    Other,
}

impl Field {
    /// What lies at a byte.
    pub(crate) fn at(byte: i64) -> Self {
        match byte - DIMENSIONS {
            _ if byte == 0 => Field::Base,
            ..0 => Field::Other,
            offset => match (offset / DIMENSION, offset % DIMENSION) {
                (dimension, 0) => Field::Lower(dimension),
                (dimension, 8) => Field::Extent(dimension),
                (dimension, 16) => Field::Stride(dimension),
                _ => Field::Other,
            },
        }
    }
}

/// Bytes before the first dimension, and of each.
const DIMENSIONS: i64 = 24;
const DIMENSION: i64 = 24;

/// The byte at which the extent of a dimension lies.
pub(crate) fn extent(dimension: i64) -> i64 {
    DIMENSIONS + DIMENSION * dimension + 8
}

impl<'m> Descriptors<'m> {
    /// Finds the arguments and globals that are descriptors. The types that tell are gone when scalars are in registers.
    pub(crate) fn of(function: Value<'m>, places: &Places<'m>) -> Self {
        let mut found = Self::default();
        found.name_allocated(function, places);
        for instruction in instructions(function) {
            match instruction.opcode() {
                Some(Opcode::LLVMGetElementPtr) if instruction.pointee().is_some_and(is_descriptor) => {
                    found.note(instruction.operand(0));
                }
                Some(Opcode::LLVMLoad) if is_descriptor(instruction.r#type()) => found.note(instruction.operand(0)),
                Some(Opcode::LLVMCall) => found.note_copied(instruction),
                _ => {}
            }
        }
        found
    }

    fn note(&mut self, object: Option<Value<'m>>) {
        if let Some(object) = object.filter(|object| object.is_global() || is_argument(*object)) {
            self.elements.insert(object, None);
        }
    }

    /// A descriptor may be copied as a whole.
    fn note_copied(&mut self, call: Value<'m>) {
        let is_local = |value: &Value<'m>| {
            value.opcode() == Some(Opcode::LLVMAlloca) && value.pointee().is_some_and(is_descriptor)
        };
        self.note(copied(call).filter(|(to, _)| is_local(to)).map(|(_, from)| from));
    }

    /// Finds out how large elements are, by how the function goes through them, once scalars are in registers.
    pub(crate) fn measure(&mut self, function: Value<'m>, layout: &DataLayout<'m>) {
        let mut sizes: BTreeMap<Value<'m>, Vec<i64>> = BTreeMap::new();
        for instruction in instructions(function) {
            let accessed = match instruction.opcode() {
                Some(Opcode::LLVMLoad) => instruction.operand(0).zip(Some(instruction.r#type())),
                Some(Opcode::LLVMStore) => instruction.operand(1).zip(instruction.operand(0).map(Value::r#type)),
                _ => None,
            };
            let Some((address, kind)) = accessed else { continue };
            let Some((object, element)) = self.element_behind(address, kind) else { continue };
            let bytes = layout.size(element).and_then(|bytes| i64::try_from(bytes).ok());
            sizes.entry(object).or_default().extend(bytes);
        }
        for (object, sizes) in sizes {
            let first = sizes.first().copied().filter(|first| sizes.iter().all(|size| size == first));
            self.elements.insert(object, first);
        }
    }

    /// The descriptor whose array an address leads into, and the type of its elements.
    fn element_behind(&self, address: Value<'m>, kind: Type<'m>) -> Option<(Value<'m>, Type<'m>)> {
        let (mut address, mut element) = (address, kind);
        while address.opcode() == Some(Opcode::LLVMGetElementPtr) {
            element = address.pointee().filter(|kind| kind.integer_width() != Some(8)).unwrap_or(element);
            address = address.operand(0)?;
        }
        let holder = address.operand(0).filter(|_| address.opcode() == Some(Opcode::LLVMLoad))?;
        let object = start_of(holder);
        self.contains(object).then_some((object, element))
    }

    /// Names what is allocated by the variable whose descriptor is written, be it by way of a copy.
    fn name_allocated(&mut self, function: Value<'m>, places: &Places<'m>) {
        let copies: Vec<_> = instructions(function).filter_map(copied).collect();
        for store in instructions(function).filter(|i| i.opcode() == Some(Opcode::LLVMStore)) {
            let (Some(value), Some(local)) = (store.operand(0), store.operand(1)) else { continue };
            let base = is_descriptor(value.r#type()).then(|| base_of(value)).flatten();
            let copied_to = copies.iter().filter(|(_, from)| *from == local).map(|(to, _)| *to);
            let name = std::iter::once(local).chain(copied_to).find_map(|variable| places.name(variable));
            self.names.extend(base.zip(name));
        }
    }

    /// Names arrays by the variables that their addresses belong to, where descriptors themselves have none.
    pub(crate) fn name_arrays(&mut self, function: Value<'m>, places: &Places<'m>) {
        for load in instructions(function).filter(|i| i.opcode() == Some(Opcode::LLVMLoad)) {
            let object = load.operand(0).map(start_of).filter(|object| self.contains(*object));
            let unnamed = object.filter(|object| places.name(*object).is_none() && load.r#type().is_pointer());
            self.names.extend(unnamed.zip(places.name(load)));
        }
    }

    /// The name of the array behind a descriptor, or of one that a call allocates.
    pub(crate) fn name(&self, value: Value<'m>) -> Option<&String> {
        self.names.get(&value)
    }

    /// Is an argument or global a descriptor?
    pub(crate) fn contains(&self, object: Value<'m>) -> bool {
        self.elements.contains_key(&object)
    }

    /// The bytes of an element of the array behind a descriptor.
    pub(crate) fn element(&self, object: Value<'m>) -> Option<i64> {
        self.elements.get(&object).copied().flatten()
    }
}

/// Where a call copies memory to, and where from.
fn copied(call: Value<'_>) -> Option<(Value<'_>, Value<'_>)> {
    let (_, arguments) = call.call().filter(|(callee, _)| callee.name().starts_with("llvm.memcpy"))?;
    arguments.first().copied().zip(arguments.get(1).copied())
}

/// The object that an address is the start of.
fn start_of(address: Value<'_>) -> Value<'_> {
    let is_start = address.operands().iter().skip(1).all(|index| index.constant() == Some(0));
    let object = address.operand(0).filter(|_| address.opcode() == Some(Opcode::LLVMGetElementPtr) && is_start);
    object.unwrap_or(address)
}

/// The address that is put into a descriptor.
fn base_of(descriptor: Value<'_>) -> Option<Value<'_>> {
    let mut descriptor = descriptor;
    while descriptor.opcode() == Some(Opcode::LLVMInsertValue) {
        if descriptor.indices() == [0] {
            return descriptor.operand(1);
        }
        descriptor = descriptor.operand(0)?;
    }
    None
}

/// Does what is read from a descriptor have a use, other than to stand in a copy of it?
pub(crate) fn is_used(value: Value<'_>) -> bool {
    value.users().into_iter().any(|user| match user.opcode() {
        Some(Opcode::LLVMInsertValue) if user.operand(1) == Some(value) => is_part_used(user, &user.indices()),
        _ => true,
    })
}

fn is_part_used(aggregate: Value<'_>, part: &[u32]) -> bool {
    aggregate.users().into_iter().any(|user| match user.opcode() {
        Some(Opcode::LLVMInsertValue) => user.indices() != part && is_part_used(user, part),
        Some(Opcode::LLVMExtractValue) if user.indices().len() == part.len() => {
            user.indices() == part && !user.users().is_empty()
        }
        _ => true,
    })
}

/// Is it flang's type of a descriptor: an address, the size of an element, five numbers, the dimensions?
fn is_descriptor(kind: Type<'_>) -> bool {
    let width = |index| kind.field(index).and_then(Type::integer_width);
    kind.is_struct()
        && kind.field(0).is_some_and(Type::is_pointer)
        && (1..7).map(width).eq([64, 32, 8, 8, 8, 8].map(Some))
        && kind.field(7).and_then(Type::array).and_then(|(dimension, _)| dimension.array()).is_some_and(|(_, n)| n == 3)
}

fn is_argument(value: Value<'_>) -> bool {
    value.r#type().is_pointer() && !value.is_instruction() && !value.is_global() && value.opcode().is_none()
}

fn instructions(function: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    function.blocks().into_iter().flat_map(|block| block.instructions())
}
