//! Text of other MLIR versions, rewritten for the one that is linked.
//!
//! MLIR's text is not stable: a file of 2020 has other operations, types and attributes than one of today. A text that
//! MLIR's parser refuses is read as tokens: `outline` finds the operations at top level and those that one function
//! needs, and the others are blanked; `foreign` blanks operations of other tools; `operations` (with `names`, `types`,
//! `affine`, `linalg`, `llvm` and `tosa`) rewrites the rest, and `edits` maps columns of the new text to those of the file. Operations
//! that cannot be rewritten stay unchanged, so MLIR reports the error.

mod affine;
mod edits;
mod foreign;
mod linalg;
mod llvm;
mod names;
mod operations;
mod outline;
mod shapes;
mod statements;
mod tokens;
mod tosa;
mod types;

pub(crate) use edits::Edited;
pub(crate) use outline::{Item, Outline};
pub(crate) use tokens::nesting;

use edits::Edits;
use outline::{ItemKind, body};
use tokens::{Token, closing, find};

/// Returns the part that one function needs, in today's syntax, and notes about omissions, with line and column from 1.
pub(crate) fn upgrade(outline: &Outline, root: &Item, ignored: &[String]) -> (Edited, Vec<(usize, usize, String)>) {
    let Outline { text, tokens, items, module_attributes, .. } = outline;
    let mut edits = Edits::default();
    let part = outline.part(root);
    edits.blank(text, 0..part.start);
    edits.blank(text, part.end..text.len());
    for attributes in module_attributes {
        edits.blank(text, bytes(tokens, attributes.start, attributes.end));
    }
    let reached = outline.reached(root);
    let mut omissions = Vec::new();
    for (index, item) in items.iter().enumerate() {
        match item.kind {
            _ if !reached.contains(&index) => {
                edits.blank(text, bytes(tokens, item.tokens.start, item.tokens.end));
            }
            ItemKind::Function { .. } => {
                header(text, tokens, item, &mut edits);
                omissions.extend(foreign::leave_out(text, tokens, item.tokens.clone(), ignored, &mut edits));
                operations::rewrite(text, tokens, item.tokens.clone(), &mut edits);
            }
            ItemKind::Alias => {
                alias(tokens, item, &mut edits);
                types::rewrite(text, tokens, item.tokens.clone(), &mut edits);
            }
            ItemKind::Global | ItemKind::Other => operations::rewrite(text, tokens, item.tokens.clone(), &mut edits),
        }
    }
    let place = |omission: foreign::Omission| {
        let (line, column) = outline.place(omission.start);
        (line, column, omission.text)
    };
    (edits.apply(text), omissions.into_iter().map(place).collect())
}

fn bytes(tokens: &[Token], first: usize, end: usize) -> std::ops::Range<usize> {
    match (tokens.get(first), tokens.get(..end).and_then(<[_]>::last)) {
        (Some(first), Some(last)) => first.start..last.end(),
        (Some(first), None) => first.start..tokens.last().map_or(first.start, |last| last.end()),
        _ => 0..0,
    }
}

/// Blanks the attributes of a function and its arguments, which do not affect accesses, and may no longer be valid.
fn header(text: &str, tokens: &[Token], item: &Item, edits: &mut Edits) {
    if tokens[item.tokens.start].text.starts_with('"') {
        return;
    }
    let own = &tokens[item.tokens.clone()];
    let end = body(own).unwrap_or(own.len());
    let mut at = 0;
    while at < end {
        let start = at;
        match own[at].text {
            "attributes" => at = closing(own, at + 1),
            "{" => at = closing(own, at),
            _ => {
                at += 1;
                continue;
            }
        }
        at = (at + 1).min(end);
        edits.blank(text, bytes(own, start, at));
    }
}

/// Rewrites `#map = (d0) -> (d0)` and `#set = (d0) : (d0 >= 0)` with `affine_map<…>` and `affine_set<…>`.
fn alias(tokens: &[Token], item: &Item, edits: &mut Edits) {
    let value = item.tokens.start + 2..item.tokens.end;
    if tokens.get(value.start).is_none_or(|token| token.text != "(") {
        return;
    }
    if find(tokens, value.clone(), "->").is_some() {
        types::map(tokens, &value, "affine_map<", edits);
    } else if find(tokens, value.clone(), ":").is_some() {
        types::map(tokens, &value, "affine_set<", edits);
    }
}
