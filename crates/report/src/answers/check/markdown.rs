//! The answer of a check as tables for a comment.

use std::io::{self, Write};

use super::{CheckAnswer, CheckResult, CheckedAnswer, Finding};

pub(super) fn write(answer: &CheckAnswer, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "### Locality\n\n{}\n", answer.counts())?;
    answer.kernels.iter().try_for_each(|kernel| write_kernel(kernel, out))
}

fn write_kernel(kernel: &CheckedAnswer, out: &mut dyn Write) -> io::Result<()> {
    match &kernel.result {
        CheckResult::Holds(_) => Ok(()),
        CheckResult::Unchecked(reason) => {
            writeln!(out, "**{}** (`{}`) could not be checked:\n", kernel.name, kernel.file)?;
            writeln!(out, "{}\n", fenced(reason))
        }
        CheckResult::Failed(findings) => {
            writeln!(out, "**{}** (`{}`)\n", kernel.name, kernel.file)?;
            writeln!(out, "| size and cache | result |\n| --- | --- |")?;
            findings.iter().try_for_each(|finding| {
                writeln!(out, "| {} | {} |", cell(&finding.place()), cell(&finding.message()))
            })?;
            writeln!(out)?;
            places(findings).iter().try_for_each(|place| writeln!(out, "- {place}"))?;
            writeln!(out)
        }
    }
}

/// Returns the accesses that miss more, each once, as the first finding about them has it.
fn places(findings: &[Finding]) -> Vec<String> {
    let mut seen = Vec::new();
    let mut places = Vec::new();
    for change in findings.iter().flat_map(|finding| &finding.changes) {
        if !seen.contains(&(&change.place, &change.name)) {
            seen.push((&change.place, &change.name));
            let (file, line, _) = &change.place;
            places.push(format!(
                "`{file}:{line}`: `{}` ({}): {}",
                change.name,
                change.kind,
                change.change_with_numbers()
            ));
        }
    }
    places
}

/// Returns a text as it stands in a cell.
fn cell(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|").replace('\n', " ")
}

/// Returns a text as a block of code, whose fence is longer than those in the text.
fn fenced(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{}\n{fence}", text.trim_end())
}
