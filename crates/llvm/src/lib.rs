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

use std::collections::BTreeSet;

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use num_rational::Ratio;
use symloc_affine::{Constraint, If, Location, Loop, Node, Program};
use symloc_frontend::assumed::Assumed;
use symloc_frontend::characteristics::Characterised;
use symloc_frontend::{Branches, Characteristics};
use symloc_frontend::{Diagnostic, Draft, Kind, Note, Text, finish, on_large_stack};

pub use compiled::entry::Asked;
pub use compiled::runnable::{AsRead, Runnable, runnable};
pub use compiled::surroundings::ALIGNMENT;
pub use input::clang::{Circumstances, CompileError, Compiled, Language, compile, link};
pub use memory::registers::Registers;
pub use symloc_frontend::{Errors, Reading, Source};

use input::prepare::{self, Effort};
use input::region::{Region, parallel_pragmas};
use input::{fixed, select};
use ir::cfg::{Cfg, Unstructured};
use ir::ffi::{self, DataLayout, Value};
use ir::places::Places;
use memory::descriptors::Descriptors;
use memory::registers::{self, Slot};
use program::delinearize;
use program::notes;
use values::environment::Values;
use values::uses::Uses;
use walk::recorder::Recorder;
use walk::walker::{Rules, Walker};

/// The options of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The function to analyse (`--function`); `None`: the only candidate.
    pub function: Option<String>,
    /// Parameters to rename, old and new name (`--name OLD=NEW`), simultaneously.
    pub renames: Vec<(String, String)>,
    /// First and last line of the region to analyse (`--loops`); `None`: `#pragma scop`, or the whole function.
    pub lines: Option<(u32, u32)>,
    /// Functions without a body that are assumed to touch no array (`--ignore-calls`); `all` stands for every one.
    pub ignored_calls: Vec<String>,
    /// Leave out nests that cannot be read (`--skip-refused`).
    pub skip_refused: bool,
    /// The conditions on the sizes (`--assume`), for proofs; the caller adds them to the program.
    pub assume: Option<String>,
    /// The share of iterations in which the conditions on data on a line hold (`--branch`), from 0 to 1.
    pub branches: Vec<(u32, Ratio<i64>)>,
    /// The values that are in registers.
    pub registers: Registers,
    /// True if pointers are known not to overlap (`--assume-noalias`): then no note says so.
    pub assume_noalias: bool,
    /// How the module was made.
    pub circumstances: Circumstances,
}

/// Reads the affine program of one function of a module in LLVM IR.
///
/// `source` is the user's file, for messages; `ir` is text or bitcode.
///
/// # Errors
///
/// All errors in the source and in the options, as far as reading can go on after an error.
pub fn read(source: &Source, ir: &[u8], options: &Options) -> Result<Reading, Errors> {
    Reading::new(vec![text_of(source)], on_large_stack(|| read_program(source, ir, options)))
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
    let found = on_large_stack(|| {
        with_least_effort(source, ir, options, |mut walker| {
            walker.recorder = Some(Recorder::new(branches.clone()));
            characterised(walker, options)
        })
    });
    Characterised::new(vec![text_of(source)], found)
}

/// Returns the text that locations refer to; empty for bitcode.
fn text_of(source: &Source) -> Text {
    let text = std::str::from_utf8(&source.bytes).unwrap_or_default().to_owned();
    Text { name: source.name.clone(), text }
}

fn read_program(source: &Source, ir: &[u8], options: &Options) -> Result<(Program, Vec<Note>), Vec<Diagnostic>> {
    with_least_effort(source, ir, options, |walker| finish(draft(walker, options)?, &options.renames))
}

