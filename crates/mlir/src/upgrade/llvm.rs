//! Operations of the LLVM dialect: typed pointers, calls and globals.

use super::edits::Edits;
use super::statements::Statement;
use super::tokens::closing;
use super::types;

/// Rewrites a load or store through a typed pointer, before LLVM 17.
pub(super) fn pointer(statement: &Statement, edits: &mut Edits, new: impl Fn(&str) -> String) {
    let Some(types) = statement.signature() else { return };
    if let Some(to) = types::pointee(statement.text_of(&types)) {
        edits.replace(statement.bytes(&types), new(&to));
    }
}

pub(super) fn element_pointer(statement: &Statement, edits: &mut Edits) {
    let Some(types) = statement.signature().filter(|types| statement.tokens[types.start].text == "(") else { return };
    let operands = statement.split(types.start + 1..closing(statement.tokens, types.start));
    let first = operands.first().and_then(|first| types::pointee(statement.text_of(first)));
    if let Some(to) = first {
        edits.replace(statement.bytes(&types), format!("{}, {to}", types::modern(statement.text_of(&types))));
    }
}

/// Rewrites a call of a function of the LLVM dialect, whose declaration is left out.
pub(super) fn call(statement: &Statement, edits: &mut Edits) {
    let header = statement.at + 1..statement.end;
    let callee = header.clone().find(|&at| statement.tokens[at].text.starts_with('@'));
    let Some(callee) = callee.filter(|at| *at <= statement.at + 2) else { return };
    let open = callee + 1;
    let close = closing(statement.tokens, open);
    let Some(types) = statement.signature().filter(|types| close < types.start) else { return };
    let name = statement.tokens[callee].text;
    edits.replace(statement.bytes(&(statement.at..callee + 1)), "\"symloc.llvm_call\"");
    let signature = types::modern(statement.text_of(&types)).replace("-> !llvm.void", "-> ()");
    edits.replace(statement.bytes(&(close + 1..types.end)), format!(" {{callee = {name}}} : {signature}"));
}

/// Rewrites the address of a global of the LLVM dialect, which is left out.
pub(super) fn address(statement: &Statement, edits: &mut Edits) {
    let Some(types) = statement.signature() else { return };
    let global = statement.token(1);
    let new = format!("\"symloc.address\"() {{global = {global}}} : () -> !llvm.ptr");
    edits.replace(statement.bytes(&(statement.at..types.end)), new);
}
