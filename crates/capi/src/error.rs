//! The error object of a failed call: its status and its message.

use std::ffi::{CString, c_char};

use crate::owned;
use crate::status::{Failure, SYMLOC_OK, symloc_status};

/// The error of a failed call, with the message of the command line. It belongs to the caller: free it with
/// `symloc_error_free`.
pub struct symloc_error {
    status: symloc_status,
    message: CString,
}

impl From<Failure> for symloc_error {
    fn from(Failure { status, message }: Failure) -> Self {
        Self { status, message: c_text(&message) }
    }
}

/// Returns a text for C, with each NUL replaced: names in a damaged model may contain one.
pub(crate) fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "\u{FFFD}")).unwrap_or_default()
}

/// Returns the status of an error; `SYMLOC_OK` for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_error_status(error: *const symloc_error) -> symloc_status {
    // SAFETY: the caller gives NULL or an error that is not freed.
    unsafe { error.as_ref() }.map_or(SYMLOC_OK, |error| error.status)
}

/// Returns the message of an error: one or more lines of UTF-8, without a newline at the end; an empty text for NULL.
/// It stays valid until the error is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_error_message(error: *const symloc_error) -> *const c_char {
    // SAFETY: as above.
    unsafe { error.as_ref() }.map_or(c"".as_ptr(), |error| error.message.as_ptr())
}

/// Frees an error; ignores NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_error_free(error: *mut symloc_error) {
    // SAFETY: the caller gives NULL or an error of this library, and does not use it again.
    unsafe { owned::free(error) }
}
