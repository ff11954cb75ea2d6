//! Operations of `linalg` in the syntax before LLVM 12 to 14: operands in parentheses, the outputs last; iterators as
//! arguments of the block.

use std::ops::Range;

use super::edits::Edits;
use super::shapes::Shape;
use super::statements::Statement;
use super::tokens::{Token, closing};
use super::types;

pub(crate) fn rewrite(statement: &Statement, name: &str, edits: &mut Edits) {
    match statement.token(1) {
        "(" if !["linalg.yield", "linalg.index"].contains(&name) => named(statement, name, edits),
        "{" if name == "linalg.generic" => generic(statement, edits),
        alias if name == "linalg.generic" && alias.starts_with('#') => generic(statement, edits),
        _ => {}
    }
}

/// Rewrites `linalg.matmul(%A, %B, %C) : memref<…>, memref<…>, memref<…>`.
fn named(statement: &Statement, name: &str, edits: &mut Edits) {
    let open = statement.at + 1;
    let close = closing(statement.tokens, open);
    let Some(types) = statement.signature().filter(|types| close < types.start) else { return };
    let attributes = statement.text_of(&(close + 1..types.start - 1));
    if name == "linalg.copy" && !attributes.is_empty() {
        return; // a transposition, which has no name today
    }
    let operands = statement.split(open + 1..close);
    let arrow = statement.find(types.clone(), "->");
    let of_operands = statement.split(types.start..arrow.unwrap_or(types.end));
    if operands.len() != of_operands.len() {
        return;
    }
    let typed = |(value, kind): (&Range<usize>, &Range<usize>)| {
        (statement.text_of(value).to_owned(), types::modern(statement.text_of(kind)))
    };
    let mut operands: Vec<_> = operands.iter().zip(&of_operands).map(typed).collect();
    if name == "linalg.fill" {
        // Until LLVM 13 the output came first.
        operands.sort_by_key(|(_, kind)| Shape::of(kind).is_some());
    }
    let results = arrow.map_or("", |arrow| statement.text_of(&(arrow..types.end)));
    let new = format!(" {attributes} {} {results}", grouped(&operands, 1));
    edits.replace(statement.bytes(&(open..types.end)), new);
}

/// Returns `ins(%A : memref<…>) outs(%B : memref<…>)`, with a number of outputs.
fn grouped(operands: &[(String, String)], outputs: usize) -> String {
    let group = |name: &str, operands: &[(String, String)]| {
        let (values, types): (Vec<&str>, Vec<&str>) = operands.iter().map(|(v, t)| (v.as_str(), t.as_str())).unzip();
        if values.is_empty() { String::new() } else { format!("{name}({} : {})", values.join(", "), types.join(", ")) }
    };
    let (inputs, outputs) = operands.split_at(operands.len().saturating_sub(outputs));
    format!("{} {}", group("ins", inputs), group("outs", outputs))
}

/// Rewrites `linalg.generic {args_in = 2, args_out = 1, …} %A, %B, %C { … } : memref<…>, memref<…>, memref<…>`.
fn generic(statement: &Statement, edits: &mut Edits) {
    let tokens = statement.tokens;
    let trait_at = statement.at + 1;
    let (attributes, first) = match tokens[trait_at].text {
        "{" => (trait_at..closing(tokens, trait_at), closing(tokens, trait_at) + 1),
        alias => match definition(tokens, alias) {
            Some(attributes) => (attributes, trait_at + 1),
            None => return,
        },
    };
    let (Some(_), Some(outputs)) =
        (count(statement, &attributes, "args_in"), count(statement, &attributes, "args_out"))
    else {
        return;
    };
    let Some(open) = statement.find(first..statement.end, "{") else { return };
    let close = closing(tokens, open);
    let Some(colon) = statement.find(close + 1..statement.end, ":") else { return };
    let values = statement.split(first..open);
    let kinds = statement.split(colon + 1..statement.end);
    if values.len() != kinds.len() {
        return;
    }
    let typed = |(value, kind): (&Range<usize>, &Range<usize>)| {
        (statement.text_of(value).to_owned(), types::modern(statement.text_of(kind)))
    };
    let operands: Vec<_> = values.iter().zip(&kinds).map(typed).collect();
    for key in ["args_in", "args_out"] {
        if let Some(at) = position(statement, &attributes, key) {
            // `args_in = 2,` or `args_in = 2 : i64,`
            let value = if tokens[at + 3].text == ":" { 5 } else { 3 };
            let comma = usize::from(tokens.get(at + value).is_some_and(|token| token.text == ","));
            edits.blank(statement.text, statement.bytes(&(at..at + value + comma)));
        }
    }
    edits.replace(statement.bytes(&(first..open)), grouped(&operands, outputs));
    edits.blank(statement.text, statement.bytes(&(colon..statement.end)));
}

/// Rewrites `linalg.indexed_generic`, before LLVM 13: the first arguments of its block were the iterators, which are
/// now results of `linalg.index`.
pub(crate) fn indices(statement: &Statement, edits: &mut Edits) {
    let tokens = statement.tokens;
    let block = |&at: &usize| tokens[at].text.starts_with('^') && tokens.get(at + 1).is_some_and(|t| t.text == "(");
    let Some(label) = (statement.at + 1..statement.end).find(block) else { return };
    let close = closing(tokens, label + 1);
    let arguments = statement.split(label + 2..close);
    let is_index = |argument: &&Range<usize>| tokens[argument.end - 1].text == "index";
    let iterators: Vec<_> = arguments.iter().take_while(is_index).collect();
    let Some(last) = iterators.last() else { return };
    let index = |(number, argument): (usize, &&Range<usize>)| {
        format!(" {} = linalg.index {number} : index", tokens[argument.start].text)
    };
    let values: String = iterators.iter().enumerate().map(index).collect();
    let behind = if tokens[last.end].text == "," { last.end + 1 } else { last.end };
    edits.blank(statement.text, statement.bytes(&(iterators[0].start..behind)));
    if let Some(colon) = tokens.get(close + 1) {
        edits.insert(colon.end(), values);
    }
}

/// Returns the attributes that an alias stands for.
fn definition(tokens: &[Token], alias: &str) -> Option<Range<usize>> {
    let defines = |three: &[Token]| three[0].text == alias && three[1].text == "=" && three[2].text == "{";
    let at = tokens.windows(3).position(defines)? + 2;
    Some(at..closing(tokens, at))
}

fn position(statement: &Statement, attributes: &Range<usize>, key: &str) -> Option<usize> {
    attributes.clone().find(|&at| statement.tokens[at].text == key && at + 3 < statement.tokens.len())
}

fn count(statement: &Statement, attributes: &Range<usize>, key: &str) -> Option<usize> {
    statement.tokens[position(statement, attributes, key)? + 2].text.parse().ok()
}
