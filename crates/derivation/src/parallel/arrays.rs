//! The arrays of which each thread has its own: those that are declared in loops that threads share, and those that clauses name.

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::{Access, ArrayId, AssumptionKind, If, IterId, Loop, Node, ParallelLoops, Program, listed};
use symloc_frontend::{Diagnostic, Kind, Note, ParallelMarks};

/// Returns the arrays of which each thread has its own if threads share these loops.
///
/// # Errors
///
/// If a clause gives each thread its own, and the array is used outside of such loops, where it is another one.
pub(super) fn own_arrays(
    schedules: &BTreeMap<IterId, ParallelLoops>,
    program: &Program,
    marks: &ParallelMarks,
) -> Result<BTreeSet<ArrayId>, Vec<Diagnostic>> {
    let declared =
        marks.variables.iter().filter(|variable| variable.declared_in.iter().any(|iter| schedules.contains_key(iter)));
    let mut own: BTreeSet<ArrayId> = declared.map(|variable| variable.array).collect();
    let mut loops: BTreeMap<ArrayId, Vec<IterId>> = BTreeMap::new();
    for mark in marks.loops.iter().filter(|mark| schedules.contains_key(&mark.iter)) {
        for array in &mark.arrays {
            loops.entry(*array).or_default().push(mark.iter);
        }
    }
    let mut errors = Vec::new();
    for (array, iters) in loops {
        let outside = outside(&program.body, &iters);
        let used = outside.into_iter().map(|access| &program.accesses[access]).find(|access| access.array == array);
        errors.extend(used.map(|access| used_outside(program, access)));
        own.insert(array);
    }
    if errors.is_empty() { Ok(own) } else { Err(errors) }
}

/// Marks arrays of which each thread has its own.
pub(super) fn mark(program: &mut Program, own: &BTreeSet<ArrayId>) {
    for (index, array) in (0_u32..).map(ArrayId).zip(&mut program.arrays) {
        array.per_thread |= own.contains(&index);
    }
}

/// Returns the note on what is assumed of the arrays of which each thread has its own; `None` if there are none.
pub(super) fn note(program: &Program, marks: &ParallelMarks) -> Option<Note> {
    let own = || (0_u32..).map(ArrayId).zip(&program.arrays).filter(|(_, array)| array.per_thread);
    let (first, array) = own().next()?;
    let names: Vec<_> = own().map(|(_, array)| format!("`{}`", array.name)).collect();
    let text = format!(
        "each thread is taken to have one copy of {} from start to end, in lines that hold nothing else",
        listed(&names)
    );
    let variable = marks.variables.iter().find(|variable| variable.array == first);
    let place = variable.and_then(|variable| variable.places.first()).unwrap_or(&array.location);
    Some(Note::assuming(AssumptionKind::ThreadArrays, Some(place.clone()), text))
}

/// Returns the accesses, by their numbers, that are in none of some loops.
fn outside(nodes: &[Node], loops: &[IterId]) -> Vec<usize> {
    let inner = |node: &Node| match node {
        Node::Loop(Loop { iter, .. }) if loops.contains(iter) => Vec::new(),
        Node::Loop(Loop { body, .. }) => outside(body, loops),
        Node::If(If { then, otherwise, .. }) => [outside(then, loops), outside(otherwise, loops)].concat(),
        Node::Access(id) => vec![id.index()],
        Node::Operations(_) | Node::Mark(_) => Vec::new(),
    };
    nodes.iter().flat_map(inner).collect()
}

fn used_outside(program: &Program, access: &Access) -> Diagnostic {
    let name = &program.array(access.array).name;
    let message = format!("`{name}` is used outside of the loops in which each thread has its own");
    Diagnostic::new(Kind::Unsupported, Some(access.location.clone()), message)
        .note("here it is another array, which a model would take for that of thread 0")
        .hint("declare an array in the loop that threads share")
}
