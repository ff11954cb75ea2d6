//! The classification of integers as sizes, by their uses.
//!
//! A size is part of an address, or of the length of memory that is allocated or filled, or it ends a loop. If it is
//! not a factor, it is only a bound, which may be assumed to be 0 or negative. An integer that is only compared is not
//! a size but a flag or a mode: it may be 0 or negative, and a branch on it is a guard.

use std::collections::{BTreeMap, BTreeSet};

use symloc_frontend::Domain;
use symloc_frontend::uses::{self, Factor, Use};

use crate::ir::cfg::{Cfg, Node};
use crate::ir::ffi::{Opcode, Value};

/// The users of the values of a function.
#[derive(Debug, Default)]
pub(crate) struct Uses<'m> {
    users: BTreeMap<Value<'m>, Vec<Value<'m>>>,
    /// The phis of loop headers, which differ from iteration to iteration.
    carried: BTreeSet<Value<'m>>,
    /// The branches that may leave a loop.
    exits: BTreeSet<Value<'m>>,
    /// The loads, by address.
    loads: BTreeMap<Address<'m>, Vec<Value<'m>>>,
}

/// A base and constant subscripts.
type Address<'m> = (Value<'m>, Vec<Value<'m>>);

impl<'m> Uses<'m> {
    /// Collects the uses in a function.
    pub(crate) fn new(cfg: &Cfg<'m>) -> Self {
        let mut uses = Self::default();
        for (node, block) in cfg.blocks.iter().enumerate() {
            let is_header = cfg.loops.iter().any(|inner| inner.header == node);
            for instruction in block.instructions() {
                for operand in instruction.operands() {
                    uses.users.entry(operand).or_default().push(instruction);
                }
                match instruction.opcode() {
                    Some(Opcode::LLVMPHI) if is_header => {
                        uses.carried.insert(instruction);
                    }
                    Some(Opcode::LLVMLoad) => {
                        let address = instruction.operand(0).map(address);
                        uses.loads.entry(address.unwrap_or((instruction, Vec::new()))).or_default().push(instruction);
                    }
                    _ => {}
                }
            }
        }
        uses.exits = uses.exits_of_loops(cfg);
        uses
    }

