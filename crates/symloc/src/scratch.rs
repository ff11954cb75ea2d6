//! Temporary folders that are removed however the program ends: by itself, or by the watchdog.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::TempDir;

/// The folders that are there.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A folder that is removed with this.
pub(crate) struct Scratch {
    folder: TempDir,
}

impl Scratch {
    /// Makes an empty folder.
    pub(crate) fn new() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("symloc-").tempdir()?;
        FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).push(folder.path().to_owned());
        Ok(Self { folder })
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).retain(|folder| folder != self.folder.path());
    }
}

/// Removes the folders that are left, before the program is ended from outside.
pub(crate) fn remove_all() {
    for folder in FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        // The program ends in any case, and says why.
        let _ = std::fs::remove_dir_all(folder);
    }
}