/// Runs `work` on a function that is ready to be walked. A function by rustc is simplified further if that fails, which
/// its iterators may need: this keeps all accesses, but not always the names of the source.
fn with_least_effort<T>(
    source: &Source,
    ir: &[u8],
    options: &Options,
    work: impl Fn(Walker<'_, '_>) -> Result<T, Vec<Diagnostic>>,
) -> Result<T, Vec<Diagnostic>> {
    let attempt = |effort| with_walker(source, ir, options, effort, &work);
    let errors = match attempt(Effort::Plain) {
        Ok(done) => return Ok(done),
        Err(errors) => errors,
    };
    let is_unsupported = errors.iter().all(|error| error.kind == Kind::Unsupported);
    if !is_unsupported || !is_rust(source, ir) {
        return Err(errors);
    }
    // The attempt with fewer errors counts: code that hides behind iterators may have further errors.
    attempt(Effort::Combined).map_err(|others| if others.len() <= errors.len() { others } else { errors })
}

/// Returns true if rustc has made the module.
fn is_rust(source: &Source, ir: &[u8]) -> bool {
    let context = Context::create();
    parse(&context, source, ir).is_ok_and(|module| ffi::made_by(&module).any(|name| name.starts_with("rustc")))
}

/// Runs `work` on a function that is ready to be walked.
fn with_walker<T>(
    source: &Source,
    ir: &[u8],
    options: &Options,
    effort: Effort,
    work: impl FnOnce(Walker<'_, '_>) -> Result<T, Vec<Diagnostic>>,
) -> Result<T, Vec<Diagnostic>> {
    let context = Context::create();
    let module = parse(&context, source, ir).map_err(|error| vec![error])?;
    let text = std::str::from_utf8(&source.bytes).unwrap_or_default();
    let Prepared { function, slots, mut descriptors } =
        prepared(&module, source, text, options).map_err(|error| vec![error])?;
    let places = Places::new(function, &source.name, text);
    let special = special_accesses(function, &places);
    if !special.is_empty() {
        return Err(special);
    }
    let assumed = Assumed::new(options.assume.as_deref(), &options.renames);
    let layout = DataLayout::of(&module);
    let fixed = fixed::replace(function, &ffi::globals(&module), &places, &layout, &slots, &assumed)
        .map_err(|error| vec![error])?;
    prepare::simplify(function, effort, !fixed.is_empty()).map_err(|error| vec![error])?;
    let places = Places::new(function, &source.name, text);
    let cfg = Cfg::new(function).map_err(|(why, block)| vec![unstructured(why, block, &places)])?;
    let rules = rules(source, text, function, &places, options);
    if let Some(error) = outside(function, &rules, &places, options) {
        return Err(vec![error]);
    }
    descriptors.name_arrays(function, &places);
    let mut values = Values::new(function, places, DataLayout::of(&module), Uses::new(&cfg));
    values.slots = slots;
    values.descriptors = descriptors;
    values.is_fortran = ffi::made_by(&module).any(|name| name.contains("flang"));
    if options.registers == Registers::Optimized {
        values.assume_types();
    }
    values.fix(fixed);
    values.assume(assumed);
    let notes = notes::of_compilation(&values, options);
    let mut walker = Walker::new(cfg, values, &rules);
    walker.notes = notes;
    work(walker)
}

fn parse<'c>(context: &'c Context, source: &Source, ir: &[u8]) -> Result<Module<'c>, Diagnostic> {
    let buffer = MemoryBuffer::create_from_memory_range_copy(ir, &source.name);
    context.create_module_from_ir(buffer).map_err(|message| {
        let message = message.to_string();
        let message = message.trim().strip_prefix(&format!("{}:", source.name)).unwrap_or(&message).trim().to_owned();
        let error = Diagnostic::new(Kind::Syntax, None, format!("LLVM 22 cannot read this: {message}"));
        error.hint("make the file with LLVM 22 or an earlier version, or give the source")
    })
}

/// A function with its variables in registers.
struct Prepared<'m> {
    function: Value<'m>,
    /// The variables that stay in slots on the stack.
    slots: Vec<Slot>,
    descriptors: Descriptors<'m>,
}

/// Chooses the function that the options name, or the one with `#pragma scop`, or the only one.
fn chosen<'m>(module: &'m Module<'_>, source: &Source, text: &str, options: &Options) -> Result<Value<'m>, Diagnostic> {
    let is_marked = |function| marked(source, text, function, &Places::new(function, &source.name, text)).is_some();
    select::select(&ffi::functions(module), options.function.as_deref(), is_marked, text)
}

