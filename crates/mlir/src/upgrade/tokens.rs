//! MLIR text as tokens: brackets, strings, words and a few signs; white space and comments are left out.

use std::ops::Range;

/// A piece of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'t> {
    pub(crate) text: &'t str,
    /// Its first byte in the text.
    pub(crate) start: usize,
}

impl Token<'_> {
    /// Returns the byte after it.
    pub(crate) fn end(self) -> usize {
        self.start + self.text.len()
    }
}

/// Signs of several characters; none is a bracket.
const SIGNS: &[&str] = &["->", ">=", "<=", "==", "::"];

/// Returns all tokens of a text, in order.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    loop {
        at = skip_blanks(text, at);
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else { return found };
        let length = match first {
            '"' => string_length(rest),
            '@' if rest[1..].starts_with('"') => 1 + string_length(&rest[1..]),
            c if is_word(c) => word_length(rest),
            c => SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(c.len_utf8(), |sign| sign.len()),
        };
        found.push(Token { text: &rest[..length], start: at });
        at += length;
    }
}

fn skip_blanks(text: &str, mut at: usize) -> usize {
    loop {
        let rest = &text[at..];
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        if !trimmed.starts_with("//") {
            return at;
        }
        at += trimmed.find('\n').unwrap_or(trimmed.len());
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || "_.$@#!%^".contains(c)
}

/// Returns the length of the word that the text starts with; names may contain `-`, as in `%c-1_i32`.
fn word_length(text: &str) -> usize {
    let is_name = text.starts_with(['%', '@', '#', '!', '^']);
    let goes_on = |(at, c): (usize, char)| is_word(c) || is_name && c == '-' && !text[at..].starts_with("->");
    text.char_indices().find(|&end| !goes_on(end)).map_or(text.len(), |(at, _)| at)
}

/// Returns the length of the string literal that the text starts with, quotes included.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

/// Returns the nesting depth of the brackets of a text, `<…>` included.
pub(crate) fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for token in tokens(text) {
        match token.text {
            "(" | "[" | "{" | "<" => depth += 1,
            ")" | "]" | "}" | ">" => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// The meaning of `<` and `>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Angles {
    /// Brackets, as in types and attributes.
    Brackets,
    /// Signs, as in conditions.
    Signs,
}

/// Returns the change of depth by a token.
fn depth_change(token: &str, angles: Angles) -> isize {
    match token {
        "(" | "[" | "{" => 1,
        ")" | "]" | "}" => -1,
        "<" if angles == Angles::Brackets => 1,
        ">" if angles == Angles::Brackets => -1,
        _ => 0,
    }
}

/// Returns the bracket that closes the one at `open`; the number of tokens if there is none.
pub(crate) fn closing(tokens: &[Token], open: usize) -> usize {
    let is_angle = tokens.get(open).is_some_and(|token| token.text == "<");
    let angles = if is_angle { Angles::Brackets } else { Angles::Signs };
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        depth += depth_change(token.text, angles);
        if depth == 0 {
            return at;
        }
    }
    tokens.len()
}

/// Splits the tokens of `range` at commas outside brackets.
pub(crate) fn split(tokens: &[Token], range: Range<usize>) -> Vec<Range<usize>> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, range.start);
    for at in range.clone() {
        depth += depth_change(tokens[at].text, Angles::Brackets);
        if depth == 0 && tokens[at].text == "," {
            parts.push(start..at);
            start = at + 1;
        }
    }
    if start < range.end {
        parts.push(start..range.end);
    }
    parts
}

/// Returns the first token `wanted` in `range` outside brackets.
pub(crate) fn find(tokens: &[Token], range: Range<usize>, wanted: &str) -> Option<usize> {
    let mut depth = 0;
    for at in range {
        if depth == 0 && tokens[at].text == wanted {
            return Some(at);
        }
        depth += depth_change(tokens[at].text, Angles::Brackets);
    }
    None
}

/// Returns the text of some tokens.
pub(crate) fn text_of<'t>(text: &'t str, tokens: &[Token], range: &Range<usize>) -> &'t str {
    match tokens.get(range.clone()) {
        Some([first, .., last]) => &text[first.start..last.end()],
        Some([only]) => &text[only.start..only.end()],
        _ => "",
    }
}

/// Returns the text of some tokens on one line, without comments.
pub(crate) fn flat(tokens: &[Token]) -> String {
    let mut line = String::new();
    let mut end = None;
    for token in tokens {
        if end.is_some_and(|end| end < token.start) {
            line.push(' ');
        }
        line.push_str(token.text);
        end = Some(token.end());
    }
    line
}

/// Returns true if the token is the first on its line.
pub(crate) fn first_of_line(text: &str, token: Token) -> bool {
    text[..token.start].bytes().rev().take_while(|&b| b != b'\n').all(|b| b.is_ascii_whitespace())
}
