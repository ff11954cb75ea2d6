//! Results in files.

use std::io::Write;
use std::path::Path;

use crate::error::CliError;

/// Writes a result, at once and only when it is complete; `-` is standard output.
pub fn write(out: &mut dyn Write, path: &Path, text: &str) -> Result<(), CliError> {
    if path.as_os_str() == "-" {
        return Ok(out.write_all(text.as_bytes())?);
    }
    std::fs::write(path, text)
        .map_err(|error| CliError::refused(format!("{}: cannot write it: {error}", path.display())))
}
