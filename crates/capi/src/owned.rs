//! Objects that C owns: boxes whose pointers go out and come back.

/// Gives an object away.
pub(crate) fn give<T>(object: T) -> *mut T {
    Box::into_raw(Box::new(object))
}

/// Frees an object; NULL is left alone.
///
/// # Safety
///
/// `object` is NULL or was made by [`give`] and is not used afterwards.
pub(crate) unsafe fn free<T>(object: *mut T) {
    if !object.is_null() {
        // SAFETY: as the caller promises. Destructors free memory and do nothing else, so they do not panic.
        drop(unsafe { Box::from_raw(object) });
    }
}
