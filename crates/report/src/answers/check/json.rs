//! The answer of a check for programs: `symloc.check/1`.

use std::io::{self, Write};

use serde::Serialize;

use super::{AccessChange, CheckAnswer, CheckResult, CheckedAnswer, Finding};
use crate::Counted;
use crate::formats::json::{self, Number, Sampled};

#[derive(Serialize)]
struct CheckJson<'a> {
    schema: &'static str,
    file: &'a str,
    ok: usize,
    failed: usize,
    unchecked: usize,
    kernels: Vec<CheckedJson<'a>>,
}

#[derive(Serialize)]
struct CheckedJson<'a> {
    name: &'a str,
    file: &'a str,
    line: usize,
    result: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    findings: Vec<FindingJson<'a>>,
}

#[derive(Serialize)]
struct FindingJson<'a> {
    rule: &'static str,
    at: &'a str,
    level: &'a str,
    bound: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<MissesJson<'a>>,
    after: MissesJson<'a>,
    accesses: Number<'a>,
    message: String,
    changes: Vec<ChangeJson<'a>>,
}

#[derive(Serialize)]
struct MissesJson<'a> {
    misses: Number<'a>,
    #[serde(flatten)]
    sampled: Sampled<'a>,
}

#[derive(Serialize)]
struct ChangeJson<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    access: &'a str,
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Number<'a>>,
    after: Number<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    formula_before: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    formula_after: Option<&'a str>,
}

pub(super) fn write(answer: &CheckAnswer, out: &mut dyn Write) -> io::Result<()> {
    let counts = answer.counts();
    let body = CheckJson {
        schema: "symloc.check/1",
        file: &answer.file,
        ok: counts.holding,
        failed: counts.failed,
        unchecked: counts.unchecked,
        kernels: answer.kernels.iter().map(kernel).collect(),
    };
    json::write(out, &body)
}

fn kernel(CheckedAnswer { name, file, line, result }: &CheckedAnswer) -> CheckedJson<'_> {
    let (word, remarks, reason, findings) = match result {
        CheckResult::Holds(remarks) => ("ok", remarks.as_slice(), None, &[][..]),
        CheckResult::Failed(findings) => ("failed", &[][..], None, findings.as_slice()),
        CheckResult::Unchecked(reason) => ("unchecked", &[][..], Some(reason.as_str()), &[][..]),
    };
    CheckedJson {
        name,
        file,
        line: *line,
        result: word,
        remarks: remarks.iter().map(String::as_str).collect(),
        reason,
        findings: findings.iter().map(finding).collect(),
    }
}

fn finding(finding: &Finding) -> FindingJson<'_> {
    FindingJson {
        rule: finding.rule.name(),
        at: &finding.at,
        level: &finding.level,
        bound: &finding.bound,
        before: finding.before.as_ref().map(misses),
        after: misses(&finding.after),
        accesses: Number(&finding.accesses),
        message: finding.message(),
        changes: finding.changes.iter().map(change).collect(),
    }
}

fn misses(counted: &Counted) -> MissesJson<'_> {
    MissesJson { misses: Number(&counted.value), sampled: Sampled::new(counted.interval.as_ref()) }
}

fn change(change: &AccessChange) -> ChangeJson<'_> {
    let (file, line, column) = &change.place;
    let formulas = change.formulas.as_ref().map(|(before, after)| (before.as_str(), after.as_str())).unzip();
    ChangeJson {
        file,
        line: *line,
        column: *column,
        access: &change.name,
        kind: &change.kind,
        before: change.before.as_ref().map(Number),
        after: Number(&change.after),
        formula_before: formulas.0,
        formula_after: formulas.1,
    }
}
