//! From a file and the options to an affine program.

use std::path::Path;

use clap::Args;
use symloc_affine::{ParamId, Program, is_name};
use symloc_einsum::{Element, Kernel};
use symloc_frontend::{Notes, ParallelMarks, Text};
use symloc_llvm::Language;
use symloc_mlir::{Options, Reading, Source};
use symloc_query::CliError;

use super::code::CodeArgs;
use super::files::{as_mlir, is_einsum, kernel, llvm_ir, network, no_calls};
use super::options::{SourceOptions, assumptions};
use super::parallel::{self, ParallelChoice};
use super::reading::Input;
use super::{Enter, values};

/// The passes, assumptions and names of a program, and its symbolic line size.
#[derive(Clone, Debug, Args)]
pub(crate) struct ProgramOptions {
    #[command(flatten)]
    pub(super) source: SourceOptions,
    /// A name for the number of elements per line, which becomes a parameter: lines of any size
    #[arg(long, value_name = "NAME", conflicts_with_all = ["line_bytes", "element"])]
    line: Option<String>,
    /// Loops whose iterations threads share: by the name of the iterator, by the line of the loop, or all that are
    /// `marked` in the source; i:4 deals chunks of 4 iterations to the threads in turn
    #[arg(long, value_name = "LOOP")]
    parallel: Vec<ParallelChoice>,
    /// True if all loops are sequential, whatever the source and its flags say.
    #[arg(skip)]
    one_thread: bool,
}

impl ProgramOptions {
    /// Returns true if passes are to be run.
    pub(crate) fn has_passes(&self) -> bool {
        self.source.passes.is_some()
    }

    /// Returns true if there are no passes, declarations, assumptions, new names or parallel loops.
    pub(crate) fn is_empty(&self) -> bool {
        let SourceOptions { passes, gather, assume, renames } = &self.source;
        let is_sequential = self.parallel.is_empty();
        passes.is_none() && gather.is_none() && assume.is_empty() && renames.is_empty() && is_sequential
    }

    /// Returns the options without the passes.
    pub(crate) fn before_passes(&self) -> Self {
        Self { source: SourceOptions { passes: None, ..self.source.clone() }, ..self.clone() }
    }

    /// Returns the options for a reading in which all loops are sequential.
    ///
    /// # Errors
    ///
    /// If loops are to be parallel.
    pub(crate) fn of_one_thread(&self) -> Result<Self, CliError> {
        match self.parallel.is_empty() {
            true => Ok(Self { one_thread: true, ..self.clone() }),
            false => Err(CliError::with_hint("--parallel: advise looks for orders of one thread", "leave it out")),
        }
    }

    /// Reads the program in a file, whose name chooses the front end. With sets of values, the file is compiled once
    /// and read for each combination.
    pub(crate) fn read(
        &self,
        path: &Path,
        source: &Source,
        function: Option<&str>,
        code: &CodeArgs,
        enter: Enter,
    ) -> Result<Input, CliError> {
        let compiled = Language::of(path).map(|language| self.compile(path, language, source, code)).transpose()?;
        let mut read_one = |options: &Self| match &compiled {
            Some((ir, circumstances)) => options.raise(source, ir, circumstances.clone(), function, code),
            None => options.lower_or_raise(path, source, function, code, enter),
        };
        let conditions = self.source.conditions().unwrap_or_default();
        let mut read = Vec::new();
        for case in values::cases(&conditions)? {
            let input = read_one(&self.with_conditions(&case.conditions))?;
            read.push((case, input));
        }
        let input = match values::join(&conditions, read)? {
            Some(joined) => joined,
            None => read_one(self)?,
        };
        input.say();
        Ok(input)
    }

    fn with_conditions(&self, conditions: &str) -> Self {
        let source = SourceOptions { assume: vec![conditions.to_owned()], ..self.source.clone() };
        Self { source, ..self.clone() }
    }

    /// Reads a program in MLIR, which may be in the LLVM dialect, a network or an einsum.
    fn lower_or_raise(
        &self,
        path: &Path,
        source: &Source,
        function: Option<&str>,
        code: &CodeArgs,
        enter: Enter,
    ) -> Result<Input, CliError> {
        let mlir = self.source.options(function, code.ignored_calls());
        let mlir = Options { branches: code.branches().to_vec(), ..mlir };
        if !is_einsum(path)
            && let Some(ir) = llvm_ir(source, &mlir)?
        {
            return self.raise(source, &ir, symloc_llvm::Circumstances::default(), function, code);
        }
        if let Some(option) = code.first_given() {
            return Err(CliError::with_hint(
                format!("{}: {option}: only for C, C++, Fortran and LLVM IR", source.name),
                "leave it out, or give a file whose name ends in .c, .cpp, .f90, .ll or .bc",
            ));
        }
        let input = match is_einsum(path) {
            true if !code.ignored_calls().is_empty() => Err(no_calls(source)),
            true if !code.branches().is_empty() => {
                let message = format!("{}: --branch: einsums have no branches", source.name);
                Err(CliError::with_hint(message, "leave it out"))
            }
            true => self.lower(&kernel(source)?, Element::default(), function),
            false => match network(source, enter)? {
                Some(network) => {
                    let reading = network.read(&mlir);
                    let reading = reading.map_err(|errors| CliError::Diagnostics(errors.to_string()))?;
                    let input = self.noted(source.name.clone(), reading);
                    input.map(|input| Input { lowered: Some(network.text().into_owned()), ..input })
                }
                None => self.parse(source, &mlir),
            },
        }?;
        Ok(input.read_from(source))
    }

