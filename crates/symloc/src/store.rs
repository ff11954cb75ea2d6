//! A folder of models, so that a program that has not changed is not derived again.
//!
//! The name of a file is the SHA-256 of everything that the model depends on: the program as it was read, including the
//! places in its source, the options, and this program, by its version and by the size and time of its file. Files are
//! written under a temporary name and moved into place, so several processes may use one folder. A file that cannot be
//! read is derived again.

use std::fmt::{self, Debug, Write as _};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use symloc_model::Model;
use symloc_query::CliError;
use tempfile::NamedTempFile;

/// A folder of models.
pub(crate) struct Store<'f> {
    folder: &'f Path,
}

impl<'f> Store<'f> {
    pub(crate) fn new(folder: &'f Path) -> Self {
        Self { folder }
    }

    /// Returns the model that was derived from this origin before, or derives it and keeps it.
    pub(crate) fn model(
        &self,
        origin: &dyn Debug,
        derive: impl FnOnce() -> Result<Model, CliError>,
    ) -> Result<Model, CliError> {
        let path = self.folder.join(format!("{}.loc.json", fingerprint(origin)));
        if let Ok(model) = Model::load(&path) {
            return Ok(model);
        }
        let model = derive()?;
        self.keep(&path, &model).map_err(|error| {
            CliError::refused(format!("{}: cannot keep the model there: {error}", self.folder.display()))
        })?;
        Ok(model)
    }

    fn keep(&self, path: &PathBuf, model: &Model) -> std::io::Result<()> {
        fs::create_dir_all(self.folder)?;
        let mut file = NamedTempFile::new_in(self.folder)?;
        file.write_all(model.to_json().as_bytes())?;
        file.persist(path)?;
        Ok(())
    }
}

/// Returns the hash of everything that a model depends on.
fn fingerprint(origin: &dyn Debug) -> String {
    let mut hasher = Hasher(Sha256::new());
    // Writing to a hash cannot fail.
    let _ = write!(hasher, "{} {:?} {origin:?}", env!("CARGO_PKG_VERSION"), this_program());
    hasher.0.finalize().iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// Returns the size and time of this program's file, because another build may derive different models.
fn this_program() -> Option<(u64, std::time::SystemTime)> {
    let file = fs::metadata(std::env::current_exe().ok()?).ok()?;
    Some((file.len(), file.modified().ok()?))
}

/// A writer that hashes the text without a copy of it.
struct Hasher(Sha256);

impl fmt::Write for Hasher {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}
