//! From the command line to an affine program: the choice of the front end and its options.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use symloc_affine::{AssumptionKind, Assumptions, Layout, Line, ParamId, Program, is_name, parse_assumptions};
use symloc_einsum::{Element, Kernel};
use symloc_frontend::signature::WITHOUT_COMPILED;
use symloc_frontend::{Branches, Characteristics};
use symloc_llvm::{AsRead, Language, Runnable};
use symloc_mlir::{Characterised, Gather, Network, Options, Reading, Source};
use symloc_query::CliError;
use symloc_reuse::LineSizes;

use crate::code::{CodeArgs, CompilerArgs};
pub(crate) use crate::reading::Input;
use crate::values;

/// A function that is called with the name of each phase before the phase begins.
pub(crate) type Enter<'e> = &'e mut dyn FnMut(&'static str);

/// The options that select and change a program.
#[derive(Clone, Debug, Args)]
pub(crate) struct ProgramArgs {
    /// A program in C, C++, Fortran, LLVM IR or MLIR, a network (.onnx) or an einsum (.einsum); - reads MLIR from
    /// standard input
    #[arg(value_name = "FILE")]
    path: PathBuf,
    /// The function to analyse, where there are several
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    #[command(flatten)]
    options: ProgramOptions,
    #[command(flatten)]
    code: CodeArgs,
}

impl ProgramArgs {
    /// Reads the program.
    pub(crate) fn load(&self, enter: Enter) -> Result<Input, CliError> {
        self.options.read(&self.path, &read(&self.path)?, self.function.as_deref(), &self.code, enter)
    }
}

impl ProgramArgs {
    /// Reads the program with every variable in memory.
    pub(crate) fn load_without_registers(&self, enter: Enter) -> Result<Input, CliError> {
        let code = self.code.without_registers();
        self.options.read(&self.path, &read(&self.path)?, self.function.as_deref(), &code, enter)
    }

    /// Returns the flags of the compiler.
    pub(crate) fn flags(&self) -> Result<Vec<String>, CliError> {
        self.code.flags(&self.path)
    }

    /// Returns Clang's syntax tree of a function of the program.
    pub(crate) fn syntax_tree(&self, function: &str) -> Result<String, CliError> {
        self.code.syntax_tree(&self.path, function)
    }

    /// Returns the path of the program as the user gave it.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the function as a program that can be run, and its language.
    pub(crate) fn runnable(&self, input: &Input) -> Result<(Runnable, Language), CliError> {
        let source = read(&self.path)?;
        let (function, renames) = (self.function.as_deref(), &self.options.source.renames);
        let is_line = |index: usize| input.line.is_some_and(|line| line.index() == index);
        let parameters = input.program.params.iter().enumerate().filter(|(index, _)| !is_line(*index));
        let parameters = parameters.map(|(_, param)| param.name.clone()).collect();
        let merges_reads = input.assumptions.iter().any(|assumption| assumption.kind == AssumptionKind::MergedReads);
        let reading = AsRead { parameters, merges_reads, ..AsRead::default() };
        if let Some(language) = Language::of(&self.path) {
            return Ok((self.code.runnable(&self.path, language, &source, function, renames, &reading)?, language));
        }
        if is_einsum(&self.path) || input.lowered.is_some() {
            return Err(CliError::with_hint(
                format!("{}: --compiled: only for C, C++, Fortran, LLVM IR and MLIR", source.name),
                WITHOUT_COMPILED,
            ));
        }
        Ok((self.mlir_runnable(&source, reading)?, Language::Ir))
    }

    /// Returns the function of a source in MLIR, lowered by MLIR, as a program that can be run.
    fn mlir_runnable(&self, source: &Source, reading: AsRead) -> Result<Runnable, CliError> {
        self.code.refuse_declared(source)?;
        let function = self.function.as_deref();
        if self.options.source.gather.is_some() {
            return Err(CliError::with_hint(
                format!("{}: --compiled does not go with --gather: which rows are read, the data decide", source.name),
                WITHOUT_COMPILED,
            ));
        }
        let options = self.options.source.options(function, self.code.ignored_calls());
        if let Some(ir) = llvm_ir(source, &options)? {
            let circumstances = symloc_llvm::Circumstances::default();
            let renames = &self.options.source.renames;
            return self.code.runnable_ir(source, &ir, circumstances, function, renames, &reading);
        }
        let callable = symloc_mlir::callable(source, &options);
        let callable = callable.map_err(|errors| CliError::Diagnostics(errors.to_string()))?;
        let reading = AsRead { arguments: Some(callable.arguments), whole_vectors: callable.whole_vectors, ..reading };
        CodeArgs::runnable_mlir(source, &callable.ir, &callable.function, &reading)
    }
}

/// The passes, assumptions and names of a program, and its symbolic line size.
#[derive(Clone, Debug, Args)]
pub(crate) struct ProgramOptions {
    #[command(flatten)]
    source: SourceOptions,
    /// A name for the number of elements per line, which becomes a parameter: lines of any size
    #[arg(long, value_name = "NAME", conflicts_with_all = ["line_bytes", "element"])]
    line: Option<String>,
}

/// The passes, assumptions and names of a program.
#[derive(Clone, Debug, Args)]
pub(crate) struct SourceOptions {
    /// An MLIR pass pipeline to run first, such as 'func.func(affine-loop-fusion)'
    #[arg(long, value_name = "PIPELINE")]
    passes: Option<String>,
    /// Which rows a read touches that data choose, such as that of an embedding (MLIR and networks)
    #[arg(long, value_enum, value_name = "WHICH")]
    gather: Option<GatherChoice>,
    /// Conditions on the parameters, such as 'n >= 16, n mod 8 = 0'
    #[arg(long, value_name = "CONDITIONS")]
    assume: Vec<String>,
    /// Rename a parameter
    #[arg(long = "name", value_name = "OLD=NEW", value_parser = rename)]
    renames: Vec<(String, String)>,
}

/// The declaration about rows that data choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GatherChoice {
    /// Each is another one
    Distinct,
    /// All are one
    Same,
}

