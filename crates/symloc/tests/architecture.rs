//! Checks the invariants of ARCHITECTURE.md on the manifests and the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The crates of the workspace that each crate may depend on. A crate that is missing here is not part of the design.
const EDGES: &[(&str, &[&str])] = &[
    ("symloc-affine", &[]),
    ("symloc-quasi", &[]),
    ("symloc-polyhedra", &["symloc-quasi"]),
    ("symloc-bound", &["symloc-model", "symloc-polyhedra", "symloc-quasi"]),
    ("barvinok-sys", &[]),
    ("symloc-frontend", &["symloc-affine", "symloc-polyhedra", "symloc-quasi"]),
    ("symloc-llvm", &["symloc-affine", "symloc-frontend"]),
    ("symloc-mlir", &["symloc-affine", "symloc-frontend"]),
    ("symloc-einsum", &["symloc-affine"]),
    ("symloc-sim", &["symloc-affine"]),
    ("symloc-cache", &[]),
    ("symloc-replay", &["symloc-affine", "symloc-cache"]),
    ("symloc-isl", &["barvinok-sys"]),
    ("symloc-model", &["symloc-quasi"]),
    ("symloc-evaluate", &["symloc-model", "symloc-quasi"]),
    ("symloc-capi", &["symloc-evaluate", "symloc-model"]),
    (
        "symloc-derivation",
        &[
            "symloc-advise",
            "symloc-affine",
            "symloc-einsum",
            "symloc-evaluate",
            "symloc-frontend",
            "symloc-isl",
            "symloc-llvm",
            "symloc-locality",
            "symloc-mlir",
            "symloc-model",
            "symloc-quasi",
            "symloc-replay",
            "symloc-reuse",
            "symloc-schedule",
            "symloc-sim",
            "symloc-verify",
        ],
    ),
    (
        "symloc-library",
        &[
            "symloc-advise",
            "symloc-affine",
            "symloc-cache",
            "symloc-derivation",
            "symloc-einsum",
            "symloc-evaluate",
            "symloc-frontend",
            "symloc-isl",
            "symloc-llvm",
            "symloc-model",
            "symloc-reuse",
        ],
    ),
    ("symloc-capi-derive", &["symloc-capi", "symloc-library"]),
    ("symloc-locality", &["symloc-model", "symloc-polyhedra", "symloc-quasi"]),
    ("symloc-verify", &["symloc-affine", "symloc-evaluate", "symloc-model", "symloc-sim"]),
    ("symloc-workers", &[]),
    (
        "symloc-reuse",
        &["symloc-affine", "symloc-isl", "symloc-model", "symloc-polyhedra", "symloc-quasi", "symloc-workers"],
    ),
    ("symloc-schedule", &["symloc-affine", "symloc-isl", "symloc-reuse"]),
    ("symloc-advise", &["symloc-affine", "symloc-cache", "symloc-isl", "symloc-replay", "symloc-schedule"]),
    ("symloc-machine", &["symloc-cache", "symloc-evaluate", "symloc-model"]),
    ("symloc-report", &["symloc-evaluate", "symloc-locality", "symloc-machine", "symloc-model", "symloc-quasi"]),
    ("symloc-page", &["symloc-evaluate", "symloc-machine", "symloc-model", "symloc-report"]),
    (
        "symloc-query",
        &[
            "symloc-affine",
            "symloc-bound",
            "symloc-cache",
            "symloc-evaluate",
            "symloc-locality",
            "symloc-machine",
            "symloc-model",
            "symloc-page",
            "symloc-quasi",
            "symloc-replay",
            "symloc-report",
        ],
    ),
    (
        "symloc-python",
        &["symloc-evaluate", "symloc-machine", "symloc-model", "symloc-quasi", "symloc-query", "symloc-report"],
    ),
    ("symloc-check", &["symloc-evaluate", "symloc-machine", "symloc-model", "symloc-query", "symloc-report"]),
    ("symloc", COMMAND_LINE),
    ("symloc-benchmarks", COMMAND_LINE),
];

/// The crates that the programs may depend on: all except the raw C API.
const COMMAND_LINE: &[&str] = &[
    "symloc-advise",
    "symloc-affine",
    "symloc-bound",
    "symloc-cache",
    "symloc-check",
    "symloc-derivation",
    "symloc-einsum",
    "symloc-evaluate",
    "symloc-frontend",
    "symloc-isl",
    "symloc-llvm",
    "symloc-locality",
    "symloc-machine",
    "symloc-mlir",
    "symloc-model",
    "symloc-quasi",
    "symloc-query",
    "symloc-replay",
    "symloc-report",
    "symloc-reuse",
    "symloc-schedule",
    "symloc-sim",
    "symloc-verify",
    "symloc-workers",
];

