//! The derivation of a model.

use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use symloc_affine::{Layout, Line};
use symloc_derivation::DerivationError;
use symloc_derivation::model::{DerivationEvent, ModelOptions, model};
use symloc_derivation::program::{Module, ReadOptions};
use symloc_derivation::reading::Input;
use symloc_derivation::texts::einsum_errors;
use symloc_einsum::{Element, Kernel};
use symloc_llvm::Language as Compiled;
use symloc_reuse::{LineSizes, Workers};

use crate::error::SymlocError;
use crate::locality::Locality;
use crate::source::{Language, Source};

/// The line size by default, in bytes.
const LINE_BYTES: u64 = 64;

/// A request for the model of one function. The options have the names and the defaults of `symloc derive`.
///
/// ```
/// use symloc::{CacheSize, Language, ModelRequest, Source};
///
/// let source = Source::from_text(Language::EinsumExpression, "sum", "i->");
/// let sum = ModelRequest::new().line_bytes(128).exact(true).derive(&source)?;
/// let answer = sum.query(&[("i", 1000)], CacheSize::Bytes(1024))?;
/// // 1000 elements of 8 bytes are 62.5 lines; the sum is one more.
/// assert_eq!(answer.misses().to_string(), "64");
/// # Ok::<(), symloc::SymlocError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ModelRequest {
    read: ReadOptions,
    parallel: Vec<String>,
    layout: Option<Layout>,
    lines: Vec<Line>,
    exact: bool,
    max_operations: Option<u64>,
    workers: Option<NonZeroUsize>,
}

impl ModelRequest {
    /// Returns the request for the only function of a source, for all sizes, with lines of 64 bytes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Chooses the function, where there are several.
    #[must_use]
    pub fn function(mut self, name: impl Into<String>) -> Self {
        self.read.source.function = Some(name.into());
        self
    }

    /// Adds conditions on the sizes, such as `n >= 16, n mod 8 = 0`.
    #[must_use]
    pub fn assume(mut self, conditions: impl Into<String>) -> Self {
        self.read.source.assume.push(conditions.into());
        self
    }

    /// Renames a parameter.
    #[must_use]
    pub fn rename(mut self, old: impl Into<String>, new: impl Into<String>) -> Self {
        self.read.source.renames.push((old.into(), new.into()));
        self
    }

    /// Runs a pass pipeline on MLIR first, such as `func.func(affine-loop-fusion)`.
    #[must_use]
    pub fn passes(mut self, pipeline: impl Into<String>) -> Self {
        self.read.source.passes = Some(pipeline.into());
        self
    }

    /// Takes functions without a body for such as touch no array.
    #[must_use]
    pub fn ignore_calls(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.read.code.compiler.ignored_calls.extend(names.into_iter().map(Into::into));
        self
    }

    /// Takes pointers of C not to overlap, without a note.
    #[must_use]
    pub fn assume_noalias(mut self, is_assumed: bool) -> Self {
        self.read.code.assume_noalias = is_assumed;
        self
    }

    /// Adds flags for the compiler of C, C++ and Fortran.
    #[must_use]
    pub fn flags(mut self, flags: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.read.code.compiler.flags.extend(flags.into_iter().map(Into::into));
        self
    }

    /// Lets threads share the iterations of a loop: by the name of its iterator, by its line, or `marked` for all that
    /// the source marks; `i:4` deals chunks of 4 iterations in turn.
    #[must_use]
    pub fn parallel(mut self, which: impl Into<String>) -> Self {
        self.parallel.push(which.into());
        self
    }

    /// Adds a line size in bytes, in place of 64.
    #[must_use]
    pub fn line_bytes(mut self, bytes: u64) -> Self {
        self.lines.push(Line::Bytes(bytes));
        self
    }

    /// Takes lines of one element, whatever its size.
    #[must_use]
    pub fn element(mut self) -> Self {
        self.lines = vec![Line::Element];
        self
    }

    /// Makes the number of elements per line a parameter of this name: lines of any size.
    #[must_use]
    pub fn line(mut self, name: impl Into<String>) -> Self {
        self.read.line = Some(name.into());
        self
    }

    /// Chooses how arrays lie in memory.
    #[must_use]
    pub fn layout(mut self, layout: Layout) -> Self {
        self.layout = Some(layout);
        self
    }

    /// Derives reuse distances too, for exact misses of LRU caches.
    #[must_use]
    pub fn exact(mut self, is_exact: bool) -> Self {
        self.exact = is_exact;
        self
    }

    /// Limits the elementary steps of isl for one part of an access, 20 million by default; a million is of the order of a second.
    /// A model that reaches it holds no formulas for misses ([`Locality::is_sampled`]); with threads or a symbolic line
    /// size there is an error.
    #[must_use]
    pub fn max_operations(mut self, count: u64) -> Self {
        self.max_operations = Some(count);
        self
    }

    /// Derives in so many processes at once, which are **forked** from this one: only for a process whose other threads
    /// hold no locks. By default there are none, and the derivation runs on the calling thread.
    #[must_use]
    pub fn workers(mut self, count: NonZeroUsize) -> Self {
        self.workers = Some(count);
        self
    }

