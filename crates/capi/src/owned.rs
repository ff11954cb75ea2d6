//! Objects that C owns: boxes whose pointers are handed to C and come back to be freed.

/// Moves an object to a box and returns its pointer, which then belongs to C.
pub fn give<T>(object: T) -> *mut T {
    Box::into_raw(Box::new(object))
}

/// Frees an object; ignores NULL.
///
/// # Safety
///
/// `object` is NULL or was made by [`give`] and is not used afterwards.
pub unsafe fn free<T>(object: *mut T) {
    if !object.is_null() {
        // SAFETY: as the caller promises. Destructors only free memory, so they do not panic.
        drop(unsafe { Box::from_raw(object) });
    }
}
