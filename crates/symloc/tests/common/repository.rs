//! A temporary Git repository with a `symloc.toml`.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// A repository, removed at the end.
pub(crate) struct Repository {
    folder: TempDir,
}

impl Repository {
    /// Makes an empty repository with the branch `main`.
    pub(crate) fn new() -> Self {
        let repository = Self { folder: tempfile::tempdir().unwrap() };
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file, in folders that are made.
    pub(crate) fn write(&self, file: &str, text: &str) {
        let path = self.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Runs Git; returns its output.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
        let output = Command::new("git").args(identity).args(arguments).current_dir(self.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Commits everything.
    pub(crate) fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message=change"]);
    }

    /// Runs `symloc check`; returns standard output, standard error and the exit code.
    pub(crate) fn check(&self, arguments: &[&str]) -> (String, String, Option<i32>) {
        check_in(self.path(), arguments)
    }

    /// Runs `symloc check --format json`; returns the kernels and the exit code.
    pub(crate) fn kernels(&self, arguments: &[&str]) -> (Vec<Value>, Option<i32>) {
        let (answer, errors, status) = self.check(&[&["--format", "json"], arguments].concat());
        let answer: Value = serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}{errors}"));
        assert_eq!(answer["schema"], "symloc.check/1");
        (answer["kernels"].as_array().unwrap().clone(), status)
    }
}

/// Runs `symloc check` in a folder.
pub(crate) fn check_in(folder: &Path, arguments: &[&str]) -> (String, String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_symloc"));
    let output = command.arg("check").args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}
