//! `symloc check` on changes of programs: planted regressions are found at their line, and edits that change no access pass.

use std::fs;

use crate::common::repository::Repository;
use crate::common::root;

mod planted;

use planted::PLANTED;

/// Returns the line, from 1, of a snippet that a text has once.
fn line_of(text: &str, snippet: &str) -> u64 {
    assert_eq!(text.matches(snippet).count(), 1, "{snippet}: {text}");
    1 + text[..text.find(snippet).unwrap()].matches('\n').count() as u64
}

#[test]
fn planted_regressions_are_found_at_their_line() {
    let repository = Repository::new();
    let mut file = "[defaults]\nnot-worse-than = \"main\"\n".to_owned();
    for planted in PLANTED {
        let name = planted.name;
        file += &format!("[[kernel]]\nname = \"{name}\"\nfile = \"src/{name}.c\"\n{}\n", planted.question);
        repository.write(&format!("src/{name}.c"), planted.program);
    }
    repository.write("symloc.toml", &file);
    repository.commit();
    let (kernels, status) = repository.kernels(&[]);
    assert_eq!(status, Some(0), "{kernels:#?}");
    for planted in PLANTED {
        assert_eq!(planted.program.matches(planted.from).count(), 1, "{}", planted.name);
        repository.write(&format!("src/{}.c", planted.name), &planted.program.replace(planted.from, planted.to));
    }
    let (kernels, status) = repository.kernels(&[]);
    assert_eq!((status, kernels.len()), (Some(1), PLANTED.len()), "{kernels:#?}");
    for (kernel, planted) in kernels.iter().zip(PLANTED) {
        let text = planted.program.replace(planted.from, planted.to);
        let line = line_of(&text, planted.line);
        assert_eq!(kernel["result"], "failed", "{kernel:#?}");
        let findings = kernel["findings"].as_array().unwrap();
        for finding in findings {
            assert_eq!((&finding["rule"], &finding["bound"]), (&"not-worse-than".into(), &"main".into()));
            assert_eq!(finding["changes"][0]["line"], line, "{}: {finding:#?}", planted.name);
        }
    }
}

/// The kernels of PolyBench that are edited, with their sizes.
const KERNELS: [(&str, &str); 10] = [
    ("gemm", "ni = 60, nj = 70, nk = 80"),
    ("jacobi-2d", "n = 100, tsteps = 4"),
    ("mvt", "n = 300"),
    ("atax", "m = 200, n = 300"),
    ("trisolv", "n = 300"),
    ("gesummv", "n = 300"),
    ("syrk", "m = 60, n = 70"),
    ("bicg", "m = 200, n = 300"),
    ("trmm", "m = 60, n = 70"),
    ("jacobi-1d", "n = 5000, tsteps = 10"),
];

fn file_of_kernels(path: impl Fn(&str) -> String) -> String {
    let head =
        "[defaults]\nnot-worse-than = \"main\"\ncaches = [\"4KiB\", \"32KiB\"]\noptions = [\"--assume-noalias\"]\n";
    KERNELS.iter().fold(head.to_owned(), |file, (name, sizes)| {
        let (path, function) = (path(name), name.replace('-', "_"));
        file + &format!(
            "[[kernel]]\nname = \"{name}\"\nfile = \"{path}\"\nfunction = \"kernel_{function}\"\nsizes = {{ {sizes} }}\n"
        )
    })
}

/// Replaces whole words.
fn renamed(text: &str, names: &[(&str, &str)]) -> String {
    let mut renamed = String::new();
    let mut word = String::new();
    for letter in text.chars().chain(['\n']) {
        if letter.is_alphanumeric() || letter == '_' {
            word.push(letter);
            continue;
        }
        let new = names.iter().find(|(old, _)| *old == word).map_or(word.as_str(), |(_, new)| new);
        renamed += new;
        renamed.push(letter);
        word.clear();
    }
    renamed
}

/// An edit that changes no access.
type Edit = fn(&str) -> String;

const EDITS: [Edit; 5] = [
    |text| format!("/* A comment\n * of several lines. */\n\n{text}"),
    |text| {
        text.replace("  ", "\t").replace(") {\n", ")\n\n\t{\n").replace(" += ", "\n+=\n").replace(" -= ", "\n-=\n\n")
    },
    |text| {
        renamed(
            text,
            &[("A", "left"), ("B", "right"), ("C", "result"), ("x", "vector"), ("y", "other"), ("L", "lower")],
        )
    },
    |text| renamed(text, &[("i", "row"), ("j", "column"), ("k", "inner"), ("t", "step")]),
    |text| format!("static int unused(int a) {{\n  return a + 1;\n}}\n\n{text}"),
];

#[test]
fn edits_that_change_no_access_pass() {
    let repository = Repository::new();
    let texts = KERNELS.map(|(name, _)| fs::read_to_string(root().join(format!("polybench/c/{name}.c"))).unwrap());
    for ((name, _), text) in KERNELS.iter().zip(&texts) {
        repository.write(&format!("src/{name}.c"), text);
    }
    repository.write("symloc.toml", &file_of_kernels(|name| format!("src/{name}.c")));
    repository.commit();
    for (number, edit) in EDITS.iter().enumerate() {
        // With the last edit the functions move to other files.
        let folder = if number + 1 < EDITS.len() { "src" } else { "kernels/moved" };
        for ((name, _), text) in KERNELS.iter().zip(&texts) {
            assert_ne!(edit(text).trim_end(), text.trim_end());
            fs::remove_file(repository.path().join(format!("src/{name}.c"))).unwrap();
            repository.write(&format!("{folder}/{name}.c"), &edit(text));
        }
        repository.write("symloc.toml", &file_of_kernels(|name| format!("{folder}/{name}.c")));
        let (kernels, status) = repository.kernels(&[]);
        assert_eq!(status, Some(0), "edit {number}: {kernels:#?}");
        // No remark says that one of them misses less.
        assert!(kernels.iter().all(|kernel| kernel["remarks"].is_null()), "edit {number}: {kernels:#?}");
    }
}

#[test]
fn a_parameter_may_be_renamed() {
    let repository = Repository::new();
    let text = fs::read_to_string(root().join("polybench/c/mvt.c")).unwrap();
    let file = |name: &str| {
        format!(
            "[[kernel]]\nname = \"mvt\"\nfile = \"mvt.c\"\nsizes = {{ {name} = 300 }}\ncaches = [\"4KiB\"]\n\
             not-worse-than = \"main\"\noptions = [\"--assume-noalias\"]\n"
        )
    };
    repository.write("mvt.c", &text);
    repository.write("symloc.toml", &file("n"));
    repository.commit();
    repository.write("mvt.c", &renamed(&text, &[("n", "size"), ("N", "SIZE")]));
    repository.write("symloc.toml", &file("size"));
    let (kernels, status) = repository.kernels(&[]);
    assert_eq!((status, &kernels[0]["remarks"]), (Some(0), &serde_json::Value::Null), "{kernels:#?}");
}
