//! The source with its nests in a new order.
//!
//! Statements stand as they were written. A loop has the name of the source's variable where it runs over its values;
//! elsewhere the variable is declared in front of the statement, with its value in the loops around.

use std::collections::BTreeMap;
use std::fmt::Write;

use symloc_affine::{Atom, Expr, IterId};
use symloc_isl::{AstExpr, AstNode, AstOp};
use symloc_schedule::Scop;

use super::source::SourceFunction;
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
    /// The statements.
    pub scop: &'e Scop,
}

impl Emitter<'_> {
    /// Returns the file with the nests in the order of a candidate.
    pub fn file(&self, candidate: &AdvisedOrder) -> String {
        let (begin, end) = self.source.region;
        let start = self.text[..begin].rfind('\n').map_or(0, |newline| newline + 1);
        let indent = self.text[start..begin].chars().take_while(|c| c.is_whitespace()).collect::<String>();
        let mut writer = CodeWriter {
            emitter: self,
            text: String::new(),
            indent: indent.clone(),
            names: BTreeMap::new(),
            loops: 0,
            candidate,
        };
        for statement in &self.source.statements {
            if let Some(variable) = &statement.declares {
                writer.line(&format!("{} {};", variable.kind, variable.name));
            }
        }
        writer.node(&candidate.generated.loops);
        let code = writer.text.trim_start().trim_end_matches('\n');
        let function = self.source.range.0;
        let (before, between) = (&self.text[..function], &self.text[function..begin]);
        format!("{before}{}{between}{code}{}", macros(code), &self.text[end..])
    }

    /// Returns the type of the iterators: the widest of the source's.
    fn kind(&self) -> &str {
        let kinds = self.source.loops.iter().map(|l| l.kind.as_str());
        if kinds.clone().all(|kind| kind == "int") { "int" } else { "long" }
    }

    /// Returns true if a variable is declared in front of the loops that it counts, with the type of the iterators.
    fn is_declared_outside(&self, name: &str) -> bool {
        let mut loops = self.source.loops.iter().filter(|l| l.variable == name).peekable();
        loops.peek().is_some() && loops.all(|l| !l.declares && l.kind == self.kind())
    }

    fn statement(&self, name: &str) -> usize {
        self.scop.statements.iter().position(|statement| statement.name == name).unwrap_or_default()
    }
}

/// Returns the definitions that the code uses.
fn macros(code: &str) -> String {
    let definitions = [
        ("symloc_min(", "#define symloc_min(a, b) ((a) < (b) ? (a) : (b))\n"),
        ("symloc_max(", "#define symloc_max(a, b) ((a) > (b) ? (a) : (b))\n"),
        ("symloc_floor(", "#define symloc_floor(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))\n"),
    ];
    definitions.into_iter().filter(|(name, _)| code.contains(name)).map(|(_, text)| text).collect()
}

struct CodeWriter<'w> {
    emitter: &'w Emitter<'w>,
    text: String,
    indent: String,
    candidate: &'w AdvisedOrder,
    /// By iterator of the generated code, its name here.
    names: BTreeMap<String, String>,
    /// The number of loops so far that may have more than one iteration: the iterators of the generated program.
    loops: u32,
}

