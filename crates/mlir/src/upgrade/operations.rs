//! Operations in the syntax of other versions.

use std::ops::Range;

use super::affine;
use super::edits::Edits;
use super::linalg;
use super::llvm;
use super::names;
use super::shapes::Shape;
use super::statements::{Statement, is_operation};
use super::tokens::{Token, closing, flat, tokens};
use super::tosa;
use super::types;

/// Rewrites the operations and types among some tokens of a text.
pub(crate) fn rewrite(text: &str, tokens: &[Token], range: Range<usize>, edits: &mut Edits) {
    for at in range.clone().filter(|&at| is_operation(text, tokens, at)) {
        let (token, old) = (tokens[at], tokens[at].text.trim_matches('"'));
        let new = names::modern(old).unwrap_or(old);
        if new.starts_with("tosa.") && tosa::rewrite(&Statement::new(text, tokens, at), edits) {
            continue;
        }
        if token.text.starts_with('"') {
            if new != old {
                edits.replace(token.start..token.end(), format!("\"{new}\""));
            }
            continue;
        }
        let statement = Statement::new(text, tokens, at);
        let new = by_operand(&statement, new);
        if new != old {
            edits.replace(token.start..token.end(), new);
        }
        syntax(&statement, new, edits);
    }
    types::rewrite(text, tokens, range, edits);
}

/// Returns a text with today's operations, on one line.
fn modern(text: &str) -> String {
    let words = tokens(text);
    let mut edits = Edits::default();
    rewrite(text, &words, 0..words.len(), &mut edits);
    flat(&tokens(&edits.apply(text).text))
}

/// Returns today's name of an operation whose old name stands for several, by its operand.
fn by_operand<'n>(statement: &Statement, name: &'n str) -> &'n str {
    let on_tensor = || statement.signature().is_some_and(|types| statement.tokens[types.start].text == "tensor");
    match name {
        "arith.constant" if statement.token(1).starts_with('@') => "func.constant",
        "memref.dim" if on_tensor() => "tensor.dim",
        "memref.rank" if on_tensor() => "tensor.rank",
        "vector.broadcast" if statement.token(0) != "vector.broadcast" && on_tensor() => "tensor.splat",
        _ => name,
    }
}

fn syntax(statement: &Statement, name: &str, edits: &mut Edits) {
    match name {
        "arith.cmpi" | "arith.cmpf" => unquote(statement, edits),
        "memref.atomic_rmw" | "affine.parallel" => combinations(statement, edits),
        "memref.dim" | "tensor.dim" => dimension(statement, edits),
        "scf.parallel" => reductions(statement, edits),
        "memref.expand_shape" | "tensor.expand_shape" => expand(statement, name, edits),
        "tensor.empty" => sizes(statement, edits),
        "tensor.pad" => pad(statement, edits),
        "affine.load" | "affine.store" | "affine.vector_load" | "affine.vector_store" => {
            affine::plain_symbols(statement, edits)
        }
        "affine.apply" | "affine.max" | "affine.min" => affine::symbols_as_dimensions(statement, edits),
        "bufferization.to_tensor" | "bufferization.to_buffer" => tensor(statement, name, edits),
        "bufferization.materialize_in_destination" => tensor_store(statement, edits),
        "vector.broadcast" => splat(statement, edits),
        "vector.extract" => extract(statement, edits),
        "vector.reduction" => reduction(statement, edits),
        "llvm.load" => llvm::pointer(statement, edits, |to| format!("!llvm.ptr -> {to}")),
        "llvm.store" => llvm::pointer(statement, edits, |to| format!("{to}, !llvm.ptr")),
        "llvm.getelementptr" => llvm::element_pointer(statement, edits),
        "llvm.call" => llvm::call(statement, edits),
        "llvm.mlir.addressof" => llvm::address(statement, edits),
        _ if name.starts_with("linalg.") => {
            linalg::rewrite(statement, name, edits);
            if statement.token(0) == "linalg.indexed_generic" {
                linalg::indices(statement, edits);
            }
        }
        _ => {}
    }
}

/// Rewrites the end of `linalg.pad_tensor`, before LLVM 14 a `linalg.yield`.
fn pad(statement: &Statement, edits: &mut Edits) {
    for at in statement.at + 1..statement.end {
        if statement.tokens[at].text == "linalg.yield" {
            edits.replace(statement.bytes(&(at..at + 1)), "tensor.yield");
        }
    }
}

/// Rewrites `cmpi "slt", …`, before LLVM 12.
fn unquote(statement: &Statement, edits: &mut Edits) {
    let predicate = statement.token(1);
    if predicate.starts_with('"') {
        edits.replace(statement.bytes(&(statement.at + 1..statement.at + 2)), predicate.replace('"', " "));
    }
}

