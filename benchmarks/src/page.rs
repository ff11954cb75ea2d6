//! Pages of measurements: prose with marked places for generated text.

use std::fs;
use std::path::Path;

use crate::BoxedError;

/// Replaces the text between the marks of this name.
pub(crate) fn insert(page: &Path, name: &str, content: &str) -> Result<(), BoxedError> {
    let text = fs::read_to_string(page)?;
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
    let missing = || format!("{}: no place for {name}", page.display());
    let (before, rest) = text.split_once(&begin).ok_or_else(missing)?;
    let (_, after) = rest.split_once(&end).ok_or_else(missing)?;
    fs::write(page, format!("{before}{begin}\n{content}\n{end}{after}"))?;
    Ok(())
}

/// Returns a table in Markdown; columns that begin with a number are aligned to the right.
pub(crate) fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let rows: Vec<Vec<String>> = rows.into_iter().collect();
    let numeric = |column: usize| {
        let cell = rows.first().and_then(|row| row.get(column)).map_or("", String::as_str);
        !cell.is_empty() && cell.chars().all(|c| c.is_ascii_digit() || " .,%".contains(c))
    };
    let rule = (0..head.len()).map(|column| if numeric(column) { "---:" } else { "---" });
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut text = line(&head.iter().map(|&cell| cell.to_owned()).collect::<Vec<_>>());
    text += &line(&rule.map(str::to_owned).collect::<Vec<_>>());
    rows.iter().for_each(|row| text += &line(row));
    text
}
