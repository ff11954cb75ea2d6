//! Programs in C, C++, Fortran and LLVM IR: their options on the command line.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use num_bigint::BigInt;
use num_rational::Ratio;
use symloc_derivation::code::{CodeOptions, CompilerOptions};
use symloc_derivation::program::Module;
use symloc_derivation::tiles::TileSize;
use symloc_frontend::signature::WITHOUT_COMPILED;
use symloc_llvm::{AsRead, Circumstances, Language, Options, Registers, Runnable, Source};
use symloc_query::CliError;

use super::branch::BranchProbability;
use crate::refusal::told;

/// The heading of these options in the help.
const HEADING: &str = "C, C++, Fortran and LLVM IR";

/// The options of the compilation of a program in C, C++, Fortran or LLVM IR, and the part of it that is analysed.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct CompilerArgs {
    /// Analyse only what stands on these lines of the source
    #[arg(help_heading = HEADING, long, value_name = "LINE-LINE", value_parser = lines)]
    loops: Option<(u32, u32)>,
    /// Functions without a body that touch none of the arrays, separated by commas; all for every one (MLIR as well)
    #[arg(help_heading = HEADING, long, value_name = "NAMES", value_delimiter = ',')]
    ignore_calls: Vec<String>,
    /// Which values are in registers, so that using them is no access
    #[arg(help_heading = HEADING, long, value_enum, default_value_t)]
    registers: RegistersArg,
    /// Take the compiler's flags from the `compile_commands.json` in this directory
    #[arg(help_heading = HEADING, short = 'p', long = "build-path", value_name = "DIR")]
    build_path: Option<PathBuf>,
    /// Flags for the compiler, such as -I, -D and -std
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    flags: Vec<String>,
}

/// The values that are in registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum RegistersArg {
    /// Scalars; arrays are read and written as the source says
    #[default]
    Source,
    /// None: every variable is in memory, as at -O0
    None,
    /// What the compiler keeps there, at -O2 or the given -O
    Optimized,
}

impl From<RegistersArg> for Registers {
    fn from(registers: RegistersArg) -> Self {
        match registers {
            RegistersArg::Source => Registers::Source,
            RegistersArg::None => Registers::None,
            RegistersArg::Optimized => Registers::Optimized,
        }
    }
}

/// The options of programs in C, C++, Fortran and LLVM IR.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct CodeArgs {
    #[command(flatten)]
    compiler: CompilerArgs,
    /// A parameter that is the size of tiles, so that loops may go in steps of it; or one that is a multiple of another:
    /// 'T1 = 4*T2' (MLIR as well)
    #[arg(help_heading = HEADING, long = "tile", value_name = "NAME")]
    tiles: Vec<TileSize>,
    /// Leave out nests that cannot be read, and say which
    #[arg(help_heading = HEADING, long)]
    skip_refused: bool,
    /// In which share of the iterations the condition on data on a line holds: never (0), always (1), every other time
    /// (0.5) (MLIR as well)
    #[arg(help_heading = HEADING, long = "branch", value_name = "LINE=SHARE", value_parser = branch)]
    branches: Vec<(u32, Ratio<i64>)>,
    /// Of other conditions on data, take both sides to run, one after the other: every access that may happen is counted
    #[arg(help_heading = HEADING, long)]
    both_sides: bool,
    /// Pointers do not overlap: say nothing of it
    #[arg(help_heading = HEADING, long)]
    assume_noalias: bool,
}

fn lines(text: &str) -> Result<(u32, u32), String> {
    let wrong = || format!("`{text}` is not of the form 12-30");
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<u32>().map_err(|_| wrong());
    let (first, last) = (number(first)?, number(last)?);
    if first == 0 || first > last {
        Err(format!("`{text}`: lines count from 1, the first before the last"))
    } else {
        Ok((first, last))
    }
}

/// The largest denominator of a share: the denominator is a modulus of the derivation.
const FINEST_SHARE: i64 = 100;

fn branch(text: &str) -> Result<(u32, Ratio<i64>), String> {
    let BranchProbability { line, probability } = text.parse()?;
    let part = |number: &BigInt| i64::try_from(number).ok().filter(|number| *number <= FINEST_SHARE);
    match (part(probability.numer()), part(probability.denom())) {
        (Some(times), Some(all)) => Ok((line, Ratio::new(times, all))),
        _ => Err(format!("`{text}`: shares are fractions with denominators of at most {FINEST_SHARE}")),
    }
}

impl CodeArgs {
    /// Returns the options of the derivation.
    pub(crate) fn options(&self) -> CodeOptions {
        CodeOptions {
            compiler: self.compiler.options(),
            tiles: self.tiles.clone(),
            skip_refused: self.skip_refused,
            branches: self.branches.clone(),
            both_sides: self.both_sides,
            assume_noalias: self.assume_noalias,
        }
    }

