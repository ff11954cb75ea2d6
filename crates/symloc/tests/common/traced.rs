//! Compiled programs that record their accesses: how to make them, and how to read the records.
//!
//! LLVM's coverage sanitizer calls a function before each load and store ([`TRACING`]); `tests/c/tracer.c` has these
//! functions.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use crate::common::root;

/// The pass of `opt` that inserts a call before each access.
pub(crate) const TRACING: &str = "sancov-module";

/// The options of that pass.
pub(crate) const ACCESSES: [&str; 3] =
    ["-sanitizer-coverage-level=1", "-sanitizer-coverage-trace-loads", "-sanitizer-coverage-trace-stores"];

/// The bit of a word of the trace that marks a store.
pub(crate) const STORE: u64 = 1 << 63;

/// Returns the path of a file for one test.
pub(crate) fn scratch(folder: &str, name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

/// Runs a command, which has to succeed.
pub(crate) fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}:\n{}", String::from_utf8_lossy(&output.stderr));
}

/// Returns the object file of a source of the repository that observes programs, compiled once for all tests.
pub(crate) fn observer(source: &'static str) -> PathBuf {
    static OBJECTS: Mutex<BTreeMap<&str, PathBuf>> = Mutex::new(BTreeMap::new());
    let compile = || {
        let object = scratch("observers", &source.replace('/', "_")).with_extension("o");
        run(Command::new("clang-22").args(["-O2", "-c"]).arg(root().join(source)).arg("-o").arg(&object));
        object
    };
    OBJECTS.lock().unwrap().entry(source).or_insert_with(compile).clone()
}

/// Runs a compiled program; returns the address of each access.
pub(crate) fn trace(executable: &Path, sizes: &[(String, i64)], settings: &[(&str, &str)]) -> Vec<u64> {
    words(executable, sizes, settings).into_iter().map(|word| word & !STORE).collect()
}

/// Runs a compiled program; returns the words of its trace.
pub(crate) fn words(executable: &Path, sizes: &[(String, i64)], settings: &[(&str, &str)]) -> Vec<u64> {
    let bytes = observed(executable, sizes, settings);
    bytes.chunks_exact(8).map(|word| u64::from_ne_bytes(word.try_into().unwrap())).collect()
}

/// Runs a compiled program with settings in its environment; returns the output of its observer.
pub(crate) fn observed(executable: &Path, sizes: &[(String, i64)], settings: &[(&str, &str)]) -> Vec<u8> {
    let file = executable.with_extension("trace");
    let sizes = sizes.iter().map(|(_, value)| value.to_string());
    run(Command::new(executable).args(sizes).envs(settings.iter().copied()).env("TRACE", &file));
    let bytes = fs::read(&file).unwrap();
    fs::remove_file(&file).unwrap();
    bytes
}
