//! Compilation of C, C++ and Fortran to LLVM IR.
//!
//! With `-O1` and passes disabled the compiler does not mark functions `optnone`, and leaves every access of the source
//! in place; with `-O0` every variable has a slot on the stack. Optimised code is made with `-O2`, or the user's own
//! `-O`. The user's flags (`-I`, `-D`, `-std`, …) are passed on; the compiler's messages are printed once, unchanged.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use symloc_affine::Location;
use symloc_frontend::Note;
use symloc_frontend::openmp::{Construct, constructs, fortran_constructs};

use crate::input::fragment::{self, Fragment, Role};
use crate::input::openmp::{self, Threads};
use crate::memory::registers::Registers;

/// The language of a file, by its name.
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
    /// Returns the language of a file; `None` if this front end does not read it.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "c" | "i" => Some(Language::C),
            "cc" | "cpp" | "cxx" | "c++" | "C" | "ii" => Some(Language::Cpp),
            "f" | "for" | "f90" | "f95" | "f03" | "f08" | "F" | "F90" | "F95" => Some(Language::Fortran),
            "ll" | "bc" => Some(Language::Ir),
            _ => None,
        }
    }

    /// Returns the name of the compiler for files of this language.
    pub fn program(self) -> &'static str {
        self.compiler().0
    }

    fn is_c(self) -> bool {
        matches!(self, Language::C | Language::Cpp)
    }

    /// Returns the compiler, and the package to install if it is missing.
    fn compiler(self) -> (&'static str, &'static str) {
        match self {
            Language::C | Language::Ir => ("clang-22", "clang-22"),
            Language::Cpp => ("clang++-22", "clang-22"),
            Language::Fortran => ("flang-22", "flang-22"),
        }
    }
}

/// The functions that compilers substitute for loops that copy or clear memory.
const LIBRARY_COPIES: [&str; 3] = ["memcpy", "memmove", "memset"];

/// An error of compilation.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// The compiler refused the source, with this message.
    #[error("{0}")]
    Refused(String),
    /// The compiler is not installed.
    #[error("`{program}` is missing: it is needed to read this file; install it (in Debian, the package {package})")]
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
        /// The reason.
        error: io::Error,
    },
}

/// Bitcode, with the messages of the compiler.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The module.
    pub bitcode: Vec<u8>,
    /// The compiler's warnings.
    pub messages: String,
    /// The facts about the compilation that the reader of the module needs.
    pub circumstances: Circumstances,
}

/// The facts about a compilation that affect the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Circumstances {
    /// True if `-fopenmp` was left out: parallel loops are run by one thread.
    pub one_thread: bool,
    /// Notes about changes of the source.
    pub notes: Vec<Note>,
    /// OpenMP's constructs in the source.
    pub(crate) constructs: Vec<Construct>,
}

/// Compiles a source file to bitcode with the user's flags, in `directory` if they are relative to one.
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
    let (flags, threads) = openmp::without(flags);
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let (program, _) = language.compiler();
    let broken = |error| CompileError::Broken { program, error };
    let folder = tempfile::tempdir().map_err(broken)?;
    let mut compiler = Compiler { language, flags, directory: directory.cloned(), registers };
    if language.is_c() && (threads == Threads::One || text.contains("omp.h")) {
        openmp::write_header(folder.path()).map_err(broken)?;
        compiler.flags.extend(openmp::flags(folder.path(), threads));
    }
    let fragment = || Fragment::of(&text).filter(|_| language.is_c());
    let mut compiled = match compiler.file(path) {
        Err(CompileError::Refused(messages)) => match fragment().map(|fragment| compiler.fragment(path, &fragment)) {
            // The statements contain functions, so a bracket is missing, or there is one too many.
            Some(Err(CompileError::Refused(said))) if said.contains(FUNCTION_INSIDE) => {
                return Err(CompileError::Refused(messages));
            }
            Some(result) => result?,
            None => return Err(CompileError::Refused(messages)),
        },
        result => result?,
    };
    compiled.circumstances.one_thread = threads == Threads::One;
    if language.is_c()
        && compiled.circumstances.constructs.is_empty()
        && (threads == Threads::One || may_have_pragmas(&text, &compiler.flags))
    {
        compiled.circumstances.constructs = compiler.constructs(path)?;
    }
    if language == Language::Fortran {
        let is_fixed = path.extension().is_some_and(|end| ["f", "for", "F"].iter().any(|fixed| end == *fixed));
        compiled.circumstances.constructs = fortran_constructs(&text, is_fixed);
    }
    Ok(compiled)
}

/// Returns true unless a text and the user's own headers have no pragma of OpenMP.
fn may_have_pragmas(text: &str, flags: &[String]) -> bool {
    let includes = |line: &str| line.trim_start().starts_with('#') && line.contains("include") && line.contains('"');
    let may = |flag: &String| flag.contains("omp") || flag == "-include";
    text.contains("omp") || text.lines().any(includes) || flags.iter().any(may)
}

/// Clang's message about a function in a function.
const FUNCTION_INSIDE: &str = "function definition is not allowed here";

/// A compiler and its flags.
struct Compiler {
    language: Language,
    flags: Vec<String>,
    directory: Option<PathBuf>,
    registers: Registers,
}

