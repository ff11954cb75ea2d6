//! Reading of LLVM IR: values, blocks, types and debug information by LLVM's C API.
//!
//! All `unsafe` of this crate is here. Every handle borrows the [`Module`](inkwell::module::Module) it was read from
//! (lifetime `'m`), which inkwell owns, and no part of a module is freed while a handle to it lives: passes run before
//! the first handle is made. Null in the C API becomes `None`.
#![allow(unsafe_code, reason = "the C API is how instructions are read; every block says why it is sound")]

use std::ffi::{CStr, CString, c_char};
use std::marker::PhantomData;

use inkwell::AddressSpace;
use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::debuginfo as d;
use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMBuilderRef, LLVMContextRef, LLVMTypeRef, LLVMValueRef};
use inkwell::llvm_sys::transforms::pass_builder as p;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode};
use inkwell::module::Module;
use inkwell::types::BasicMetadataTypeEnum;
use inkwell::values::{AsValueRef, BasicMetadataValueEnum, InstructionValue, IntValue, PointerValue};

mod debug;
mod types;
mod value;

pub(crate) use debug::{DebugLocation, DebugVariable, Position};
pub(crate) use inkwell::llvm_sys::LLVMIntPredicate as Predicate;
pub(crate) use inkwell::llvm_sys::LLVMOpcode as Opcode;
pub(crate) use inkwell::llvm_sys::LLVMTypeKind as TypeKind;
pub(crate) use types::DataLayout;

use debug::metadata_text;

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $raw:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) struct $name<'m>($raw, PhantomData<&'m ()>);

        impl $name<'_> {
            fn wrap(raw: $raw) -> Option<Self> {
                (!raw.is_null()).then_some(Self(raw, PhantomData))
            }
        }
    };
}

handle!(
    /// A value: an argument, an instruction, a constant or a global.
    Value,
    LLVMValueRef
);
handle!(
    /// A basic block.
    Block,
    LLVMBasicBlockRef
);
handle!(
    /// A type.
    Type,
    LLVMTypeRef
);

/// Returns the functions of a module.
pub(crate) fn functions<'m>(module: &'m Module<'_>) -> Vec<Value<'m>> {
    // SAFETY: the module lives, and so do the functions in it.
    let (first, next) = unsafe { (c::LLVMGetFirstFunction(module.as_mut_ptr()), c::LLVMGetNextFunction) };
    list(first, |value| {
        // SAFETY: `value` is a function of the module.
        unsafe { next(value) }
    })
}

fn list<'m>(first: LLVMValueRef, next: impl Fn(LLVMValueRef) -> LLVMValueRef) -> Vec<Value<'m>> {
    std::iter::successors(Value::wrap(first), |value| Value::wrap(next(value.0))).collect()
}

/// Runs passes over a module.
///
/// # Errors
///
/// LLVM's message about the pipeline.
pub(crate) fn run_passes(module: &Module<'_>, pipeline: &str) -> Result<(), String> {
    with_options(pipeline, |pipeline, options| {
        // SAFETY: module, pipeline and options live; without a target machine passes know no target.
        unsafe { p::LLVMRunPasses(module.as_mut_ptr(), pipeline, std::ptr::null_mut(), options) }
    })
}

/// Runs passes over one function.
///
/// # Errors
///
/// LLVM's message about the pipeline.
pub(crate) fn run_passes_on(function: Value<'_>, pipeline: &str) -> Result<(), String> {
    with_options(pipeline, |pipeline, options| {
        // SAFETY: as above; no handle into the function is held while its passes run.
        unsafe { p::LLVMRunPassesOnFunction(function.0, pipeline, std::ptr::null_mut(), options) }
    })
}

fn with_options(
    pipeline: &str,
    run: impl FnOnce(*const c_char, p::LLVMPassBuilderOptionsRef) -> LLVMErrorRef,
) -> Result<(), String> {
    let pipeline = CString::new(pipeline).map_err(|error| error.to_string())?;
    // SAFETY: the options are freed once, after use; an error is consumed by asking for its message, which is freed
    // once.
    unsafe {
        let options = p::LLVMCreatePassBuilderOptions();
        let error = run(pipeline.as_ptr(), options);
        p::LLVMDisposePassBuilderOptions(options);
        if error.is_null() {
            return Ok(());
        }
        let message = LLVMGetErrorMessage(error);
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(message);
        Err(text)
    }
}

