//! The source with its nests in a new order.
//!
//! Statements stand as they were written. A loop has the name of the source's variable where it runs over its values;
//! elsewhere the variable is declared in front of the statement, with its value in the loops around.

use std::collections::BTreeMap;
use std::fmt::Write;

use symloc_affine::{Expr, IterId, Param};
use symloc_isl::{AstExpr, AstNode, AstOp};
use symloc_schedule::Scop;

use super::copies::RewrittenVariables;
use super::hints::LoopHint;
use super::operations::{Macros, each_instance, fresh_word, is_single, mentions, operation_text, strength};
use super::reading::source::{SourceFunction, SourceLoop};
use crate::candidates::AdvisedOrder;
use crate::nest::Nests;

/// The source, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Emitter<'e> {
    /// The text of the file.
    pub text: &'e str,
    /// Its function.
    pub source: &'e SourceFunction,
    /// The accesses and variables of its statements.
    pub nests: &'e Nests,
    /// What becomes of variables that are declared between the loops.
    pub rewritten: &'e RewrittenVariables,
    /// The statements.
    pub scop: &'e Scop,
}

/// Tells Clang that the iterations of a loop may run at once.
pub(crate) const VECTORS: &str = "#pragma clang loop vectorize(assume_safety)";

/// Where Clang sees no use in that it warns, which is no fault of the program.
const QUIET: &str = "#pragma clang diagnostic push\n#pragma clang diagnostic ignored \"-Wpass-failed\"\n";
const LOUD: &str = "#pragma clang diagnostic pop\n";

impl Emitter<'_> {
    /// Returns the file with the nests in the order of a candidate.
    pub fn file(&self, candidate: &AdvisedOrder) -> String {
        let (begin, end) = self.source.region;
        let start = self.text[..begin].rfind('\n').map_or(0, |newline| newline + 1);
        let indent = self.text[start..begin].chars().take_while(|c| c.is_whitespace()).collect::<String>();
        let params = &self.scop.program.params;
        let mut writer = CodeWriter {
            emitter: self,
            text: String::new(),
            indent: indent.clone(),
            names: params.iter().map(|param| (param.name.clone(), self.param(param))).collect(),
            typed: BTreeMap::new(),
            collected: BTreeMap::new(),
            loops: 0,
            macros: Macros::new(self.text),
            candidate,
        };
        writer.declarations();
        writer.node(&candidate.generated.loops);
        let CodeWriter { text: code, macros, .. } = writer;
        let code = code.trim_start().trim_end_matches('\n');
        // Definitions are lines of their own, before what is said of the function.
        let function = self.text[..self.source.range.0].rfind('\n').map_or(0, |newline| newline + 1);
        let function = before_comments(&self.text[..function]);
        let (before, between) = (&self.text[..function], &self.text[function..begin]);
        // So are pragmas.
        let newline = if self.text[start..begin].trim().is_empty() { String::new() } else { format!("\n{indent}") };
        let (quiet, loud) = if code.contains(VECTORS) { (QUIET, LOUD) } else { ("", "") };
        let head = quiet.to_owned() + &macros.definitions(code);
        let (head, new) = (self.with_line_ends(&head), self.with_line_ends(&format!("{newline}{code}")));
        let (rest, behind) = self.text[end..].split_at(self.end_of_function() - end);
        let newline = if loud.is_empty() || rest.ends_with('\n') { "" } else { "\n" };
        let tail = self.with_line_ends(&format!("{newline}{loud}"));
        format!("{before}{head}{between}{new}{rest}{tail}{behind}")
    }

    /// Returns the byte behind the last line of the function.
    fn end_of_function(&self) -> usize {
        let end = self.source.range.1.max(self.source.region.1);
        self.text[end..].find('\n').map_or(self.text.len(), |newline| end + newline + 1)
    }

    /// Returns code with lines that end as those of the source do.
    fn with_line_ends(&self, code: &str) -> String {
        match self.text.contains("\r\n") {
            true => code.replace("\r\n", "\n").replace('\n', "\r\n"),
            false => code.to_owned(),
        }
    }

    /// Returns the type of the iterators, which is signed: bounds in a new order may be negative where those of the source
    /// are not. Values of unsigned variables of the source are converted from it; as they are the same numbers modulo a
    /// power of two, so are all results.
    pub(crate) fn kind(&self) -> &str {
        let loops = self.source.loops.iter().map(|l| l.kind.as_str());
        let sizes = self.scop.program.params.iter().filter_map(|param| self.source.constants.get(self.name(param)));
        if loops.chain(sizes.map(String::as_str)).all(|kind| kind == "int") { "int" } else { "long" }
    }

    /// Returns the name of a parameter in the source.
    fn name<'p>(&self, param: &'p Param) -> &'p str {
        param.argument.as_ref().unwrap_or(&param.name)
    }

    /// Returns a parameter as a signed number.
    pub(crate) fn param(&self, param: &Param) -> String {
        let name = self.name(param);
        let is_unsigned = self.source.constants.get(name).is_some_and(|kind| kind.starts_with("unsigned"));
        if is_unsigned { format!("({}){name}", self.kind()) } else { name.to_owned() }
    }

    /// Returns true if a variable is declared in front of the loops that it counts.
    pub(crate) fn is_declared_outside(&self, name: &str) -> bool {
        let mut loops = self.source.loops.iter().filter(|l| l.variable == name).peekable();
        loops.peek().is_some() && loops.all(|l| !l.declares)
    }

    /// Returns the loop that counts with a variable, if the variable has another type than iterators.
    pub(crate) fn of_other_type(&self, name: &str) -> Option<&SourceLoop> {
        self.source.loops.iter().find(|l| l.variable == name && l.kind != self.kind())
    }

    pub(crate) fn statement(&self, name: &str) -> usize {
        self.scop.statements.iter().position(|statement| statement.name == name).unwrap_or_default()
    }
}

