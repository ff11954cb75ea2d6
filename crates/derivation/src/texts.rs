//! The texts of programs: networks and kernels, and LLVM IR in MLIR.

use std::path::Path;

use symloc_einsum::{Element, Kernel};
use symloc_mlir::{Network, Options, Source};

use crate::error::DerivationError;

/// A function that is called with the name of each phase before the phase begins.
pub type Enter<'e> = &'e mut dyn FnMut(&'static str);

/// Returns the error for an einsum with errors in it.
pub fn einsum_errors(file: &str, errors: symloc_einsum::Errors) -> DerivationError {
    DerivationError::Einsum { file: file.to_owned(), errors }
}

/// Returns the network in a source, lowered; `None` if the source is not a network.
///
/// # Errors
///
/// If it cannot be lowered.
pub fn network(source: &Source, enter: Enter) -> Result<Option<Network>, DerivationError> {
    let network = Network::lowered(source, enter)?;
    if network.is_some() {
        enter("reading");
    }
    Ok(network)
}

/// Returns the LLVM IR of a function in MLIR's LLVM dialect; `None` for other dialects. It is here because the two
/// front ends do not use each other.
///
/// # Errors
///
/// If it has an error.
pub fn llvm_ir(source: &Source, options: &Options) -> Result<Option<Vec<u8>>, DerivationError> {
    Ok(symloc_mlir::llvm_ir(source, options)?)
}

/// Returns the error for `--ignore-calls` with an einsum.
pub fn no_calls(source: &Source) -> DerivationError {
    DerivationError::with_hint(format!("{}: --ignore-calls: einsums call no functions", source.name), "leave it out")
}

/// Writes a kernel as a text in MLIR.
pub fn as_mlir(kernel: &Kernel, element: Element) -> Source {
    Source { name: format!("{} as MLIR", kernel.source), bytes: kernel.to_mlir(element).into_bytes() }
}

/// Returns true for files of the front end for einsums.
pub fn is_einsum(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "einsum")
}

/// Reads the kernel of a `.einsum` file.
///
/// # Errors
///
/// If the text is not an einsum.
pub fn kernel(source: &Source) -> Result<Kernel, DerivationError> {
    let text = std::str::from_utf8(&source.bytes).map_err(|error| {
        DerivationError::refused(format!("{}: not UTF-8 text, from byte {} on", source.name, error.valid_up_to()))
    })?;
    Kernel::from_file(&source.name, text).map_err(|errors| einsum_errors(&source.name, errors))
}
