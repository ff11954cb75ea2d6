//! Accesses that are known to leave their array.
//!
//! A model counts them like any other access, but they are an error of the program. Only accesses that the bounds of
//! the loops decide are reported: not those under a condition, and not those that depend on a size.

use symloc_affine::{Access, AssumptionKind, Expr, Extent, Loop, Node, Program};

use crate::diagnostics::Note;
use crate::ranges::Ranges;

/// Returns a note for each place where a subscript leaves a constant extent.
pub fn outside(program: &Program) -> Vec<Note> {
    let mut notes = Vec::new();
    visit(&program.body, program, &mut Ranges::default(), &mut notes);
    notes
}

fn visit(nodes: &[Node], program: &Program, ranges: &mut Ranges, notes: &mut Vec<Note>) {
    for node in nodes {
        match node {
            Node::Loop(l) => {
                if let Some(upper) = end(l) {
                    ranges.set(l.iter, &l.lower, &upper);
                    visit(&l.body, program, ranges, notes);
                }
            }
            Node::Access(id) => {
                let note = leaves(program.access(*id), program, ranges);
                notes.extend(note.filter(|note| !notes.contains(note)));
            }
            Node::If(_) | Node::Operations(_) | Node::Mark(_) => {}
        }
    }
}

/// Returns the end of the last iteration, exclusive; `None` if the loop is never executed, or its last iteration is not
/// known.
fn end(l: &Loop) -> Option<Vec<Expr>> {
    match (l.lower.as_slice(), l.upper.as_slice()) {
        ([lower], [upper]) => match (lower.as_constant(), upper.as_constant()) {
            (Some(first), Some(end)) if first < end => {
                let last = first + (end - 1).checked_sub(first)? / l.step.max(1) * l.step;
                Some(vec![Expr::constant(last.checked_add(1)?)])
            }
            (Some(_), Some(_)) => None,
            _ => (l.step == 1).then(|| vec![upper.clone()]),
        },
        _ => None,
    }
}

fn leaves(access: &Access, program: &Program, ranges: &Ranges) -> Option<Note> {
    let array = program.array(access.array);
    let reached = |subscript: &Expr| match ranges.largest(subscript).as_slice() {
        [only] => only.as_constant(),
        _ => None,
    };
    let reaches = |(position, (subscript, extent)): (usize, (&Expr, &Extent))| {
        let extent = extent.constant()?;
        let largest = reached(subscript).filter(|largest| *largest >= extent);
        let least = subscript.times(-1).ok().and_then(|negated| reached(&negated)?.checked_neg()).filter(|l| *l < 0);
        Some((position + 1, largest.or(least)?, extent))
    };
    let (position, reached, extent) = access.subscripts.iter().zip(&array.shape).enumerate().find_map(reaches)?;
    let text = format!(
        "this access leaves `{}`: subscript {position} reaches {reached}, and the extent is {extent}",
        array.name
    );
    Some(Note::assuming(AssumptionKind::OutsideArray, Some(access.location.clone()), text))
}