    /// Returns these options such that a program has every access that may happen: variables are in memory, and both
    /// sides of conditions on data run.
    ///
    /// # Errors
    ///
    /// If an option leaves accesses out.
    pub(crate) fn with_all_accesses(&self) -> Result<Self, CliError> {
        let given = [
            (self.compiler.loops.is_some(), "--loops"),
            (self.skip_refused, "--skip-refused"),
            (!self.branches.is_empty(), "--branch"),
            (!self.compiler.ignore_calls.is_empty(), "--ignore-calls"),
        ];
        if let Some((_, option)) = given.into_iter().find(|(given, _)| *given) {
            return Err(CliError::with_hint(
                format!("{option} leaves accesses out, so what may be reordered would not be known"),
                "leave it out",
            ));
        }
        let mut options = self.clone();
        options.compiler.registers = RegistersArg::None;
        options.both_sides = true;
        Ok(options)
    }

    /// Returns the flags of the compiler for a file.
    pub(crate) fn flags(&self, path: &Path) -> Result<Vec<String>, CliError> {
        Ok(self.compiler.options().invocation(path).map_err(told)?.0)
    }

    /// Returns Clang's syntax tree of a function.
    pub(crate) fn syntax_tree(&self, path: &Path, function: &str) -> Result<String, CliError> {
        self.compiler.options().syntax_tree(path, function).map_err(told)
    }

    /// Returns the functions that `--ignore-calls` names.
    pub(crate) fn ignored_calls(&self) -> &[String] {
        &self.compiler.ignore_calls
    }

    /// Compiles a source file.
    pub(crate) fn ir(&self, path: &Path, language: Language, source: &Source) -> Result<Module, CliError> {
        self.compiler.ir(path, language, source)
    }
}

impl CodeArgs {
    /// Compiles one function of a source file to a program that can be run.
    pub(crate) fn runnable(
        &self,
        path: &Path,
        language: Language,
        source: &Source,
        function: Option<&str>,
        renames: &[(String, String)],
        reading: &AsRead,
    ) -> Result<Runnable, CliError> {
        self.refuse_declared(source)?;
        let (ir, circumstances) = self.compiler.ir(path, language, source)?;
        self.runnable_ir(source, &ir, circumstances, function, renames, reading)
    }

    /// Reads one function in LLVM IR as a program that can be run.
    pub(crate) fn runnable_ir(
        &self,
        source: &Source,
        ir: &[u8],
        circumstances: Circumstances,
        function: Option<&str>,
        renames: &[(String, String)],
        reading: &AsRead,
    ) -> Result<Runnable, CliError> {
        let options = self.compiler.options().options(function, renames, None);
        let options = Options { circumstances, ..options };
        symloc_llvm::runnable(source, ir, &options, reading).map_err(|errors| CliError::Diagnostics(errors.to_string()))
    }

    /// Reads one function that MLIR has lowered as a program that can be run. Its accesses to memory are those of the
    /// source.
    pub(crate) fn runnable_mlir(
        source: &Source,
        ir: &[u8],
        function: &str,
        reading: &AsRead,
    ) -> Result<Runnable, CliError> {
        let options = Options { function: Some(function.to_owned()), registers: Registers::None, ..Options::default() };
        symloc_llvm::runnable(source, ir, &options, reading).map_err(|errors| CliError::Diagnostics(errors.to_string()))
    }

    /// Refuses options that declare properties of the program, which the compiled function does not have.
    pub(crate) fn refuse_declared(&self, source: &Source) -> Result<(), CliError> {
        let declared = [
            (!self.branches.is_empty(), "--branch", "which way a branch on data goes, the data decide"),
            (self.skip_refused, "--skip-refused", "the compiled function does what is left out, too"),
            (self.both_sides, "--both-sides", "the compiled function runs one of them"),
        ];
        if let Some((_, option, why)) = declared.into_iter().find(|(given, ..)| *given) {
            return Err(CliError::with_hint(
                format!("{}: --compiled does not go with {option}: {why}", source.name),
                WITHOUT_COMPILED,
            ));
        }
        Ok(())
    }
}

impl CompilerArgs {
    /// Returns the options of the derivation.
    pub(crate) fn options(&self) -> CompilerOptions {
        CompilerOptions {
            lines: self.loops,
            ignored_calls: self.ignore_calls.clone(),
            registers: self.registers.into(),
            build_path: self.build_path.clone(),
            flags: self.flags.clone(),
        }
    }

    /// Compiles a source file to LLVM IR, and prints the messages of the compiler.
    pub(crate) fn ir(&self, path: &Path, language: Language, source: &Source) -> Result<Module, CliError> {
        let compiled = self.options().ir(path, language, source).map_err(told)?;
        // If standard error is closed, the messages are lost.
        let _ = write!(std::io::stderr(), "{}", compiled.messages);
        Ok((compiled.bitcode, compiled.circumstances))
    }
}
