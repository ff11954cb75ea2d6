//! Integers that are stored into a small array and loaded again, such as the shape of a `memref.reshape`.
//!
//! A load returns the integer that was stored last, if the allocation has no other uses and all stores are in its own
//! block: they are executed in the order of the text.

use melior::ir::ValueLike;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::{MemRefType, ShapedTypeLike};
use symloc_affine::Expr;
use symloc_frontend::cases::Cases;

use super::{Known, Values};
use crate::ffi::{self, Definition, Op, Val, definition, is_integer};

impl<'a> Values<'a, '_> {
    /// Visits an allocation, whose elements become unknown.
    pub(crate) fn allocated(&mut self, op: Op<'a>) {
        if let Some(array) = op.results().next().map(Val::from) {
            self.stored.remove(&ffi::value_key(array));
        }
    }

    /// Visits a store.
    pub(crate) fn remember(&mut self, op: Op<'a>) {
        let operands: Vec<_> = op.operands().collect();
        let [value, array, ..] = operands.as_slice() else { return };
        let (value, array) = (*value, *array);
        if !is_integer(value.r#type()) || !self.holds_numbers(array) {
            return;
        }
        let (subscripts, known) = (self.constant_subscripts(op, &operands[2..]), self.known_index(value));
        let elements = self.stored.entry(ffi::value_key(array)).or_default();
        match (subscripts, known) {
            (Some(subscripts), Ok(known)) => drop(elements.insert(subscripts, known)),
            (Some(subscripts), Err(_)) => drop(elements.remove(&subscripts)),
            (None, _) => elements.clear(),
        }
    }

    /// Visits a load.
    pub(crate) fn recall(&mut self, op: Op<'a>) {
        let operands: Vec<_> = op.operands().collect();
        let (Some((array, indices)), Some(result)) = (operands.split_first(), op.results().next()) else { return };
        let subscripts = if self.stored.is_empty() { None } else { self.constant_subscripts(op, indices) };
        let known = subscripts.and_then(|subscripts| self.element(*array, &subscripts));
        self.set(result.into(), known.map(Known::Index));
    }

    /// Returns the integer in an element of an array.
    pub(crate) fn element(&self, array: Val<'a>, subscripts: &[i64]) -> Option<Cases<Expr>> {
        self.stored.get(&ffi::value_key(array))?.get(subscripts).cloned()
    }

    /// Returns the subscripts of a load or store, if they are constants.
    fn constant_subscripts(&self, op: Op<'a>, indices: &[Val<'a>]) -> Option<Vec<i64>> {
        let map = op.attribute("map").ok().and_then(ffi::affine_map);
        let constant = |cases: Cases<Expr>| match cases {
            Cases::Always(expr) => expr.as_constant(),
            Cases::When(_) => None,
        };
        match map {
            Some(map) => self.map(op, map, indices).into_iter().map(|value| constant(value.ok()?)).collect(),
            None => indices.iter().map(|index| constant(self.known_index(*index).ok()?)).collect(),
        }
    }

    /// Returns true for a small allocation that is only stored to in its own block, loaded from, freed, and used as a
    /// shape.
    fn holds_numbers(&self, array: Val<'a>) -> bool {
        let Definition::Result { op: allocation } = definition(array) else { return false };
        let is_small = MemRefType::try_from(array.r#type()).is_ok_and(|kind| kind.has_static_shape());
        if !is_small || !["memref.alloc", "memref.alloca"].contains(&ffi::name(allocation).as_str()) {
            return false;
        }
        let is_followed = |user: Op<'a>| {
            let positions: Vec<_> =
                user.operands().enumerate().filter(|(_, value)| *value == array).map(|u| u.0).collect();
            match (ffi::name(user).as_str(), positions.as_slice()) {
                (_, []) | ("memref.load" | "affine.load" | "memref.dealloc", [0]) | ("memref.reshape", [1]) => true,
                ("memref.store" | "affine.store", [1]) => user.block() == allocation.block(),
                _ => false,
            }
        };
        allocation.parent_operation().is_some_and(|parent| ffi::all_within(parent).into_iter().all(is_followed))
    }
}
