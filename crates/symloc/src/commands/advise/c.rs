//! Programs in C and C++.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::Path;

use symloc_advise::c::emit::Emitter;
use symloc_advise::c::run::Runner;
use symloc_advise::results::ResultComparison;
use symloc_advise::run::Measured;
use symloc_advise::{Advice, AdviseError, AdvisedOrder, Nests, RewrittenVariables, SourceFunction, SourceText};
use symloc_affine::{Array, Program};
use symloc_llvm::Language;
use symloc_query::CliError;
use symloc_query::output::tell;

use super::written::{Declarer, OPTIMISED, WrittenProgram};
use crate::input::{Enter, Input, ProgramArgs, read};

/// A function in a file in C or C++.
pub(super) struct CProgram<'a> {
    args: &'a ProgramArgs,
    input: Input,
    text: String,
    source: SourceFunction,
    /// The function with scalars in registers; `None` if it cannot be read so.
    as_read: Option<Program>,
    /// What becomes of the variables that are declared between the loops, once the nests are known.
    rewritten: OnceCell<RewrittenVariables>,
}

impl<'a> CProgram<'a> {
    /// Reads the function; says which of its pragmas are left out.
    pub(super) fn read(args: &'a ProgramArgs, enter: Enter) -> Result<Self, CliError> {
        let input = args.load_all_accesses(enter)?;
        let text = String::from_utf8_lossy(&read(args.path())?.bytes).into_owned();
        let tree_of = |name: &str| {
            let tree = args.syntax_tree(name);
            tree.map_err(|error| AdviseError::Tree { why: error.to_string() })
        };
        let source = SourceText { text: &text, is_cpp: is_cpp(args), tree_of: &tree_of }.function(&input.program.name);
        let source = source.map_err(|error| refused(args, error))?;
        for line in &source.pragmas {
            let place = format!("{}:{line}", args.path().display());
            tell("note", &format!("{place}: this pragma is about the loops as written: new orders are without it"));
        }
        let as_read = args.load_quietly(&mut |_| ()).ok().map(|input| input.program);
        Ok(Self { args, input, text, source, as_read, rewritten: OnceCell::new() })
    }
}

impl WrittenProgram for CProgram<'_> {
    fn input(&self) -> &Input {
        &self.input
    }

    fn as_read(&self) -> Option<&Program> {
        self.as_read.as_ref()
    }

    fn nests(&self, program: &Program) -> Result<Nests, CliError> {
        let registers = self.registers()?;
        let nests = self.source.nests(program, &registers, &self.input.assumptions, &self.text, self.args.path());
        let (nests, rewritten) = nests.map_err(|error| refused(self.args, error))?;
        // Scalars in registers are no accesses.
        let as_read = self.as_read.as_ref().unwrap_or(program);
        let around = self.source.access_around_loops(as_read, &self.text, self.args.path());
        if let Some(place) = around.filter(|_| self.rewritten.get().is_none()) {
            tell(
                "note",
                &format!(
                    "{place}: misses are those of the loops: what stands in front of them or behind them is not counted"
                ),
            );
        }
        self.rewritten.get_or_init(|| rewritten);
        Ok(nests)
    }

    fn registers(&self) -> Result<BTreeSet<String>, CliError> {
        let in_memory = |array: &Array| match &self.as_read {
            Some(program) => program.arrays.iter().any(|other| other.name == array.name),
            None => self.source.globals.contains_key(&array.name),
        };
        let is_local = |array: &&Array| array.shape.is_empty() && !in_memory(array);
        Ok(self.input.program.arrays.iter().filter(is_local).map(|array| array.name.clone()).collect())
    }

    fn text(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.text)
    }

    fn new_source(&self, nests: &Nests, advice: &Advice, order: &AdvisedOrder) -> Result<String, CliError> {
        let rewritten = self.rewritten.get_or_init(RewrittenVariables::default);
        let (text, source, scop) = (&self.text, &self.source, &advice.scop);
        Ok(Emitter { text, source, nests, rewritten, scop }.file(order))
    }

    fn declarer(&self, array: &Array) -> Declarer {
        match self.source.arguments.iter().any(|argument| argument.name == array.name) {
            true => Declarer::Caller,
            false => Declarer::Source,
        }
    }

    fn measure(
        &self,
        sizes: &[i64],
        new_sources: &[String],
        comparison: ResultComparison,
    ) -> Result<Vec<Measured>, CliError> {
        let mut flags = self.args.flags()?;
        if !flags.iter().any(|flag| flag.starts_with("-O")) {
            flags.extend(OPTIMISED.map(str::to_owned));
        }
        let folder = self.args.path().parent().unwrap_or(Path::new("."));
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let (source, program, is_cpp) = (&self.source, &self.input.program, is_cpp(self.args));
        let compiler = if is_cpp { "clang++-22" } else { "clang-22" };
        let runner = Runner { compiler, flags: &flags, folder, is_cpp, source, program, sizes, comparison };
        let sources: Vec<_> = std::iter::once(self.text.clone()).chain(new_sources.iter().cloned()).collect();
        runner.measure(&sources).map_err(|error| refused(self.args, error))
    }
}

fn is_cpp(args: &ProgramArgs) -> bool {
    Language::of(args.path()) == Some(Language::Cpp)
}

/// Returns the error with the name of the file in front of a place in it.
fn refused(args: &ProgramArgs, error: AdviseError) -> CliError {
    match error {
        AdviseError::Source { .. } | AdviseError::NotRead { .. } => {
            CliError::refused(format!("{}:{error}", args.path().display()))
        }
        other => super::refusal::refused(other),
    }
}
