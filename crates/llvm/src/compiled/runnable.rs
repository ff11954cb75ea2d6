//! A function as an executable that reports its accesses.
//!
//! The module is the one that is raised, after callees are inlined and scalars are in registers, before any other pass.
//! In front of each load and store stands a call that takes the address ([`ACCESS`], [`BULK`] for blocks of memory),
//! and `entry` calls the function with integers and memory from the program around it. A function that cannot be called
//! this way is refused with the reason. The instrumentation does not depend on the affine program, except for merged
//! reads.

use std::collections::BTreeSet;

use inkwell::context::Context;
use inkwell::module::Module;
use symloc_affine::{AccessKind, Location};
use symloc_frontend::signature::{Argument, WITHOUT_COMPILED, uncallable};
use symloc_frontend::{Diagnostic, Errors, Source, on_large_stack};

use crate::compiled::entry::{Asked, Called, ENTRY, Entry, internal};
use crate::compiled::repeated::repeated;
use crate::compiled::surroundings::{align, define, forget_effects, rename, stop};
use crate::input::options::Options;
use crate::input::prepare;
use crate::input::region::Region;
use crate::input::request::Request;
use crate::input::rules;
use crate::ir::ffi::{self, DataLayout, Given, Opcode, Type, Value};
use crate::ir::library::COPIES;
use crate::ir::places::Places;
use crate::memory::registers::Registers;

/// The function that reports an access: address, bytes of an element, number of elements, 1 for a write, number of the
/// site.
const ACCESS: &str = "symloc_access";
/// The function that reports a fill or copy of memory: destination, source (null for a fill), bytes, number of the
/// site.
const BULK: &str = "symloc_bulk";

/// A function as an executable module.
#[derive(Clone, Debug)]
pub struct Runnable {
    /// The module in LLVM's bitcode.
    pub bitcode: Vec<u8>,
    /// The integers that it asks for, by number.
    pub integers: Vec<Asked>,
    /// The names of the arrays whose memory it asks for, and of variables, by number.
    pub memories: Vec<Option<String>>,
    /// The places of the accesses, by the number of the site.
    pub sites: Vec<Option<Location>>,
}

/// The facts about the affine program that an executable needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AsRead {
    /// Its parameters; each must be an argument, a number behind a pointer, or a global variable.
    pub parameters: Vec<String>,
    /// True if reads on the sides of branches on data are merged with others; LLVM must also find that they are
    /// repeated.
    pub merges_reads: bool,
    /// Its arguments in MLIR's calling convention, where a memref is several arguments; `None` for other languages.
    pub arguments: Option<Vec<Argument>>,
    /// True if a vector is one element; else each of its lanes is one.
    pub whole_vectors: bool,
}

/// Makes an executable module of a function of a module in LLVM IR.
///
/// # Errors
///
/// If the function cannot be called, or on errors in the source or the options.
pub fn runnable(source: &Source, ir: &[u8], options: &Options, reading: &AsRead) -> Result<Runnable, Errors> {
    let request = Request { source, ir, options };
    let made = on_large_stack(|| make(&request, reading).map_err(|error| vec![error]));
    made.map_err(|errors| Errors::new(request.texts(), errors))
}

fn make(request: &Request<'_>, reading: &AsRead) -> Result<Runnable, Diagnostic> {
    let options = request.options;
    let context = Context::create();
    let module = request.module(&context)?;
    let function = request.chosen(&module)?;
    prepare::inline(&module, function)?;
    if options.registers != Registers::None {
        prepare::promote(&module, function)?;
    }
    let places = request.places(function);
    let region = rules::region(request, function, &places);
    check(function, &places)?;
    let (renames, parameters) = (options.renames.as_slice(), reading.parameters.as_slice());
    let mut entry = Entry::new(Called { function, places: &places, renames, parameters }, &module)?;
    entry.build(reading.arguments.as_deref())?;
    let repeated = if reading.merges_reads { repeated(request)? } else { BTreeSet::new() };
    let tracer = Tracer { module: &module, layout: DataLayout::of(&module), whole_vectors: reading.whole_vectors };
    let sites = tracer.trace(function, &places, region.as_ref(), &repeated);
    forget_effects(&module);
    align(&module, function);
    rename(&module);
    stop(&module);
    define(&module);
    let only = format!("internalize<preserve-gv={ENTRY}>,globaldce");
    ffi::run_passes(&module, &only).map_err(|message| internal(format!("LLVM's passes: {message}")))?;
    module.verify().map_err(|message| internal(format!("the traced module is not valid: {message}")))?;
    let bitcode = module.write_bitcode_to_memory().as_slice().to_vec();
    Ok(Runnable { bitcode, integers: entry.integers, memories: entry.memories, sites })
}

// --- Checks

