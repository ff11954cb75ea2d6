//! Checks rules of docs/style.md about comments: how they begin, and phrases that they do not have.

use std::fs;
use std::path::{Path, PathBuf};

/// The most comments that begin with a question: such a comment says little where a name would do.
const QUESTIONS: usize = 60;

/// Phrases that a reader has to guess at.
const VAGUE: [&str; 3] = ["nothing if", "is told", "of which none"];

/// Returns the sources of all crates, with their files; those of this test are left out.
fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for directory in ["crates", "benchmarks/src"] {
        crate::architecture::sources(&root.join(directory), &mut files);
    }
    files.retain(|file| !file.ends_with("tests/words.rs"));
    files.into_iter().map(|file| (file.clone(), fs::read_to_string(file).unwrap())).collect()
}

/// Returns the text of a line's comment of documentation.
fn documentation(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).map(str::trim_start)
}

#[test]
fn few_comments_begin_with_a_question() {
    let begins = |line: &&str, words: &[&str]| {
        let word = documentation(line).and_then(|text| text.split_whitespace().next());
        word.is_some_and(|word| words.contains(&word))
    };
    let sources = sources();
    let lines = || sources.iter().flat_map(|(_, text)| text.lines());
    let questions: Vec<&str> = lines().filter(|line| begins(line, &["What", "How"])).collect();
    assert!(questions.len() <= QUESTIONS, "{} comments begin with a question: {questions:#?}", questions.len());
    let same: Vec<&str> =
        lines().filter(|line| documentation(line).is_some_and(|t| t.starts_with("The same"))).collect();
    assert!(same.is_empty(), "the same as what? {same:#?}");
    let vague: Vec<&str> = lines().filter(|line| VAGUE.iter().any(|phrase| line.contains(phrase))).collect();
    assert!(vague.is_empty(), "{vague:#?}");
}
