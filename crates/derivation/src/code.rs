//! Programs in C, C++, Fortran and LLVM IR: their options, and the call of the compiler.

use std::path::{Path, PathBuf};

use num_rational::Ratio;
use symloc_llvm::{Circumstances, CompileError, Compiled, DataBranches, Language, Options, Reading, Registers, Source};

use crate::database::recorded;
use crate::error::DerivationError;
use crate::tiles::{self, TileSize};

/// The options of the compilation of a program, and the part of it that is analysed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompilerOptions {
    /// The lines of the source that are analysed; `None` for all.
    pub lines: Option<(u32, u32)>,
    /// Functions without a body that touch none of the arrays.
    pub ignored_calls: Vec<String>,
    /// The values that are in registers.
    pub registers: Registers,
    /// The directory of a `compile_commands.json` with the flags of the file.
    pub build_path: Option<PathBuf>,
    /// Flags for the compiler.
    pub flags: Vec<String>,
}

/// The options of programs in C, C++, Fortran and LLVM IR.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodeOptions {
    /// The options of the compilation.
    pub compiler: CompilerOptions,
    /// The parameters that are tile sizes: loops may go in steps of them.
    pub tiles: Vec<TileSize>,
    /// Leave out nests that cannot be read.
    pub skip_refused: bool,
    /// The share of iterations in which the condition on data on a line holds.
    pub branches: Vec<(u32, Ratio<i64>)>,
    /// Of other conditions on data, take both sides to run.
    pub both_sides: bool,
    /// Pointers do not overlap: say nothing of it.
    pub assume_noalias: bool,
}

impl CodeOptions {
    /// Returns the option of the command line for one that only these languages have, if one is given.
    pub fn first_given(&self) -> Option<&'static str> {
        let given = [
            (self.compiler.lines.is_some(), "--loops"),
            (self.compiler.registers != Registers::default(), "--registers"),
            (self.skip_refused, "--skip-refused"),
            (self.both_sides, "--both-sides"),
            (self.assume_noalias, "--assume-noalias"),
            (self.compiler.build_path.is_some(), "-p"),
            (!self.compiler.flags.is_empty(), "flags for the compiler"),
        ];
        given.into_iter().find(|(given, _)| *given).map(|(_, name)| name)
    }

    /// Reads one function in the LLVM IR that was made of a source.
    ///
    /// # Errors
    ///
    /// If the function cannot be read.
    pub fn read_ir(
        &self,
        source: &Source,
        ir: &[u8],
        circumstances: Circumstances,
        function: Option<&str>,
        renames: &[(String, String)],
        assume: Option<&str>,
    ) -> Result<Reading, DerivationError> {
        let options = Options {
            tiles: tiles::names(&self.tiles),
            skip_refused: self.skip_refused,
            branches: self.branches.clone(),
            data_branches: if self.both_sides { DataBranches::BothSides } else { DataBranches::Refused },
            assume_noalias: self.assume_noalias,
            circumstances,
            ..self.compiler.options(function, renames, assume)
        };
        Ok(symloc_llvm::read(source, ir, &options)?)
    }
}

impl CompilerOptions {
    /// Returns the options of the front end.
    pub fn options(&self, function: Option<&str>, renames: &[(String, String)], assume: Option<&str>) -> Options {
        Options {
            function: function.map(str::to_owned),
            renames: renames.to_vec(),
            lines: self.lines,
            ignored_calls: self.ignored_calls.clone(),
            assume: assume.map(str::to_owned),
            registers: self.registers,
            ..Options::default()
        }
    }

    /// Compiles a source file to LLVM IR; LLVM IR is taken as it is.
    ///
    /// # Errors
    ///
    /// If the compiler is missing or refuses the file.
    pub fn ir(&self, path: &Path, language: Language, source: &Source) -> Result<Compiled, DerivationError> {
        if language == Language::Ir {
            let (bitcode, circumstances) = (source.bytes.clone(), Circumstances::default());
            return Ok(Compiled { bitcode, messages: String::new(), circumstances });
        }
        let (flags, directory, file) = self.invocation(path)?;
        let compiled = symloc_llvm::compile(&file, language, &flags, directory.as_ref(), self.registers);
        compiled.map_err(|error| refused(path, error))
    }

    /// Returns Clang's syntax tree of a function.
    ///
    /// # Errors
    ///
    /// If the compiler is missing or refuses the file.
    pub fn syntax_tree(&self, path: &Path, function: &str) -> Result<String, DerivationError> {
        let (flags, directory, file) = self.invocation(path)?;
        let tree = symloc_llvm::syntax_tree(&file, &flags, directory.as_ref(), function);
        tree.map_err(|error| refused(path, error))
    }

    /// Returns the flags of the compiler for a file, the directory that they are relative to, and the file.
    ///
    /// # Errors
    ///
    /// If the compilation database cannot be read, or does not have the file.
    pub fn invocation(&self, path: &Path) -> Result<(Vec<String>, Option<PathBuf>, PathBuf), DerivationError> {
        let recorded = self.build_path.as_ref().map(|directory| recorded(directory, path)).transpose()?;
        let (mut flags, directory, file) = match recorded {
            Some(recorded) => (recorded.flags, Some(recorded.directory), recorded.file),
            None => (Vec::new(), None, path.to_owned()),
        };
        flags.extend(self.flags.iter().cloned());
        Ok((flags, directory, file))
    }
}

/// Returns the error of a compilation.
fn refused(path: &Path, error: CompileError) -> DerivationError {
    match error {
        CompileError::Refused(messages) => DerivationError::Compiler(messages),
        error => DerivationError::refused(format!("{}: {error}", path.display())),
    }
}
