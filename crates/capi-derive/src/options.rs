//! The options of a derivation.

use std::ffi::c_char;

use symloc::{Language, Layout, ModelRequest};
use symloc_capi::border;
use symloc_capi::status::{Answer, Failure};

/// The language of a program: one of `SYMLOC_LANGUAGE_…`.
pub type symloc_language = u32;

/// The language that the name of the source tells: `.mlir`, `.ll`, `.bc`, `.c`, `.cpp`, `.f90`, `.einsum` and others;
/// everything else is MLIR.
pub const SYMLOC_LANGUAGE_BY_NAME: symloc_language = 0;
/// MLIR, as text or bytecode.
pub const SYMLOC_LANGUAGE_MLIR: symloc_language = 1;
/// LLVM IR, as text or bitcode.
pub const SYMLOC_LANGUAGE_LLVM_IR: symloc_language = 2;
/// C, compiled by `clang-22`.
pub const SYMLOC_LANGUAGE_C: symloc_language = 3;
/// C++, compiled by `clang++-22`.
pub const SYMLOC_LANGUAGE_CPP: symloc_language = 4;
/// Fortran, compiled by `flang-22`.
pub const SYMLOC_LANGUAGE_FORTRAN: symloc_language = 5;
/// A file of einsums.
pub const SYMLOC_LANGUAGE_EINSUM: symloc_language = 6;
/// One einsum, such as `ik,kl,lj->ij`.
pub const SYMLOC_LANGUAGE_EINSUM_EXPRESSION: symloc_language = 7;

/// The layout of arrays in memory: one of `SYMLOC_LAYOUT_…`.
pub type symloc_layout = u32;

/// As in memory: rows follow each other.
pub const SYMLOC_LAYOUT_MEMORY: symloc_layout = 0;
/// Every row starts a new line.
pub const SYMLOC_LAYOUT_ROWS: symloc_layout = 1;
/// The memref's own constant strides.
pub const SYMLOC_LAYOUT_LINEAR: symloc_layout = 2;

/// The options of a derivation. Zero in all fields, as `symloc_derive_options options = {0}` has it, gives the defaults of
/// `symloc derive`. Texts may be NULL, and are not used after the call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct symloc_derive_options {
    /// The function to analyse, where there are several.
    pub function: *const c_char,
    /// Conditions on the sizes, such as `"n >= 16, n mod 8 = 0"`.
    pub assume: *const c_char,
    /// A pass pipeline to run on MLIR first.
    pub passes: *const c_char,
    /// A loop whose iterations threads share: its iterator, its line, or `marked`.
    pub parallel: *const c_char,
    /// `flag_count` flags for the compiler of C, C++ and Fortran.
    pub flags: *const *const c_char,
    /// The number of `flags`.
    pub flag_count: usize,
    /// The size of a line in bytes; 0 stands for 64.
    pub line_bytes: u64,
    /// The most elementary steps of isl for one part of an access; 0 stands for 20 million.
    pub max_operations: u64,
    /// The layout of arrays.
    pub layout: symloc_layout,
    /// 1: derive reuse distances too, which `SYMLOC_LRU` needs.
    pub exact: u32,
    /// 1: lines of one element, whatever its size; `line_bytes` is 0.
    pub element: u32,
    /// 1: pointers of C do not overlap.
    pub assume_noalias: u32,
}

/// A function that sets an option which is a text.
type SetText = fn(ModelRequest, String) -> ModelRequest;

/// Returns the language of a source with this name.
pub(crate) fn language(language: symloc_language, name: &str) -> Answer<Language> {
    match language {
        SYMLOC_LANGUAGE_BY_NAME => Ok(Language::of(name)),
        SYMLOC_LANGUAGE_MLIR => Ok(Language::Mlir),
        SYMLOC_LANGUAGE_LLVM_IR => Ok(Language::LlvmIr),
        SYMLOC_LANGUAGE_C => Ok(Language::C),
        SYMLOC_LANGUAGE_CPP => Ok(Language::Cpp),
        SYMLOC_LANGUAGE_FORTRAN => Ok(Language::Fortran),
        SYMLOC_LANGUAGE_EINSUM => Ok(Language::Einsum),
        SYMLOC_LANGUAGE_EINSUM_EXPRESSION => Ok(Language::EinsumExpression),
        other => Err(Failure::argument(format!("no language {other}"))),
    }
}

/// Returns the request for some options of the caller; NULL stands for the defaults.
///
/// # Safety
///
/// `options` is NULL or points to options, whose texts are NULL or texts.
pub(crate) unsafe fn request(options: *const symloc_derive_options) -> Answer<ModelRequest> {
    if options.is_null() {
        return Ok(ModelRequest::new());
    }
    // SAFETY: as the caller promises.
    let options = unsafe { border::borrow(options, "options")? };
    let mut request = ModelRequest::new().exact(flag(options.exact, "exact")?);
    request = request.assume_noalias(flag(options.assume_noalias, "assume_noalias")?);
    for (text, name, set) in [
        (options.function, "options.function", ModelRequest::function as SetText),
        (options.assume, "options.assume", ModelRequest::assume),
        (options.passes, "options.passes", ModelRequest::passes),
        (options.parallel, "options.parallel", ModelRequest::parallel),
    ] {
        if !text.is_null() {
            // SAFETY: as the caller promises.
            request = set(request, unsafe { self::text(text, name)? });
        }
    }
    // SAFETY: as the caller promises.
    let flags = unsafe { border::array(options.flags, options.flag_count, "options.flags")? };
    for (index, flag) in flags.into_iter().enumerate() {
        // SAFETY: as the caller promises.
        request = request.flags([unsafe { text(flag, &format!("options.flags[{index}]"))? }]);
    }
    request = match (flag(options.element, "element")?, options.line_bytes) {
        (true, 0) => request.element(),
        (true, _) => return Err(Failure::argument("`element` and `line_bytes` are two line sizes")),
        (false, 0) => request,
        (false, bytes) => request.line_bytes(bytes),
    };
    if options.max_operations > 0 {
        request = request.max_operations(options.max_operations);
    }
    match options.layout {
        SYMLOC_LAYOUT_MEMORY => Ok(request),
        SYMLOC_LAYOUT_ROWS => Ok(request.layout(Layout::Rows)),
        SYMLOC_LAYOUT_LINEAR => Ok(request.layout(Layout::Linear)),
        other => Err(Failure::argument(format!("no layout {other}"))),
    }
}

fn flag(value: u32, name: &str) -> Answer<bool> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(Failure::argument(format!("`{name}` is 0 or 1, not {other}"))),
    }
}

/// Copies a text of the caller.
///
/// # Safety
///
/// `text` is NULL or a text that ends with a NUL.
pub(crate) unsafe fn text(text: *const c_char, name: &str) -> Answer<String> {
    // SAFETY: as the caller promises.
    let text = unsafe { border::c_str(text, name)? };
    text.to_str().map(str::to_owned).map_err(|_| Failure::argument(format!("`{name}` is not UTF-8")))
}
