//! The nests of a function in C: its accesses, and the statements that they stand in.
//!
//! The program is read with every variable in memory (`--registers none`), so that values which the source keeps in
//! scalars are dependences like all others. Here the accesses to loop variables, to pointers and to scalars that the
//! nest never writes are left out again: they order nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;
use symloc_affine::{
    Access, AccessId, AccessKind, Assumption, AssumptionKind, Atom, Expr, IterId, Location, Param, ParamId, Program,
};

use super::accumulators::{Accumulated, accumulated};
use super::copies::{RewrittenVariables, with_copied_reads};
use super::reading::source::{SourceFunction, SourceStatement, VariableUse};
use super::reading::syntax::{number, operands, peeled};
use super::reading::text::place;
use super::variables::{check_sizes, copied_declarations, local_variables, renamed_variables};
use crate::error::AdviseError;
use crate::nest::{Nests, StatementDescription, StatementForm, without_constants};

impl SourceFunction {
    /// Returns the place of the first access in front of the loops of this function or behind them, which stays where it is in
    /// every order, and is not among the accesses of the nests; `None` if there is none.
    pub fn access_around_loops<'p>(&self, program: &'p Program, text: &str, file: &Path) -> Option<&'p Location> {
        let lines = LineStarts::of(text);
        let is_around = |location: &Location| {
            let offset = lines.offset_in(file, location);
            offset.is_some_and(|offset| self.is_beside_loops(offset) && self.statement_at(offset).is_none())
        };
        program.accesses.iter().map(|access| &access.location).find(|location| is_around(location))
    }

    /// Assigns the accesses of a program to the statements of this function, which is in a file. `registers` are the names of the
    /// scalars whose uses are no accesses to memory in the compiled program.
    ///
    /// # Errors
    ///
    /// [`AdviseError::NoStatement`] or [`AdviseError::OtherFile`] if an access or a condition on data belongs to no statement,
    /// [`AdviseError::NotRead`] if the program lacks a statement, [`AdviseError::OtherLoops`] if the loops of the program
    /// are not those of the source.
    pub fn nests(
        &self,
        program: &Program,
        registers: &BTreeSet<String>,
        assumptions: &[Assumption],
        text: &str,
        file: &Path,
    ) -> Result<(Nests, RewrittenVariables), AdviseError> {
        check_sizes(program, self, text)?;
        let lines = LineStarts::of(text);
        let statement_at = |location: &Location| {
            let offset = lines.offset_in(file, location)?;
            Some((offset, self.statement_at(offset)))
        };
        let statement_of = |id: AccessId| statement_at(&program.access(id).location);
        // A condition on data that is in no statement would be lost.
        for location in both_sides(assumptions) {
            match statement_at(location) {
                Some((_, Some(_))) => {}
                Some((offset, None)) if self.is_around_loops(offset) => {}
                _ => return Err(outside(location, file)),
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
                Some((offset, None)) if self.is_around_loops(offset) => {}
                _ if access.subscripts.is_empty() => {}
                _ => return Err(outside(&access.location, file)),
            }
        }
        let is_read = |index: usize, statement: &SourceStatement| {
            let is_plain = statement.declares.as_ref().is_some_and(|variable| variable.value.is_none());
            is_plain || placed.values().any(|other| *other == index)
        };
        if let Some((_, missing)) = self.statements.iter().enumerate().find(|(index, s)| !is_read(*index, s)) {
            let (line, column) = place(text, missing.range.0);
            return Err(AdviseError::NotRead { line, column });
        }
        let copied = copied_declarations(program, self, &placed, text)?;
        let Accumulated { mut program, elements, done } = accumulated(program, self, &placed, &copied, text);
        let mut replaced = renamed_variables(self, &copied, &elements, text)?;
        replaced.extend(elements);
        let rewritten = RewrittenVariables { copied, replaced };
        with_copied_reads(&mut program, self, &mut placed, &rewritten);
        let program = &program;
        let locals = local_variables(program, self, &placed);
        placed.retain(|id, statement| {
            let is_gone = rewritten.copied.contains(statement) || done.contains(statement);
            !is_gone && !locals.contains(&program.access(*id).array)
        });
        without_constants(program, registers, &mut placed);
        let nests = Nests::new(program, &placed, &|statement, around| {
            let SourceStatement { arithmetic, update, .. } = &self.statements[statement];
            let variables = variables(program, self, statement, around)?;
            let form = match update.as_ref().map(|update| update.places.first()) {
                None => StatementForm::Other,
                Some(Some(place)) => {
                    let words = self.statements[statement].words_in(*place, &rewritten);
                    let written =
                        placed.iter().filter(|(_, other)| **other == statement).map(|(id, _)| program.access(*id));
                    let mut written = written.filter(|access| access.kind == AccessKind::Write);
                    match written.all(|access| self.is_named_outside(&words, access, &variables, &rewritten)) {
                        true => StatementForm::CollectedUpdate,
                        false => StatementForm::Update,
                    }
                }
                Some(None) => StatementForm::Update,
            };
            Some(StatementDescription { arithmetic: *arithmetic, form, variables })
        })?;
        Ok((nests, rewritten))
    }

    /// Returns true if the words of an element's text mean something in front of the loops in which the element stays one: if they
    /// are variables of loops that its subscripts need, or are declared in front of all loops.
    fn is_named_outside(
        &self,
        words: &[&VariableUse],
        element: &Access,
        variables: &[(String, Expr)],
        rewritten: &RewrittenVariables,
    ) -> bool {
        let is_free = |atom: &Atom| {
            let is_it = |other: &Atom| other == atom;
            matches!(atom, Atom::Iter(_)) && !element.subscripts.iter().any(|subscript| subscript.mentions(&is_it))
        };
        let is_named = |word: &&VariableUse| {
            let declarations = rewritten.copied.iter().filter_map(|place| self.statements[*place].declares.as_ref());
            let mut inner = declarations.filter(|variable| !variable.is_outermost);
            let value = variables.iter().rev().find(|(name, _)| *name == word.name);
            inner.all(|variable| variable.id != word.id) && value.is_none_or(|(_, value)| !value.mentions(&is_free))
        };
        words.iter().all(is_named)
    }
}

impl SourceStatement {
    /// Returns the uses of variables in a part of the statement's text, with what stands for variables.
    fn words_in<'s>(&'s self, (begin, end): (usize, usize), rewritten: &'s RewrittenVariables) -> Vec<&'s VariableUse> {
        let words = self.words.iter().filter(|word| word.place.is_some_and(|place| (begin..end).contains(&place)));
        let new = |word: &'s VariableUse| match rewritten.replaced.get(&word.id) {
            Some(new) => new.words.iter().collect(),
            None => vec![word],
        };
        words.flat_map(new).collect()
    }
}

/// Returns the error for an access in no statement of the function.
fn outside(location: &Location, file: &Path) -> AdviseError {
    let location = location.clone();
    match is_same_file(&location.file, file) {
        true => AdviseError::NoStatement { location },
        false => AdviseError::OtherFile { location },
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

    /// Returns the byte at a place in the text of a file; what is inlined from a header has places of its own.
    fn offset_in(&self, file: &Path, location: &Location) -> Option<usize> {
        self.offset(location.line, location.column).filter(|_| is_same_file(&location.file, file))
    }

    /// Returns the byte at a line and column, which count from 1.
    fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let start = self.0.get(usize::try_from(line).ok()?.checked_sub(1)?)?;
        Some(start + usize::try_from(column).ok()?.saturating_sub(1))
    }
}
