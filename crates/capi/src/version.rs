//! The versions of the library and of its interface.

use std::ffi::{CStr, c_char};

/// The version of the interface that this header describes. It changes with each change after which programs have to be
/// compiled again.
pub const SYMLOC_ABI_VERSION: u32 = 1;

const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => c"",
};

/// Returns the version of the interface that the library was built with. A program that loads the library at run time
/// compares it with `SYMLOC_ABI_VERSION`.
#[unsafe(no_mangle)]
pub extern "C" fn symloc_abi_version() -> u32 {
    SYMLOC_ABI_VERSION
}

/// Returns the version of symloc, such as `0.2.0`. The text is static: do not free it.
#[unsafe(no_mangle)]
pub extern "C" fn symloc_version() -> *const c_char {
    VERSION.as_ptr()
}
