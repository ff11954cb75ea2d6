//! Reads the loops and statements of a function from Clang's syntax tree.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::arithmetic::arithmetic_of;
use super::declarations::{collect_locals, declared_variables, is_bound, own_variables, plain_type, variable_uses};
use super::effects::Helpers;
use super::heads::loop_head;
use super::source::{SourceFunction, SourceStatement, SourceTarget, SourceVariable};
use super::syntax::{
    begin, children, collect_assigned, collect_declared, collect_uses, end_in, find, has_loop, has_nest, last_is_block,
    number, peeled, type_of,
};
use super::text::{after_semicolon, next_token, place};
use super::updates::update_of;
use crate::error::AdviseError;

/// The statements that jump.
const JUMPS: [&str; 5] = ["ReturnStmt", "BreakStmt", "GotoStmt", "ContinueStmt", "SwitchStmt"];
const WHILE: &str = "a `while` loop: only `for` loops are reordered";
const JUMP: &str = "a jump between the loops: its place in a new order is not known";
/// Statements that may jump to a label.
const JUMPS_TO_LABELS: [&str; 3] = ["GotoStmt", "IndirectGotoStmt", "AddrLabelExpr"];
const STATIC: &str = "a variable that is declared `static` or `extern` between the loops";

/// A reader of one function.
pub(crate) struct SyntaxReader<'t> {
    text: &'t str,
    helpers: &'t Helpers,
    /// The parts that were found so far.
    pub(crate) found: SourceFunction,
    around: Vec<usize>,
    /// The byte at which the block begins whose statements are read.
    block: usize,
    /// The variables that statements assign to, other than the heads of loops.
    assigned: BTreeSet<String>,
    /// The variables whose values depend on data.
    data: BTreeSet<String>,
    /// A statement of the function that jumps to a label.
    jump_to_label: Option<&'t Value>,
}

impl<'t> SyntaxReader<'t> {
    /// Reads the body of the function; the region goes from its first statement with a loop to its last.
    pub(crate) fn read(text: &'t str, helpers: &'t Helpers, body: &'t Value) -> Result<SourceFunction, AdviseError> {
        let mut assigned = BTreeSet::new();
        collect_assigned(body, false, &mut assigned);
        let (found, around, data) = (SourceFunction::default(), Vec::new(), BTreeSet::new());
        let jump_to_label = find(body, &|node| JUMPS_TO_LABELS.iter().any(|kind| node["kind"] == *kind));
        let mut reader = Self { text, helpers, found, around, block: 0, assigned, data, jump_to_label };
        collect_declared(body, &mut reader.found.declared);
        reader.body(body)?;
        Ok(reader.found)
    }

    fn body(&mut self, body: &Value) -> Result<(), AdviseError> {
        let with_loops: Vec<bool> = children(body).map(has_nest).collect();
        let first = with_loops.iter().position(|has| *has);
        let Some(first) = first else {
            let other = find(body, &|node| matches!(node["kind"].as_str(), Some("WhileStmt" | "DoStmt")));
            return Err(other.map_or_else(
                || {
                    self.refused(
                        body,
                        "the function has no loop of its own; those of functions that it calls are not reordered",
                    )
                },
                |node| self.refused(node, WHILE),
            ));
        };
        let last = with_loops.iter().rposition(|has| *has).unwrap_or(first);
        let nodes: Vec<&Value> = children(body).collect();
        let start = begin(nodes[first]).ok_or_else(|| self.refused(body, "its place is not known"))?;
        for node in &nodes[first..=last] {
            // A call may stand anywhere, also in a condition.
            if let Some((place, why)) = self.helpers.effect(node) {
                return Err(self.refused(place, &why));
            }
            self.statement(node, true)?;
        }
        self.check_variables(&nodes[last + 1..])?;
        self.found.region = (start, self.after(nodes[last])?);
        self.check_macros()
    }

