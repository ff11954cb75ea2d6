//! The loop nests of a function that are reordered: the affine program and the statements of the source, together.
//!
//! The program is read with every variable in memory (`--registers none`), so that values which the source keeps in
//! scalars are dependences like all others. Here the accesses to loop variables, to pointers and to scalars that the
//! nest never writes are left out again: they order nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;
use symloc_affine::{
    AccessId, AccessKind, Assumption, AssumptionKind, Expr, If, IterId, Location, Loop, Node, Param, ParamId, Program,
};

use crate::accumulators::{Accumulated, Replacement, accumulated};
use crate::arithmetic::Arithmetic;
use crate::error::AdviseError;
use crate::source::{SourceFunction, SourceStatement};
use crate::syntax::{number, operands, peeled};
use crate::text::place;
use crate::variables::{check_sizes, copied_declarations, local_variables, renamed_variables};

/// The nests of a function.
#[derive(Clone, Debug)]
pub struct Nests {
    /// The program, with the accesses of the nests alone.
    pub program: Program,
    /// The accesses of each statement that has any.
    pub groups: Vec<Vec<AccessId>>,
    /// By group, the statement of the source.
    pub statements: Vec<usize>,
    /// By group, what its statement computes.
    pub arithmetic: Vec<Arithmetic>,
    /// The statements of the source that only declare a variable, of which each statement that uses it has a copy.
    pub copied: BTreeSet<usize>,
    /// New names of variables that are declared between the loops, and the elements that stand for them, by the variables'
    /// identities in the syntax tree.
    pub replaced: BTreeMap<String, Replacement>,
    /// By group, the variables of the loops around it with their values in the program's iterators, outermost first.
    pub variables: Vec<Vec<(String, Expr)>>,
}

impl Nests {
    /// Assigns the accesses of a program to the statements of its source.
    ///
    /// # Errors
    ///
    /// [`AdviseError::NoStatement`] if an access or a condition on data belongs to no statement,
    /// [`AdviseError::NotRead`] if the program lacks a statement, [`AdviseError::OtherLoops`] if the loops of the program
    /// are not those of the source.
    pub fn new(
        program: &Program,
        assumptions: &[Assumption],
        source: &SourceFunction,
        text: &str,
        file: &Path,
    ) -> Result<Self, AdviseError> {
        check_sizes(program, source, text)?;
        let lines = LineStarts::of(text);
        let statement_at = |location: &Location| {
            // What is inlined from a header has places of its own.
            let offset = lines.offset(location.line, location.column).filter(|_| is_same_file(&location.file, file))?;
            Some((offset, source.statement_at(offset)))
        };
        let statement_of = |id: AccessId| statement_at(&program.access(id).location);
        // A condition on data that is in no statement would be lost.
        for location in both_sides(assumptions) {
            match statement_at(location) {
                Some((_, Some(_))) => {}
                Some((offset, None)) if source.is_around_loops(offset) => {}
                _ => return Err(AdviseError::NoStatement { location: location.clone() }),
            }
        }
        let ids = (0..program.accesses.len() as u32).map(AccessId);
        let mut placed: BTreeMap<AccessId, usize> = BTreeMap::new();
        for id in ids {
            let access = program.access(id);
            match statement_of(id) {
                Some((_, Some(statement))) => {
                    placed.insert(id, statement);
                }
                // What the function does in front of its loops and behind them stays where it is.
                Some((offset, None)) if source.is_around_loops(offset) => {}
                _ if access.subscripts.is_empty() => {}
                _ => return Err(AdviseError::NoStatement { location: access.location.clone() }),
            }
        }
        let is_read = |index: usize, statement: &SourceStatement| {
            let is_plain = statement.declares.as_ref().is_some_and(|variable| variable.value.is_none());
            is_plain || placed.values().any(|other| *other == index)
        };
        if let Some((_, missing)) = source.statements.iter().enumerate().find(|(index, s)| !is_read(*index, s)) {
            let (line, column) = place(text, missing.range.0);
            return Err(AdviseError::NotRead { line, column });
        }
        let copied = copied_declarations(program, source, &placed, text)?;
        let Accumulated { program, elements, done } = accumulated(program, source, &placed, &copied, text);
        let program = &program;
        let mut replaced = renamed_variables(source, &copied, &elements, text)?;
        replaced.extend(elements);
        let locals = local_variables(program, source, &placed);
        placed.retain(|id, statement| {
            let is_gone = copied.contains(statement) || done.contains(statement);
            !is_gone && !locals.contains(&program.access(*id).array)
        });
        let written: BTreeSet<_> = placed
            .keys()
            .map(|id| program.access(*id))
            .filter(|access| access.kind == AccessKind::Write)
            .map(|access| access.array)
            .collect();
        placed.retain(|id, _| {
            let access = program.access(*id);
            !access.subscripts.is_empty() || written.contains(&access.array)
        });
        Ok(Self { copied, replaced, ..Kept::new(program, source, &placed).nests(program)? })
    }
}

/// Returns true if a place's file is the source.
fn is_same_file(location: &str, file: &Path) -> bool {
    Path::new(location).file_name() == file.file_name()
}

/// Returns the places of the conditions on data of which both sides are in the program.
fn both_sides(assumptions: &[Assumption]) -> impl Iterator<Item = &Location> {
    let both = assumptions.iter().filter(|assumption| assumption.kind == AssumptionKind::BothSides);
    both.filter_map(|assumption| assumption.location.as_ref())
}

