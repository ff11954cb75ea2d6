//! Calls that are left after inlining.

use symloc_affine::{AccessKind, AssumptionKind, Node as Tree};
use symloc_frontend::cases::Cases;
use symloc_frontend::{Diagnostic, Kind, library};

use crate::ir::ffi::{Opcode, Value};
use crate::ir::library::{ALLOCATES, COPIES, NOTHING, forbidden};
use crate::memory::base_objects::Overlap;
use crate::memory::registers::{self, Touch};
use crate::values::lattice::{Known, Pointer};
use crate::walk::instructions::counted;
use crate::walk::mix;
use crate::walk::walker::Walker;

impl<'m> Walker<'m, '_> {
    /// Walks a call that was not inlined.
    #[must_use]
    pub(crate) fn call(&mut self, call: Value<'m>) -> Vec<Tree> {
        if let Some(touch) = registers::touch(call) {
            return self.slot(call, &touch);
        }
        if let Some(global) = registers::initial(call) {
            let root = self.values.object(global, Overlap::Never);
            let known = self.values.size_in_memory(call, root, 0);
            self.values.set(call, known);
            return Vec::new();
        }
        let Some((callee, arguments)) = call.call() else { return Vec::new() };
        if callee.is_inline_assembly() {
            let why = "its reads and writes are not known";
            self.refuse_with(call, "inline assembly is not supported", why, Some("write it in C for the analysis"));
            return Vec::new();
        }
        if !callee.is_function() {
            return self.unknown_call(call, "", library::indirect());
        }
        let name = callee.name();
        if let Some(intrinsic) = name.strip_prefix("llvm.") {
            let stem = intrinsic.split('.').next().unwrap_or(intrinsic);
            return self.intrinsic_call(call, name, stem, &arguments);
        }
        if ALLOCATES.contains(&name) {
            return self.allocation(call, name);
        }
        if COPIES.contains(&name) && !callee.has_body() {
            self.values.define(call);
            if let Some(to) = arguments.first().and_then(|to| self.values.pointer(*to).ok()) {
                self.values.set(call, Known::Pointer(to));
            }
            return self.bulk(call, name, &arguments);
        }
        let scalars = arguments.iter().all(|argument| !argument.r#type().is_pointer());
        // A printed string may be an array, unless it is a constant of the program.
        let constant = |argument: &Value<'m>| !argument.r#type().is_pointer() || argument.is_constant_global();
        let printed = library::prints(name) && arguments.iter().all(constant);
        let printed = printed || prints_in_fortran(name);
        let harmless = library::is_pure(name) || printed || scalars && call.touches_no_memory();
        if harmless {
            self.values.define(call);
            return counted(Some(if self.counts(call) { mix::flops(call) } else { 0 }));
        }
        if callee.has_body() {
            let why = format!("`{name}` calls itself, or could not be inlined");
            self.refuse_with(call, "a recursive call is not supported", why, Some("write it as a loop"));
            return Vec::new();
        }
        let error = match name {
            _ if name.starts_with("__kmpc_") || name.starts_with("GOMP_") => outlined(name),
            _ if name.starts_with("_FortranA") => of_fortran(name),
            _ => library::unknown(name),
        };
        self.unknown_call(call, name, error)
    }

    /// Returns an access to a variable on the stack.
    #[must_use]
    fn slot(&mut self, at: Value<'m>, touch: &Touch) -> Vec<Tree> {
        match self.values.slot(touch.slot) {
            Some(root) if self.counts(at) && self.recorder.is_none() => {
                if touch.kind == AccessKind::Write {
                    self.recent.clear();
                }
                vec![self.element(at, touch.kind, Pointer::to(root), touch.bytes)]
            }
            _ => Vec::new(),
        }
    }

    #[must_use]
    fn unknown_call(&mut self, call: Value<'m>, name: &str, error: Diagnostic) -> Vec<Tree> {
        if library::is_ignored(&self.rules.ignored_calls, name) && self.counts(call) {
            self.assuming(call, AssumptionKind::IgnoredCall, library::ignored(name));
        } else {
            self.report(call, error);
        }
        self.values.define(call);
        Vec::new()
    }

    #[must_use]
    fn intrinsic_call(&mut self, call: Value<'m>, name: &str, stem: &str, arguments: &[Value<'m>]) -> Vec<Tree> {
        match stem {
            _ if COPIES.contains(&stem) => self.bulk(call, stem, arguments),
            "va_start" | "va_end" | "va_copy" => {
                self.report(call, forbidden(Opcode::LLVMVAArg));
                Vec::new()
            }
            "masked" | "vp" | "gather" | "scatter" => {
                let why = "which lanes it touches depends on its mask";
                self.refuse_with(
                    call,
                    format!("`{name}` is not supported"),
                    why,
                    Some("analyse the loops before they are vectorised"),
                );
                Vec::new()
            }
            _ if NOTHING.contains(&stem) => {
                self.values.define(call);
                Vec::new()
            }
            _ => {
                self.values.define(call);
                counted(Some(if self.counts(call) { mix::flops(call) } else { 0 }))
            }
        }
    }

    #[must_use]
    fn allocation(&mut self, call: Value<'m>, name: &str) -> Vec<Tree> {
        let inside = self.cfg.is_in_loop(call);
        if inside {
            let why = "each iteration allocates memory, which may differ from that of the iteration before";
            self.refuse_with(
                call,
                format!("`{name}` inside a loop is not supported"),
                why,
                Some("allocate before the loops"),
            );
        }
        let root = self.values.object(call, Overlap::Never);
        self.values.set(call, Known::Pointer(Cases::Always(Pointer::to(root))));
        Vec::new()
    }
}

/// Returns the error for a call of OpenMP's runtime.
fn outlined(name: &str) -> Diagnostic {
    let why = "the compiler has made functions of the bodies of parallel loops, which OpenMP's runtime calls";
    unsupported(name).note(why).hint("make the file without -fopenmp, or give the source")
}

/// Returns the error for a call of Fortran's runtime.
fn of_fortran(name: &str) -> Diagnostic {
    let why = "it belongs to Fortran's runtime, whose accesses to arrays are not known";
    unsupported(name)
        .note(why)
        .hint(format!("write it as loops, or leave it out with --ignore-calls {name} if it touches none of the arrays"))
}

fn unsupported(name: &str) -> Diagnostic {
    Diagnostic::new(Kind::Unsupported, None, format!("a call of `{name}` is not supported"))
}

/// Returns true for a part of a Fortran output statement that takes single values.
fn prints_in_fortran(name: &str) -> bool {
    const PARTS: [&str; 7] =
        ["Begin", "End", "OutputInteger", "OutputReal", "OutputComplex", "OutputLogical", "OutputAscii"];
    name.strip_prefix("_FortranAio").is_some_and(|part| PARTS.iter().any(|known| part.starts_with(known)))
}
