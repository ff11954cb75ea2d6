//! The folder of what was derived and measured before.
//!
//! A file is named by the SHA-256 of everything that it depends on, is written under a temporary name and moved into place, and a
//! file that cannot be read is made again; so several checks may use one folder, and deleting it costs time only.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use symloc_query::CliError;
use tempfile::NamedTempFile;

use crate::tree::folder::checksum;

/// A folder of models and misses.
#[derive(Debug)]
pub(crate) struct CheckStore {
    folder: PathBuf,
}

impl CheckStore {
    /// Opens a folder, which is made if there is none. What is in it is ignored by Git.
    pub(crate) fn open(folder: PathBuf) -> Result<Self, CliError> {
        let store = Self { folder };
        let made = fs::create_dir_all(&store.folder).and_then(|()| match store.folder.join(".gitignore") {
            ignore if ignore.exists() => Ok(()),
            ignore => fs::write(ignore, "*\n"),
        });
        made.map_err(|error| store.refused(&error))?;
        Ok(store)
    }

    /// Returns the folder for what is kept by others.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn refused(&self, error: &std::io::Error) -> CliError {
        CliError::with_hint(
            format!("{}: cannot keep models there: {error}", self.folder.display()),
            "name another folder with --cache-dir",
        )
    }

    fn path(&self, kind: &str, key: &str) -> PathBuf {
        self.folder.join(kind).join(format!("{key}.json"))
    }

    /// Returns what was kept under a key; `None` if there is nothing, or if it cannot be read.
    pub(crate) fn find<T: DeserializeOwned>(&self, kind: &str, key: &str) -> Option<T> {
        serde_json::from_slice(&fs::read(self.path(kind, key)).ok()?).ok()
    }

    /// Returns a text that was kept under a key.
    pub(crate) fn find_text(&self, kind: &str, key: &str) -> Option<String> {
        fs::read_to_string(self.path(kind, key)).ok()
    }

    /// Keeps a value under a key.
    pub(crate) fn keep(&self, kind: &str, key: &str, value: &impl Serialize) -> Result<(), CliError> {
        let text = serde_json::to_string(value).map_err(|error| CliError::refused(error.to_string()))?;
        self.keep_text(kind, key, &text)
    }

    /// Keeps a text under a key.
    pub(crate) fn keep_text(&self, kind: &str, key: &str, text: &str) -> Result<(), CliError> {
        let kept = fs::create_dir_all(self.folder.join(kind)).and_then(|()| {
            let mut file = NamedTempFile::new_in(&self.folder)?;
            file.write_all(text.as_bytes())?;
            file.persist(self.path(kind, key))?;
            Ok(())
        });
        kept.map_err(|error| self.refused(&error))
    }

    /// Returns what was kept for an origin, or makes it and keeps it.
    pub(crate) fn remembered<T: Serialize + DeserializeOwned>(
        &self,
        kind: &str,
        origin: &str,
        make: impl FnOnce() -> Result<T, CliError>,
    ) -> Result<T, CliError> {
        let key = checksum(origin.as_bytes());
        if let Some(kept) = self.find(kind, &key) {
            return Ok(kept);
        }
        let made = make()?;
        self.keep(kind, &key, &made)?;
        Ok(made)
    }
}
