//! The answer of a check for people.

use std::io::{self, Write};

use super::{CheckAnswer, CheckResult, CheckedAnswer, Finding};

/// The most accesses that are named below a finding.
const NAMED: usize = 4;

/// Writes a line for each kernel, with the findings below, and the numbers of results.
pub(super) fn write(answer: &CheckAnswer, out: &mut dyn Write) -> io::Result<()> {
    let width = answer.kernels.iter().map(|kernel| kernel.name.chars().count()).max().unwrap_or(0);
    for kernel in &answer.kernels {
        write_kernel(kernel, width, out)?;
    }
    writeln!(out, "\n{}", answer.counts())
}

fn write_kernel(kernel: &CheckedAnswer, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let CheckedAnswer { name, file, .. } = kernel;
    match &kernel.result {
        CheckResult::Holds(remarks) => {
            writeln!(out, "ok     {name:<width$}  {file}")?;
            remarks.iter().try_for_each(|remark| writeln!(out, "       note: {remark}"))
        }
        CheckResult::Failed(findings) => {
            writeln!(out, "FAIL   {name:<width$}  {file}")?;
            findings.iter().try_for_each(|finding| write_finding(finding, out))
        }
        CheckResult::Unchecked(reason) => {
            writeln!(out, "ERROR  {name:<width$}  {file}")?;
            reason.trim_end().lines().try_for_each(|line| writeln!(out, "       {line}"))
        }
    }
}

fn write_finding(finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "       {}: {}", finding.place(), finding.message())?;
    for change in finding.changes.iter().take(NAMED) {
        let (file, line, column) = &change.place;
        let change_with_numbers = change.change_with_numbers();
        writeln!(out, "         {file}:{line}:{column}: {} ({}): {change_with_numbers}", change.name, change.kind)?;
    }
    match finding.changes.len().saturating_sub(NAMED) {
        0 => Ok(()),
        more => writeln!(out, "         and {more} more"),
    }
}
