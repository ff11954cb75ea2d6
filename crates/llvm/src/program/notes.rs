//! The notes of a reading: what the model relies on and the source does not say, and what its names mean.

use std::collections::BTreeSet;

use symloc_affine::{AssumptionKind, Location, listed};
use symloc_frontend::{Note, conditions};

use crate::input::clang::Circumstances;
use crate::input::options::Options;
use crate::input::rules::Rules;
use crate::memory::base_objects::Overlap;
use crate::memory::lifetimes;
use crate::memory::registers::Registers;
use crate::program::delinearize::Shaped;
use crate::values::environment::{Requirement, Values};
use crate::walk::walker::Walker;

/// Returns the notes about the compilation and about variables outside the function.
pub(crate) fn of_compilation(values: &Values<'_>, options: &Options) -> Vec<Note> {
    let globals = counted_outside(values).filter(|_| options.registers == Registers::Source);
    options.circumstances.notes.iter().cloned().chain(globals).chain(in_registers(values)).collect()
}

/// Returns a note for each local array that is in registers.
fn in_registers(values: &Values<'_>) -> impl Iterator<Item = Note> {
    values.unrolled.iter().map(|(name, location)| {
        let text = format!(
            "`{name}` is in registers, since all its subscripts are constants; with --registers none every use is an access"
        );
        let location = location.clone().unwrap_or_else(|| values.places.start());
        Note::assuming(AssumptionKind::Registers, Some(location), text)
    })
}

/// Returns a note that integers declared outside the function, or `static`, are in memory.
fn counted_outside(values: &Values<'_>) -> Option<Note> {
    let names: Vec<_> = values.slots.iter().filter(|slot| slot.is_global).map(|s| format!("`{}`", s.name)).collect();
    let (names, verb) = match names.as_slice() {
        [] => return None,
        [only] => (only.clone(), "is declared"),
        _ => (listed(&names), "are declared"),
    };
    let text = format!(
        "{names} {verb} outside the function, or `static`, so every use is an access; with --registers optimized only those that an \
         optimising compiler leaves in memory"
    );
    Some(Note::new(Some(values.places.start()), text))
}

/// Returns the notes about the arrays, sizes and loops of a program.
pub(crate) fn of_program(shaped: &Shaped<'_>, walker: &Walker<'_, '_>, options: &Options) -> Vec<Note> {
    let values = &walker.values;
    let mut notes = required(values);
    notes.extend(taken_of_shapes(values));
    notes.extend(sequential(walker.rules, &options.circumstances));
    notes.extend(counted_lines(walker.rules));
    notes.extend(overlap(shaped, values, options));
    notes.extend(taken_apart(shaped, walker));
    notes
}

/// Returns a note for each parallel loop: its iterations are analysed in sequential order, with `-fopenmp` by one
/// thread.
fn sequential<'r>(rules: &'r Rules, circumstances: &Circumstances) -> impl Iterator<Item = Note> + use<'r> {
    let (kind, text) = match circumstances.one_thread {
        true => (
            AssumptionKind::OneThread,
            "parallel loops are analysed as sequential loops of one thread (-fopenmp is left out)",
        ),
        false => (
            AssumptionKind::SequentialOrder,
            "iterations that OpenMP would run in parallel are analysed in sequential order; --parallel marked gives them threads",
        ),
    };
    let note = move |place: &Location| Note::assuming(kind, Some(place.clone()), text);
    rules.parallel.iter().map(note)
}

/// Returns a note of the lines that are counted, if not all are. It is silent, because the user chose them.
fn counted_lines(rules: &Rules) -> Option<Note> {
    let region = rules.region.as_ref()?;
    let lines: Vec<_> = region.lines.iter().map(|(first, last)| format!("{first}-{last}")).collect();
    let place = region.lines.first().map(|(first, _)| Location::new(region.file.as_str(), *first, 1));
    let text = format!("only the lines {} are counted", lines.join(", "));
    Some(Note::assuming(AssumptionKind::Region, place, text).silent())
}

/// Returns a note that pointers which may overlap are assumed not to.
fn overlap(shaped: &Shaped<'_>, values: &Values<'_>, options: &Options) -> Option<Note> {
    let doubtful: Vec<_> =
        shaped.roots.iter().map(|id| values.roots.get(*id)).filter(|root| root.overlap == Overlap::Possible).collect();
    if shaped.roots.len() < 2 || doubtful.is_empty() {
        return None;
    }
    let names: Vec<_> = doubtful.iter().map(|root| format!("`{}`", root.name)).collect();
    let (what, verb) = match names.as_slice() {
        [only] => (only.clone(), "is assumed to overlap no other array"),
        _ => (listed(&names), "are assumed not to overlap"),
    };
    let says =
        if values.is_fortran { "--assume-noalias says so" } else { "`restrict` says so in C, --assume-noalias here" };
    let start = Some(values.places.start());
    let note = |text| Note::assuming(AssumptionKind::NoOverlap, start, text);
    Some(match options.assume_noalias {
        true => note(format!("{what} {verb} (--assume-noalias)")).silent(),
        false => note(format!("{what} {verb}; {says}")),
    })
}

/// Returns a note about local arrays that are never in use at the same time: they are taken to lie apart.
fn taken_apart(shaped: &Shaped<'_>, walker: &Walker<'_, '_>) -> Option<Note> {
    let roots = || shaped.roots.iter().map(|id| walker.values.roots.get(*id));
    let locals: Vec<_> = roots().filter_map(|root| root.origin.local()).collect();
    let apart = lifetimes::never_together(&locals, &walker.cfg);
    let apart: Vec<_> =
        roots().filter(|root| root.origin.local().is_some_and(|local| apart.contains(&local))).collect();
    let mut names: Vec<_> = apart.iter().map(|root| format!("`{}`", root.name)).collect();
    names.dedup();
    let text = format!(
        "local arrays ({}) are taken to lie apart; those that are never in use at the same time may share memory when \
         compiled",
        listed(&names)
    );
    let location = apart.first()?.location.clone();
    Some(Note::assuming(AssumptionKind::SeparateBuffers, Some(location), text))
}

/// Returns notes about arrays with a descriptor: the assumptions about them, and the names of their extents.
fn taken_of_shapes(values: &Values<'_>) -> Vec<Note> {
    let start = || Some(values.places.start());
    let said = |names: &BTreeSet<String>, kind: AssumptionKind, text: &str| {
        let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
        (!names.is_empty()).then(|| Note::assuming(kind, start(), format!("{}: {text}", names.join(", "))))
    };
    let contiguous = said(
        &values.taken_contiguous,
        AssumptionKind::Contiguous,
        "taken to be contiguous, as the attribute `contiguous` says in Fortran",
    );
    let based = said(&values.taken_from_one, AssumptionKind::LowerBound, "lower bounds are taken to be 1");
    let sizes = values.extents.iter().map(|(name, meaning)| format!("{name} is {meaning}")).collect::<Vec<_>>();
    let sizes = (!sizes.is_empty()).then(|| Note::new(start(), sizes.join(", ")));
    [contiguous, based, sizes].into_iter().flatten().collect()
}

/// Returns a note for each condition on sizes that became part of the model.
pub(crate) fn required(values: &Values<'_>) -> Vec<Note> {
    let note = |r: &Requirement<'_>| {
        let holds = conditions::shown(&r.expr, values.candidates());
        let text = format!("the model is for {holds}: {}", r.why);
        Note::assuming(r.kind, values.places.of(r.at), text)
    };
    values.required.iter().map(note).collect()
}