impl SourceOptions {
    /// Returns all conditions on the parameters.
    fn conditions(&self) -> Option<String> {
        (!self.assume.is_empty()).then(|| self.assume.join(", "))
    }

    /// Reads the basic blocks of the program in a file, whose name chooses the front end.
    pub(crate) fn characterise(
        &self,
        path: &Path,
        source: &Source,
        function: Option<&str>,
        branches: &Branches,
        compiler: &CompilerArgs,
        enter: Enter,
    ) -> Result<Characteristics, CliError> {
        let found = if let Some(language) = Language::of(path) {
            let (ir, circumstances) = compiler.ir(path, language, source)?;
            let options = compiler.options(function, &self.renames, self.conditions().as_deref());
            let options = symloc_llvm::Options { circumstances, ..options };
            symloc_llvm::characterise(source, &ir, &options, branches)
        } else if is_einsum(path) {
            if !compiler.ignored_calls().is_empty() {
                return Err(no_calls(source));
            }
            let text = as_mlir(&kernel(source)?, Element::default());
            symloc_mlir::characterise(&text, &self.options(function, &[]), branches)
        } else {
            let options = self.options(function, compiler.ignored_calls());
            match (network(source, enter)?, llvm_ir(source, &options)?) {
                (Some(network), _) => network.characterise(&options, branches),
                (None, Some(ir)) => {
                    let options = compiler.options(function, &self.renames, self.conditions().as_deref());
                    symloc_llvm::characterise(source, &ir, &options, branches)
                }
                (None, None) => symloc_mlir::characterise(source, &options, branches),
            }
        };
        let Characterised { mut characteristics, notes } =
            found.map_err(|errors| CliError::Diagnostics(errors.to_string()))?;
        // If standard error is closed, the notes are lost.
        let _ = write!(std::io::stderr(), "{notes}");
        if let Some(text) = &self.conditions() {
            let program = &mut characteristics.program;
            program.assume(assumptions(text, program, None)?.constraints);
        }
        Ok(characteristics)
    }

