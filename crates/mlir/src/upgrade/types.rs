//! Types in the syntax of other versions.
//!
//! - memrefs whose layout is `offset: 0, strides: [4, 1]` (before LLVM 16) or a map without `affine_map<…>` (before
//!   10),
//! - typed pointers of the LLVM dialect (before LLVM 17), and its own names for integers and floats (before 12),
//! - fixed-point numbers of HeteroCL, which become integers of the same width.

use std::ops::Range;

use super::edits::Edits;
use super::tokens::{Token, closing, find, split, text_of, tokens};

/// Rewrites the types among some tokens.
pub(crate) fn rewrite(text: &str, tokens: &[Token], range: Range<usize>, edits: &mut Edits) {
    for at in range {
        match tokens[at].text {
            "memref" if follows(tokens, at, "<") => memref(text, tokens, at, edits),
            "!llvm.ptr" if follows(tokens, at, "<") => pointer(text, tokens, at, edits),
            // After extents the word begins with them: `10x!hcl.Fixed`.
            word if (word.ends_with("!hcl.Fixed") || word.ends_with("!hcl.UFixed")) && follows(tokens, at, "<") => {
                fixed(tokens, at, edits);
            }
            "!llvm" if follows(tokens, at, "<") => quoted(tokens, at, edits),
            // Inside another type of the LLVM dialect the prefix is left out.
            "ptr" if follows(tokens, at, "<") => pointer(text, tokens, at, edits),
            word => {
                if let Some((_, new)) = SCALARS.iter().find(|(old, _)| *old == word) {
                    edits.replace(tokens[at].start..tokens[at].end(), *new);
                }
            }
        }
    }
}

/// Returns a text with today's types.
pub(crate) fn modern(text: &str) -> String {
    let tokens = tokens(text);
    let mut edits = Edits::default();
    rewrite(text, &tokens, 0..tokens.len(), &mut edits);
    edits.apply(text).text
}

/// Returns the pointee of a typed pointer of the LLVM dialect.
pub(crate) fn pointee(pointer: &str) -> Option<String> {
    let inner = pointer.trim().strip_prefix("!llvm.ptr<")?.strip_suffix('>')?;
    let tokens = tokens(inner);
    let first = split(&tokens, 0..tokens.len()).into_iter().next()?;
    let inner = modern(text_of(inner, &tokens, &first)).trim_end().to_owned();
    let is_own = ["array", "ptr", "struct", "func", "void", "vec"]
        .iter()
        .any(|name| inner.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('<')));
    Some(if is_own { format!("!llvm.{inner}") } else { inner })
}

const SCALARS: &[(&str, &str)] = &[
    ("!llvm.i1", "i1"),
    ("!llvm.i8", "i8"),
    ("!llvm.i16", "i16"),
    ("!llvm.i32", "i32"),
    ("!llvm.i64", "i64"),
    ("!llvm.half", "f16"),
    ("!llvm.float", "f32"),
    ("!llvm.double", "f64"),
];

fn follows(tokens: &[Token], at: usize, wanted: &str) -> bool {
    tokens.get(at + 1).is_some_and(|token| token.text == wanted)
}

/// Removes the pointee of `!llvm.ptr<i8>`; a number alone is an address space and stays.
fn pointer(text: &str, tokens: &[Token], at: usize, edits: &mut Edits) {
    let close = closing(tokens, at + 1);
    let (Some(first), Some(last)) = (tokens.get(at + 1), tokens.get(close)) else { return };
    let is_space = close == at + 3 && tokens[at + 2].text.bytes().all(|b| b.is_ascii_digit());
    if !is_space {
        edits.blank(text, first.start..last.end());
    }
}

/// Rewrites `!hcl.Fixed<32, 2>`, whose first number is the width in bits.
fn fixed(tokens: &[Token], at: usize, edits: &mut Edits) {
    let close = closing(tokens, at + 1);
    let extents = tokens[at].text.find('!').unwrap_or(0);
    if let (Some(bits), Some(last)) = (tokens.get(at + 2), tokens.get(close)) {
        edits.replace(tokens[at].start + extents..last.end(), format!("i{}", bits.text));
    }
}

/// Rewrites `!llvm<"i8*">`, LLVM 11.
fn quoted(tokens: &[Token], at: usize, edits: &mut Edits) {
    let [_, _, inner, close, ..] = &tokens[at..] else { return };
    let inner = inner.text.trim_matches('"');
    let scalar = SCALARS.iter().find(|(old, _)| old.strip_prefix("!llvm.") == Some(inner));
    let new = match scalar {
        Some((_, new)) => *new,
        None if inner.ends_with('*') => "!llvm.ptr",
        None => return,
    };
    edits.replace(tokens[at].start..close.end(), new);
}

fn memref(text: &str, tokens: &[Token], at: usize, edits: &mut Edits) {
    let close = closing(tokens, at + 1);
    if close >= tokens.len() {
        return;
    }
    if tokens.get(at + 2..close).into_iter().flatten().take(2).any(|element| element.text.ends_with("x!llvm.struct")) {
        // A pointer in C to a struct such as `FILE`; MLIR needs the sizes of elements.
        return edits.replace(tokens[at].start..tokens[close].end(), "!llvm.ptr");
    }
    let parts = split(tokens, at + 2..close);
    for (position, part) in parts.iter().enumerate().skip(1) {
        match tokens[part.start].text {
            "offset" => strided(text, tokens, part, parts.get(position + 1), edits),
            "(" if find(tokens, part.clone(), "->").is_some() => map(tokens, part, "affine_map<", edits),
            _ => {}
        }
    }
}

/// Rewrites `offset: 0, strides: [4, 1]` as `strided<[4, 1]>`.
fn strided(text: &str, tokens: &[Token], offset: &Range<usize>, strides: Option<&Range<usize>>, edits: &mut Edits) {
    let Some(strides) = strides.filter(|strides| tokens[strides.start].text == "strides") else { return };
    let list = text_of(text, tokens, &(strides.start + 2..strides.end));
    let value = text_of(text, tokens, &(offset.start + 2..offset.end));
    let new = if value == "0" { format!("strided<{list}>") } else { format!("strided<{list}, offset: {value}>") };
    edits.replace(tokens[offset.start].start..tokens[strides.end - 1].end(), new);
}

/// Wraps a map or a set in `affine_map<…>` or `affine_set<…>`.
pub(crate) fn map(tokens: &[Token], range: &Range<usize>, opening: &str, edits: &mut Edits) {
    edits.insert(tokens[range.start].start, opening);
    edits.insert(tokens[range.end - 1].end(), ">");
}
