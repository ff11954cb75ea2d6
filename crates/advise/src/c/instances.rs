//! The statements of the source in a new order: their texts, with the variables that they use.

use std::collections::BTreeSet;
use std::fmt::Write;

use symloc_affine::{Atom, Expr, IterId};
use symloc_isl::AstExpr;

use super::emit::{CodeWriter, before_comments};
use super::operations::{has_word, is_single};
use super::reading::source::{SourceStatement, VariableUse};

impl CodeWriter<'_> {
    /// Writes the declarations in front of the loops.
    pub(crate) fn declarations(&mut self) {
        let emitter = self.emitter;
        for (place, statement) in emitter.source.statements.iter().enumerate() {
            let Some(variable) = &statement.declares else { continue };
            match emitter.rewritten.copied.contains(&place) {
                true if variable.is_outermost => self.line(&variable.text),
                true => {}
                false => {
                    let new = emitter.rewritten.replaced.get(&variable.id);
                    let name = new.map_or(variable.name.as_str(), |new| new.text.as_str());
                    // An element is there already.
                    if new.is_none_or(|new| new.uses.is_empty()) {
                        self.line(&format!("{} {name};", variable.kind));
                    }
                }
            }
        }
    }

    /// Writes an instance of a statement.
    pub(crate) fn instance(&mut self, statement: usize, instance: &[AstExpr]) {
        let written = &self.emitter.source.statements[self.emitter.nests.statements[statement]];
        let copied = self.copied(written);
        let values = self.values(statement, instance);
        let is_alone = values.is_empty() && copied.is_empty();
        let inner = if is_alone { self.indent.clone() } else { format!("{}  ", self.indent) };
        let copied = copied.into_iter().map(|place| self.copy_of(place, &inner));
        let texts: Vec<String> = copied.chain([self.text_of(statement, &inner)]).collect();
        self.with_variables(&values, &texts);
    }

    /// Writes statements, in a block of its own unless it is a single one that needs no variables.
    pub(crate) fn with_variables(&mut self, values: &[(String, String)], statements: &[String]) {
        if let ([], [only]) = (values, statements) {
            return self.line(only);
        }
        self.line("{");
        self.inside(|writer| {
            writer.variables(values);
            statements.iter().for_each(|statement| writer.line(statement));
        });
        self.line("}");
    }

    /// Returns true if a statement, or a declaration that is copied into it, uses a variable.
    pub(crate) fn uses(&self, statement: usize, name: &str) -> bool {
        let written = &self.emitter.source.statements[self.emitter.nests.statements[statement]];
        let copied = self.copied(written);
        let statements = copied.into_iter().map(|place| &self.emitter.source.statements[place]);
        let new = self.emitter.rewritten.replacements(written).any(|new| new.uses.contains(name));
        new || statements.chain([written]).any(|statement| statement.uses.contains(name))
    }

    fn copied(&self, statement: &SourceStatement) -> BTreeSet<usize> {
        self.emitter.rewritten.copied_into(self.emitter.source, statement)
    }

    fn copy_of(&self, place: usize, indent: &str) -> String {
        let statement = &self.emitter.source.statements[place];
        let text = statement.declares.as_ref().map(|variable| variable.text.as_str()).unwrap_or_default();
        lines_at(text, self.column(statement), indent)
    }

    /// Returns the blanks in front of a statement in the source.
    fn column(&self, statement: &SourceStatement) -> usize {
        let line = self.emitter.text[..statement.range.0].rfind('\n').map_or(0, |newline| newline + 1);
        let line = &self.emitter.text[line..statement.range.0];
        line.len() - line.trim_start().len()
    }

    /// Returns the text of a statement of the program; a declaration only sets its variable.
    fn text_of(&self, index: usize, indent: &str) -> String {
        let statement = &self.emitter.source.statements[self.emitter.nests.statements[index]];
        let range = match &statement.declares {
            Some(variable) => variable.value.unwrap_or_default(),
            None if statement.continues => statement.range,
            None => with_comments(self.emitter.text, statement.range),
        };
        let places = statement.update.iter().flat_map(|update| &update.places);
        let collected = self.collected.get(&index);
        let sums: Vec<_> =
            collected.into_iter().flat_map(|sum| places.clone().map(move |place| (*place, sum.as_str()))).collect();
        let mut text = self.replaced_text(statement, range, &sums);
        if let Some(variable) = &statement.declares {
            let new = self.emitter.rewritten.replaced.get(&variable.id);
            let name = new.map_or(&variable.name, |new| &new.text);
            text = if variable.value.is_some() { format!("{name} = {text};") } else { String::new() };
        } else if statement.continues {
            // `continue` leaves the statement, whatever loop it is in.
            text = format!("do {text} while (0);");
        }
        lines_at(&text, self.column(statement), indent)
    }

    /// Returns a part of a statement's text with what stands for variables, and with other texts at some places.
    pub(crate) fn replaced_text(
        &self,
        statement: &SourceStatement,
        (begin, end): (usize, usize),
        others: &[((usize, usize), &str)],
    ) -> String {
        let word = |word: &'_ VariableUse| {
            let place = word.place?;
            let new = self.emitter.rewritten.replaced.get(&word.id)?;
            Some(((place, place + word.name.len()), new.text.as_str()))
        };
        let is_in_other = |((begin, _), _): &((usize, usize), &str)| {
            others.iter().any(|((first, after), _)| (*first..*after).contains(begin))
        };
        let words = statement.words.iter().filter_map(word).filter(|word| !is_in_other(word));
        let mut new: Vec<_> = words.chain(others.iter().copied()).collect();
        new.sort_by_key(|(place, _)| *place);
        let (mut text, mut at) = (String::new(), begin);
        for ((first, after), with) in new {
            if first >= at && after <= end {
                text += &self.emitter.text[at..first];
                text += with;
                at = after;
            }
        }
        text + &self.emitter.text[at..end]
    }

    /// Gives variables of the source their values: those that are declared in front of the loops, if no loop around has
    /// their name; others are declared here.
    fn variables(&mut self, values: &[(String, String)]) {
        let kind = self.emitter.kind();
        let uses = |value: &String| values.iter().any(|(name, _)| has_word(value, name));
        // Values that mention these names mean the loops around.
        let mut new = Vec::new();
        for (place, (name, value)) in values.iter().enumerate() {
            let fresh = format!("symloc_{place}");
            new.push((name, if uses(value) { fresh.clone() } else { value.clone() }));
            if uses(value) {
                self.line(&format!("const {kind} {fresh} = {value};"));
            }
        }
        for (name, value) in new {
            let is_loop = self.names.values().any(|taken| taken == name) || self.typed.contains_key(name);
            self.line(&self.converted(name, &value, is_loop));
        }
    }

    /// Returns the statement that gives a variable of a loop its value; it is declared there if `declares`, or if it is
    /// not declared in front of the loops.
    pub(crate) fn converted(&self, name: &str, value: &str, declares: bool) -> String {
        let declares = declares || !self.emitter.is_declared_outside(name);
        let is_plain = is_single(value);
        let (kind, value) = match self.emitter.of_other_type(name) {
            Some(l) if is_plain => (l.written.as_str(), format!("({}){value}", l.written)),
            Some(l) => (l.written.as_str(), format!("({})({value})", l.written)),
            None => (self.emitter.kind(), value.to_owned()),
        };
        if declares { format!("const {kind} {name} = {value};") } else { format!("{name} = {value};") }
    }

    /// Returns an expression in the program's iterators as one in the loops around.
    fn source_value(&self, value: &Expr, iters: &[IterId], given: &[String]) -> String {
        let text = value.show(&|atom| match atom {
            Atom::Param(param) => self.emitter.param(&self.emitter.scop.program.params[param.index()]),
            Atom::Iter(iter) => {
                let place = iters.iter().position(|other| other == iter).unwrap_or_default();
                if is_single(&given[place]) { given[place].clone() } else { format!("({})", given[place]) }
            }
            Atom::Floor(..) => String::new(),
        });
        text.strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'))
            .map_or(text.clone(), |inner| if inner.contains(['(', ')']) { text.clone() } else { inner.to_owned() })
    }
}

