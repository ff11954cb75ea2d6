//! The results of a walk: a draft of the program, or its characteristics.

use symloc_affine::{Constraint, If, Location, Loop, Node};
use symloc_frontend::{Characteristics, Diagnostic, Draft, Note, finish, shares};

use crate::input::options::Options;
use crate::input::select;
use crate::program::{delinearize, notes, variables};
use crate::values::environment::Values;
use crate::walk::doubts::Doubts;
use crate::walk::walker::Walker;

/// The number of steps from which on a walk takes too long to try hints.
const LONG_WALK: usize = 100_000;

/// Walks the function and lays out its arrays; also returns, by access, its place in the function itself. `doubts` are set
/// to the conditions on data.
pub(crate) fn draft(
    mut walker: Walker<'_, '_>,
    options: &Options,
    doubts: &mut Doubts,
) -> Result<(Draft, Vec<Option<Location>>), Vec<Diagnostic>> {
    let function = walker.values.function();
    let body = walker.function();
    walker.raising.errors.extend(untold(&walker));
    let shaped = delinearize::shape(&walker.raising.accesses, &mut walker.values);
    for misfit in &shaped.misfits {
        let message = "the position of this access in the array is not affine";
        walker.refuse(misfit.at, message, &misfit.reason);
    }
    *doubts = std::mem::take(&mut walker.doubts);
    doubts.is_long = walker.raising.steps() > LONG_WALK;
    if !walker.raising.errors.is_empty() {
        return Err(walker.raising.errors);
    }
    let mut notes = std::mem::take(&mut walker.raising.notes);
    notes.extend(notes::of_program(&shaped, &walker, options));
    let variables = variables::variables(&shaped, &walker);
    let values = walker.values;
    let callers = walker.raising.accesses.iter().map(|access| values.places.in_function(access.at)).collect();
    let draft = Draft {
        function: select::source_name(function),
        candidates: values.candidates().to_vec(),
        arrays: shaped.arrays,
        variables,
        iters: walker.raising.iters,
        accesses: shaped.accesses,
        body,
        notes,
        context: conditions(&values),
        relied: values.ranges.relied(),
    };
    Ok((draft, callers))
}

/// Walks the function and returns its characteristics.
pub(crate) fn characterised(
    mut walker: Walker<'_, '_>,
    options: &Options,
) -> Result<(Characteristics, Vec<Note>), Vec<Diagnostic>> {
    let body = walker.function();
    if !walker.raising.errors.is_empty() {
        return Err(walker.raising.errors);
    }
    let mut notes = std::mem::take(&mut walker.raising.notes);
    notes.extend(notes::required(&walker.values));
    let values = &walker.values;
    let draft = Draft {
        function: select::source_name(values.function()),
        candidates: values.candidates().to_vec(),
        arrays: Vec::new(),
        variables: Vec::new(),
        iters: walker.raising.iters,
        accesses: Vec::new(),
        body: without_operations(body),
        notes,
        context: conditions(values),
        relied: values.ranges.relied(),
    };
    let (program, notes) = finish(draft, &options.renames)?;
    let Some(recorder) = walker.recorder else { return Err(Vec::new()) };
    Ok((recorder.finish(&walker.cfg, &values.places, program), notes))
}

/// Removes the operations from a tree.
fn without_operations(nodes: Vec<Node>) -> Vec<Node> {
    let kept = nodes.into_iter().filter(|node| !matches!(node, Node::Operations(_)));
    let inner = |node| match node {
        Node::Loop(l) => Node::Loop(Loop { body: without_operations(l.body), ..l }),
        Node::If(guard) => Node::If(If {
            condition: guard.condition,
            then: without_operations(guard.then),
            otherwise: without_operations(guard.otherwise),
        }),
        other => other,
    };
    kept.map(inner).collect()
}

fn conditions(values: &Values<'_>) -> Vec<Constraint> {
    let required = values.required.iter().map(|r| Constraint::non_negative(r.expr.clone()));
    required.chain(values.assumed.iter().cloned()).collect()
}

/// Returns an error for each line of `--branch` without a branch on data.
fn untold(walker: &Walker<'_, '_>) -> Vec<Diagnostic> {
    let is_decided = |line: &u32| walker.rules.decided.contains(line) || walker.skips_branch_on(*line);
    let is_known = |line: &u32| walker.raising.told.has(*line) || is_decided(line);
    let lines = walker.rules.branches.keys().filter(|line| !is_known(line));
    lines.map(|line| shares::untold(*line)).collect()
}