    /// Returns the options of the front end for MLIR.
    fn options(&self, function: Option<&str>, ignored_calls: &[String]) -> Options {
        Options {
            function: function.map(str::to_owned),
            passes: self.passes.clone(),
            renames: self.renames.clone(),
            ignored_calls: ignored_calls.to_vec(),
            gather: self.gather.map(|choice| match choice {
                GatherChoice::Distinct => Gather::Distinct,
                GatherChoice::Same => Gather::Same,
            }),
            branches: Vec::new(),
            assume: self.conditions(),
        }
    }
}

/// Returns the network in a source, lowered; `None` if the source is not a network.
fn network(source: &Source, enter: Enter) -> Result<Option<Network>, CliError> {
    let network = Network::lowered(source, enter).map_err(|errors| CliError::Diagnostics(errors.to_string()))?;
    if network.is_some() {
        enter("reading");
    }
    Ok(network)
}

/// Returns the LLVM IR of a function in MLIR's LLVM dialect; `None` for other dialects. It is here because the two
/// front ends do not use each other.
fn llvm_ir(source: &Source, options: &Options) -> Result<Option<Vec<u8>>, CliError> {
    symloc_mlir::llvm_ir(source, options).map_err(|errors| CliError::Diagnostics(errors.to_string()))
}

/// Returns the error for `--ignore-calls` with an einsum.
fn no_calls(source: &Source) -> CliError {
    CliError::with_hint(format!("{}: --ignore-calls: einsums call no functions", source.name), "leave it out")
}

/// Writes a kernel as a text in MLIR.
fn as_mlir(kernel: &Kernel, element: Element) -> Source {
    Source { name: format!("{} as MLIR", kernel.source), bytes: kernel.to_mlir(element).into_bytes() }
}

/// Reads the conditions of `--assume` on a program.
fn assumptions(text: &str, program: &Program, line: Option<ParamId>) -> Result<Assumptions, CliError> {
    parse_assumptions(text, &program.params, line).map_err(|error| CliError::refused(format!("--assume: {error}")))
}

fn rename(text: &str) -> Result<(String, String), String> {
    let (old, new) = text.split_once('=').ok_or_else(|| format!("`{text}` is not of the form p0=n"))?;
    Ok((old.trim().to_owned(), new.trim().to_owned()))
}

impl ProgramOptions {
    /// Returns true if passes are to be run.
    pub(crate) fn has_passes(&self) -> bool {
        self.source.passes.is_some()
    }

    /// Returns true if there are no passes, declarations, assumptions or new names.
    pub(crate) fn is_empty(&self) -> bool {
        let SourceOptions { passes, gather, assume, renames } = &self.source;
        passes.is_none() && gather.is_none() && assume.is_empty() && renames.is_empty()
    }

    /// Returns the options without the passes.
    pub(crate) fn before_passes(&self) -> Self {
        Self { source: SourceOptions { passes: None, ..self.source.clone() }, line: self.line.clone() }
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
        Self { source, line: self.line.clone() }
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
            return self.assumed(kernel.source.to_string(), kernel.program(element));
        }
        self.parse(&as_mlir(kernel, element), &self.source.options(function, &[]))
    }

    /// Reads a text in MLIR.
    fn parse(&self, source: &Source, options: &Options) -> Result<Input, CliError> {
        let reading = symloc_mlir::read(source, options).map_err(|errors| CliError::Diagnostics(errors.to_string()))?;
        self.noted(source.name.clone(), reading)
    }

    /// Applies the assumptions to a program that was read, and adds the notes of the reading.
    fn noted(&self, name: String, reading: Reading) -> Result<Input, CliError> {
        let said = vec![reading.notes.to_string()];
        let (remarks, assumptions) = (reading.notes.remarks(), reading.notes.assumptions());
        Ok(Input { said, remarks, assumptions, ..self.assumed(name, reading.program)? })
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

/// Returns true for files of the front end for einsums.
pub(crate) fn is_einsum(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "einsum")
}

