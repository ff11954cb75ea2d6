//! The places where local variables are assigned to, by their names or by pointers to them.
//!
//! Threads share a variable that is declared outside of their loop, so a loop that assigns to it has no model with threads, unless a
//! clause gives each thread its own. Once variables are in registers nothing tells who has declared them, so this looks at
//! the function before. An address may be in other variables: in parameters of inlined functions, in references, in what a
//! lambda captures. Which addresses a value may be is found in rounds, without regard to the order of statements: a
//! variable that holds one of several addresses may hold each of them at any time.

use std::collections::{BTreeMap, BTreeSet};

use symloc_frontend::{AssignedVariable, library};

use crate::ir::ffi::{Opcode, Value};
use crate::ir::places::{Declaration, Places};
use crate::memory::mod_ref::filled;

/// A local variable that is assigned to.
pub(crate) struct AssignedLocal {
    /// LLVM's name of it, which goes with the variable when it comes into a register.
    pub(crate) alloca: String,
    pub(crate) variable: AssignedVariable,
}

/// Returns the variables of the source that a function assigns to, with the places.
pub(crate) fn assigned<'m>(function: Value<'m>, places: &Places<'m>) -> Vec<AssignedLocal> {
    let variables = function.instructions().filter(|instruction| instruction.opcode() == Some(Opcode::LLVMAlloca));
    let variables: Vec<Value<'m>> = variables.collect();
    let addresses = Addresses::new(function, &variables);
    let mut found: BTreeMap<usize, AssignedVariable> = BTreeMap::new();
    for instruction in function.instructions() {
        for variable in written(instruction).iter().flat_map(|address| addresses.of(*address)) {
            let Some(name) = places.name(variables[variable]) else { continue };
            let declaration = places.declaration(variables[variable]).filter(Declaration::is_in_text);
            let Some(declaration) = declaration else { continue };
            let of_variable = found.entry(variable).or_insert_with(|| AssignedVariable {
                name,
                declared: declaration.places,
                assigned: Vec::new(),
            });
            of_variable.assigned.extend(places.with_calls(instruction));
        }
    }
    let local = |(variable, found): (usize, AssignedVariable)| AssignedLocal {
        alloca: variables[variable].name().to_owned(),
        variable: found,
    };
    found.into_iter().map(local).collect()
}

/// Returns the addresses that an instruction may write to.
fn written(instruction: Value<'_>) -> Vec<Value<'_>> {
    match instruction.opcode() {
        Some(Opcode::LLVMStore) => instruction.operand(1).into_iter().collect(),
        Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => written_by_call(instruction),
        _ => Vec::new(),
    }
}

fn written_by_call(call: Value<'_>) -> Vec<Value<'_>> {
    if let Some(destination) = filled(call) {
        return vec![destination];
    }
    let Some((callee, arguments)) = call.call() else { return call.operands() };
    let name = callee.name();
    let only_reads = name.starts_with("llvm.") || library::is_pure(name) || library::prints(name);
    match only_reads || call.touches_no_memory() {
        true => Vec::new(),
        false => arguments,
    }
}

fn is_copy(name: &str) -> bool {
    ["llvm.memcpy", "llvm.memmove"].iter().any(|copy| name.starts_with(copy))
}

/// The variables whose addresses values may be, or be made of.
struct Addresses<'m> {
    /// By value.
    values: BTreeMap<Value<'m>, BTreeSet<usize>>,
    /// By variable, the addresses that it may hold.
    held: Vec<BTreeSet<usize>>,
}

impl<'m> Addresses<'m> {
    fn new(function: Value<'m>, variables: &[Value<'m>]) -> Self {
        let values = variables.iter().copied().zip((0..).map(|variable| BTreeSet::from([variable]))).collect();
        let mut addresses = Self { values, held: vec![BTreeSet::new(); variables.len()] };
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for instruction in function.instructions() {
                has_changed |= addresses.add(instruction);
            }
        }
        addresses
    }

    /// Returns the variables whose addresses a value may be.
    fn of(&self, value: Value<'m>) -> impl Iterator<Item = usize> {
        self.values.get(&value).into_iter().flatten().copied()
    }

    /// Returns what the variables hold whose addresses a value may be.
    fn behind(&self, address: Option<Value<'m>>) -> BTreeSet<usize> {
        let variables = address.into_iter().flat_map(|address| self.of(address));
        variables.flat_map(|variable| self.held[variable].iter().copied()).collect()
    }

    /// Adds what an instruction does to addresses; returns true if that is new.
    fn add(&mut self, instruction: Value<'m>) -> bool {
        match instruction.opcode() {
            Some(Opcode::LLVMStore) => {
                let stored = instruction.operand(0).into_iter().flat_map(|value| self.of(value)).collect();
                self.hold(instruction.operand(1), &stored)
            }
            Some(Opcode::LLVMLoad) => self.extend(instruction, self.behind(instruction.operand(0))),
            Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => {
                let arguments = instruction.call().map(|(_, arguments)| arguments).unwrap_or_default();
                if instruction.call().is_some_and(|(callee, _)| is_copy(callee.name())) {
                    let copied = self.behind(arguments.get(1).copied());
                    return self.hold(arguments.first().copied(), &copied);
                }
                self.extend(instruction, arguments.into_iter().flat_map(|argument| self.of(argument)).collect())
            }
            _ => {
                let operands = instruction.operands();
                self.extend(instruction, operands.into_iter().flat_map(|operand| self.of(operand)).collect())
            }
        }
    }

    fn extend(&mut self, value: Value<'m>, more: BTreeSet<usize>) -> bool {
        if more.is_empty() {
            return false;
        }
        let known = self.values.entry(value).or_default();
        let before = known.len();
        known.extend(more);
        known.len() > before
    }

    /// Notes addresses in the variables that an address may be that of.
    fn hold(&mut self, address: Option<Value<'m>>, stored: &BTreeSet<usize>) -> bool {
        let variables: Vec<usize> = address.into_iter().flat_map(|address| self.of(address)).collect();
        let mut has_changed = false;
        for variable in variables {
            let before = self.held[variable].len();
            self.held[variable].extend(stored);
            has_changed |= self.held[variable].len() > before;
        }
        has_changed
    }
}