/// Chooses a function, inlines its callees and puts its variables into registers.
fn prepared<'m>(
    module: &'m Module<'_>,
    source: &Source,
    text: &str,
    options: &Options,
) -> Result<Prepared<'m>, Diagnostic> {
    let function = chosen(module, source, text, options)?;
    prepare::inline(module, function)?;
    let places = Places::new(function, &source.name, text);
    let slots = registers::mark(module, function, &places, options.registers, &options.ignored_calls);
    let mut descriptors = Descriptors::of(function, &places);
    match options.registers {
        Registers::None => prepare::promote_scalars(function)?,
        Registers::Source | Registers::Optimized => prepare::promote(function)?,
    }
    descriptors.measure(function, &DataLayout::of(module));
    Ok(Prepared { function, slots, descriptors })
}

fn special_accesses(function: Value<'_>, places: &Places<'_>) -> Vec<Diagnostic> {
    let refused = |access: Value<'_>| {
        let (kind, why) = match access.is_atomic() {
            true => ("atomic", "other threads may change the memory in between"),
            false => ("volatile", "each of them may have a side effect"),
        };
        let message = format!("{kind} accesses are not supported");
        let error = Diagnostic::new(Kind::Unsupported, places.of(access), message);
        error.note(why).hint(format!("analyse a version without `{}`", if kind == "atomic" { "_Atomic" } else { kind }))
    };
    prepare::special_accesses(function).into_iter().map(refused).collect()
}

fn unstructured(why: Unstructured, block: Option<ffi::Block<'_>>, places: &Places<'_>) -> Diagnostic {
    let at = block.and_then(|block| block.instructions().into_iter().find_map(|i| places.of(i)));
    let (message, why, hint) = match why {
        Unstructured::NeverReturns => {
            ("the function never returns", "no path leads to its end", "give the loops an end")
        }
        Unstructured::JumpIntoLoop(_) => (
            "a jump into the middle of a loop is not supported",
            "its number of iterations depends on where it is entered",
            "enter the loop at its top",
        ),
    };
    let error = Diagnostic::new(Kind::Unsupported, Some(at.unwrap_or_else(|| places.start())), message);
    error.note(why).hint(hint)
}

fn rules(source: &Source, text: &str, function: Value<'_>, places: &Places<'_>, options: &Options) -> Rules {
    let instructions = function.instructions();
    let own = instructions.filter_map(|i| places.of(i)).filter(|place| *place.file == *source.name);
    let lines: BTreeSet<u32> = own.map(|place| place.line).collect();
    let region = match options.lines {
        Some(lines) => Some(Region { file: source.name.clone(), lines: vec![lines] }),
        None => marked(source, text, function, places),
    };
    let parallel = parallel_pragmas(text).into_iter().filter(|(_, about)| lines.contains(about));
    let parallel = parallel.map(|(line, _)| Location::new(source.name.as_str(), line, 1)).collect();
    let branches = options.branches.iter().copied().collect();
    let (skip_refused, registers) = (options.skip_refused, options.registers);
    Rules { region, branches, ignored_calls: options.ignored_calls.clone(), skip_refused, registers, parallel }
}

/// Returns the region of `#pragma scop` in a function.
fn marked(source: &Source, text: &str, function: Value<'_>, places: &Places<'_>) -> Option<Region> {
    Region::of_pragmas(&source.name, text, extent(source, function, places)?)
}

/// Returns the first and the last line of a function in the source.
fn extent(source: &Source, function: Value<'_>, places: &Places<'_>) -> Option<(u32, u32)> {
    let start = places.start();
    let lines = function.instructions();
    let lines = lines.filter_map(|i| places.in_function(i)).filter(|place| *place.file == *source.name);
    let last = lines.map(|place| place.line).max().filter(|_| *start.file == *source.name)?;
    Some((start.line, last.saturating_add(1)))
}

