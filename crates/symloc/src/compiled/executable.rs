//! The compiled function, linked with a driver that calls it.

use std::fs;
use std::path::{Path, PathBuf};

use symloc_llvm::{CompileError, Language, Runnable};
use symloc_query::CliError;

use crate::scratch::Scratch;

/// The driver: it calls the function and records its accesses.
const DRIVER: &str = include_str!("driver.c");

/// A program that calls the function; its files are removed when this is dropped.
pub(crate) struct Executable {
    folder: Scratch,
}

impl Executable {
    /// Compiles and links the program; messages name the source `path`.
    pub(crate) fn build(runnable: &Runnable, language: Language, path: &Path) -> Result<Self, CliError> {
        let refused = |why: String| CliError::refused(format!("{}: {why}", path.display()));
        let folder = Scratch::new().map_err(|error| refused(format!("no temporary folder: {error}")))?;
        let [module, driver] = ["module.bc", "driver.c"].map(|name| folder.path().join(name));
        fs::write(&module, &runnable.bitcode)
            .and_then(|()| fs::write(&driver, DRIVER))
            .map_err(|error| refused(format!("the temporary folder cannot be written: {error}")))?;
        let executable = Self { folder };
        match symloc_llvm::link(&module, &driver, language, &executable.path()) {
            Ok(()) => Ok(executable),
            Err(CompileError::Refused(messages)) => Err(unlinked(&messages, path)),
            Err(error) => Err(refused(error.to_string())),
        }
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().join("program")
    }
}

/// Returns the error of a failed link, which names the function that the linker did not find.
fn unlinked(messages: &str, path: &Path) -> CliError {
    let missing = messages.lines().find_map(|line| {
        let (_, name) =
            line.split_once("undefined reference to `").or_else(|| line.split_once("undefined symbol: "))?;
        Some(name.trim_end_matches('\'').to_owned())
    });
    match missing {
        Some(name) => CliError::with_hint(
            format!("{}: the compiled function cannot be called: `{name}` is not defined here", path.display()),
            "give a file that defines it; without --compiled the model is compared with the trace",
        ),
        None => CliError::refused(format!(
            "{}: the compiled function cannot be linked: {}",
            path.display(),
            messages.trim()
        )),
    }
}
