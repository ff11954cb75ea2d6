//! The answer of a check as SARIF 2.1.0, which code hosts show on the lines of a change.
//!
//! There is one result for each access and rule, with all sizes and levels in its message: an annotation for each size would bury the
//! line. A result without an access stands at the first line of the kernel's file. A kernel that could not be checked is a result
//! too, at its line of the `symloc.toml`, because hosts do not show notifications.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

use super::{AccessChange, CheckAnswer, CheckResult, CheckRule, CheckedAnswer, Finding};
use crate::formats::json;

/// The rule of kernels that could not be checked.
const UNCHECKED: &str = "unchecked";

#[derive(Serialize)]
struct SarifLog {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Value; 1],
}

pub(super) fn write(answer: &CheckAnswer, out: &mut dyn Write) -> io::Result<()> {
    let rules: Vec<Value> = CheckRule::ALL
        .iter()
        .map(|rule| (rule.name(), rule.description()))
        .chain([(UNCHECKED, "A kernel could not be checked.")])
        .map(|(name, text)| {
            json!({"id": name, "shortDescription": {"text": text}, "fullDescription": {"text": text},
                "help": {"text": format!("{text} `symloc check` says more; `symloc check --update` accepts it.")},
                "defaultConfiguration": {"level": "error"}})
        })
        .collect();
    let results: Vec<Value> = answer.kernels.iter().flat_map(|kernel| results(answer, kernel)).collect();
    let log = SarifLog {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [json!({
            "tool": {"driver": {"name": "symloc", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
            "results": results,
            "columnKind": "utf16CodeUnits",
        })],
    };
    json::write(out, &log)
}

/// The findings about one access, or about none, by rule.
type Grouped<'a> =
    BTreeMap<(CheckRule, Option<(&'a (String, u32, u32), &'a str)>), Vec<(&'a Finding, Option<&'a AccessChange>)>>;

fn results(answer: &CheckAnswer, kernel: &CheckedAnswer) -> Vec<Value> {
    match &kernel.result {
        CheckResult::Holds(_) => Vec::new(),
        CheckResult::Unchecked(reason) => {
            let text = format!("{} could not be checked: {}", kernel.name, reason.trim_end());
            vec![result(answer, kernel, UNCHECKED, "", &text, (&answer.file, kernel.line as u64))]
        }
        CheckResult::Failed(findings) => {
            let mut groups = Grouped::new();
            for finding in findings {
                let changes = finding.changes.iter().map(Some).chain(finding.changes.is_empty().then_some(None));
                for change in changes {
                    let access = change.map(|change| (&change.place, change.name.as_str()));
                    groups.entry((finding.rule, access)).or_default().push((finding, change));
                }
            }
            groups
                .iter()
                .map(|((rule, access), found)| {
                    let (name, place) = match access {
                        Some(((file, line, _), name)) => (*name, (file, u64::from(*line))),
                        None => ("", (&kernel.file, 1)),
                    };
                    result(answer, kernel, rule.name(), name, &message(kernel, found), place)
                })
                .collect()
        }
    }
}

fn message(kernel: &CheckedAnswer, found: &[(&Finding, Option<&AccessChange>)]) -> String {
    let mut text = match found.iter().find_map(|(_, change)| *change) {
        Some(change) => format!("{}: misses of `{}` {}.", kernel.name, change.name, change.change()),
        None => format!("{}:", kernel.name),
    };
    for (finding, _) in found {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{}: {}", finding.place(), finding.message());
    }
    text
}

fn result(
    answer: &CheckAnswer,
    kernel: &CheckedAnswer,
    rule: &str,
    access: &str,
    text: &str,
    (file, line): (&String, u64),
) -> Value {
    let artifact = match file.starts_with('/') {
        true => json!({"uri": format!("file://{}", encoded(file))}),
        false => json!({"uri": encoded(&format!("{}{file}", answer.prefix)), "uriBaseId": "%SRCROOT%"}),
    };
    json!({
        "ruleId": rule,
        "level": "error",
        "message": {"text": text},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": {"startLine": line.max(1)}}}],
        "partialFingerprints": {"symlocKernel/v1": format!("{} {rule} {access}", kernel.name)},
    })
}

/// Returns a path as part of a URI.
fn encoded(path: &str) -> String {
    let mut text = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' | b'~' => text.push(char::from(byte)),
            byte => _ = write!(text, "%{byte:02X}"),
        }
    }
    text
}
