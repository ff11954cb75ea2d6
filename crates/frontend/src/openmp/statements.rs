//! Statements in a text of C: where they end, and what they declare and call.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::openmp::tokens::{TextPiece, TextToken};

/// The word in front of the counters of Fortran's loops, all of which are private. It cannot be there in C.
pub(super) const COUNTER_OF_FORTRAN: &str = "do";

/// The tokens of a text.
#[derive(Clone, Copy)]
pub(crate) struct Statements<'s, 't> {
    pub(crate) tokens: &'s [TextToken<'t>],
}

impl<'t> Statements<'_, 't> {
    /// Returns the outermost blocks in braces, such as functions, each with the word in front of its brackets.
    pub(crate) fn blocks(&self) -> Vec<(Option<&'t str>, Range<usize>)> {
        let (mut found, mut position) = (Vec::new(), 0);
        while let Some(start) = (position..self.tokens.len()).find(|at| self.tokens[*at].is('{')) {
            let end = self.closed(start, '{', '}');
            let head = (position..start).rev().find(|at| self.tokens[*at].is(';')).map_or(position, |at| at + 1);
            let name = (head..start).find_map(|at| self.name_before_bracket(at));
            found.push((name, start..end));
            position = end;
        }
        found
    }

    /// Returns true if a loop outside of a statement begins on a line of its file.
    pub(crate) fn has_loop_beside(&self, statement: Range<usize>, line: u32) -> bool {
        let Some(file) = self.tokens.get(statement.start).map(|token| token.file) else { return false };
        let begins = |token: &TextToken<'_>| {
            matches!(token.piece, TextPiece::Word("for" | "while" | "do")) && token.line == line && token.file == file
        };
        let outside = self.tokens.iter().enumerate().filter(|(position, _)| !statement.contains(position));
        outside.into_iter().any(|(_, token)| begins(token))
    }

    /// Returns the outermost block in braces around a position.
    pub(crate) fn block_around(&self, position: usize) -> Option<Range<usize>> {
        self.blocks().into_iter().map(|(_, block)| block).find(|block| block.contains(&position))
    }

    /// Returns the name at a position, if a bracket follows as in the head of a function.
    fn name_before_bracket(&self, at: usize) -> Option<&'t str> {
        match self.tokens[at].piece {
            TextPiece::Word(word) if !BEFORE_BRACKETS.contains(&word) => {
                self.tokens.get(at + 1).filter(|next| next.is('(')).map(|_| word)
            }
            _ => None,
        }
    }

    /// Returns the words in a range of tokens.
    pub(crate) fn words(&self, range: Range<usize>) -> impl Iterator<Item = &'t str> {
        self.tokens[range].iter().filter_map(|token| match token.piece {
            TextPiece::Word(word) => Some(word),
            TextPiece::Sign(_) | TextPiece::Pragma(_) => None,
        })
    }

    /// Returns the variables that are declared in a range of tokens, apart from those of the heads of loops.
    pub(crate) fn declared(&self, range: Range<usize>) -> Vec<String> {
        let (mut names, mut depth, mut start) = (Vec::new(), 0_i64, range.start);
        for position in range.clone() {
            match self.tokens[position].piece {
                TextPiece::Sign(';' | '{' | '}') | TextPiece::Pragma(_) => (start, depth) = (position + 1, 0),
                TextPiece::Sign('(' | '[') => depth += 1,
                // A statement may follow the head of a loop or of a condition.
                TextPiece::Sign(')' | ']') => depth -= 1,
                TextPiece::Word(word) if depth == 0 && position > start && self.declares(start) => {
                    let before = self.tokens[position - 1];
                    if before.is('*') || before.is(',') || matches!(before.piece, TextPiece::Word(_)) {
                        names.push(word.to_owned());
                    }
                }
                _ => {}
            }
        }
        names
    }

    /// Returns the counters of a nest's outermost `loops` loops, where they are not declared in the heads of these; without a number,
    /// those of all loops. In Fortran all counters count, those of loops around the nest too.
    pub(crate) fn counters(&self, range: Range<usize>, loops: Option<u32>) -> Vec<String> {
        let around = self.counters_around(range.start);
        let heads = range.filter(|at| self.tokens[*at].is_word("for")).map(|head| head + 2);
        let counters: BTreeSet<&str> = match loops {
            Some(loops) => heads
                .enumerate()
                .filter_map(|(position, start)| self.counter(start, position < loops as usize))
                .collect(),
            None => heads.flat_map(|start| self.set_in_head(start)).collect(),
        };
        counters.into_iter().chain(around).map(str::to_owned).collect()
    }

    /// Returns the counters of Fortran's loops around a position. Compilers step them on the line of the last statement in the loop.
    fn counters_around(&self, at: usize) -> Vec<&'t str> {
        let heads = (0..at).filter(|head| self.tokens[*head].is_word("for") && self.is_of_fortran(head + 2));
        let around = heads.filter(|head| self.end(*head) > at);
        around.filter_map(|head| self.word(head + 3)).collect()
    }

    fn is_of_fortran(&self, start: usize) -> bool {
        self.tokens.get(start).is_some_and(|token| token.is_word(COUNTER_OF_FORTRAN))
    }

    /// Returns the counter that the head of a loop begins with, if threads share the loop, or if it is one of Fortran.
    fn counter(&self, start: usize, is_shared: bool) -> Option<&'t str> {
        match self.is_of_fortran(start) {
            true => self.word(start + 1),
            false => self.word(start).filter(|_| is_shared && self.is(start + 1, '=')),
        }
    }

    /// Returns the statements in a range of tokens that threads run one after the other.
    pub(crate) fn atomic(&self, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let is_atomic =
            |at: &usize| matches!(self.tokens[*at].piece, TextPiece::Pragma(text) if text.starts_with("atomic"));
        range.filter(is_atomic).map(|at| at..self.end(at + 1))
    }

    /// Returns the name at a position.
    fn word(&self, at: usize) -> Option<&'t str> {
        match self.tokens.get(at)?.piece {
            TextPiece::Word(word) if word.starts_with(|c: char| c.is_alphabetic() || c == '_') => Some(word),
            _ => None,
        }
    }

    /// Returns the names in front of each `=` or comma in the first part of the head of a loop, which begins at a position.
    fn set_in_head(&self, start: usize) -> impl Iterator<Item = &'t str> {
        let end = (start..self.tokens.len()).find(|at| self.tokens[*at].is(';')).unwrap_or(start);
        (start..end).filter(|at| self.is(at + 1, '=') || self.is(at + 1, ',')).filter_map(|at| self.word(at))
    }

    fn is(&self, at: usize, sign: char) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(sign))
    }

    /// Returns true if the statement at a position begins as a declaration does: with two words, or a word and a star.
    fn declares(&self, start: usize) -> bool {
        let (first, second) = (self.tokens.get(start), self.tokens.get(start + 1));
        let is_type =
            matches!(first.map(|token| token.piece), Some(TextPiece::Word(word)) if !STATEMENTS.contains(&word));
        is_type && second.is_some_and(|token| token.is('*') || matches!(token.piece, TextPiece::Word(_)))
    }

    /// Returns true if there is a call in a range of tokens, outside of some lines.
    pub(crate) fn calls(&self, range: Range<usize>, covered: &[(u32, u32)]) -> bool {
        let is_covered = |line: u32| covered.iter().any(|(first, last)| (*first..=*last).contains(&line));
        let is_call = |position: &usize| {
            let called = self.word(*position).filter(|_| self.is(position + 1, '('));
            called.is_some_and(|word| !word.starts_with("omp_") && !BEFORE_BRACKETS.contains(&word))
        };
        range.filter(|position| !is_covered(self.tokens[*position].line)).any(|position| is_call(&position))
    }

    /// Returns the first position from this one on that is no pragma.
    pub(crate) fn statement(&self, from: usize) -> usize {
        let is_pragma = |token: &&TextToken<'_>| matches!(token.piece, TextPiece::Pragma(_));
        from + self.tokens.get(from..).unwrap_or_default().iter().take_while(is_pragma).count()
    }

    /// Returns the position behind an attribute with a directive, whose `omp` is at a position.
    pub(crate) fn attributed(&self, at: usize) -> Option<usize> {
        let is_omp = self.tokens.get(at)?.is_word("omp") && self.is(at + 1, ':');
        let name = self.tokens.get(if self.is(at + 2, ':') { at + 3 } else { at + 2 })?;
        let is_directive = ["directive", "sequence"].iter().any(|word| name.is_word(word));
        (is_omp && is_directive).then_some(())?;
        let closed = (at..self.tokens.len()).find(|position| self.is(*position, ']') && self.is(*position + 1, ']'))?;
        Some(closed + 2)
    }

    /// Returns the line of the `for` at a position.
    pub(crate) fn head(&self, position: usize) -> Option<u32> {
        self.tokens.get(position).filter(|token| token.is_word("for")).map(|token| token.line)
    }

    /// Returns the position behind the statement that begins at one.
    pub(crate) fn end(&self, start: usize) -> usize {
        let mut position = self.statement(start);
        loop {
            let Some(token) = self.tokens.get(position) else { return self.tokens.len() };
            match token.piece {
                TextPiece::Sign('{') => return self.closed(position, '{', '}'),
                TextPiece::Word("for" | "while" | "if" | "switch") => {
                    position = self.statement(self.closed(position + 1, '(', ')'));
                    let end = self.end(position);
                    let is_else = self.tokens.get(end).is_some_and(|token| token.is_word("else"));
                    match is_else && token.is_word("if") {
                        true => position = self.statement(end + 1),
                        false => return end,
                    }
                }
                TextPiece::Word("do") => position = self.end(position + 1),
                _ => return self.behind_semicolon(position),
            }
        }
    }

    /// Returns the position behind the next semicolon outside of brackets.
    fn behind_semicolon(&self, start: usize) -> usize {
        let mut depth = 0_i64;
        for (position, token) in self.tokens.iter().enumerate().skip(start) {
            match token.piece {
                TextPiece::Sign('(' | '[' | '{') => depth += 1,
                TextPiece::Sign(')' | ']' | '}') if depth == 0 => return position,
                TextPiece::Sign(')' | ']' | '}') => depth -= 1,
                TextPiece::Sign(';') if depth == 0 => return position + 1,
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// Returns the position behind the bracket that closes the one at a position; the position itself if there is none.
    pub(crate) fn closed(&self, start: usize, open: char, close: char) -> usize {
        let mut depth = 0_i64;
        for (position, token) in self.tokens.iter().enumerate().skip(start) {
            depth += i64::from(token.is(open)) - i64::from(token.is(close));
            if depth == 0 {
                return if position == start { start } else { position + 1 };
            }
        }
        self.tokens.len()
    }
}

/// Words with which statements begin.
const STATEMENTS: [&str; 5] = ["return", "else", "case", "goto", "do"];

/// Words before a bracket that are no calls.
const BEFORE_BRACKETS: [&str; 17] = [
    "for",
    "while",
    "if",
    "switch",
    "return",
    "sizeof",
    "int",
    "long",
    "unsigned",
    "float",
    "double",
    "char",
    "void",
    "_Alignof",
    "alignof",
    "decltype",
    "__attribute__",
];
