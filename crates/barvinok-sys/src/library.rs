//! An open library, and why one could not be opened.

use std::path::PathBuf;

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

/// Why the libraries could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// No directory holds both libraries.
    #[error(
        "libisl and libbarvinok were not found in {}; run ./setup in the source tree, or set SYMLOC_BARVINOK_DIR to a \
         directory that holds both",
        list(.searched)
    )]
    NotFound {
        /// The directories that were searched, in order.
        searched: Vec<PathBuf>,
    },
    /// The system's loader rejected a library.
    #[error(
        "cannot load {}: {reason}; run ./setup in the source tree to fetch working libraries, or correct \
         SYMLOC_BARVINOK_DIR",
        .path.display()
    )]
    Open {
        /// The library.
        path: PathBuf,
        /// The loader's message.
        reason: String,
    },
    /// A library lacks a function: it is too old, too new or something else.
    #[error(
        "{} has no function `{name}`; isl 0.27 with Barvinok is needed: run ./setup in the source tree, or correct \
         SYMLOC_BARVINOK_DIR",
        .path.display()
    )]
    Symbol {
        /// The library.
        path: PathBuf,
        /// The function.
        name: &'static str,
    },
}

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// An open library that remembers its path for messages.
pub(crate) struct Handle {
    library: Library,
    path: PathBuf,
}

impl Handle {
    pub(crate) fn open(path: PathBuf) -> Result<Handle, LoadError> {
        // The libraries bind to their own siblings before anything the program exports (Polly's isl).
        #[cfg(all(target_os = "linux", target_env = "gnu"))]
        const DEEPBIND: std::ffi::c_int = 0x8;
        #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
        const DEEPBIND: std::ffi::c_int = 0;
        // SAFETY: the initialisers of isl, Barvinok, NTL, PolyLib and GMP only set up their own globals.
        let library = unsafe { Library::open(Some(&path), RTLD_NOW | RTLD_LOCAL | DEEPBIND) };
        match library {
            Ok(library) => Ok(Handle { library, path }),
            Err(error) => Err(LoadError::Open { path, reason: error.to_string() }),
        }
    }

    /// Returns the address of the function or variable `name` as a `F`.
    ///
    /// # Safety
    ///
    /// `F` is the type of a C function pointer with the signature that the library gives `name`, or of a pointer.
    pub(crate) unsafe fn symbol<F: Copy>(&self, name: &'static str) -> Result<F, LoadError> {
        // SAFETY: the caller vouches for the type; the copy stays valid because the table keeps the library open.
        let symbol = unsafe { self.library.get::<F>(name.as_bytes()) };
        symbol.map(|f| *f).map_err(|_| LoadError::Symbol { path: self.path.clone(), name })
    }
}
