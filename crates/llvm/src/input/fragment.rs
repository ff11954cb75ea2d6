//! Loops without a function around them, in the form that Clan, Pluto and kerncraft read.
//!
//! They become the body of a function `fragment`, on the same lines. Declarations are its local variables. The compiler
//! reports undeclared names: one that is assigned is a counter, a local integer; one that is only read is a size, an
//! argument. Integers that are declared and never assigned are sizes too.

use std::collections::BTreeSet;

/// The name of the function.
pub(crate) const NAME: &str = "fragment";

/// Words that begin a statement, which must not be outside of functions.
const STATEMENTS: [&str; 5] = ["for", "while", "do", "if", "switch"];

/// Words that declare an integer.
const INTEGERS: [&str; 7] = ["int", "long", "unsigned", "signed", "short", "size_t", "const"];

/// A text with statements outside of functions.
pub(crate) struct Fragment<'t> {
    text: &'t str,
    words: Vec<Word<'t>>,
    /// The number of lines before the function: those up to the last `#include`.
    head: usize,
}

/// A word, number or sign of the text, with its line and column, from 0.
#[derive(Clone, Copy, Debug)]
struct Word<'t> {
    text: &'t str,
    line: usize,
    column: usize,
    /// Its start in the text, in bytes.
    start: usize,
}

/// The role of an undeclared name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It is assigned: a counter.
    Counter,
    /// It is read only: a size.
    Size,
    /// It has subscripts.
    Array,
    /// It is called.
    Function,
}

impl<'t> Fragment<'t> {
    /// Returns the fragment, if the text is one: it has a statement outside of all brackets.
    pub(crate) fn of(text: &'t str) -> Option<Self> {
        let words = words(text);
        let mut depth = 0_i64;
        let outside = words.iter().any(|word| {
            depth += match word.text {
                "{" | "(" | "[" => 1,
                "}" | ")" | "]" => -1,
                _ => 0,
            };
            depth == 0 && STATEMENTS.contains(&word.text)
        });
        let is_include = |line: &str| {
            line.trim_start().strip_prefix('#').map(str::trim_start).is_some_and(|l| l.starts_with("include"))
        };
        let head = text.lines().zip(1..).filter(|(line, _)| is_include(line)).map(|(_, number)| number).max();
        outside.then_some(Self { text, words, head: head.unwrap_or(0) })
    }

    /// Returns the sizes: integers that are declared without a value before the first statement and never assigned, if
    /// all names of their declaration are. [`Self::wrapped`] leaves these declarations out.
    pub(crate) fn sizes(&self) -> Vec<String> {
        self.unset().into_iter().flat_map(|(_, names)| names).map(str::to_owned).collect()
    }

    /// Returns the declarations of sizes, as ranges of the text, with their names.
    fn unset(&self) -> Vec<(std::ops::Range<usize>, Vec<&'t str>)> {
        let first = self.words.iter().position(|word| STATEMENTS.contains(&word.text)).unwrap_or(0);
        let declarations = self.words[..first].split_inclusive(|word| word.text == ";");
        let unset = declarations.filter_map(|declaration| {
            let kinds = declaration.iter().take_while(|word| INTEGERS.contains(&word.text)).count();
            let (names, end) = (declaration.get(kinds..declaration.len() - 1)?, declaration.last()?);
            let is_name = |word: &Word<'_>| word.text.starts_with(|c: char| c.is_alphabetic() || c == '_');
            let in_turn = names.iter().enumerate().all(|(at, word)| match at % 2 {
                0 => is_name(word) && self.role(word.text) == Role::Size,
                _ => word.text == ",",
            });
            let names: Vec<_> = names.iter().step_by(2).map(|word| word.text).collect();
            let found = kinds > 0 && in_turn && !names.is_empty() && end.text == ";";
            found.then(|| (declaration[0].start..end.start + 1, names))
        });
        unset.collect()
    }

    /// Returns the line on which the function begins, from 1.
    pub(crate) fn first_line(&self) -> usize {
        self.words.iter().map(|word| word.line + 1).find(|line| *line > self.head).unwrap_or(1)
    }

    /// Returns the role of a name, by its uses.
    pub(crate) fn role(&self, name: &str) -> Role {
        let uses = self.words.iter().enumerate().filter(|(_, word)| word.text == name);
        let roles: Vec<Role> = uses.map(|(position, _)| self.role_at(position)).collect();
        let is = |role: Role| roles.contains(&role);
        [Role::Function, Role::Array, Role::Counter].into_iter().find(|role| is(*role)).unwrap_or(Role::Size)
    }