/// Returns an error if the function has no code on the lines of `--loops`.
fn outside(function: Value<'_>, rules: &Rules, places: &Places<'_>, options: &Options) -> Option<Diagnostic> {
    let (region, (first, last)) = (rules.region.as_ref()?, options.lines?);
    let instructions = function.instructions();
    let lines: Vec<u32> =
        instructions.filter_map(|i| places.in_function(i)).filter(|p| *p.file == region.file).map(|p| p.line).collect();
    if lines.iter().any(|line| (first..=last).contains(line)) {
        return None;
    }
    let name = select::source_name(function);
    let error = Diagnostic::new(Kind::Request, None, format!("`{name}` has no code on the lines {first}-{last}"));
    let range = lines.iter().min().zip(lines.iter().max());
    Some(match range {
        Some((first, last)) => error.hint(format!("its code is on the lines {first}-{last}")),
        None => error.hint("compile with -g, so that instructions have lines"),
    })
}

/// Walks the function and lays out its arrays.
fn draft(mut walker: Walker<'_, '_>, options: &Options) -> Result<Draft, Vec<Diagnostic>> {
    let function = walker.values.function();
    let body = walker.function();
    walker.errors.extend(untold(&walker));
    let shaped = delinearize::shape(&walker.accesses, &mut walker.values);
    for misfit in &shaped.misfits {
        let message = "the position of this access in the array is not affine";
        walker.refuse(misfit.at, message, &misfit.reason);
    }
    if !walker.errors.is_empty() {
        return Err(walker.errors);
    }
    let mut notes = std::mem::take(&mut walker.notes);
    notes.extend(notes::of_program(&shaped, &walker, options));
    let values = walker.values;
    Ok(Draft {
        function: select::source_name(function),
        candidates: values.candidates().to_vec(),
        arrays: shaped.arrays,
        iters: walker.iters,
        accesses: shaped.accesses,
        body,
        notes,
        context: conditions(&values),
        relied: values.ranges.relied(),
    })
}

/// Walks the function and returns its characteristics.
fn characterised(
    mut walker: Walker<'_, '_>,
    options: &Options,
) -> Result<(Characteristics, Vec<Note>), Vec<Diagnostic>> {
    let body = walker.function();
    if !walker.errors.is_empty() {
        return Err(walker.errors);
    }
    let mut notes = std::mem::take(&mut walker.notes);
    notes.extend(notes::required(&walker.values));
    let values = &walker.values;
    let draft = Draft {
        function: select::source_name(values.function()),
        candidates: values.candidates().to_vec(),
        arrays: Vec::new(),
        iters: walker.iters,
        accesses: Vec::new(),
        body: without_operations(body),
        notes,
        context: conditions(values),
        relied: values.ranges.relied(),
    };
    let (program, notes) = finish(draft, &options.renames)?;
    let Some(recorder) = walker.recorder else { return Err(Vec::new()) };
    Ok((recorder.finish(&walker.cfg, &values.places, program), notes))
}

/// Removes the operations from a tree.
fn without_operations(nodes: Vec<Node>) -> Vec<Node> {
    let kept = nodes.into_iter().filter(|node| !matches!(node, Node::Operations(_)));
    let inner = |node| match node {
        Node::Loop(l) => Node::Loop(Loop { body: without_operations(l.body), ..l }),
        Node::If(guard) => Node::If(If {
            condition: guard.condition,
            then: without_operations(guard.then),
            otherwise: without_operations(guard.otherwise),
        }),
        other => other,
    };
    kept.map(inner).collect()
}

fn conditions(values: &Values<'_>) -> Vec<Constraint> {
    let required = values.required.iter().map(|r| Constraint::non_negative(r.expr.clone()));
    required.chain(values.assumed.iter().cloned()).collect()
}

/// Returns an error for each line of `--branch` without a branch on data.
fn untold(walker: &Walker<'_, '_>) -> Vec<Diagnostic> {
    let is_known = |line: &u32| walker.told_lines.contains(line) || walker.skips_branch_on(*line);
    let lines = walker.rules.branches.keys().filter(|line| !is_known(line));
    let error = |line: &u32| {
        let message = format!("--branch {line}: there is no branch on data on this line");
        Diagnostic::new(Kind::Request, None, message).hint("give the line of the condition, or leave it out")
    };
    lines.map(error).collect()
}