    /// Compiles a file in C, C++, Fortran or LLVM IR.
    fn compile(
        &self,
        path: &Path,
        language: Language,
        source: &Source,
        code: &CodeArgs,
    ) -> Result<(Vec<u8>, symloc_llvm::Circumstances), CliError> {
        let given = [(self.source.passes.is_some(), "--passes"), (self.source.gather.is_some(), "--gather")];
        if let Some((_, option)) = given.iter().find(|(given, _)| *given) {
            return Err(CliError::with_hint(
                format!("{}: {option}: only for MLIR", source.name),
                "leave it out, or give the program in MLIR",
            ));
        }
        code.ir(path, language, source)
    }

    /// Reads one function of LLVM IR.
    fn raise(
        &self,
        source: &Source,
        ir: &[u8],
        circumstances: symloc_llvm::Circumstances,
        function: Option<&str>,
        code: &CodeArgs,
    ) -> Result<Input, CliError> {
        let (conditions, renames) = (self.source.conditions(), &self.source.renames);
        let reading = code.read_ir(source, ir, circumstances, function, renames, conditions.as_deref())?;
        Ok(self.noted(source.name.clone(), reading)?.read_from(source))
    }

    /// Reads the program of a kernel. If passes, new names or a function are given, the kernel is written as MLIR and
    /// read by MLIR's front end.
    pub(crate) fn lower(&self, kernel: &Kernel, element: Element, function: Option<&str>) -> Result<Input, CliError> {
        if self.source.passes.is_none() && self.source.renames.is_empty() && function.is_none() {
            let mut input = self.assumed(kernel.source.to_string(), kernel.program(element))?;
            let text = Text { name: input.name.clone(), text: String::new() };
            let (marks, mut notes) = (ParallelMarks::default(), Notes::new(vec![text], Vec::new()));
            parallel::share(&self.parallel, &mut input.program, &input.name, &marks, &mut notes)?;
            return Ok(input);
        }
        self.parse(&as_mlir(kernel, element), &self.source.options(function, &[]))
    }

    /// Returns the input that a front end for MLIR has read from a source, and prints its notes.
    pub(crate) fn input(&self, source: &Source, reading: Reading) -> Result<Input, CliError> {
        let conditions = self.source.conditions().unwrap_or_default();
        if !values::cases(&conditions)?.is_empty() {
            return Err(CliError::with_hint(
                format!("{}: --assume gives several values: advise looks at one program", source.name),
                "give one value",
            ));
        }
        let input = self.noted(source.name.clone(), reading)?.read_from(source);
        input.say();
        Ok(input)
    }

    /// Reads a text in MLIR.
    fn parse(&self, source: &Source, options: &Options) -> Result<Input, CliError> {
        let reading = symloc_mlir::read(source, options).map_err(|errors| CliError::Diagnostics(errors.to_string()))?;
        self.noted(source.name.clone(), reading)
    }

    /// Applies the assumptions to a program that was read, and adds the notes of the reading.
    fn noted(&self, name: String, reading: Reading) -> Result<Input, CliError> {
        let Reading { program, mut notes, marks } = reading;
        let mut input = self.assumed(name, program)?;
        if !self.one_thread {
            parallel::share(&self.parallel, &mut input.program, &input.name, &marks, &mut notes)?;
        }
        let said = vec![notes.to_string()];
        Ok(Input { said, remarks: notes.remarks(), assumptions: notes.assumptions(), ..input })
    }

    fn assumed(&self, name: String, mut program: Program) -> Result<Input, CliError> {
        let line = self.line.as_ref().map(|line| add_line(&mut program, line)).transpose()?;
        if let Some(text) = &self.source.conditions() {
            let assumed = assumptions(text, &program, line)?;
            program.assume(assumed.constraints);
            program.multiples = line.iter().flat_map(|b| assumed.multiples.iter().map(|n| (*n, *b))).collect();
        }
        Ok(Input {
            name,
            checksum: None,
            program,
            said: Vec::new(),
            remarks: Vec::new(),
            assumptions: Vec::new(),
            line,
            lowered: None,
        })
    }
}

/// Returns a name for the line size that the program does not use.
fn free_name(program: &Program) -> String {
    let names = std::iter::successors(Some("line".to_owned()), |name| Some(format!("{name}_")));
    names.into_iter().find(|name| !program.has_name(name)).unwrap_or_default()
}

/// Makes the line size a parameter of a program.
fn add_line(program: &mut Program, name: &str) -> Result<ParamId, CliError> {
    let taken = program.has_name(name);
    match is_name(name) && !taken {
        true => Ok(program.add_param(name)),
        false if taken => Err(CliError::with_hint(
            format!("--line: the program uses the name `{name}` itself"),
            format!("choose any other name, such as `--line {}`", free_name(program)),
        )),
        false => Err(CliError::refused(format!("--line: `{name}` is no name for a parameter"))),
    }
}
