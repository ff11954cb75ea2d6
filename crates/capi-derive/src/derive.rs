//! The derivation of models from files and texts.

use std::ffi::{CString, c_char};

use symloc::{Locality, Source};
use symloc_capi::border;
use symloc_capi::error::{c_text, symloc_error};
use symloc_capi::model::{path, symloc_model};
use symloc_capi::owned;
use symloc_capi::status::Answer;

use crate::failure::failure;
use crate::options::{language, request, symloc_derive_options, symloc_language, text};

/// The result of a derivation: a model, its text and the notes about it. Free it with `symloc_derived_free`.
pub struct symloc_derived {
    locality: Locality,
    text: CString,
    notes: Vec<CString>,
}

impl symloc_derived {
    fn new(locality: Locality) -> Self {
        let notes = locality.notes().iter().map(|note| c_text(note.trim_end())).collect();
        Self { text: c_text(&locality.to_json()), notes, locality }
    }

    /// Derives the model of a source.
    ///
    /// # Safety
    ///
    /// That of [`request`].
    unsafe fn derive(
        source: Result<Source, symloc::SymlocError>,
        options: *const symloc_derive_options,
    ) -> Answer<Self> {
        // SAFETY: as the caller promises.
        let request = unsafe { request(options)? };
        let derived = source.and_then(|source| request.derive(&source));
        derived.map(Self::new).map_err(|error| failure(&error))
    }
}

/// Derives the model of a program in a file, whose name tells the language. NULL for `options` stands for the defaults.
///
/// Returns NULL with `SYMLOC_ERROR_IO` if the file cannot be read, `SYMLOC_ERROR_SOURCE`, `SYMLOC_ERROR_COMPILER`,
/// `SYMLOC_ERROR_LIMIT`, or `SYMLOC_ERROR_ARGUMENT` if the options do not fit the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_derive_file(
    path: *const c_char,
    options: *const symloc_derive_options,
    error: *mut *mut symloc_error,
) -> *mut symloc_derived {
    let work = || {
        // SAFETY: the caller gives a text, and NULL or options.
        unsafe { symloc_derived::derive(Source::from_file(self::path(border::c_str(path, "path")?)?), options) }
    };
    // SAFETY: the caller gives NULL or room for an error.
    unsafe { border::object(error, work) }
}

/// Derives the model of a program in memory, `length` bytes, which need not end with a NUL. Messages and the model call
/// it `name`. C, C++ and Fortran are compiled from a temporary file.
///
/// Returns NULL with `SYMLOC_ERROR_SOURCE`, `SYMLOC_ERROR_COMPILER`, `SYMLOC_ERROR_LIMIT`, or `SYMLOC_ERROR_ARGUMENT` if
/// the options do not fit the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_derive_text(
    language: symloc_language,
    name: *const c_char,
    text: *const c_char,
    length: usize,
    options: *const symloc_derive_options,
    error: *mut *mut symloc_error,
) -> *mut symloc_derived {
    let work = || {
        // SAFETY: the caller gives two texts, and NULL or options.
        unsafe {
            let name = self::text(name, "name")?;
            let bytes = border::array(text.cast::<u8>(), length, "text")?;
            let source = Source::from_text(self::language(language, &name)?, name, bytes);
            symloc_derived::derive(Ok(source), options)
        }
    };
    // SAFETY: the caller gives NULL or room for an error.
    unsafe { border::object(error, work) }
}

/// Returns the model, for the functions of symloc.h: that of one thread, if the program has parallel loops. It belongs to
/// the caller, who frees it with `symloc_model_free`; it does not need the derived object.
///
/// Returns NULL with `SYMLOC_ERROR_ARGUMENT` for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_derived_model(
    derived: *const symloc_derived,
    error: *mut *mut symloc_error,
) -> *mut symloc_model {
    let work = || {
        // SAFETY: the caller gives NULL or an object that is not freed.
        let derived = unsafe { border::borrow(derived, "derived")? };
        symloc_model::new(derived.locality.model().clone())
    };
    // SAFETY: the caller gives NULL or room for an error.
    unsafe { border::object(error, work) }
}

/// Returns the text of the model's file, as `symloc derive -o` writes it; NULL for NULL. It ends with a NUL and stays
/// valid until the object is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_derived_text(derived: *const symloc_derived) -> *const c_char {
    // SAFETY: the caller gives NULL or an object that is not freed.
    unsafe { derived.as_ref() }.map_or(std::ptr::null(), |derived| derived.text.as_ptr())
}

/// Returns the number of notes about the derivation; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_derived_note_count(derived: *const symloc_derived) -> usize {
    // SAFETY: as above.
    unsafe { derived.as_ref() }.map_or(0, |derived| derived.notes.len())
}

/// Returns a note: one or more lines, as `symloc derive` prints them, without a newline at the end; NULL if there is none with
/// this index. It stays valid until the object is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_derived_note(derived: *const symloc_derived, index: usize) -> *const c_char {
    // SAFETY: as above.
    let note = unsafe { derived.as_ref() }.and_then(|derived| derived.notes.get(index));
    note.map_or(std::ptr::null(), |note| note.as_ptr())
}

/// Returns true if `max_operations` was reached: the model holds the numbers of accesses and of lines, and no formulas
/// for misses, so that queries are errors.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_derived_is_sampled(derived: *const symloc_derived) -> bool {
    // SAFETY: as above.
    unsafe { derived.as_ref() }.is_some_and(|derived| derived.locality.is_sampled())
}

/// Frees the result of a derivation; ignores NULL. Models that were made of it stay valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_derived_free(derived: *mut symloc_derived) {
    // SAFETY: the caller gives NULL or an object of this library, and does not use it again.
    unsafe { owned::free(derived) }
}
