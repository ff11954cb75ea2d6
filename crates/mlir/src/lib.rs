//! Front end: MLIR's affine dialect, and dialects that can be lowered to it, to [`symloc_affine::Program`].
//!
//! [`read`] goes through these stages, each a room of the crate; a room uses only those above it:
//!
//! - `ffi`: the functions of MLIR's C API that melior lacks, and all `unsafe` code,
//! - `upgrade`: text of other MLIR versions, rewritten for the one that is linked,
//! - `networks`: ONNX and the dialects of frameworks, lowered by torch-mlir,
//! - `input`: the source, parsed, after the user's passes; the choice of the function,
//! - `lowering`: tensors and `linalg` to memrefs and loops,
//! - `ops`: properties of single operations: whether they are supported, the work that they do,
//! - `expressions`: affine expressions, products of sizes, and the reasons why a value is neither,
//! - `memory`: the arrays that memrefs refer to, through views and layouts,
//! - `values`: SSA values as affine expressions and memories, and the sizes among them,
//! - `walk`: the operations, in order, to the nodes of a program,
//! - `compiled`: MLIR's own translation to LLVM IR,
//! - `reorder`: the statements of a function, and the function with its loops in a new order,
//! - `annotate`: a module with attributes on the loops and accesses of a function.
//!
//! `symloc_frontend::finish` ends the reading: parameters that are used, names, renamings. A value is piecewise affine
//! (`cases`) where the facts about the loops (`ranges`) do not decide.
//!
//! Two things are assumed and not checked: different memref arguments do not overlap, and integer arithmetic does not
//! wrap, casts included.
//!
//! An operation is supported, known to touch no memory, or an error: accesses are never skipped silently. All errors of
//! an input are reported, not only the first.

mod annotate;
mod compiled;
mod expressions;
mod ffi;
pub mod fuzzing;
mod input;
mod lowering;
mod memory;
mod networks;
mod ops;
mod reorder;
mod upgrade;
mod values;
mod walk;

use input::places::Places;
use input::select::{self, Wanted};
use input::source::{self, Readable};
use input::{fixed, parse, passes, target};
use lowering::encodings;
use num_rational::Ratio;
use symloc_affine::Program;
use symloc_frontend::assumed::Assumed;
use symloc_frontend::outside::{outside, stay_in_rows};
use symloc_frontend::{ArrayVariable, Characteristics, Diagnostic, Note, Text, finish, on_large_stack};
use walk::walker::{SourceChanges, Task};

pub use annotate::{AnnotatedOperation, AttributesOf, NamedAttribute, annotated};
pub use compiled::{Callable, callable, linkable, llvm_ir, timed};
pub use lowering::structured::StructuredOperation;
pub use networks::Network;
pub use reorder::{Latencies, LoopStatements, NewOrder, StatementInstance, StatementWork, loop_statements, reordered};
pub use symloc_frontend::characteristics::Characterised;
pub use symloc_frontend::{Branches, Errors, Kind, Reading, Source};
pub use walk::walker::Gather;

/// The options of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The function to analyse (`--function`); `None`: the only candidate.
    pub function: Option<String>,
    /// An MLIR pass pipeline to run first (`--passes`), such as `func.func(canonicalize)`.
    pub passes: Option<String>,
    /// Parameters to rename, old and new name (`--name OLD=NEW`), simultaneously.
    pub renames: Vec<(String, String)>,
    /// Functions without a body that are assumed to touch no array (`--ignore-calls`); `all` stands for every one.
    pub ignored_calls: Vec<String>,
    /// The declaration of rows that data choose (`--gather`).
    pub gather: Option<Gather>,
    /// The share of iterations in which the conditions on data on a line hold (`--branch`), from 0 to 1.
    pub branches: Vec<(u32, Ratio<i64>)>,
    /// The names of the parameters that loops may go in steps of (`--tile`).
    pub tiles: Vec<String>,
    /// The conditions on the sizes (`--assume`); arguments with one value become constants. The caller adds the
    /// conditions to the program.
    pub assume: Option<String>,
}

/// Reads the affine program of one function.
///
/// # Errors
///
/// All errors in the source and in the options, as far as reading can go on after an error; see [`Kind`].
pub fn read(source: &Source, options: &Options) -> Result<Reading, Errors> {
    reading(vec![text_of(source)], source, options)
}

/// Reads a program from a text in MLIR, with the texts that its places refer to.
fn reading(texts: Vec<Text>, source: &Source, options: &Options) -> Result<Reading, Errors> {
    let mut variables = Vec::new();
    let found = on_large_stack(|| read_program(source, options)).map(|(program, notes, allocated)| {
        variables = allocated;
        (program, notes)
    });
    let mut reading = Reading::new(texts, found)?;
    reading.marks.variables = variables;
    Ok(reading)
}

impl Network {
    /// Reads the affine program of a network, like [`read`].
    ///
    /// # Errors
    ///
    /// As for [`read`]; their places are those of the network.
    pub fn read(&self, options: &Options) -> Result<Reading, Errors> {
        reading(self.texts(), &self.mlir, options)
    }

