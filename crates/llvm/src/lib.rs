//! Front end: C, C++, Fortran and LLVM IR to [`symloc_affine::Program`].
//!
//! [`read`] raises one function of a module, in stages that are modules:
//!
//! 1. `clang`: the compiler makes LLVM IR that is not optimised (`fragment` are loops without a function, `openmp` leaves a flag out),
//! 2. `select`: the one function to analyse,
//! 3. `prepare`: LLVM's passes inline callees, put scalars into registers and simplify loops; before the last step arguments and
//!    variables that `--assume` gives one value become constants (`fixed`),
//! 4. `cfg`: natural loops, and where branches join,
//! 5. `walk`: blocks in the order of execution, to loops (`loops`, with `recurrences`, `periods`, `exits` and `ways`), guards (`data`
//!    for branches on data, `decided` for those that only what is taken for granted decides) and accesses; `calls` are those that
//!    were not inlined (`library` knows some by name, `bulk` fills and copies), `mix` tells what instructions compute,
//!    `recorder` how often blocks are executed ([`characterise`]), `stops` are flags that end a loop,
//! 6. `shapes`: the rows of each array (`symloc_frontend::delinearize`), and the subscripts,
//! 7. `symloc_frontend::finish`: parameters that are used, names, renamings.
//!
//! The walk asks `values` what is known of a value: `arithmetic` for integers and conditions, `pointers` for addresses,
//! which are steps from a root (`roots`); `descriptors` and `vectors` know what Fortran and C++ keep beside an array. What is a size
//! and what is none is told by what it is used for (`uses`). Integers are affine, or products of sizes with what is affine
//! (`symloc_frontend::poly`).
//!
//! Below these stand `known` (the lattice of values), `places` and `tables` (names, places, arrays of pointers to rows), `region` (`#pragma scop` and
//! `--loops`), `registers` (scalars that are loaded and stored), `written` (the objects that a function writes to) and `counter` (the
//! counter of a loop); `ffi` is what inkwell lacks.
//!
//! [`runnable`](runnable()) makes a program of the same function for `verify --compiled`, which reports its accesses: `entry` calls the
//! function with what `surroundings` puts around it, `memrefs` passes arguments as MLIR does, `behind` finds sizes behind pointers, and
//! `repeated` the reads that LLVM takes from a register.
//!
//! Assumed and not checked: sizes stay in the range of their types, and signed arithmetic does not overflow, as C says.
//! What is assumed of pointers, and of sizes that unsigned arithmetic depends on, is said in notes.
//!
//! An instruction is either understood, known to touch no memory, or an error: no access is ever skipped silently.

mod arithmetic;
mod behind;
mod bulk;
mod calls;
mod cfg;
mod clang;
mod counter;
mod data;
mod decided;
mod descriptors;
mod entry;
mod exits;
mod ffi;
mod fixed;
mod fragment;
mod known;
mod library;
mod loops;
mod memrefs;
mod mix;
mod openmp;
mod periods;
mod places;
mod pointers;
mod prepare;
mod recorder;
mod recurrences;
mod region;
mod registers;
mod repeated;
mod roots;
mod runnable;
mod select;
mod shapes;
mod stops;
mod surroundings;
mod tables;
mod uses;
mod values;
mod vectors;
mod walk;
mod ways;
mod written;

use std::collections::BTreeSet;

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use num_rational::Ratio;
use symloc_affine::{AssumptionKind, Constraint, If, Location, Loop, Node, Program};
use symloc_frontend::assumed::Assumed;
use symloc_frontend::characteristics::Characterised;
use symloc_frontend::conditions;
use symloc_frontend::{Branches, Characteristics};
use symloc_frontend::{Diagnostic, Draft, Kind, Note, Text, finish, on_large_stack};

pub use clang::{Circumstances, CompileError, Compiled, Language, compile, link};
pub use entry::Asked;
pub use registers::Registers;
pub use runnable::{AsRead, Runnable, runnable};
pub use surroundings::ALIGNMENT;
pub use symloc_frontend::{Errors, Reading, Source};

