//! Local arrays that a compiler may put into the same memory.
//!
//! Calls of `llvm.lifetime.start` and `llvm.lifetime.end` mark the scope of a local variable. LLVM gives variables that
//! are never alive at the same time one place on the stack, and lets a life begin at the first use in the scope.

use std::collections::BTreeSet;

use crate::ir::cfg::{Cfg, Node};
use crate::ir::ffi::Value;

/// Returns those of some local variables that are never alive at the same time as one of the others, in their order.
pub(crate) fn never_together<'m>(variables: &[Value<'m>], cfg: &Cfg<'m>) -> Vec<Value<'m>> {
    let lives: Vec<_> = variables.iter().filter_map(|variable| Life::of(*variable, cfg)).collect();
    let is_apart = |life: &&Life<'m>| lives.iter().any(|other| !life.meets(other));
    lives.iter().filter(is_apart).map(|life| life.variable).collect()
}

/// The life of a local variable.
struct Life<'m> {
    variable: Value<'m>,
    /// The operands of all instructions in it.
    operands: BTreeSet<Value<'m>>,
}

impl<'m> Life<'m> {
    /// Returns the life of a variable; `None` if nothing marks where its scope starts.
    fn of(variable: Value<'m>, cfg: &Cfg<'m>) -> Option<Self> {
        let mut open: Vec<(Node, usize, bool)> = Vec::new();
        for (node, block) in cfg.blocks.iter().enumerate() {
            let starts = block.instructions().into_iter().map(Border::of).enumerate();
            let own = starts.filter(|(_, border)| *border == Some(Border::Start(variable)));
            open.extend(own.map(|(position, _)| (node, position + 1, false)));
        }
        (!open.is_empty()).then_some(())?;
        let (mut operands, mut entered) = (BTreeSet::new(), BTreeSet::new());
        while let Some((node, first, mut is_used)) = open.pop() {
            let ends = cfg.blocks[node].instructions().into_iter().skip(first).any(|instruction| {
                let border = Border::of(instruction);
                if border.is_none() {
                    let found = instruction.operands();
                    is_used |= found.contains(&variable);
                    operands.extend(found.into_iter().filter(|_| is_used));
                }
                border == Some(Border::End(variable))
            });
            let next = if ends { &[][..] } else { cfg.targets(node) };
            let next = next.iter().map(|node| (*node, 0, is_used));
            open.extend(next.filter(|(node, _, is_used)| entered.insert((*node, *is_used))));
        }
        Some(Self { variable, operands })
    }

    /// Returns true if one of two variables is used in the life of the other one.
    fn meets(&self, other: &Self) -> bool {
        self.operands.contains(&other.variable) || other.operands.contains(&self.variable)
    }
}

/// The start or the end of a variable's scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Border<'m> {
    Start(Value<'m>),
    End(Value<'m>),
}

impl<'m> Border<'m> {
    fn of(instruction: Value<'m>) -> Option<Self> {
        let (callee, arguments) = instruction.call()?;
        // Before LLVM 22 the size stood in front of the variable.
        let variable = *arguments.last()?;
        if callee.name().starts_with("llvm.lifetime.start") {
            return Some(Self::Start(variable));
        }
        callee.name().starts_with("llvm.lifetime.end").then_some(Self::End(variable))
    }
}