    /// Returns the branches that leave a loop, and those that choose the value by which another branch leaves it: so
    /// Clang compiles a `break` out of the scope of variables.
    fn exits_of_loops(&self, cfg: &Cfg<'m>) -> BTreeSet<Value<'m>> {
        let mut open: Vec<Node> = (0..cfg.blocks.len()).filter(|node| leaves_a_loop(cfg, *node)).collect();
        let mut seen: BTreeSet<Node> = open.iter().copied().collect();
        while let Some(node) = open.pop() {
            let condition = cfg.blocks[node].terminator().filter(|_| cfg.targets(node).len() > 1);
            let condition = condition.and_then(|terminator| terminator.operand(0));
            let phis = condition.map(|condition| self.chosen(condition)).unwrap_or_default();
            for (block, _) in phis.into_iter().flat_map(Value::incoming) {
                let before = cfg.number(block);
                let is_choice = cfg.targets(before).len() > 1;
                let earlier = (0..cfg.blocks.len()).filter(|node| cfg.targets(*node).contains(&before));
                let choices = if is_choice { vec![before] } else { earlier.collect() };
                open.extend(choices.into_iter().filter(|node| seen.insert(*node)));
            }
        }
        seen.into_iter().filter_map(|node| cfg.blocks[node].terminator()).collect()
    }

    /// Returns the phis, other than those of loops, that a condition depends on.
    fn chosen(&self, condition: Value<'m>) -> Vec<Value<'m>> {
        let mut seen = BTreeSet::from([condition]);
        let mut open = vec![condition];
        while let Some(value) = open.pop() {
            let passes = value.is_instruction() && value.opcode() != Some(Opcode::LLVMLoad);
            let operands = if passes && !self.carried.contains(&value) { value.operands() } else { Vec::new() };
            open.extend(operands.into_iter().filter(|operand| seen.insert(*operand)));
        }
        let is_chosen = |value: &Value<'m>| value.opcode() == Some(Opcode::LLVMPHI) && !self.carried.contains(value);
        seen.into_iter().filter(is_chosen).collect()
    }

    /// Returns the members of a structure that is passed as one integer, each with its first bit and the truncation
    /// that extracts it; empty if the integer is used as a whole.
    pub(crate) fn members(&self, argument: Value<'m>) -> Vec<(u32, Value<'m>)> {
        let of = |value: Value<'m>| self.users.get(&value).cloned().unwrap_or_default();
        let mut members = Vec::new();
        for user in of(argument) {
            let shift = user.operand(1).and_then(Value::constant).and_then(|bits| u32::try_from(bits).ok());
            match (user.opcode(), shift) {
                (Some(Opcode::LLVMTrunc), _) => members.push((0, user)),
                (Some(Opcode::LLVMLShr), Some(bits)) if user.operand(0) == Some(argument) => {
                    let parts = of(user);
                    if !parts.iter().all(|part| part.opcode() == Some(Opcode::LLVMTrunc)) {
                        return Vec::new();
                    }
                    members.extend(parts.into_iter().map(|part| (bits, part)));
                }
                _ => return Vec::new(),
            }
        }
        if members.iter().any(|(bits, _)| *bits > 0) { members } else { Vec::new() }
    }

    /// Returns the domain of an argument, or of an integer that is loaded from memory.
    pub(crate) fn domain(&self, value: Value<'m>) -> Domain {
        let address = value.operand(0).filter(|_| value.opcode() == Some(Opcode::LLVMLoad)).map(address);
        let same = address.and_then(|address| self.loads.get(&address)).cloned().unwrap_or_else(|| vec![value]);
        let sizes = same.iter().filter_map(|value| self.size(*value));
        if let Some(size) = sizes.reduce(|a, b| if a == Domain::Size { a } else { b }) {
            size
        } else if same.iter().any(|value| self.is_unsigned(*value)) {
            Domain::Natural
        } else {
            Domain::Any
        }
    }

    /// Returns the largest value of an integer of at most 16 bits, in the sign in which it is read.
    pub(crate) fn largest_of_few_bits(&self, value: Value<'m>) -> Option<i64> {
        let bits = value.r#type().integer_width().filter(|bits| (8..=16).contains(bits))?;
        let users = self.users.get(&value).into_iter().flatten();
        let is_signed = users.into_iter().any(|user| user.opcode() == Some(Opcode::LLVMSExt));
        Some((1 << if is_signed { bits - 1 } else { bits }) - 1)
    }

    /// Returns true if a value is read as unsigned. A comparison with a constant does not count: optimisers compare so
    /// for `x == 0 || x == 1`.
    fn is_unsigned(&self, value: Value<'m>) -> bool {
        use Opcode as O;
        self.users.get(&value).into_iter().flatten().any(|user| match user.opcode() {
            Some(O::LLVMZExt | O::LLVMUDiv | O::LLVMURem | O::LLVMLShr) => user.operand(0) == Some(value),
            Some(O::LLVMICmp) => {
                let others = user.operands().into_iter().filter(|operand| *operand != value);
                user.is_unsigned_comparison() && others.into_iter().any(|other| other.constant().is_none())
            }
            _ => false,
        })
    }

    /// Returns the domain of a value that is a size or a bound; `None` if it is neither.
    fn size(&self, value: Value<'m>) -> Option<Domain> {
        let uses = |value| {
            let users = self.users.get(&value).into_iter().flatten();
            users.map(|user| self.used(value, *user)).collect()
        };
        uses::size(value, |value| *value, uses)
    }

    fn used(&self, value: Value<'m>, user: Value<'m>) -> Use<Value<'m>> {
        use Opcode as O;
        match user.opcode() {
            Some(O::LLVMIntToPtr | O::LLVMAlloca) => Use::Size,
            Some(O::LLVMGetElementPtr) => Use::Bound,
            Some(O::LLVMICmp) if self.ends_a_loop(user) => Use::Bound,
            Some(O::LLVMPHI) if self.carried.contains(&user) => Use::Bound,
            Some(O::LLVMSelect) if user.operand(0) == Some(value) => nothing(),
            Some(O::LLVMCall | O::LLVMInvoke) => called(user),
            _ if user.r#type().integer_width().is_some_and(|width| width > 1) => computed(user),
            _ => nothing(),
        }
    }

    /// Returns true if a comparison decides in which iteration a loop is left.
    fn ends_a_loop(&self, comparison: Value<'m>) -> bool {
        let varies = comparison.operands().iter().any(|operand| self.varies(*operand, 32));
        varies && self.leads_out(comparison)
    }

    /// Returns true if a value depends on the iteration, by arithmetic alone.
    fn varies(&self, value: Value<'m>, fuel: u32) -> bool {
        let Some(fuel) = fuel.checked_sub(1) else { return true };
        if self.carried.contains(&value) {
            return true;
        }
        let is_computed = value.is_instruction() && value.opcode() != Some(Opcode::LLVMLoad);
        let operands = match value.opcode() {
            Some(Opcode::LLVMPHI) => value.incoming().into_iter().map(|(_, operand)| operand).collect(),
            _ => value.operands(),
        };
        is_computed && operands.into_iter().any(|operand| operand != value && self.varies(operand, fuel))
    }

    /// Returns true if a branch that may leave a loop depends on a truth value.
    fn leads_out(&self, flag: Value<'m>) -> bool {
        let mut seen = BTreeSet::from([flag]);
        let mut open = vec![flag];
        while let Some(flag) = open.pop() {
            for user in self.users.get(&flag).into_iter().flatten() {
                if self.exits.contains(user) {
                    return true;
                }
                if user.r#type().is_flag() && seen.insert(*user) {
                    open.push(*user);
                }
            }
        }
        false
    }
}

