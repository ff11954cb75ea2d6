//! Preparation of a function for the walk: callees inlined, scalars in registers, loops in their simplest form.
//!
//! `sroa` puts scalars into registers; the loads and stores that are left are those of the source. They are marked
//! volatile, so that later passes do not merge, move or remove them: `simplifycfg` folds `a && b` into one condition,
//! `lcssa` adds a phi for each value that is used after its loop.

use std::collections::BTreeSet;

use inkwell::module::Module;
use symloc_frontend::{Diagnostic, Kind, library};

use crate::input::structures;
use crate::ir::ffi::{self, Value};
use crate::memory::choices;

/// Inlines callees with a body into `function`.
pub(crate) fn inline<'m>(module: &'m Module<'_>, function: Value<'m>) -> Result<(), Diagnostic> {
    let context = ffi::context_of(module);
    let reached = reached_from(module, function);
    for other in ffi::functions(module) {
        for attribute in ["optnone", "noinline"] {
            other.remove_attribute(attribute);
        }
        if reached.contains(&other) && other != function {
            other.add_attribute(context, "alwaysinline");
        }
    }
    run(|| ffi::run_passes(module, "always-inline"))?;
    end_at_errors(module, function);
    Ok(())
}

/// Returns the functions with a body that a function calls or mentions, and those that these do. To inline all others where they
/// are called takes minutes in a file of thousands of functions.
fn reached_from<'m>(module: &'m Module<'_>, function: Value<'m>) -> BTreeSet<Value<'m>> {
    let bodies: BTreeSet<Value<'m>> = ffi::functions(module).into_iter().filter(|other| other.has_body()).collect();
    let (mut reached, mut open) = (BTreeSet::new(), vec![function]);
    while let Some(next) = open.pop() {
        for mentioned in next.instructions().flat_map(|instruction| instruction.operands()) {
            if bodies.contains(&mentioned) && reached.insert(mentioned) {
                open.push(mentioned);
            }
        }
    }
    reached
}

/// Ends the function at calls that end the program, so that their arguments may stay in registers.
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

/// Puts scalars into registers, and the members of local structures.
pub(crate) fn promote(module: &Module<'_>, function: Value<'_>) -> Result<(), Diagnostic> {
    // Pointers in variables come first: what they point at may be a local structure.
    run(|| ffi::run_passes_on(function, "mem2reg"))?;
    structures::copy_members(module, function);
    run(|| ffi::run_passes_on(function, "sroa"))?;
    if choices::resolve(module, function) {
        run(|| ffi::run_passes_on(function, "sroa"))?;
    }
    structures::remove_copies_of_nothing(function);
    structures::separate_members(function);
    Ok(())
}

/// Replaces repeated reads by the first one.
pub(crate) fn merge_reads(function: Value<'_>) -> Result<(), Diagnostic> {
    run(|| ffi::run_passes_on(function, "early-cse<memssa>"))
}

/// Puts scalars into registers, but not structures of them.
pub(crate) fn promote_scalars(function: Value<'_>) -> Result<(), Diagnostic> {
    run(|| ffi::run_passes_on(function, "mem2reg"))
}

/// The amount of simplification before loops are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Conditions and counters stay as in the source.
    Plain,
    /// The results of inlined iterators are simplified.
    Combined,
}

/// The treatment of constants before loops are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Constants {
    /// They stay where the source has them.
    Kept,
    /// They are folded, as a compiler does with those in the source.
    Folded,
}

/// Brings loops into their simplest form.
pub(crate) fn simplify(function: Value<'_>, effort: Effort, constants: Constants) -> Result<(), Diagnostic> {
    let instructions = || function.instructions();
    instructions().for_each(|access| access.set_volatile(true));
    if effort == Effort::Combined {
        // Calls that only describe pointers keep the passes from threading a branch through their blocks.
        instructions().filter(|call| call.is_remark()).for_each(ffi::erase_call);
        for _ in 0..2 {
            run(|| ffi::run_passes_on(function, COMBINE))?;
        }
    }
    let passes = match constants {
        Constants::Folded => "instsimplify,simplifycfg,lcssa",
        Constants::Kept => "simplifycfg,lcssa",
    };
    run(|| ffi::run_passes_on(function, passes))
}

/// Passes that use the conditions of branches after them, and simplify computations.
const COMBINE: &str = "jump-threading,correlated-propagation,instcombine<no-verify-fixpoint>,simplifycfg";

fn run(passes: impl FnOnce() -> Result<(), String>) -> Result<(), Diagnostic> {
    passes().map_err(|message| Diagnostic::new(Kind::Internal, None, format!("LLVM's passes: {message}")))
}
