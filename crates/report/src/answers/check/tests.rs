use super::*;

fn change(line: u32, name: &str, formulas: Option<(&str, &str)>) -> AccessChange {
    AccessChange {
        place: ("src/a b.c".to_owned(), line, 9),
        name: name.to_owned(),
        kind: "read".to_owned(),
        before: Some(Int::from(2)),
        after: Int::from(32),
        formulas: formulas.map(|(before, after)| (before.to_owned(), after.to_owned())),
    }
}

fn finding(level: &str, changes: Vec<AccessChange>) -> Finding {
    Finding {
        rule: CheckRule::NotWorseThan,
        at: "n = 500".to_owned(),
        level: level.to_owned(),
        bound: "main".to_owned(),
        before: Some(Counted::exact(2)),
        after: Counted::new(Int::from(32), Some((Int::from(30), Int::from(34)))),
        accesses: Int::from(100),
        changes,
    }
}

/// Returns an answer with a kernel of each result, one of which has two findings about one access.
fn answer() -> CheckAnswer {
    let formulas = Some(("n^3/16", "n^3"));
    let findings = vec![
        finding("32KiB", vec![change(12, "B[k][j]", formulas), change(13, "C[i]", None)]),
        finding("1MiB", vec![change(12, "B[k][j]", formulas)]),
    ];
    let kernel =
        |name: &str, result| CheckedAnswer { name: name.to_owned(), file: "src/a b.c".to_owned(), line: 7, result };
    CheckAnswer {
        file: "symloc.toml".to_owned(),
        prefix: "sub/".to_owned(),
        kernels: vec![
            kernel("good", CheckResult::Holds(vec!["better & new".to_owned()])),
            kernel("worse", CheckResult::Failed(findings)),
            kernel("broken", CheckResult::Unchecked("a.c:1:2: error: `x` <y>\n".to_owned())),
        ],
    }
}

fn written(format: CheckFormat) -> String {
    let mut text = Vec::new();
    answer().write(&mut text, format).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn text_says_what_misses_more_and_where() {
    let expected = "\
ok     good    src/a b.c
       note: better & new
FAIL   worse   src/a b.c
       n = 500, 32KiB: 32 (30 to 34) misses, 2 in main (16.00 times)
         src/a b.c:12:9: B[k][j] (read): from n^3/16 to n^3 (from 2 to 32)
         src/a b.c:13:9: C[i] (read): from 2 to 32 misses
       n = 500, 1MiB: 32 (30 to 34) misses, 2 in main (16.00 times)
         src/a b.c:12:9: B[k][j] (read): from n^3/16 to n^3 (from 2 to 32)
ERROR  broken  src/a b.c
       a.c:1:2: error: `x` <y>

3 kernels: 1 ok, 1 failed, 1 could not be checked
";
    assert_eq!(written(CheckFormat::Text), expected);
}

#[test]
fn junit_is_xml() {
    let text = written(CheckFormat::Junit);
    assert!(text.contains("<error type=\"unchecked\" message=\"a.c:1:2: error: `x` &lt;y&gt;\">"), "{text}");
    assert!(text.contains("tests=\"3\" failures=\"1\" errors=\"1\""), "{text}");
    assert_eq!((text.matches("<testcase ").count(), text.matches("<failure ").count()), (3, 2));
    assert!(text.contains("better &amp; new"), "{text}");
}

#[test]
fn sarif_has_one_result_for_an_access() {
    let log: serde_json::Value = serde_json::from_str(&written(CheckFormat::Sarif)).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 3, "{log:#}");
    let place = |index: usize| &results[index]["locations"][0]["physicalLocation"];
    assert_eq!(place(0)["artifactLocation"]["uri"], "sub/src/a%20b.c");
    assert_eq!((&place(0)["region"]["startLine"], &place(1)["region"]["startLine"]), (&12.into(), &13.into()));
    let text = results[0]["message"]["text"].as_str().unwrap();
    assert!(text.starts_with("worse: misses of `B[k][j]` from n^3/16 to n^3.\nn = 500, 32KiB: 32"), "{text}");
    assert!(text.contains("\nn = 500, 1MiB: "), "{text}");
    assert_eq!(
        (&results[2]["ruleId"], &place(2)["artifactLocation"]["uri"]),
        (&"unchecked".into(), &"sub/symloc.toml".into())
    );
    assert_eq!(place(2)["region"]["startLine"], 7);
}

#[test]
fn json_has_numbers_and_formulas() {
    let answer: serde_json::Value = serde_json::from_str(&written(CheckFormat::Json)).unwrap();
    assert_eq!((&answer["ok"], &answer["failed"], &answer["unchecked"]), (&1.into(), &1.into(), &1.into()));
    let finding = &answer["kernels"][1]["findings"][0];
    assert_eq!((&finding["before"]["misses"], &finding["after"]["low"]), (&2.into(), &30.into()));
    assert_eq!(finding["changes"][0]["formula_before"], "n^3/16");
    assert_eq!(answer["kernels"][2]["reason"], "a.c:1:2: error: `x` <y>\n");
}

#[test]
fn markdown_has_a_table_for_each_kernel_that_fails() {
    let text = written(CheckFormat::Markdown);
    assert!(text.contains("| n = 500, 32KiB | 32 (30 to 34) misses, 2 in main (16.00 times) |\n"), "{text}");
    assert!(text.contains("- `src/a b.c:12`: `B[k][j]` (read): from n^3/16 to n^3 (from 2 to 32)\n"), "{text}");
    assert_eq!(text.matches("B[k][j]").count(), 1);
    assert!(text.contains("```\na.c:1:2: error: `x` <y>\n```"), "{text}");
}