/// Refuses functions that read pointers from the memory they are given, call through pointers, or make accesses that
/// cannot be reported.
fn check(function: Value<'_>, places: &Places<'_>) -> Result<(), Diagnostic> {
    for instruction in function.instructions() {
        if instruction.opcode() == Some(Opcode::LLVMLoad) && instruction.r#type().is_pointer() {
            let from = instruction.operand(0).map(root);
            if !from.is_some_and(holds_pointers) {
                let why = "it reads a pointer from memory, and the size of its target is not known";
                let hint = "pass each array as an argument of its own; without --compiled the model is compared with \
                            the trace";
                return Err(uncallable(Some(places.or_start(instruction)), why, hint));
            }
        }
        if let Some((callee, _)) = instruction.call()
            && !callee.is_function()
            && !callee.is_inline_assembly()
        {
            let why = "it calls a function through a pointer, and the function is not known";
            return Err(uncallable(Some(places.or_start(instruction)), why, "call the function by its name"));
        }
        if let Some((callee, _)) = instruction.call()
            && let Some(name) = callee.name().strip_prefix("llvm.")
            && !(is_harmless(name) || is_bulk(name) || instruction.touches_no_memory())
        {
            let why = format!("its accesses in `llvm.{name}` cannot be recorded");
            return Err(uncallable(Some(places.or_start(instruction)), &why, WITHOUT_COMPILED));
        }
    }
    Ok(())
}

/// Returns the base of an address.
fn root(mut address: Value<'_>) -> Value<'_> {
    while address.opcode() == Some(Opcode::LLVMGetElementPtr) {
        let Some(base) = address.operand(0) else { return address };
        address = base;
    }
    address
}

/// Returns true if pointers in an object are valid: the function or the program's initial data put them there.
fn holds_pointers(object: Value<'_>) -> bool {
    object.opcode() == Some(Opcode::LLVMAlloca) || object.initializer().is_some_and(|value| !value.is_null())
}

/// Returns true for intrinsics that touch no memory of the program, although LLVM does not say so.
fn is_harmless(name: &str) -> bool {
    [
        "lifetime.",
        "dbg.",
        "assume",
        "experimental.noalias",
        "stacksave",
        "stackrestore",
        "prefetch",
        "va_",
        "invariant.",
    ]
    .iter()
    .any(|harmless| name.starts_with(harmless))
}

fn is_bulk(name: &str) -> bool {
    COPIES.contains(&name.split('.').next().unwrap_or_default())
}

// --- Instrumentation

/// The instrumentation of a function.
struct Tracer<'t, 'm, 'c> {
    module: &'m Module<'c>,
    layout: DataLayout<'t>,
    whole_vectors: bool,
}

impl<'m> Tracer<'m, 'm, '_> {
    /// Inserts a call in front of each access of a region, except for the repeated loads; returns the places of the
    /// accesses.
    fn trace(
        &self,
        function: Value<'m>,
        places: &Places<'m>,
        region: Option<&Region>,
        repeated: &BTreeSet<usize>,
    ) -> Vec<Option<Location>> {
        let counts =
            |at| region.is_none_or(|region| places.in_function(at).is_none_or(|place| region.contains(&place)));
        let (mut sites, mut loads) = (Vec::new(), 0..);
        for instruction in function.instructions() {
            let is_load = instruction.opcode() == Some(Opcode::LLVMLoad);
            let is_repeated = is_load && loads.next().is_some_and(|number| repeated.contains(&number));
            if is_repeated || !counts(instruction) {
                continue;
            }
            for (callee, told) in self.told(instruction) {
                let site = Given::Number(sites.len() as u64);
                ffi::insert_call_with(self.module, callee, instruction, &[&told[..], &[site]].concat());
                sites.push(places.of(instruction));
            }
        }
        sites
    }

    /// Returns the calls that report an instruction, with their arguments.
    fn told(&self, instruction: Value<'m>) -> Vec<(&'static str, Vec<Given<'m>>)> {
        let access = |kind, address, access| self.access(kind, address, access).map(|told| (ACCESS, told.to_vec()));
        let stored = |position| instruction.operand(position).map(Value::r#type);
        match instruction.opcode() {
            Some(Opcode::LLVMLoad) => {
                access(instruction.r#type(), instruction.operand(0), AccessKind::Read).into_iter().collect()
            }
            Some(Opcode::LLVMStore) => {
                stored(0).and_then(|kind| access(kind, instruction.operand(1), AccessKind::Write)).into_iter().collect()
            }
            // An atomic update is a read and a write.
            Some(Opcode::LLVMAtomicRMW) => {
                let update = |kind| access(stored(1)?, instruction.operand(0), kind);
                [AccessKind::Read, AccessKind::Write].into_iter().filter_map(update).collect()
            }
            _ => block(instruction).map(|told| (BULK, told.to_vec())).into_iter().collect(),
        }
    }

    /// Returns the arguments that report an access; a vector is its lanes, or one element.
    fn access(&self, kind: Type<'m>, address: Option<Value<'m>>, access: AccessKind) -> Option<[Given<'m>; 4]> {
        let (element, lanes) = kind.vector().filter(|_| !self.whole_vectors).unwrap_or((kind, 1));
        let bytes = self.layout.size(element).unwrap_or(1);
        let write = u64::from(access == AccessKind::Write);
        Some([Given::Value(address?), Given::Number(bytes), Given::Number(lanes.into()), Given::Number(write)])
    }
}

/// Returns the arguments that report a fill or copy of memory. The initial value of a local array is part of the
/// program, and not read from memory.
fn block(instruction: Value<'_>) -> Option<[Given<'_>; 3]> {
    let (callee, arguments) = instruction.call()?;
    let name = callee.name().strip_prefix("llvm.").unwrap_or(callee.name());
    let &[to, from, length, ..] = arguments.as_slice() else { return None };
    is_bulk(name).then_some(())?;
    let is_copy = from.r#type().is_pointer() && !from.is_constant_global();
    Some([Given::Value(to), if is_copy { Given::Value(from) } else { Given::Null }, Given::Value(length)])
}