impl Compiler {
    /// Returns the command, without the input.
    fn command(&self) -> Command {
        let mut command = Command::new(self.language.compiler().0);
        if self.registers == Registers::Optimized {
            command.arg("-O2");
        }
        command.args(&self.flags);
        match (self.registers, self.language) {
            // A loop that only copies or clears must stay a loop.
            (Registers::Optimized, Language::C | Language::Cpp | Language::Ir) => {
                command.args(LIBRARY_COPIES.map(|name| format!("-fno-builtin-{name}")));
            }
            (Registers::Optimized, Language::Fortran) => {}
            (Registers::None, _) => {
                command.arg("-O0");
            }
            // Array assignments become loops with -O1, before LLVM's passes, which are not run.
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

    /// Returns OpenMP's constructs in a file.
    fn constructs(&self, path: &Path) -> Result<Vec<Construct>, CompileError> {
        let mut command = self.command();
        // A file that is preprocessed already is read once more, as its name alone does not allow.
        let language = if self.language == Language::Cpp { "c++" } else { "c" };
        command.args(PREPROCESSED).args(["-x", language]).arg("--").arg(path);
        let text = self.result(command.output())?;
        Ok(constructs(&String::from_utf8_lossy(&text.bitcode), &path.display().to_string()))
    }

    /// Compiles a text; its `#include`s are relative to the folder of `path`.
    fn text(&self, text: &str, path: &Path, more: &[&str]) -> Result<Compiled, CompileError> {
        let language = if self.language == Language::Cpp { "c++" } else { "c" };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut command = self.command();
        command.args(more).arg("-iquote").arg(folder).args(["-x", language, "-"]);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let output = child.and_then(|mut child| {
            if let Some(mut input) = child.stdin.take() {
                // A compiler that does not read to the end reports the reason.
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

    /// Compiles loops without a function around them: undeclared names become sizes and counters.
    fn fragment(&self, path: &Path, fragment: &Fragment<'_>) -> Result<Compiled, CompileError> {
        let file = path.display().to_string();
        let (mut sizes, mut counters) = (fragment.sizes(), Vec::new());
        // The compiler reports some undeclared names only after others are declared, so this takes several rounds.
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
        let wrapped = fragment.wrapped(&file, &sizes, &counters);
        let mut compiled = self.text(&wrapped, path, &[])?;
        if wrapped.contains("omp") {
            let text = self.text(&wrapped, path, &PREPROCESSED)?;
            compiled.circumstances.constructs = constructs(&String::from_utf8_lossy(&text.bitcode), &file);
        }
        let line = u32::try_from(fragment.first_line()).unwrap_or(1);
        let sizes = match sizes.as_slice() {
            [] => String::new(),
            [only] => format!(", with the argument {only}, which has no value here"),
            several => format!(", with the arguments {}, which have no values here", several.join(", ")),
        };
        let said = format!("these statements are not in a function: they are read as the body of one{sizes}");
        let location = Some(Location::new(file.as_str(), line, 1));
        compiled.circumstances.notes.push(Note::new(location, said));
        Ok(compiled)
    }
}

/// Flags with which the compiler only preprocesses: warnings were printed before.
const PREPROCESSED: [&str; 2] = ["-E", "-w"];

/// Flags with which the compiler reports all undeclared names, without suggestions.
const ALL_ERRORS: [&str; 2] = ["-ferror-limit=0", "-fno-spell-checking"];

/// Returns the error for an array in a fragment that is not declared.
fn undeclared_array(file: &str, name: &str, fragment: &Fragment<'_>) -> CompileError {
    let extents = "[N]".repeat(fragment.rank(name).max(1));
    let (line, column) = fragment.place_of(name);
    CompileError::Refused(format!(
        "{file}:{line}:{column}: error: `{name}` has subscripts but is not declared, so its rows are not known\n\
         help: declare it before the loops, such as `double {name}{extents};`\n"
    ))
}

/// Returns Clang's syntax tree of the functions with a name, as JSON documents that follow each other.
///
/// # Errors
///
/// See [`CompileError`].
pub fn syntax_tree(
    path: &Path,
    flags: &[String],
    directory: Option<&PathBuf>,
    function: &str,
) -> Result<String, CompileError> {
    let (program, package) = Language::C.compiler();
    let (flags, threads) = openmp::without(flags);
    let mut command = Command::new(program);
    command.args(flags);
    let folder = tempfile::tempdir().map_err(|error| CompileError::Broken { program, error })?;
    if threads == Threads::One || std::fs::read_to_string(path).unwrap_or_default().contains("omp.h") {
        openmp::write_header(folder.path()).map_err(|error| CompileError::Broken { program, error })?;
        command.args(openmp::flags(folder.path(), threads));
    }
    command.args(["-w", "-fsyntax-only", "-Xclang", "-ast-dump=json", "-Xclang"]);
    command.arg(format!("-ast-dump-filter={function}")).arg("--").arg(path).stdin(Stdio::null());
    if let Some(directory) = directory {
        command.current_dir(directory);
    }
    let output = command.output().map_err(|error| failed(error, program, package))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(CompileError::Refused(String::from_utf8_lossy(&output.stderr).into_owned())),
    }
}

/// Links a module in bitcode and a program in C around it to an executable, for the language of the module. Local arrays that
/// are never in use at the same time do not share memory there, as models have it.
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
    command.args(["-mllvm", "-no-stack-coloring", "-x", "none", "-lm", "-o"]).arg(executable).stdin(Stdio::null());
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
