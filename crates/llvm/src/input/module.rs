//! A module in LLVM IR, and the function in it that a request is about.

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use symloc_frontend::{Diagnostic, Kind, Source, Text};

use crate::input::options::Options;
use crate::input::rules::marked;
use crate::input::{prepare, select};
use crate::ir::ffi::{self, DataLayout, Value};
use crate::ir::places::Places;
use crate::memory::descriptors::Descriptors;
use crate::memory::registers::{self, Registers, Slot};

/// A file with its LLVM IR, and the options.
#[derive(Clone, Copy)]
pub(crate) struct Request<'r> {
    /// The user's file, for messages.
    pub(crate) source: &'r Source,
    /// Text or bitcode.
    pub(crate) ir: &'r [u8],
    pub(crate) options: &'r Options,
}

/// A function with its variables in registers.
pub(crate) struct Prepared<'m> {
    pub(crate) function: Value<'m>,
    /// The variables that stay in slots on the stack.
    pub(crate) slots: Vec<Slot>,
    pub(crate) descriptors: Descriptors<'m>,
}

impl<'r> Request<'r> {
    /// Returns the text of the source; empty for bitcode.
    pub(crate) fn text(&self) -> &'r str {
        std::str::from_utf8(&self.source.bytes).unwrap_or_default()
    }

    /// Returns the texts that locations refer to.
    pub(crate) fn texts(&self) -> Vec<Text> {
        vec![Text { name: self.source.name.clone(), text: self.text().to_owned() }]
    }

    /// Returns the names and places of a function.
    pub(crate) fn places<'m>(&self, function: Value<'m>) -> Places<'m> {
        Places::new(function, &self.source.name, self.text())
    }

    /// Reads the module.
    pub(crate) fn module<'c>(&self, context: &'c Context) -> Result<Module<'c>, Diagnostic> {
        let name = &self.source.name;
        let buffer = MemoryBuffer::create_from_memory_range_copy(self.ir, name);
        context.create_module_from_ir(buffer).map_err(|message| {
            let message = message.to_string();
            let message = message.trim().strip_prefix(&format!("{name}:")).unwrap_or(&message).trim().to_owned();
            let error = Diagnostic::new(Kind::Syntax, None, format!("LLVM 22 cannot read this: {message}"));
            error.hint("make the file with LLVM 22 or an earlier version, or give the source")
        })
    }

    /// Returns true if rustc has made the module.
    pub(crate) fn is_rust(&self) -> bool {
        let context = Context::create();
        let module = self.module(&context);
        module.is_ok_and(|module| ffi::made_by(&module).any(|name| name.starts_with("rustc")))
    }

    /// Chooses the function that the options name, or the one with `#pragma scop`, or the only one.
    pub(crate) fn chosen<'m>(&self, module: &'m Module<'_>) -> Result<Value<'m>, Diagnostic> {
        let is_marked = |function| marked(self, function, &self.places(function)).is_some();
        select::select(&ffi::functions(module), self.options.function.as_deref(), is_marked, self.text())
    }

    /// Chooses a function, inlines its callees and puts its variables into registers.
    pub(crate) fn prepared<'m>(&self, module: &'m Module<'_>) -> Result<Prepared<'m>, Diagnostic> {
        let Options { registers, ignored_calls, .. } = self.options;
        let function = self.chosen(module)?;
        prepare::inline(module, function)?;
        let places = self.places(function);
        let slots = registers::mark(module, function, &places, *registers, ignored_calls);
        let mut descriptors = Descriptors::of(function, &places);
        match registers {
            Registers::None => prepare::promote_scalars(function)?,
            Registers::Source | Registers::Optimized => prepare::promote(function)?,
        }
        descriptors.measure(function, &DataLayout::of(module));
        Ok(Prepared { function, slots, descriptors })
    }
}
