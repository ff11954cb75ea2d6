//! Files and standard input.

use std::io::Read;
use std::path::Path;

use symloc_mlir::Source;
use symloc_query::CliError;

/// Reads a file, or standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<Source, CliError> {
    let standard_input = path.as_os_str() == "-";
    let name = if standard_input { "<stdin>".to_owned() } else { path.display().to_string() };
    let bytes = if standard_input {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    let bytes = bytes.map_err(|error| CliError::refused(format!("{name}: cannot read it: {error}")))?;
    Ok(Source { name, bytes })
}
