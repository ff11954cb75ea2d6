//! What a reading is asked for: a file with its LLVM IR, and the options.

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use symloc_frontend::{Diagnostic, Kind, Source, Text};

use crate::input::options::Options;
use crate::ir::ffi::{self, Value};
use crate::ir::places::Places;

/// A file with its LLVM IR, and the options.
#[derive(Clone, Copy)]
pub(crate) struct Request<'r> {
    /// The user's file, for messages.
    pub(crate) source: &'r Source,
    /// Text or bitcode.
    pub(crate) ir: &'r [u8],
    pub(crate) options: &'r Options,
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
}
