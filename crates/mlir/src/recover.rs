//! Text of other MLIR versions: keeps what the analysis needs and blanks the rest.
//!
//! Polygeist writes `module attributes {dlti.dl_spec = …}`, `llvm.mlir.global`s and `llvm.func`s in the syntax of its
//! LLVM, and before 2022 `func @f` for `func.func @f`. None of that matters for the accesses of one function. A small
//! scanner splits the module into top-level items; unwanted bytes become spaces, so that lines and columns stay.

use std::ops::Range;

use crate::places::Inserted;

/// Which functions to keep.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Keep<'n> {
    /// Every function.
    AllFunctions,
    /// The function of this name.
    Function(&'n str),
}

/// What an operation at top level is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    /// `func.func @name` or, `old`, `func @name`.
    Function { name: String, old: bool },
    /// What a function may need: `memref.global`, affine maps, locations.
    Declaration,
    /// Anything else.
    Other,
}

/// The top-level structure of a text.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    /// `attributes {…}` of the module.
    module_attributes: Option<Range<usize>>,
    /// The operations in the module or, without one, at top level.
    items: Vec<(Item, Range<usize>)>,
}

/// A text that MLIR may understand better.
pub(crate) struct Cleaned {
    pub(crate) text: String,
    pub(crate) inserted: Vec<Inserted>,
}

/// The names of the functions.
pub(crate) fn functions(outline: &Outline) -> impl Iterator<Item = &str> {
    outline.items.iter().filter_map(|(item, _)| match item {
        Item::Function { name, .. } => Some(name.as_str()),
        _ => None,
    })
}

/// The text with everything blanked that is not kept, and `func @` written `func.func @`.
pub(crate) fn clean(text: &str, outline: &Outline, keep: Keep) -> Cleaned {
    let mut bytes = text.as_bytes().to_vec();
    let mut blank = |range: &Range<usize>| {
        bytes[range.clone()].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
    };
    outline.module_attributes.iter().for_each(&mut blank);
    let mut old_functions = Vec::new();
    for (item, range) in &outline.items {
        match (item, keep) {
            (Item::Function { name, .. }, Keep::Function(wanted)) if !name.is_empty() && name != wanted => blank(range),
            (Item::Function { old: true, .. }, _) => old_functions.push(range.start),
            (Item::Function { .. } | Item::Declaration, _) => {}
            (Item::Other, _) => blank(range),
        }
    }
    // Ranges end at ASCII characters, so blanking leaves whole characters.
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    let inserted = old_functions.iter().rev().map(|&start| insert(&mut text, start, "func.")).collect();
    Cleaned { text, inserted }
}

/// Inserts before any insertion made so far.
fn insert(text: &mut String, at: usize, what: &str) -> Inserted {
    let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line = text[..at].matches('\n').count() + 1;
    text.insert_str(at, what);
    Inserted { line, column: at - line_start + 1, length: what.len() }
}

/// Splits a text into its top-level items.
pub(crate) fn outline(text: &str) -> Outline {
    let mut scanner = Scanner {
        text,
        tokens: Tokens { text, next: 0 },
        outline: Outline::default(),
        depth: 0,
        body_depth: 0,
        open: None,
    };
    while let Some(range) = scanner.tokens.advance() {
        scanner.token(&range);
    }
    scanner.close(text.len());
    scanner.outline
}

/// The state of [`outline`].
struct Scanner<'t> {
    text: &'t str,
    tokens: Tokens<'t>,
    outline: Outline,
    /// Open brackets.
    depth: usize,
    /// Brackets round the items: 1 in a module, else 0.
    body_depth: usize,
    /// The item that is being read and where it starts.
    open: Option<(Item, usize)>,
}

