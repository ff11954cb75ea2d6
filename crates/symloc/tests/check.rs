//! `symloc check` as its users meet it: baselines, acceptance, limits, forms of the answer, and errors.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::common::repository::{Repository, check_in};

const ROWS: &str = "for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++)";
const COLUMNS: &str = "for (int j = 0; j < n; j++)\n    for (int i = 0; i < n; i++)";

/// Returns a program that traverses an array in some order.
fn program(order: &str) -> String {
    format!("#include \"factor.h\"\n\nvoid scale(int n, double a[n][n]) {{\n  {order}\n      a[i][j] *= FACTOR;\n}}\n")
}

fn file(requirement: &str) -> String {
    format!(
        "[[kernel]]\nname = \"scale\"\nfile = \"src/scale.c\"\nflags = [\"-Iinclude\"]\nsizes = {{ n = 800 }}\n\
         caches = [\"32KiB\"]\n{requirement}\n"
    )
}

/// Makes a repository in which the kernel traverses rows.
fn repository(requirement: &str) -> Repository {
    let repository = Repository::new();
    repository.write("include/factor.h", "#define FACTOR 2\n");
    repository.write("src/scale.c", &program(ROWS));
    repository.write("symloc.toml", &file(requirement));
    repository.commit();
    repository
}

/// Returns the only kernel of an answer.
fn kernel(repository: &Repository) -> (Value, Option<i32>) {
    let (kernels, status) = repository.kernels(&[]);
    assert_eq!(kernels.len(), 1);
    (kernels[0].clone(), status)
}

#[test]
fn a_change_is_compared_with_a_revision_until_it_is_accepted() {
    let repository = repository("not-worse-than = \"main\"");
    let (answer, errors, status) = repository.check(&[]);
    assert_eq!(
        (answer.as_str(), errors.as_str(), status),
        ("ok     scale  src/scale.c\n\n1 kernel: 1 ok\n", "", Some(0))
    );
    repository.write("src/scale.c", &program(COLUMNS));
    // Misses in n = 800: 800*100 lines, or all accesses.
    let (answer, _, status) = repository.check(&[]);
    let expected = "FAIL   scale  src/scale.c\n       n = 800, 32KiB: 640000 misses, 80000 in main (8.00 times)\n         \
        src/scale.c:6:15: a[i][j] (read): from n^2/8 to n^2 (from 80000 to 640000)\n\n1 kernel: 0 ok, 1 failed\n";
    assert_eq!((answer.as_str(), status), (expected, Some(1)));
    let (_, errors, status) = repository.check(&["--update"]);
    assert_eq!((errors.as_str(), status), ("accepted: .symloc/scale.loc.json\n", Some(0)));
    repository.commit();
    // The accepted model is used up: what follows is compared with main as it is.
    repository.write("src/scale.c", &program(ROWS));
    let (found, status) = kernel(&repository);
    assert_eq!(
        (&found["remarks"][0], status),
        (&"better: n = 800, 32KiB: 80000 misses, 640000 in main".into(), Some(0))
    );
    repository.commit();
    repository.write("src/scale.c", &program(COLUMNS));
    assert_eq!(kernel(&repository).1, Some(1));
}

#[test]
fn a_header_of_the_revision_is_the_one_that_it_had() {
    let repository = repository("not-worse-than = \"main\"");
    assert_eq!(kernel(&repository).1, Some(0));
    repository.write("include/factor.h", "#define FACTOR (a[j][i] + 2)\n");
    let (found, status) = kernel(&repository);
    assert_eq!((status, &found["findings"][0]["before"]["misses"]), (Some(1), &80000.into()));
    // A header that is found earlier is a change of the program, too.
    repository.write("include/factor.h", "#define FACTOR 2\n");
    assert_eq!(kernel(&repository).1, Some(0));
    repository.write("src/factor.h", "#define FACTOR (a[j][i] + 2)\n");
    assert_eq!(kernel(&repository).1, Some(1));
}

#[test]
fn a_committed_model_is_compared_with() {
    let repository = repository("not-worse-than = \"committed\"");
    let (found, status) = kernel(&repository);
    assert_eq!(status, Some(2));
    assert!(found["reason"].as_str().unwrap().contains("`symloc check --update` writes it"), "{found:#}");
    assert_eq!(repository.check(&["--update"]).2, Some(0));
    repository.write("src/scale.c", &program(COLUMNS));
    assert_eq!(kernel(&repository).1, Some(1));
    repository.write("src/scale.c", &program(ROWS).replace('\n', "\n\n"));
    let (found, status) = kernel(&repository);
    assert_eq!((status, &found["remarks"]), (Some(0), &Value::Null));
    // The folder of models that were derived is no part of the repository.
    assert!(!repository.git(&["status", "--short", "--untracked-files=all"]).contains("cache"));
}

