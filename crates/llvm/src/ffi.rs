//! Reading of LLVM IR: values, blocks, types and debug information by LLVM's C API.
//!
//! All `unsafe` of this crate is here. Every handle borrows the [`Module`](inkwell::module::Module) it was read from
//! (lifetime `'m`), which inkwell owns, and no part of a module is freed while a handle to it lives: passes run before
//! the first handle is made. Null in the C API becomes `None`.
#![allow(unsafe_code, reason = "the C API is how instructions are read; every block says why it is sound")]

use std::ffi::{CStr, CString, c_char};
use std::marker::PhantomData;

use inkwell::AddressSpace;
use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::debuginfo as di;
use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMContextRef, LLVMMetadataRef, LLVMTypeRef, LLVMValueRef};
use inkwell::llvm_sys::target as t;
use inkwell::llvm_sys::transforms::pass_builder as p;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMTypeKind, LLVMValueKind};
use inkwell::module::Module;
use inkwell::types::BasicMetadataTypeEnum;
use inkwell::values::{AsValueRef, BasicMetadataValueEnum, InstructionValue, IntValue, PointerValue};

pub(crate) use inkwell::llvm_sys::LLVMIntPredicate as Predicate;
pub(crate) use inkwell::llvm_sys::LLVMOpcode as Opcode;
pub(crate) use inkwell::llvm_sys::LLVMTypeKind as TypeKind;

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

/// A position in the source, by the debug information.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) directory: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

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

/// Replaces a global by a variable on the stack in one function. Its initial value is the result of a call of the
/// function `initial`, which has no body; the call's argument is the only use of the global that is left.
pub(crate) fn localize(module: &Module<'_>, function: Value<'_>, global: Value<'_>, initial: &str) {
    let blocks = function.blocks();
    let instructions: Vec<_> = blocks.iter().flat_map(|block| block.instructions()).collect();
    let (Some(first), Some(kind)) = (instructions.first(), global.pointee()) else { return };
    let (Ok(initial), Ok(name)) = (CString::new(initial), CString::new(global.name())) else { return };
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

/// The sizes of types.
pub(crate) struct DataLayout<'m> {
    raw: t::LLVMTargetDataRef,
    module: PhantomData<&'m ()>,
}

impl<'m> DataLayout<'m> {
    pub(crate) fn of(module: &'m Module<'_>) -> Self {
        // SAFETY: the module lives and owns its layout.
        Self { raw: unsafe { t::LLVMGetModuleDataLayout(module.as_mut_ptr()) }, module: PhantomData }
    }

    /// Returns the bytes between two elements of this type in an array; `None` for types without a size.
    pub(crate) fn size(&self, kind: Type<'m>) -> Option<u64> {
        // SAFETY: layout and type belong to one module; only sized types are measured.
        unsafe { (c::LLVMTypeIsSized(kind.0) != 0).then(|| t::LLVMABISizeOfType(self.raw, kind.0)) }
    }

    /// Returns the bytes from the start of a struct to a field.
    pub(crate) fn field_offset(&self, kind: Type<'m>, field: u32) -> u64 {
        // SAFETY: the type is a struct of this module with such a field, since an instruction selects it.
        unsafe { t::LLVMOffsetOfElement(self.raw, kind.0, field) }
    }
}

impl<'m> Type<'m> {
    pub(crate) fn kind(self) -> TypeKind {
        // SAFETY: types live as long as their context.
        unsafe { c::LLVMGetTypeKind(self.0) }
    }

    /// Returns the width of an integer type.
    pub(crate) fn integer_width(self) -> Option<u32> {
        // SAFETY: the width is asked of integer types only.
        (self.kind() == LLVMTypeKind::LLVMIntegerTypeKind).then(|| unsafe { c::LLVMGetIntTypeWidth(self.0) })
    }

    pub(crate) fn is_flag(self) -> bool {
        self.integer_width() == Some(1)
    }

