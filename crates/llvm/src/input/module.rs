//! The function in a module that a request is about.

use inkwell::module::Module;
use symloc_frontend::Diagnostic;

use crate::input::options::Options;
use crate::input::request::Request;
use crate::input::rules::marked;
use crate::input::{prepare, select, unsupported};
use crate::ir::ffi::{self, DataLayout, Value};
use crate::memory::descriptors::Descriptors;
use crate::memory::registers::{self, Registers, Slot};

/// A function with its variables in registers.
pub(crate) struct Prepared<'m> {
    pub(crate) function: Value<'m>,
    /// The variables that stay in slots on the stack.
    pub(crate) slots: Vec<Slot>,
    pub(crate) descriptors: Descriptors<'m>,
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
        let slots = registers::mark(module, function, &places, *registers, ignored_calls);
        let mut descriptors = Descriptors::of(function, &places);
        match registers {
            Registers::None => prepare::promote_scalars(function),
            Registers::Source | Registers::Optimized => prepare::promote(module, function),
        }
        .map_err(one)?;
        descriptors.measure(function, &DataLayout::of(module));
        Ok(Prepared { function, slots, descriptors })
    }
}