/// Returns the global variables of a module.
pub(crate) fn globals<'m>(module: &'m Module<'_>) -> Vec<Value<'m>> {
    // SAFETY: the module lives, and so do the globals in it.
    let (first, next) = unsafe { (c::LLVMGetFirstGlobal(module.as_mut_ptr()), c::LLVMGetNextGlobal) };
    list(first, |value| {
        // SAFETY: `value` is a global of the module.
        unsafe { next(value) }
    })
}

/// Returns the compilers that have made a module, such as `rustc version 1.95.0`.
pub(crate) fn made_by(module: &Module<'_>) -> impl Iterator<Item = String> {
    let nodes = module.get_global_metadata("llvm.ident");
    let context = context_of(module);
    nodes.into_iter().filter_map(move |node| {
        // SAFETY: it is a node of the module, and belongs to its context.
        unsafe { metadata_text(context, c::LLVMValueAsMetadata(node.as_value_ref()), 0) }
    })
}

/// Inserts, in front of an instruction, a call of a function without a body that takes three numbers. It has the place
/// of the instruction in the source.
pub(crate) fn insert_call(module: &Module<'_>, name: &str, before: Value<'_>, numbers: [u64; 3]) {
    let context = module.get_context();
    let number = context.i64_type();
    let declared = || context.void_type().fn_type(&[number.into(); 3], false);
    let callee = module.get_function(name).unwrap_or_else(|| module.add_function(name, declared(), None));
    let numbers = numbers.map(|value| number.const_int(value, false).into());
    let builder = context.create_builder();
    // SAFETY: it is an instruction of this module; the builder, which ends here, only inserts in front of it.
    builder.position_before(&unsafe { InstructionValue::new(before.0) });
    // Building fails only if a builder has no position.
    let _ = builder.build_call(callee, &numbers, "");
}

/// Replaces a global by a variable with a given name on the stack in one function. Its initial value is the result of a call of the
/// function `initial`, which has no body; the call's argument is the only use of the global that is left.
pub(crate) fn localize(module: &Module<'_>, function: Value<'_>, (global, name): (Value<'_>, &str), initial: &str) {
    let blocks = function.blocks();
    let instructions: Vec<_> = blocks.iter().flat_map(|block| block.instructions()).collect();
    let (Some(first), Some(kind)) = (instructions.first(), global.pointee()) else { return };
    let (Ok(initial), Ok(name)) = (CString::new(initial), CString::new(name)) else { return };
    // SAFETY: all handles are those of this module, and the builder ends here. The type of the operands does not
    // change: an address takes the place of an address.
    unsafe {
        let builder = c::LLVMCreateBuilderInContext(c::LLVMGetModuleContext(module.as_mut_ptr()));
        c::LLVMPositionBuilderBefore(builder, first.0);
        let variable = c::LLVMBuildAlloca(builder, kind.0, name.as_ptr());
        for user in instructions {
            for (index, operand) in (0..).zip(user.operands()) {
                if operand == global {
                    c::LLVMSetOperand(user.0, index, variable);
                }
            }
        }
        let mut address = c::LLVMTypeOf(global.0);
        let signature = c::LLVMFunctionType(kind.0, &raw mut address, 1, 0);
        let callee = c::LLVMAddFunction(module.as_mut_ptr(), initial.as_ptr(), signature);
        let value = c::LLVMBuildCall2(builder, signature, callee, [global.0].as_mut_ptr(), 1, c"".as_ptr());
        c::LLVMBuildStore(builder, value, variable);
        c::LLVMDisposeBuilder(builder);
    }
}

/// Removes a call if its result is not used. No other handle to it may exist.
pub(crate) fn erase_call(call: Value<'_>) {
    // SAFETY: the instruction is in a block of its function, and no other instruction uses it.
    unsafe {
        if call.call().is_some() && c::LLVMGetFirstUse(call.0).is_null() {
            c::LLVMInstructionEraseFromParent(call.0);
        }
    }
}

/// Removes an instruction without effects if its result is not used. No other handle to it may exist.
pub(crate) fn erase_unused(instruction: Value<'_>) {
    // SAFETY: the instruction is in a block of its function, and no other instruction uses it.
    unsafe {
        if instruction.is_instruction() && c::LLVMGetFirstUse(instruction.0).is_null() {
            c::LLVMInstructionEraseFromParent(instruction.0);
        }
    }
}

/// Returns a constant, as the number of a variable.
pub(crate) fn constant_number<'m>(module: &Module<'_>, number: usize) -> Value<'m> {
    // SAFETY: the type is one of the module's context; a constant is not null.
    Value(unsafe { c::LLVMConstInt(c::LLVMInt32TypeInContext(context_of(module)), number as u64, 0) }, PhantomData)
}