    pub(crate) fn is_pointer(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMPointerTypeKind
    }

    /// Returns the element type and the number of elements of an array type.
    pub(crate) fn array(self) -> Option<(Self, u64)> {
        if self.kind() != LLVMTypeKind::LLVMArrayTypeKind {
            return None;
        }
        // SAFETY: it is an array type.
        let (element, count) = unsafe { (c::LLVMGetElementType(self.0), c::LLVMGetArrayLength2(self.0)) };
        Some((Self::wrap(element)?, count))
    }

    /// Returns the element type and the number of elements of a vector of constant length.
    pub(crate) fn vector(self) -> Option<(Self, u32)> {
        if self.kind() != LLVMTypeKind::LLVMVectorTypeKind {
            return None;
        }
        // SAFETY: it is a vector type.
        let (element, count) = unsafe { (c::LLVMGetElementType(self.0), c::LLVMGetVectorSize(self.0)) };
        Some((Self::wrap(element)?, count))
    }

    /// Returns the width of a scalar in bits; 64 for an address.
    pub(crate) fn bits(self) -> u32 {
        use LLVMTypeKind::{
            LLVMBFloatTypeKind, LLVMDoubleTypeKind, LLVMFP128TypeKind, LLVMFloatTypeKind, LLVMHalfTypeKind,
            LLVMPPC_FP128TypeKind, LLVMX86_FP80TypeKind,
        };
        match self.kind() {
            LLVMHalfTypeKind | LLVMBFloatTypeKind => 16,
            LLVMFloatTypeKind => 32,
            LLVMDoubleTypeKind => 64,
            LLVMX86_FP80TypeKind => 80,
            LLVMFP128TypeKind | LLVMPPC_FP128TypeKind => 128,
            _ => self.integer_width().unwrap_or(64),
        }
    }

    pub(crate) fn is_struct(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMStructTypeKind
    }

    /// Returns the name of a struct.
    pub(crate) fn name(self) -> Option<&'m str> {
        if !self.is_struct() {
            return None;
        }
        // SAFETY: it is a struct; its name, if it has one, lives as long as its context.
        unsafe {
            let name = c::LLVMGetStructName(self.0);
            (!name.is_null()).then(|| CStr::from_ptr(name).to_str().ok()).flatten()
        }
    }

    /// Returns the type of a field of a struct.
    pub(crate) fn field(self, index: u32) -> Option<Self> {
        if !self.is_struct() {
            return None;
        }
        // SAFETY: it is a struct type, and the index is one of its fields.
        unsafe { (index < c::LLVMCountStructElementTypes(self.0)).then(|| c::LLVMStructGetTypeAtIndex(self.0, index)) }
            .and_then(Self::wrap)
    }

    pub(crate) fn is_float(self) -> bool {
        use LLVMTypeKind::{
            LLVMBFloatTypeKind, LLVMDoubleTypeKind, LLVMFP128TypeKind, LLVMFloatTypeKind, LLVMHalfTypeKind,
            LLVMPPC_FP128TypeKind, LLVMX86_FP80TypeKind,
        };
        matches!(
            self.kind(),
            LLVMBFloatTypeKind
                | LLVMDoubleTypeKind
                | LLVMFP128TypeKind
                | LLVMFloatTypeKind
                | LLVMHalfTypeKind
                | LLVMPPC_FP128TypeKind
                | LLVMX86_FP80TypeKind
        )
    }
}

