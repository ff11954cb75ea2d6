//! The sources of a check: those in the folder, and those of a revision.
//!
//! - [`git`]: the commands of Git that are needed,
//! - [`folder`], [`revision`]: files as they are, and as a commit has them.

use std::path::{Path, PathBuf};

use symloc_query::CliError;

pub(crate) mod folder;
pub(crate) mod git;
pub(crate) mod revision;

/// The sources that kernels are derived from. Paths are relative to the folder of the `symloc.toml`, or absolute.
pub(crate) trait SourceTree: Sync {
    /// Returns the checksum of a file; `None` if there is no such file.
    fn checksum(&self, path: &str) -> Option<String>;

    /// Returns true if there is a file of this name.
    fn has(&self, path: &str) -> bool;

    /// Returns the folder that corresponds to that of the `symloc.toml`, with all files.
    fn folder(&self) -> Result<PathBuf, CliError>;

    /// Returns the name of the tree in messages, such as `main`; `None` for the files as they are.
    fn name(&self) -> Option<&str>;
}

/// Returns the path without `.` and `a/..`; `None` if it leads out of the folder that it is relative to.
pub(crate) fn normalized(path: &Path) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.to_str()?.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop()?,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_one_form() {
        let of = |path: &str| normalized(Path::new(path));
        assert_eq!(of("src/./a/../b.h").as_deref(), Some("src/b.h"));
        assert_eq!((of("a//b").as_deref(), of("a/..").as_deref(), of("../a")), (Some("a/b"), Some(""), None));
    }
}