/// Returns the length of a text without the comments at its end, which are lines of their own.
pub(crate) fn before_comments(text: &str) -> usize {
    let lines = text.trim_end_matches(['\r', '\n']);
    let last = lines.rfind('\n').map_or(0, |newline| newline + 1);
    let line = lines[last..].trim();
    let comment = match line.ends_with("*/") {
        true => lines.rfind("/*").map(|start| lines[..start].rfind('\n').map_or(0, |newline| newline + 1)),
        false => line.starts_with("//").then_some(last),
    };
    let alone =
        |start: &usize| lines[*start..].trim_start().starts_with('/') && text[lines.len()..].matches('\n').count() == 1;
    comment.filter(alone).map_or(text.len(), |start| before_comments(&text[..start]))
}

/// The head of a loop while it is written.
struct LoopHead<'h> {
    /// Its iterator in isl's code.
    iterator: &'h str,
    /// Its name in the source.
    name: String,
    /// The variable of the source with another type that has its value.
    typed: Option<String>,
    /// Its first value.
    start: String,
}

/// The code of an order while it is written.
pub(crate) struct CodeWriter<'w> {
    pub(crate) emitter: &'w Emitter<'w>,
    text: String,
    pub(crate) indent: String,
    pub(crate) candidate: &'w AdvisedOrder,
    /// By iterator or parameter of the generated code, its text here.
    pub(crate) names: BTreeMap<String, String>,
    /// The variables that have the value of a loop around in another type, with the loop's name.
    pub(crate) typed: BTreeMap<String, String>,
    /// By statement of the program, the variable that collects its sum in the loop around.
    pub(crate) collected: BTreeMap<usize, String>,
    /// The number of loops so far that may have more than one iteration: the iterators of the generated program.
    loops: u32,
    macros: Macros,
}

