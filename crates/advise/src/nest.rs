//! The loop nests of a function that are reordered: the affine program and the statements of the source, together.
//!
//! The program is read with every variable in memory (`--registers none`), so that values which the source keeps in
//! scalars are dependences like all others. Here the accesses to loop variables, to pointers and to scalars that the
//! nest never writes are left out again: they order nothing.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use symloc_affine::{
    AccessId, AccessKind, Assumption, AssumptionKind, Atom, Expr, If, IterId, Location, Loop, Node, Program,
};

use crate::arithmetic::Arithmetic;
use crate::error::AdviseError;
use crate::source::{SourceFunction, SourceStatement};
use crate::syntax::{number, operands, peeled, place};

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
    ) -> Result<Self, AdviseError> {
        let lines = LineStarts::of(text);
        let statement_at = |location: &Location| {
            lines.offset(location.line, location.column).map(|offset| (offset, source.statement_at(offset)))
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
        Kept::new(program, source, &placed).nests(program)
    }

    /// Returns an expression of a group in the source's variables.
    pub(crate) fn show(&self, group: usize, expr: &Expr) -> String {
        expr.show(&|atom| match atom {
            Atom::Param(param) => self.program.params[param.index()].name.clone(),
            Atom::Iter(iter) => {
                let variable = self.variables[group].iter().find(|(_, value)| *value == Expr::iter(*iter));
                variable.map_or_else(|| self.program.iters[iter.index()].name.clone(), |(name, _)| name.clone())
            }
            Atom::Floor(..) => String::new(),
        })
    }
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
            step => affine(program, &known, &l.start)?.add_scaled(&Expr::iter(*iter), step).ok()?,
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
        return variable.or_else(|| program.param(name).map(Expr::param));
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
