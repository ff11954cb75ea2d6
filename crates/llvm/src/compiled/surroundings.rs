//! The surroundings of an executable function: aligned variables, allocation, and an end where it would not return.

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::module::{Linkage, Module};
use inkwell::types::AnyTypeEnum;
use inkwell::values::{BasicValueEnum, FunctionValue};

use crate::ir::ffi::{Opcode, Value};

/// The function that ends the program where it would not return: a failed assertion, a panic.
const STOP: &str = "symloc_stop";

/// The functions for allocation, with their replacements in the program around the function, which align blocks to
/// lines.
const ALLOCATION: [(&str, &str); 11] = [
    ("malloc", "symloc_malloc"),
    ("calloc", "symloc_calloc"),
    ("aligned_alloc", "symloc_aligned_alloc"),
    ("memalign", "symloc_aligned_alloc"),
    ("_Znwm", "symloc_malloc"),
    ("_Znam", "symloc_malloc"),
    ("free", "symloc_free"),
    ("_ZdlPv", "symloc_free"),
    ("_ZdlPvm", "symloc_free"),
    ("_ZdaPv", "symloc_free"),
    ("_ZdaPvm", "symloc_free"),
];

/// The alignment of variables in bytes; they start a line for every line size up to it.
pub const ALIGNMENT: u32 = 4096;

/// Aligns global and local variables to lines.
pub(crate) fn align(module: &Module<'_>, function: Value<'_>) {
    for variable in module.get_globals() {
        let is_thread_local = variable.is_thread_local();
        if !is_thread_local && variable.get_initializer().is_some() {
            variable.set_alignment(ALIGNMENT.max(variable.get_alignment()));
        }
    }
    let instructions = function.instructions();
    instructions.filter(|i| i.opcode() == Some(Opcode::LLVMAlloca)).for_each(|i| i.set_alignment(ALIGNMENT));
}

/// Defines the variables of other files whose size is known.
pub(crate) fn define(module: &Module<'_>) {
    for variable in module.get_globals().filter(|variable| variable.get_initializer().is_none()) {
        let zeros: Option<BasicValueEnum<'_>> = match variable.get_value_type() {
            AnyTypeEnum::ArrayType(kind) if !kind.is_empty() => Some(kind.const_zero().into()),
            AnyTypeEnum::IntType(kind) => Some(kind.const_zero().into()),
            AnyTypeEnum::FloatType(kind) => Some(kind.const_zero().into()),
            _ => None,
        };
        if let Some(zeros) = zeros {
            variable.set_initializer(&zeros);
            variable.set_linkage(Linkage::Internal);
            variable.set_alignment(ALIGNMENT);
        }
    }
}

/// Renames allocation to its replacements, and the source's `main`.
pub(crate) fn rename(module: &Module<'_>) {
    for (name, new) in ALLOCATION {
        let Some(function) = module.get_function(name).filter(|function| function.count_basic_blocks() == 0) else {
            continue;
        };
        match module.get_function(new) {
            // A call has its own signature, so that of the function does not matter.
            Some(known) => function.replace_all_uses_with(known),
            None => function.as_global_value().set_name(new),
        }
    }
    if let Some(main) = module.get_function("main") {
        main.as_global_value().set_name("symloc_main_of_the_source");
    }
}

/// Removes what LLVM knows of the effects of the module's functions: an instrumented function has others, and a call of one that only
/// reads would be left out.
pub(crate) fn forget_effects(module: &Module<'_>) {
    for function in module.get_functions().filter(|function| function.count_basic_blocks() > 0) {
        for name in ["memory", "willreturn"] {
            function.remove_enum_attribute(AttributeLoc::Function, Attribute::get_named_enum_kind_id(name));
        }
    }
}

/// Defines functions that never return: they end the program.
pub(crate) fn stop(module: &Module<'_>) {
    let context = module.get_context();
    let kind = Attribute::get_named_enum_kind_id("noreturn");
    let declared =
        |function: &FunctionValue<'_>| function.count_basic_blocks() == 0 && function.get_intrinsic_id() == 0;
    let never = |function: &FunctionValue<'_>| function.get_enum_attribute(AttributeLoc::Function, kind).is_some();
    for function in module.get_functions().filter(|f| declared(f) && never(f)).collect::<Vec<_>>() {
        let stop = module.get_function(STOP);
        let stop = stop.unwrap_or_else(|| module.add_function(STOP, context.void_type().fn_type(&[], false), None));
        let builder = context.create_builder();
        builder.position_at_end(context.append_basic_block(function, "entry"));
        function.set_linkage(Linkage::Internal);
        // Building fails only if a builder has no position.
        let _ = builder.build_call(stop, &[], "");
        let _ = builder.build_unreachable();
    }
}
