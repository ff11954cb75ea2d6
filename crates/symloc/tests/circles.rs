//! Checks that the files of each crate do not depend on each other in circles.
//!
//! A file *uses* another one if it names an item that is defined there, in a `use` or by a path in its code. Names are
//! followed through `use` to their definitions, also through re-exports. The head of a module (`lib.rs`, `mod.rs`, or
//! the file with the name of the folder) may hold items that the files below it share, so their use of it does not
//! count. Files that use each other, directly or through others, are a circle; so are folders of which each has a file that uses
//! one of the next.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::common::imports::{PathNames, SourceFile};

/// The circles that cannot be avoided, because their types contain each other. ARCHITECTURE.md gives the reasons.
const FORCED: [(&str, &[&str]); 2] = [("isl", &["aff", "map", "set"]), ("quasi", &["floor", "poly"])];

/// The files of a crate, by the names of their modules.
struct Crate {
    sources: BTreeMap<PathNames, SourceFile>,
}

impl Crate {
    /// Reads files by their paths below `src`.
    fn of<'f>(files: impl IntoIterator<Item = (&'f str, &'f str)>) -> Self {
        let mut sources = BTreeMap::new();
        for (file, text) in files {
            let mut names: PathNames = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
            names.pop_if(|name| ["lib", "main", "mod"].contains(&name.as_str()));
            if names.last().is_none_or(|name| name != "tests") {
                sources.insert(names, SourceFile::read(text));
            }
        }
        Self { sources }
    }

    /// Returns the names from the root of the crate for a path in a file; `None` if it leads out of the crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<PathNames> {
        let first = path.first()?;
        match first.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([module, &path[1..]].concat()),
            "super" => {
                let up = path.iter().take_while(|name| *name == "super").count();
                Some([module.get(..module.len().checked_sub(up)?)?, &path[up..]].concat())
            }
            _ => {
                let below = [module, std::slice::from_ref(first)].concat();
                self.sources.contains_key(&below).then(|| [module, path].concat())
            }
        }
    }

    /// Returns the module that defines the item of a path in a file.
    fn target(&self, module: &[String], path: &[String]) -> Option<&[String]> {
        let mut path = self.absolute(module, path).or_else(|| self.imported(module, path))?;
        // A name passes through a few re-exports; more would be a circle of re-exports.
        for _ in 0..8 {
            let home = (0..=path.len()).rev().find_map(|length| self.sources.get_key_value(&path[..length]))?.0;
            match self.imported(home, &path[home.len()..]) {
                Some(next) if next != path => path = next,
                _ => return Some(home),
            }
        }
        None
    }

    /// Resolves a path whose first name the file has imported.
    fn imported(&self, module: &[String], path: &[String]) -> Option<PathNames> {
        let first = path.first()?;
        let import = self.sources.get(module)?.imports.iter().find(|import| import.name == *first)?;
        Some([self.absolute(module, &import.path)?, path[1..].to_vec()].concat())
    }

    /// Returns the modules that a file uses, except the heads above it.
    fn used<'c>(&'c self, module: &'c [String], source: &'c SourceFile) -> impl Iterator<Item = &'c [String]> {
        let paths = source.imports.iter().map(|import| &import.path).chain(&source.paths);
        paths.filter_map(|path| self.target(module, path)).filter(|target| !module.starts_with(target))
    }

    /// Returns the files that each file uses.
    fn arrows(&self) -> Arrows<'_> {
        self.sources.iter().map(|(module, source)| (&module[..], self.used(module, source).collect())).collect()
    }

    /// Returns the circles of files, each with its modules in order.
    fn circles(&self) -> BTreeSet<Vec<String>> {
        circles_of(&self.arrows())
    }

    /// Returns the circles of folders: those of the neighbours in one folder, of which at least one is a folder itself. A
    /// folder uses what its files use outside it.
    fn folder_circles(&self) -> BTreeSet<Vec<String>> {
        let arrows = self.arrows();
        let folders: BTreeSet<&[String]> =
            arrows.keys().flat_map(|module| (0..module.len()).map(|depth| &module[..depth])).collect();
        let is_folder = |name: &String| folders.iter().any(|folder| folder.join("::") == *name);
        let found = folders.iter().flat_map(|folder| circles_of(&between_neighbours(&arrows, folder)));
        found.filter(|circle| circle.iter().any(is_folder)).collect()
    }
}

