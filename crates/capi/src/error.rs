//! The object that a failed call leaves: its status and its message.

use std::ffi::{CString, c_char};

use crate::owned;
use crate::status::{Failure, SYMLOC_OK, symloc_status};

/// Why a call failed, in words that are those of the command line. Belongs to the caller: `symloc_error_free`.
pub struct symloc_error {
    status: symloc_status,
    message: CString,
}

impl From<Failure> for symloc_error {
    fn from(Failure { status, message }: Failure) -> Self {
        Self { status, message: c_text(&message) }
    }
}

/// Text for C, where nothing can follow a NUL; names in a damaged model may have one.
pub(crate) fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "\u{FFFD}")).unwrap_or_default()
}

/// The status of an error; `SYMLOC_OK` for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_error_status(error: *const symloc_error) -> symloc_status {
    // SAFETY: the caller gives NULL or an error that is not freed.
    unsafe { error.as_ref() }.map_or(SYMLOC_OK, |error| error.status)
}

/// The message of an error: one line or several, UTF-8, without a newline at its end. It stays valid until the error is
/// freed. An empty text for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_error_message(error: *const symloc_error) -> *const c_char {
    // SAFETY: as above.
    unsafe { error.as_ref() }.map_or(c"".as_ptr(), |error| error.message.as_ptr())
}

/// Frees an error; NULL is left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_error_free(error: *mut symloc_error) {
    // SAFETY: the caller gives NULL or an error of this library, for the last time.
    unsafe { owned::free(error) }
}