impl CodeWriter<'_> {
    /// Returns the variables of loops that have to be declared in front of an instance, with their values.
    pub(crate) fn values(&self, statement: usize, instance: &[AstExpr]) -> Vec<(String, String)> {
        let given: Vec<String> = instance.iter().map(|value| self.expr(value)).collect();
        let iters = &self.emitter.scop.statements[statement].iters;
        let (nests, mut values) = (self.emitter.nests, Vec::new());
        for (name, value) in &nests.variables[statement] {
            let value = self.source_value(value, iters, &given);
            let is_known = value == *name || self.typed.get(name) == Some(&value);
            if !is_known && self.uses(statement, name) {
                values.push((name.clone(), value));
            }
        }
        values
    }
}

/// Returns the place of a statement with the comments in the lines right above it and behind it in its last line.
fn with_comments(text: &str, (begin, end): (usize, usize)) -> (usize, usize) {
    let line = text[..begin].rfind('\n').map_or(0, |newline| newline + 1);
    let first = match text[line..begin].trim().is_empty() {
        true => before_comments(&text[..line]),
        false => line,
    };
    let blanks = text[first..].len() - text[first..].trim_start().len();
    let rest = text[end..].lines().next().unwrap_or_default().trim_end();
    let comment = rest.trim_start();
    let inside = comment.strip_prefix("/*").and_then(|comment| comment.strip_suffix("*/"));
    let is_whole = comment.starts_with("//") || inside.is_some_and(|inside| !inside.contains("*/"));
    (if first < line { first + blanks } else { begin }, if is_whole { end + rest.len() } else { end })
}

/// Returns the lines of a text that stood `before` columns to the right, at another indentation.
fn lines_at(text: &str, before: usize, indent: &str) -> String {
    let mut lines = text.lines();
    let mut all = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        let blanks = line.len() - line.trim_start().len();
        // Writing to a String cannot fail.
        let _ = write!(all, "\n{indent}{}", &line[blanks.min(before)..]);
    }
    all
}
