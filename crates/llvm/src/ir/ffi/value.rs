//! Values: instructions, constants, functions and globals.

use std::ffi::c_char;
use std::marker::PhantomData;

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::prelude::LLVMContextRef;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMValueKind};

use super::{Block, Opcode, Type, Value, text};

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

    /// Replaces all uses of the value by another one of the same type, which does not use it.
    pub(crate) fn replace_by(self, other: Value<'m>) {
        // SAFETY: both values live in the same function, or the other one is a constant or an argument.
        unsafe { c::LLVMReplaceAllUsesWith(self.0, other.0) };
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

    /// Returns true if it is a global that no other file sees.
    pub(crate) fn is_of_this_file(self) -> bool {
        use inkwell::llvm_sys::LLVMLinkage::{LLVMInternalLinkage, LLVMPrivateLinkage};
        // SAFETY: it is asked of globals only.
        self.is_global() && matches!(unsafe { c::LLVMGetLinkage(self.0) }, LLVMInternalLinkage | LLVMPrivateLinkage)
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

    /// Returns the predicate of an integer comparison; the signed one, if the operands have the same sign (`samesign`).
    pub(crate) fn predicate(self) -> Option<LLVMIntPredicate> {
        use LLVMIntPredicate::{
            LLVMIntSGE, LLVMIntSGT, LLVMIntSLE, LLVMIntSLT, LLVMIntUGE, LLVMIntUGT, LLVMIntULE, LLVMIntULT,
        };
        let is_comparison = self.opcode() == Some(LLVMOpcode::LLVMICmp);
        // SAFETY: they are asked of integer comparisons only.
        let (predicate, same) =
            is_comparison.then(|| unsafe { (c::LLVMGetICmpPredicate(self.0), c::LLVMGetICmpSameSign(self.0)) })?;
        Some(match predicate {
            LLVMIntULT if same != 0 => LLVMIntSLT,
            LLVMIntULE if same != 0 => LLVMIntSLE,
            LLVMIntUGT if same != 0 => LLVMIntSGT,
            LLVMIntUGE if same != 0 => LLVMIntSGE,
            other => other,
        })
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

    /// Returns true for the operations that may promise not to wrap.
    pub(crate) fn may_wrap(self) -> bool {
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

    /// Makes a load or store volatile, so that passes leave it as it is, or takes that back.
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

    /// Returns true for a call of a function whose name begins so.
    pub(crate) fn calls(self, name: &str) -> bool {
        self.call().is_some_and(|(callee, _)| callee.name().starts_with(name))
    }

    /// Returns true for a call that only describes pointers.
    pub(crate) fn is_remark(self) -> bool {
        self.calls("llvm.experimental.noalias.scope.decl") || self.calls("llvm.lifetime.")
    }

    /// Returns the number of bytes of which the address of a load or store is a multiple; 1 for others.
    pub(crate) fn alignment(self) -> u32 {
        let is_access = matches!(self.opcode(), Some(LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMStore));
        // SAFETY: it is asked of loads and stores only.
        if is_access { unsafe { c::LLVMGetAlignment(self.0) } } else { 1 }
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

    /// Adds an attribute to a function.
    pub(crate) fn add_attribute(self, context: LLVMContextRef, name: &str) {
        use inkwell::llvm_sys::LLVMAttributeFunctionIndex;
        if self.is_function() {
            // SAFETY: it is a function of this context; the name lives for the call.
            unsafe {
                let kind = c::LLVMGetEnumAttributeKindForName(name.as_ptr().cast::<c_char>(), name.len());
                let attribute = c::LLVMCreateEnumAttribute(context, kind, 0);
                c::LLVMAddAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, attribute);
            }
        }
    }

    /// Removes an attribute from a function.
    pub(crate) fn remove_attribute(self, name: &str) {
        use inkwell::llvm_sys::LLVMAttributeFunctionIndex;
        if self.is_function() {
            // SAFETY: it is a function; the name lives for the call.
            unsafe {
                let kind = c::LLVMGetEnumAttributeKindForName(name.as_ptr().cast::<c_char>(), name.len());
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

    /// Returns the instructions of a function, in the order of the text.
    pub(crate) fn instructions(self) -> impl Iterator<Item = Value<'m>> {
        self.blocks().into_iter().flat_map(|block| block.instructions())
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
}