#[test]
fn limits_are_for_all_levels_or_for_one() {
    let limits = "max-misses = 79999\nmax-ratio = { 32KiB = \"6.25%\" }\nfits = \"32KiB at n <= 100\"";
    let repository = repository(limits);
    let (found, status) = kernel(&repository);
    assert_eq!(status, Some(1));
    let rules: Vec<_> =
        found["findings"].as_array().unwrap().iter().map(|finding| finding["message"].clone()).collect();
    assert_eq!(rules, ["80000 misses, more than 79999"], "{found:#}");
    repository.write("src/scale.c", &program(COLUMNS));
    let (found, _) = kernel(&repository);
    let findings = found["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 2, "{found:#}");
    assert_eq!(findings[1]["message"], "50.00% of the accesses miss, more than 6.25%");
    assert_eq!(findings[1]["changes"][0]["line"], 6);
}

#[test]
fn what_does_not_fit_is_found() {
    let repository = repository("fits = \"32KiB at n <= 1000\"");
    assert_eq!(kernel(&repository).1, Some(0), "each element is used once");
    // Columns are used again as long as 512 lines hold them.
    repository.write("src/scale.c", &program(COLUMNS));
    let (found, status) = kernel(&repository);
    assert_eq!((status, &found["findings"][0]["rule"]), (Some(1), &"fits".into()), "{found:#}");
    assert_eq!(found["findings"][0]["bound"], "32KiB at n <= 1000");
}

#[test]
fn forms_of_the_answer() {
    let repository = repository("not-worse-than = \"main\"");
    repository.write("src/scale.c", &program(COLUMNS));
    let (_, _, status) =
        repository.check(&["--report", "sarif=check.sarif", "--report", "junit=check.xml", "--format=markdown"]);
    assert_eq!(status, Some(1));
    let log: Value = serde_json::from_str(&fs::read_to_string(repository.path().join("check.sarif")).unwrap()).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let result = &run["results"][0];
    let rules: Vec<_> = run["tool"]["driver"]["rules"].as_array().unwrap().iter().map(|rule| &rule["id"]).collect();
    assert!(rules.contains(&&result["ruleId"]), "{log:#}");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "src/scale.c");
    assert_eq!(
        (&place["artifactLocation"]["uriBaseId"], &place["region"]["startLine"]),
        (&"%SRCROOT%".into(), &6.into())
    );
    let text = result["message"]["text"].as_str().unwrap();
    assert!(text.starts_with("scale: misses of `a[i][j]` from n^2/8 to n^2."), "{text}");
    let junit = fs::read_to_string(repository.path().join("check.xml")).unwrap();
    assert!(junit.contains("<testsuites name=\"symloc check\" tests=\"1\" failures=\"1\" errors=\"0\">"), "{junit}");
    assert!(junit.contains("<failure type=\"not-worse-than\" message=\"n = 800, 32KiB: 640000 misses"), "{junit}");
}

#[test]
fn a_kernel_that_cannot_be_checked_is_told_from_one_that_is_worse() {
    let repository = repository("not-worse-than = \"main\"");
    repository.write("src/scale.c", "void scale(int n, double a[n][n]) {\n  a[i] = 0;\n}\n");
    let (found, status) = kernel(&repository);
    assert_eq!((status, &found["result"]), (Some(2), &"unchecked".into()));
    assert!(
        found["reason"].as_str().unwrap().contains("src/scale.c:2:5: error: use of undeclared identifier"),
        "{found:#}"
    );
    // New kernels have nothing to be compared with.
    fs::remove_file(repository.path().join("src/scale.c")).unwrap();
    repository.write("src/new.c", &program(ROWS));
    repository.write(
        "symloc.toml",
        &file("not-worse-than = \"main\"").replace("scale", "new").replace("name = \"new\"", "name = \"n\""),
    );
    let (found, status) = kernel(&repository);
    assert_eq!((status, &found["remarks"][0]), (Some(0), &"main has no src/new.c: nothing to compare with".into()));
}

#[test]
fn errors_say_what_to_do() {
    let elsewhere = tempfile::tempdir().unwrap();
    let (_, errors, status) = check_in(elsewhere.path(), &[]);
    assert!(status == Some(2) && errors.contains("error: no symloc.toml in"), "{errors}");
    fs::create_dir(elsewhere.path().join("src")).unwrap();
    fs::write(elsewhere.path().join("src/scale.c"), program(ROWS)).unwrap();
    fs::write(elsewhere.path().join("symloc.toml"), file("not-worse-than = \"main\"")).unwrap();
    let (_, errors, status) = check_in(elsewhere.path(), &[]);
    assert!(status == Some(2) && errors.contains("no Git repository") && errors.contains("help: "), "{errors}");

    let repository = repository("not-worse-than = \"mian\"");
    let (_, errors, _) = repository.check(&[]);
    assert!(errors.starts_with("error: not-worse-than = \"mian\": there is no such revision"), "{errors}");
    assert_eq!(
        repository.check(&["--only", "scael"]).1,
        "error: symloc.toml: there is no kernel `scael`\nhelp: its kernels are scale\n"
    );
    repository.write("symloc.toml", &file("max-mises = 3"));
    let (_, errors, status) = repository.check(&[]);
    let expected = "symloc.toml:7:1: error: unknown key `max-mises`\nhelp: did you mean `max-misses`?\n";
    assert!(status == Some(2) && errors.ends_with(expected), "{errors}");
    repository.write("symloc.toml", &file("max-misses = 3").replace("n = 800", "m = 800"));
    assert!(kernel(&repository).0["reason"].as_str().unwrap().contains("`m` is not a parameter"));

    let shallow = tempfile::tempdir().unwrap();
    let from = format!("file://{}", repository.path().display());
    let cloned =
        Command::new("git").args(["clone", "--quiet", "--depth=1", &from]).arg(shallow.path()).output().unwrap();
    assert!(cloned.status.success());
    fs::write(shallow.path().join("symloc.toml"), file("not-worse-than = \"v1\"")).unwrap();
    assert!(check_in(shallow.path(), &[]).1.contains("fetch-depth: 0"));
}