/// Rewrites `"maxf"` as `maximumf`, since LLVM 18, and the combination of `atomic_rmw`, a string before 12.
fn combinations(statement: &Statement, edits: &mut Edits) {
    let end = statement.find(statement.at + 1..statement.end, "{").unwrap_or(statement.end);
    for at in statement.at + 1..end {
        let word = statement.tokens[at].text;
        let plain = word.trim_matches('"');
        let new = match plain {
            "maxf" => "maximumf",
            "minf" => "minimumf",
            _ => plain,
        };
        let quoted = word.starts_with('"') && statement.token(0) == "affine.parallel";
        let new = if quoted { format!("\"{new}\"") } else { new.to_owned() };
        if new != word && (word.starts_with('"') || new != plain) {
            edits.replace(statement.bytes(&(at..at + 1)), new);
        }
    }
}

/// Rewrites `dim %A, 0`, before LLVM 12.
fn dimension(statement: &Statement, edits: &mut Edits) {
    let number = statement.token(3);
    if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
        return;
    }
    let constant = statement.fresh(0);
    edits.insert(statement.tokens[statement.start].start, format!("{constant} = arith.constant {number} : index "));
    edits.replace(statement.bytes(&(statement.at + 3..statement.at + 4)), constant);
}

/// Rewrites `scf.parallel`, which ended with `scf.yield` and had an `scf.reduce` for each reduction; since LLVM 18 it
/// ends with one `scf.reduce`.
fn reductions(statement: &Statement, edits: &mut Edits) {
    let tokens = statement.tokens;
    let Some(open) = statement.find(statement.at + 1..statement.end, "{") else { return };
    let close = closing(tokens, open);
    let (mut operands, mut regions) = (Vec::new(), Vec::new());
    let mut at = open + 1;
    while at < close.min(tokens.len()) {
        match tokens[at].text {
            "scf.yield" | "scf.terminator" | "loop.yield" | "loop.terminator" => {
                edits.blank(statement.text, statement.bytes(&(at..at + 1)));
            }
            "scf.reduce" | "loop.reduce" => {
                let inner = Statement::new(statement.text, tokens, at);
                if let Some((operand, region)) = old_reduction(&inner) {
                    operands.push(operand);
                    regions.push(region);
                    edits.blank(statement.text, statement.bytes(&(at..inner.end)));
                }
                at = inner.end;
                continue;
            }
            "{" | "(" | "[" => at = closing(tokens, at),
            _ => {}
        }
        at += 1;
    }
    if let (false, Some(brace)) = (operands.is_empty(), tokens.get(close)) {
        let (values, types): (Vec<String>, Vec<String>) = operands.into_iter().unzip();
        let reduce = format!(" scf.reduce({} : {}) {} ", values.join(", "), types.join(", "), regions.join(", "));
        edits.insert(brace.start, reduce);
    }
}

/// Returns the value with its type, and the region, of `scf.reduce(%x) : f32 { … }`.
fn old_reduction(reduce: &Statement) -> Option<((String, String), String)> {
    let types = reduce.signature()?;
    let open = reduce.find(types.clone(), "{")?;
    let region = modern(reduce.text_of(&(open..closing(reduce.tokens, open) + 1)));
    let operand = reduce.token(2).to_owned();
    Some(((operand, types::modern(reduce.text_of(&(types.start..open)))), region))
}

/// Adds the extents to an `expand_shape`, since LLVM 19. One that is not constant is that of the source divided by the
/// others.
fn expand(statement: &Statement, name: &str, edits: &mut Edits) {
    let Some(types) = statement.signature() else { return };
    let into = statement.find(types.clone(), "into");
    let has_shape = statement.find(statement.at..statement.end, "output_shape").is_some();
    let (Some(into), false) = (into, has_shape) else { return };
    let source = types::modern(statement.text_of(&(types.start..into)));
    let groups = closing(statement.tokens, statement.at + 2);
    let groups: Vec<usize> = statement
        .split(statement.at + 3..groups)
        .iter()
        .map(|group| statement.split(group.start + 1..group.end - 1).len())
        .collect();
    let Some(shape) = Shape::of(statement.text_of(&(into + 1..types.end))) else { return };
    let operand = statement.token(1);
    let dialect = name.split('.').next().unwrap_or_default();
    let (mut before, mut sizes, mut extents) = (String::new(), Vec::new(), shape.extents.iter());
    for (dimension, &count) in groups.iter().enumerate() {
        let group: Vec<_> = extents.by_ref().take(count).collect();
        let known: u64 = group.iter().filter_map(|extent| **extent).fold(1, u64::saturating_mul);
        for extent in group {
            sizes.push(extent.map_or_else(
                || {
                    let [at, all, others, size] = [0, 1, 2, 3].map(|n| statement.fresh(4 * dimension + n));
                    before += &format!(
                        "{at} = arith.constant {dimension} : index {all} = {dialect}.dim {operand}, {at} : {source} "
                    );
                    before += &format!(
                        "{others} = arith.constant {known} : index {size} = arith.divui {all}, {others} : index "
                    );
                    size
                },
                |extent| extent.to_string(),
            ));
        }
    }
    edits.insert(statement.tokens[statement.start].start, before);
    edits.insert(statement.tokens[types.start - 1].start, format!("output_shape [{}] ", sizes.join(", ")));
}