    fn role_at(&self, position: usize) -> Role {
        let at = |position: Option<usize>| position.and_then(|p| self.words.get(p)).map_or("", |word| word.text);
        let (before, after) = (at(position.checked_sub(1)), at(Some(position + 1)));
        let assigns = |sign: &str| sign.ends_with('=') && !["==", "<=", ">=", "!="].contains(&sign);
        match after {
            "(" => Role::Function,
            "[" => Role::Array,
            "++" | "--" => Role::Counter,
            _ if assigns(after) || before == "++" || before == "--" => Role::Counter,
            _ => Role::Size,
        }
    }

    /// Returns the number of subscripts of an array at its first use.
    pub(crate) fn rank(&self, name: &str) -> usize {
        let Some(start) = self.words.iter().position(|word| word.text == name) else { return 0 };
        let (mut depth, mut rank) = (0_i64, 0);
        for word in &self.words[start + 1..] {
            match word.text {
                "[" => {
                    rank += usize::from(depth == 0);
                    depth += 1;
                }
                "]" => depth -= 1,
                _ if depth == 0 => break,
                _ => {}
            }
        }
        rank
    }

    /// Returns the line and column of the first use of a name, from 1.
    pub(crate) fn place_of(&self, name: &str) -> (usize, usize) {
        self.words.iter().find(|word| word.text == name).map_or((1, 1), |word| (word.line + 1, word.column + 1))
    }

    /// Returns the text with blanks instead of the declarations of sizes.
    fn without_sizes(&self) -> String {
        let mut text = self.text.to_owned();
        for (range, _) in self.unset() {
            let blank = self.text[range.clone()].replace(|c| c != '\n', " ");
            text.replace_range(range, &blank);
        }
        text
    }

    /// Returns the text with a function around it; `file` is its name in messages.
    pub(crate) fn wrapped(&self, file: &str, sizes: &[String], counters: &[String]) -> String {
        let quoted = file.replace('\\', "\\\\").replace('"', "\\\"");
        let mark = |line: usize| format!("#line {line} \"{quoted}\"\n");
        let text = self.without_sizes();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let (head, body) = lines.split_at(self.head.min(lines.len()));
        let parameters: Vec<String> = sizes.iter().map(|size| format!("int {size}")).collect();
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        let locals: String = counters.iter().map(|counter| format!("int {counter}; ")).collect();
        let start = format!("{}void {NAME}({parameters}) {{ {locals}\n", mark(self.first_line()));
        [mark(1), head.concat(), start, mark(self.head + 1), body.concat(), "\n}\n".to_owned()].concat()
    }
}

/// Returns the undeclared names in the compiler's messages, in their order.
pub(crate) fn undeclared(messages: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let name = |line: &str| {
        let (_, rest) = line.split_once("error: use of undeclared identifier '")?;
        rest.split_once('\'').map(|(name, _)| name.to_owned())
    };
    messages.lines().filter_map(name).filter(|name| seen.insert(name.clone())).collect()
}

/// Returns the words of a text in C, without comments, preprocessor lines, strings and characters.
fn words(text: &str) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    let (mut rest, mut line, mut start_of_line, mut at_start) = (text, 0, 0, true);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '#' if at_start => directive(rest),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' | '\'' => quoted(rest, first),
            c if c.is_alphanumeric() || c == '_' => {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
            }
            c if c.is_whitespace() => c.len_utf8(),
            _ => sign(rest, first),
        };
        let (word, after) = rest.split_at(length);
        let skipped =
            first.is_whitespace() || word.starts_with("//") || word.starts_with("/*") || (at_start && first == '#');
        if !skipped && first != '"' && first != '\'' {
            found.push(Word {
                text: word,
                line,
                column: text.len() - rest.len() - start_of_line,
                start: text.len() - rest.len(),
            });
        }
        at_start = if skipped { at_start && !word.starts_with('#') || word.contains('\n') } else { false };
        if let Some(end) = word.rfind('\n') {
            start_of_line = text.len() - rest.len() + end + 1;
        }
        line += word.matches('\n').count();
        rest = after;
    }
    found
}

/// Returns the length of a preprocessor line, with its continuation lines.
fn directive(text: &str) -> usize {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        length += line.len();
        if !line.trim_end_matches(['\n', '\r']).ends_with('\\') {
            break;
        }
    }
    length
}

/// Returns the length of a string or character.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (position, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return position,
            c if c == quote => return position + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// Returns the length of a sign, which has up to three characters.
fn sign(text: &str, first: char) -> usize {
    const SIGNS: [&str; 18] =
        ["<<=", ">>=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "==", "!=", "<=", ">=", "&&", "||"];
    SIGNS.iter().find(|sign| text.starts_with(**sign)).map_or(first.len_utf8(), |sign| sign.len())
}
