//! Reads the source text that a model was derived from.
//!
//! A model names its source and the places of its accesses in it, but does not hold the text. A file that was changed since would
//! be shown with numbers of other lines; so the model holds a checksum of its source. Places may lead to other files as well (the
//! source of a front end, by debug information); for these only the existence of the places is checked.

use std::path::{Path, PathBuf};

use symloc_model::Model;
use symloc_report::answers::annotation::SourceText;

use crate::error::CliError;

/// Returns the checksum that models hold of their source: CRC-32.
pub fn checksum(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// Reads the file that a model calls `name`, from `path`. The model's own source must be unchanged, and in any file all `places`,
/// lines and columns from 1 and in ascending order, must exist.
///
/// # Errors
///
/// A refusal if the file cannot be read, is not the one that the model was derived from, or lacks one of the places.
pub fn read(
    model: &Model,
    name: &str,
    path: &Path,
    places: impl Iterator<Item = (u32, u32)>,
) -> Result<SourceText, CliError> {
    let shown = path.display();
    let derive_again = "give the source that the model was derived from, or derive the model again";
    if name.starts_with('<') && path == Path::new(name) {
        return Err(CliError::with_hint(
            format!("the model was not derived from a file, but from {name}"),
            "derive it from a file",
        ));
    }
    let bytes = std::fs::read(path).map_err(|error| {
        CliError::with_hint(
            format!("{shown}: cannot read the source: {error}"),
            "say where it is, after the model: `annotate MODEL SOURCE`",
        )
    })?;
    if name == model.source && model.source_checksum.is_some_and(|known| known != checksum(&bytes)) {
        let message = format!("{shown}: this is not the text that the model was derived from");
        return Err(CliError::with_hint(message, derive_again));
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| CliError::refused(format!("{shown}: not UTF-8 text, so there are no lines to show")))?;
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut places = places.peekable();
    // MLIR operations without a location get the start of the file, where no access can be.
    if !name.ends_with(".einsum") && places.peek() == Some(&(1, 1)) {
        return Err(CliError::refused(format!("the model does not say where in {shown} some accesses stand")));
    }
    let exists = |(line, column): (u32, u32)| {
        let text = (line as usize).checked_sub(1).and_then(|index| lines.get(index));
        text.is_some_and(|text| column as usize <= text.len().max(1))
    };
    match places.find(|place| !exists(*place)) {
        None => Ok(SourceText { name: shown.to_string(), lines }),
        Some((line, column)) => Err(CliError::with_hint(
            format!("{shown}: the model has an access in line {line}, column {column}, where there is no text"),
            derive_again,
        )),
    }
}
/// Returns the file among `given` that a model calls `name`: the one with the same file name, or else `name` itself. If the model
/// knows a single file and one is given, it is that one.
pub fn locate(name: &str, single: bool, given: &[PathBuf]) -> PathBuf {
    let own = Path::new(name);
    match given {
        [only] if single => only.clone(),
        _ => {
            given.iter().find(|path| path.file_name() == own.file_name()).map_or_else(|| own.to_owned(), PathBuf::clone)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_by_their_names() {
        let given: Vec<PathBuf> = ["new/a.c", "b.mlir"].map(PathBuf::from).to_vec();
        assert_eq!(locate("old/a.c", false, &given), given[0]);
        assert_eq!(locate("old/c.c", false, &given), Path::new("old/c.c"));
        assert_eq!(locate("c.c", true, &given[..1]), given[0]);
        assert_eq!(locate("c.c", true, &[]), Path::new("c.c"));
    }

    #[test]
    fn the_checksum_is_that_of_zip_and_png() {
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
    }
}