impl<'m> Block<'m> {
    /// Returns the instructions, the terminator last.
    pub(crate) fn instructions(self) -> Vec<Value<'m>> {
        // SAFETY: the block and its instructions live.
        let first = unsafe { c::LLVMGetFirstInstruction(self.0) };
        list(first, |value| {
            // SAFETY: `value` is an instruction.
            unsafe { c::LLVMGetNextInstruction(value) }
        })
    }

    pub(crate) fn name(self) -> &'m str {
        // SAFETY: the block owns its name, which lives as long as the block.
        unsafe {
            let name = c::LLVMGetBasicBlockName(self.0);
            CStr::from_ptr(name).to_str().unwrap_or_default()
        }
    }

    pub(crate) fn terminator(self) -> Option<Value<'m>> {
        // SAFETY: the block lives.
        Value::wrap(unsafe { c::LLVMGetBasicBlockTerminator(self.0) })
    }

    /// Returns the successors, in the order of the terminator's operands.
    pub(crate) fn successors(self) -> Vec<Block<'m>> {
        let Some(terminator) = self.terminator() else { return Vec::new() };
        // SAFETY: the value is a terminator.
        let count = unsafe { c::LLVMGetNumSuccessors(terminator.0) };
        // A call that may throw is assumed to return.
        let invoke = terminator.opcode() == Some(LLVMOpcode::LLVMInvoke);
        let count = if invoke { 1 } else { count };
        let successor = |index| {
            // SAFETY: the index is below the number of successors.
            unsafe { c::LLVMGetSuccessor(terminator.0, index) }
        };
        (0..count).filter_map(|index| Block::wrap(successor(index))).collect()
    }
}

impl<'m> Value<'m> {
    /// Returns the opcode of an instruction or constant expression.
    pub(crate) fn opcode(self) -> Option<Opcode> {
        // SAFETY: the opcode is asked of instructions and of constant expressions only.
        unsafe {
            if !c::LLVMIsAInstruction(self.0).is_null() {
                Some(c::LLVMGetInstructionOpcode(self.0))
            } else if !c::LLVMIsAConstantExpr(self.0).is_null() {
                Some(c::LLVMGetConstOpcode(self.0))
            } else {
                None
            }
        }
    }

    pub(crate) fn is_instruction(self) -> bool {
        // SAFETY: the value lives.
        !unsafe { c::LLVMIsAInstruction(self.0) }.is_null()
    }

    pub(crate) fn is_function(self) -> bool {
        self.kind() == LLVMValueKind::LLVMFunctionValueKind
    }

    /// Returns true for a global variable.
    pub(crate) fn is_global(self) -> bool {
        self.kind() == LLVMValueKind::LLVMGlobalVariableValueKind
    }

    pub(crate) fn is_inline_assembly(self) -> bool {
        self.kind() == LLVMValueKind::LLVMInlineAsmValueKind
    }

    /// Returns true for `undef` and `poison`.
    pub(crate) fn is_undefined(self) -> bool {
        matches!(self.kind(), LLVMValueKind::LLVMUndefValueValueKind | LLVMValueKind::LLVMPoisonValueKind)
    }

    pub(crate) fn is_null(self) -> bool {
        self.kind() == LLVMValueKind::LLVMConstantPointerNullValueKind
    }

    fn kind(self) -> LLVMValueKind {
        // SAFETY: the value lives.
        unsafe { c::LLVMGetValueKind(self.0) }
    }

    /// Returns the value of an integer constant, as signed; `None` if its type is wider than 64 bits.
    pub(crate) fn constant(self) -> Option<i64> {
        if self.kind() != LLVMValueKind::LLVMConstantIntValueKind {
            return None;
        }
        // SAFETY: it is an integer constant of at most 64 bits.
        self.r#type()
            .integer_width()
            .filter(|width| *width <= 64)
            .map(|_| unsafe { c::LLVMConstIntGetSExtValue(self.0) })
    }

    /// Replaces all uses of the value by an integer constant.
    pub(crate) fn replace_by_constant(self, value: i64) {
        // SAFETY: the constant is of the type of the value, an integer, and belongs to the same context.
        unsafe { c::LLVMReplaceAllUsesWith(self.0, c::LLVMConstInt(c::LLVMTypeOf(self.0), value.cast_unsigned(), 1)) };
    }