/// Returns the use as a condition, or as data.
fn nothing<'m>() -> Use<Value<'m>> {
    Use::PassedOn(Vec::new(), Factor::No)
}

/// Returns the use by an integer that is computed from a value.
fn computed(user: Value<'_>) -> Use<Value<'_>> {
    use Opcode as O;
    let is_product =
        matches!(user.opcode(), Some(O::LLVMMul | O::LLVMShl | O::LLVMUDiv | O::LLVMSDiv | O::LLVMURem | O::LLVMSRem));
    let by_constant = user.operands().iter().any(|operand| operand.constant().is_some());
    Use::PassedOn(vec![user], if is_product && !by_constant { Factor::Yes } else { Factor::No })
}

/// Returns the use of an integer by a call.
fn called(call: Value<'_>) -> Use<Value<'_>> {
    const COMPUTES: [&str; 6] = ["llvm.smin", "llvm.smax", "llvm.umin", "llvm.umax", "llvm.abs", "llvm.usub.sat"];
    let name = call.call().map(|(callee, _)| callee.name().to_owned()).unwrap_or_default();
    let is_memory = ["alloc", "memset", "memcpy", "memmove", "_Znwm", "_Znam"].iter().any(|part| name.contains(part));
    match COMPUTES.iter().any(|stem| name.starts_with(stem)) {
        _ if is_memory => Use::Size,
        true => computed(call),
        false => nothing(),
    }
}

/// Returns base and subscripts of an address, if all subscripts are constants; else the address itself.
fn address(pointer: Value<'_>) -> Address<'_> {
    let is_constant = |operand: &&Value<'_>| operand.constant().is_some();
    match (pointer.opcode(), pointer.operands().split_first()) {
        (Some(Opcode::LLVMGetElementPtr), Some((base, subscripts)))
            if subscripts.iter().filter(is_constant).count() == subscripts.len() =>
        {
            (*base, subscripts.to_vec())
        }
        _ => (pointer, Vec::new()),
    }
}

fn leaves_a_loop(cfg: &Cfg<'_>, node: Node) -> bool {
    let targets = cfg.targets(node);
    targets.len() > 1
        && cfg.loops.iter().any(|inner| {
            inner.blocks.contains(&node) && targets.iter().any(|to| !inner.blocks.contains(to) && cfg.returns(*to))
        })
}