/// Inserts, beside a `phi` or `select` of addresses, the number of the chosen one, which [`choose_number`] completes.
pub(crate) fn insert_number<'m>(module: &Module<'_>, choice: Value<'m>) -> Value<'m> {
    // SAFETY: the choice is an instruction of this module; the builder, which ends here, only inserts in front of it.
    unsafe {
        let builder = c::LLVMCreateBuilderInContext(context_of(module));
        c::LLVMPositionBuilderBefore(builder, choice.0);
        let kind = c::LLVMInt32TypeInContext(context_of(module));
        let number = match choice.opcode() {
            Some(LLVMOpcode::LLVMSelect) => {
                let none = c::LLVMConstInt(kind, 0, 0);
                // A builder folds a `select` of equal constants, which would leave nothing to complete.
                let other = c::LLVMConstInt(kind, 1, 0);
                c::LLVMBuildSelect(builder, c::LLVMGetOperand(choice.0, 0), none, other, c"".as_ptr())
            }
            _ => c::LLVMBuildPhi(builder, kind, c"".as_ptr()),
        };
        c::LLVMDisposeBuilder(builder);
        Value(number, PhantomData)
    }
}

/// Gives a number that [`insert_number`] has inserted its values, in the order of the addresses of its choice.
pub(crate) fn choose_number(choice: Value<'_>, number: Value<'_>, values: &[Value<'_>]) {
    // SAFETY: both are instructions of one kind in one block, and the values are numbers that are known where the addresses are.
    unsafe {
        match choice.opcode() {
            Some(LLVMOpcode::LLVMSelect) => {
                for (operand, value) in (1..).zip(values) {
                    c::LLVMSetOperand(number.0, operand, value.0);
                }
            }
            _ => {
                for ((block, _), value) in choice.incoming().iter().zip(values) {
                    c::LLVMAddIncoming(number.0, [value.0].as_mut_ptr(), [block.0].as_mut_ptr(), 1);
                }
            }
        }
    }
}

/// Replaces a read through a choice by reads of all variables, of which the one with this number counts.
pub(crate) fn read_numbered(module: &Module<'_>, read: Value<'_>, number: Value<'_>, variables: &[Value<'_>]) {
    // SAFETY: all handles are those of this module, the variables are of the type that is read, and the builder, which ends here,
    // inserts in front of the read, to which no other handle exists.
    unsafe {
        let builder = c::LLVMCreateBuilderInContext(context_of(module));
        c::LLVMPositionBuilderBefore(builder, read.0);
        let kind = c::LLVMTypeOf(read.0);
        let load = |variable: &Value<'_>| c::LLVMBuildLoad2(builder, kind, variable.0, c"".as_ptr());
        let value = variables.iter().zip(0..).fold(std::ptr::null_mut(), |value, (variable, place)| match place {
            0 => load(variable),
            _ => c::LLVMBuildSelect(builder, is_number(builder, number, place), load(variable), value, c"".as_ptr()),
        });
        c::LLVMDisposeBuilder(builder);
        c::LLVMReplaceAllUsesWith(read.0, value);
        c::LLVMInstructionEraseFromParent(read.0);
    }
}

/// Replaces a write through a choice by writes of all variables, of which the one with this number changes.
pub(crate) fn write_numbered(module: &Module<'_>, write: Value<'_>, number: Value<'_>, variables: &[Value<'_>]) {
    // SAFETY: as for `read_numbered`.
    unsafe {
        let builder = c::LLVMCreateBuilderInContext(context_of(module));
        c::LLVMPositionBuilderBefore(builder, write.0);
        let written = c::LLVMGetOperand(write.0, 0);
        for (variable, place) in variables.iter().zip(0..) {
            let before = c::LLVMBuildLoad2(builder, c::LLVMTypeOf(written), variable.0, c"".as_ptr());
            let is_it = is_number(builder, number, place);
            let value = c::LLVMBuildSelect(builder, is_it, written, before, c"".as_ptr());
            c::LLVMBuildStore(builder, value, variable.0);
        }
        c::LLVMDisposeBuilder(builder);
        c::LLVMInstructionEraseFromParent(write.0);
    }
}

/// # Safety
///
/// The builder has a position where the number is known.
unsafe fn is_number(builder: LLVMBuilderRef, number: Value<'_>, place: u64) -> LLVMValueRef {
    // SAFETY: as above; both sides are of one type.
    unsafe {
        let place = c::LLVMConstInt(c::LLVMTypeOf(number.0), place, 0);
        c::LLVMBuildICmp(builder, LLVMIntPredicate::LLVMIntEQ, number.0, place, c"".as_ptr())
    }
}