/// Reads the kernel of a `.einsum` file.
pub(crate) fn kernel(source: &Source) -> Result<Kernel, CliError> {
    let text = std::str::from_utf8(&source.bytes).map_err(|error| {
        CliError::refused(format!("{}: not UTF-8 text, from byte {} on", source.name, error.valid_up_to()))
    })?;
    Kernel::from_file(&source.name, text).map_err(|errors| CliError::Diagnostics(errors.to_string()))
}

/// Reads a file, or standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<Source, CliError> {
    let standard_input = path.as_os_str() == "-";
    let name = if standard_input { "<stdin>".to_owned() } else { path.display().to_string() };
    let bytes = if standard_input {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    let bytes = bytes.map_err(|error| CliError::refused(format!("{name}: cannot read it: {error}")))?;
    Ok(Source { name, bytes })
}

/// How arrays lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayoutChoice {
    /// As in memory: rows follow each other. Rows of symbolic length start a new line each, unless --assume tells the
    /// remainder of their length
    Memory,
    /// Every row starts a new line
    Rows,
    /// The memref's own constant strides
    Linear,
}

/// The layout and the line sizes.
#[derive(Clone, Debug, Args)]
pub(crate) struct LayoutArgs {
    #[command(flatten)]
    pub lines: LineArgs,
    /// How arrays lie in memory [default: memory; rows with --line]
    #[arg(long, value_enum)]
    pub layout: Option<LayoutChoice>,
}

impl LayoutArgs {
    /// Returns the layout. By default rows follow each other as in memory; but with a symbolic line size, on which
    /// their offsets in lines would depend, every row starts a line.
    pub(crate) fn layout(&self, line: Option<ParamId>) -> Layout {
        match self.layout {
            None if line.is_some() => Layout::Rows,
            None | Some(LayoutChoice::Memory) => Layout::Memory,
            Some(LayoutChoice::Rows) => Layout::Rows,
            Some(LayoutChoice::Linear) => Layout::Linear,
        }
    }

    /// Returns the line sizes, each once; or the symbolic one.
    pub(crate) fn lines(&self, line: Option<ParamId>) -> LineSizes {
        self.lines.lines(line)
    }
}

/// The line sizes.
#[derive(Clone, Debug, Args)]
pub(crate) struct LineArgs {
    /// Line sizes in bytes, separated by commas
    #[arg(long, value_name = "BYTES", value_delimiter = ',', default_values_t = [64], conflicts_with = "element",
        value_parser = clap::value_parser!(u64).range(1..))]
    line_bytes: Vec<u64>,
    /// Lines of one element, whatever its size
    #[arg(long)]
    element: bool,
}

impl LineArgs {
    /// Returns lines of `line_bytes` bytes, or of one element.
    pub(crate) fn one(line_bytes: u64, element: bool) -> Self {
        Self { line_bytes: vec![line_bytes], element }
    }

    /// Returns the line sizes, each once; or the symbolic one.
    pub(crate) fn lines(&self, line: Option<ParamId>) -> LineSizes {
        if let Some(parameter) = line {
            return LineSizes::Symbolic(parameter);
        }
        if self.element {
            return LineSizes::Fixed(vec![Line::Element]);
        }
        let mut lines = self.line_bytes.clone();
        lines.sort_unstable();
        lines.dedup();
        LineSizes::Fixed(lines.into_iter().map(Line::Bytes).collect())
    }
}

/// Returns the line sizes at a size of the program.
pub(crate) fn lines_at(lines: &LineSizes, program: &Program, sizes: &[i64]) -> Result<Vec<Line>, CliError> {
    match lines {
        LineSizes::Fixed(lines) => Ok(lines.clone()),
        LineSizes::Symbolic(parameter) => {
            let elements = u64::try_from(sizes[parameter.index()]).ok().filter(|elements| *elements > 0);
            let bytes = elements.and_then(|elements| elements.checked_mul(program.largest_element()));
            let name = &program.params[parameter.index()].name;
            let refused = || CliError::refused(format!("{name} is not a number of elements in a line"));
            bytes.map(|bytes| vec![Line::Bytes(bytes)]).ok_or_else(refused)
        }
    }
}
