//! Checks that the files of each crate are grouped in folders.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The largest number of files in a folder, besides its head. More need groups.
const FILES: usize = 15;

/// The crates in which a folder has more, and which are being grouped.
const UNGROUPED: [&str; 3] = ["affine", "frontend", "locality"];

/// Counts the Rust files in each folder below a directory, without the heads.
fn count(directory: &Path, counts: &mut BTreeMap<PathBuf, usize>) {
    for path in fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            count(&path, counts);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !["lib.rs", "main.rs", "mod.rs"].iter().any(|head| path.ends_with(head))
        {
            *counts.entry(directory.to_owned()).or_default() += 1;
        }
    }
}

#[test]
fn no_folder_has_many_files() {
    let mut large = BTreeSet::new();
    for member in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).unwrap().map(|entry| entry.unwrap().path()) {
        let mut counts = BTreeMap::new();
        count(&member.join("src"), &mut counts);
        counts.retain(|_, count| *count > FILES);
        let name = member.file_name().unwrap().to_string_lossy().into_owned();
        assert!(counts.is_empty() || UNGROUPED.contains(&name.as_str()), "these folders need groups: {counts:#?}");
        large.extend((!counts.is_empty()).then_some(name));
    }
    assert!(large.iter().eq(&UNGROUPED), "only these crates have large folders: {large:?}");
}
