//! Dependences between the iterations of a loop, for which threads cannot share them: by elements of arrays, which isl
//! finds, and by values that an iteration leaves in a register for the next one.

use symloc_affine::{AccessKind, AssumptionKind, CarriedValue, IterId, Program, listed};
use symloc_frontend::{Diagnostic, Kind, LoopMark, Note};
use symloc_isl::Context;
use symloc_schedule::races::{Race, race};

/// Returns the error for loops whose iterations, as one sequence, hand on a value in a register; `None` if they hand on none, or if
/// each thread has its own. `mark` is that of the source, where it marks the loops: what it gives each thread one of is no function of
/// the iterator, unless it says that too.
pub(super) fn refuse_carried(program: &Program, nest: &[IterId], mark: Option<&LoopMark>) -> Option<Diagnostic> {
    let is_in = |names: &[String], value: &CarriedValue| value.name.as_ref().is_some_and(|name| names.contains(name));
    let is_wrong = |value: &&CarriedValue| match (mark, value.is_counted) {
        (Some(mark), true) => !is_in(&mark.linear, value),
        (Some(mark), false) => !is_in(&mark.own, value),
        (None, is_counted) => value.is_used && !is_counted,
    };
    let (iter, value) = carried(program, nest).find(|(_, value)| is_wrong(value))?;
    let loop_ = &program.iters[iter.index()];
    let message = depending(&format!("loop `{}`", loop_.name));
    let error = Diagnostic::new(Kind::Unsupported, loop_.location.clone(), message)
        .note_at(value.location.clone(), format!("an iteration takes {} from the one before it", named(value)));
    Some(match mark {
        Some(_) if value.is_counted => {
            error.hint(format!("compute it from `{}` in each iteration, or name it in a clause `linear`", loop_.name))
        }
        Some(_) if !value.is_used => error.hint(format!(
            "if it is a sum or the like, name it in a clause such as reduction(+: {})",
            value.name.as_deref().unwrap_or("s")
        )),
        _ => error.hint("choose another loop with --parallel"),
    })
}

fn depending(loops: &str) -> String {
    format!("the iterations of the {loops} depend on each other, so threads cannot share them")
}

/// Returns the notes for sums and the like, of which each thread is taken to have its own, and for second counters, though no source says
/// so.
pub(super) fn copies(program: &Program, nest: &[IterId]) -> Vec<Note> {
    let note = |(_, value): (IterId, &CarriedValue)| {
        let text = match value.is_counted {
            true => format!("each iteration is taken to compute {} from the loop's counter", named(value)),
            false => format!("each thread is taken to have its own {}, as with a `reduction`", named(value)),
        };
        Note::assuming(AssumptionKind::ThreadCopies, value.location.clone(), text)
    };
    carried(program, nest).map(note).collect()
}

/// Returns the values that iterations of these loops hand on, with their loops.
fn carried<'p>(program: &'p Program, nest: &[IterId]) -> impl Iterator<Item = (IterId, &'p CarriedValue)> {
    nest.iter().flat_map(|iter| program.iters[iter.index()].carried.iter().map(|value| (*iter, value)))
}

fn named(value: &CarriedValue) -> String {
    value.name.as_ref().map_or_else(|| "a value".to_owned(), |name| format!("`{name}`"))
}

/// Returns the error for a loop, or a nest of so many of which it is the outermost one, whose iterations may not run at the same
/// time; `None` if they may.
pub(super) fn refuse_races(program: &Program, iter: IterId, loops: u32) -> Result<Option<Diagnostic>, Diagnostic> {
    let loop_ = &program.iters[iter.index()];
    let unchecked = |error: &dyn std::fmt::Display| {
        let message = format!("cannot check that the iterations of `{}` are independent: {error}", loop_.name);
        Diagnostic::new(Kind::Internal, loop_.location.clone(), message)
    };
    let isl = Context::new().map_err(|error| unchecked(&error))?;
    let found = race(&isl, program, iter, loops).map_err(|error| unchecked(&error))?;
    Ok(found.map(|found| dependent(program, (iter, loops as usize), &found)))
}

/// Returns the error for a race: both accesses, the iterations and the sizes.
fn dependent(program: &Program, (iter, loops): (IterId, usize), race: &Race) -> Diagnostic {
    let loop_ = &program.iters[iter.index()];
    let nest = race.first_instance.iter().skip_while(|(outer, _)| *outer != iter).take(loops);
    let names: Vec<_> = nest.map(|(iter, _)| format!("`{}`", program.iters[iter.index()].name)).collect();
    let names = if let [name] = &names[..] { format!("loop {name}") } else { format!("loops {}", listed(&names)) };
    let message = depending(&names);
    let sizes: Vec<_> = race.sizes.iter().map(|(name, size)| format!("{name} = {size}")).collect();
    let sizes = if sizes.is_empty() { String::new() } else { format!(" at {}", sizes.join(", ")) };
    let array = &program.array(program.access(race.first).array).name;
    let text = |access, instance: &[(IterId, _)]| {
        let values: Vec<_> =
            instance.iter().map(|(iter, at)| format!("{} = {at}", program.iters[iter.index()].name)).collect();
        let verb = match program.access(access).kind {
            AccessKind::Read => "reads",
            AccessKind::Write => "writes",
        };
        format!("the iteration {} {verb}", values.join(", "))
    };
    let first = format!("{} an element of `{array}`{sizes}", text(race.first, &race.first_instance));
    let second = format!("{} the same element", text(race.second, &race.second_instance));
    Diagnostic::new(Kind::Unsupported, loop_.location.clone(), message)
        .note_at(Some(program.access(race.first).location.clone()), first)
        .note_at(Some(program.access(race.second).location.clone()), second)
        .hint("choose another loop with --parallel")
}
