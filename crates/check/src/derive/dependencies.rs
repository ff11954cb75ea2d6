//! The files that a program was read from, so that a check knows without reading it again whether it has changed.
//!
//! A compiler lists the files that it has read (`-MD`). Another file takes the place of one of them if it comes to stand where the
//! compiler looks earlier; so each place is kept where a file of such a name was looked for, or could have been, and was not there.
//! A program whose text asks which files there are (`__has_include`) is read again every time.

use std::collections::BTreeSet;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::config::KernelSource;
use crate::tree::SourceTree;
use crate::tree::folder::checksum;

/// The source of the list of files that a program was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inputs {
    /// A compiler lists them.
    Listed,
    /// The program is the only one.
    Alone,
    /// They are not known.
    Unknown,
}

impl Inputs {
    /// Returns how the files of a program are known, by its name.
    pub(crate) fn of(file: &str) -> Self {
        match Path::new(file).extension().and_then(|extension| extension.to_str()) {
            Some("c" | "i" | "cc" | "cpp" | "cxx" | "c++" | "C" | "ii") => Inputs::Listed,
            Some("mlir" | "ll" | "einsum") => Inputs::Alone,
            _ => Inputs::Unknown,
        }
    }
}

/// The files that a program was read from, and the places where others would have been read instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Dependencies {
    /// The files, with their checksums.
    files: Vec<(String, String)>,
    /// The checksum of the places at which a file would be found earlier, of those in which there was one.
    earlier: String,
    /// The folders of the compiler's search.
    folders: Vec<String>,
}

impl Dependencies {
    /// Looks up the files of a program; `None` if they do not tell whether it has changed.
    pub(crate) fn new(source: &KernelSource, files: Vec<String>, tree: &dyn SourceTree) -> Option<Self> {
        let folder = |file: &String| file.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        // Files outside of the tree belong to the system, which has its own folders.
        let inside = files.iter().filter(|file| !file.starts_with('/'));
        let folders: BTreeSet<String> = inside.map(folder).chain(include_folders(&source.flags)).collect();
        let checked = |file: String| tree.checksum(&file).map(|checksum| (file, checksum));
        let files: Vec<_> = files.into_iter().filter_map(checked).collect();
        let folders: Vec<String> = folders.into_iter().collect();
        let earlier = earlier(&files, &folders, tree);
        (!files.is_empty()).then_some(Self { files, earlier, folders })
    }

    /// Returns true if a tree has the same files, and no others that would be read instead.
    pub(crate) fn are_in(&self, tree: &dyn SourceTree) -> bool {
        let is_there = |(file, checksum): &(String, String)| tree.checksum(file).as_ref() == Some(checksum);
        self.files.iter().all(is_there) && earlier(&self.files, &self.folders, tree) == self.earlier
    }
}

/// The most parts of the name by which a file is included.
const PARTS: usize = 3;

/// Returns the checksum of those places of a search that have a file: a file may have been included by each end of its path.
fn earlier(files: &[(String, String)], folders: &[String], tree: &dyn SourceTree) -> String {
    let mut found = BTreeSet::new();
    for (file, _) in files {
        let starts = file.rmatch_indices('/').map(|(index, _)| index + 1).take(PARTS);
        let whole = (!file.starts_with('/')).then_some(0);
        for name in starts.chain(whole).map(|start| &file[start..]) {
            let places = folders.iter().map(|folder| join(folder, name));
            found.extend(places.filter(|place| tree.has(place)));
        }
    }
    checksum(found.into_iter().collect::<Vec<_>>().join("\n").as_bytes())
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// Returns the folders that flags name for includes.
fn include_folders(flags: &[String]) -> Vec<String> {
    let mut folders = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        for option in ["-isystem", "-iquote", "-idirafter", "-I"] {
            match flag.strip_prefix(option) {
                Some("") => folders.extend(flags.next().cloned()),
                Some(folder) => folders.push(folder.to_owned()),
                None => continue,
            }
            break;
        }
    }
    folders
}

/// Reads a rule as compilers write it for `make`: `target: file file \` and so on.
pub(crate) fn read_rule(text: &str) -> Vec<String> {
    let Some((_, list)) =
        text.replace("\\\n", " ").split_once(": ").map(|(target, list)| (target.to_owned(), list.to_owned()))
    else {
        return Vec::new();
    };
    let (mut files, mut file) = (Vec::new(), String::new());
    let mut letters = list.lines().next().unwrap_or_default().chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some(' ' | '#')) | ('$', Some('$')) => file.extend(letters.next()),
            (' ', _) => files.push(std::mem::take(&mut file)),
            _ => file.push(letter),
        }
    }
    files.push(file);
    files.retain(|file| !file.is_empty());
    files
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]
mod tests {
    use super::*;
    use crate::tree::folder::WorkingFolder;

    #[test]
    fn rules_of_make_are_lists() {
        assert_eq!(
            read_rule("mm.o: src/mm.c a\\ b.h \\\n  /usr/include/x$$y.h\n"),
            ["src/mm.c", "a b.h", "/usr/include/x$y.h"]
        );
        assert!(read_rule("").is_empty());
    }

    #[test]
    fn flags_name_folders() {
        let flags = ["-Iinclude", "-I", "other", "-DN=3", "-isystem", "sys", "-O2"].map(str::to_owned);
        assert_eq!(include_folders(&flags), ["include", "other", "sys"]);
    }

    #[test]
    fn a_file_that_would_be_found_earlier_is_a_change() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("src/mm.c", "a");
        write("include/sub/size.h", "b");
        let source = KernelSource {
            file: "src/mm.c".to_owned(),
            function: None,
            flags: vec!["-Ifirst".to_owned(), "-Iinclude".to_owned()],
            options: Vec::new(),
        };
        // Checksums are kept, so each look has a tree of its own.
        let tree = || WorkingFolder::new(folder.path().to_owned());
        let files = ["src/mm.c", "include/sub/size.h"].map(str::to_owned).to_vec();
        let found = Dependencies::new(&source, files, &tree()).unwrap();
        assert!(found.are_in(&tree()));
        write("first/other.h", "c");
        assert!(found.are_in(&tree()), "no file has this name");
        write("first/sub/size.h", "b");
        assert!(!found.are_in(&tree()));
        std::fs::remove_file(folder.path().join("first/sub/size.h")).unwrap();
        write("include/sub/size.h", "d");
        assert!(!found.are_in(&tree()));
    }
}