impl CodeWriter<'_> {
    pub(crate) fn line(&mut self, line: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{}{line}", self.indent);
    }

    pub(crate) fn inside(&mut self, write: impl FnOnce(&mut Self)) {
        let outer = self.indent.clone();
        self.indent.push_str("  ");
        write(self);
        self.indent = outer;
    }

    fn node(&mut self, node: &AstNode) {
        match node {
            AstNode::Block(children) => children.iter().for_each(|child| self.node(child)),
            AstNode::If { condition, then, otherwise } => {
                let condition = self.expr(condition);
                self.line(&format!("if ({condition}) {{"));
                self.inside(|writer| writer.node(then));
                if let Some(otherwise) = otherwise {
                    self.line("} else {");
                    self.inside(|writer| writer.node(otherwise));
                }
                self.line("}");
            }
            AstNode::For { iterator, start, condition, step, body } => {
                let (name, typed) = self.name_of(iterator, body);
                let start = self.expr(start);
                let shadowed = self.names.insert(iterator.clone(), name.clone());
                let head = LoopHead { iterator, name, typed, start };
                match condition {
                    None => {
                        self.line("{");
                        let declared = format!("const {} {} = {};", self.emitter.kind(), head.name, head.start);
                        self.inside(|writer| writer.line(&declared));
                        self.body(&head, body);
                    }
                    Some(condition) => self.for_loop(&head, condition, step, body),
                }
                match shadowed {
                    Some(outer) => self.names.insert(iterator.clone(), outer),
                    None => self.names.remove(iterator),
                };
            }
            AstNode::User { statement, instance } => self.instance(self.emitter.statement(statement), instance),
        }
    }

    /// Writes a loop that may have several iterations, with what is known of them.
    fn for_loop(&mut self, head: &LoopHead<'_>, condition: &AstExpr, step: &AstExpr, body: &AstNode) {
        let LoopHead { iterator, name, start, .. } = head;
        let iter = IterId(self.loops);
        self.loops += 1;
        let (first, hint) = self.with_value(iterator, start, |writer| {
            let hint = if body.has_loop() { LoopHint::None } else { writer.hint(iter, body) };
            (writer.expr(condition), hint)
        });
        let condition = self.expr(condition);
        let step = match step {
            AstExpr::Int(step) if *step == 1.into() => format!("{name}++"),
            step => format!("{name} += {}", self.expr(step)),
        };
        let kind = match self.emitter.is_declared_outside(name) {
            true => String::new(),
            false => format!("{} ", self.emitter.kind()),
        };
        let opening = format!("for ({kind}{name} = {start}; {condition}; {step}) {{");
        match hint {
            LoopHint::None => {
                self.line(&opening);
                self.body(head, body);
            }
            LoopHint::Vectors(sums) => self.collecting(sums, &first, |writer| {
                writer.line(VECTORS);
                writer.line(&opening);
                writer.body(head, body);
            }),
        }
    }

    /// Returns what `write` does where an iterator has a value.
    fn with_value<T>(&mut self, iterator: &str, value: &str, write: impl FnOnce(&mut Self) -> T) -> T {
        let value = if is_single(value) { value.to_owned() } else { format!("({value})") };
        let name = self.names.insert(iterator.to_owned(), value);
        let written = write(self);
        self.names.extend(name.map(|name| (iterator.to_owned(), name)));
        written
    }

    /// Writes the body of a loop and its last bracket.
    fn body(&mut self, head: &LoopHead<'_>, body: &AstNode) {
        let LoopHead { name, typed, .. } = head;
        let hidden = typed.as_ref().map(|variable| self.typed.insert(variable.clone(), name.clone()));
        self.inside(|writer| {
            if let Some(variable) = typed {
                writer.line(&writer.converted(variable, name, false));
            }
            writer.node(body);
        });
        self.line("}");
        if let Some(variable) = typed {
            match hidden.flatten() {
                Some(outer) => self.typed.insert(variable.clone(), outer),
                None => self.typed.remove(variable),
            };
        }
    }

    /// Returns the name of a loop, and a variable of the source with another type that has its value: a variable that has
    /// the loop's value wherever it is used in the body gives the name.
    fn name_of(&self, iterator: &str, body: &AstNode) -> (String, Option<String>) {
        let is_taken = |name: &str| self.names.values().any(|taken| taken == name) || self.typed.contains_key(name);
        let fresh = |name: &str| {
            let mut fresh = fresh_word(self.emitter.text, name);
            while is_taken(&fresh) {
                fresh.insert(0, 't');
            }
            fresh
        };
        for variable in self.emitter.source.loops.iter().map(|l| &l.variable) {
            if !is_taken(variable) && self.runs_over(iterator, variable, body) {
                return match self.emitter.of_other_type(variable) {
                    Some(_) => (fresh(&format!("t{variable}")), Some(variable.clone())),
                    None => (variable.clone(), None),
                };
            }
        }
        (fresh(iterator), None)
    }

    /// Returns true if a variable has the value of an iterator in all statements that know it, and there is one.
    fn runs_over(&self, iterator: &str, variable: &str, body: &AstNode) -> bool {
        let mut any = false;
        let all = each_instance(body, &mut |statement, instance| {
            let statement = self.emitter.statement(statement);
            let known = self.emitter.nests.variables[statement].iter().rev().find(|(name, _)| name == variable);
            let Some((_, value)) = known else { return true };
            let iters = &self.emitter.scop.statements[statement].iters;
            let is_value = iters
                .iter()
                .zip(instance)
                .any(|(iter, given)| *value == Expr::iter(*iter) && *given == AstExpr::Name(iterator.to_owned()));
            // A variable of another type is declared for those that use it.
            any |= is_value && (self.emitter.of_other_type(variable).is_none() || self.uses(statement, variable));
            // Elsewhere the variable is declared anew, from other loops.
            is_value || !instance.iter().any(|given| mentions(given, iterator))
        });
        all && any
    }

    pub(crate) fn expr(&self, expr: &AstExpr) -> String {
        match expr {
            AstExpr::Int(value) => value.to_string(),
            AstExpr::Name(name) => self.names.get(name).unwrap_or(name).clone(),
            AstExpr::Op(operation, operands) => {
                let operands: Vec<String> = operands.iter().map(|operand| self.operand(operand, *operation)).collect();
                operation_text(*operation, &operands, &self.macros)
            }
        }
    }

    /// Returns an operand, in brackets where the operation around it binds more tightly.
    fn operand(&self, expr: &AstExpr, around: AstOp) -> String {
        let text = self.expr(expr);
        let AstExpr::Op(inside, _) = expr else { return text };
        let in_call = matches!(around, AstOp::Min | AstOp::Max | AstOp::FloorDiv);
        if in_call || strength(*inside) > strength(around) || (*inside == around && around == AstOp::Add) {
            text
        } else {
            format!("({text})")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::before_comments;

    #[test]
    fn comments_stay_with_their_function() {
        let code = "int x;\n\n";
        for comment in ["/// Adds.\n// Twice.\n", "/* Adds\n   twice. */\n", "/** Adds. */\r\n// Twice.\r\n", ""] {
            assert_eq!(before_comments(&format!("{code}{comment}")), code.len(), "{comment}");
        }
        for other in ["// Apart.\n\n", "int y; // Of y.\n", "int z; /* Of\n z. */\n"] {
            assert_eq!(before_comments(other), other.len(), "{other}");
        }
    }
}
