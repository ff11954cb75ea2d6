//! Front end: C, C++, Fortran and LLVM IR to [`symloc_affine::Program`].
//!
//! [`read`] raises one function of a module to an affine program. Its rooms are folders, each of which uses only those
//! above it:
//!
//! 1. `ir`: LLVM's IR, natural loops, names and places,
//! 2. `memory`: objects in memory, by the instructions of a function alone,
//! 3. `input`: from source text to a prepared module,
//! 4. `values`: instructions as piecewise affine integers, conditions and addresses,
//! 5. `walk`: blocks in the order of execution, as loops (`walk::loops`), guards and accesses,
//! 6. `program`: arrays and subscripts, and notes on what the model relies on,
//! 7. `compiled`: an executable module of the same function for `verify --compiled` ([`runnable`](runnable())).
//!
//! A reading goes through them in this order: `input::clang` compiles to LLVM IR that is not optimised, `input::select`
//! chooses the function, `input::prepare` inlines callees and puts scalars into registers, `ir::cfg` finds loops and
//! joins, `walk` takes the values of instructions from `values`, `program` lays out the arrays, and
//! `symloc_frontend::finish` chooses and names the parameters. Integers are affine, or products of sizes with affine
//! expressions (`symloc_frontend::poly`).
//!
//! Assumed and not checked: sizes stay in the range of their types, and signed arithmetic does not overflow, as C says.
//! Assumptions on pointers, and on sizes that unsigned arithmetic depends on, are in notes.
//!
//! An instruction is supported, known to touch no memory, or an error: accesses are never skipped silently.

mod compiled;
mod input;
mod ir;
mod memory;
mod program;
mod values;
mod walk;

use std::cell::RefCell;

use inkwell::context::Context;
use symloc_affine::{Location, Program};
use symloc_frontend::assumed::Assumed;
use symloc_frontend::characteristics::Characterised;
use symloc_frontend::openmp::marks;
use symloc_frontend::{Branches, Diagnostic, Kind, Note, ParallelMarks, SourceVariables, finish, on_large_stack};

pub use compiled::entry::Asked;
pub use compiled::runnable::{AsRead, Runnable, runnable};
pub use compiled::surroundings::ALIGNMENT;
pub use input::clang::{Circumstances, CompileError, Compiled, Language, compile, link, syntax_tree};
pub use input::options::{DataBranches, Options};
pub use memory::registers::Registers;
pub use symloc_frontend::{Errors, Reading, Source};

use input::fixed;
use input::module::Prepared;
use input::prepare::{self, Constants, Effort};
use input::request::Request;
use input::rules::{self, Rules};
use input::unsupported;
use ir::cfg::Cfg;
use ir::ffi::{self, DataLayout};
use program::draft::{characterised, draft};
use program::hints::{self, Trial};
use program::notes;
use values::environment::Values;
use values::uses::Uses;
use walk::doubts::Doubts;
use walk::recorder::Recorder;
use walk::walker::Walker;

/// Reads the affine program of one function of a module in LLVM IR.
///
/// `source` is the user's file, for messages; `ir` is text or bitcode.
///
/// # Errors
///
/// All errors in the source and in the options, as far as reading can go on after an error.
pub fn read(source: &Source, ir: &[u8], options: &Options) -> Result<Reading, Errors> {
    let request = Request { source, ir, options };
    let mut places = ThreadPlaces::default();
    let found = on_large_stack(|| read_program(&request)).map(|(program, notes, found)| {
        places = found;
        (program, notes)
    });
    let is_ir = [".ll", ".bc"].iter().any(|end| source.name.ends_with(end));
    let found = match options.registers {
        Registers::Optimized if !is_ir => found.map_err(|errors| errors.into_iter().map(hints::as_written).collect()),
        _ => found,
    };
    let mut reading = Reading::new(request.texts(), found)?;
    let Circumstances { constructs, one_thread, .. } = &options.circumstances;
    let ThreadPlaces { callers, variables } = places;
    let marks = marks(constructs, &reading.program, &callers, variables, &source.name);
    let forbidden = (options.registers == Registers::Optimized).then(shared_before_optimisation);
    reading.marks = ParallelMarks { asked: *one_thread, forbidden, ..marks };
    Ok(reading)
}

/// Returns the error for threads in optimised code.
fn shared_before_optimisation() -> Diagnostic {
    let message = "threads share the loops of the source, not those that an optimiser makes of them";
    Diagnostic::new(Kind::Request, None, message)
        .note("a compiler divides the iterations first, and then optimises the part of a thread")
        .hint("leave out --registers optimized")
}

/// Returns the characteristics of one function of a module in LLVM IR; `branches` has the probabilities of branches on
/// data.
///
/// # Errors
///
/// As for [`read`]; accesses need not be affine.
pub fn characterise(
    source: &Source,
    ir: &[u8],
    options: &Options,
    branches: &Branches,
) -> Result<Characterised, Errors> {
    let request = Request { source, ir, options };
    let found = on_large_stack(|| {
        with_least_effort(&request, |mut walker| {
            walker.recorder = Some(Recorder::new(branches.clone()));
            characterised(walker, options)
        })
    });
    Characterised::new(request.texts(), found)
}

