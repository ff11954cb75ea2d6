//! `check`: the kernels of a repository, each derived by this program in a process of its own.

use std::path::Path;

use symloc_check::derive::Tools;
use symloc_llvm::Language;
use symloc_query::CliError;

/// Returns the programs that derive kernels: this one, and the compilers that it calls.
pub(crate) fn tools() -> Result<Tools, CliError> {
    let program = std::env::current_exe();
    let program = program.map_err(|error| CliError::refused(format!("the path of this program: {error}")))?;
    Ok(Tools { program, compiler })
}

fn compiler(path: &Path) -> Option<&'static str> {
    Language::of(path).map(Language::program)
}
