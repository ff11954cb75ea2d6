//! From a module to a function that can be read: callees inlined, scalars in registers, loops in their simplest form.
//!
//! `sroa` puts scalars into registers; the loads and stores that are left are those of the source. They are marked volatile,
//! so that nothing after that merges, moves or drops one: `simplifycfg` folds `a && b` into one condition,
//! `lcssa` gives a phi for each value that is used behind its loop.

use inkwell::module::Module;
use symloc_frontend::{Diagnostic, Kind, library};

use crate::ffi::{self, Value};

/// Inlines what has a body into `function`.
pub(crate) fn inline<'m>(module: &'m Module<'_>, function: Value<'m>) -> Result<(), Diagnostic> {
    let context = ffi::context_of(module);
    for other in ffi::functions(module) {
        for attribute in ["optnone", "noinline"] {
            other.set_attribute(context, attribute, false);
        }
        if other.has_body() && other != function {
            other.set_attribute(context, "alwaysinline", true);
        }
    }
    run(|| ffi::run_passes(module, "always-inline"))?;
    end_at_errors(module, function);
    Ok(())
}

/// Lets the function end where it calls one that ends the program: what is passed to it stays in registers.
fn end_at_errors(module: &Module<'_>, function: Value<'_>) {
    let ends = |call: Value<'_>| {
        call.call().is_some_and(|(callee, _)| !callee.has_body() && library::ends_program(callee.name()))
    };
    for block in function.blocks() {
        if let Some(call) = block.instructions().into_iter().find(|instruction| ends(*instruction)) {
            ffi::end_at(module, block, call);
        }
    }
}

/// Puts scalars into registers.
pub(crate) fn promote(function: Value<'_>) -> Result<(), Diagnostic> {
    run(|| ffi::run_passes_on(function, "sroa"))
}

/// Puts what is read again into the register of the first read.
pub(crate) fn merge_reads(function: Value<'_>) -> Result<(), Diagnostic> {
    run(|| ffi::run_passes_on(function, "early-cse<memssa>"))
}

/// Puts scalars into registers, but not structures of them.
pub(crate) fn promote_scalars(function: Value<'_>) -> Result<(), Diagnostic> {
    run(|| ffi::run_passes_on(function, "mem2reg"))
}

/// How far conditions and counters are simplified before loops are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// As the source has them.
    Plain,
    /// What iterators return is seen through.
    Combined,
}

/// Brings loops into their simplest form; where there are new constants, what is computed from them is folded first, as a compiler does
/// with constants in the source.
pub(crate) fn simplify(function: Value<'_>, effort: Effort, fold: bool) -> Result<(), Diagnostic> {
    let instructions = || function.blocks().into_iter().flat_map(|block| block.instructions());
    instructions().for_each(|instruction| instruction.set_volatile(true));
    if effort == Effort::Combined {
        // Such calls say something of pointers, and keep the passes from following a branch through their blocks.
        instructions().filter(|call| is_remark(*call)).for_each(ffi::erase_call);
        for _ in 0..2 {
            run(|| ffi::run_passes_on(function, COMBINE))?;
        }
    }
    let passes = if fold { "instsimplify,simplifycfg,lcssa" } else { "simplifycfg,lcssa" };
    run(|| ffi::run_passes_on(function, passes))
}

/// What a branch says is used behind it, and what is computed in a roundabout way becomes what it is.
const COMBINE: &str = "jump-threading,correlated-propagation,instcombine<no-verify-fixpoint>,simplifycfg";

fn is_remark(instruction: Value<'_>) -> bool {
    const REMARKS: [&str; 2] = ["llvm.experimental.noalias.scope.decl", "llvm.lifetime."];
    instruction.call().is_some_and(|(callee, _)| REMARKS.iter().any(|name| callee.name().starts_with(name)))
}

/// The accesses that the source itself calls volatile or atomic.
pub(crate) fn special_accesses(function: Value<'_>) -> Vec<Value<'_>> {
    let instructions = function.blocks().into_iter().flat_map(|block| block.instructions());
    instructions.filter(|instruction| instruction.is_volatile() || instruction.is_atomic()).collect()
}

fn run(passes: impl FnOnce() -> Result<(), String>) -> Result<(), Diagnostic> {
    passes().map_err(|message| Diagnostic::new(Kind::Internal, None, format!("LLVM's passes: {message}")))
}
