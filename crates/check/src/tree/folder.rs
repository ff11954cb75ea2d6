//! Files as they are. Checksums are computed once: many kernels include one header.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};
use symloc_query::CliError;

use super::SourceTree;

/// The files in a folder, and those outside by their absolute paths.
#[derive(Debug)]
pub(crate) struct WorkingFolder {
    root: PathBuf,
    checksums: Mutex<HashMap<PathBuf, Option<String>>>,
}

impl WorkingFolder {
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root, checksums: Mutex::default() }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }
}

impl SourceTree for WorkingFolder {
    fn checksum(&self, path: &str) -> Option<String> {
        let path = self.root.join(path);
        let known = self.checksums.lock().unwrap_or_else(PoisonError::into_inner).get(&path).cloned();
        known.unwrap_or_else(|| {
            let found = std::fs::read(&path).ok().map(|bytes| checksum(&bytes));
            self.checksums.lock().unwrap_or_else(PoisonError::into_inner).insert(path, found.clone());
            found
        })
    }

    fn has(&self, path: &str) -> bool {
        self.root.join(path).is_file()
    }

    fn folder(&self) -> Result<PathBuf, CliError> {
        Ok(self.root.clone())
    }

    fn name(&self) -> Option<&str> {
        None
    }
}

/// Returns the SHA-256 of some bytes.
pub(crate) fn checksum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