    pub(crate) fn r#type(self) -> Type<'m> {
        // SAFETY: every value has a type, which is never null.
        Type(unsafe { c::LLVMTypeOf(self.0) }, PhantomData)
    }

    /// Returns the type of the object of a global or an `alloca`, or the source element type of a `getelementptr`.
    pub(crate) fn pointee(self) -> Option<Type<'m>> {
        // SAFETY: each function is asked of the kind of value that it is for.
        unsafe {
            if self.is_global() {
                Type::wrap(c::LLVMGlobalGetValueType(self.0))
            } else {
                match self.opcode()? {
                    LLVMOpcode::LLVMAlloca => Type::wrap(c::LLVMGetAllocatedType(self.0)),
                    LLVMOpcode::LLVMGetElementPtr => Type::wrap(c::LLVMGetGEPSourceElementType(self.0)),
                    _ => None,
                }
            }
        }
    }

    /// Returns the initial value of a global.
    pub(crate) fn initializer(self) -> Option<Value<'m>> {
        // SAFETY: it is asked of globals only.
        self.is_global().then(|| Value::wrap(unsafe { c::LLVMGetInitializer(self.0) })).flatten()
    }

    /// Returns true if it is a global that is never written.
    pub(crate) fn is_constant_global(self) -> bool {
        // SAFETY: it is asked of globals only.
        self.is_global() && unsafe { c::LLVMIsGlobalConstant(self.0) } != 0
    }

    pub(crate) fn name(self) -> &'m str {
        let mut length = 0;
        // SAFETY: LLVM owns the name, which lives as long as the value and is not changed; it may be any bytes.
        unsafe {
            let name = c::LLVMGetValueName2(self.0, &raw mut length);
            text(name, length).unwrap_or_default()
        }
    }

    /// Returns its users: instructions and constants.
    pub(crate) fn users(self) -> Vec<Value<'m>> {
        // SAFETY: the value lives, and so do its uses.
        let (first, next, user) = unsafe { (c::LLVMGetFirstUse(self.0), c::LLVMGetNextUse, c::LLVMGetUser) };
        let some = |raw: inkwell::llvm_sys::prelude::LLVMUseRef| (!raw.is_null()).then_some(raw);
        // SAFETY: each is a use of this value.
        let uses = std::iter::successors(some(first), |raw| some(unsafe { next(*raw) }));
        // SAFETY: as above; who uses a value is a value.
        uses.filter_map(|raw| Value::wrap(unsafe { user(raw) })).collect()
    }

    /// Names an instruction.
    pub(crate) fn set_name(self, name: &str) {
        // SAFETY: the value lives, and LLVM copies the name.
        unsafe { c::LLVMSetValueName2(self.0, name.as_ptr().cast::<c_char>(), name.len()) }
    }

    /// Returns its operands.
    pub(crate) fn operands(self) -> Vec<Value<'m>> {
        // SAFETY: the value is a user, which has operands.
        let count = unsafe { c::LLVMGetNumOperands(self.0) };
        (0..u32::try_from(count).unwrap_or(0)).filter_map(|index| self.operand(index)).collect()
    }

    pub(crate) fn operand(self, index: u32) -> Option<Value<'m>> {
        // SAFETY: the index is checked against the number of operands.
        unsafe {
            let count = u32::try_from(c::LLVMGetNumOperands(self.0)).unwrap_or(0);
            (index < count).then(|| Value::wrap(c::LLVMGetOperand(self.0, index))).flatten()
        }
    }

    /// Returns the values of a `phi`, each with the block it comes from.
    pub(crate) fn incoming(self) -> Vec<(Block<'m>, Value<'m>)> {
        if self.opcode() != Some(LLVMOpcode::LLVMPHI) {
            return Vec::new();
        }
        // SAFETY: it is a phi, and the indices are below the number of its incoming values.
        unsafe {
            (0..c::LLVMCountIncoming(self.0))
                .filter_map(|i| {
                    let block = Block::wrap(c::LLVMGetIncomingBlock(self.0, i))?;
                    Some((block, Value::wrap(c::LLVMGetIncomingValue(self.0, i))?))
                })
                .collect()
        }
    }

    /// Returns the indices of an `extractvalue` or `insertvalue`.
    pub(crate) fn indices(self) -> Vec<u32> {
        use LLVMOpcode::{LLVMExtractValue, LLVMInsertValue};
        if !self.is_instruction() || !matches!(self.opcode(), Some(LLVMExtractValue | LLVMInsertValue)) {
            return Vec::new();
        }
        // SAFETY: it is one of the two instructions that have indices.
        unsafe {
            let count = c::LLVMGetNumIndices(self.0) as usize;
            std::slice::from_raw_parts(c::LLVMGetIndices(self.0), count).to_vec()
        }
    }

    /// Returns a part of a constant aggregate.
    pub(crate) fn part(self, index: u32) -> Option<Value<'m>> {
        // SAFETY: it is asked of constants only, and gives null where there is no such part.
        unsafe {
            (!c::LLVMIsAConstant(self.0).is_null()).then(|| Value::wrap(c::LLVMGetAggregateElement(self.0, index)))?
        }
    }

    /// Returns true for an unsigned comparison.
    pub(crate) fn is_unsigned_comparison(self) -> bool {
        use LLVMIntPredicate::{LLVMIntUGE, LLVMIntUGT, LLVMIntULE, LLVMIntULT};
        matches!(self.predicate(), Some(LLVMIntULT | LLVMIntULE | LLVMIntUGT | LLVMIntUGE))
    }

    /// Returns the predicate of an integer comparison.
    pub(crate) fn predicate(self) -> Option<LLVMIntPredicate> {
        // SAFETY: it is asked of integer comparisons only.
        (self.opcode() == Some(LLVMOpcode::LLVMICmp)).then(|| unsafe { c::LLVMGetICmpPredicate(self.0) })
    }

    /// Returns true if it has the flag `nsw`: the signed result does not wrap.
    pub(crate) fn no_signed_wrap(self) -> bool {
        // SAFETY: it is asked of instructions that may have the flag only.
        self.may_wrap() && unsafe { c::LLVMGetNSW(self.0) } != 0
    }

    /// Returns true if it has the flag `nuw`: the unsigned result does not wrap.
    pub(crate) fn no_unsigned_wrap(self) -> bool {
        // SAFETY: as above.
        self.may_wrap() && unsafe { c::LLVMGetNUW(self.0) } != 0
    }

    /// Returns true for an `or disjoint`, whose operands have no bit in common.
    pub(crate) fn is_disjoint(self) -> bool {
        let is_or = self.is_instruction() && self.opcode() == Some(LLVMOpcode::LLVMOr);
        // SAFETY: it is asked of `or` only.
        is_or && unsafe { c::LLVMGetIsDisjoint(self.0) } != 0
    }

    fn may_wrap(self) -> bool {
        use LLVMOpcode::{LLVMAdd, LLVMMul, LLVMShl, LLVMSub};
        self.is_instruction() && matches!(self.opcode(), Some(LLVMAdd | LLVMSub | LLVMMul | LLVMShl))
    }

    pub(crate) fn is_volatile(self) -> bool {
        // SAFETY: it is asked of loads and stores only.
        self.is_access() && unsafe { c::LLVMGetVolatile(self.0) } != 0
    }

    pub(crate) fn is_atomic(self) -> bool {
        // SAFETY: it is asked of loads and stores only.
        self.is_access() && unsafe { c::LLVMIsAtomic(self.0) } != 0
    }

    /// Makes a load or store volatile, so that passes leave it as it is.
    pub(crate) fn set_volatile(self, volatile: bool) {
        if self.is_access() {
            // SAFETY: it is a load or a store.
            unsafe { c::LLVMSetVolatile(self.0, volatile.into()) }
        }
    }

    fn is_access(self) -> bool {
        self.is_instruction() && matches!(self.opcode(), Some(LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMStore))
    }

    /// Raises the alignment of an `alloca` to at least a number of bytes.
    pub(crate) fn set_alignment(self, bytes: u32) {
        if self.opcode() == Some(LLVMOpcode::LLVMAlloca) {
            // SAFETY: it is an alloca.
            unsafe { c::LLVMSetAlignment(self.0, bytes.max(c::LLVMGetAlignment(self.0))) }
        }
    }

    /// Returns true for a conditional branch.
    pub(crate) fn is_conditional(self) -> bool {
        // SAFETY: it is asked of branches only.
        self.opcode() == Some(LLVMOpcode::LLVMBr) && unsafe { c::LLVMIsConditional(self.0) } != 0
    }

    /// Returns the weights of the successors of a branch, from a profile or an annotation of the source.
    pub(crate) fn branch_weights(self) -> Option<Vec<u64>> {
        self.is_instruction().then_some(())?;
        // SAFETY: it is an instruction; its node is asked for as many operands as it has, and numbers are constants.
        let operands = unsafe {
            let context = c::LLVMGetTypeContext(c::LLVMTypeOf(self.0));
            let kind = c::LLVMGetMDKindIDInContext(context, c"prof".as_ptr(), 4);
            let node = Value::wrap(c::LLVMGetMetadata(self.0, kind))?.0;
            let mut operands = vec![std::ptr::null_mut(); c::LLVMGetMDNodeNumOperands(node) as usize];
            c::LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
            operands
        };
        // The node's name comes first, and may be followed by the text `expected`.
        let numbers = operands.into_iter().filter_map(Value::wrap).filter_map(Value::constant);
        let weights: Vec<u64> = numbers.filter_map(|number| u64::try_from(number).ok()).collect();
        (!weights.is_empty()).then_some(weights)
    }

    /// Returns the callee of a call (a function, inline assembly or a pointer) and the arguments.
    pub(crate) fn call(self) -> Option<(Value<'m>, Vec<Value<'m>>)> {
        use LLVMOpcode::{LLVMCall, LLVMInvoke};
        matches!(self.opcode(), Some(LLVMCall | LLVMInvoke)).then_some(())?;
        // SAFETY: it is a call.
        unsafe {
            let arguments = c::LLVMGetNumArgOperands(self.0);
            let callee = Value::wrap(c::LLVMGetCalledValue(self.0))?;
            Some((callee, (0..arguments).filter_map(|i| Value::wrap(c::LLVMGetOperand(self.0, i))).collect()))
        }
    }

    /// Returns true for a call with the attribute `memory(none)`.
    pub(crate) fn touches_no_memory(self) -> bool {
        use inkwell::llvm_sys::LLVMAttributeFunctionIndex;
        let Some((callee, _)) = self.call() else { return false };
        // SAFETY: the name lives for the call; attributes are asked of a call and of a function; 0 stands for no
        // effects.
        unsafe {
            let kind = c::LLVMGetEnumAttributeKindForName(c"memory".as_ptr(), 6);
            let of_call = c::LLVMGetCallSiteEnumAttribute(self.0, LLVMAttributeFunctionIndex, kind);
            let of_callee = match callee.is_function() {
                true => c::LLVMGetEnumAttributeAtIndex(callee.0, LLVMAttributeFunctionIndex, kind),
                false => std::ptr::null_mut(),
            };
            [of_call, of_callee].into_iter().any(|a| !a.is_null() && c::LLVMGetEnumAttributeValue(a) == 0)
        }
    }

    /// Returns true if an argument of a function has an attribute, such as `noalias`.
    pub(crate) fn argument_has(self, argument: u32, name: &str) -> bool {
        // SAFETY: it is a function with such an argument; attributes of arguments are numbered from 1.
        unsafe {
            let kind = c::LLVMGetEnumAttributeKindForName(name.as_ptr().cast::<c_char>(), name.len());
            self.is_function() && !c::LLVMGetEnumAttributeAtIndex(self.0, argument + 1, kind).is_null()
        }
    }

    /// Adds or removes an attribute of a function.
    pub(crate) fn set_attribute(self, context: LLVMContextRef, name: &str, on: bool) {
        use inkwell::llvm_sys::LLVMAttributeFunctionIndex;
        if !self.is_function() {
            return;
        }
        // SAFETY: it is a function of this context; the name lives for the call.
        unsafe {
            let kind = c::LLVMGetEnumAttributeKindForName(name.as_ptr().cast::<c_char>(), name.len());
            if on {
                let attribute = c::LLVMCreateEnumAttribute(context, kind, 0);
                c::LLVMAddAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, attribute);
            } else {
                c::LLVMRemoveEnumAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, kind);
            }
        }
    }

    /// Returns the arguments of a function.
    pub(crate) fn parameters(self) -> Vec<Value<'m>> {
        if !self.is_function() {
            return Vec::new();
        }
        // SAFETY: it is a function, and the indices are below the number of its arguments.
        unsafe { (0..c::LLVMCountParams(self.0)).filter_map(|i| Value::wrap(c::LLVMGetParam(self.0, i))).collect() }
    }

    /// Returns the blocks of a function, the entry first; empty if it is only declared.
    pub(crate) fn blocks(self) -> Vec<Block<'m>> {
        if !self.is_function() {
            return Vec::new();
        }
        // SAFETY: it is a function, whose blocks live.
        let first = Block::wrap(unsafe { c::LLVMGetFirstBasicBlock(self.0) });
        std::iter::successors(first, |block| {
            // SAFETY: the block is one of the function's.
            Block::wrap(unsafe { c::LLVMGetNextBasicBlock(block.0) })
        })
        .collect()
    }

    /// Returns true for a function with a body.
    pub(crate) fn has_body(self) -> bool {
        // SAFETY: it is asked of functions only.
        self.is_function() && unsafe { c::LLVMIsDeclaration(self.0) } == 0
    }

    /// Returns the case values of a `switch` with the indices of their successors, and the index of the default.
    pub(crate) fn switch(self) -> Option<(Vec<(i64, usize)>, usize)> {
        (self.opcode() == Some(LLVMOpcode::LLVMSwitch)).then_some(())?;
        // SAFETY: it is a switch; successor 0 is the default, and case i (from 1) has successor i.
        unsafe {
            let count = c::LLVMGetNumSuccessors(self.0);
            let case = |i| Value::wrap(c::LLVMGetSwitchCaseValue(self.0, i))?.constant();
            let cases: Option<Vec<_>> = (1..count).map(|i| Some((case(i)?, i as usize))).collect();
            Some((cases?, 0))
        }
    }

    /// Returns the place of an instruction in the source, in the function that it was inlined from.
    pub(crate) fn position(self) -> Option<Position> {
        if !self.is_instruction() {
            return None;
        }
        // SAFETY: it is an instruction; locations and scopes are metadata of its context.
        unsafe {
            let location = di::LLVMInstructionGetDebugLoc(self.0);
            (!location.is_null()).then_some(())?;
            let line = di::LLVMDILocationGetLine(location);
            let column = di::LLVMDILocationGetColumn(location);
            let file = di::LLVMDIScopeGetFile(di::LLVMDILocationGetScope(location));
            (line > 0).then(|| position_in(file, line, column))?
        }
    }

    /// Returns the place of an instruction in the function itself: for an inlined one, that of the call.
    pub(crate) fn outermost_position(self) -> Option<Position> {
        if !self.is_instruction() {
            return None;
        }
        // SAFETY: as in `position`; the place where something was inlined is a location itself.
        unsafe {
            let mut location = di::LLVMInstructionGetDebugLoc(self.0);
            (!location.is_null()).then_some(())?;
            loop {
                let outer = di::LLVMDILocationGetInlinedAt(location);
                if outer.is_null() {
                    break;
                }
                location = outer;
            }
            let (line, column) = (di::LLVMDILocationGetLine(location), di::LLVMDILocationGetColumn(location));
            let file = di::LLVMDIScopeGetFile(di::LLVMDILocationGetScope(location));
            (line > 0).then(|| position_in(file, line, column))?
        }
    }

    /// Returns the name of a function in the source, and the place of its definition.
    pub(crate) fn subprogram(self) -> Option<(String, Position)> {
        if !self.is_function() {
            return None;
        }
        // SAFETY: it is a function; a subprogram's operands are scope, file, name, linkage name, …
        unsafe {
            let subprogram = di::LLVMGetSubprogram(self.0);
            (!subprogram.is_null()).then_some(())?;
            let line = di::LLVMDISubprogramGetLine(subprogram);
            let place = position_in(di::LLVMDIScopeGetFile(subprogram), line, 1)?;
            let context = c::LLVMGetTypeContext(c::LLVMTypeOf(self.0));
            Some((metadata_text(context, subprogram, 2).unwrap_or_default(), place))
        }
    }

    /// Returns the source variables that debug records in front of this instruction give values to.
    pub(crate) fn variables(self) -> Vec<(Value<'m>, String)> {
        if !self.is_instruction() {
            return Vec::new();
        }
        let mut found = Vec::new();
        // SAFETY: the records belong to this instruction; a variable's operands are scope, name, …; value 0 exists for
        // records of variables, and may be null where it is not one value.
        unsafe {
            let context = c::LLVMGetTypeContext(c::LLVMTypeOf(self.0));
            let mut record = c::LLVMGetFirstDbgRecord(self.0);
            while !record.is_null() {
                use inkwell::llvm_sys::LLVMDbgRecordKind;
                if !matches!(c::LLVMDbgRecordGetKind(record), LLVMDbgRecordKind::LLVMDbgRecordLabel) {
                    let variable = c::LLVMDbgVariableRecordGetVariable(record);
                    let value = c::LLVMDbgVariableRecordGetValue(record, 0);
                    if let (Some(value), Some(name)) = (Value::wrap(value), metadata_text(context, variable, 1)) {
                        found.push((value, name));
                    }
                }
                record = c::LLVMGetNextDbgRecord(record);
            }
        }
        found
    }
}

