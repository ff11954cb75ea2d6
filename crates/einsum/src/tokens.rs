//! The tokens of a line.

use crate::error::{Diagnostic, Place};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Letters, digits and underscores, not starting with a digit.
    Name,
    /// The text between quotes, without them.
    Text,
    /// A number or a sign.
    Other,
    /// The end of the line.
    End,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'t> {
    pub(crate) kind: TokenKind,
    pub(crate) text: &'t str,
    pub(crate) place: Place,
}

/// The remaining tokens of a line.
pub(crate) struct Tokens<'t> {
    tokens: std::iter::Peekable<std::vec::IntoIter<Token<'t>>>,
    end: Place,
}

impl<'t> Tokens<'t> {
    /// Splits a line into tokens.
    pub(crate) fn new(line: &'t str, number: u32) -> Result<Self, Diagnostic> {
        let place = |rest: &str| {
            let columns = line.chars().count() - rest.chars().count();
            Place { line: number, column: 1 }.after(columns)
        };
        let mut tokens = Vec::new();
        let mut rest = line.trim_end();
        let end = place(&line[rest.len()..]);
        loop {
            rest = rest.trim_start();
            let Some(first) = rest.chars().next() else { break };
            let place = place(&line[line.trim_end().len() - rest.len()..]);
            let (kind, text, length) =
                word(rest, first).ok_or_else(|| Diagnostic::new(place, format!("unexpected `{first}`")))?;
            tokens.push(Token { kind, text, place });
            rest = &rest[length..];
        }
        Ok(Self { tokens: tokens.into_iter().peekable(), end })
    }

    /// Returns the next token.
    pub(crate) fn next(&mut self) -> Token<'t> {
        self.tokens.next().unwrap_or(Token { kind: TokenKind::End, text: "", place: self.end })
    }

    /// Returns the place of the next token.
    pub(crate) fn place(&mut self) -> Place {
        self.tokens.peek().map_or(self.end, |token| token.place)
    }

    /// Takes the next token if it is this one, and returns whether it was.
    pub(crate) fn accept(&mut self, text: &str) -> bool {
        self.tokens.next_if(|token| token.text == text && token.kind != TokenKind::Text).is_some()
    }

    /// Takes this token and returns its place, or an error that it is missing.
    pub(crate) fn expect(&mut self, text: &str) -> Result<Place, Diagnostic> {
        let place = self.place();
        if self.accept(text) { Ok(place) } else { Err(Diagnostic::new(place, format!("expected `{text}`"))) }
    }

    /// Takes a name and its place.
    pub(crate) fn name(&mut self, what: &str) -> Result<(&'t str, Place), Diagnostic> {
        let token = self.next();
        match token.kind {
            TokenKind::Name => Ok((token.text, token.place)),
            _ => Err(Diagnostic::new(token.place, format!("expected {what}"))),
        }
    }

    /// Returns an error if any token is left.
    pub(crate) fn end(&mut self) -> Result<(), Diagnostic> {
        let token = self.next();
        match token.kind {
            TokenKind::End => Ok(()),
            _ => Err(Diagnostic::new(token.place, format!("unexpected `{}`", token.text))),
        }
    }
}

/// Returns the token at the start: its kind, its text and its number of bytes.
fn word(rest: &str, first: char) -> Option<(TokenKind, &str, usize)> {
    let run = |is_part: fn(char) -> bool| rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    match first {
        '\'' | '"' => {
            let inner = rest[1..].split_once(first)?.0;
            Some((TokenKind::Text, inner, inner.len() + 2))
        }
        _ if first.is_alphabetic() || first == '_' => {
            let length = run(|c| c.is_alphanumeric() || c == '_');
            Some((TokenKind::Name, &rest[..length], length))
        }
        _ if first.is_ascii_digit() => {
            let length = run(|c| c.is_ascii_digit());
            Some((TokenKind::Other, &rest[..length], length))
        }
        _ if rest.starts_with("+=") => Some((TokenKind::Other, &rest[..2], 2)),
        _ if "=*:,[]()".contains(first) => Some((TokenKind::Other, &rest[..1], 1)),
        _ => None,
    }
}
