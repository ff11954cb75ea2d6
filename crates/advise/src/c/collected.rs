//! Sums that a loop collects: a variable stands for the element, so that the loop can add several terms at once.
//!
//! `for (k …) C[i][j] += …;` becomes `if (…) { double s = C[i][j]; for (k …) s += …; C[i][j] = s; }`. The condition is that
//! of the first iteration: where there is none the element is not touched, and may not exist.

use symloc_affine::{ArrayId, Atom};
use symloc_isl::{AstExpr, AstNode};
use symloc_schedule::Carried;

use super::emit::CodeWriter;
use super::hints::{CollectedSum, InnermostCode, LoopHint};
use super::operations::{fresh_word, has_word, mentions};

impl CodeWriter<'_> {
    /// Returns what an innermost loop can be told, from what it carries.
    pub(crate) fn hint(&self, carried: Option<&Carried>, code: InnermostCode<'_>) -> LoopHint {
        match carried {
            None | Some(Carried::Nothing) => LoopHint::Vectors(Vec::new()),
            Some(Carried::Dependences(_)) => LoopHint::None,
            Some(Carried::Reductions(statements)) => {
                let sums: Option<Vec<_>> = statements.iter().map(|statement| self.sum(*statement, code)).collect();
                sums.map_or(LoopHint::None, LoopHint::Vectors)
            }
        }
    }

    /// Returns the sum that a statement collects; `None` if it is not for one element in all iterations, if other
    /// statements of the loop use its array, or if the element cannot be named in front of the loop.
    fn sum(&self, statement: usize, code: InnermostCode<'_>) -> Option<CollectedSum> {
        let program = &self.emitter.scop.program;
        let reduction = self.emitter.nests.reductions[statement]?;
        let updated = program.access(reduction.write);
        let calls = direct_calls(code.body)?;
        let mut instance = None;
        for (name, values) in &calls {
            let other = self.emitter.statement(name);
            if other == statement && instance.replace(*values).is_some() {
                return None;
            }
            if other != statement && self.touches(other, updated.array) {
                return None;
            }
        }
        let instance = instance?;
        let iters = &self.emitter.scop.statements[statement].iters;
        let varies = |atom: &Atom| match atom {
            Atom::Iter(iter) => {
                let place = iters.iter().position(|other| other == iter);
                place.and_then(|place| instance.get(place)).is_none_or(|value| mentions(value, code.iterator))
            }
            Atom::Param(_) => false,
            Atom::Floor(..) => true,
        };
        if updated.subscripts.iter().any(|subscript| subscript.mentions(&varies)) {
            return None;
        }
        let written = &self.emitter.source.statements[self.emitter.nests.statements[statement]];
        let update = written.update.as_ref()?;
        let place = *update.places.first()?;
        let element = self.replaced_text(written, place, &[]);
        let declared = self.declared(statement, instance);
        let mut inside = code.names.iter().map(String::as_str).chain(declared);
        let is_named = !inside.any(|name| has_word(&element, name));
        let variable = fresh_word(self.emitter.text, &format!("symloc_sum_{statement}"));
        is_named.then(|| CollectedSum { statement, element, kind: update.kind.clone(), variable })
    }

    fn touches(&self, statement: usize, array: ArrayId) -> bool {
        let scop = &self.emitter.scop;
        scop.statements[statement].accesses.iter().any(|access| scop.program.access(*access).array == array)
    }

    /// Writes what is in front of a loop that collects sums, calls `write`, and writes what is behind it.
    pub(crate) fn collecting(&mut self, sums: Vec<CollectedSum>, first: &str, write: impl FnOnce(&mut Self)) {
        if sums.is_empty() {
            return write(self);
        }
        self.line(&format!("if ({first}) {{"));
        self.inside(|writer| {
            for CollectedSum { statement, element, kind, variable } in &sums {
                writer.line(&format!("{kind} {variable} = {element};"));
                writer.collected.insert(*statement, variable.clone());
            }
            write(writer);
            for CollectedSum { statement, element, variable, .. } in &sums {
                writer.line(&format!("{element} = {variable};"));
                writer.collected.remove(statement);
            }
        });
        self.line("}");
    }
}

/// Returns the calls of statements in a loop's body; `None` if there are conditions.
fn direct_calls(body: &AstNode) -> Option<Vec<(&str, &[AstExpr])>> {
    match body {
        AstNode::Block(children) => {
            let calls: Option<Vec<_>> = children.iter().map(direct_calls).collect();
            Some(calls?.into_iter().flatten().collect())
        }
        AstNode::User { statement, instance } => Some(vec![(statement.as_str(), instance.as_slice())]),
        AstNode::If { .. } | AstNode::For { .. } => None,
    }
}
