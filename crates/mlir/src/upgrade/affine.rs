//! Operations of the affine dialect: symbols that are iterators.

use std::ops::Range;

use super::edits::Edits;
use super::statements::Statement;
use super::tokens::{Token, closing};

/// Rewrites `symbol(%i)` of an iterator, valid in LLVM 11, as `%i`, unless it is a factor or a divisor.
pub(super) fn plain_symbols(statement: &Statement, edits: &mut Edits) {
    const SEMI_AFFINE: &[&str] = &["*", "floordiv", "ceildiv", "mod"];
    for at in statement.at + 1..statement.end.saturating_sub(3) {
        let before = statement.tokens[at - 1].text;
        let after = statement.tokens.get(at + 4).map_or("", |token| token.text);
        if statement.tokens[at].text != "symbol" || [before, after].iter().any(|sign| SEMI_AFFINE.contains(sign)) {
            continue;
        }
        edits.blank(statement.text, statement.bytes(&(at..at + 2)));
        edits.blank(statement.text, statement.bytes(&(at + 3..at + 4)));
    }
}

/// Rewrites `affine.max #map()[%i]`, where LLVM 11 accepted iterators as symbols: in a map that multiplies by constants
/// only, every symbol becomes a dimension.
pub(super) fn symbols_as_dimensions(statement: &Statement, edits: &mut Edits) {
    let tokens = statement.tokens;
    let Some(map) = definition(tokens, statement.token(1)) else { return };
    let open = statement.at + 2;
    let dimensions = open..closing(tokens, open) + 1;
    let symbols = dimensions.end..closing(tokens, dimensions.end) + 1;
    let is_list = |range: &Range<usize>, sign| tokens.get(range.start).is_some_and(|token| token.text == sign);
    if !is_list(&dimensions, "(") || !is_list(&symbols, "[") || symbols.end > statement.end {
        return;
    }
    let list = |range: &Range<usize>| statement.text_of(&(range.start + 1..range.end - 1)).to_owned();
    let joined = |first: String, second: String| match first.is_empty() || second.is_empty() {
        true => format!("({first}{second})"),
        false => format!("({first}, {second})"),
    };
    let inputs = map.start..closing(tokens, map.start) + 1;
    let own_symbols = inputs.end..closing(tokens, inputs.end) + 1;
    if !is_list(&own_symbols, "[") || own_symbols.end > map.end || divides_by_name(&tokens[own_symbols.end..map.end]) {
        return;
    }
    let inputs = joined(list(&inputs), list(&own_symbols));
    let results = statement.text_of(&(own_symbols.end..map.end));
    let operands = joined(list(&dimensions), list(&symbols));
    let new = format!("affine_map<{inputs} {results}>{operands}");
    edits.replace(statement.bytes(&(statement.at + 1..symbols.end)), new);
}

/// Returns true if a map multiplies two names, or divides by a name.
fn divides_by_name(results: &[Token]) -> bool {
    let is_name = |token: &Token| token.text.starts_with(|c: char| c.is_alphabetic());
    results.windows(3).any(|three| match three[1].text {
        "*" => is_name(&three[0]) && is_name(&three[2]) || three[0].text == ")" || three[2].text == "(",
        "floordiv" | "ceildiv" | "mod" => !three[2].text.bytes().all(|b| b.is_ascii_digit()),
        _ => false,
    })
}

/// Returns the content of the map that an alias names.
fn definition(tokens: &[Token], alias: &str) -> Option<Range<usize>> {
    let defines = |four: &[Token]| {
        four[0].text == alias && four[1].text == "=" && four[2].text == "affine_map" && four[3].text == "<"
    };
    let open = tokens.windows(4).position(defines)? + 3;
    // `->` is a token of its own, so the next `>` ends the map.
    let end = (open..tokens.len()).find(|&at| tokens[at].text == ">")?;
    Some(open + 1..end)
}
