//! From a source and the options to an affine program.

use std::path::Path;

use symloc_affine::lines::loops;
use symloc_affine::{Assumptions, ParamId, Program, is_name, parse_assumptions};
use symloc_einsum::{Element, Kernel};
use symloc_frontend::{Notes, ParallelMarks, Text};
use symloc_llvm::Circumstances;
use symloc_mlir::{Gather, Options, Reading, Source};

use crate::code::CodeOptions;
use crate::error::DerivationError;
use crate::parallel::{self, ParallelChoice};
use crate::reading::Input;
use crate::texts::{Enter, as_mlir, is_einsum, kernel, llvm_ir, network, no_calls};
use crate::tiles;
use crate::values;

/// The function, passes, assumptions and names of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrontEndOptions {
    /// The function to analyse; `None` for the only candidate.
    pub function: Option<String>,
    /// An MLIR pass pipeline to run first.
    pub passes: Option<String>,
    /// The rows that a read touches that data choose.
    pub gather: Option<Gather>,
    /// Conditions on the parameters.
    pub assume: Vec<String>,
    /// Parameters to rename, old and new name.
    pub renames: Vec<(String, String)>,
}

/// Everything that selects and changes a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The options of all front ends.
    pub source: FrontEndOptions,
    /// A name for the number of elements per line, which becomes a parameter.
    pub line: Option<String>,
    /// The loops whose iterations threads share.
    pub parallel: Vec<ParallelChoice>,
    /// True if all loops are sequential, whatever the source and its flags say.
    pub one_thread: bool,
    /// The options of programs in C, C++, Fortran and LLVM IR.
    pub code: CodeOptions,
}

impl FrontEndOptions {
    /// Returns all conditions on the parameters.
    pub fn conditions(&self) -> Option<String> {
        (!self.assume.is_empty()).then(|| self.assume.join(", "))
    }

    /// Returns the options of the front end for MLIR.
    pub fn mlir(&self, ignored_calls: &[String]) -> Options {
        Options {
            function: self.function.clone(),
            passes: self.passes.clone(),
            renames: self.renames.clone(),
            ignored_calls: ignored_calls.to_vec(),
            gather: self.gather,
            branches: Vec::new(),
            tiles: Vec::new(),
            assume: self.conditions(),
        }
    }
}

/// A program in LLVM IR, by the compiler or as it was given, and the facts about its compilation.
pub type Module = (Vec<u8>, Circumstances);

impl ReadOptions {
    /// Reads the program in a source. The name of its file chooses the front end; what a compiler reads has been
    /// compiled. With sets of values, the program is read for each combination.
    ///
    /// # Errors
    ///
    /// If the program cannot be read exactly, or the options do not fit it.
    pub fn read(
        &self,
        path: &Path,
        source: &Source,
        compiled: Option<&Module>,
        enter: Enter,
    ) -> Result<Input, DerivationError> {
        let mut read_one = |options: &Self| match compiled {
            Some((ir, circumstances)) => options.raise(source, ir, circumstances.clone()),
            None => options.lower_or_raise(path, source, enter),
        };
        let conditions = self.source.conditions().unwrap_or_default();
        let mut read = Vec::new();
        for case in values::cases(&conditions)? {
            let input = read_one(&self.with_conditions(&case.conditions))?;
            read.push((case, input));
        }
        match values::join(&conditions, read)? {
            Some(joined) => Ok(joined),
            None => read_one(self),
        }
    }

    fn with_conditions(&self, conditions: &str) -> Self {
        let source = FrontEndOptions { assume: vec![conditions.to_owned()], ..self.source.clone() };
        Self { source, ..self.clone() }
    }

    /// Checks that the options fit a program that a compiler reads.
    ///
    /// # Errors
    ///
    /// If an option is only for MLIR.
    pub fn check_compiled(&self, source: &Source) -> Result<(), DerivationError> {
        let given = [(self.source.passes.is_some(), "--passes"), (self.source.gather.is_some(), "--gather")];
        match given.iter().find(|(given, _)| *given) {
            None => Ok(()),
            Some((_, option)) => Err(DerivationError::with_hint(
                format!("{}: {option}: only for MLIR", source.name),
                "leave it out, or give the program in MLIR",
            )),
        }
    }

    /// Reads a program in MLIR, which may be in the LLVM dialect, a network or an einsum.
    fn lower_or_raise(&self, path: &Path, source: &Source, enter: Enter) -> Result<Input, DerivationError> {
        let ignored_calls = &self.code.compiler.ignored_calls;
        let (branches, tiles) = (self.code.branches.clone(), tiles::names(&self.code.tiles));
        let mlir = Options { branches, tiles, ..self.source.mlir(ignored_calls) };
        if !is_einsum(path)
            && let Some(ir) = llvm_ir(source, &mlir)?
        {
            return self.raise(source, &ir, Circumstances::default());
        }
        if let Some(option) = self.code.first_given() {
            return Err(DerivationError::with_hint(
                format!("{}: {option}: only for C, C++, Fortran and LLVM IR", source.name),
                "leave it out, or give a file whose name ends in .c, .cpp, .f90, .ll or .bc",
            ));
        }
        let input = match is_einsum(path) {
            true if !ignored_calls.is_empty() => Err(no_calls(source)),
            true if !self.code.tiles.is_empty() => {
                let message = format!("{}: --tile: einsums have no tiles", source.name);
                Err(DerivationError::with_hint(message, "leave it out"))
            }
            true if !self.code.branches.is_empty() => {
                let message = format!("{}: --branch: einsums have no branches", source.name);
                Err(DerivationError::with_hint(message, "leave it out"))
            }
            true => self.lower(&kernel(source)?, Element::default()),
            false => match network(source, enter)? {
                Some(network) => {
                    let input = self.noted(source.name.clone(), network.read(&mlir)?);
                    input.map(|input| Input { lowered: Some(network.text().into_owned()), ..input })
                }
                None => self.parse(source, &mlir),
            },
        }?;
        Ok(input.read_from(source))
    }

