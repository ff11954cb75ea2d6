//! Tests of `docs/` as a book: `SUMMARY.md` names every page, links lead somewhere, and every command has a page. The sessions
//! of the pages, the help of each command among them, are tested by `cli.rs`.
//!
//! `SYMLOC_BLESS=1` writes the list of commands in `docs/commands/README.md`.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{root, symloc};

/// Returns the files of a folder and of all folders in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    found.sort();
    found
}

/// Returns the Markdown files of a folder and of all folders in it.
fn pages(folder: &Path) -> Vec<PathBuf> {
    files(folder).into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

/// Returns the files in `crates`, by their paths from there.
fn sources() -> Vec<String> {
    let crates = root().join("crates");
    files(&crates).iter().map(|path| path.strip_prefix(&crates).unwrap().to_str().unwrap().to_owned()).collect()
}

/// Returns the text without blocks of code.
fn prose(text: &str) -> String {
    let mut code = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        let fence = line.trim_start().starts_with("```");
        if !code && !fence {
            lines.push(line);
        }
        code ^= fence;
    }
    lines.join("\n")
}

/// Returns the targets of the links of a page that lead to files.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    targets.filter(|target| !target.contains("://")).map(str::to_owned).collect()
}

/// Returns the anchors of the headings of a page, as GitHub and mdBook make them.
fn anchors(text: &str) -> Vec<String> {
    let prose = prose(text);
    let headings = prose.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let anchor = |heading: &str| {
        let kept = heading.to_lowercase().replace(' ', "-");
        kept.chars().filter(|letter| letter.is_alphanumeric() || "-_".contains(*letter)).collect()
    };
    headings.map(anchor).collect()
}

/// Returns true if a link of `page` leads to a file or a folder and, with `#`, to a heading.
fn resolves(page: &Path, link: &str) -> bool {
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() { page.to_owned() } else { page.parent().unwrap().join(file) };
    if anchor.is_empty() {
        return target.exists();
    }
    anchors(&fs::read_to_string(&target).unwrap_or_default()).iter().any(|heading| heading == anchor)
}

#[test]
fn the_summary_names_every_page() {
    let docs = root().join("docs");
    let summary = docs.join("SUMMARY.md");
    let named: Vec<_> = links(&fs::read_to_string(&summary).unwrap()).iter().map(|link| docs.join(link)).collect();
    let there: BTreeSet<_> = pages(&docs).into_iter().filter(|page| *page != summary).collect();
    assert_eq!(
        named.iter().cloned().collect::<BTreeSet<_>>(),
        there,
        "docs/SUMMARY.md on the left, docs/ on the right"
    );
    assert_eq!(named.len(), there.len(), "docs/SUMMARY.md names a page twice");
}

#[test]
fn links_lead_somewhere() {
    let folders = ["docs", "examples", "fuzz", "polybench", "python"].map(|folder| root().join(folder));
    let mut all: Vec<_> = folders.iter().flat_map(|folder| pages(folder)).collect();
    all.extend(["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"].map(|page| root().join(page)));
    for page in all {
        for link in links(&fs::read_to_string(&page).unwrap()) {
            assert!(resolves(&page, &link), "{}: {link}", page.display());
        }
    }
}