use cfg::{Cfg, Unstructured};
use descriptors::Descriptors;
use ffi::{DataLayout, Value};
use places::Places;
use prepare::Effort;
use recorder::Recorder;
use region::{Region, parallel_pragmas};
use registers::Slot;
use uses::Uses;
use values::Values;
use walk::{Rules, Walker};

/// What the user asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The function to analyse (`--function`); none: the only one that could be meant.
    pub function: Option<String>,
    /// Parameters to rename, old and new name (`--name OLD=NEW`), all at once.
    pub renames: Vec<(String, String)>,
    /// Lines to restrict the analysis to, both ends included (`--loops`); none: `#pragma scop`, or the whole function.
    pub lines: Option<(u32, u32)>,
    /// Functions without a body that are taken to touch no array (`--ignore-calls`); `all` for every one.
    pub ignored_calls: Vec<String>,
    /// Leave out nests that cannot be read (`--skip-refused`).
    pub skip_refused: bool,
    /// What is assumed of the sizes (`--assume`), for proofs; the caller makes it part of the program.
    pub assume: Option<String>,
    /// In which share of the cases the conditions on data on a line hold (`--branch`), from 0 to 1.
    pub branches: Vec<(u32, Ratio<i64>)>,
    /// Which values are in registers.
    pub registers: Registers,
    /// Pointers are known not to overlap (`--assume-noalias`): nothing is said about it.
    pub assume_noalias: bool,
    /// How the module was made.
    pub circumstances: Circumstances,
}

/// Reads the affine program of one function of a module in LLVM IR.
///
/// `source` is what the user named, for messages; `ir` is text or bitcode.
///
/// # Errors
///
/// All that is wrong with the source or with the options, as far as one can go on after an error.
pub fn read(source: &Source, ir: &[u8], options: &Options) -> Result<Reading, Errors> {
    Reading::new(vec![text_of(source)], on_large_stack(|| read_program(source, ir, options)))
}

/// The basic blocks of one function of a module in LLVM IR, what they do, and how often; `branches` says what is known of
/// branches on data.
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

/// The text that places are in; empty for bitcode.
fn text_of(source: &Source) -> Text {
    let text = std::str::from_utf8(&source.bytes).unwrap_or_default().to_owned();
    Text { name: source.name.clone(), text }
}

fn read_program(source: &Source, ir: &[u8], options: &Options) -> Result<(Program, Vec<Note>), Vec<Diagnostic>> {
    with_least_effort(source, ir, options, |walker| finish(draft(walker, options)?, &options.renames))
}

/// Does something with a function that is ready to be walked. Rust's iterators may take more simplification than other
/// code, which keeps all accesses, but not always the words of the source.
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
    // Of the places that either way refuses, those count that are fewer: behind iterators there are others.
    attempt(Effort::Combined).map_err(|others| if others.len() <= errors.len() { others } else { errors })
}

/// Has rustc made a module?
fn is_rust(source: &Source, ir: &[u8]) -> bool {
    let context = Context::create();
    parse(&context, source, ir).is_ok_and(|module| ffi::made_by(&module).any(|name| name.starts_with("rustc")))
}

/// Does something with a function that is ready to be walked.
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
    let notes = said_before(&values, options);
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
    /// The variables that have slots on the stack none the less.
    slots: Vec<Slot>,
    descriptors: Descriptors<'m>,
}

/// Chooses the function that is asked for, or marked, or the only one.
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
            true => ("atomic", "what other threads do in between is not known"),
            false => ("volatile", "each of them may have an effect of its own"),
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
            "how often the loop runs depends on the way into it",
            "enter the loop at its top",
        ),
    };
    let error = Diagnostic::new(Kind::Unsupported, Some(at.unwrap_or_else(|| places.start())), message);
    error.note(why).hint(hint)
}