/// Removes instructions without effects that only each other use. No other handles to them may exist.
pub(crate) fn erase_web(instructions: &[Value<'_>]) {
    // SAFETY: they are instructions in blocks; once none of them uses another, nothing uses them.
    unsafe {
        for instruction in instructions {
            c::LLVMReplaceAllUsesWith(instruction.0, c::LLVMGetUndef(c::LLVMTypeOf(instruction.0)));
        }
        for instruction in instructions {
            c::LLVMInstructionEraseFromParent(instruction.0);
        }
    }
}

/// Inserts, in front of an instruction, a read of what another reads, at an address of its own.
pub(crate) fn insert_read<'m>(
    module: &Module<'_>,
    like: Value<'m>,
    address: Value<'m>,
    before: Value<'m>,
) -> Value<'m> {
    // SAFETY: all handles are those of this module, `like` is a load, and the builder, which ends here, only inserts in front of
    // an instruction; the load that it returns is not null.
    unsafe {
        let builder = c::LLVMCreateBuilderInContext(context_of(module));
        c::LLVMPositionBuilderBefore(builder, before.0);
        let load = c::LLVMBuildLoad2(builder, c::LLVMTypeOf(like.0), address.0, c"".as_ptr());
        c::LLVMSetAlignment(load, c::LLVMGetAlignment(like.0));
        d::LLVMInstructionSetDebugLoc(load, d::LLVMInstructionGetDebugLoc(like.0));
        c::LLVMDisposeBuilder(builder);
        Value(load, PhantomData)
    }
}

/// Inserts, beside a `phi`, one of other values from the same blocks.
pub(crate) fn insert_phi<'m>(
    module: &Module<'_>,
    beside: Value<'m>,
    kind: Type<'m>,
    incoming: &[(Block<'m>, Value<'m>)],
) -> Value<'m> {
    // SAFETY: all handles are those of this module; the values are of this type and each ends its block; the builder ends here, and
    // the phi that it returns is not null.
    unsafe {
        let builder = c::LLVMCreateBuilderInContext(context_of(module));
        c::LLVMPositionBuilderBefore(builder, beside.0);
        let phi = c::LLVMBuildPhi(builder, kind.0, c"".as_ptr());
        for (block, value) in incoming {
            c::LLVMAddIncoming(phi, [value.0].as_mut_ptr(), [block.0].as_mut_ptr(), 1);
        }
        c::LLVMDisposeBuilder(builder);
        Value(phi, PhantomData)
    }
}

/// A scalar in a structure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StructMember<'m> {
    pub(crate) kind: Type<'m>,
    /// The bytes from the start of the structure.
    pub(crate) offset: u64,
    /// The value that is copied where it is known, so that nothing is read.
    pub(crate) constant: Option<Value<'m>>,
}