/// Returns the words of a page that are written as code: those between single backquotes.
fn code_words(text: &str) -> Vec<String> {
    prose(text).split('\n').flat_map(|line| line.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

/// Returns true if a crate has files or folders of these names in its sources, as `reuse::distance::reuses` says.
fn has_modules(sources: &[String], path: &str) -> bool {
    let (name, modules) = path.split_once("::").unwrap();
    let folder = format!("{name}/src/");
    let parts = |file: &str| file.split(['/', '.']).map(str::to_owned).collect::<Vec<_>>();
    let own: BTreeSet<_> =
        sources.iter().filter(|file| file.starts_with(&folder)).flat_map(|file| parts(file)).collect();
    modules.split("::").all(|module| own.contains(module))
}

#[test]
fn sources_that_pages_name_exist() {
    let sources = sources();
    let mut all = pages(&root().join("docs"));
    all.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|page| root().join(page)));
    for page in all {
        for word in code_words(&fs::read_to_string(&page).unwrap()) {
            let letters = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_:/.-".contains(&byte);
            if !word.bytes().all(letters) {
                continue;
            }
            let module = word.split_once("::").is_some_and(|(name, _)| root().join("crates").join(name).is_dir());
            let file = word.ends_with(".rs");
            let known = |file: &String| format!("/{file}").ends_with(&format!("/{word}"));
            let exists = (module && has_modules(&sources, &word))
                || (file && (root().join(&word).exists() || sources.iter().any(known)));
            assert!(exists || !(module || file), "{} names `{word}`, which does not exist", page.display());
        }
    }
}

/// Tests of a crate are named by their file or by their folder; those of this crate by their file.
#[test]
fn contributing_names_every_test() {
    let words = code_words(&fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap());
    let sources = sources();
    let mut missing = Vec::new();
    for file in &sources {
        let parts: Vec<_> = file.split('/').collect();
        let name = match parts.as_slice() {
            [_, "tests", name] | ["symloc", "tests", "slow", name] if name.ends_with(".rs") && *name != "all.rs" => {
                name
            }
            _ => continue,
        };
        let folder = format!("crates/{}/tests", parts[0]);
        let by_folder = parts[0] != "symloc" && words.contains(&folder);
        if !by_folder && !words.iter().any(|word| word.rsplit('/').next() == Some(name)) {
            missing.push(file);
        }
    }
    assert!(missing.is_empty(), "CONTRIBUTING.md does not say what these test: {missing:?}");
}

/// Returns the commands in the order of `symloc --help`, each with its sentence.
fn commands() -> Vec<(String, String)> {
    let (overview, ..) = symloc(&["--help"]);
    let list = overview.split_once("Commands:\n").and_then(|(_, rest)| rest.split_once("\n\n")).unwrap().0;
    let mut commands: Vec<(String, String)> = Vec::new();
    for line in list.lines() {
        match (line.strip_prefix("   "), commands.last_mut()) {
            // A line that is indented further continues the sentence.
            (Some(rest), Some((_, sentence))) => *sentence = format!("{sentence} {}", rest.trim()),
            _ => {
                let (name, sentence) = line.trim().split_once(' ').unwrap();
                commands.push((name.to_owned(), sentence.trim().to_owned()));
            }
        }
    }
    commands.retain(|(name, _)| name != "help");
    assert!(commands.len() > 10, "{overview}");
    commands
}

#[test]
fn every_command_has_a_page_with_its_help() {
    let folder = root().join("docs/commands");
    for (name, _) in commands() {
        let page = fs::read_to_string(folder.join(format!("{name}.md"))).unwrap_or_default();
        assert!(page.starts_with(&format!("# {name}\n")), "docs/commands/{name}.md is missing, or has another title");
        assert!(page.contains(&format!("\n```console\n$ symloc {name} --help\n")), "{name}: no session with its help");
    }
    assert_eq!(pages(&folder).len(), commands().len() + 1, "docs/commands has a page of no command");
}

#[test]
fn the_list_of_commands_is_that_of_the_program() {
    let path = root().join("docs/commands/README.md");
    let page = fs::read_to_string(&path).unwrap();
    let head = "| command | what it does |\n| --- | --- |\n";
    let (before, rest) = page.split_once(head).unwrap();
    let after = rest.trim_start_matches(|letter| letter != '\n').split_once("\n\n").unwrap().1;
    let rows: String =
        commands().iter().map(|(name, sentence)| format!("| [{name}]({name}.md) | {sentence} |\n")).collect();
    let expected = format!("{before}{head}{rows}\n{after}");
    if env::var_os("SYMLOC_BLESS").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    assert!(
        expected == fs::read_to_string(&path).unwrap(),
        "docs/commands/README.md has other commands: SYMLOC_BLESS=1"
    );
}