/// What each module uses.
type Arrows<'c> = BTreeMap<&'c [String], BTreeSet<&'c [String]>>;

/// Returns the arrows between the files and folders directly in a folder.
fn between_neighbours<'c>(arrows: &Arrows<'c>, folder: &[String]) -> Arrows<'c> {
    let within = |module: &'c [String]| module.starts_with(folder).then(|| module.get(..=folder.len())).flatten();
    let mut between = Arrows::new();
    for (from, used) in arrows {
        let Some(from) = within(from) else { continue };
        let others = used.iter().filter_map(|to| within(to)).filter(|to| *to != from);
        between.entry(from).or_default().extend(others);
    }
    between
}

/// Returns what each module uses, directly or through others.
fn reached<'c>(arrows: &Arrows<'c>) -> Arrows<'c> {
    let reached = |from: &[String]| {
        let mut found = arrows[from].clone();
        let mut open: Vec<&[String]> = found.iter().copied().collect();
        while let Some(module) = open.pop() {
            open.extend(arrows[module].iter().filter(|next| found.insert(next)));
        }
        found
    };
    arrows.keys().map(|from| (*from, reached(from))).collect()
}

/// Returns the circles of some modules, each with its modules in order.
fn circles_of(arrows: &Arrows<'_>) -> BTreeSet<Vec<String>> {
    let reached = reached(arrows);
    let circle = |from: &&[String]| {
        let back = reached[*from].iter().filter(|to| reached[**to].contains(*from));
        back.map(|module| module.join("::")).collect::<Vec<_>>()
    };
    reached.keys().map(circle).filter(|circle| !circle.is_empty()).collect()
}

