//! Roots: the objects in memory that addresses are derived from.
//!
//! A root is an argument, a global, a local array, an allocation, or the target of a pointer in memory that is never
//! written. Different roots are assumed not to overlap; a note says so where the source does not promise it.

use std::collections::BTreeMap;

use symloc_affine::Location;

use crate::ir::ffi::{Opcode, Type, Value};

/// The number of an object in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RootId(pub(crate) usize);

/// The origin of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin<'m> {
    /// An argument, a global, an `alloca` or a call that allocates.
    Value(Value<'m>),
    /// The target of the pointer at this byte of another root.
    Loaded(RootId, i64),
    /// The slot of a variable on the stack, by its number.
    Slot(usize),
    /// The targets of all pointers of another root.
    Rows(RootId),
}

impl<'m> Origin<'m> {
    /// Returns the `alloca` of a local variable.
    pub(crate) fn local(self) -> Option<Value<'m>> {
        match self {
            Self::Value(value) => (value.opcode() == Some(Opcode::LLVMAlloca)).then_some(value),
            _ => None,
        }
    }
}

/// The knowledge of whether an object overlaps others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overlap {
    /// It overlaps no other one.
    Never,
    /// It may, and is assumed not to.
    Possible,
}

/// An object in memory.
#[derive(Clone, Debug)]
pub(crate) struct Root<'m> {
    pub(crate) origin: Origin<'m>,
    /// Its name in the source, or empty.
    pub(crate) name: String,
    pub(crate) location: Location,
    /// The declared type; `None` for a pointer's target.
    pub(crate) declared: Option<Type<'m>>,
    pub(crate) overlap: Overlap,
}

/// All objects that have been met.
#[derive(Default)]
pub(crate) struct Roots<'m> {
    list: Vec<Root<'m>>,
    by_origin: BTreeMap<Origin<'m>, RootId>,
}

impl<'m> Roots<'m> {
    /// Returns the number of an object, which may be new.
    pub(crate) fn intern(&mut self, root: Root<'m>) -> RootId {
        *self.by_origin.entry(root.origin).or_insert_with(|| {
            self.list.push(root);
            RootId(self.list.len() - 1)
        })
    }

    /// Returns the number of an object that has been met.
    pub(crate) fn find(&self, origin: Origin<'m>) -> Option<RootId> {
        self.by_origin.get(&origin).copied()
    }

    pub(crate) fn get(&self, id: RootId) -> &Root<'m> {
        &self.list[id.0]
    }
}
