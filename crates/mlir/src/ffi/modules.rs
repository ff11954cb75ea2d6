//! Modules from text, through passes, and to LLVM IR.

use std::ffi::{CStr, CString, c_char};

use melior::Context;
use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use mlir_sys::{
    LLVMContextCreate, LLVMContextDispose, LLVMCountParams, LLVMDisposeMessage, LLVMDisposeModule,
    LLVMGetNamedFunction, LLVMGetParam, LLVMPrintModuleToString, LLVMSetValueName2, MlirStringRef,
    mlirModuleCreateParse, mlirPassManagerCreateOnOperation, mlirPassManagerRunOnOp, mlirTranslateModuleToLLVMIR,
};

use super::{Op, name};

/// Parses and verifies a module. Several operations at top level form one module, as in `mlir-opt`. Errors go to the
/// context's diagnostic handler.
pub(crate) fn parse_module<'c>(context: &'c Context, source: &[u8]) -> Option<Module<'c>> {
    // MLIR's lexer looks for a NUL after the end, and its bytecode reader needs aligned input.
    let mut words = vec![[0_u64; 8]; source.len() / 64 + 1].into_boxed_slice();
    let start = words.as_mut_ptr().cast::<u8>();
    // SAFETY: the words are longer than the source, and nothing else refers to them.
    unsafe { start.copy_from_nonoverlapping(source.as_ptr(), source.len()) };
    let text = MlirStringRef { data: start.cast::<c_char>(), length: source.len() };
    // SAFETY: `words` outlives the call; the result is null or owned by us.
    unsafe { Module::from_option_raw(mlirModuleCreateParse(context.to_raw(), text)) }
}

/// Runs a pass pipeline on an operation: a function or a module.
pub(crate) fn run_on(context: &Context, op: Op, pipeline: &str) -> Result<(), melior::Error> {
    let anchor = name(op);
    // SAFETY: the text is copied, and the manager is owned by us.
    let manager = unsafe {
        let text = MlirStringRef { data: anchor.as_ptr().cast::<c_char>(), length: anchor.len() };
        PassManager::from_raw(mlirPassManagerCreateOnOperation(context.to_raw(), text))
    };
    parse_pass_pipeline(manager.as_operation_pass_manager(), &format!("{anchor}({pipeline})"))?;
    // SAFETY: the manager is for operations of this name, and the operation lives; callers keep no handles of
    // operations in it.
    let result = unsafe { mlirPassManagerRunOnOp(manager.to_raw(), op.to_raw()) };
    if result.value == 0 { Err(melior::Error::RunPass) } else { Ok(()) }
}

/// Returns the LLVM IR of a module in the LLVM dialect, in which the arguments of one function have these names.
pub(crate) fn translated(module: Op, function: &str, names: &[String]) -> Option<String> {
    let function = CString::new(function).ok()?;
    // SAFETY: the module lives while it is translated; what is made here is disposed of here, the text after it was
    // copied.
    unsafe {
        let context = LLVMContextCreate();
        let translated = mlirTranslateModuleToLLVMIR(module.to_raw(), context);
        let text = (!translated.is_null()).then(|| {
            let function = LLVMGetNamedFunction(translated, function.as_ptr());
            let count = if function.is_null() { 0 } else { LLVMCountParams(function) };
            for (position, name) in (0..count).zip(names) {
                LLVMSetValueName2(LLVMGetParam(function, position), name.as_ptr().cast::<c_char>(), name.len());
            }
            let printed = LLVMPrintModuleToString(translated);
            let text = CStr::from_ptr(printed).to_string_lossy().into_owned();
            LLVMDisposeMessage(printed);
            LLVMDisposeModule(translated);
            text
        });
        LLVMContextDispose(context);
        text
    }
}
