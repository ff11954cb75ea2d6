//! The border to C: checks of pointers, copies of arrays, and panics turned into errors.
//!
//! A pointer is checked as far as that is possible: it is not NULL, it is aligned, and an array of this many elements
//! can exist. Each `unsafe` block in this crate relies on the caller's promise that the pointer points to values of its
//! type. Arrays are copied before anything is computed, so that the caller's arrays may overlap. The library that
//! derives (`symloc-capi-derive`) uses this module as well.

use std::any::Any;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::symloc_error;
use crate::owned::give;
use crate::status::{Answer, Failure, SYMLOC_ERROR_INTERNAL, SYMLOC_OK, symloc_status};

/// Runs `work` and returns its value. If it fails or panics, writes the error to `error` and returns `otherwise`.
///
/// # Safety
///
/// `error` is NULL, or an error can be written to it.
pub unsafe fn value<T>(
    error: *mut *mut symloc_error,
    otherwise: impl FnOnce(symloc_status) -> T,
    work: impl FnOnce() -> Answer<T>,
) -> T {
    // No object is half changed after a panic: objects do not change, and a cached value that is missing is computed
    // again.
    let result = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(internal(&*panic)));
    let (value, failure) = match result {
        Ok(value) => (value, None),
        Err(failure) => (otherwise(failure.status), Some(failure)),
    };
    if !error.is_null() {
        let left = failure.map_or(std::ptr::null_mut(), |failure| give(failure.into()));
        // SAFETY: as the caller promises.
        unsafe { error.write(left) };
    }
    value
}

/// Runs `work` as [`value`] does and returns its object, or NULL after an error.
///
/// # Safety
///
/// That of [`value`].
pub unsafe fn object<T>(error: *mut *mut symloc_error, work: impl FnOnce() -> Answer<T>) -> *mut T {
    // SAFETY: as the caller promises.
    unsafe { value(error, |_| std::ptr::null_mut(), || work().map(give)) }
}

/// Runs `work` as [`value`] does and returns its text, or NULL after an error.
///
/// # Safety
///
/// That of [`value`].
pub unsafe fn text(error: *mut *mut symloc_error, work: impl FnOnce() -> Answer<CString>) -> *mut c_char {
    // SAFETY: as the caller promises.
    unsafe { value(error, |_| std::ptr::null_mut(), || work().map(CString::into_raw)) }
}

/// Runs `work` as [`value`] does and returns its status.
///
/// # Safety
///
/// That of [`value`].
pub unsafe fn status(error: *mut *mut symloc_error, work: impl FnOnce() -> Answer<()>) -> symloc_status {
    // SAFETY: as the caller promises.
    unsafe { value(error, |status| status, || work().map(|()| SYMLOC_OK)) }
}

/// Turns a panic into an internal error.
fn internal(panic: &(dyn Any + Send)) -> Failure {
    let reason = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let message = format!("internal error: {}; please report it", reason.unwrap_or("a panic without a message"));
    Failure::new(SYMLOC_ERROR_INTERNAL, message)
}

/// Borrows an object of the caller.
///
/// # Errors
///
/// If the pointer cannot be one to such an object.
///
/// # Safety
///
/// `pointer` is NULL or points to a `T` that lives as long as `'a`.
pub unsafe fn borrow<'a, T>(pointer: *const T, name: &str) -> Answer<&'a T> {
    check(pointer, 1, name)?;
    // SAFETY: it is not NULL and aligned; the rest is as the caller promises.
    Ok(unsafe { &*pointer })
}

/// Copies an array of the caller. The pointer of an array without elements may be NULL.
///
/// # Errors
///
/// If the pointer cannot be one to such an array.
///
/// # Safety
///
/// `pointer` is NULL or points to `count` values.
pub unsafe fn array<T: Copy>(pointer: *const T, count: usize, name: &str) -> Answer<Vec<T>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    check(pointer, count, name)?;
    // SAFETY: it is not NULL, aligned and not too long; the rest is as the caller promises.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) }.to_vec())
}

/// Borrows a text of the caller that ends with a NUL.
///
/// # Errors
///
/// If the pointer is NULL.
///
/// # Safety
///
/// `pointer` is NULL or points to a text that ends with a NUL and lives as long as `'a`.
pub unsafe fn c_str<'a>(pointer: *const c_char, name: &str) -> Answer<&'a CStr> {
    check(pointer, 1, name)?;
    // SAFETY: it is not NULL; the rest is as the caller promises.
    Ok(unsafe { CStr::from_ptr(pointer) })
}

/// Memory of the caller for some values. It is never read, so it need not be initialised.
pub struct Room<T> {
    start: *mut T,
    count: usize,
}

impl<T> Room<T> {
    /// Takes the memory of the caller.
    ///
    /// # Errors
    ///
    /// If the pointer cannot be one to such memory.
    ///
    /// # Safety
    ///
    /// `start` is NULL, or `count` values can be written there as long as the room is used.
    pub unsafe fn new(start: *mut T, count: usize, name: &str) -> Answer<Self> {
        if count > 0 {
            check(start, count, name)?;
        }
        Ok(Self { start, count })
    }

    /// Writes one value; panics if the index is beyond the room.
    pub fn write(&self, index: usize, value: T) {
        assert!(index < self.count, "no room for value {index} of {}", self.count);
        // SAFETY: the index is within the room, which is as the caller of `new` promised.
        unsafe { self.start.add(index).write(value) };
    }
}

/// Checks that a pointer to `count` values is not NULL, is aligned, and that such an array can exist.
fn check<T>(pointer: *const T, count: usize, name: &str) -> Answer<()> {
    let fits = count.checked_mul(size_of::<T>()).is_some_and(|bytes| isize::try_from(bytes).is_ok());
    match () {
        () if pointer.is_null() => Err(Failure::argument(format!("`{name}` is NULL"))),
        () if !pointer.is_aligned() => Err(Failure::argument(format!("`{name}` is not aligned"))),
        () if !fits => Err(Failure::argument(format!("`{name}` cannot have {count} elements"))),
        () => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        let mut error = std::ptr::null_mut();
        // SAFETY: `error` can be written to, and is freed.
        unsafe {
            let status = status(&mut error, || panic!("{} is wrong", "everything"));
            assert_eq!(status, SYMLOC_ERROR_INTERNAL);
            let message = CStr::from_ptr(crate::error::symloc_error_message(error));
            assert_eq!(message, c"internal error: everything is wrong; please report it");
            crate::error::symloc_error_free(error);
        }
    }

    #[test]
    fn pointers_that_cannot_be_are_refused() {
        let refused = |pointer: *const u64, count| check(pointer, count, "p").unwrap_err().message;
        let odd = std::ptr::without_provenance(9);
        assert_eq!(refused(std::ptr::null(), 1), "`p` is NULL");
        assert_eq!(refused(odd, 1), "`p` is not aligned");
        assert_eq!(refused(&7, usize::MAX / 8), format!("`p` cannot have {} elements", usize::MAX / 8));
        assert!(check(&7_u64, 1, "p").is_ok());
    }
}
