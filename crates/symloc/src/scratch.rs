//! Temporary folders that are removed even if the watchdog ends the program.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::TempDir;

/// The folders that exist.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A folder that is removed when this is dropped.
pub(crate) struct Scratch {
    folder: TempDir,
}

impl Scratch {
    /// Creates an empty folder.
    pub(crate) fn new() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("symloc-").tempdir()?;
        FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).push(folder.path().to_owned());
        Ok(Self { folder })
    }

    /// Returns the path of the folder.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).retain(|folder| folder != self.folder.path());
    }
}

/// Removes the folders that are left, before the watchdog ends the program.
pub(crate) fn remove_all() {
    for folder in FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        // A failure is ignored: the program ends in any case, with a message about the limit.
        let _ = std::fs::remove_dir_all(folder);
    }
}
