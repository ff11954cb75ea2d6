//! Repeated reads on one side of a branch on data, which the compiler takes from a register; LLVM itself finds them.
//!
//! `walk::data_branch` merges such a read with one before it, and notes the place. The executable that the model is
//! compared with has no access there either, but only if LLVM (`early-cse`) also finds that the read is repeated.

use std::collections::BTreeSet;

use inkwell::context::Context;
use symloc_frontend::Diagnostic;

use crate::input::prepare;
use crate::input::request::Request;
use crate::ir::cfg::{Cfg, Node};
use crate::ir::ffi::{DataLayout, Opcode, Value, globals};
use crate::memory::mod_ref::Written;
use crate::memory::pointed_sizes::sizes_behind;

/// Returns the numbers of the loads, in the order of the text, that repeat a read in an arm of a branch on data.
pub(crate) fn repeated(request: &Request<'_>) -> Result<BTreeSet<usize>, Diagnostic> {
    let context = Context::create();
    let module = request.module(&context)?;
    let function = request.chosen(&module)?;
    prepare::inline(&module, function)?;
    prepare::promote(&module, function)?;
    let data = Data { sizes: sizes(function, &globals(&module), &DataLayout::of(&module)) };
    let in_arms = data.loads_in_arms(function);
    let mut found = BTreeSet::new();
    for (number, load) in loads(function).enumerate() {
        load.set_name(&name(number));
        if in_arms.contains(&load) {
            found.insert(number);
        }
    }
    prepare::merge_reads(function)?;
    let left: BTreeSet<String> = loads(function).map(|load| load.name().to_owned()).collect();
    found.retain(|number| !left.contains(&name(*number)));
    Ok(found)
}

fn name(number: usize) -> String {
    format!("symloc.load.{number}")
}

/// Returns the loads of a function in the order of the text.
fn loads(function: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    let instructions = function.instructions();
    instructions.filter(|instruction| instruction.opcode() == Some(Opcode::LLVMLoad))
}

/// Returns the loads of integers at fixed places that the function does not write: parameters of the program.
fn sizes<'m>(function: Value<'m>, globals: &[Value<'m>], layout: &DataLayout<'_>) -> BTreeSet<Value<'m>> {
    let written = Written::by(function, layout);
    let objects = function.parameters().into_iter().filter(|argument| argument.r#type().is_pointer());
    let sizes = |object: Value<'m>| {
        let kept = sizes_behind(object, layout).into_iter();
        kept.filter(|size| !written.contains_bytes(object, 0, &size.bytes())).map(|size| size.load).collect::<Vec<_>>()
    };
    objects.chain(globals.iter().copied()).flat_map(sizes).collect()
}

/// The loads that are data, by those that are not: sizes.
struct Data<'m> {
    sizes: BTreeSet<Value<'m>>,
}

impl<'m> Data<'m> {
    /// Returns the loads between a branch on data and where its sides meet.
    fn loads_in_arms(&self, function: Value<'m>) -> BTreeSet<Value<'m>> {
        let Ok(cfg) = Cfg::new(function) else { return BTreeSet::new() };
        let branches = (0..cfg.blocks.len()).filter(|node| self.branches(&cfg, *node));
        let arms: BTreeSet<Node> = branches.flat_map(|node| arms(&cfg, node)).collect();
        arms.into_iter().flat_map(|node| cfg.blocks[node].instructions()).collect()
    }

    /// Returns true if a block ends with a branch on data.
    fn branches(&self, cfg: &Cfg<'m>, node: Node) -> bool {
        let condition = cfg.blocks[node].terminator().filter(|end| end.is_conditional()).and_then(|end| end.operand(0));
        condition.is_some_and(|condition| self.decides(condition))
    }

    /// Returns true if a condition is computed from data.
    fn decides(&self, condition: Value<'m>) -> bool {
        let mut seen = BTreeSet::from([condition]);
        let mut open = vec![condition];
        while let Some(value) = open.pop() {
            let is_loaded = value.opcode() == Some(Opcode::LLVMLoad);
            if is_loaded && !self.sizes.contains(&value) || value.call().is_some() && !value.touches_no_memory() {
                return true;
            }
            let operands = match value.opcode() {
                _ if is_loaded || !value.is_instruction() => Vec::new(),
                Some(Opcode::LLVMPHI) => value.incoming().into_iter().map(|(_, operand)| operand).collect(),
                _ => value.operands(),
            };
            open.extend(operands.into_iter().filter(|operand| seen.insert(*operand)));
        }
        false
    }
}

/// Returns the blocks on the sides of a branch, up to where they meet within one iteration.
fn arms(cfg: &Cfg<'_>, branch: Node) -> BTreeSet<Node> {
    let within = cfg.loop_of(branch);
    let join = cfg.join(within, branch);
    let is_inside = |node: &Node| Some(*node) != join && !cfg.ends_iteration(within, *node);
    let (mut found, mut open) = (BTreeSet::new(), vec![branch]);
    while let Some(node) = open.pop() {
        let next = cfg.targets(node).iter().copied().filter(is_inside);
        open.extend(next.filter(|node| found.insert(*node)));
    }
    found
}
