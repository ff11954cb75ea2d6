//! Accesses that are known to leave their array, or a row of it at some sizes.
//!
//! A model counts them like any other access, but they are an error of the program. Only accesses that the bounds of
//! the loops decide are reported, not those under a condition. In rows of a constant length a subscript that depends on a size
//! makes a condition of the model: beyond it the elements of two rows would be the same.

use symloc_affine::{Access, AssumptionKind, Constraint, Expr, Extent, Loop, LoopStep, Node, Program};

use crate::conditions::shown;
use crate::delinearize::ROWS_HOLD;
use crate::diagnostics::Note;
use crate::draft::{Candidate, Origin};
use crate::ranges::Ranges;

/// Returns a note for each place where a subscript leaves a constant extent.
pub fn outside(program: &Program) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    visit(&program.body, program, &mut Ranges::default(), &mut |access, ranges| {
        let note = leaves(access, program, ranges);
        notes.extend(note.filter(|note| !notes.contains(note)));
    });
    notes
}

/// Adds to the context of a program that subscripts stay within rows of constant length; returns a note for each condition.
pub fn stay_in_rows(program: &mut Program) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut conditions: Vec<Constraint> = Vec::new();
    let names = program.params.iter().map(|param| Candidate::size(Origin::Extent, Some(param.name.clone())));
    let names: Vec<Candidate> = names.collect();
    let mut ranges = Ranges::default();
    ranges.replace_facts(program.context.clone());
    visit(&program.body, program, &mut ranges, &mut |access, ranges| {
        for condition in row_conditions(access, program, ranges) {
            if ranges.decide(&condition).is_none() && !conditions.contains(&condition) {
                let text = format!("the model is for {}: {ROWS_HOLD}", shown(&condition.expr, &names));
                notes.push(Note::assuming(AssumptionKind::RowLength, Some(access.location.clone()), text));
                conditions.push(condition);
            }
        }
    });
    program.assume(conditions);
    notes
}

/// Calls a function for each access that is under no condition, with the ranges of the iterators around it.
fn visit(nodes: &[Node], program: &Program, ranges: &mut Ranges, each: &mut impl FnMut(&Access, &Ranges)) {
    for node in nodes {
        match node {
            Node::Loop(l) => {
                if let Some(upper) = end(l) {
                    ranges.set(l.iter, &l.lower, &upper);
                    visit(&l.body, program, ranges, each);
                }
            }
            Node::Access(id) => each(program.access(*id), ranges),
            Node::If(_) | Node::Operations(_) | Node::Mark(_) => {}
        }
    }
}

/// Returns the conditions on the sizes under which the subscripts of an access, but the first, stay within constant extents.
fn row_conditions(access: &Access, program: &Program, ranges: &Ranges) -> Vec<Constraint> {
    let extents = program.array(access.array).shape.iter();
    let inner = access.subscripts.iter().zip(extents).skip(1);
    let inner = inner.filter_map(|(subscript, extent)| Some((subscript, extent.constant()?)));
    let bounds = inner.flat_map(|(subscript, extent)| {
        let last = Expr::constant(extent - 1);
        let above = subscript.clone();
        let below = subscript.times(-1).ok();
        [(Some(above), last), (below, Expr::default())]
    });
    let condition = |(reaching, most): (Option<Expr>, Expr)| match ranges.largest(&reaching?).as_slice() {
        [only] if only.as_constant().is_none() => most.minus(only).ok().map(Constraint::non_negative),
        _ => None,
    };
    bounds.filter_map(condition).collect()
}

/// Returns the end of the last iteration, exclusive; `None` if the loop is never executed, or its last iteration is not
/// known.
fn end(l: &Loop) -> Option<Vec<Expr>> {
    match (l.lower.as_slice(), l.upper.as_slice()) {
        ([lower], [upper]) => match (lower.as_constant(), upper.as_constant()) {
            (Some(first), Some(end)) if first < end => {
                let last = first + (end - 1).checked_sub(first)? / l.step.constant()?.max(1) * l.step.constant()?;
                Some(vec![Expr::constant(last.checked_add(1)?)])
            }
            (Some(_), Some(_)) => None,
            _ => (l.step == LoopStep::Known(1)).then(|| vec![upper.clone()]),
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