/// The accesses that stay, and what is collected of them.
struct Kept<'k> {
    source: &'k SourceFunction,
    placed: &'k BTreeMap<AccessId, usize>,
    around: Vec<IterId>,
    /// By access that stays, in order: the old access, and the loops around it.
    accesses: Vec<(AccessId, Vec<IterId>)>,
    body: Vec<Node>,
}

impl<'k> Kept<'k> {
    fn new(program: &Program, source: &'k SourceFunction, placed: &'k BTreeMap<AccessId, usize>) -> Self {
        let mut kept = Self { source, placed, around: Vec::new(), accesses: Vec::new(), body: Vec::new() };
        kept.body = kept.nodes(&program.body);
        kept
    }

    fn nodes(&mut self, nodes: &[Node]) -> Vec<Node> {
        nodes.iter().filter_map(|node| self.node(node)).collect()
    }

    fn node(&mut self, node: &Node) -> Option<Node> {
        match node {
            Node::Access(id) if self.placed.contains_key(id) => {
                self.accesses.push((*id, self.around.clone()));
                Some(Node::Access(AccessId(self.accesses.len() as u32 - 1)))
            }
            Node::Access(_) | Node::Operations(_) | Node::Mark(_) => None,
            Node::Loop(l) => {
                self.around.push(l.iter);
                let body = self.nodes(&l.body);
                self.around.pop();
                (!body.is_empty()).then(|| Node::Loop(Loop { body, ..l.clone() }))
            }
            Node::If(guard) => {
                let (then, otherwise) = (self.nodes(&guard.then), self.nodes(&guard.otherwise));
                let empty = then.is_empty() && otherwise.is_empty();
                (!empty).then(|| Node::If(If { condition: guard.condition.clone(), then, otherwise }))
            }
        }
    }

    fn nests(self, program: &Program) -> Result<Nests, AdviseError> {
        let mut nests = Nests {
            program: Program {
                accesses: self.accesses.iter().map(|(old, _)| program.access(*old).clone()).collect(),
                body: self.body,
                ..program.clone()
            },
            groups: Vec::new(),
            statements: Vec::new(),
            arithmetic: Vec::new(),
            copied: BTreeSet::new(),
            replaced: BTreeMap::new(),
            variables: Vec::new(),
        };
        for (index, (old, around)) in self.accesses.iter().enumerate() {
            let (id, statement) = (AccessId(index as u32), self.placed[old]);
            if nests.statements.last() == Some(&statement) {
                if let Some(group) = nests.groups.last_mut() {
                    group.push(id);
                }
                continue;
            }
            let other = || AdviseError::OtherLoops { location: program.access(*old).location.clone() };
            if nests.statements.contains(&statement) {
                return Err(other());
            }
            nests.variables.push(variables(program, self.source, statement, around).ok_or_else(other)?);
            nests.arithmetic.push(self.source.statements[statement].arithmetic);
            nests.groups.push(vec![id]);
            nests.statements.push(statement);
        }
        Ok(nests)
    }
}

/// Returns the variables of the loops around a statement, in the program's iterators; `None` if they are not known.
fn variables(
    program: &Program,
    source: &SourceFunction,
    statement: usize,
    around: &[IterId],
) -> Option<Vec<(String, Expr)>> {
    let loops = &source.statements[statement].loops;
    if loops.len() != around.len() {
        return None;
    }
    let mut known: Vec<(String, Expr)> = Vec::new();
    for (l, iter) in loops.iter().map(|index| &source.loops[*index]).zip(around) {
        // A loop that goes down is counted from 0.
        let value = match l.step {
            1.. => Expr::iter(*iter),
            step => {
                let first = affine(program, &known, &l.start)?.plus_constant(l.before).ok()?;
                first.add_scaled(&Expr::iter(*iter), step).ok()?
            }
        };
        known.push((l.variable.clone(), value));
    }
    Some(known)
}

/// Returns the value of an integer expression of the source; `None` if it is not affine.
fn affine(program: &Program, known: &[(String, Expr)], node: &Value) -> Option<Expr> {
    let node = peeled(node);
    if let Some(number) = number(node) {
        return Some(Expr::constant(number));
    }
    if let Some(name) = node["referencedDecl"]["name"].as_str() {
        let variable = known.iter().rev().find(|(variable, _)| variable == name).map(|(_, value)| value.clone());
        let is_size = |param: &Param| param.argument.as_deref().unwrap_or(&param.name) == name;
        let size = program.params.iter().position(is_size).and_then(|index| u32::try_from(index).ok());
        return variable.or_else(|| size.map(|index| Expr::param(ParamId(index))));
    }
    let sides = operands(node);
    let [left, right] = sides.as_slice() else { return None };
    let (left, right) = (affine(program, known, left)?, affine(program, known, right)?);
    match node["opcode"].as_str()? {
        "+" => left.plus(&right).ok(),
        "-" => left.minus(&right).ok(),
        "*" => match (left.as_constant(), right.as_constant()) {
            (Some(factor), _) => right.times(factor).ok(),
            (_, Some(factor)) => left.times(factor).ok(),
            _ => None,
        },
        _ => None,
    }
}

/// The bytes at which the lines of a text begin.
struct LineStarts(Vec<usize>);

impl LineStarts {
    fn of(text: &str) -> Self {
        Self(std::iter::once(0).chain(text.match_indices('\n').map(|(newline, _)| newline + 1)).collect())
    }

    /// Returns the byte at a line and column, which count from 1.
    fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let start = self.0.get(usize::try_from(line).ok()?.checked_sub(1)?)?;
        Some(start + usize::try_from(column).ok()?.saturating_sub(1))
    }
}
