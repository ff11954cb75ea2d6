//! The statements and loops of a function in C, from Clang's syntax tree (`-ast-dump=json`).
//!
//! Places are byte offsets in the file. What stands in a macro is at the place where the macro is used.

use std::collections::BTreeSet;

use serde_json::Value;

use super::arithmetic::arithmetic_of;
use super::syntax::{
    begin, called, children, collect_assigned, collect_declared, collect_uses, end, find, has_loop, has_nest,
    last_is_block, number, peeled, place, unknown_call,
};
use crate::arithmetic::Arithmetic;
use crate::error::AdviseError;

/// A function of a source file.
#[derive(Clone, Debug, Default)]
pub struct SourceFunction {
    /// The loops, in the order of the text.
    pub loops: Vec<SourceLoop>,
    /// The statements that are no loops and no conditions, in the order of the text.
    pub statements: Vec<SourceStatement>,
    /// The bytes from the first loop nest of the body to the end of the last.
    pub region: (usize, usize),
    /// The bytes of the whole function.
    pub range: (usize, usize),
    /// The arguments.
    pub arguments: Vec<SourceArgument>,
    /// The names of the variables that the function declares.
    pub declared: BTreeSet<String>,
}

/// An argument of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceArgument {
    /// Its name.
    pub name: String,
    /// Its type, as Clang has it: an array is a pointer.
    pub kind: String,
}

/// A `for` loop.
#[derive(Clone, Debug)]
pub struct SourceLoop {
    /// Its variable.
    pub variable: String,
    /// The type of the variable, as written.
    pub kind: String,
    /// True if the loop declares its variable.
    pub declares: bool,
    /// Its step, which may be negative.
    pub step: i64,
    /// The first value, as a node of the syntax tree.
    pub start: Value,
    /// The byte at which it begins.
    pub begin: usize,
}

/// A statement that is neither a loop nor a condition.
#[derive(Clone, Debug)]
pub struct SourceStatement {
    /// The bytes from its beginning to its semicolon, which is included.
    pub range: (usize, usize),
    /// The loops around it, outermost first.
    pub loops: Vec<usize>,
    /// A variable that it declares.
    pub declares: Option<SourceVariable>,
    /// The names of the variables that it uses, also through macros.
    pub uses: BTreeSet<String>,
    /// What it computes.
    pub arithmetic: Arithmetic,
}

/// A variable that a statement declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceVariable {
    /// The type, as written.
    pub kind: String,
    /// The name.
    pub name: String,
    /// The byte at which its first value begins, if it has one.
    pub value: Option<usize>,
}

/// The statements that jump.
const JUMPS: [&str; 5] = ["ReturnStmt", "BreakStmt", "GotoStmt", "ContinueStmt", "SwitchStmt"];
const JUMP: &str = "a jump between the loops: its place in a new order is not known";

/// The types of variables that loops may count with.
const SIGNED: [&str; 3] = ["int", "long", "long long"];

impl SourceFunction {
    /// Finds the loops and statements of a function.
    ///
    /// # Errors
    ///
    /// [`AdviseError::Source`] if the function has a statement that cannot be moved, or is not in the tree.
    pub fn read(tree: &str, text: &str, name: &str) -> Result<Self, AdviseError> {
        let documents = serde_json::Deserializer::from_str(tree).into_iter::<Value>();
        let functions = documents
            .filter_map(Result::ok)
            .filter(|node| node["kind"] == "FunctionDecl" && node["name"] == name && body_of(node).is_some());
        let function = functions.last().ok_or_else(|| AdviseError::NoFunction { name: name.to_owned() })?;
        let body = body_of(&function).ok_or_else(|| AdviseError::NoFunction { name: name.to_owned() })?;
        let mut assigned = BTreeSet::new();
        collect_assigned(body, &mut assigned);
        let mut reader = SyntaxReader { text, found: SourceFunction::default(), around: Vec::new(), assigned };
        reader.found.range = (begin(&function).unwrap_or(0), end(&function).unwrap_or(text.len()));
        for argument in children(&function).filter(|child| child["kind"] == "ParmVarDecl") {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let argument = SourceArgument { name: text(&argument["name"]), kind: text(&argument["type"]["qualType"]) };
            reader.found.arguments.push(argument);
        }
        collect_declared(body, &mut reader.found.declared);
        reader.body(body)?;
        Ok(reader.found)
    }

    /// Returns true if the function declares a variable of this name in its body.
    pub fn declares_array(&self, name: &str) -> bool {
        self.declared.contains(name)
    }

    /// Returns true if a byte of the text is in the function, but in none of its nests nor between them.
    pub fn is_around_loops(&self, offset: usize) -> bool {
        (self.range.0..self.range.1).contains(&offset) && !(self.region.0..self.region.1).contains(&offset)
    }

    /// Returns the statement that a byte of the text is in.
    pub fn statement_at(&self, offset: usize) -> Option<usize> {
        self.statements.iter().position(|statement| (statement.range.0..statement.range.1).contains(&offset))
    }
}