/// Rewrites `linalg.init_tensor [%n, 4]`, before LLVM 16.
fn sizes(statement: &Statement, edits: &mut Edits) {
    if statement.token(1) != "[" {
        return;
    }
    let close = closing(statement.tokens, statement.at + 1);
    let sizes = statement.split(statement.at + 2..close);
    let dynamic: Vec<_> =
        sizes.iter().map(|size| statement.text_of(size)).filter(|size| size.starts_with('%')).collect();
    edits.replace(statement.bytes(&(statement.at + 1..close + 1)), format!("({})", dynamic.join(", ")));
}

/// Adds the type of the tensor to an operation that had only that of the memref, before LLVM 20 and 21.
fn tensor(statement: &Statement, name: &str, edits: &mut Edits) {
    let Some(types) = statement.signature().filter(|types| statement.find(types.clone(), "to").is_none()) else {
        return;
    };
    let memref = statement.text_of(&types);
    let Some(tensor) = tensor_of(memref) else { return };
    let memref = types::modern(memref);
    if name == "bufferization.to_buffer" {
        return edits.replace(statement.bytes(&types), format!("{tensor} to {memref}"));
    }
    if statement.find(statement.at..types.start, "restrict").is_none() {
        edits.insert(statement.tokens[statement.at + 1].end(), " restrict");
    }
    edits.replace(statement.bytes(&types), format!("{memref} to {tensor}"));
}

/// Rewrites `memref.tensor_store`, before LLVM 17.
fn tensor_store(statement: &Statement, edits: &mut Edits) {
    let Some(types) = statement.signature().filter(|_| statement.token(2) == ",") else { return };
    let memref = statement.text_of(&types);
    let Some(tensor) = tensor_of(memref) else { return };
    edits.replace(statement.bytes(&(statement.at + 2..statement.at + 3)), " in writable");
    edits.replace(statement.bytes(&types), format!("({tensor}, {}) -> ()", types::modern(memref)));
}

fn tensor_of(memref: &str) -> Option<String> {
    Some(format!("tensor<{}>", Shape::of(memref)?.inner))
}

/// Rewrites `splat %x : vector<4xf32>`, before LLVM 21.
fn splat(statement: &Statement, edits: &mut Edits) {
    let Some(types) = statement.signature().filter(|types| statement.find(types.clone(), "to").is_none()) else {
        return;
    };
    if let Some(shape) = Shape::of(statement.text_of(&types)) {
        edits.insert(statement.tokens[types.start].start, format!("{} to ", shape.element));
    }
}

/// Rewrites `vector.extract %v[1] : vector<4xf32>`, before LLVM 18, and
/// `vector.extractelement %v[%i : index] : vector<4xf32>`.
fn extract(statement: &Statement, edits: &mut Edits) {
    let Some(types) = statement.signature().filter(|types| statement.find(types.clone(), "from").is_none()) else {
        return;
    };
    if statement.token(2) != "[" {
        return;
    }
    let close = closing(statement.tokens, statement.at + 2);
    let positions = statement.split(statement.at + 3..close);
    for position in &positions {
        if let Some(colon) = statement.find(position.clone(), ":") {
            edits.blank(statement.text, statement.bytes(&(colon..position.end)));
        }
    }
    if let Some(shape) = Shape::of(statement.text_of(&types)) {
        edits.insert(statement.tokens[types.start].start, format!("{} from ", shape.without(positions.len())));
    }
}

/// Rewrites `vector.reduction "add", %v`, before LLVM 15.
fn reduction(statement: &Statement, edits: &mut Edits) {
    let kind = statement.token(1);
    let modern = |kind| match kind {
        "maxf" => "maximumf",
        "minf" => "minimumf",
        other => other,
    };
    if let Some(plain) = kind.strip_prefix('"').and_then(|kind| kind.strip_suffix('"')) {
        edits.replace(statement.bytes(&(statement.at + 1..statement.at + 2)), format!("<{}>", modern(plain)));
    } else if kind == "<" && modern(statement.token(2)) != statement.token(2) {
        edits.replace(statement.bytes(&(statement.at + 2..statement.at + 3)), modern(statement.token(2)));
    }
}
