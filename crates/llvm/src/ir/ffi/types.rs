//! Types and their sizes, and basic blocks.

use std::ffi::CStr;
use std::marker::PhantomData;

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::target as t;
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind};
use inkwell::module::Module;

use super::{Block, Type, TypeKind, Value, list};

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
