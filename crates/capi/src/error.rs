//! The error object of a failed call: its status and its message.

use std::ffi::{CString, c_char};

use crate::owned;
use crate::status::{Failure, FailurePlace, SYMLOC_OK, symloc_status};

/// The error of a failed call, with the message of the command line. It belongs to the caller: free it with
/// `symloc_error_free`.
pub struct symloc_error {
    status: symloc_status,
    message: CString,
    place: Option<ErrorLocation>,
}

/// The place of an error, as texts and numbers of C.
struct ErrorLocation {
    file: CString,
    line: u32,
    column: u32,
}

impl From<Failure> for symloc_error {
    fn from(Failure { status, message, place }: Failure) -> Self {
        let place =
            place.map(|FailurePlace { file, line, column }| ErrorLocation { file: c_text(&file), line, column });
        Self { status, message: c_text(&message), place }
    }
}

impl symloc_error {
    /// Returns the place of an error of the caller, if it has one.
    ///
    /// # Safety
    ///
    /// `error` is NULL or an error that is not freed as long as `'a`.
    unsafe fn place<'a>(error: *const symloc_error) -> Option<&'a ErrorLocation> {
        // SAFETY: as the caller promises.
        unsafe { error.as_ref() }.and_then(|error| error.place.as_ref())
    }
}

/// Returns a text for C, with each NUL replaced: names in a damaged model may contain one.
pub fn c_text(text: &str) -> CString {
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

/// Returns the file that an error is about, as the source was named; NULL if there is none. It stays valid until the
/// error is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_error_file(error: *const symloc_error) -> *const c_char {
    // SAFETY: as above.
    unsafe { symloc_error::place(error) }.map_or(std::ptr::null(), |place| place.file.as_ptr())
}

/// Returns the line in that file, from 1; 0 if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_error_line(error: *const symloc_error) -> u32 {
    // SAFETY: as above.
    unsafe { symloc_error::place(error) }.map_or(0, |place| place.line)
}

/// Returns the column in that line, from 1, in bytes; 0 if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_error_column(error: *const symloc_error) -> u32 {
    // SAFETY: as above.
    unsafe { symloc_error::place(error) }.map_or(0, |place| place.column)
}

/// Frees an error; ignores NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_error_free(error: *mut symloc_error) {
    // SAFETY: the caller gives NULL or an error of this library, and does not use it again.
    unsafe { owned::free(error) }
}
