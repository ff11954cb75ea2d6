//! A function as a program that can be run and tells what it accesses.
//!
//! The module is the one that is raised, after callees are inlined and scalars are in registers and before anything else is done to
//! it. In front of each load and store stands a call that is told the address ([`ACCESS`], [`BULK`] for blocks of memory), and
//! `entry` makes a call of the function with what the program around it hands out: sizes, and memory for each pointer. What cannot
//! be called that way is refused with the reason. Nothing here knows what an access is taken for.

use std::collections::BTreeSet;

use inkwell::context::Context;
use inkwell::module::Module;
use symloc_affine::Location;
use symloc_frontend::signature::Argument;
use symloc_frontend::{Diagnostic, Errors, Source, on_large_stack};

use crate::entry::{Asked, Called, ENTRY, Entry, internal, uncallable};
use crate::ffi::{self, DataLayout, Given, Opcode, Type, Value};
use crate::places::Places;
use crate::region::Region;
use crate::registers::Registers;
use crate::repeated::repeated;
use crate::surroundings::{align, define, rename, stop};
use crate::{Options, chosen, parse, prepare, rules, text_of};

/// Is told of an access: address, bytes of an element, number of elements, 1 for a write, the number of the site.
const ACCESS: &str = "symloc_access";
/// Is told of a block that is filled, or copied from another: where to, where from (null: filled), bytes, the number of the site.
const BULK: &str = "symloc_bulk";

/// A function that can be run.
#[derive(Clone, Debug)]
pub struct Runnable {
    /// The module in LLVM's bitcode.
    pub bitcode: Vec<u8>,
    /// What the integers are that it asks for, by number.
    pub integers: Vec<Asked>,
    /// What the memory is that it asks for, by number.
    pub memories: Vec<Option<String>>,
    /// Where the accesses stand, by the number of the site.
    pub sites: Vec<Option<Location>>,
}

/// What has to be known of the affine program that was read of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AsRead {
    /// Its parameters: each has to be an argument, a number behind a pointer, or a variable outside functions.
    pub parameters: Vec<String>,
    /// Reads on the sides of branches on data are merged with others; LLVM has to find that they repeat these, too.
    pub merges_reads: bool,
    /// What its arguments are, if the function does not say it itself: MLIR's, where a memref is several arguments.
    pub arguments: Option<Vec<Argument>>,
    /// Vectors are elements, each accessed as a whole; otherwise each of their lanes is one.
    pub whole_vectors: bool,
}

/// Makes a function of a module in LLVM IR one that can be run.
///
/// # Errors
///
/// Why it cannot be called, or what is wrong with the source or the options.
pub fn runnable(source: &Source, ir: &[u8], options: &Options, reading: &AsRead) -> Result<Runnable, Errors> {
    let made = on_large_stack(|| make(source, ir, options, reading).map_err(|error| vec![error]));
    made.map_err(|errors| Errors::new(vec![text_of(source)], errors))
}

fn make(source: &Source, ir: &[u8], options: &Options, reading: &AsRead) -> Result<Runnable, Diagnostic> {
    let context = Context::create();
    let module = parse(&context, source, ir)?;
    let text = std::str::from_utf8(&source.bytes).unwrap_or_default();
    let function = chosen(&module, source, text, options)?;
    prepare::inline(&module, function)?;
    if options.registers != Registers::None {
        prepare::promote(function)?;
    }
    let places = Places::new(function, &source.name, text);
    let region = rules(source, text, function, &places, options).region;
    check(function, &places)?;
    let (renames, parameters) = (options.renames.as_slice(), reading.parameters.as_slice());
    let mut entry = Entry::new(Called { function, places: &places, renames, parameters }, &module)?;
    entry.build(reading.arguments.as_deref())?;
    let repeated = if reading.merges_reads { repeated(source, ir, options)? } else { BTreeSet::new() };
    let tracer = Tracer { module: &module, layout: DataLayout::of(&module), whole_vectors: reading.whole_vectors };
    let sites = tracer.trace(function, &places, region.as_ref(), &repeated);
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

// --- What cannot be run

/// Refuses what the memory that is handed out does not hold, and accesses that cannot be told.
fn check(function: Value<'_>, places: &Places<'_>) -> Result<(), Diagnostic> {
    for instruction in function.blocks().into_iter().flat_map(|block| block.instructions()) {
        if instruction.opcode() == Some(Opcode::LLVMLoad) && instruction.r#type().is_pointer() {
            let from = instruction.operand(0).map(root);
            if !from.is_some_and(holds_pointers) {
                let why = "it reads a pointer from memory, and nothing says how large what it points to is";
                let hint = "pass each array as an argument of its own; without --compiled the model is compared with the trace";
                return Err(uncallable(Some(places.or_start(instruction)), why, hint));
            }
        }
        if let Some((callee, _)) = instruction.call()
            && !callee.is_function()
            && !callee.is_inline_assembly()
        {
            let why = "it calls a function through a pointer, and nothing says which";
            return Err(uncallable(Some(places.or_start(instruction)), why, "call the function by its name"));
        }
        if let Some((callee, _)) = instruction.call()
            && let Some(name) = callee.name().strip_prefix("llvm.")
            && !(is_harmless(name) || is_bulk(name) || instruction.touches_no_memory())
        {
            let why = format!("its accesses in `llvm.{name}` cannot be recorded");
            return Err(uncallable(Some(places.or_start(instruction)), &why, "leave out --compiled"));
        }
    }
    Ok(())
}

