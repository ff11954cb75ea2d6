//! Local arrays that a compiler may put into the same memory.
//!
//! Calls of `llvm.lifetime.start` and `llvm.lifetime.end` mark the scope of a local variable. LLVM gives variables that are never alive
//! at the same time one place on the stack.

use std::collections::BTreeSet;

use crate::cfg::{Cfg, Node};
use crate::ffi::Value;

/// Returns those of some local variables that are never alive at the same time as one of the others, in their order.
pub(crate) fn never_together<'m>(variables: &[Value<'m>], cfg: &Cfg<'m>) -> Vec<Value<'m>> {
    let started = |variable: Value<'m>| started_within(variable, cfg);
    let lives: Vec<_> = variables.iter().map(|variable| (*variable, started(*variable))).collect();
    let is_apart = |one: &(Value<'m>, Option<Vec<Value<'m>>>), other: &(Value<'m>, Option<Vec<Value<'m>>>)| {
        let ((variable, Some(within)), (another, Some(within_another))) = (one, other) else { return false };
        variable != another && !within.contains(another) && !within_another.contains(variable)
    };
    lives.iter().filter(|one| lives.iter().any(|other| is_apart(one, other))).map(|(variable, _)| *variable).collect()
}

/// Returns the variables whose scopes start within the scope of a variable; `None` if nothing marks its start.
fn started_within<'m>(variable: Value<'m>, cfg: &Cfg<'m>) -> Option<Vec<Value<'m>>> {
    let mut open: Vec<(Node, usize)> = Vec::new();
    for (node, block) in cfg.blocks.iter().enumerate() {
        let starts = block.instructions().into_iter().map(Border::of).enumerate();
        let own = starts.filter(|(_, border)| *border == Some(Border::Start(variable)));
        open.extend(own.map(|(position, _)| (node, position + 1)));
    }
    (!open.is_empty()).then_some(())?;
    let (mut found, mut entered) = (Vec::new(), BTreeSet::new());
    while let Some((node, first)) = open.pop() {
        let mut borders = cfg.blocks[node].instructions().into_iter().skip(first).filter_map(Border::of);
        let ends = borders.any(|border| match border {
            Border::End(ended) => ended == variable,
            Border::Start(started) => {
                found.push(started);
                false
            }
        });
        let next = if ends { &[][..] } else { cfg.targets(node) };
        open.extend(next.iter().filter(|node| entered.insert(**node)).map(|node| (*node, 0)));
    }
    Some(found)
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