fn body_of(function: &Value) -> Option<&Value> {
    children(function).find(|child| child["kind"] == "CompoundStmt")
}

struct SyntaxReader<'t> {
    text: &'t str,
    found: SourceFunction,
    around: Vec<usize>,
    /// The names of the variables that statements assign to, other than the heads of loops.
    assigned: BTreeSet<String>,
}

impl SyntaxReader<'_> {
    /// Reads the body of the function; the region goes from its first statement with a loop to its last.
    fn body(&mut self, body: &Value) -> Result<(), AdviseError> {
        let with_loops: Vec<bool> = children(body).map(has_nest).collect();
        let first = with_loops.iter().position(|has| *has);
        let Some(first) = first else { return Err(self.refused(body, "the function has no loop")) };
        let last = with_loops.iter().rposition(|has| *has).unwrap_or(first);
        let nodes: Vec<&Value> = children(body).collect();
        let start = begin(nodes[first]).ok_or_else(|| self.refused(body, "its place is not known"))?;
        for node in &nodes[first..=last] {
            // A call may stand anywhere, also in a condition.
            if let Some((call, name)) = unknown_call(node) {
                let why = format!("a call of `{name}` in the loops: its effects are not known");
                return Err(self.refused(call, &why));
            }
            self.statement(node)?;
        }
        self.check_variables(&nodes[last + 1..])?;
        let stop = end(nodes[last]).ok_or_else(|| self.refused(body, "its place is not known"))?;
        self.found.region = (start, self.after(nodes[last], stop));
        Ok(())
    }

    /// Checks that variables of loops are not used outside of them, where new loops leave other values in them.
    fn check_variables(&self, after: &[&Value]) -> Result<(), AdviseError> {
        let shared = self.found.loops.iter().filter(|l| !l.declares).map(|l| &l.variable);
        let shared: BTreeSet<&String> = shared.collect();
        let why = |name: &str| format!("`{name}` is used outside of the loops that count with it");
        for statement in &self.found.statements {
            let around: Vec<_> = statement.loops.iter().map(|index| &self.found.loops[*index].variable).collect();
            let outside = statement.uses.iter().find(|name| shared.contains(name) && !around.contains(name));
            if let Some(name) = outside {
                let (line, column) = place(self.text, statement.range.0);
                return Err(AdviseError::Source { line, column, why: why(name) });
            }
        }
        for node in after {
            let mut uses = BTreeSet::new();
            collect_uses(node, &mut uses);
            if let Some(name) = uses.iter().find(|name| shared.contains(name)) {
                return Err(self.refused(node, &why(name)));
            }
        }
        Ok(())
    }

    fn statement(&mut self, node: &Value) -> Result<(), AdviseError> {
        match node["kind"].as_str().unwrap_or_default() {
            "CompoundStmt" => children(node).try_for_each(|child| self.statement(child)),
            "ForStmt" => self.for_loop(node),
            "IfStmt" => self.condition(node),
            "NullStmt" => Ok(()),
            "DeclStmt" => self.declaration(node),
            "BinaryOperator" | "CompoundAssignOperator" | "UnaryOperator" | "ParenExpr" | "ExprWithCleanups" => {
                self.leaf(node, None)
            }
            "WhileStmt" | "DoStmt" => Err(self.refused(node, "a `while` loop: only `for` loops are reordered")),
            kind if JUMPS.contains(&kind) => Err(self.refused(node, JUMP)),
            _ => Err(self.refused(node, "this statement cannot be moved")),
        }
    }

    /// Reads a condition: one on loop variables and sizes becomes the loops' own, one on data is part of a statement.
    fn condition(&mut self, node: &Value) -> Result<(), AdviseError> {
        let mut parts = children(node);
        if parts.next().is_some_and(|condition| self.is_on_sizes(condition)) {
            return parts.try_for_each(|child| self.statement(child));
        }
        if has_loop(node) {
            return Err(self.refused(node, "whether a loop runs depends on data"));
        }
        if let Some(jump) = find(node, &|node| JUMPS.contains(&node["kind"].as_str().unwrap_or_default())) {
            return Err(self.refused(jump, JUMP));
        }
        self.leaf(node, None)
    }

    /// Returns true if an expression consists of integer variables that no statement assigns to, and numbers.
    fn is_on_sizes(&self, node: &Value) -> bool {
        let kind = node["kind"].as_str().unwrap_or_default();
        let is_known = match kind {
            "ArraySubscriptExpr" | "MemberExpr" | "CallExpr" | "FloatingLiteral" => false,
            "UnaryOperator" => node["opcode"] != "*",
            "DeclRefExpr" => {
                let variable = &node["referencedDecl"];
                let kind = variable["type"]["qualType"].as_str().unwrap_or_default();
                let is_integer = !kind.contains(['*', '[']) && !["double", "float"].iter().any(|f| kind.contains(f));
                is_integer && variable["name"].as_str().is_some_and(|name| !self.assigned.contains(name))
            }
            _ => true,
        };
        is_known && children(node).all(|child| self.is_on_sizes(child))
    }

    fn for_loop(&mut self, node: &Value) -> Result<(), AdviseError> {
        let parts: Vec<&Value> = children(node).collect();
        let [start, _, _, step, body] = parts.as_slice() else {
            return Err(self.refused(node, "this `for` lacks a part"));
        };
        let (variable, kind, declares, first) =
            self.start(start).ok_or_else(|| self.refused(node, "the loop does not start with one variable's value"))?;
        let step = increment(step, &variable)
            .ok_or_else(|| self.refused(node, "the loop does not change its variable by a constant"))?;
        if !SIGNED.contains(&kind.as_str()) {
            let why = format!("the loop counts with `{variable}` of type {kind}: declare it as int or long");
            return Err(self.refused(node, &why));
        }
        let begin = begin(node).ok_or_else(|| self.refused(node, "its place is not known"))?;
        self.around.push(self.found.loops.len());
        self.found.loops.push(SourceLoop { variable, kind, declares, step, start: first, begin });
        self.statement(body)?;
        self.around.pop();
        Ok(())
    }

    /// Returns the variable of a loop, its type, true if it is declared here, and its first value.
    fn start(&self, node: &Value) -> Option<(String, String, bool, Value)> {
        let text = |node: &Value, key: &str| node[key].as_str().map(str::to_owned);
        if node["kind"] == "DeclStmt" {
            let mut variables = children(node);
            let variable = variables.next()?;
            if variables.next().is_some() {
                return None;
            }
            let value = children(variable).next()?.clone();
            return Some((text(variable, "name")?, text(&variable["type"], "qualType")?, true, value));
        }
        if node["kind"] == "BinaryOperator" && node["opcode"] == "=" {
            let mut sides = children(node);
            let variable = &sides.next()?["referencedDecl"];
            let value = sides.next()?.clone();
            return Some((text(variable, "name")?, text(&variable["type"], "qualType")?, false, value));
        }
        None
    }

    fn declaration(&mut self, node: &Value) -> Result<(), AdviseError> {
        let variables: Vec<&Value> = children(node).collect();
        let [variable] = variables.as_slice() else {
            return Err(self.refused(node, "several variables are declared at once"));
        };
        let (Some(name), Some(kind)) = (variable["name"].as_str(), variable["type"]["qualType"].as_str()) else {
            return Err(self.refused(node, "this declaration is not understood"));
        };
        if kind.contains(['*', '[', '(']) {
            return Err(self.refused(node, "an array or pointer is declared between the loops: declare it before them"));
        }
        let value = children(variable).next().and_then(begin);
        let kind = kind.trim_start_matches("const ").to_owned();
        self.leaf(node, Some(SourceVariable { kind, name: name.to_owned(), value }))
    }

    fn leaf(&mut self, node: &Value, declares: Option<SourceVariable>) -> Result<(), AdviseError> {
        let (Some(begin), Some(stop)) = (begin(node), end(node)) else {
            return Err(self.refused(node, "its place is not known"));
        };
        let range = (begin, self.after(node, stop));
        let mut uses = BTreeSet::new();
        collect_uses(node, &mut uses);
        let (loops, arithmetic) = (self.around.clone(), arithmetic_of(node));
        self.found.statements.push(SourceStatement { range, loops, declares, uses, arithmetic });
        Ok(())
    }

    /// Returns the byte after the semicolon that ends a statement; a block ends with its bracket.
    fn after(&self, node: &Value, end: usize) -> usize {
        if last_is_block(node) {
            return end;
        }
        let rest = self.text.get(end.saturating_sub(1)..).unwrap_or_default();
        rest.find(';').map_or(end, |semicolon| end.saturating_sub(1) + semicolon + 1)
    }

    fn refused(&self, node: &Value, why: &str) -> AdviseError {
        let (line, column) = place(self.text, begin(node).unwrap_or(0));
        AdviseError::Source { line, column, why: why.to_owned() }
    }
}

/// Returns the constant by which an expression changes a variable.
fn increment(node: &Value, variable: &str) -> Option<i64> {
    let mut operands = children(node);
    let (target, value) = (operands.next()?, operands.next());
    if called(target).as_deref() != Some(variable) {
        return None;
    }
    let constant = || value.and_then(number);
    match (node["kind"].as_str()?, node["opcode"].as_str()?) {
        ("UnaryOperator", "++") => Some(1),
        ("UnaryOperator", "--") => Some(-1),
        ("CompoundAssignOperator", "+=") => constant(),
        ("CompoundAssignOperator", "-=") => constant()?.checked_neg(),
        ("BinaryOperator", "=") => {
            let sum = peeled(value?);
            let mut sides = children(sum);
            let (left, right) = (peeled(sides.next()?), peeled(sides.next()?));
            let is_variable = |side: &Value| side["referencedDecl"]["name"] == variable;
            match sum["opcode"].as_str()? {
                "+" if is_variable(left) => number(right),
                "+" if is_variable(right) => number(left),
                "-" if is_variable(left) => number(right)?.checked_neg(),
                _ => None,
            }
        }
        _ => None,
    }
}
