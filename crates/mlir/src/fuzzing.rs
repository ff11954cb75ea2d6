//! The oracle of fuzzing: reading any bytes gives an error or a well-formed program.
//!
//! A fuzz target is one call of [`check`]. MLIR's own parser may crash on hostile input; [`parse`] runs it alone, to
//! tell such crashes from those of this front end. `tests/frontend.rs` runs such inputs in a process of their own.

use symloc_affine::{Atom, Constraint, Expr, IterId, Node, Program};
use symloc_frontend::on_large_stack;

use crate::input::parse::{self, Session};

use crate::input::source::Readable;
use crate::{Options, Source, read};

/// The result of reading an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A program.
    Program,
    /// Errors.
    Refused,
}

/// Reads `bytes` as a source.
///
/// # Errors
///
/// A fault of this front end: an ill-formed result.
pub fn check(bytes: &[u8]) -> Result<Outcome, String> {
    let source = Source { name: "fuzz.mlir".to_owned(), bytes: bytes.to_vec() };
    match read(&source, &Options::default()) {
        Ok(reading) => well_formed(&reading.program).map(|()| Outcome::Program),
        Err(errors) if errors.diagnostics.is_empty() => Err("errors without an error".to_owned()),
        Err(errors) => match errors.to_string().starts_with("fuzz.mlir:") || has_other_file(&errors) {
            true => Ok(Outcome::Refused),
            false => Err(format!("an error without a place:\n{errors}")),
        },
    }
}

fn has_other_file(errors: &crate::Errors) -> bool {
    errors.diagnostics.iter().any(|d| d.location.as_ref().is_some_and(|l| *l.file != *"fuzz.mlir"))
}

/// Parses and verifies `bytes` by MLIR alone. A crash here is not a fault of this front end.
pub fn parse(bytes: &[u8]) {
    let source = Source { name: "fuzz.mlir".to_owned(), bytes: bytes.to_vec() };
    // Errors do not matter here.
    let _ = on_large_stack(|| {
        let readable = Readable::new(&source).map_err(|error| vec![error])?;
        parse::parse(&Session::new(), &readable, None, &[]).map(|_| ())
    });
}

/// Checks the invariants of a program.
///
/// # Errors
///
/// The invariant that does not hold.
pub fn well_formed(program: &Program) -> Result<(), String> {
    let mut checker = Checker { program, scope: Vec::new(), next_access: 0 };
    checker.nodes(&program.body)?;
    match checker.next_access == program.accesses.len() {
        true => Ok(()),
        false => Err("an access does not stand in the tree".to_owned()),
    }
}

struct Checker<'p> {
    program: &'p Program,
    /// The iterators of the loops around.
    scope: Vec<IterId>,
    next_access: usize,
}

impl Checker<'_> {
    fn nodes(&mut self, nodes: &[Node]) -> Result<(), String> {
        nodes.iter().try_for_each(|node| self.node(node))
    }

    fn node(&mut self, node: &Node) -> Result<(), String> {
        match node {
            Node::Loop(l) => {
                if l.lower.is_empty()
                    || l.upper.is_empty()
                    || l.step.constant().is_some_and(|step| step < 1)
                    || self.scope.contains(&l.iter)
                {
                    return Err("a loop without bounds, step or iterator".to_owned());
                }
                l.lower.iter().chain(&l.upper).try_for_each(|bound| self.expr(bound))?;
                self.scope.push(l.iter);
                self.nodes(&l.body)?;
                self.scope.pop();
                Ok(())
            }
            Node::If(guard) => {
                guard.condition.iter().try_for_each(|Constraint { expr, .. }| self.expr(expr))?;
                self.nodes(&guard.then)?;
                self.nodes(&guard.otherwise)
            }
            Node::Operations(_) | Node::Mark(_) => Ok(()),
            Node::Access(id) => {
                if id.index() != self.next_access {
                    return Err("accesses out of order".to_owned());
                }
                self.next_access += 1;
                let access = self.program.accesses.get(id.index()).ok_or("an access that is not listed")?;
                let array = self.program.arrays.get(access.array.index()).ok_or("an array that is not listed")?;
                if access.subscripts.len() != array.shape.len() {
                    return Err(format!("subscripts of `{}` that do not fit its rank", array.name));
                }
                access.subscripts.iter().try_for_each(|subscript| self.expr(subscript))
            }
        }
    }

    fn expr(&self, expr: &Expr) -> Result<(), String> {
        let unknown = expr.mentions(&|atom| match atom {
            Atom::Param(param) => param.index() >= self.program.params.len(),
            Atom::Iter(iter) => !self.scope.contains(iter),
            Atom::Floor(_, divisor) => *divisor < 2,
        });
        if unknown { Err(format!("`{}` mentions what is not in scope", self.program.show(expr))) } else { Ok(()) }
    }
}