/// # Safety
///
/// `file` is null or a `DIFile`.
unsafe fn position_in(file: LLVMMetadataRef, line: u32, column: u32) -> Option<Position> {
    (!file.is_null()).then_some(())?;
    let mut length = 0;
    // SAFETY: it is a file, which owns the texts.
    let name = |get: unsafe extern "C" fn(LLVMMetadataRef, *mut u32) -> *const c_char, length: &mut u32| unsafe {
        let raw = get(file, length);
        text(raw, *length as usize).unwrap_or_default().to_owned()
    };
    let directory = name(di::LLVMDIFileGetDirectory, &mut length);
    Some(Position { directory, file: name(di::LLVMDIFileGetFilename, &mut length), line, column })
}

/// Returns an operand of a metadata node, if it is text.
///
/// # Safety
///
/// `node` is null or a node of this context.
unsafe fn metadata_text(context: LLVMContextRef, node: LLVMMetadataRef, operand: usize) -> Option<String> {
    (!node.is_null()).then_some(())?;
    // SAFETY: the node is one of the context; there are as many operands as LLVM says.
    unsafe {
        let node = c::LLVMMetadataAsValue(context, node);
        let count = c::LLVMGetMDNodeNumOperands(node) as usize;
        let mut operands = vec![std::ptr::null_mut(); count];
        c::LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
        let value = operands.get(operand).copied().filter(|value| !value.is_null())?;
        (!c::LLVMIsAMDString(value).is_null()).then_some(())?;
        let mut length = 0;
        let raw = c::LLVMGetMDString(value, &raw mut length);
        text(raw, length as usize).map(str::to_owned)
    }
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