/// The places of a program that loops with threads are found by.
#[derive(Clone, Debug, Default)]
struct ThreadPlaces {
    /// By access, its place in the function itself: for inlined code, that of the call.
    callers: Vec<Option<Location>>,
    /// The variables of the source.
    variables: SourceVariables,
}

/// A program with its notes and places.
type ReadProgram = (Program, Vec<Note>, ThreadPlaces);

/// The bytes of a module from which on reading it again takes too long to try hints.
const LARGE_MODULE: usize = 1 << 20;

fn read_program(request: &Request<'_>) -> Result<ReadProgram, Vec<Diagnostic>> {
    let (found, mut doubts) = walked(request);
    doubts.is_long |= request.ir.len() > LARGE_MODULE;
    found.map_err(|errors| {
        hints::tried(Trial { errors, doubts }, &|shares| {
            let branches = [request.options.branches.as_slice(), shares].concat();
            let options = Options { branches, ..request.options.clone() };
            let (found, doubts) = walked(&Request { options: &options, ..*request });
            Trial { errors: found.err().unwrap_or_default(), doubts }
        })
    })
}

/// Returns the program, with the conditions on data that were met on the way.
fn walked(request: &Request<'_>) -> (Result<ReadProgram, Vec<Diagnostic>>, Doubts) {
    let options = request.options;
    let doubts = RefCell::new(Doubts::default());
    let found = with_least_effort(request, |mut walker| {
        let assigned = std::mem::take(&mut walker.values.assigned);
        let (mut draft, callers) = draft(walker, options, &mut doubts.borrow_mut())?;
        let variables = SourceVariables { arrays: std::mem::take(&mut draft.variables), assigned };
        let places = ThreadPlaces { callers, variables };
        finish(draft, &options.renames).map(|(program, notes)| (program, notes, places))
    });
    (found, doubts.into_inner())
}

/// Runs `work` on a function that is ready to be walked. A function by rustc is simplified further if that fails, which
/// its iterators may need: this keeps all accesses, but not always the names of the source.
fn with_least_effort<T>(
    request: &Request<'_>,
    work: impl Fn(Walker<'_, '_>) -> Result<T, Vec<Diagnostic>>,
) -> Result<T, Vec<Diagnostic>> {
    let attempt = |effort| with_walker(request, effort, &work);
    let errors = match attempt(Effort::Plain) {
        Ok(done) => return Ok(done),
        Err(errors) => errors,
    };
    let is_unsupported = errors.iter().all(|error| error.kind == Kind::Unsupported);
    if !is_unsupported || !request.is_rust() {
        return Err(errors);
    }
    // The attempt with fewer errors counts: code that hides behind iterators may have further errors.
    attempt(Effort::Combined).map_err(|others| if others.len() <= errors.len() { others } else { errors })
}

/// Runs `work` on a function that is ready to be walked.
fn with_walker<T>(
    request: &Request<'_>,
    effort: Effort,
    work: impl FnOnce(Walker<'_, '_>) -> Result<T, Vec<Diagnostic>>,
) -> Result<T, Vec<Diagnostic>> {
    let one = |error| vec![error];
    let options = request.options;
    let context = Context::create();
    let module = request.module(&context).map_err(one)?;
    let Prepared { function, slots, mut descriptors, unrolled, assigned } = request.prepared(&module)?;
    let places = request.places(function);
    let assumed = Assumed::new(options.assume.as_deref(), &options.renames);
    let layout = DataLayout::of(&module);
    let fixed = fixed::replace(function, &ffi::globals(&module), &places, &layout, &slots, &assumed).map_err(one)?;
    let constants = if fixed.is_empty() { Constants::Kept } else { Constants::Folded };
    let tested = rules::tested_lines(function, &places);
    prepare::simplify(function, effort, constants).map_err(one)?;
    let places = request.places(function);
    let cfg = Cfg::new(function).map_err(|why| one(unsupported::unstructured(why, &places)))?;
    let decided = &tested - &rules::tested_lines(function, &places);
    let rules = Rules { decided, ..Rules::new(request, function, &places) };
    rules.check_lines(request, function, &places).map_err(one)?;
    descriptors.name_arrays(function, &places);
    let mut values = Values::new(function, places, DataLayout::of(&module), Uses::new(&cfg));
    values.slots = slots;
    values.unrolled = unrolled;
    values.assigned = assigned;
    values.descriptors = descriptors;
    values.is_fortran = ffi::made_by(&module).any(|name| name.contains("flang"));
    if options.registers == Registers::Optimized {
        values.assume_types();
    }
    values.fix(fixed);
    values.assume(assumed);
    let notes = notes::of_compilation(&values, options);
    work(Walker::new(cfg, values, &rules, notes))
}
