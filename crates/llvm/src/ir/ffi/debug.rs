//! Places and names in the source, by the debug information.

use std::ffi::c_char;

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::debuginfo as di;
use inkwell::llvm_sys::prelude::{LLVMContextRef, LLVMMetadataRef};

use super::{Value, text};

/// The name of the metadata of a loop.
const LOOP: &str = "llvm.loop";

/// A position in the source, by the debug information.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) directory: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// A variable of the source, as a debug record tells it.
pub(crate) struct DebugVariable<'m> {
    /// The value that the record gives it; of a local array, its memory.
    pub(crate) value: Value<'m>,
    pub(crate) name: String,
    /// The place of its declaration.
    pub(crate) location: Option<DebugLocation>,
}

/// A location of the debug information, which is never null. Equal ones are one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DebugLocation(LLVMMetadataRef);

impl DebugLocation {
    /// Returns the place in the function that the code was inlined from.
    pub(crate) fn position(self) -> Option<Position> {
        // SAFETY: it is a location, whose scope is metadata of its context.
        unsafe {
            let line = di::LLVMDILocationGetLine(self.0);
            let column = di::LLVMDILocationGetColumn(self.0);
            let file = di::LLVMDIScopeGetFile(di::LLVMDILocationGetScope(self.0));
            (line > 0).then(|| position_in(file, line, column))?
        }
    }

    /// Returns the place in the function itself: for inlined code, that of the call.
    pub(crate) fn outermost(self) -> Option<Position> {
        self.with_calls().last().and_then(Self::position)
    }

    /// Returns the location of the call that the code was inlined at, if it was. It tells one call of a function from others.
    pub(crate) fn call(self) -> Option<Self> {
        // SAFETY: the place where something was inlined is a location itself.
        let outer = unsafe { di::LLVMDILocationGetInlinedAt(self.0) };
        (!outer.is_null()).then_some(Self(outer))
    }

    /// Returns the location, then that of the call that it was inlined at, and so on, up to the function itself.
    pub(crate) fn with_calls(self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(self), |location| location.call())
    }
}

impl<'m> Value<'m> {
    /// Returns the location of an instruction.
    pub(crate) fn location(self) -> Option<DebugLocation> {
        if !self.is_instruction() {
            return None;
        }
        // SAFETY: it is an instruction.
        let location = unsafe { di::LLVMInstructionGetDebugLoc(self.0) };
        (!location.is_null()).then_some(DebugLocation(location))
    }

    /// Returns the place of an instruction in the source, in the function that it was inlined from.
    pub(crate) fn position(self) -> Option<Position> {
        self.location()?.position()
    }

    /// Returns the place of an instruction in the function itself: for an inlined one, that of the call.
    pub(crate) fn outermost_position(self) -> Option<Position> {
        self.location()?.outermost()
    }

    /// Returns the start of a loop, as its `!llvm.loop` notes it at the branch back to its header.
    pub(crate) fn loop_start(self) -> Option<DebugLocation> {
        self.loop_locations().first().copied()
    }

    /// Returns the start and the end of a loop, as its `!llvm.loop` notes them at the branch back to its header.
    pub(crate) fn loop_ends(self) -> Option<[DebugLocation; 2]> {
        self.loop_locations().first_chunk().copied()
    }

    fn loop_locations(self) -> Vec<DebugLocation> {
        if !self.is_instruction() {
            return Vec::new();
        }
        // SAFETY: it is an instruction; the operands of the node, as many as LLVM says, are metadata as values or null.
        unsafe {
            let context = c::LLVMGetTypeContext(c::LLVMTypeOf(self.0));
            let kind = c::LLVMGetMDKindIDInContext(context, LOOP.as_ptr().cast(), LOOP.len() as u32);
            let node = c::LLVMGetMetadata(self.0, kind);
            if node.is_null() {
                return Vec::new();
            }
            let mut operands = vec![std::ptr::null_mut(); c::LLVMGetMDNodeNumOperands(node) as usize];
            c::LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
            let present = operands.into_iter().filter(|operand| !operand.is_null());
            let metadata = present.map(|operand| c::LLVMValueAsMetadata(operand));
            let is_location = |metadata: &LLVMMetadataRef| {
                matches!(di::LLVMGetMetadataKind(*metadata), di::LLVMMetadataKind::LLVMDILocationMetadataKind)
            };
            metadata.filter(is_location).map(DebugLocation).collect()
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
    pub(crate) fn variables(self) -> Vec<DebugVariable<'m>> {
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
                        let location = c::LLVMDbgRecordGetDebugLoc(record);
                        let location = (!location.is_null()).then_some(DebugLocation(location));
                        found.push(DebugVariable { value, name, location });
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
pub(super) unsafe fn metadata_text(context: LLVMContextRef, node: LLVMMetadataRef, operand: usize) -> Option<String> {
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
