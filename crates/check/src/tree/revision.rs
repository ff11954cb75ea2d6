//! Files as a commit has them. They are written to a temporary folder when a kernel has to be derived from them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use symloc_query::CliError;
use tempfile::TempDir;

use super::folder::{WorkingFolder, checksum};
use super::git::{Commit, Contents, Repository};
use super::{SourceTree, normalized};

/// The files of a commit, and those outside of the repository by their absolute paths.
#[derive(Debug)]
pub(crate) struct Revision<'w> {
    repository: Repository,
    commit: Commit,
    outside: &'w WorkingFolder,
    files: BTreeSet<String>,
    contents: Mutex<Contents>,
    exported: Mutex<Option<(TempDir, PathBuf)>>,
}

impl<'w> Revision<'w> {
    pub(crate) fn new(repository: Repository, name: &str, outside: &'w WorkingFolder) -> Result<Self, CliError> {
        let commit = repository.commit(name)?;
        Ok(Self {
            files: repository.files(&commit)?,
            contents: Mutex::new(repository.contents()?),
            exported: Mutex::new(None),
            repository,
            commit,
            outside,
        })
    }

    /// Returns the contents of a file; `None` if the commit has no such file.
    pub(crate) fn read(&self, path: &str) -> Option<Vec<u8>> {
        let path = self.path_from_top(path)?;
        if !self.files.contains(&path) {
            return None;
        }
        self.contents.lock().unwrap_or_else(PoisonError::into_inner).read(&self.commit, &path)
    }

    /// Returns the path of a file from the top of the repository.
    fn path_from_top(&self, path: &str) -> Option<String> {
        normalized(Path::new(&format!("{}{path}", self.repository.prefix)))
    }
}

impl SourceTree for Revision<'_> {
    fn checksum(&self, path: &str) -> Option<String> {
        match Path::new(path).is_absolute() {
            true => self.outside.checksum(path),
            false => self.read(path).map(|bytes| checksum(&bytes)),
        }
    }

    fn has(&self, path: &str) -> bool {
        match Path::new(path).is_absolute() {
            true => self.outside.has(path),
            false => self.path_from_top(path).is_some_and(|path| self.files.contains(&path)),
        }
    }

    fn folder(&self) -> Result<PathBuf, CliError> {
        let mut exported = self.exported.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, folder)) = &*exported {
            return Ok(folder.clone());
        }
        let made = tempfile::Builder::new().prefix("symloc-check-").tempdir();
        let temporary = made.map_err(|error| CliError::refused(format!("cannot make a temporary folder: {error}")))?;
        let folder = self.repository.export(&self.commit, temporary.path())?;
        *exported = Some((temporary, folder.clone()));
        Ok(folder)
    }

    fn name(&self) -> Option<&str> {
        Some(&self.commit.name)
    }
}
