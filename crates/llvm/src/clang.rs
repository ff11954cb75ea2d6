//! Running the compiler: C, C++ and Fortran to LLVM IR that is not optimised.
//!
//! At `-O1` with passes disabled the compiler marks nothing `optnone`, and leaves every access of the source in place; at
//! `-O0` every variable has a slot on the stack. Optimised code is made with the user's own
//! `-O`.
//! What the user passes (`-I`, `-D`, `-std`, …) goes through; what the compiler says is said once, in its own words.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::registers::Registers;

/// What a file is written in, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C.
    C,
    /// C++.
    Cpp,
    /// Fortran.
    Fortran,
    /// LLVM IR, as text or bitcode.
    Ir,
}

impl Language {
    /// The language of a file; none for what this front end does not read.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "c" | "i" => Some(Language::C),
            "cc" | "cpp" | "cxx" | "c++" | "C" | "ii" => Some(Language::Cpp),
            "f" | "for" | "f90" | "f95" | "f03" | "f08" | "F" | "F90" | "F95" => Some(Language::Fortran),
            "ll" | "bc" => Some(Language::Ir),
            _ => None,
        }
    }

    /// The compiler, and what to install if it is missing.
    fn compiler(self) -> (&'static str, &'static str) {
        match self {
            Language::C | Language::Ir => ("clang-22", "clang-22"),
            Language::Cpp => ("clang++-22", "clang-22"),
            Language::Fortran => ("flang-22", "flang-22"),
        }
    }
}

/// What compilers make of loops that copy or clear memory.
const LIBRARY_COPIES: [&str; 3] = ["memcpy", "memmove", "memset"];

/// Why a source was not compiled.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// The compiler refused the source; what it said.
    #[error("{0}")]
    Refused(String),
    /// The compiler is not installed.
    #[error(
        "`{program}` is missing: it is needed to read this file; install Debian's package {package}, or run ./setup"
    )]
    Missing {
        /// The program.
        program: &'static str,
        /// The package that has it.
        package: &'static str,
    },
    /// The compiler could not be run.
    #[error("`{program}` could not be run: {error}")]
    Broken {
        /// The program.
        program: &'static str,
        /// Why.
        error: io::Error,
    },
}

/// Bitcode, and what the compiler had to say beside it.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The module.
    pub bitcode: Vec<u8>,
    /// Warnings, in the compiler's words.
    pub messages: String,
}

/// Compiles a source file to bitcode, with the user's flags, in a directory if the flags are for one.
///
/// # Errors
///
/// See [`CompileError`].
pub fn compile(
    path: &Path,
    language: Language,
    flags: &[String],
    directory: Option<&PathBuf>,
    registers: Registers,
) -> Result<Compiled, CompileError> {
    let (program, package) = language.compiler();
    let mut command = Command::new(program);
    if registers == Registers::Optimized {
        command.arg("-O2");
    }
    command.args(flags);
    match (registers, language) {
        // A loop that only copies or clears stays a loop, not a call of the library.
        (Registers::Optimized, Language::C | Language::Cpp | Language::Ir) => {
            command.args(LIBRARY_COPIES.map(|name| format!("-fno-builtin-{name}")));
        }
        (Registers::Optimized, Language::Fortran) => {}
        (Registers::None, _) | (_, Language::Fortran) => {
            command.arg("-O0");
        }
        _ => {
            command.args(["-O1", "-Xclang", "-disable-llvm-passes"]);
        }
    }
    if language != Language::Fortran {
        command.arg("-fno-discard-value-names");
    }
    command.args(["-g", "-emit-llvm", "-c", "-o", "-"]);
    if language != Language::Fortran {
        command.arg("--");
    }
    command.arg(path).stdin(Stdio::null());
    if let Some(directory) = directory {
        command.current_dir(directory);
    }
    let output = command.output().map_err(|error| failed(error, program, package))?;
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.success() {
        true => Ok(Compiled { bitcode: output.stdout, messages }),
        false => Err(CompileError::Refused(messages)),
    }
}

/// Makes an executable of a module in bitcode and a program in C around it, for the language of the module.
///
/// # Errors
///
/// See [`CompileError`].
pub fn link(module: &Path, around: &Path, language: Language, executable: &Path) -> Result<(), CompileError> {
    let (program, package) = match language {
        Language::Cpp => Language::Cpp.compiler(),
        Language::C | Language::Fortran | Language::Ir => Language::C.compiler(),
    };
    let mut command = Command::new(program);
    command.args(["-O1", "-w", "-x", "c"]).arg(around).args(["-x", "ir"]).arg(module);
    command.args(["-x", "none", "-lm", "-o"]).arg(executable).stdin(Stdio::null());
    let output = command.output().map_err(|error| failed(error, program, package))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(CompileError::Refused(String::from_utf8_lossy(&output.stderr).into_owned())),
    }
}

fn failed(error: io::Error, program: &'static str, package: &'static str) -> CompileError {
    match error.kind() {
        io::ErrorKind::NotFound => CompileError::Missing { program, package },
        _ => CompileError::Broken { program, error },
    }
}