/// The crates of the workspace that tests may use besides [`EDGES`]: the oracle, and the comparison with it.
const IN_TESTS: [&str; 3] = ["symloc-evaluate", "symloc-sim", "symloc-verify"];

/// The crates that bring native code into a program.
const NATIVE: [&str; 8] =
    ["barvinok-sys", "inkwell", "libloading", "melior", "mlir-sys", "symloc-isl", "symloc-llvm", "symloc-mlir"];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn run(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).current_dir(workspace()).output().unwrap();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The packages of a build on this machine, with their dependencies.
struct Packages {
    metadata: Value,
}

impl Packages {
    fn read() -> Self {
        let rustc = run("rustc", &["-vV"]);
        let host = rustc.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
        let args = ["metadata", "--format-version=1", "--locked", "--offline", "--filter-platform", host];
        Self { metadata: serde_json::from_str(&run(env!("CARGO"), &args)).unwrap() }
    }

    fn name(&self, id: &Value) -> String {
        let package = self.packages().find(|package| package["id"] == *id).unwrap();
        package["name"].as_str().unwrap().to_owned()
    }

    fn packages(&self) -> impl Iterator<Item = &Value> {
        self.metadata["packages"].as_array().unwrap().iter()
    }

    /// Returns the crates of the workspace.
    fn members(&self) -> BTreeSet<String> {
        self.metadata["workspace_members"].as_array().unwrap().iter().map(|id| self.name(id)).collect()
    }

    /// Returns the direct dependencies of each package: those of the build, or those of its tests.
    fn edges(&self, in_tests: bool) -> BTreeMap<String, BTreeSet<String>> {
        let nodes = self.metadata["resolve"]["nodes"].as_array().unwrap();
        let wanted = |dependency: &&Value| {
            let kinds = dependency["dep_kinds"].as_array().unwrap();
            kinds.iter().any(|kind| (kind["kind"] == "dev") == in_tests)
        };
        let of = |node: &Value| {
            let dependencies = node["deps"].as_array().unwrap().iter().filter(wanted);
            (self.name(&node["id"]), dependencies.map(|dependency| self.name(&dependency["pkg"])).collect())
        };
        nodes.iter().map(of).collect()
    }
}

/// Returns all direct and indirect dependencies of a crate, and the crate itself.
fn closure(edges: &BTreeMap<String, BTreeSet<String>>, root: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::from([root.to_owned()]);
    let mut open = vec![root.to_owned()];
    while let Some(name) = open.pop() {
        for dependency in &edges[&name] {
            if found.insert(dependency.clone()) {
                open.push(dependency.clone());
            }
        }
    }
    found
}

#[test]
fn dependencies_run_one_way() {
    let packages = Packages::read();
    let members = packages.members();
    let edges = packages.edges(false);
    let in_tests = packages.edges(true);
    for member in &members {
        let (_, allowed) = EDGES.iter().find(|(name, _)| name == member).unwrap_or_else(|| panic!("{member} is new"));
        for dependency in edges[member].intersection(&members) {
            assert!(allowed.contains(&dependency.as_str()), "{member} must not depend on {dependency}");
        }
        for dependency in in_tests[member].intersection(&members) {
            let known = allowed.contains(&dependency.as_str()) || IN_TESTS.contains(&dependency.as_str());
            assert!(known, "the tests of {member} must not depend on {dependency}");
        }
    }
}

#[test]
fn evaluation_needs_no_native_library() {
    let packages = Packages::read();
    let edges = packages.edges(false);
    let linking = packages.packages().filter(|package| !package["links"].is_null());
    let linking: BTreeSet<_> = linking.filter_map(|package| package["name"].as_str()).collect();
    for root in [
        "symloc-affine",
        "symloc-quasi",
        "symloc-polyhedra",
        "symloc-model",
        "symloc-evaluate",
        "symloc-capi",
        "symloc-locality",
        "symloc-machine",
        "symloc-cache",
        "symloc-check",
        "symloc-page",
        "symloc-query",
        "symloc-replay",
        "symloc-report",
        "symloc-sim",
    ] {
        for package in closure(&edges, root) {
            assert!(!NATIVE.contains(&package.as_str()), "{root} contains {package}");
            assert!(!linking.contains(package.as_str()), "{root} contains {package}, which links a library");
        }
    }
}