impl CodeWriter<'_> {
    fn line(&mut self, line: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{}{line}", self.indent);
    }

    fn inside(&mut self, write: impl FnOnce(&mut Self)) {
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
                let name = self.name_of(iterator, body);
                let kind = format!("{} ", self.emitter.kind());
                let start = self.expr(start);
                let shadowed = self.names.insert(iterator.clone(), name.clone());
                match condition {
                    None => {
                        self.line("{");
                        self.inside(|writer| writer.line(&format!("const {kind}{name} = {start};")));
                    }
                    Some(condition) => {
                        let iter = IterId(self.loops);
                        self.loops += 1;
                        if !body.has_loop() && !self.candidate.generated.carried.contains_key(&iter) {
                            self.line("#pragma clang loop vectorize(assume_safety)");
                        }
                        let condition = self.expr(condition);
                        let step = match step {
                            AstExpr::Int(step) if *step == 1.into() => format!("{name}++"),
                            step => format!("{name} += {}", self.expr(step)),
                        };
                        let kind = if self.emitter.is_declared_outside(&name) { "" } else { &kind };
                        self.line(&format!("for ({kind}{name} = {start}; {condition}; {step}) {{"));
                    }
                }
                self.inside(|writer| writer.node(body));
                self.line("}");
                match shadowed {
                    Some(outer) => self.names.insert(iterator.clone(), outer),
                    None => self.names.remove(iterator),
                };
            }
            AstNode::User { statement, instance } => self.instance(self.emitter.statement(statement), instance),
        }
    }

    /// Returns the name of a loop: a variable of the source that has the loop's value wherever it is used in the body.
    fn name_of(&self, iterator: &str, body: &AstNode) -> String {
        let is_taken = |name: &str| self.names.values().any(|taken| taken == name);
        for variable in self.emitter.source.loops.iter().map(|l| &l.variable) {
            if !is_taken(variable) && self.runs_over(iterator, variable, body) {
                return variable.clone();
            }
        }
        let mut name = iterator.to_owned();
        while has_word(self.emitter.text, &name) {
            name.insert(0, 't');
        }
        name
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
            any |= is_value;
            // Elsewhere the variable is declared anew, from other loops.
            is_value || !instance.iter().any(|given| mentions(given, iterator))
        });
        all && any
    }

    fn instance(&mut self, statement: usize, instance: &[AstExpr]) {
        let given: Vec<String> = instance.iter().map(|value| self.expr(value)).collect();
        let written = &self.emitter.source.statements[self.emitter.nests.statements[statement]];
        let iters = &self.emitter.scop.statements[statement].iters;
        let mut text = self.emitter.text[written.range.0..written.range.1].to_owned();
        if let Some(variable) = &written.declares {
            let value = variable.value.map(|value| &self.emitter.text[value..written.range.1]);
            text = value.map_or(String::new(), |value| format!("{} = {value}", variable.name));
        }
        let mut values: Vec<(&String, String)> = Vec::new();
        for (name, value) in &self.emitter.nests.variables[statement] {
            let value = self.source_value(value, iters, &given);
            if value != *name && written.uses.contains(name) {
                values.push((name, value));
            }
        }
        let line = self.emitter.text[..written.range.0].rfind('\n').map_or(0, |newline| newline + 1);
        let line = &self.emitter.text[line..written.range.0];
        let before = line.len() - line.trim_start().len();
        let inner = if values.is_empty() { self.indent.clone() } else { format!("{}  ", self.indent) };
        let text = lines_at(&text, before, &inner);
        if values.is_empty() {
            self.line(&text);
            return;
        }
        self.line("{");
        self.inside(|writer| {
            writer.variables(&values);
            writer.line(&text);
        });
        self.line("}");
    }

    /// Gives variables of the source their values: those that are declared in front of the loops, if no loop around has
    /// their name; others are declared here.
    fn variables(&mut self, values: &[(&String, String)]) {
        let kind = self.emitter.kind();
        let uses = |value: &String| values.iter().any(|(name, _)| has_word(value, name));
        // Values that mention these names mean the loops around.
        let mut new = Vec::new();
        for (place, (name, value)) in values.iter().enumerate() {
            let fresh = format!("symloc_{place}");
            new.push((*name, if uses(value) { fresh.clone() } else { value.clone() }));
            if uses(value) {
                self.line(&format!("const {kind} {fresh} = {value};"));
            }
        }
        for (name, value) in new {
            let is_loop = self.names.values().any(|taken| taken == name);
            let declares = is_loop || !self.emitter.is_declared_outside(name);
            let declaration = if declares { format!("const {kind} ") } else { String::new() };
            self.line(&format!("{declaration}{name} = {value};"));
        }
    }

    /// Returns an expression in the program's iterators as one in the loops around.
    fn source_value(&self, value: &Expr, iters: &[symloc_affine::IterId], given: &[String]) -> String {
        let text = value.show(&|atom| match atom {
            Atom::Param(param) => self.emitter.scop.program.params[param.index()].name.clone(),
            Atom::Iter(iter) => {
                let place = iters.iter().position(|other| other == iter).unwrap_or_default();
                let plain = given[place].chars().all(|c| c.is_alphanumeric() || c == '_');
                if plain { given[place].clone() } else { format!("({})", given[place]) }
            }
            Atom::Floor(..) => String::new(),
        });
        text.strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'))
            .map_or(text.clone(), |inner| if inner.contains(['(', ')']) { text.clone() } else { inner.to_owned() })
    }

    fn expr(&self, expr: &AstExpr) -> String {
        match expr {
            AstExpr::Int(value) => value.to_string(),
            AstExpr::Name(name) => self.names.get(name).unwrap_or(name).clone(),
            AstExpr::Op(operation, operands) => {
                let operands: Vec<String> = operands.iter().map(|operand| self.operand(operand, *operation)).collect();
                operation_text(*operation, &operands)
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

/// Returns how tightly an operation binds.
fn strength(operation: AstOp) -> u8 {
    match operation {
        AstOp::Or | AstOp::Select => 0,
        AstOp::And => 1,
        AstOp::Eq | AstOp::Le | AstOp::Lt | AstOp::Ge | AstOp::Gt => 2,
        AstOp::Add | AstOp::Sub => 3,
        AstOp::Mul | AstOp::Div | AstOp::PositiveDiv | AstOp::PositiveRem | AstOp::ZeroRem => 4,
        AstOp::Minus => 5,
        AstOp::Min | AstOp::Max | AstOp::FloorDiv | AstOp::Call => 6,
    }
}

fn operation_text(operation: AstOp, operands: &[String]) -> String {
    let infix = |sign: &str| operands.join(&format!(" {sign} "));
    let call = |name: &str| {
        let nested = operands.iter().cloned().reduce(|left, right| format!("{name}({left}, {right})"));
        nested.unwrap_or_default()
    };
    match operation {
        AstOp::And => infix("&&"),
        AstOp::Or => infix("||"),
        AstOp::Max => call("symloc_max"),
        AstOp::Min => call("symloc_min"),
        AstOp::Minus => format!("-{}", operands.join("")),
        AstOp::Add => infix("+"),
        AstOp::Sub => infix("-"),
        AstOp::Mul => infix("*"),
        AstOp::Div | AstOp::PositiveDiv => infix("/"),
        AstOp::FloorDiv => call("symloc_floor"),
        AstOp::PositiveRem | AstOp::ZeroRem => infix("%"),
        AstOp::Select => match operands {
            [condition, then, otherwise] => format!("{condition} ? {then} : {otherwise}"),
            _ => String::new(),
        },
        AstOp::Eq => infix("=="),
        AstOp::Le => infix("<="),
        AstOp::Lt => infix("<"),
        AstOp::Ge => infix(">="),
        AstOp::Gt => infix(">"),
        AstOp::Call => String::new(),
    }
}

fn mentions(expr: &AstExpr, iterator: &str) -> bool {
    match expr {
        AstExpr::Name(name) => name == iterator,
        AstExpr::Int(_) => false,
        AstExpr::Op(_, operands) => operands.iter().any(|operand| mentions(operand, iterator)),
    }
}

/// Calls a function with all instances under a node until it returns false; returns true if it never does.
fn each_instance(node: &AstNode, visit: &mut impl FnMut(&str, &[AstExpr]) -> bool) -> bool {
    match node {
        AstNode::Block(children) => children.iter().all(|child| each_instance(child, visit)),
        AstNode::If { then, otherwise, .. } => {
            each_instance(then, visit) && otherwise.as_ref().is_none_or(|node| each_instance(node, visit))
        }
        AstNode::For { body, .. } => each_instance(body, visit),
        AstNode::User { statement, instance } => visit(statement, instance),
    }
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

/// Returns true if a text has a word.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(start, _)| {
        let around = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        !around(text[..start].chars().next_back()) && !around(text[start + word.len()..].chars().next())
    })
}