    /// Reads a program and derives its model, and checks it as the command does.
    ///
    /// # Errors
    ///
    /// [`SymlocError::Source`] and [`SymlocError::Compiler`] if the program cannot be read exactly,
    /// [`SymlocError::Request`] if the options do not fit it, [`SymlocError::Limit`] if a limit was reached and the
    /// model cannot do without, [`SymlocError::Internal`] if a check fails.
    ///
    /// ```
    /// use symloc::{Language, ModelRequest, Source};
    ///
    /// let text = "func.func @f(%A: memref<?xf64>, %i: index) {\n  %x = memref.load %A[%B] : memref<?xf64>\n}\n";
    /// let source = Source::from_text(Language::Mlir, "f.mlir", text);
    /// let error = ModelRequest::new().derive(&source).unwrap_err();
    /// let place = error.place().unwrap();
    /// assert_eq!((place.file.as_str(), place.line), ("f.mlir", 2));
    /// ```
    pub fn derive(&self, source: &Source) -> Result<Locality, SymlocError> {
        let mut notes = Vec::new();
        let input = self.input(source, &mut notes)?;
        notes.extend(input.said.iter().filter(|note| !note.is_empty()).cloned());
        let options = ModelOptions {
            layout: self.layout,
            lines: self.line_sizes(&input)?,
            exact: self.exact,
            write_backs: false,
            max_operations: self.max_operations,
            workers: Workers::unlimited(self.workers.map_or(1, NonZeroUsize::get)),
        };
        let heard = RefCell::new(notes);
        let hear = |event: DerivationEvent<'_>| match event {
            DerivationEvent::Note(note) | DerivationEvent::Sampled { note, .. } => {
                heard.borrow_mut().push(format!("note: {note}\n"));
            }
            _ => (),
        };
        let model = model(&input, &options, &hear)?;
        Ok(Locality::new(model, heard.into_inner()))
    }

    /// Returns the function, passes, assumptions and names.
    #[cfg(feature = "advise")]
    pub(crate) fn front_end(&self) -> &symloc_derivation::program::FrontEndOptions {
        &self.read.source
    }

    /// Returns the line sizes, each once; or the symbolic one.
    fn line_sizes(&self, input: &Input) -> Result<LineSizes, SymlocError> {
        let mut bytes = Vec::new();
        for line in &self.lines {
            match line {
                Line::Bytes(0) => return Err(SymlocError::request("a line of 0 bytes", "give other line_bytes")),
                Line::Bytes(size) => bytes.push(*size),
                Line::Element => return Ok(LineSizes::Fixed(vec![Line::Element])),
            }
        }
        if let Some(parameter) = input.line {
            return Ok(LineSizes::Symbolic(parameter));
        }
        if bytes.is_empty() {
            bytes.push(LINE_BYTES);
        }
        bytes.sort_unstable();
        bytes.dedup();
        Ok(LineSizes::Fixed(bytes.into_iter().map(Line::Bytes).collect()))
    }

    /// Reads the program.
    fn input(&self, source: &Source, notes: &mut Vec<String>) -> Result<Input, SymlocError> {
        let mut read = self.read.clone();
        for choice in &self.parallel {
            let wrong = |message| SymlocError::request(format!("parallel: {message}"), "name a loop, or its line");
            read.parallel.push(choice.parse().map_err(wrong)?);
        }
        if source.language == Language::EinsumExpression {
            return Ok(read.lower(&expression(source)?, Element::default())?);
        }
        let path = Path::new(source.language.file_name());
        let compiled = Compiled::of(path).map(|language| compiled(&read, language, source, notes)).transpose()?;
        Ok(read.read(path, &source.text, compiled.as_ref(), &mut |_| ())?)
    }
}

/// Reads one einsum.
pub(crate) fn expression(source: &Source) -> Result<Kernel, SymlocError> {
    let text = std::str::from_utf8(&source.text.bytes);
    let text = text.map_err(|_| SymlocError::request("an einsum that is not UTF-8", "give a text"))?;
    Ok(Kernel::from_expression(&source.text.name, text).map_err(|errors| einsum_errors(&source.text.name, errors))?)
}

/// Compiles a program to LLVM IR.
fn compiled(
    read: &ReadOptions,
    language: Compiled,
    source: &Source,
    notes: &mut Vec<String>,
) -> Result<Module, SymlocError> {
    read.check_compiled(&source.text)?;
    let options = &read.code.compiler;
    let compiled = match (&source.file, source.language) {
        (Some(file), _) => options.ir(file, language, &source.text)?,
        (None, Language::LlvmIr) => options.ir(Path::new(&source.text.name), language, &source.text)?,
        (None, _) => {
            let written = WrittenSource::new(source)?;
            let mut options = options.clone();
            // Debug information gives places in the text the name of the text.
            options.flags.push(format!("-ffile-prefix-map={}={}", written.file.display(), source.text.name));
            let compiled = options.ir(&written.file, language, &source.text);
            compiled.map_err(|error| written.renamed(error, &source.text.name))?
        }
    };
    notes.extend((!compiled.messages.is_empty()).then_some(compiled.messages));
    Ok((compiled.bitcode, compiled.circumstances))
}

/// A text in a temporary file, which is removed when this is dropped.
struct WrittenSource {
    _folder: tempfile::TempDir,
    file: PathBuf,
}

impl WrittenSource {
    fn new(source: &Source) -> Result<Self, SymlocError> {
        let written = || {
            let folder = tempfile::tempdir()?;
            let file = folder.path().join(source.language.file_name());
            std::fs::write(&file, &source.text.bytes)?;
            Ok(Self { _folder: folder, file })
        };
        written().map_err(|error| SymlocError::File { file: source.text.name.clone(), error })
    }

    /// Returns an error of the compiler with the name of the text in place of the file's.
    fn renamed(&self, error: DerivationError, name: &str) -> DerivationError {
        match error {
            DerivationError::Compiler(messages) => {
                DerivationError::Compiler(messages.replace(&*self.file.to_string_lossy(), name))
            }
            other => other,
        }
    }
}