/// Collects the Rust files below a directory, by their paths below it.
fn files(directory: &Path, below: &str, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{below}{}", path.file_name().unwrap().to_string_lossy());
        if path.is_dir() {
            files(&path, &format!("{name}/"), found);
        } else if name.ends_with(".rs") {
            found.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
}

fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Returns the circles of the workspace that `circles` finds in a crate, each with the name of its crate.
fn circles(circles: impl Fn(&Crate) -> BTreeSet<Vec<String>>) -> BTreeSet<(String, Vec<String>)> {
    let mut folders: Vec<_> = fs::read_dir(workspace().join("crates")).unwrap().map(|e| e.unwrap().path()).collect();
    folders.push(workspace().join("benchmarks"));
    let mut all = BTreeSet::new();
    for folder in folders {
        let mut found = Vec::new();
        files(&folder.join("src"), "", &mut found);
        assert!(!found.is_empty(), "{}", folder.display());
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let files = Crate::of(found.iter().map(|(file, text)| (file.as_str(), text.as_str())));
        all.extend(circles(&files).into_iter().map(|circle| (name.clone(), circle)));
    }
    all
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let found = circles(Crate::circles);
    for (name, circle) in &found {
        let within = |allowed: &(&str, &[&str])| {
            allowed.0 == name && circle.iter().all(|module| allowed.1.contains(&module.as_str()))
        };
        let is_allowed = FORCED.iter().any(within);
        assert!(is_allowed, "{name}: these files use each other in a circle: {}", circle.join(", "));
    }
    let page = fs::read_to_string(workspace().join("ARCHITECTURE.md")).unwrap();
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for (name, circle) in FORCED {
        let circle: Vec<String> = circle.iter().map(|module| (*module).to_owned()).collect();
        let named = circle.iter().map(|module| format!("`{module}.rs`")).collect::<Vec<_>>().join(", ");
        assert!(page.contains(&named), "ARCHITECTURE.md does not say why {named} are a circle");
        assert!(found.contains(&(name.to_owned(), circle)), "{name}: {named} are a circle no longer");
    }
}

#[test]
fn no_folders_use_each_other_in_a_circle() {
    let found = circles(Crate::folder_circles);
    assert!(found.is_empty(), "these use each other in a circle: {found:#?}");
}

#[test]
fn circles_are_found() {
    let found = |files: &[(&str, &str)]| Crate::of(files.iter().copied()).circles().into_iter().collect::<Vec<_>>();
    let nothing = Vec::<Vec<String>>::new();
    let circle = [["a", "b"].map(str::to_owned).to_vec()];

    let direct = [("lib.rs", "mod a; mod b;"), ("a.rs", "use crate::b::B;"), ("b.rs", "use super::a::{self, A};")];
    assert_eq!(found(&direct), circle);
    let by_path =
        [("a.rs", "fn f() -> crate::b::B { todo!() }"), ("b.rs", "use {crate::{c, a::A as Other,}, std::fmt};")];
    assert_eq!(found(&by_path), circle);
    let through_others = [("a.rs", "use crate::b;"), ("b.rs", "use crate::c;"), ("c.rs", "use crate::a;")];
    assert_eq!(found(&through_others), [["a", "b", "c"].map(str::to_owned).to_vec()]);
    let through_a_re_export =
        [("lib.rs", "pub use b::B as Renamed;"), ("a.rs", "use crate::Renamed;"), ("b.rs", "use crate::a; a::A;")];
    assert_eq!(found(&through_a_re_export), circle);
    let below_a_head = [("a/mod.rs", "mod b; use crate::c;"), ("a/b.rs", ""), ("c.rs", "use crate::a::b;")];
    assert_eq!(found(&below_a_head), nothing, "c uses a::b, which uses nothing");
    let one_way = [("lib.rs", "mod a;"), ("a.rs", "use crate::b;"), ("b.rs", "use std::a; // use crate::a;")];
    assert_eq!(found(&one_way), nothing);
    let in_tests = [("a.rs", "use crate::b;"), ("b.rs", "#[cfg(test)]\nmod tests {\n    use crate::a;\n}\n")];
    assert_eq!(found(&in_tests), nothing);
    let in_text = [("a.rs", "use crate::b;"), ("b.rs", r##"fn f<'a>() { ('"', "crate::a", r#"crate::"a""#) }"##)];
    assert_eq!(found(&in_text), nothing);
    let from_a_head = [("a/mod.rs", "use b::B; pub struct A;"), ("a/b.rs", "use super::A;")];
    assert_eq!(found(&from_a_head), nothing, "what files share may stand in the head of their module");
    let past_a_head = [("a.rs", "use b::B;"), ("a/b.rs", "use crate::c;"), ("c.rs", "use crate::a::A;")];
    assert_eq!(found(&past_a_head), [["a", "a::b", "c"].map(str::to_owned).to_vec()]);
}

#[test]
fn circles_of_folders_are_found() {
    let found =
        |files: &[(&str, &str)]| Crate::of(files.iter().copied()).folder_circles().into_iter().collect::<Vec<_>>();
    let nothing = Vec::<Vec<String>>::new();

    // No files are a circle: a::x uses b::x, which uses nothing, and b::y uses a::y.
    let two = [("a/x.rs", "use crate::b::x;"), ("a/y.rs", ""), ("b/x.rs", ""), ("b/y.rs", "use crate::a::y;")];
    assert_eq!(found(&two), [["a", "b"].map(str::to_owned).to_vec()]);
    let with_a_file = [("a/x.rs", "use crate::b;"), ("a/y.rs", ""), ("b.rs", "use crate::a::y;")];
    assert_eq!(found(&with_a_file), [["a", "b"].map(str::to_owned).to_vec()]);
    let inside = [("c/a/x.rs", "use crate::c::b::x;"), ("c/a/y.rs", ""), ("c/b/x.rs", "use super::super::a::y;")];
    assert_eq!(found(&inside), [["c::a", "c::b"].map(str::to_owned).to_vec()]);
    let one_way = [("a/x.rs", "use crate::b::x;"), ("a/y.rs", "use super::x;"), ("b/x.rs", ""), ("b/y.rs", "")];
    assert_eq!(found(&one_way), nothing);
    let files_only = [("a.rs", "use crate::b;"), ("b.rs", "use crate::a;")];
    assert_eq!(found(&files_only), nothing, "the files are a circle, which is found otherwise");
}