    /// Reads one function of LLVM IR.
    fn raise(&self, source: &Source, ir: &[u8], circumstances: Circumstances) -> Result<Input, DerivationError> {
        let FrontEndOptions { function, renames, .. } = &self.source;
        let conditions = self.source.conditions();
        let (function, conditions) = (function.as_deref(), conditions.as_deref());
        let reading = self.code.read_ir(source, ir, circumstances, function, renames, conditions)?;
        Ok(self.noted(source.name.clone(), reading)?.read_from(source))
    }

    /// Reads the program of a kernel. If passes, new names or a function are given, the kernel is written as MLIR and
    /// read by MLIR's front end.
    ///
    /// # Errors
    ///
    /// If the options do not fit it.
    pub fn lower(&self, kernel: &Kernel, element: Element) -> Result<Input, DerivationError> {
        let FrontEndOptions { function, passes, renames, .. } = &self.source;
        if passes.is_none() && renames.is_empty() && function.is_none() {
            let mut input = self.assumed(kernel.source.to_string(), kernel.program(element))?;
            let text = Text { name: input.name.clone(), text: String::new() };
            let (marks, mut notes) = (ParallelMarks::default(), Notes::new(vec![text], Vec::new()));
            parallel::share(&self.parallel, &mut input.program, &input.name, &marks, &mut notes)?;
            return Ok(input);
        }
        self.parse(&as_mlir(kernel, element), &self.source.mlir(&[]))
    }

    /// Returns the input that a front end for MLIR has read from a source for one program.
    ///
    /// # Errors
    ///
    /// If the options do not fit it, or give several programs.
    pub fn input(&self, source: &Source, reading: Reading) -> Result<Input, DerivationError> {
        let conditions = self.source.conditions().unwrap_or_default();
        if !values::cases(&conditions)?.is_empty() {
            return Err(DerivationError::with_hint(
                format!("{}: --assume gives several values: advise looks at one program", source.name),
                "give one value",
            ));
        }
        Ok(self.noted(source.name.clone(), reading)?.read_from(source))
    }

    /// Reads a text in MLIR.
    fn parse(&self, source: &Source, options: &Options) -> Result<Input, DerivationError> {
        self.noted(source.name.clone(), symloc_mlir::read(source, options)?)
    }

    /// Applies the assumptions to a program that was read, and adds the notes of the reading.
    fn noted(&self, name: String, reading: Reading) -> Result<Input, DerivationError> {
        let Reading { program, mut notes, marks } = reading;
        let program = tiles::settled(program, &self.code.tiles)?;
        let mut input = self.assumed(name, program)?;
        if !self.one_thread {
            parallel::share(&self.parallel, &mut input.program, &input.name, &marks, &mut notes)?;
        }
        let said = vec![notes.to_string()];
        Ok(Input { said, remarks: notes.remarks(), assumptions: notes.assumptions(), ..input })
    }

    fn assumed(&self, name: String, mut program: Program) -> Result<Input, DerivationError> {
        let line = self.line.as_ref().map(|line| add_line(&mut program, line)).transpose()?;
        if let Some(text) = &self.source.conditions() {
            let assumed = assumptions(text, &program, line)?;
            program.assume(assumed.constraints);
            program.multiples = assumed.multiples;
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

/// Reads the conditions of `--assume` on a program.
///
/// # Errors
///
/// If they do not fit it.
pub fn assumptions(text: &str, program: &Program, line: Option<ParamId>) -> Result<Assumptions, DerivationError> {
    let mut divisors = Vec::from_iter(line);
    loops(&program.body, &mut |l| divisors.extend(l.step.size()));
    let assumed = parse_assumptions(text, &program.params, &divisors);
    assumed.map_err(|error| DerivationError::refused(format!("--assume: {error}")))
}

/// Returns a name for the line size that the program does not use.
fn free_name(program: &Program) -> String {
    let names = std::iter::successors(Some("line".to_owned()), |name| Some(format!("{name}_")));
    names.into_iter().find(|name| !program.has_name(name)).unwrap_or_default()
}

/// Makes the line size a parameter of a program.
fn add_line(program: &mut Program, name: &str) -> Result<ParamId, DerivationError> {
    let taken = program.has_name(name);
    match is_name(name) && !taken {
        true => Ok(program.add_param(name)),
        false if taken => Err(DerivationError::with_hint(
            format!("--line: the program uses the name `{name}` itself"),
            format!("choose any other name, such as `--line {}`", free_name(program)),
        )),
        false => Err(DerivationError::refused(format!("--line: `{name}` is no name for a parameter"))),
    }
}
