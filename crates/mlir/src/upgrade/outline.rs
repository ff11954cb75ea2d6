//! The operations at the top level of a text: modules, functions, globals, aliases; and those that one function needs.

use std::collections::BTreeSet;
use std::ops::Range;

use super::names;
use super::tokens::{Token, closing, first_of_line, tokens};

/// The kind of an operation at top level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemKind {
    /// A `func.func` of any MLIR version.
    Function { has_body: bool },
    /// A `memref.global`.
    Global,
    /// The definition of an attribute or a type.
    Alias,
    /// Anything else.
    Other,
}

/// An operation at top level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) kind: ItemKind,
    /// Its symbol without `@`; for an alias its name with `#` or `!`.
    pub(crate) name: String,
    pub(crate) tokens: Range<usize>,
}

/// The structure of a text.
#[derive(Debug)]
pub(crate) struct Outline<'t> {
    pub(crate) text: &'t str,
    pub(crate) tokens: Vec<Token<'t>>,
    pub(crate) items: Vec<Item>,
    /// `attributes {…}` of the modules.
    pub(crate) module_attributes: Vec<Range<usize>>,
    /// The first bytes of the parts, which `// -----` separates.
    parts: Vec<usize>,
}

impl<'t> Outline<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let separators = text.match_indices("\n// -----").map(|(at, _)| at + 1);
        let parts = std::iter::once(0).chain(separators).collect();
        let mut outline = Self { text, tokens: tokens(text), items: Vec::new(), module_attributes: Vec::new(), parts };
        outline.read(0..outline.tokens.len());
        outline
    }

    /// Returns the functions with a body.
    pub(crate) fn defined(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| item.kind == ItemKind::Function { has_body: true })
    }

    /// Returns the functions without a body.
    pub(crate) fn declared(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| item.kind == ItemKind::Function { has_body: false })
    }

    /// Returns the functions and variables that a function does not need.
    pub(crate) fn unneeded(&self, root: &Item) -> impl Iterator<Item = &Item> {
        let reached = self.reached(root);
        let others = self.items.iter().enumerate().filter(move |(index, _)| !reached.contains(index));
        others.map(|(_, item)| item).filter(|item| item.kind != ItemKind::Alias)
    }

    /// Returns line and column of an item, from 1.
    pub(crate) fn position(&self, item: &Item) -> (usize, usize) {
        self.place(self.tokens[item.tokens.start].start)
    }

    /// Returns line and column of a byte, from 1.
    pub(crate) fn place(&self, start: usize) -> (usize, usize) {
        let before = &self.text[..start];
        (before.matches('\n').count() + 1, start - before.rfind('\n').map_or(0, |newline| newline + 1) + 1)
    }

    fn read(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while at < range.end {
            at = match self.starts_item(at, range.start) {
                false => at + 1,
                true if is_module(self.tokens[at].text) => self.module(at, range.end),
                true => self.item(at, &range),
            };
        }
    }

    /// Reads a module; returns the token after it.
    fn module(&mut self, at: usize, end: usize) -> usize {
        let mut open = at + 1;
        while open < end && self.tokens[open].text != "{" {
            if self.tokens[open].text == "attributes" {
                let close = closing(&self.tokens, open + 1).min(end.saturating_sub(1));
                self.module_attributes.push(open..close + 1);
                open = close;
            }
            open += 1;
        }
        let close = closing(&self.tokens, open).min(end);
        self.read((open + 1).min(close)..close);
        close + 1
    }

    fn item(&mut self, at: usize, range: &Range<usize>) -> usize {
        let mut end = at + 1;
        while end < range.end && !self.starts_item(end, range.start) {
            // `closing` returns the number of tokens for a bracket that is never closed.
            end = if is_open(self.tokens[end].text) { closing(&self.tokens, end).max(end) } else { end } + 1;
        }
        let tokens = at..end.min(range.end);
        let item = self.classify(tokens);
        self.items.push(item);
        end
    }

    fn starts_item(&self, at: usize, start: usize) -> bool {
        let token = self.tokens[at];
        let begins = at == start || first_of_line(self.text, token) || self.tokens[at - 1].text == "}";
        let is_word = token.text.starts_with(|c: char| c.is_alphabetic());
        let is_operation = is_word && (token.text.contains('.') || names::modern(token.text).is_some());
        begins && (is_operation || token.text == "module" || token.text.starts_with(['"', '#', '!', '%']))
    }

    fn classify(&self, range: Range<usize>) -> Item {
        let tokens = &self.tokens[range.clone()];
        let first = tokens[0].text;
        let symbol = || tokens.iter().find_map(|t| t.text.strip_prefix('@')).unwrap_or_default();
        let (kind, name) = match first.trim_matches('"').trim_start_matches("std.") {
            "func" | "func.func" | "builtin.func" if first.starts_with('"') => (
                ItemKind::Function { has_body: tokens.iter().any(|t| t.text.starts_with('^') || is_statement(t.text)) },
                generic_name(tokens),
            ),
            "func" | "func.func" | "builtin.func" => {
                (ItemKind::Function { has_body: body(tokens).is_some() }, symbol())
            }
            "memref.global" | "global_memref" => (ItemKind::Global, symbol()),
            alias if alias.starts_with(['#', '!']) => (ItemKind::Alias, alias),
            _ => (ItemKind::Other, symbol()),
        };
        Item { kind, name: name.trim_matches('"').to_owned(), tokens: range }
    }

    /// Returns the items that a function needs: itself, its callees, globals and aliases, transitively.
    pub(crate) fn reached(&self, root: &Item) -> BTreeSet<usize> {
        let part = self.part(root);
        let in_part: Vec<usize> = (0..self.items.len()).filter(|&i| self.part(&self.items[i]) == part).collect();
        let mut reached = BTreeSet::new();
        // Locations after functions and modules may refer to aliases.
        let is_location = |name: &str| name.starts_with("#loc");
        let start = in_part.iter().filter(|&&i| self.items[i] == *root || is_location(&self.items[i].name));
        let mut open: Vec<usize> = start.copied().collect();
        while let Some(index) = open.pop() {
            if !reached.insert(index) {
                continue;
            }
            let names: BTreeSet<&str> = self.tokens[self.items[index].tokens.clone()].iter().map(|t| t.text).collect();
            let is_named = |item: &Item| match item.kind {
                ItemKind::Alias => names.contains(item.name.as_str()),
                ItemKind::Other => false,
                _ => {
                    names.contains(format!("@{}", item.name).as_str())
                        || names.contains(format!("@\"{}\"", item.name).as_str())
                }
            };
            open.extend(in_part.iter().copied().filter(|&i| is_named(&self.items[i])));
        }
        reached
    }

    /// Returns the bytes of the part that contains an item.
    pub(crate) fn part(&self, item: &Item) -> Range<usize> {
        let start = self.tokens[item.tokens.start].start;
        let next = self.parts.partition_point(|&part| part <= start);
        self.parts[next.saturating_sub(1)]..self.parts.get(next).copied().unwrap_or(self.text.len())
    }
}

fn is_module(token: &str) -> bool {
    ["module", "builtin.module"].contains(&token)
}

fn is_open(token: &str) -> bool {
    ["(", "[", "{"].contains(&token)
}

/// Returns true for the return of a function, in the generic form.
fn is_statement(token: &str) -> bool {
    ["return", "func.return", "std.return"].contains(&token.trim_matches('"'))
}

/// Returns the `{` of a function's body, among the tokens of the function.
pub(crate) fn body(tokens: &[Token]) -> Option<usize> {
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].text {
            "attributes" => at = closing(tokens, at + 1),
            "{" => return Some(at),
            bracket if is_open(bracket) => at = closing(tokens, at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns the name of a function in the generic form.
fn generic_name<'t>(tokens: &[Token<'t>]) -> &'t str {
    let name = |three: &[Token<'t>]| match three {
        [key, equals, value] if key.text == "sym_name" && equals.text == "=" => Some(value.text),
        _ => None,
    };
    tokens.windows(3).find_map(name).unwrap_or_default()
}