    /// Checks that variables of loops are not used outside of them, where new loops leave other values in them.
    fn check_variables(&self, after: &[&Value]) -> Result<(), AdviseError> {
        let shared = self.found.loops.iter().filter(|l| !l.declares).map(|l| &l.variable);
        let shared: BTreeSet<&String> = shared.collect();
        let why = |name: &str| format!("`{name}` is used outside of the loops that count with it");
        for statement in &self.found.statements {
            let around: Vec<_> = statement.loops.iter().map(|index| &self.found.loops[*index].variable).collect();
            let is_outside = |name: &&String| {
                shared.contains(name) && !around.contains(name) && !statement.locals.contains_key(*name)
            };
            if let Some(name) = statement.uses.iter().find(is_outside) {
                return Err(self.refused_at(statement.range.0, &why(name)));
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

    /// Checks that each statement has a text of its own.
    fn check_macros(&self) -> Result<(), AdviseError> {
        let mut end = 0;
        for statement in &self.found.statements {
            let in_head = statement.loops.iter().any(|index| self.found.loops[*index].begin >= statement.range.0);
            if in_head || statement.range.0 < end {
                let why = "several statements, or a loop with its statement, stand in one macro: write them out";
                return Err(self.refused_at(statement.range.0, why));
            }
            end = statement.range.1;
        }
        Ok(())
    }

    /// Reads a statement, which stands directly in the function's body if `is_outermost`.
    fn statement(&mut self, node: &Value, is_outermost: bool) -> Result<(), AdviseError> {
        match node["kind"].as_str().unwrap_or_default() {
            "CompoundStmt" => self.block(node, false),
            "ForStmt" => self.for_loop(node),
            "IfStmt" => self.condition(node),
            "NullStmt" => Ok(()),
            "LabelStmt" => self.labelled(node, is_outermost),
            "DeclStmt" => self.declaration(node, is_outermost),
            "BinaryOperator" | "CompoundAssignOperator" | "UnaryOperator" | "ParenExpr" | "ExprWithCleanups" => {
                self.leaf(node, false)
            }
            "WhileStmt" | "DoStmt" => Err(self.refused(node, WHILE)),
            "CXXForRangeStmt" => Err(self.refused(node, "a `for` over a range: write it with a counter")),
            kind if JUMPS.contains(&kind) => Err(self.refused(node, JUMP)),
            _ => Err(self.refused(node, "this statement cannot be moved")),
        }
    }

    /// Reads a block. One without loops that declares variables, or that `continue` ends, is a statement by itself: then
    /// each of its runs has variables of its own.
    fn block(&mut self, node: &Value, is_loop_body: bool) -> Result<(), AdviseError> {
        let continues = find(node, &|node| node["kind"] == "ContinueStmt").is_some();
        let declares = children(node).any(|child| child["kind"] == "DeclStmt");
        if !has_loop(node) && (declares || continues && is_loop_body) {
            return self.leaf(node, continues && is_loop_body);
        }
        let outer = std::mem::replace(&mut self.block, begin(node).unwrap_or(0));
        children(node).try_for_each(|child| self.statement(child, false))?;
        self.block = outer;
        Ok(())
    }

    /// Reads a condition: one on loop variables and sizes becomes the loops' own, one on data is part of a statement.
    fn condition(&mut self, node: &Value) -> Result<(), AdviseError> {
        let declares = node["hasInit"] == true || node["hasVar"] == true;
        let mut parts = children(node);
        if !declares && parts.next().is_some_and(|condition| self.is_on_sizes(condition)) {
            let outer = std::mem::replace(&mut self.block, begin(node).unwrap_or(0));
            parts.try_for_each(|child| self.statement(child, false))?;
            self.block = outer;
            return Ok(());
        }
        if has_loop(node) {
            return Err(self.refused(node, "whether a loop runs depends on data"));
        }
        self.leaf(node, false)
    }

    /// Returns true if an expression is made of integer variables that no statement assigns to and numbers, by operations
    /// whose results are affine.
    fn is_on_sizes(&self, node: &Value) -> bool {
        let kind = node["kind"].as_str().unwrap_or_default();
        let opcode = node["opcode"].as_str().unwrap_or_default();
        let is_known = match kind {
            "ArraySubscriptExpr" | "MemberExpr" | "CallExpr" | "CXXOperatorCallExpr" | "FloatingLiteral" => false,
            "UnaryOperator" => opcode != "*",
            "BinaryOperator" if opcode == "*" => children(node).any(|side| number(side).is_some()),
            "BinaryOperator" => !["&", "|", "^", "<<", ">>"].contains(&opcode),
            "DeclRefExpr" => {
                let variable = &node["referencedDecl"];
                let kind = type_of(variable);
                let is_integer = !kind.contains(['*', '[']) && !["double", "float"].iter().any(|f| kind.contains(f));
                let is_free = |id: &str| !self.assigned.contains(id) && !self.data.contains(id);
                is_integer && variable["id"].as_str().is_some_and(is_free)
            }
            _ => true,
        };
        is_known && children(node).all(|child| self.is_on_sizes(child))
    }

    /// Reads what stands behind a label that only names it.
    fn labelled(&mut self, node: &Value, is_outermost: bool) -> Result<(), AdviseError> {
        match self.jump_to_label {
            Some(jump) => {
                Err(self.refused(jump, "this jump may go to a label between the loops: remove the label or the jump"))
            }
            None => children(node).try_for_each(|child| self.statement(child, is_outermost)),
        }
    }

    fn for_loop(&mut self, node: &Value) -> Result<(), AdviseError> {
        let head = loop_head(node).map_err(|why| self.refused(node, &why))?;
        let mut changed = BTreeSet::new();
        children(node).last().into_iter().for_each(|body| collect_assigned(body, false, &mut changed));
        if changed.contains(&head.id) {
            let why = format!("`{}` changes in the body of the loop that counts with it", head.variable);
            return Err(self.refused(node, &why));
        }
        if self.around.iter().any(|outer| self.found.loops[*outer].variable == head.variable) {
            let why = format!("`{}` is also the variable of a loop around this one: rename it", head.variable);
            return Err(self.refused(node, &why));
        }
        self.around.push(self.found.loops.len());
        self.found.loops.push(head);
        let outer = std::mem::replace(&mut self.block, begin(node).unwrap_or(0));
        match children(node).last() {
            Some(body) if body["kind"] == "CompoundStmt" => self.block(body, true)?,
            Some(body) => self.statement(body, false)?,
            None => {}
        }
        self.block = outer;
        self.around.pop();
        Ok(())
    }

    /// Reads variables that are declared for statements in several loops.
    fn declaration(&mut self, node: &Value, is_outermost: bool) -> Result<(), AdviseError> {
        let after = self.after(node)?;
        let variables = declared_variables(self.text, node, after);
        for part in &variables.ok_or_else(|| self.refused(node, "this declaration is not understood"))? {
            let variable = part.node;
            if outlives_its_block(variable) {
                return Err(self.refused(node, STATIC));
            }
            let kind = type_of(variable);
            let (id, name) = (part.id.to_owned(), part.name.to_owned());
            let mut changed = BTreeSet::new();
            children(variable).for_each(|value| collect_assigned(value, true, &mut changed));
            // What a reference refers to stays the same, whatever is assigned to that.
            let is_kept = kind.ends_with('&') || !self.assigned.contains(&id);
            let is_fixed = part.value.is_some() && is_kept && changed.is_empty();
            if kind.contains('[') && !kind.contains('*') || is_bound(kind) && !is_fixed {
                let why = format!("`{name}` is an array, or a pointer that changes: declare it in front of the loops");
                return Err(self.refused(node, &why));
            }
            if children(variable).next().is_some_and(|value| !self.is_on_sizes(value)) {
                self.data.insert(id.clone());
            }
            let declared = SourceVariable {
                id,
                kind: part.kind.clone(),
                meaning: plain_type(variable).to_owned(),
                name,
                value: part.value,
                text: match children(node).count() {
                    1 => self.text[part.range.0..part.range.1].to_owned(),
                    _ => part.alone(),
                },
                is_fixed,
                is_bound: is_bound(kind),
                is_outermost,
            };
            self.push(variable, part.range, Some(declared), false);
        }
        Ok(())
    }

    fn leaf(&mut self, node: &Value, continues: bool) -> Result<(), AdviseError> {
        let is_jump = |node: &Value| {
            let kind = node["kind"].as_str().unwrap_or_default();
            JUMPS.contains(&kind) && !(continues && kind == "ContinueStmt")
        };
        if let Some(jump) = find(node, &is_jump) {
            return Err(self.refused(jump, JUMP));
        }
        if let Some(variable) = find(node, &outlives_its_block) {
            return Err(self.refused(variable, STATIC));
        }
        if let Some(label) = find(node, &|node| node["kind"] == "LabelStmt") {
            return Err(self.refused(label, "a label in a statement that may be copied: remove it"));
        }
        let Some(begin) = begin(node) else { return Err(self.refused(node, "its place is not known")) };
        let range = (begin, self.after(node)?);
        self.push(node, range, None, continues);
        Ok(())
    }

    fn push(&mut self, node: &Value, range: (usize, usize), declares: Option<SourceVariable>, continues: bool) {
        let (mut uses, mut locals) = (BTreeSet::new(), BTreeMap::new());
        collect_uses(node, &mut uses);
        if declares.is_none() {
            collect_locals(node, &mut locals);
        }
        let words = variable_uses(node);
        let own = own_variables(node);
        let shadows = words.iter().any(|word| locals.contains_key(&word.name) && !own.contains(word.id.as_str()));
        self.found.statements.push(SourceStatement {
            range,
            loops: self.around.clone(),
            declares,
            locals,
            shadows,
            uses,
            words,
            block: self.block,
            target: self.target(node),
            continues,
            arithmetic: arithmetic_of(node),
            update: update_of(node),
        });
    }

    /// Returns the element that an assignment stores to.
    fn target(&self, node: &Value) -> Option<SourceTarget> {
        let is_assignment = node["kind"] == "BinaryOperator" && node["opcode"] == "=";
        let mut sides = children(node).filter(|_| is_assignment);
        let (element, value) = (sides.next()?, peeled(sides.next()?));
        if peeled(element)["kind"] != "ArraySubscriptExpr" {
            return None;
        }
        let range = (begin(element)?, end_in(self.text, element)?);
        // A macro that holds more than the element does not end in front of the sign.
        if !self.text.get(next_token(self.text, range.1)..)?.starts_with('=') {
            return None;
        }
        let words = variable_uses(element);
        let mut uses = BTreeSet::new();
        collect_uses(element, &mut uses);
        let changing = words.iter().map(|word| word.id.clone()).filter(|id| self.assigned.contains(id)).collect();
        let is_variable = value["kind"] == "DeclRefExpr";
        let copies = value["referencedDecl"]["id"].as_str().filter(|_| is_variable).map(str::to_owned);
        // Without names: `float` and `value_type` are the same.
        Some(SourceTarget { range, kind: plain_type(element).to_owned(), words, uses, changing, copies })
    }

    /// Returns the byte after the semicolon that ends a statement; a block ends with its bracket.
    fn after(&self, node: &Value) -> Result<usize, AdviseError> {
        let end = end_in(self.text, node).ok_or_else(|| self.refused(node, "its place is not known"))?;
        if last_is_block(node) {
            return Ok(end);
        }
        let why = "this statement ends in a macro: write its semicolon behind the macro";
        // A declaration's own range has its semicolon.
        let has_own = node["kind"] == "DeclStmt" && self.text[..end].ends_with(';');
        if has_own { Ok(end) } else { after_semicolon(self.text, end).ok_or_else(|| self.refused(node, why)) }
    }

    fn refused(&self, node: &Value, why: &str) -> AdviseError {
        self.refused_at(begin(node).unwrap_or(0), why)
    }

    fn refused_at(&self, offset: usize, why: &str) -> AdviseError {
        let (line, column) = place(self.text, offset);
        AdviseError::Source { line, column, why: why.to_owned() }
    }
}

/// Returns true for a variable whose value stays from one run of its block to the next.
fn outlives_its_block(node: &Value) -> bool {
    node["kind"] == "VarDecl"
        && node["storageClass"].as_str().is_some_and(|class| ["static", "extern"].contains(&class))
}
