//! Runs of torch-mlir's programs.
//!
//! They are searched in the directory `SYMLOC_TORCH_MLIR`, such as the `bin` of a virtual environment, or else in
//! `PATH`. The importer runs under the Python that the first line of the installed `torch-mlir-import-onnx` names,
//! which has the packages.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use symloc_frontend::{Diagnostic, Kind, Source};

use super::failures;

/// The variable that names the directory of the programs.
const VARIABLE: &str = "SYMLOC_TORCH_MLIR";

/// The command that installs torch-mlir.
const INSTALL: &str = "python3 -m pip install torch-mlir onnx";

/// The importer, which runs under torch-mlir's Python.
const IMPORTER: &str = include_str!("import.py");

/// The directories in which torch-mlir is searched.
pub(super) struct Installation {
    directories: Vec<PathBuf>,
    said: bool,
}

/// A program of torch-mlir.
#[derive(Clone, Copy)]
pub(super) enum Program {
    /// Runs passes.
    Opt,
    /// Imports ONNX; only its first line is used.
    Import,
}

/// A script that rewrites a module, run under torch-mlir's Python.
#[derive(Clone, Copy)]
pub(super) enum Script {
    /// Removes computed sizes from StableHLO in the generic form.
    Shapes,
    /// Rewrites attention in the torch dialect.
    Attention,
}

impl Script {
    fn text(self) -> &'static str {
        match self {
            Script::Shapes => include_str!("shapes.py"),
            Script::Attention => include_str!("attention.py"),
        }
    }
}

/// The result of a run.
pub(super) struct Run {
    pub(super) succeeded: bool,
    pub(super) output: String,
    pub(super) messages: String,
    /// The signal that has ended it, if one has.
    signal: Option<i32>,
}

impl Program {
    fn name(self) -> &'static str {
        match self {
            Program::Opt => "torch-mlir-opt",
            Program::Import => "torch-mlir-import-onnx",
        }
    }
}

impl Installation {
    /// Returns the directories that the environment names.
    pub(super) fn from_environment() -> Self {
        let said = std::env::var_os(VARIABLE).filter(|directory| !directory.is_empty());
        let path = || std::env::var_os("PATH").unwrap_or_default();
        Self {
            said: said.is_some(),
            directories: match said {
                Some(directory) => vec![PathBuf::from(directory)],
                None => std::env::split_paths(&path()).collect(),
            },
        }
    }

    /// Runs a program on a text.
    pub(super) fn run(&self, program: Program, arguments: &[&str], input: &[u8]) -> Result<Run, Diagnostic> {
        let mut command = Command::new(self.find(program)?);
        command.args(arguments);
        unkilled(program, run(command, input))
    }

    /// Imports an ONNX file; the operators `expanded` are replaced by their definitions in ONNX.
    pub(super) fn import(&self, source: &Source, expanded: &[String]) -> Result<String, Diagnostic> {
        self.python(IMPORTER, &source.name, expanded, &source.bytes)
    }

    /// Rewrites a module by a script.
    pub(super) fn rewritten(&self, script: Script, name: &str, module: &str) -> Result<String, Diagnostic> {
        self.python(script.text(), name, &[], module.as_bytes())
    }

    fn python(&self, script: &str, name: &str, words: &[String], input: &[u8]) -> Result<String, Diagnostic> {
        let installed = self.find(Program::Import)?;
        let python = interpreter(&installed).map_err(|error| broken(Program::Import.name(), &error))?;
        let mut command = Command::new(python);
        command.args(["-c", script, name]).args(words);
        let run = unkilled(Program::Import, run(command, input))?;
        match run.succeeded {
            true => Ok(run.output),
            false => Err(failures::of_import(&run.messages).unwrap_or_else(|why| self.missing(&why))),
        }
    }

    fn find(&self, program: Program) -> Result<PathBuf, Diagnostic> {
        let mut paths = self.directories.iter().map(|directory| directory.join(program.name()));
        paths.find(|path| path.is_file()).ok_or_else(|| {
            let place = match self.said {
                true => format!("the directory that {VARIABLE} names"),
                false => "PATH".to_owned(),
            };
            self.missing(&format!("`{}` is not in {place}", program.name()))
        })
    }

    fn missing(&self, why: &str) -> Diagnostic {
        let error = Diagnostic::new(Kind::Request, None, "torch-mlir is missing, which reads networks");
        let hint = match self.said {
            true => format!("correct {VARIABLE}, or install torch-mlir: {INSTALL}"),
            false => {
                format!("install it: {INSTALL} (if it is installed elsewhere: {VARIABLE}=DIR, its programs' directory)")
            }
        };
        error.note(why).hint(hint)
    }
}

/// Returns the result of a run, unless a signal has ended it.
fn unkilled(program: Program, run: io::Result<Run>) -> Result<Run, Diagnostic> {
    let run = run.map_err(|error| broken(program.name(), &error))?;
    match run.signal {
        Some(signal) if !run.messages.contains("error: ") => Err(failures::killed(program.name(), signal)),
        _ => Ok(run),
    }
}

fn broken(program: &str, error: &io::Error) -> Diagnostic {
    Diagnostic::new(Kind::Request, None, format!("`{program}` could not be run: {error}"))
}

/// Returns the Python of an installed script, from the first line, or from the second if the first is that of a shell,
/// as for long paths.
fn interpreter(script: &Path) -> io::Result<OsString> {
    let text = String::from_utf8_lossy(&fs::read(script)?).into_owned();
    let mut lines = text.lines();
    let first = lines.next().and_then(|line| line.strip_prefix("#!")).map(str::trim);
    let python = match first {
        Some("/bin/sh") => {
            lines.next().and_then(|line| line.strip_prefix("'''exec' ")).and_then(|line| line.split('"').nth(1))
        }
        Some(line) => line.split_whitespace().next_back(),
        None => None,
    };
    let unknown = || io::Error::new(io::ErrorKind::InvalidData, "it is not a Python script");
    python.map(OsString::from).ok_or_else(unknown)
}

/// Runs a command to its end, writing its input while it runs.
fn run(mut command: Command, input: &[u8]) -> io::Result<Run> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let stdin = child.stdin.take();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // A program that stops reading reports the reason when it ends.
            stdin.map(|mut stdin| stdin.write_all(input))
        });
        finished(child)
    })
}

fn finished(child: Child) -> io::Result<Run> {
    let output = child.wait_with_output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (succeeded, signal) = (output.status.success(), signal(output.status));
    Ok(Run { succeeded, output: text(&output.stdout), messages: text(&output.stderr), signal })
}

/// Returns the signal that has ended a program, or the program that a Python script has run: the script's exit code is
/// then 256 minus the signal.
fn signal(status: ExitStatus) -> Option<i32> {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return Some(signal);
    }
    status.code().filter(|code| (224..256).contains(code)).map(|code| 256 - code)
}
