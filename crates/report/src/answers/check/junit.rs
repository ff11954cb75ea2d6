//! The answer of a check as JUnit's XML, which the services of continuous integration show as tests.
//!
//! There is no standard; this is what the schema of Jenkins' plug-in for xUnit accepts (`testsuites`, `testsuite`, `testcase` with
//! `failure` or `error`), and what GitLab and others read. It has no times: the same input gives the same bytes.

use std::io::{self, Write};

use super::{CheckAnswer, CheckResult, CheckedAnswer};
use crate::formats::xml::escape;

pub(super) fn write(answer: &CheckAnswer, out: &mut dyn Write) -> io::Result<()> {
    let counts = answer.counts();
    let (tests, failures, errors) = (answer.kernels.len(), counts.failed, counts.unchecked);
    let numbers = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"");
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"symloc check\" {numbers}>")?;
    writeln!(out, "  <testsuite name=\"{}\" {numbers} skipped=\"0\">", escape(&answer.file))?;
    answer.kernels.iter().try_for_each(|kernel| write_case(kernel, out))?;
    writeln!(out, "  </testsuite>\n</testsuites>")
}

fn write_case(kernel: &CheckedAnswer, out: &mut dyn Write) -> io::Result<()> {
    let (name, class) = (escape(&kernel.name), escape(&kernel.file));
    match &kernel.result {
        CheckResult::Holds(remarks) if remarks.is_empty() => {
            writeln!(out, "    <testcase name=\"{name}\" classname=\"{class}\"/>")
        }
        CheckResult::Holds(remarks) => {
            writeln!(out, "    <testcase name=\"{name}\" classname=\"{class}\">")?;
            writeln!(out, "      <system-out>{}</system-out>\n    </testcase>", escape(&remarks.join("\n")))
        }
        CheckResult::Failed(findings) => {
            writeln!(out, "    <testcase name=\"{name}\" classname=\"{class}\">")?;
            for finding in findings {
                let message = escape(&format!("{}: {}", finding.place(), finding.message()));
                let change = |change: &super::AccessChange| {
                    let (file, line, column) = &change.place;
                    format!(
                        "{file}:{line}:{column}: {} ({}): {}",
                        change.name,
                        change.kind,
                        change.change_with_numbers()
                    )
                };
                let places = finding.changes.iter().map(change).collect::<Vec<_>>().join("\n");
                let (kind, places) = (finding.rule.name(), escape(&places));
                writeln!(out, "      <failure type=\"{kind}\" message=\"{message}\">{places}</failure>")?;
            }
            writeln!(out, "    </testcase>")
        }
        CheckResult::Unchecked(reason) => {
            let first = escape(reason.lines().next().unwrap_or_default());
            writeln!(out, "    <testcase name=\"{name}\" classname=\"{class}\">")?;
            writeln!(out, "      <error type=\"unchecked\" message=\"{first}\">{}</error>", escape(reason))?;
            writeln!(out, "    </testcase>")
        }
    }
}