    /// Reads the basic blocks of a network, like [`characterise`].
    ///
    /// # Errors
    ///
    /// As for [`characterise`]; their places are those of the network.
    pub fn characterise(&self, options: &Options, branches: &Branches) -> Result<Characterised, Errors> {
        Characterised::new(self.texts(), on_large_stack(|| read_blocks(&self.mlir, options, branches)))
    }

    /// Returns the MLIR text that it was lowered to.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.mlir.bytes)
    }

    fn texts(&self) -> Vec<Text> {
        vec![self.original.clone(), text_of(&self.mlir)]
    }
}

/// Returns the sizes of the data caches of the machine that a module is for, in bytes and the first level first, as its attribute
/// `dlti.target_system_spec` has them; empty if it has none.
///
/// # Errors
///
/// As for [`read`].
pub fn target_caches(source: &Source, options: &Options) -> Result<Vec<u64>, Errors> {
    let find = || with_function(source, options, |_, task| Ok(target::caches(task.function)));
    on_large_stack(find).map_err(|errors| Errors::new(vec![text_of(source)], errors))
}

/// Returns the characteristics of one function; `branches` has the probabilities of branches on data.
///
/// # Errors
///
/// As for [`read`]; but subscripts and conditions of `scf.if` may be anything.
pub fn characterise(source: &Source, options: &Options, branches: &Branches) -> Result<Characterised, Errors> {
    Characterised::new(vec![text_of(source)], on_large_stack(|| read_blocks(source, options, branches)))
}

fn text_of(source: &Source) -> Text {
    Text { name: source.name.clone(), text: source::text(source).unwrap_or_default().to_owned() }
}

/// A program with its notes, and the arrays that are allocated in it.
type ReadProgram = (Program, Vec<Note>, Vec<ArrayVariable>);

fn read_program(source: &Source, options: &Options) -> Result<ReadProgram, Vec<Diagnostic>> {
    let mut draft = with_function(source, options, |_, task| walk::walk(task))?;
    let variables = std::mem::take(&mut draft.variables);
    let (mut program, mut notes) = finish(draft, &options.renames)?;
    notes.extend(outside(&program));
    notes.extend(stay_in_rows(&mut program));
    Ok((program, notes, variables))
}

fn read_blocks(
    source: &Source,
    options: &Options,
    branches: &Branches,
) -> Result<(Characteristics, Vec<Note>), Vec<Diagnostic>> {
    let (draft, recorder) = with_function(source, options, |_, task| walk::walk_blocks(task, branches.clone()))?;
    let (program, notes) = finish(draft, &options.renames)?;
    Ok((recorder.finish(program), notes))
}

/// Runs `work` on the function that the options choose, while its module lives.
fn with_function<T>(
    source: &Source,
    options: &Options,
    work: impl FnOnce(&parse::Session, Task) -> Result<T, Vec<Diagnostic>>,
) -> Result<T, Vec<Diagnostic>> {
    let readable = Readable::new(source).map_err(|error| vec![error])?;
    let session = parse::Session::new();
    let wanted = options.function.as_deref().map(Wanted::of);
    let parsed = parse::parse(&session, &readable, wanted.as_ref(), &options.ignored_calls)?;
    let mut module = parsed.module;
    let rewritten = parsed.rewritten.as_ref();
    let wanted = rewritten.map(|rewritten| &rewritten.chosen).or(wanted.as_ref());
    let places = Places::new(&readable, rewritten.map(|rewritten| &rewritten.edited));
    if let Some(pipeline) = &options.passes {
        encodings::refuse_before(&module, pipeline, wanted, &places)?;
        passes::run(&session, &mut module, pipeline, &places)?;
    }
    let module = module.as_operation();
    let function = select::select(module, wanted, &places)?;
    encodings::refuse(function, &places)?;
    let assumed = Assumed::new(options.assume.as_deref(), &options.renames);
    let fixed = fixed::replace(&session.context, function, &places, &assumed).map_err(|error| vec![error])?;
    let changes = SourceChanges {
        is_upgraded: rewritten.is_some(),
        lost: rewritten.map(|rewritten| rewritten.lost.clone()).unwrap_or_default(),
        had_tensors: lowering::has_tensors(function),
        structured: lowering::structured::operations(function, &places),
    };
    let (function, mut notes) = lowering::lower(&session, function, options.passes.as_deref(), &places)?;
    notes.extend(rewritten.into_iter().flat_map(|rewritten| rewritten.notes.clone()));
    notes.extend(passes::lift_jumps(&session, function, &places)?);
    let task = Task {
        function,
        places: &places,
        ignored_calls: &options.ignored_calls,
        gather: options.gather,
        branches: &options.branches,
        tiles: &options.tiles,
        fixed,
        assumed,
        notes,
        changes,
        both_sides: false,
    };
    work(&session, task)
}