fn rules(source: &Source, text: &str, function: Value<'_>, places: &Places<'_>, options: &Options) -> Rules {
    let instructions = function.blocks().into_iter().flat_map(|block| block.instructions());
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

/// What is to be said of how the module was made.
fn said_before(values: &Values<'_>, options: &Options) -> Vec<Note> {
    let globals = counted_outside(values).filter(|_| options.registers == Registers::Source);
    options.circumstances.notes.iter().cloned().chain(globals).collect()
}

/// Says that integers outside the function are in memory.
fn counted_outside(values: &Values<'_>) -> Option<Note> {
    let names: Vec<_> = values.slots.iter().filter(|slot| slot.is_global).map(|slot| slot.name.clone()).collect();
    let (names, verb) = match names.as_slice() {
        [] => return None,
        [only] => (format!("`{only}`"), "is declared"),
        [others @ .., last] => (format!("`{}` and `{last}`", others.join("`, `")), "are declared"),
    };
    let text = format!(
        "{names} {verb} outside the function, so every use is an access; --registers optimized keeps in registers what an \
         optimising compiler keeps there"
    );
    Some(Note::new(Some(values.places.start()), text))
}

/// The lines of a function that `#pragma scop` marks.
fn marked(source: &Source, text: &str, function: Value<'_>, places: &Places<'_>) -> Option<Region> {
    Region::of_pragmas(&source.name, text, extent(source, function, places)?)
}

/// The lines of the source that a function stands on.
fn extent(source: &Source, function: Value<'_>, places: &Places<'_>) -> Option<(u32, u32)> {
    let start = places.start();
    let lines = function.blocks().into_iter().flat_map(|block| block.instructions());
    let lines = lines.filter_map(|i| places.in_function(i)).filter(|place| *place.file == *source.name);
    let last = lines.map(|place| place.line).max().filter(|_| *start.file == *source.name)?;
    Some((start.line, last.saturating_add(1)))
}

/// An error if nothing of the function stands on the lines that are asked for.
fn outside(function: Value<'_>, rules: &Rules, places: &Places<'_>, options: &Options) -> Option<Diagnostic> {
    let (region, (first, last)) = (rules.region.as_ref()?, options.lines?);
    let instructions = function.blocks().into_iter().flat_map(|block| block.instructions());
    let lines: Vec<u32> =
        instructions.filter_map(|i| places.in_function(i)).filter(|p| *p.file == region.file).map(|p| p.line).collect();
    if lines.iter().any(|line| (first..=last).contains(line)) {
        return None;
    }
    let name = select::source_name(function);
    let error = Diagnostic::new(Kind::Request, None, format!("nothing of `{name}` stands on the lines {first}-{last}"));
    let range = lines.iter().min().zip(lines.iter().max());
    Some(match range {
        Some((first, last)) => error.hint(format!("its code stands on the lines {first}-{last}")),
        None => error.hint("compile with -g, so that instructions have lines"),
    })
}

/// The function as a tree, with arrays laid out.
fn draft(mut walker: Walker<'_, '_>, options: &Options) -> Result<Draft, Vec<Diagnostic>> {
    let function = walker.values.function();
    let body = walker.function();
    walker.errors.extend(untold(&walker));
    let shaped = shapes::shape(&walker.accesses, &mut walker.values);
    for misfit in &shaped.misfits {
        let message = "which element this is is not affine";
        walker.refuse(misfit.at, message, &misfit.reason);
    }
    if !walker.errors.is_empty() {
        return Err(walker.errors);
    }
    let mut notes = std::mem::take(&mut walker.notes);
    notes.extend(required(&walker.values));
    notes.extend(taken_of_shapes(&walker.values));
    notes.extend(sequential(walker.rules, options.circumstances.one_thread));
    notes.extend(counted_lines(walker.rules));
    notes.extend(overlap(&shaped, &walker.values, options.assume_noalias));
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

/// The function as a tree of marks.
fn characterised(
    mut walker: Walker<'_, '_>,
    options: &Options,
) -> Result<(Characteristics, Vec<Note>), Vec<Diagnostic>> {
    let body = walker.function();
    if !walker.errors.is_empty() {
        return Err(walker.errors);
    }
    let mut notes = std::mem::take(&mut walker.notes);
    notes.extend(required(&walker.values));
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

/// The tree with nothing but marks.
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

/// Errors for lines of `--branch` where no branch on data stands.
fn untold(walker: &Walker<'_, '_>) -> Vec<Diagnostic> {
    let is_known = |line: &u32| walker.told_lines.contains(line) || walker.skips_branch_on(*line);
    let lines = walker.rules.branches.keys().filter(|line| !is_known(line));
    let error = |line: &u32| {
        let message = format!("--branch {line}: there is no branch on data on this line");
        Diagnostic::new(Kind::Request, None, message).hint("give the line of the condition, or leave it out")
    };
    lines.map(error).collect()
}

/// Says where iterations that may run at the same time are taken one after the other; with `-fopenmp`, by one thread.
fn sequential(rules: &Rules, one_thread: bool) -> impl Iterator<Item = Note> {
    let (kind, text) = match one_thread {
        true => (
            AssumptionKind::OneThread,
            "parallel loops are taken one after the other, by one thread (-fopenmp is left out)",
        ),
        false => {
            (AssumptionKind::SequentialOrder, "what OpenMP would run at the same time is taken one after the other")
        }
    };
    let note = move |place: &Location| Note::assuming(kind, Some(place.clone()), text);
    rules.parallel.iter().map(note)
}

/// Which lines are counted, if not all are. That is what was asked for, so it is not printed.
fn counted_lines(rules: &Rules) -> Option<Note> {
    let region = rules.region.as_ref()?;
    let lines: Vec<_> = region.lines.iter().map(|(first, last)| format!("{first}-{last}")).collect();
    let place = region.lines.first().map(|(first, _)| Location::new(region.file.as_str(), *first, 1));
    let text = format!("nothing is counted but what stands on the lines {}", lines.join(", "));
    Some(Note::assuming(AssumptionKind::Region, place, text).silent())
}

/// What is assumed of pointers that may overlap.
fn overlap(shaped: &shapes::Shaped<'_>, values: &Values<'_>, told: bool) -> Option<Note> {
    let doubtful: Vec<_> = shaped.roots.iter().map(|id| values.roots.get(*id)).filter(|root| !root.distinct).collect();
    if shaped.roots.len() < 2 || doubtful.is_empty() {
        return None;
    }
    let names: Vec<_> = doubtful.iter().map(|root| format!("`{}`", root.name)).collect();
    let (what, verb) = match names.as_slice() {
        [only] => (only.clone(), "is assumed to overlap no other array"),
        [first, second] => (format!("{first} and {second}"), "are assumed not to overlap"),
        [others @ .., last] => (format!("{} and {last}", others.join(", ")), "are assumed not to overlap"),
        [] => return None,
    };
    let says =
        if values.is_fortran { "--assume-noalias says so" } else { "`restrict` says so in C, --assume-noalias here" };
    let start = Some(values.places.start());
    let note = |text| Note::assuming(AssumptionKind::NoOverlap, start, text);
    Some(match told {
        true => note(format!("{what} {verb} (--assume-noalias)")).silent(),
        false => note(format!("{what} {verb}; {says}")),
    })
}

/// What is taken for granted of arrays that come with a descriptor, and what their extents are called.
fn taken_of_shapes(values: &Values<'_>) -> Vec<Note> {
    let start = || Some(values.places.start());
    let said = |names: &BTreeSet<String>, kind: AssumptionKind, text: &str| {
        let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
        (!names.is_empty()).then(|| Note::assuming(kind, start(), format!("{}: {text}", names.join(", "))))
    };
    let contiguous = said(
        &values.taken_contiguous,
        AssumptionKind::Contiguous,
        "taken to be contiguous, as the attribute `contiguous` says in Fortran",
    );
    let based = said(&values.taken_from_one, AssumptionKind::LowerBound, "lower bounds are taken to be 1");
    let sizes = values.extents.iter().map(|(name, meaning)| format!("{name} is {meaning}")).collect::<Vec<_>>();
    let sizes = (!sizes.is_empty()).then(|| Note::new(start(), sizes.join(", ")));
    [contiguous, based, sizes].into_iter().flatten().collect()
}

/// The conditions on sizes that became part of the model.
fn required(values: &Values<'_>) -> Vec<Note> {
    let note = |r: &values::Requirement<'_>| {
        let holds = conditions::shown(&r.expr, values.candidates());
        let text = format!("the model is for {holds}: {}", r.why);
        Note::assuming(r.kind, values.places.of(r.at), text)
    };
    values.required.iter().map(note).collect()
}
