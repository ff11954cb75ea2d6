//! Tests that `page.wasm.gz` is as new as its sources: those in this repository, without their tests, and the versions of all
//! others.
//!
//! `page.wasm.sources` has a line for each of them, with a checksum or a version. `crates/page/build` writes the paths that the
//! compiler read, and runs this test with `SYMLOC_BLESS=1`, which adds the rest.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests stop at the first surprise")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn list() -> PathBuf {
    workspace().join("crates/page/page.wasm.sources")
}

/// Returns the checksum of a source before its tests, or of an empty text if it is gone.
fn checksum(path: &str) -> u32 {
    let text = fs::read_to_string(workspace().join(path)).unwrap_or_default();
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    crc32fast::hash(code.as_bytes())
}

/// A package of the lock file: its version, whether it is foreign, and its dependencies.
type Package<'l> = (&'l str, bool, Vec<&'l str>);

/// Returns the foreign packages that are compiled, or tested with those that are, with their versions.
fn versions() -> BTreeSet<String> {
    let lock = fs::read_to_string(workspace().join("Cargo.lock")).unwrap();
    let mut packages: BTreeMap<&str, Vec<Package<'_>>> = BTreeMap::new();
    for package in lock.split("[[package]]\n").skip(1) {
        let field = |name: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "));
            line.map(|value| value.trim_matches('"'))
        };
        let listed = package.split("dependencies = [\n").nth(1).and_then(|list| list.split(']').next());
        let dependencies = listed.unwrap_or_default().lines().map(|line| line.trim().trim_matches([',', '"']));
        let foreign = field("source").is_some();
        packages.entry(field("name").unwrap()).or_default().push((
            field("version").unwrap(),
            foreign,
            dependencies.collect(),
        ));
    }
    let (mut found, mut open) = (BTreeSet::new(), vec!["symloc-page"]);
    let mut seen = BTreeSet::new();
    while let Some(dependency) = open.pop() {
        if !seen.insert(dependency) {
            continue;
        }
        let mut words = dependency.split(' ');
        let (name, version) = (words.next().unwrap(), words.next());
        let all = packages.get(name).unwrap_or_else(|| panic!("{name} is not in Cargo.lock"));
        for (own, foreign, dependencies) in all.iter().filter(|(own, ..)| version.is_none_or(|version| version == *own))
        {
            if *foreign {
                found.insert(format!("{name} {own}"));
            }
            open.extend(dependencies);
        }
    }
    found
}

/// Returns the list as it should be, for the paths that it has.
fn current(list: &str) -> String {
    let paths: BTreeSet<&str> =
        list.lines().filter_map(|line| line.split(' ').next()).filter(|path| path.contains('/')).collect();
    let manifests =
        paths.iter().filter_map(|path| path.split_once("/src/")).map(|(folder, _)| format!("{folder}/Cargo.toml"));
    let files: BTreeSet<String> = manifests.chain(paths.iter().map(|path| (*path).to_owned())).collect();
    let files = files.iter().map(|path| format!("{path} {:08x}", checksum(path)));
    files.chain(versions()).map(|line| line + "\n").collect()
}

#[test]
fn the_evaluator_in_pages_is_as_new_as_its_sources() {
    let known = fs::read_to_string(list()).unwrap();
    let current = current(&known);
    if std::env::var_os("SYMLOC_BLESS").is_some() {
        fs::write(list(), current).unwrap();
        return;
    }
    let lines: BTreeSet<&str> = known.lines().collect();
    let changed: Vec<&str> = current.lines().filter(|line| !lines.contains(line)).collect();
    assert!(known == current, "run `crates/page/build`: crates/page/page.wasm.gz is older than {changed:#?}");
    assert!(lines.iter().filter(|line| line.starts_with("crates/evaluate/src/")).count() > 10, "{known}");
}