#[test]
fn two_crates_know_llvm_and_one_loads_libraries() {
    let packages = Packages::read();
    let (members, edges) = (packages.members(), packages.edges(false));
    let users = |library: &str| -> Vec<&str> {
        members.iter().filter(|member| edges[*member].contains(library)).map(String::as_str).collect()
    };
    assert_eq!(users("melior"), ["symloc-mlir"]);
    assert_eq!(users("mlir-sys"), ["symloc-mlir"]);
    assert_eq!(users("inkwell"), ["symloc-llvm"]);
    assert_eq!(users("libloading"), ["barvinok-sys"]);
    assert_eq!(users("barvinok-sys"), ["symloc-isl"]);
}

#[test]
fn the_oracle_knows_nothing_derived() {
    let packages = Packages::read();
    for in_tests in [false, true] {
        let of_sim = &packages.edges(in_tests)["symloc-sim"];
        let others: Vec<_> = of_sim.intersection(&packages.members()).cloned().collect();
        assert!(others.iter().all(|name| ["symloc-affine", "symloc-sim"].contains(&name.as_str())), "{others:?}");
    }
}

/// Returns the packages that `docs/choices.md` explains: its words in bold.
fn explained() -> BTreeSet<String> {
    let page = fs::read_to_string(workspace().join("docs/choices.md")).unwrap();
    let bold = page.split("**").skip(1).step_by(2);
    bold.filter(|text| !text.contains(' ')).map(str::to_owned).collect()
}

#[test]
fn every_dependency_is_explained() {
    let packages = Packages::read();
    let members = packages.members();
    let (edges, in_tests) = (packages.edges(false), packages.edges(true));
    let used: BTreeSet<_> = members.iter().flat_map(|member| edges[member].union(&in_tests[member])).collect();
    let foreign: BTreeSet<_> = used.into_iter().filter(|name| !members.contains(*name)).cloned().collect();
    assert_eq!(explained(), foreign, "docs/choices.md on the left, the manifests on the right");
}

/// Collects the Rust files below a directory.
pub(crate) fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The tests of a crate are modules of one binary, `program.rs` in `symloc` and `all.rs` in others, so a file that is not declared
/// as a module would not be run.
#[test]
fn every_file_of_tests_is_run() {
    for crate_folder in fs::read_dir(workspace().join("crates")).unwrap().map(|entry| entry.unwrap().path()) {
        let tests = crate_folder.join("tests");
        let Some(root) = ["program", "all"].into_iter().find(|name| tests.join(format!("{name}.rs")).exists()) else {
            continue;
        };
        let text = fs::read_to_string(tests.join(format!("{root}.rs"))).unwrap();
        for folder in [tests.clone(), tests.join("slow")].into_iter().filter(|folder| folder.exists()) {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                let name = path.file_stem().unwrap().to_str().unwrap();
                let alone = name == root || (root == "program" && name == "cli");
                let is_module = path.extension().is_some_and(|extension| extension == "rs") && !alone;
                assert!(
                    !is_module || text.contains(&format!("mod {name};\n")),
                    "{} is no module of {root}.rs",
                    path.display()
                );
            }
        }
    }
}

/// Crates without a test binary have no unit tests, which would not be run; but `program.rs` has some modules of the program itself.
#[test]
fn unit_tests_are_where_they_are_run() {
    let program = fs::read_to_string(workspace().join("crates/symloc/tests/program.rs")).unwrap();
    let members = fs::read_dir(workspace().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    for member in members.chain(["benchmarks", "python"].map(|name| workspace().join(name))) {
        let manifest = fs::read_to_string(member.join("Cargo.toml")).unwrap();
        let mut files = Vec::new();
        sources(&member.join("src"), &mut files);
        for file in files.iter().filter(|_| manifest.contains("\ntest = false\n")) {
            let tested = fs::read_to_string(file).unwrap().contains("#[cfg(test)]");
            let name = file.file_stem().unwrap().to_str().unwrap();
            let is_run = member.ends_with("symloc") && program.contains(&format!("mod {name};\n"));
            assert!(!tested || is_run, "the tests of {} are not run", file.display());
        }
    }
}

/// Returns true if the keyword is in the line, outside a line comment.
fn uses_keyword(line: &str, keyword: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == keyword)
}

