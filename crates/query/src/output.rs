//! Writes results to files, and notes to standard error.

use std::io::Write;
use std::path::Path;

use symloc_model::Model;

use crate::error::CliError;

/// Prints a message on standard error, such as `note: …`. Errors are ignored, as they could not be reported.
pub fn tell(kind: &str, text: &str) {
    let _ = writeln!(std::io::stderr(), "{kind}: {text}");
}

/// Prints the omissions and assumptions of a model, under which its answers hold.
pub fn remarks(model: &Model) {
    model.remarks.iter().for_each(|remark| tell("note", remark));
}

/// Writes a complete result at once; `-` is standard output.
///
/// # Errors
///
/// If the file or `out` cannot be written to.
pub fn write(out: &mut dyn Write, path: &Path, text: &str) -> Result<(), CliError> {
    if path.as_os_str() == "-" {
        return Ok(out.write_all(text.as_bytes())?);
    }
    std::fs::write(path, text)
        .map_err(|error| CliError::refused(format!("{}: cannot write it: {error}", path.display())))
}