impl Scanner<'_> {
    fn token(&mut self, range: &Range<usize>) {
        let token = &self.text[range.clone()];
        if self.depth == self.body_depth && first_of_line(self.text, range.start) {
            if token == "module" && self.body_depth == 0 {
                self.close(range.start);
                return self.module_header();
            }
            if starts_item(token) {
                self.close(range.start);
                self.open = Some((classify(&self.text[range.start..]), range.start));
            }
        }
        match token {
            "(" | "[" | "{" => self.depth += 1,
            ")" | "]" | "}" => self.closing_bracket(range.start),
            _ => {}
        }
    }

    fn closing_bracket(&mut self, at: usize) {
        self.depth = self.depth.saturating_sub(1);
        if self.depth < self.body_depth {
            self.close(at);
            self.body_depth = 0;
        }
    }

    fn close(&mut self, end: usize) {
        self.outline.items.extend(self.open.take().map(|(item, start)| (item, start..end)));
    }

    /// What follows `module`, up to the `{` of the body.
    fn module_header(&mut self) {
        while let Some(range) = self.tokens.advance() {
            match &self.text[range.clone()] {
                "attributes" => self.outline.module_attributes = Some(range.start..self.end_of_braces()),
                "{" => {
                    self.depth += 1;
                    self.body_depth = 1;
                    return;
                }
                _ => {}
            }
        }
    }

    /// The end of the `{…}` that follows, which is consumed.
    fn end_of_braces(&mut self) -> usize {
        let mut depth = 0_usize;
        while let Some(range) = self.tokens.advance() {
            match &self.text[range.clone()] {
                "{" => depth += 1,
                "}" if depth == 1 => return range.end,
                "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        self.text.len()
    }
}

/// Does an operation or the definition of an alias begin with this token, when it is the first of its line?
fn starts_item(token: &str) -> bool {
    let is_operation = token.starts_with(|c: char| c.is_alphabetic()) && token.contains('.');
    token == "func" || token.starts_with(['"', '#', '!']) || is_operation
}

fn first_of_line(text: &str, at: usize) -> bool {
    text[..at].bytes().rev().take_while(|&b| b != b'\n').all(|b| b.is_ascii_whitespace())
}

fn classify(item: &str) -> Item {
    let mut tokens = Tokens { text: item, next: 0 };
    let mut next = || tokens.advance().map_or("", |range| &item[range]);
    match next().trim_matches('"') {
        keyword @ ("func" | "func.func") => {
            // `private` may stand before the name; the generic form has the name elsewhere.
            let name = std::iter::repeat_with(next).take(3).find_map(|token| token.strip_prefix('@'));
            Item::Function { name: name.unwrap_or_default().to_owned(), old: keyword == "func" }
        }
        "memref.global" => Item::Declaration,
        alias if alias.starts_with(['#', '!']) => {
            // `#map = affine_map<…>` and `#loc = loc(…)` are needed, `#tbaa = #llvm.…` is not.
            let value = std::iter::repeat_with(next).find(|token| *token != "=").unwrap_or_default();
            if value.starts_with(['#', '!']) { Item::Other } else { Item::Declaration }
        }
        _ => Item::Other,
    }
}

/// Splits into brackets, strings and words; skips white space and comments.
struct Tokens<'t> {
    text: &'t str,
    next: usize,
}

impl Tokens<'_> {
    fn advance(&mut self) -> Option<Range<usize>> {
        self.skip_blanks();
        let start = self.next;
        let rest = &self.text[start..];
        let first = rest.chars().next()?;
        let length = match first {
            '"' => string_length(rest),
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        self.next = start + length;
        Some(start..self.next)
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = &self.text[self.next..];
            let trimmed = rest.trim_start();
            self.next += rest.len() - trimmed.len();
            if !trimmed.starts_with("//") {
                return;
            }
            self.next += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || "_.$@#!%".contains(c)
}

/// The length of the string literal that the text starts with, quotes included.
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

/// How deeply the brackets of a text are nested, `<…>` included.
pub(crate) fn nesting(text: &str) -> usize {
    let mut tokens = Tokens { text, next: 0 };
    let (mut depth, mut deepest) = (0_usize, 0);
    let mut after_minus = None;
    while let Some(range) = tokens.advance() {
        match &text[range.clone()] {
            "(" | "[" | "{" | "<" => depth += 1,
            // The end of an arrow closes nothing.
            ">" if after_minus == Some(range.start) => {}
            ")" | "]" | "}" | ">" => depth = depth.saturating_sub(1),
            "-" => after_minus = Some(range.end),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}
