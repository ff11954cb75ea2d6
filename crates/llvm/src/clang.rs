//! Running the compiler: C, C++ and Fortran to LLVM IR that is not optimised.
//!
//! At `-O1` with passes disabled the compiler marks nothing `optnone`, and leaves every access of the source in place; at
//! `-O0` every variable has a slot on the stack. Optimised code is made with the user's own
//! `-O`.
//! What the user passes (`-I`, `-D`, `-std`, …) goes through; what the compiler says is said once, in its own words.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use symloc_affine::Location;
use symloc_frontend::Note;

use crate::fragment::{self, Fragment, Role};
use crate::openmp;
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

    fn is_c(self) -> bool {
        matches!(self, Language::C | Language::Cpp)
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
    /// What the reader of the module must know.
    pub circumstances: Circumstances,
}

/// How a source was compiled, as far as it says what its program is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Circumstances {
    /// Its parallel loops are to be taken one after the other.
    pub one_thread: bool,
    /// What was done to the source.
    pub notes: Vec<Note>,
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
    let (flags, one_thread) = openmp::without(flags);
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let (program, _) = language.compiler();
    let broken = |error| CompileError::Broken { program, error };
    let folder = tempfile::tempdir().map_err(broken)?;
    let mut compiler = Compiler { language, flags, directory: directory.cloned(), registers };
    if language.is_c() && (one_thread || text.contains("omp.h")) {
        openmp::write_header(folder.path()).map_err(broken)?;
        compiler.flags.extend(openmp::flags(folder.path(), one_thread));
    }
    let fragment = || Fragment::of(&text).filter(|_| language.is_c());
    let mut compiled = match compiler.file(path) {
        Err(CompileError::Refused(messages)) => match fragment().map(|fragment| compiler.fragment(path, &fragment)) {
            // Functions stand beside the statements: there is a bracket too many or too few.
            Some(Err(CompileError::Refused(said))) if said.contains(FUNCTION_INSIDE) => {
                return Err(CompileError::Refused(messages));
            }
            Some(result) => result?,
            None => return Err(CompileError::Refused(messages)),
        },
        result => result?,
    };
    compiled.circumstances.one_thread = one_thread;
    Ok(compiled)
}

/// What Clang says of a function in a function.
const FUNCTION_INSIDE: &str = "function definition is not allowed here";

/// A compiler and its flags.
struct Compiler {
    language: Language,
    flags: Vec<String>,
    directory: Option<PathBuf>,
    registers: Registers,
}

impl Compiler {
    /// The command, without the input.
    fn command(&self) -> Command {
        let mut command = Command::new(self.language.compiler().0);
        if self.registers == Registers::Optimized {
            command.arg("-O2");
        }
        command.args(&self.flags);
        match (self.registers, self.language) {
            // A loop that only copies or clears stays a loop, not a call of the library.
            (Registers::Optimized, Language::C | Language::Cpp | Language::Ir) => {
                command.args(LIBRARY_COPIES.map(|name| format!("-fno-builtin-{name}")));
            }
            (Registers::Optimized, Language::Fortran) => {}
            (Registers::None, _) => {
                command.arg("-O0");
            }
            // Array assignments become loops at -O1, before LLVM's passes, of which none is run.
            (Registers::Source, Language::Fortran) => {
                command.args(["-O1", "-mllvm", "-opt-bisect-limit=0", "-mllvm", "-opt-bisect-verbose=0"]);
            }
            _ => {
                command.args(["-O1", "-Xclang", "-disable-llvm-passes"]);
            }
        }
        if self.language != Language::Fortran {
            command.arg("-fno-discard-value-names");
        }
        command.args(["-g", "-emit-llvm", "-c", "-o", "-"]).stdin(Stdio::null());
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
    }

    fn file(&self, path: &Path) -> Result<Compiled, CompileError> {
        let mut command = self.command();
        if self.language != Language::Fortran {
            command.arg("--");
        }
        self.result(command.arg(path).output())
    }

    /// Compiles a text, which is included from where a file lies.
    fn text(&self, text: &str, path: &Path, more: &[&str]) -> Result<Compiled, CompileError> {
        let language = if self.language == Language::Cpp { "c++" } else { "c" };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut command = self.command();
        command.args(more).arg("-iquote").arg(folder).args(["-x", language, "-"]);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let output = child.and_then(|mut child| {
            if let Some(mut input) = child.stdin.take() {
                // A compiler that does not read to the end says why.
                let _ = input.write_all(text.as_bytes());
            }
            child.wait_with_output()
        });
        self.result(output)
    }

    fn result(&self, output: io::Result<Output>) -> Result<Compiled, CompileError> {
        let (program, package) = self.language.compiler();
        let output = output.map_err(|error| failed(error, program, package))?;
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.success() {
            true => Ok(Compiled { bitcode: output.stdout, messages, circumstances: Circumstances::default() }),
            false => Err(CompileError::Refused(messages)),
        }
    }

    /// Compiles loops without a function around them.
    fn fragment(&self, path: &Path, fragment: &Fragment<'_>) -> Result<Compiled, CompileError> {
        let file = path.display().to_string();
        let (mut sizes, mut counters) = (fragment.sizes(), Vec::new());
        // An array whose extents are not declared is none itself, so names come in rounds.
        while let Err(CompileError::Refused(messages)) =
            self.text(&fragment.wrapped(&file, &sizes, &counters), path, &ALL_ERRORS)
        {
            if messages.contains(FUNCTION_INSIDE) {
                return Err(CompileError::Refused(messages));
            }
            let names = fragment::undeclared(&messages);
            let known = sizes.len() + counters.len();
            for name in &names {
                match fragment.role(name) {
                    Role::Size => sizes.push(name.clone()),
                    Role::Counter => counters.push(name.clone()),
                    Role::Array | Role::Function => {}
                }
            }
            if sizes.len() + counters.len() == known {
                match names.iter().find(|name| fragment.role(name) == Role::Array) {
                    Some(array) => return Err(undeclared_array(&file, array, fragment)),
                    None => break,
                }
            }
        }
        let mut compiled = self.text(&fragment.wrapped(&file, &sizes, &counters), path, &[])?;
        let line = u32::try_from(fragment.first_line()).unwrap_or(1);
        let sizes = match sizes.as_slice() {
            [] => String::new(),
            [only] => format!(", and {only}, which has no value, is its argument"),
            several => format!(", and {}, which have no values, are its arguments", several.join(", ")),
        };
        let said = format!("these statements stand in no function: they are read as the body of one{sizes}");
        let location = Some(Location::new(file.as_str(), line, 1));
        compiled.circumstances.notes.push(Note::new(location, said));
        Ok(compiled)
    }
}

/// Flags with which the compiler names all that is undeclared, and nothing that sounds like it.
const ALL_ERRORS: [&str; 2] = ["-ferror-limit=0", "-fno-spell-checking"];

/// An array in a fragment whose extents are nowhere told.
fn undeclared_array(file: &str, name: &str, fragment: &Fragment<'_>) -> CompileError {
    let extents = "[N]".repeat(fragment.rank(name).max(1));
    let (line, column) = fragment.place_of(name);
    CompileError::Refused(format!(
        "{file}:{line}:{column}: error: `{name}` has subscripts and is declared nowhere, so its rows are not known\n\
         help: declare it before the loops, such as `double {name}{extents};`\n"
    ))
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
