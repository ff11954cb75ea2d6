//! The border to C: pointers become values, and panics become errors.
//!
//! What can be checked of a pointer is checked: that it is not NULL, that it is aligned, that an array of so many elements can
//! exist. That it points to what it says is the caller's promise, and the one thing that each block in this crate relies
//! on. Arrays are copied before anything is computed, so that it does not matter whether the caller's overlap.

use std::any::Any;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::symloc_error;
use crate::owned::give;
use crate::status::{Answer, Failure, SYMLOC_ERROR_INTERNAL, SYMLOC_OK, symloc_status};

/// Runs what a function does; its error goes to `error`, and `otherwise` to its caller. No panic gets past it.
///
/// # Safety
///
/// `error` is NULL, or an error can be written to it.
pub(crate) unsafe fn value<T>(
    error: *mut *mut symloc_error,
    otherwise: impl FnOnce(symloc_status) -> T,
    work: impl FnOnce() -> Answer<T>,
) -> T {
    // Objects are not seen half changed after a panic: they do not change, and what is computed once is computed again.
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

/// The same for functions that give an object, which is NULL if there is none.
///
/// # Safety
///
/// That of [`value`].
pub(crate) unsafe fn object<T>(error: *mut *mut symloc_error, work: impl FnOnce() -> Answer<T>) -> *mut T {
    // SAFETY: as the caller promises.
    unsafe { value(error, |_| std::ptr::null_mut(), || work().map(give)) }
}

/// The same for functions that give a text, which is NULL if there is none.
///
/// # Safety
///
/// That of [`value`].
pub(crate) unsafe fn text(error: *mut *mut symloc_error, work: impl FnOnce() -> Answer<CString>) -> *mut c_char {
    // SAFETY: as the caller promises.
    unsafe { value(error, |_| std::ptr::null_mut(), || work().map(CString::into_raw)) }
}

/// The same for functions that give a status.
///
/// # Safety
///
/// That of [`value`].
pub(crate) unsafe fn status(error: *mut *mut symloc_error, work: impl FnOnce() -> Answer<()>) -> symloc_status {
    // SAFETY: as the caller promises.
    unsafe { value(error, |status| status, || work().map(|()| SYMLOC_OK)) }
}

/// What a panic is to C.
fn internal(panic: &(dyn Any + Send)) -> Failure {
    let reason = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let message = format!("internal error: {}; please report it", reason.unwrap_or("a panic without a message"));
    Failure::new(SYMLOC_ERROR_INTERNAL, message)
}

/// An object of the caller.
///
/// # Safety
///
/// `pointer` is NULL or points to a `T` that lives as long as `'a`.
pub(crate) unsafe fn borrow<'a, T>(pointer: *const T, name: &str) -> Answer<&'a T> {
    check(pointer, 1, name)?;
    // SAFETY: it is not NULL and aligned; the rest is as the caller promises.
    Ok(unsafe { &*pointer })
}

/// A copy of an array of the caller; of no elements, it may be NULL.
///
/// # Safety
///
/// `pointer` is NULL or points to so many values.
pub(crate) unsafe fn array<T: Copy>(pointer: *const T, count: usize, name: &str) -> Answer<Vec<T>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    check(pointer, count, name)?;
    // SAFETY: it is not NULL, aligned and not too long; the rest is as the caller promises.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) }.to_vec())
}

/// A text of the caller that ends with a NUL.
///
/// # Safety
///
/// `pointer` is NULL or points to such a text, which lives as long as `'a`.
pub(crate) unsafe fn c_str<'a>(pointer: *const c_char, name: &str) -> Answer<&'a CStr> {
    check(pointer, 1, name)?;
    // SAFETY: it is not NULL; the rest is as the caller promises.
    Ok(unsafe { CStr::from_ptr(pointer) })
}

/// Room of the caller for some values. Nothing is read from it: it need not be initialised.
pub(crate) struct Room<T> {
    start: *mut T,
    count: usize,
}

impl<T> Room<T> {
    /// # Safety
    ///
    /// `start` is NULL or so many values can be written there as long as the room is used.
    pub(crate) unsafe fn new(start: *mut T, count: usize, name: &str) -> Answer<Self> {
        if count > 0 {
            check(start, count, name)?;
        }
        Ok(Self { start, count })
    }

    /// Writes one value; there is no room beyond the last.
    pub(crate) fn write(&self, index: usize, value: T) {
        assert!(index < self.count, "no room for value {index} of {}", self.count);
        // SAFETY: the index is within the room, which is as the caller of `new` promised.
        unsafe { self.start.add(index).write(value) };
    }
}

/// What can be known of a pointer to so many values.
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
