//! Repeated reads on one side of a branch on data, which the compiler takes from a register; LLVM itself finds them.
//!
//! `data` merges such a read with one before it, and notes the place. The executable that the model is compared with
//! has no access there either, but only if LLVM (`early-cse`) also finds that the read is repeated.

use std::collections::BTreeSet;

use inkwell::context::Context;
use symloc_affine::Location;
use symloc_frontend::{Diagnostic, Source};

use crate::ffi::{Opcode, Value};
use crate::places::Places;
use crate::{Options, chosen, parse, prepare};

/// Returns the repeated loads on one side of a branch on data, on the noted lines, by their numbers in the order of the
/// text.
pub(crate) fn repeated(
    source: &Source,
    ir: &[u8],
    options: &Options,
    noted: &[Location],
) -> Result<BTreeSet<usize>, Diagnostic> {
    if noted.is_empty() {
        return Ok(BTreeSet::new());
    }
    let context = Context::create();
    let module = parse(&context, source, ir)?;
    let text = std::str::from_utf8(&source.bytes).unwrap_or_default();
    let function = chosen(&module, source, text, options)?;
    prepare::inline(&module, function)?;
    prepare::promote(function)?;
    let places = Places::new(function, &source.name, text);
    let is_noted =
        |load| places.of(load).is_some_and(|at| noted.iter().any(|note| note.file == at.file && note.line == at.line));
    let mut found = BTreeSet::new();
    for (number, (load, in_arm)) in loads(function).into_iter().enumerate() {
        load.set_name(&name(number));
        if in_arm && is_noted(load) {
            found.insert(number);
        }
    }
    drop(places);
    prepare::merge_reads(function)?;
    let left: BTreeSet<String> = loads(function).into_iter().map(|(load, _)| load.name().to_owned()).collect();
    found.retain(|number| !left.contains(&name(*number)));
    Ok(found)
}

fn name(number: usize) -> String {
    format!("symloc.load.{number}")
}

/// Returns the loads of a function in the order of the text, each with true if it is on one side of a branch on data.
fn loads(function: Value<'_>) -> Vec<(Value<'_>, bool)> {
    let blocks = function.blocks();
    let is_arm = |block| {
        let mut before = blocks.iter().filter(|other| other.successors().contains(&block));
        let only = before.next().filter(|_| before.next().is_none());
        only.and_then(|only| only.terminator()).is_some_and(branches_on_data)
    };
    let mut found = Vec::new();
    for block in &blocks {
        let loads = block.instructions().into_iter().filter(|i| i.opcode() == Some(Opcode::LLVMLoad));
        found.extend(loads.map(|load| (load, is_arm(*block))));
    }
    found
}

/// Returns true for a conditional branch on a value from memory or a call, which a phi (a loop counter) is not.
fn branches_on_data(end: Value<'_>) -> bool {
    end.opcode() == Some(Opcode::LLVMBr)
        && end.is_conditional()
        && end.operand(0).is_some_and(|flag| is_data(flag, DEPTH))
}

/// The largest depth to which a condition is followed.
const DEPTH: usize = 16;

fn is_data(value: Value<'_>, depth: usize) -> bool {
    match value.opcode() {
        _ if depth == 0 || !value.is_instruction() => false,
        Some(Opcode::LLVMLoad | Opcode::LLVMCall) => true,
        Some(Opcode::LLVMPHI) => false,
        _ => value.operands().into_iter().any(|operand| is_data(operand, depth - 1)),
    }
}
