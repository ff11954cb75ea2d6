//! The texts of programs: files, networks and kernels, and LLVM IR in MLIR.

use std::io::Read;
use std::path::Path;

use symloc_einsum::{Element, Kernel};
use symloc_mlir::{Network, Options, Source};
use symloc_query::CliError;

use super::Enter;

/// Returns the network in a source, lowered; `None` if the source is not a network.
pub(super) fn network(source: &Source, enter: Enter) -> Result<Option<Network>, CliError> {
    let network = Network::lowered(source, enter).map_err(|errors| CliError::Diagnostics(errors.to_string()))?;
    if network.is_some() {
        enter("reading");
    }
    Ok(network)
}

/// Returns the LLVM IR of a function in MLIR's LLVM dialect; `None` for other dialects. It is here because the two
/// front ends do not use each other.
pub(super) fn llvm_ir(source: &Source, options: &Options) -> Result<Option<Vec<u8>>, CliError> {
    symloc_mlir::llvm_ir(source, options).map_err(|errors| CliError::Diagnostics(errors.to_string()))
}

/// Returns the error for `--ignore-calls` with an einsum.
pub(super) fn no_calls(source: &Source) -> CliError {
    CliError::with_hint(format!("{}: --ignore-calls: einsums call no functions", source.name), "leave it out")
}

/// Writes a kernel as a text in MLIR.
pub(crate) fn as_mlir(kernel: &Kernel, element: Element) -> Source {
    Source { name: format!("{} as MLIR", kernel.source), bytes: kernel.to_mlir(element).into_bytes() }
}

/// Returns true for files of the front end for einsums.
pub(crate) fn is_einsum(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "einsum")
}

/// Reads the kernel of a `.einsum` file.
pub(crate) fn kernel(source: &Source) -> Result<Kernel, CliError> {
    let text = std::str::from_utf8(&source.bytes).map_err(|error| {
        CliError::refused(format!("{}: not UTF-8 text, from byte {} on", source.name, error.valid_up_to()))
    })?;
    Kernel::from_file(&source.name, text).map_err(|errors| CliError::Diagnostics(errors.to_string()))
}

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