/// What an address is computed from.
fn root(mut address: Value<'_>) -> Value<'_> {
    while address.opcode() == Some(Opcode::LLVMGetElementPtr) {
        let Some(base) = address.operand(0) else { return address };
        address = base;
    }
    address
}

/// Are pointers here those that the program itself puts there?
fn holds_pointers(object: Value<'_>) -> bool {
    object.opcode() == Some(Opcode::LLVMAlloca) || object.initializer().is_some_and(|value| !value.is_null())
}

/// Intrinsics that touch no memory of the program, whatever LLVM says.
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
    ["memset", "memcpy", "memmove"].contains(&name.split('.').next().unwrap_or_default())
}

// --- What it tells

/// Puts calls in front of accesses.
struct Tracer<'t, 'm, 'c> {
    module: &'m Module<'c>,
    layout: DataLayout<'t>,
    whole_vectors: bool,
}

impl<'m> Tracer<'m, 'm, '_> {
    /// Puts a call in front of each access of a region, but not of the loads that have these numbers; where the accesses stand.
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
        for instruction in function.blocks().into_iter().flat_map(|block| block.instructions()) {
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

    /// Which calls tell of an instruction, and what.
    fn told(&self, instruction: Value<'m>) -> Vec<(&'static str, Vec<Given<'m>>)> {
        let access = |kind, address, write| self.access(kind, address, write).map(|told| (ACCESS, told.to_vec()));
        let stored = |position| instruction.operand(position).map(Value::r#type);
        match instruction.opcode() {
            Some(Opcode::LLVMLoad) => access(instruction.r#type(), instruction.operand(0), false).into_iter().collect(),
            Some(Opcode::LLVMStore) => {
                stored(0).and_then(|kind| access(kind, instruction.operand(1), true)).into_iter().collect()
            }
            // What is updated at once is read and then written.
            Some(Opcode::LLVMAtomicRMW) => {
                let update = |write| access(stored(1)?, instruction.operand(0), write);
                [false, true].into_iter().filter_map(update).collect()
            }
            _ => block(instruction).map(|told| (BULK, told.to_vec())).into_iter().collect(),
        }
    }

    /// Address, bytes of an element, number of elements, and whether it is a write: a vector is its lanes, or one element.
    fn access(&self, kind: Type<'m>, address: Option<Value<'m>>, write: bool) -> Option<[Given<'m>; 4]> {
        let (element, lanes) = kind.vector().filter(|_| !self.whole_vectors).unwrap_or((kind, 1));
        let bytes = self.layout.size(element).unwrap_or(1);
        Some([Given::Value(address?), Given::Number(bytes), Given::Number(lanes.into()), Given::Number(write.into())])
    }
}

/// Where to, where from and how many bytes, if it fills or copies memory. What a local array is initialised with is part of the
/// program, and not read from memory.
fn block(instruction: Value<'_>) -> Option<[Given<'_>; 3]> {
    let (callee, arguments) = instruction.call()?;
    let name = callee.name().strip_prefix("llvm.").unwrap_or(callee.name());
    let &[to, from, length, ..] = arguments.as_slice() else { return None };
    is_bulk(name).then_some(())?;
    let is_copy = from.r#type().is_pointer() && !from.is_constant_global();
    Some([Given::Value(to), if is_copy { Given::Value(from) } else { Given::Null }, Given::Value(length)])
}
