//! Sheets in LaTeX: a `tabular` that needs no package. Caption and notes are comments.

use std::io::{self, Write};

use crate::formats::sheet::{Cell, Sheet};

/// Writes a sheet.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write(out: &mut dyn Write, sheet: &Sheet) -> io::Result<()> {
    comments(out, &sheet.caption)?;
    writeln!(out, r"\begin{{tabular}}{{{}}}", "l".repeat(sheet.head.len()))?;
    writeln!(out, r"{} \\ \hline", sheet.head.join(" & "))?;
    for row in &sheet.rows {
        let cells: Vec<_> = row.iter().map(cell).collect();
        writeln!(out, r"{} \\", cells.join(" & "))?;
    }
    writeln!(out, r"\end{{tabular}}")?;
    comments(out, &sheet.notes)
}

fn comments(out: &mut dyn Write, lines: &[String]) -> io::Result<()> {
    lines.iter().try_for_each(|line| writeln!(out, "% {line}"))
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Formula(text) => format!("${text}$"),
        Cell::Words(text) => words(text),
        Cell::Unknown => "--".to_owned(),
    }
}

/// Marks words that LaTeX would take for commands as text; an arrow becomes a formula.
fn words(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if "%_&#$".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped.replace("->", r"$\to$")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tabular_without_packages() {
        let formula = |text: &str| Cell::Formula(text.to_owned());
        let sheet = Sheet {
            caption: vec!["f".into()],
            head: vec!["RI", "kind", "cache"],
            rows: vec![
                vec![formula("4 n"), Cell::Words("real".into()), formula(r"\frac{n}{8}")],
                vec![formula("n"), Cell::Words("a_1 -> a 5%".into()), Cell::Unknown],
            ],
            notes: vec!["note".into()],
        };
        let mut out = Vec::new();
        write(&mut out, &sheet).unwrap();
        let expected = r"% f
\begin{tabular}{lll}
RI & kind & cache \\ \hline
$4 n$ & real & $\frac{n}{8}$ \\
$n$ & a\_1 $\to$ a 5\% & -- \\
\end{tabular}
% note
";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
