//! Names of a model as texts of C.

use std::ffi::{CStr, CString, c_char};

use crate::status::{Answer, Failure, SYMLOC_ERROR_MODEL};

/// A list of names.
pub(crate) struct Names(Vec<CString>);

impl Names {
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = &'n String>) -> Answer<Self> {
        names.into_iter().map(|name| c_name(name)).collect::<Answer<_>>().map(Self)
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns one name, which lives as long as the list; NULL if there is none with this index.
    pub(crate) fn get(&self, index: usize) -> *const c_char {
        self.0.get(index).map_or(std::ptr::null(), |name| name.as_ptr())
    }

    /// Returns all names, separated by commas.
    pub(crate) fn text(&self) -> String {
        let names: Vec<_> = self.0.iter().map(|name| name.as_c_str()).map(CStr::to_string_lossy).collect();
        names.join(", ")
    }
}

/// Converts a name to a text of C; fails if it contains a NUL.
pub(crate) fn c_name(name: &str) -> Answer<CString> {
    CString::new(name).map_err(|_| Failure::new(SYMLOC_ERROR_MODEL, "damaged model: a name with a NUL in it"))
}
