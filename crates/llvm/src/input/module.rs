//! The function in a module that a request is about.

use inkwell::module::Module;
use symloc_affine::Location;
use symloc_frontend::{AssignedVariable, Diagnostic};

use crate::input::options::Options;
use crate::input::request::Request;
use crate::input::rules::marked;
use crate::input::{prepare, select, unsupported};
use crate::ir::ffi::{self, DataLayout, Opcode, Value};
use crate::ir::places::Places;
use crate::memory::assigned::assigned;
use crate::memory::descriptors::Descriptors;
use crate::memory::registers::{self, Registers, Slot};

/// A function with its variables in registers.
pub(crate) struct Prepared<'m> {
    pub(crate) function: Value<'m>,
    /// The variables that stay in slots on the stack.
    pub(crate) slots: Vec<Slot>,
    pub(crate) descriptors: Descriptors<'m>,
    /// The local arrays that are in registers, with their places: their subscripts are constants.
    pub(crate) unrolled: Vec<(String, Option<Location>)>,
    /// The local variables that are in registers and assigned to, if the source has threads.
    pub(crate) assigned: Vec<AssignedVariable>,
}

impl Request<'_> {
    /// Chooses the function that the options name, or the one with `#pragma scop`, or the only one.
    pub(crate) fn chosen<'m>(&self, module: &'m Module<'_>) -> Result<Value<'m>, Diagnostic> {
        let is_marked = |function| marked(self, function, &self.places(function)).is_some();
        select::select(&ffi::functions(module), self.options.function.as_deref(), is_marked, self.text())
    }

    /// Chooses a function, inlines its callees and puts its variables into registers.
    pub(crate) fn prepared<'m>(&self, module: &'m Module<'_>) -> Result<Prepared<'m>, Vec<Diagnostic>> {
        let one = |error| vec![error];
        let Options { registers, ignored_calls, .. } = self.options;
        let function = self.chosen(module).map_err(one)?;
        prepare::inline(module, function).map_err(one)?;
        let places = self.places(function);
        unsupported::check_accesses(function, &places)?;
        let mut descriptors = Descriptors::of(function, &places);
        name_locals(function, &places);
        let before = local_arrays(function, &places);
        let has_threads = !self.options.circumstances.constructs.is_empty() && *registers == Registers::Source;
        let assigned = if has_threads { assigned(function, &places) } else { Vec::new() };
        let promote = || match registers {
            Registers::None => prepare::promote_scalars(function),
            Registers::Source | Registers::Optimized => prepare::promote(module, function),
        };
        let mut slots = match registers {
            Registers::None => registers::mark_locals(module, function, &places, promote).map_err(one)?,
            Registers::Source | Registers::Optimized => {
                promote().map_err(one)?;
                Vec::new()
            }
        };
        let locals = slots.len();
        registers::mark_globals(module, function, &places, ignored_calls, &mut slots);
        if slots.len() > locals {
            promote().map_err(one)?;
        }
        descriptors.measure(function, &DataLayout::of(module));
        // What is left of an array that is split is called after it: `w.sroa.0`.
        let left: Vec<&str> = allocas(function).map(Value::name).collect();
        let is_left = |name: &str| left.iter().any(|left| left.split(".sroa").next() == Some(name));
        let gone = before.into_iter().filter(|array| !is_left(&array.alloca) && *registers == Registers::Source);
        let unrolled = gone.map(|array| (array.name, array.location)).collect();
        // Accesses to variables that stay in memory are compared with each other.
        let assigned = assigned.into_iter().filter(|local| !left.contains(&local.alloca.as_str()));
        let assigned = assigned.map(|local| local.variable).collect();
        Ok(Prepared { function, slots, descriptors, unrolled, assigned })
    }
}

/// A local array.
struct LocalArray {
    /// LLVM's name of it, which goes with the array.
    alloca: String,
    /// Its name in the source.
    name: String,
    location: Option<Location>,
}

fn allocas(function: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    function.instructions().filter(|instruction| instruction.opcode() == Some(Opcode::LLVMAlloca))
}

/// Gives local variables without a name in LLVM, as flang makes them, that of the source: so they are known when others are gone.
fn name_locals<'m>(function: Value<'m>, places: &Places<'m>) {
    for local in allocas(function).filter(|local| local.name().is_empty()) {
        places.name(local).inspect(|name| local.set_name(name));
    }
}

/// Returns the local arrays of a function that have a name in the source.
fn local_arrays<'m>(function: Value<'m>, places: &Places<'m>) -> Vec<LocalArray> {
    let arrays = allocas(function).filter(|alloca| alloca.pointee().is_some_and(|kind| kind.array().is_some()));
    let named = arrays.filter_map(|alloca| {
        Some(LocalArray { alloca: alloca.name().to_owned(), name: places.name(alloca)?, location: places.of(alloca) })
    });
    named.collect()
}
