//! The programs that are run: `symloc`, and Clang, `opt` and Polly of LLVM 22.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::BoxedError;

/// The programs, and a folder for files.
pub(super) struct CompilerTools {
    symloc: PathBuf,
    scratch: TempDir,
    /// True if `opt` has Polly.
    pub(super) has_polly: bool,
}

/// The misses of a program by cache, and its accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SimulatedMisses {
    pub(super) accesses: u64,
    /// The lines that it touches.
    pub(super) lines: u64,
    pub(super) misses: Vec<u64>,
}

impl CompilerTools {
    pub(super) fn new(symloc: Option<&Path>) -> Result<Self, BoxedError> {
        let symloc = match symloc {
            Some(symloc) => symloc.to_owned(),
            None => std::env::current_exe()?.with_file_name("symloc"),
        };
        let mut tools = Self { symloc, scratch: tempfile::tempdir()?, has_polly: false };
        let empty = tools.file("empty.ll", "")?;
        let polly = output("opt-22", &["-passes=polly".as_ref(), "-disable-output".as_ref(), empty.as_os_str()]);
        tools.has_polly = polly.is_ok();
        Ok(tools)
    }

    /// Returns the version of a program, as it prints it.
    pub(super) fn version(program: &str) -> Result<String, BoxedError> {
        let (text, _) = output(program, &["--version".as_ref()])?;
        let line = text.lines().find(|line| line.contains("version")).unwrap_or_default();
        Ok(line.trim().to_owned())
    }

    /// Returns the place of a file in the folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// Writes a file in the folder.
    pub(super) fn file(&self, name: &str, text: &str) -> Result<PathBuf, BoxedError> {
        let path = self.path(name);
        std::fs::write(&path, text)?;
        Ok(path)
    }

    /// Returns what Clang's syntax tree says of functions with a name.
    pub(super) fn syntax_tree(&self, file: &Path, function: &str) -> Result<String, BoxedError> {
        let filter = format!("-ast-dump-filter={function}");
        let options = ["-w", "-fsyntax-only", "-Xclang", "-ast-dump=json", "-Xclang", &filter];
        Ok(output("clang-22", &with(&options, &[file]))?.0)
    }

    /// Compiles a file in C to LLVM IR, before any pass. Pointer arguments are said not to overlap.
    pub(super) fn compiled(&self, file: &Path, name: &str) -> Result<PathBuf, BoxedError> {
        let new = self.path(name);
        let options = ["-w", "-O1", "-g", "-Xclang", "-disable-llvm-passes", "-fno-discard-value-names", "-S"];
        output("clang-22", &with(&[&options[..], &["-emit-llvm", "-o"]].concat(), &[&new, file]))?;
        let text = std::fs::read_to_string(&new)?;
        let apart = |line: &str| match line.starts_with("define") {
            true => line.replace("ptr noundef %", "ptr noalias noundef %"),
            false => line.to_owned(),
        };
        self.file(name, &(text.lines().map(apart).collect::<Vec<_>>().join("\n") + "\n"))
    }

    /// Runs passes of LLVM; returns the new file, and what `opt` prints on standard error.
    pub(super) fn passes(
        &self,
        file: &Path,
        passes: &str,
        options: &[&str],
        name: &str,
    ) -> Result<(PathBuf, String), BoxedError> {
        let new = self.path(name);
        let passes = format!("-passes={passes}");
        let options = [options, &[&passes, "-S", "-o"]].concat();
        let (_, errors) = output("opt-22", &with(&options, &[&new, file]))?;
        Ok((new, errors))
    }

    /// Runs `symloc`; returns its answer in JSON.
    pub(super) fn answer(&self, command: &str, file: &Path, options: &[&str]) -> Result<Value, BoxedError> {
        let all = [&[OsStr::new(command), file.as_os_str()], &with(options, &[])[..]].concat();
        let (text, _) = output(&self.symloc, &all)?;
        Ok(serde_json::from_str(&text)?)
    }

    /// Runs `symloc` without an answer in JSON.
    pub(super) fn run(&self, command: &str, file: &Path, options: &[&str]) -> Result<(), BoxedError> {
        let all = [&[OsStr::new(command), file.as_os_str()], &with(options, &[])[..]].concat();
        output(&self.symloc, &all).map(|_| ())
    }

    /// Simulates a program on caches, each by itself.
    pub(super) fn simulated(
        &self,
        file: &Path,
        caches: &[String],
        options: &[&str],
    ) -> Result<SimulatedMisses, BoxedError> {
        let mut found = SimulatedMisses { accesses: 0, lines: 0, misses: Vec::new() };
        for cache in caches {
            let answer = self.answer("simulate", file, &[&["--json", "--cache", cache], options].concat())?;
            let number = |value: &Value| value.as_u64().ok_or_else(|| format!("no number in {answer}"));
            found.accesses = number(&answer["accesses"])?;
            found.lines = number(&answer["first_touches"])?;
            found.misses.push(number(&answer["levels"][0]["misses"])?);
        }
        Ok(found)
    }
}

/// Returns options and files as arguments.
fn with<'a>(options: &[&'a str], files: &[&'a Path]) -> Vec<&'a OsStr> {
    options.iter().map(|option| OsStr::new(*option)).chain(files.iter().map(|file| file.as_os_str())).collect()
}

/// Runs a program; returns standard output and standard error.
fn output(program: impl AsRef<OsStr>, arguments: &[&OsStr]) -> Result<(String, String), BoxedError> {
    let program = program.as_ref();
    let done = Command::new(program).args(arguments).output();
    let done = done.map_err(|error| format!("cannot run {}: {error}", program.display()))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match done.status.success() {
        true => Ok((text(&done.stdout), text(&done.stderr))),
        false => Err(text(&done.stderr).into()),
    }
}

/// Returns the first error of a program, without the file in the folder and the place in it.
pub(super) fn reason(why: &BoxedError) -> String {
    let text = why.to_string();
    let line = text.lines().find(|line| line.contains("error: ")).or(text.lines().next()).unwrap_or_default();
    let line = line.rsplit_once("error: ").map_or(line, |(_, rest)| rest);
    match line.split_once("/nest.c:") {
        Some((_, rest)) => rest.splitn(3, ':').last().unwrap_or(rest).trim().to_owned(),
        None => line.to_owned(),
    }
}