/// Replaces a copy of a structure by a load and a store of each member, with the place of the call in the source. Of the
/// two pointers, the target first, it is known whether they point at local variables: accesses to others stay, whatever becomes
/// of their values. No other handle to the call may exist.
pub(crate) fn copy_members(
    module: &Module<'_>,
    call: Value<'_>,
    sides: [(Value<'_>, bool); 2],
    members: &[StructMember<'_>],
) {
    // SAFETY: all handles are those of this module, the builder inserts in front of the call and ends here, and the call, which has
    // no result, is not used.
    unsafe {
        let context = context_of(module);
        let (byte, word) = (c::LLVMInt8TypeInContext(context), c::LLVMInt64TypeInContext(context));
        let builder = c::LLVMCreateBuilderInContext(context);
        c::LLVMPositionBuilderBefore(builder, call.0);
        for StructMember { kind, offset, constant } in members {
            let [to, from] = sides.map(|(side, _)| {
                let mut offset = c::LLVMConstInt(word, *offset, 0);
                c::LLVMBuildInBoundsGEP2(builder, byte, side.0, &raw mut offset, 1, c"".as_ptr())
            });
            let load = || c::LLVMBuildLoad2(builder, kind.0, from, c"".as_ptr());
            let value = constant.map_or_else(load, |constant| constant.0);
            let store = c::LLVMBuildStore(builder, value, to);
            let accesses = [Some(store), constant.is_none().then_some(value)];
            for (access, (_, is_local)) in accesses.into_iter().zip(sides).filter_map(|(a, side)| Some((a?, side))) {
                c::LLVMSetAlignment(access, 1);
                c::LLVMSetVolatile(access, i32::from(!is_local));
            }
        }
        c::LLVMDisposeBuilder(builder);
        c::LLVMInstructionEraseFromParent(call.0);
    }
}

/// Replaces an instruction and the rest of its block by `unreachable`, unless a successor has a phi.
pub(crate) fn end_at(module: &Module<'_>, block: Block<'_>, instruction: Value<'_>) {
    let expects = |block: &Block<'_>| block.instructions().iter().any(|i| i.opcode() == Some(LLVMOpcode::LLVMPHI));
    let behind: Vec<_> = block.instructions().into_iter().skip_while(|other| *other != instruction).collect();
    if behind.is_empty() || block.successors().iter().any(expects) {
        return;
    }
    // SAFETY: the instruction is in the block; the removed instructions are at its end, and no other instruction uses
    // them.
    unsafe {
        let builder = c::LLVMCreateBuilderInContext(context_of(module));
        c::LLVMPositionBuilderBefore(builder, instruction.0);
        c::LLVMBuildUnreachable(builder);
        c::LLVMDisposeBuilder(builder);
        for gone in behind.into_iter().rev() {
            if !c::LLVMGetFirstUse(gone.0).is_null() {
                c::LLVMReplaceAllUsesWith(gone.0, c::LLVMGetUndef(c::LLVMTypeOf(gone.0)));
            }
            c::LLVMInstructionEraseFromParent(gone.0);
        }
    }
}

/// An argument of an inserted call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Given<'m> {
    /// A pointer, or an integer as one of 64 bits.
    Value(Value<'m>),
    /// A constant of 64 bits.
    Number(u64),
    /// A null pointer.
    Null,
}

/// Inserts, in front of an instruction, a call of a function without a body that takes pointers and numbers.
pub(crate) fn insert_call_with(module: &Module<'_>, name: &str, before: Value<'_>, given: &[Given<'_>]) {
    let context = module.get_context();
    let (number, pointer) = (context.i64_type(), context.ptr_type(AddressSpace::default()));
    let builder = context.create_builder();
    // SAFETY: it is an instruction of this module; the builder, which ends here, only inserts in front of it.
    builder.position_before(&unsafe { InstructionValue::new(before.0) });
    let as_argument = |given: &Given<'_>| -> BasicMetadataValueEnum<'_> {
        match given {
            Given::Number(value) => number.const_int(*value, false).into(),
            Given::Null => pointer.const_null().into(),
            // SAFETY: it is an operand of the instruction, and of the kind that its type says.
            Given::Value(value) if value.r#type().is_pointer() => {
                let value = unsafe { PointerValue::new(value.0) };
                // Other address spaces are parts of one memory. Building fails only if a builder has no position.
                match value.get_type() == pointer {
                    true => value.into(),
                    false => builder.build_address_space_cast(value, pointer, "").unwrap_or(value).into(),
                }
            }
            Given::Value(value) => {
                // SAFETY: as above; lengths are integers.
                let value = unsafe { IntValue::new(value.0) };
                // Building fails only if a builder has no position.
                builder.build_int_z_extend_or_bit_cast(value, number, "").unwrap_or(value).into()
            }
        }
    };
    let arguments: Vec<_> = given.iter().map(as_argument).collect();
    let kinds: Vec<BasicMetadataTypeEnum<'_>> = given
        .iter()
        .map(|given| match given {
            Given::Null => pointer.into(),
            Given::Value(value) if value.r#type().is_pointer() => pointer.into(),
            Given::Value(_) | Given::Number(_) => number.into(),
        })
        .collect();
    let declared = || module.add_function(name, context.void_type().fn_type(&kinds, false), None);
    let callee = module.get_function(name).unwrap_or_else(declared);
    let _ = builder.build_call(callee, &arguments, "");
}

/// # Safety
///
/// `raw` is null or points at `length` bytes that live as long as `'t`.
unsafe fn text<'t>(raw: *const c_char, length: usize) -> Option<&'t str> {
    (!raw.is_null()).then_some(())?;
    // SAFETY: as the caller promises.
    std::str::from_utf8(unsafe { std::slice::from_raw_parts(raw.cast::<u8>(), length) }).ok()
}

/// Returns the context of a module.
pub(crate) fn context_of(module: &Module<'_>) -> LLVMContextRef {
    // SAFETY: the module lives.
    unsafe { c::LLVMGetModuleContext(module.as_mut_ptr()) }
}
