//! The commands of Git that are needed: what a name means, which files a commit has, and their contents.
//!
//! Files of a commit are written through an index of their own (`read-tree`, `checkout-index`), so that neither the user's index and
//! worktrees nor hooks are touched, and that files which `git archive` would leave out are there.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use symloc_query::CliError;

/// The repository around a folder.
#[derive(Clone, Debug)]
pub(crate) struct Repository {
    /// The top folder.
    top: PathBuf,
    /// The path from there to the folder of the `symloc.toml`: empty, or with `/` at its end.
    pub(crate) prefix: String,
}

/// A commit and the name that it was found by.
#[derive(Clone, Debug)]
pub(crate) struct Commit {
    /// The hash.
    pub(crate) id: String,
    /// The name as the user wrote it, and as it was found if that differs.
    pub(crate) name: String,
}

/// The variables by which Git tells its hooks where they run; a check that is a hook looks at its own folder.
const OF_HOOKS: [&str; 4] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"];

/// Returns the command that runs Git in a folder.
fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder);
    OF_HOOKS.iter().for_each(|variable| _ = command.env_remove(variable));
    command
}

/// Runs Git in a folder; returns its output, whatever its status.
fn run(folder: &Path, arguments: &[&str], index: Option<&Path>) -> Result<Output, CliError> {
    let mut command = git(folder);
    command.args(arguments).stdin(Stdio::null());
    if let Some(index) = index {
        command.env("GIT_INDEX_FILE", index);
    }
    command.output().map_err(|error| {
        CliError::with_hint(
            format!("`git` could not be run: {error}"),
            "install it, or compare with \"committed\" models",
        )
    })
}

/// Runs Git; returns its output as text, or its messages if it fails.
fn text(folder: &Path, arguments: &[&str]) -> Result<Result<String, String>, CliError> {
    let output = run(folder, arguments, None)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end_matches('\n').to_owned();
    Ok(if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) })
}

impl Repository {
    /// Finds the repository around a folder.
    pub(crate) fn around(root: &Path) -> Result<Self, CliError> {
        let found = text(root, &["rev-parse", "--show-toplevel", "--show-prefix"])?.map_err(|said| {
            CliError::with_hint(
                format!("{}: no Git repository, so there is no revision to compare with ({said})", root.display()),
                "run the check in a clone, or write `not-worse-than = \"committed\"`",
            )
        })?;
        let (top, prefix) = found.split_once('\n').unwrap_or((&found, ""));
        Ok(Self { top: top.into(), prefix: prefix.to_owned() })
    }

    /// Finds the commit that a name means: a revision, or a branch of `origin`; `main...` is where the present commit left `main`.
    pub(crate) fn commit(&self, name: &str) -> Result<Commit, CliError> {
        if let Some(branch) = name.strip_suffix("...") {
            let other = self.commit(branch)?;
            let base = text(&self.top, &["merge-base", &other.id, "HEAD"])?;
            let id = base.map_err(|_| self.unknown(name, "it has no commit in common with HEAD"))?;
            return Ok(Commit { id, name: name.to_owned() });
        }
        for name in [name.to_owned(), format!("origin/{name}")] {
            let commit = format!("{name}^{{commit}}");
            if let Ok(id) = text(&self.top, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])? {
                return Ok(Commit { id, name });
            }
        }
        Err(self.unknown(name, "there is no such revision, nor a branch `origin/…` of this name"))
    }

    fn unknown(&self, name: &str, reason: &str) -> CliError {
        let is_shallow = text(&self.top, &["rev-parse", "--is-shallow-repository"]);
        let hint = match is_shallow {
            Ok(Ok(answer)) if answer == "true" => {
                "the clone is shallow: fetch the history, in GitHub's actions/checkout with `fetch-depth: 0`"
            }
            _ => "name a branch, a tag or a commit of this repository; `git fetch` gets those of others",
        };
        CliError::with_hint(format!("not-worse-than = \"{name}\": {reason}"), hint)
    }

    /// Returns the files of a commit, by their paths from the top.
    pub(crate) fn files(&self, commit: &Commit) -> Result<BTreeSet<String>, CliError> {
        let output = run(&self.top, &["ls-tree", "-r", "-z", "--name-only", "--full-tree", &commit.id], None)?;
        succeed(&output, commit)?;
        let names = output.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
    }

    /// Writes all files of a commit into a folder; returns the one that corresponds to that of the `symloc.toml`.
    pub(crate) fn export(&self, commit: &Commit, to: &Path) -> Result<PathBuf, CliError> {
        let (index, files) = (to.join("index"), to.join("tree"));
        succeed(&run(&self.top, &["read-tree", &commit.id], Some(&index))?, commit)?;
        let prefix = format!("--prefix={}/", files.display());
        succeed(&run(&self.top, &["checkout-index", "--all", "--force", &prefix], Some(&index))?, commit)?;
        let folder = files.join(&self.prefix);
        let made = std::fs::create_dir_all(&folder);
        made.map_err(|error| CliError::refused(format!("{}: {error}", folder.display())))?;
        Ok(folder)
    }

    /// Returns a reader of files of commits.
    pub(crate) fn contents(&self) -> Result<Contents, CliError> {
        let mut command = git(&self.top);
        command.args(["cat-file", "--batch"]);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut child = child.map_err(|error| CliError::refused(format!("`git` could not be run: {error}")))?;
        let pipes = child.stdin.take().zip(child.stdout.take().map(BufReader::new));
        let (requests, answers) = pipes.ok_or_else(|| CliError::refused("`git` has no pipes"))?;
        Ok(Contents { child, requests: Some(requests), answers })
    }
}

fn succeed(output: &Output, commit: &Commit) -> Result<(), CliError> {
    let said = || String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    if output.status.success() { Ok(()) } else { Err(CliError::refused(format!("{}: git: {}", commit.name, said()))) }
}

/// A process that reads files of commits.
#[derive(Debug)]
pub(crate) struct Contents {
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Contents {
    /// Returns the contents of a file, by its path from the top; `None` if the commit has no such file.
    pub(crate) fn read(&mut self, commit: &Commit, path: &str) -> Option<Vec<u8>> {
        // A request is a line.
        if path.contains('\n') {
            return None;
        }
        writeln!(self.requests.as_mut()?, "{}:{path}", commit.id).ok()?;
        let mut head = String::new();
        self.answers.read_line(&mut head).ok()?;
        // `<id> blob <size>`, or `<request> missing`.
        let size = head.trim_end().rsplit_once(" blob ")?.1.parse::<usize>().ok()?;
        let mut bytes = vec![0; size + 1];
        self.answers.read_exact(&mut bytes).ok()?;
        bytes.pop();
        Some(bytes)
    }
}

impl Drop for Contents {
    fn drop(&mut self) {
        // Git ends when there are no more requests.
        self.requests = None;
        let _ = self.child.wait();
    }
}
