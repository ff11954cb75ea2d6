//! Operations as ranges of tokens.

use std::ops::Range;

use super::names;
use super::tokens::{Token, find, first_of_line, split, text_of};

/// An operation in its own syntax.
pub(crate) struct Statement<'s, 't> {
    pub(crate) text: &'t str,
    /// All tokens of the text.
    pub(crate) tokens: &'s [Token<'t>],
    /// The token with the operation's name.
    pub(crate) at: usize,
    /// The first token: its first result, or its name.
    pub(crate) start: usize,
    /// The token after it.
    pub(crate) end: usize,
}

impl<'s, 't> Statement<'s, 't> {
    pub(crate) fn new(text: &'t str, tokens: &'s [Token<'t>], at: usize) -> Self {
        Self { text, tokens, at, start: start(tokens, at), end: end(text, tokens, at) }
    }

    pub(crate) fn token(&self, offset: usize) -> &'t str {
        self.tokens.get(self.at + offset).filter(|_| self.at + offset < self.end).map_or("", |token| token.text)
    }

    /// Returns the tokens after the first `:` outside brackets.
    pub(crate) fn signature(&self) -> Option<Range<usize>> {
        let colon = find(self.tokens, self.at + 1..self.end, ":")?;
        let end = find(self.tokens, colon..self.end, "loc").unwrap_or(self.end);
        (colon + 1 < end).then_some(colon + 1..end)
    }

    pub(crate) fn text_of(&self, range: &Range<usize>) -> &'t str {
        text_of(self.text, self.tokens, range)
    }

    /// Returns the bytes of some tokens.
    pub(crate) fn bytes(&self, range: &Range<usize>) -> Range<usize> {
        self.tokens[range.start].start..self.tokens[range.end - 1].end()
    }

    pub(crate) fn split(&self, range: Range<usize>) -> Vec<Range<usize>> {
        split(self.tokens, range)
    }

    pub(crate) fn find(&self, range: Range<usize>, wanted: &str) -> Option<usize> {
        find(self.tokens, range, wanted)
    }

    /// Returns a name for a new value.
    pub(crate) fn fresh(&self, number: usize) -> String {
        format!("%symloc_{}_{number}", self.at)
    }
}

/// Returns true for the name of an operation: first on its line or in a block, or after results and `=`.
pub(crate) fn is_operation(text: &str, tokens: &[Token], at: usize) -> bool {
    let word = tokens[at].text;
    let next = tokens.get(at + 1).map_or("", |token| token.text);
    let is_name = match word.strip_prefix('"') {
        Some(_) => next == "(",
        None => word.starts_with(|c: char| c.is_alphabetic()) && (word.contains('.') || names::modern(word).is_some()),
    };
    if !is_name || ["=", ","].contains(&next) {
        return false;
    }
    match at.checked_sub(1).map(|before| tokens[before].text) {
        None | Some("{" | "}") => true,
        Some("=") => follows_results(tokens, at - 1),
        Some(_) => first_of_line(text, tokens[at]),
    }
}

fn follows_results(tokens: &[Token], equals: usize) -> bool {
    let before = |distance: usize| equals.checked_sub(distance).map_or("", |at| tokens[at].text);
    before(1).starts_with('%') || before(2) == ":" && before(3).starts_with('%')
}

/// Returns the first token of the operation whose name is at `at`.
fn start(tokens: &[Token], at: usize) -> usize {
    if at == 0 || tokens[at - 1].text != "=" {
        return at;
    }
    let is_first = |i: &usize| tokens[*i].text.starts_with('%') && (*i == 0 || tokens[*i - 1].text != ",");
    (0..at - 1).rev().find(is_first).unwrap_or(at)
}

/// Returns the token after the operation whose name is at `at`.
fn end(text: &str, tokens: &[Token], at: usize) -> usize {
    let mut depth = 0_usize;
    for (next, token) in tokens.iter().enumerate().skip(at + 1) {
        match token.text {
            ")" | "]" | "}" if depth == 0 => return next,
            _ if depth == 0 && begins(text, tokens, next) => return next,
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
    }
    tokens.len()
}

/// Returns true if an operation or a block begins here.
fn begins(text: &str, tokens: &[Token], at: usize) -> bool {
    let token = tokens[at];
    if token.text.starts_with('%') {
        let mut rest = tokens[at..].iter().map(|token| token.text);
        let is_list = |text: &&str| {
            text.starts_with('%') || [",", ":"].contains(text) || text.bytes().all(|b| b.is_ascii_digit())
        };
        let behind = rest.find(|text| !is_list(text));
        return behind == Some("=") && (first_of_line(text, token) || tokens[at - 1].text != ",");
    }
    token.text.starts_with('^') && first_of_line(text, token) || is_operation(text, tokens, at)
}
