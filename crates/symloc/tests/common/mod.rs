//! Helpers for tests of whole kernels: runs of `symloc`, models, the parameters of a kernel, work on all cores.

pub(crate) mod imports;
pub(crate) mod repository;
pub(crate) mod reuse;
pub(crate) mod traced;

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

/// The parameters that count time steps, for which a few steps are enough.
pub(crate) const STEPS: [&str; 2] = ["tsteps", "tmax"];

/// Returns the root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs `symloc`; returns standard output, standard error and the exit code.
pub(crate) fn symloc(args: &[&str]) -> (String, String, Option<i32>) {
    let command = Command::new(env!("CARGO_BIN_EXE_symloc")).args(args).current_dir(root()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(command.stdout), text(command.stderr), command.status.code())
}

/// The file of a model, or the error of `derive`.
type Derived = Arc<OnceLock<Result<String, String>>>;

/// Returns the file with the model that `derive` makes with these arguments, the program first. Derivation takes nearly
/// all the time of tests of models, so tests with the same arguments share the model.
pub(crate) fn model(arguments: &[&str]) -> Result<String, String> {
    static MODELS: Mutex<BTreeMap<String, Derived>> = Mutex::new(BTreeMap::new());
    let key = arguments.join(" ");
    let derived = MODELS.lock().unwrap().entry(key.clone()).or_default().clone();
    derived.get_or_init(|| derive(arguments, &key.replace(['/', ' '], "_"))).clone()
}

fn derive(arguments: &[&str], name: &str) -> Result<String, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("models");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{name}.loc.json")).to_str().unwrap().to_owned();
    match symloc(&[&["derive", "-o", &path], arguments].concat()) {
        (.., Some(0)) => Ok(path),
        (_, errors, _) => Err(format!("symloc derive {}\n{errors}", arguments.join(" "))),
    }
}

/// Returns the parameters of a kernel, from `program gemm(ni, nj, nk)`.
pub(crate) fn parameters(kernel: &str, options: &[&str]) -> Vec<String> {
    let (text, errors, status) = symloc(&[&["derive", kernel, "--emit", "affine"], options].concat());
    assert_eq!(status, Some(0), "{kernel}: {errors}");
    let head = text.lines().next().unwrap_or_default();
    let list = head.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap();
    list.split(", ").filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Returns one of `count` items, from the item `first` on, and all where `SYMLOC_LONG` is set, as `./check long` does, or a test is
/// for some files only (`SYMLOC_ONLY`). Tests of whole programs take minutes for all of them.
pub(crate) fn share<T>([first, count]: [usize; 2], items: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
    let is_whole = ["SYMLOC_LONG", "SYMLOC_ONLY"].into_iter().any(|name| std::env::var_os(name).is_some());
    let [first, count] = if is_whole { [0, 1] } else { [first, count] };
    items.skip(first).step_by(count)
}

/// Checks each item, on all cores; panics if one is wrong.
pub(crate) fn nothing_from<T: Send>(items: impl Iterator<Item = T> + Send, wrong: impl Fn(T) -> Option<String> + Sync) {
    let work = Mutex::new(items);
    let found = Mutex::new(Vec::new());
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let next = work.lock().unwrap().next();
                    let Some(item) = next else { return };
                    let difference = wrong(item);
                    found.lock().unwrap().extend(difference);
                }
            });
        }
    });
    let found = found.into_inner().unwrap();
    assert!(found.is_empty(), "{}", found.join("\n\n"));
}