#[test]
fn unsafe_code_stays_at_the_border_to_c() {
    let keyword = concat!("un", "safe");
    let mut members: Vec<_> = fs::read_dir(workspace().join("crates")).unwrap().map(|e| e.unwrap().path()).collect();
    members.push(workspace().join("benchmarks"));
    let mut users = Vec::new();
    for member in members {
        let mut files = Vec::new();
        sources(&member, &mut files);
        if files.iter().any(|file| fs::read_to_string(file).unwrap().lines().any(|line| uses_keyword(line, keyword))) {
            users.push(member.file_name().unwrap().to_string_lossy().into_owned());
        }
    }
    users.sort();
    assert_eq!(users, ["barvinok-sys", "capi", "capi-derive", "isl", "llvm", "mlir", "page", "workers"]);
}

/// The modules that are not available in a web page, and that only one function of the evaluator may use.
const SYSTEM: [&str; 6] = ["std::fs", "std::thread", "std::process", "std::net", "std::env", "std::time"];

/// Returns the lines of a source file, before its tests, that name one of these modules.
fn users_of(modules: &[&str], file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let code = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    let named = |line: &&str| modules.iter().any(|module| line.contains(module)) || line.contains("use std::{");
    code.filter(named).map(|line| line.trim().to_owned()).collect()
}

#[test]
fn one_function_of_the_evaluator_opens_files() {
    let mut found = Vec::new();
    for member in ["model", "quasi"] {
        let mut files = Vec::new();
        sources(&workspace().join("crates").join(member).join("src"), &mut files);
        assert!(files.len() > 5, "{member}: {files:?}");
        for file in files.iter().filter(|file| file.file_name().is_some_and(|name| name != "tests.rs")) {
            found.extend(users_of(&SYSTEM, file));
        }
    }
    assert_eq!(found, ["std::fs::File::open(path)?.read_to_string(&mut text)?;"]);
    let reading = fs::read_to_string(workspace().join("crates/model/src/file.rs")).unwrap();
    let load = reading.split("pub fn load(").nth(1).and_then(|rest| rest.split("pub fn ").next()).unwrap();
    assert!(load.contains(&found[0]), "only `Model::load` opens a file");
}

/// Returns the public types of a crate, by its sources.
fn public_types(package: &str) -> BTreeSet<String> {
    let mut files = Vec::new();
    sources(&workspace().join("crates").join(package).join("src"), &mut files);
    let texts = files.iter().map(|file| fs::read_to_string(file).unwrap());
    let of_file = |text: String| {
        let kinds = ["pub struct ", "pub enum ", "pub trait ", "pub type "];
        let declared = text.lines().filter_map(|line| kinds.iter().find_map(|kind| line.strip_prefix(kind)));
        let name = |rest: &str| rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_owned();
        declared.map(name).collect::<Vec<_>>()
    };
    texts.flat_map(of_file).collect()
}

#[test]
fn the_glossary_has_every_public_type() {
    let page = fs::read_to_string(workspace().join("docs/style.md")).unwrap();
    let glossary = page.split("\n## Glossary").nth(1).unwrap();
    let sections: Vec<_> = glossary.split("\n### ").skip(1).collect();
    assert_eq!(sections.len(), 6);
    for section in sections {
        let (heading, table) = section.split_once('\n').unwrap();
        let package = heading.split('`').nth(1).unwrap();
        let column = table.lines().filter_map(|row| row.split('|').nth(4));
        let listed: BTreeSet<_> =
            column.flat_map(|types| types.split('`').skip(1).step_by(2)).map(str::to_owned).collect();
        assert_eq!(listed, public_types(package), "docs/style.md on the left, crates/{package}/src on the right");
    }
}

/// Returns the name of the type that a line defines. An indented `type` is an associated type, named by its trait.
fn defined_type(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
    let keyword = words.next()?;
    let is_alias = keyword == "type" && !line.starts_with(char::is_whitespace);
    if !is_alias && !["struct", "enum", "trait"].contains(&keyword) {
        return None;
    }
    let name = words.next()?.split(|c: char| !c.is_alphanumeric()).next()?;
    name.starts_with(char::is_uppercase).then_some(name)
}

#[test]
fn at_most_two_types_share_a_name() {
    let mut files = Vec::new();
    for folder in ["crates", "benchmarks", "python"] {
        sources(&workspace().join(folder), &mut files);
    }
    let mut places: BTreeMap<String, Vec<&Path>> = BTreeMap::new();
    for file in &files {
        for name in fs::read_to_string(file).unwrap().lines().filter_map(defined_type) {
            places.entry(name.to_owned()).or_default().push(file);
        }
    }
    assert!(places.contains_key("Program"), "the sources are not found");
    places.retain(|_, files| files.len() > 2);
    assert!(places.is_empty(), "rename the less central types: {places:#?}");
}
