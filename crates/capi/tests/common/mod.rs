//! Calls of the C functions from Rust, with objects that are freed at the end of their scope.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]
#![allow(unsafe_code, reason = "it calls the functions of C")]

pub(crate) mod generated;

use std::ffi::{CStr, c_char};
use std::path::{Path, PathBuf};
use std::ptr::null_mut;

use symloc_capi::error::{symloc_error, symloc_error_free, symloc_error_message, symloc_error_status};
use symloc_capi::evaluator::{symloc_evaluator, symloc_evaluator_free};
use symloc_capi::histogram::{symloc_histogram, symloc_histogram_free};
use symloc_capi::model::{symloc_model, symloc_model_free, symloc_model_parse};
use symloc_capi::prediction::{symloc_prediction, symloc_prediction_free};
use symloc_capi::status::symloc_status;

/// The error that a call wrote to its last argument.
pub(crate) type Failed = (symloc_status, String);

/// An object of the library.
pub(crate) struct Owned<T> {
    pub(crate) pointer: *mut T,
    free: unsafe extern "C" fn(*mut T),
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: the object is not used any more.
        unsafe { (self.free)(self.pointer) }
    }
}

pub(crate) trait Handle: Sized {
    const FREE: unsafe extern "C" fn(*mut Self);
}

impl Handle for symloc_model {
    const FREE: unsafe extern "C" fn(*mut Self) = symloc_model_free;
}

impl Handle for symloc_evaluator {
    const FREE: unsafe extern "C" fn(*mut Self) = symloc_evaluator_free;
}

impl Handle for symloc_prediction {
    const FREE: unsafe extern "C" fn(*mut Self) = symloc_prediction_free;
}

impl Handle for symloc_histogram {
    const FREE: unsafe extern "C" fn(*mut Self) = symloc_histogram_free;
}

/// Calls a function with room for an error; returns its value and the error.
pub(crate) fn call<T>(function: impl FnOnce(*mut *mut symloc_error) -> T) -> (T, Option<Failed>) {
    let mut error = null_mut();
    let value = function(&raw mut error);
    if error.is_null() {
        return (value, None);
    }
    // SAFETY: the error is one of the library, and is freed once.
    let failed = unsafe {
        let message = CStr::from_ptr(symloc_error_message(error)).to_str().unwrap().to_owned();
        let failed = (symloc_error_status(error), message);
        symloc_error_free(error);
        failed
    };
    (value, Some(failed))
}

/// Calls a function that returns an object; checks that it returns either an object or an error.
pub(crate) fn object<T: Handle>(function: impl FnOnce(*mut *mut symloc_error) -> *mut T) -> Result<Owned<T>, Failed> {
    let (pointer, failed) = call(function);
    assert_eq!(pointer.is_null(), failed.is_some());
    failed.map_or(Ok(Owned { pointer, free: T::FREE }), Err)
}

/// Calls a function that returns a status; checks that this is the status of the error.
pub(crate) fn status(function: impl FnOnce(*mut *mut symloc_error) -> symloc_status) -> Result<(), Failed> {
    let (status, failed) = call(function);
    assert_eq!(status, failed.as_ref().map_or(0, |(status, _)| *status));
    failed.map_or(Ok(()), Err)
}

pub(crate) fn parse(text: &[u8]) -> Result<Owned<symloc_model>, Failed> {
    // SAFETY: the length is that of the text.
    object(|error| unsafe { symloc_model_parse(text.as_ptr().cast::<c_char>(), text.len(), error) })
}

pub(crate) fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/models")
}
