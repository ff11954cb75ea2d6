//! Sums that a loop collects: a variable stands for the element, so that the loop can add several terms at once.
//!
//! `for (k …) C[i][j] += …;` becomes `if (…) { double s = C[i][j]; for (k …) s += …; C[i][j] = s; }`. The condition is that
//! of the first iteration: where there is none the element is not touched, and may not exist.

use symloc_affine::IterId;
use symloc_isl::AstNode;
use symloc_schedule::{Carried, CollectedUpdates, Generated};

use super::emit::CodeWriter;
use super::hints::{CollectedSum, LoopHint};
use super::operations::{fresh_word, has_word};
use crate::sums::direct_calls;

impl CodeWriter<'_> {
    /// Returns what an innermost loop can be told, from what it carries.
    pub(crate) fn hint(&self, iter: IterId, body: &AstNode) -> LoopHint {
        let Generated { carried, collected, .. } = &self.candidate.generated;
        match (carried.get(&iter).unwrap_or(&Carried::Nothing), collected.get(&iter)) {
            (Carried::Nothing, _) => LoopHint::Vectors(Vec::new()),
            (Carried::Reductions(_), Some(CollectedUpdates { updates, .. })) => {
                let sums: Option<Vec<_>> = updates.keys().map(|statement| self.sum(*statement, body)).collect();
                sums.map_or(LoopHint::None, LoopHint::Vectors)
            }
            (Carried::Reductions(_) | Carried::Dependences(_), _) => LoopHint::None,
        }
    }

    /// Returns the sum that a statement of a loop collects.
    fn sum(&self, statement: usize, body: &AstNode) -> Option<CollectedSum> {
        let calls = direct_calls(body)?;
        let (_, instance) = calls.into_iter().find(|(name, _)| self.emitter.statement(name) == statement)?;
        let written = &self.emitter.source.statements[self.emitter.nests.statements[statement]];
        let update = written.update.as_ref()?;
        let place = *update.places.first()?;
        let element = self.replaced_text(written, place, &[]);
        let values = self.values(statement, instance);
        let values = values.into_iter().filter(|(name, _)| has_word(&element, name)).collect();
        let variable = fresh_word(self.emitter.text, &format!("symloc_sum_{statement}"));
        Some(CollectedSum { statement, element, values, kind: update.kind.clone(), variable })
    }

    /// Writes what is in front of a loop that collects sums, calls `write`, and writes what is behind it.
    pub(crate) fn collecting(&mut self, sums: Vec<CollectedSum>, first: &str, write: impl FnOnce(&mut Self)) {
        if sums.is_empty() {
            return write(self);
        }
        self.line(&format!("if ({first}) {{"));
        self.inside(|writer| {
            for CollectedSum { statement, element, values, kind, variable } in &sums {
                match values.is_empty() {
                    true => writer.line(&format!("{kind} {variable} = {element};")),
                    false => {
                        writer.line(&format!("{kind} {variable};"));
                        writer.with_variables(values, &[format!("{variable} = {element};")]);
                    }
                }
                writer.collected.insert(*statement, variable.clone());
            }
            write(writer);
            for CollectedSum { statement, element, values, variable, .. } in &sums {
                writer.with_variables(values, &[format!("{element} = {variable};")]);
                writer.collected.remove(statement);
            }
        });
        self.line("}");
    }
}
