//! Results in files.

use std::io::Write;
use std::path::Path;

use symloc_model::Model;

use crate::error::CliError;

/// Says something beside the result, on standard error: `note: …`. Nobody is left to tell if that is closed.
pub fn tell(kind: &str, text: &str) {
    let _ = writeln!(std::io::stderr(), "{kind}: {text}");
}

/// Says what a model leaves out or takes for granted: its answers hold with that.
pub fn remarks(model: &Model) {
    model.remarks.iter().for_each(|remark| tell("note", remark));
}

/// Writes a result, at once and only when it is complete; `-` is standard output.
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
