//! Fortran's array descriptors in flang's layout: address and shape of an array with a deferred or assumed shape.
//!
//! A descriptor holds the address of the first element, the size of an element, and for each dimension its lower bound,
//! its extent and its stride in bytes. Loads from it do not count as accesses. A descriptor that a procedure does not
//! write is constant in it, so extents are sizes. Strides are those of a contiguous array: allocatable arrays and those
//! declared `contiguous` are; others are assumed to be, and a note says so.

use std::collections::BTreeMap;

use crate::ir::ffi::{DataLayout, Opcode, Type, Value};
use crate::ir::places::Places;

/// The descriptors that a function reads.
#[derive(Debug, Default)]
pub(crate) struct Descriptors<'m> {
    /// The bytes of an element, if they are known, by argument or global.
    elements: BTreeMap<Value<'m>, Option<i64>>,
    /// The arrays' names, by descriptor, or by the call that allocates a local one.
    names: BTreeMap<Value<'m>, String>,
}

/// A field of a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// The address of the first element.
    Base,
    /// The lower bound of a dimension, from 0.
    Lower(i64),
    /// The extent of a dimension.
    Extent(i64),
    /// The stride of a dimension in bytes.
    Stride(i64),
    /// Something else.
    Other,
}

impl Field {
    /// Returns the field at a byte.
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

/// The bytes before the first dimension, and of each dimension.
const DIMENSIONS: i64 = 24;
const DIMENSION: i64 = 24;

/// Returns the byte at which the extent of a dimension lies.
pub(crate) fn extent(dimension: i64) -> i64 {
    DIMENSIONS + DIMENSION * dimension + 8
}

impl<'m> Descriptors<'m> {
    /// Finds the arguments and globals that are descriptors, by types that no longer exist once scalars are in
    /// registers.
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

    /// Records a descriptor that is copied as a whole to a local one.
    fn note_copied(&mut self, call: Value<'m>) {
        let is_local = |value: &Value<'m>| {
            value.opcode() == Some(Opcode::LLVMAlloca) && value.pointee().is_some_and(is_descriptor)
        };
        self.note(copied(call).filter(|(to, _)| is_local(to)).map(|(_, from)| from));
    }

    /// Determines the sizes of elements from the accesses to them, once scalars are in registers.
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

    /// Returns the descriptor of the array that an address points into, and the type of its elements.
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

    /// Names an allocation by the variable whose descriptor its address is written to, directly or through a copy.
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

    /// Names arrays by the variables that their addresses belong to, where the descriptors have no name.
    pub(crate) fn name_arrays(&mut self, function: Value<'m>, places: &Places<'m>) {
        for load in instructions(function).filter(|i| i.opcode() == Some(Opcode::LLVMLoad)) {
            let object = load.operand(0).map(start_of).filter(|object| self.contains(*object));
            let unnamed = object.filter(|object| places.name(*object).is_none() && load.r#type().is_pointer());
            self.names.extend(unnamed.zip(places.name(load)));
        }
    }

    /// Returns the name of the array of a descriptor, or of one that a call allocates.
    pub(crate) fn name(&self, value: Value<'m>) -> Option<&String> {
        self.names.get(&value)
    }

    /// Returns true if an argument or global is a descriptor.
    pub(crate) fn contains(&self, object: Value<'m>) -> bool {
        self.elements.contains_key(&object)
    }

    /// Returns the bytes of an element of the array of a descriptor.
    pub(crate) fn element(&self, object: Value<'m>) -> Option<i64> {
        self.elements.get(&object).copied().flatten()
    }
}

/// Returns true for a call that copies the descriptor of a component of a structure: its parts would count as accesses.
pub(crate) fn copies_component(call: Value<'_>) -> bool {
    let is_local =
        |value: Value<'_>| value.opcode() == Some(Opcode::LLVMAlloca) && value.pointee().is_some_and(is_descriptor);
    copied(call).is_some_and(|(to, from)| is_local(to) && from.opcode() == Some(Opcode::LLVMGetElementPtr))
}

/// Returns destination and source of a `memcpy`.
fn copied(call: Value<'_>) -> Option<(Value<'_>, Value<'_>)> {
    let (_, arguments) = call.call().filter(|(callee, _)| callee.name().starts_with("llvm.memcpy"))?;
    arguments.first().copied().zip(arguments.get(1).copied())
}

/// Returns the object that an address is the start of; else the address itself.
fn start_of(address: Value<'_>) -> Value<'_> {
    let is_start = address.operands().iter().skip(1).all(|index| index.constant() == Some(0));
    let object = address.operand(0).filter(|_| address.opcode() == Some(Opcode::LLVMGetElementPtr) && is_start);
    object.unwrap_or(address)
}

/// Returns the address that is inserted into a descriptor.
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

/// Returns true if a value read from a descriptor has a use other than an unused part of a copy.
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

/// Returns true for flang's type of a descriptor: an address, the size of an element, five numbers, the dimensions.
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
    function.instructions()
}
