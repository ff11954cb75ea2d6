//! `--parallel LOOP`: the loops whose iterations threads share.

mod arrays;
mod bounds;
mod dependences;

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use symloc_affine::{ArrayId, AssumptionKind, If, IterId, Location, Loop, Node, ParallelLoops, Program, Schedule};
use symloc_frontend::names::closest;
use symloc_frontend::{Diagnostic, Kind, Note, Notes, ParallelMarks};

use crate::error::DerivationError;
use dependences::{copies, refuse_carried, refuse_races};

/// The loops of a `--parallel`, with their schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParallelChoice {
    which: LoopChoice,
    /// The size of the chunks; `None` for the schedule of the source, or else one block for each thread.
    chunks: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum LoopChoice {
    /// All loops that the source marks.
    Marked,
    /// The outermost loops whose heads are on a line.
    Line(u32),
    /// The loop of this iterator.
    Named(String),
}

impl FromStr for ParallelChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not of the form 12, i or marked, or with the size of chunks 12:4");
        let (which, chunks) = match text.split_once(':') {
            Some((which, chunks)) => (which.trim(), Some(chunks.trim().parse::<u64>().map_err(|_| wrong())?)),
            None => (text.trim(), None),
        };
        if chunks == Some(0) {
            return Err(format!("`{text}`: chunks have at least one iteration"));
        }
        let which = match which {
            "" => return Err(wrong()),
            "marked" => LoopChoice::Marked,
            _ if which.starts_with(|c: char| c.is_ascii_digit()) => {
                LoopChoice::Line(which.parse().map_err(|_| wrong())?)
            }
            _ => LoopChoice::Named(which.to_owned()),
        };
        Ok(Self { which, chunks })
    }
}

/// Makes the chosen loops of a program parallel, which was read from a file, and changes the notes about them. Without a choice, the marks of the
/// source count if the request asks for threads otherwise (`-fopenmp`); what these do not allow is then a note.
///
/// # Errors
///
/// If a choice fits no loop, a construct has no model with threads, a loop is inside of another parallel one, or the
/// iterations of a loop depend on each other.
pub fn share(
    choices: &[ParallelChoice],
    program: &mut Program,
    file: &str,
    marks: &ParallelMarks,
    notes: &mut Notes,
) -> Result<(), DerivationError> {
    if choices.is_empty() {
        if marks.asked && !marks.is_empty() {
            match chosen(&[ParallelChoice { which: LoopChoice::Marked, chunks: None }], program, file, marks) {
                Ok(shared) => shared.apply(program, marks, notes),
                Err(errors) => {
                    notes.notes.extend(errors.into_iter().take(1).map(sequential));
                    notes.notes.sort_by(|a, b| a.location.cmp(&b.location));
                }
            }
        }
        return Ok(());
    }
    match chosen(choices, program, file, marks) {
        Ok(shared) => {
            shared.apply(program, marks, notes);
            say_copies(&shared.schedules, program, file, marks, notes);
            Ok(())
        }
        Err(errors) => Err(DerivationError::Source(notes.errors(errors))),
    }
}

/// Returns the note that loops stay sequential because of an error.
fn sequential(error: Diagnostic) -> Note {
    let why = error
        .notes
        .first()
        .filter(|note| note.location.is_none())
        .map(|note| format!(": {}", note.text))
        .unwrap_or_default();
    let text = format!("-fopenmp: one thread runs all loops, because of this: {}{why}", error.message);
    Note::assuming(AssumptionKind::OneThread, error.location, text)
}

/// The loops that threads share.
struct SharedLoops {
    schedules: BTreeMap<IterId, ParallelLoops>,
    /// The arrays of which each thread has its own.
    own: BTreeSet<ArrayId>,
    /// The program, in which bounds of these loops are read in front of them.
    body: Vec<Node>,
    /// The loops whose bounds are in memory.
    read_first: Vec<IterId>,
}

impl SharedLoops {
    /// Makes the loops parallel, and changes the notes about them.
    fn apply(&self, program: &mut Program, marks: &ParallelMarks, notes: &mut Notes) {
        for (iter, schedule) in &self.schedules {
            program.iters[iter.index()].parallel = Some(*schedule);
        }
        program.body.clone_from(&self.body);
        arrays::mark(program, &self.own);
        notes.notes.extend(arrays::note(program, marks));
        notes.notes.extend(self.read_first.iter().map(|iter| read_first(program, *iter)));
        say_shared(&self.schedules, marks, notes);
    }
}

/// Returns the chosen loops with their schedules.
fn chosen(
    choices: &[ParallelChoice],
    program: &Program,
    file: &str,
    marks: &ParallelMarks,
) -> Result<SharedLoops, Vec<Diagnostic>> {
    if let Some(error) = &marks.forbidden {
        return Err(vec![error.clone()]);
    }
    let loops = LoopNests::of(program, file);
    let mut schedules = BTreeMap::new();
    for ParallelChoice { which, chunks } in choices {
        for iter in loops.chosen(which, program, marks).map_err(|error| vec![error])? {
            let is_by_mark = *which == LoopChoice::Marked;
            let mark = marks.loops.iter().find(|mark| mark.iter == iter).map(|mark| mark.parallel);
            // A loop that is named is that loop alone.
            let mark = mark.filter(|mark| is_by_mark || mark.loops == 1);
            let mut parallel = mark.unwrap_or(Schedule::Blocks.into());
            parallel.schedule = chunks.map_or(parallel.schedule, Schedule::Chunks);
            match is_by_mark {
                true => drop(schedules.entry(iter).or_insert(parallel)),
                false => drop(schedules.insert(iter, parallel)),
            }
        }
    }
    let is_by_marks = choices.iter().any(|choice| choice.which == LoopChoice::Marked);
    let counts = |iters: &[IterId]| iters.is_empty() || !iters.iter().all(|iter| schedules.contains_key(iter));
    let refused = marks.refused.iter().filter(|r| r.is_of_program || is_by_marks && counts(&r.iters));
    let refused: Vec<_> = refused.map(|refused| refused.error.clone()).collect();
    if !refused.is_empty() {
        return Err(refused);
    }
    loops.refuse_nested(program, &schedules)?;
    let own = arrays::own_arrays(&schedules, program, marks)?;
    let (body, read_first) = bounds::read_first(program, &schedules)?;
    let mut with_copies = Program { body, ..program.clone() };
    arrays::mark(&mut with_copies, &own);
    let dependent = schedules.iter().filter_map(|(iter, parallel)| {
        let carried = refuse_carried(program, &loops.nest(*iter, parallel.loops), marks.of(*iter)).map(Ok);
        carried.or_else(|| refuse_races(&with_copies, *iter, parallel.loops).transpose())
    });
    let dependent: Vec<_> = dependent.map(|found| found.unwrap_or_else(|error| error)).collect();
    let body = with_copies.body;
    if dependent.is_empty() { Ok(SharedLoops { schedules, own, body, read_first }) } else { Err(dependent) }
}

/// Returns the note on when the bound of a loop is read.
fn read_first(program: &Program, iter: IterId) -> Note {
    let iter = &program.iters[iter.index()];
    let text = format!(
        "the end of the parallel loop `{}` is read from memory once, in front of it, and by thread 0; compiled programs read it on \
         each thread",
        iter.name
    );
    Note::assuming(AssumptionKind::LoopBounds, iter.location.clone(), text)
}

/// Notes the sums of which each thread is taken to have its own.
fn say_copies(
    schedules: &BTreeMap<IterId, ParallelLoops>,
    program: &Program,
    file: &str,
    marks: &ParallelMarks,
    notes: &mut Notes,
) {
    let loops = LoopNests::of(program, file);
    let unmarked = schedules.iter().filter(|(iter, _)| marks.of(**iter).is_none());
    notes.notes.extend(unmarked.flat_map(|(iter, parallel)| copies(program, &loops.nest(*iter, parallel.loops))));
    notes.notes.sort_by(|a, b| a.location.cmp(&b.location));
}

/// Replaces the notes that the chosen loops are sequential.
fn say_shared(schedules: &BTreeMap<IterId, ParallelLoops>, marks: &ParallelMarks, notes: &mut Notes) {
    let is_all = marks.loops.iter().all(|mark| schedules.contains_key(&mark.iter))
        && marks.refused.iter().all(|refused| refused.iters.iter().all(|iter| schedules.contains_key(iter)));
    let taken = marks.loops.iter().filter(|mark| schedules.contains_key(&mark.iter));
    let places: BTreeSet<Option<&Location>> = taken.map(|mark| mark.location.as_ref()).collect();
    let is_about = |note: &Note| {
        let kind = matches!(note.assumes, Some(AssumptionKind::SequentialOrder | AssumptionKind::OneThread));
        kind && (is_all || places.contains(&note.location.as_ref()))
    };
    let text =
        "threads share the iterations of parallel loops (-fopenmp); answers without --threads are for one thread";
    for note in &mut notes.notes {
        if is_about(note) && note.assumes == Some(AssumptionKind::OneThread) {
            text.clone_into(&mut note.text);
        }
    }
    notes.notes.retain(|note| !is_about(note) || note.assumes == Some(AssumptionKind::OneThread));
    let is_taken = |note: &&Note| is_all || places.contains(&note.location.as_ref());
    notes.notes.extend(marks.notes.iter().filter(is_taken).cloned());
    notes.notes.sort_by(|a, b| a.location.cmp(&b.location));
}

/// The loops of a program, each with those around it.
struct LoopNests<'n> {
    /// The user's file.
    file: &'n str,
    /// In the order of the text.
    loops: Vec<(IterId, Vec<IterId>)>,
}

impl<'n> LoopNests<'n> {
    fn of(program: &Program, file: &'n str) -> Self {
        let mut nests = Self { file, loops: Vec::new() };
        nests.visit(&program.body, &mut Vec::new());
        nests
    }

    fn visit(&mut self, nodes: &[Node], around: &mut Vec<IterId>) {
        for node in nodes {
            match node {
                Node::Loop(Loop { iter, body, .. }) => {
                    self.loops.push((*iter, around.clone()));
                    around.push(*iter);
                    self.visit(body, around);
                    around.pop();
                }
                Node::If(If { then, otherwise, .. }) => {
                    self.visit(then, around);
                    self.visit(otherwise, around);
                }
                Node::Access(_) | Node::Operations(_) | Node::Mark(_) => {}
            }
        }
    }

    /// Returns the iterators of the chosen loops.
    fn chosen(&self, which: &LoopChoice, program: &Program, marks: &ParallelMarks) -> Result<Vec<IterId>, Diagnostic> {
        let (found, message): (Vec<IterId>, String) = match which {
            LoopChoice::Marked if marks.is_empty() => {
                (Vec::new(), "--parallel marked: the source marks no loop as parallel".to_owned())
            }
            LoopChoice::Marked => return Ok(marks.loops.iter().map(|mark| mark.iter).collect()),
            LoopChoice::Line(number) => {
                let is_on = |iter: &IterId| self.line(program, *iter) == Some(*number);
                let on = self.loops.iter().filter(|(iter, around)| is_on(iter) && !around.iter().any(is_on));
                let on: Vec<IterId> = on.map(|(iter, _)| *iter).collect();
                let places: BTreeSet<_> = on.iter().map(|iter| &program.iters[iter.index()].location).collect();
                if places.len() > 1 {
                    let message = format!("--parallel {number}: {} loops begin on line {number}", places.len());
                    let error = Diagnostic::new(Kind::Request, None, message).note(self.listed(program));
                    return Err(
                        error.hint("choose one by the name of its iterator, or begin each on a line of its own")
                    );
                }
                (on, format!("--parallel {number}: no loop begins on line {number}"))
            }
            LoopChoice::Named(name) => {
                let named = self.loops.iter().filter(|(iter, _)| program.iters[iter.index()].name == *name);
                (named.map(|(iter, _)| *iter).collect(), format!("--parallel {name}: there is no loop `{name}`"))
            }
        };
        if !found.is_empty() {
            return Ok(found);
        }
        let error = Diagnostic::new(Kind::Request, None, message).note(self.listed(program));
        let names = self.loops.iter().map(|(iter, _)| program.iters[iter.index()].name.as_str());
        let close = match which {
            LoopChoice::Named(name) => closest(name, names),
            LoopChoice::Marked | LoopChoice::Line(_) => None,
        };
        Err(match (close, self.loops.is_empty()) {
            (Some(close), _) => error.hint(format!("did you mean `{close}`?")),
            (None, false) => error.hint("choose a loop by the name of its iterator, or by the line that it begins on"),
            (None, true) => error,
        })
    }

    /// Returns the iterators of a loop and of those in it, if they are loops of one nest whose iterations are one sequence.
    fn nest(&self, iter: IterId, loops: u32) -> Vec<IterId> {
        let depth = self.loops.iter().find(|(own, _)| *own == iter).map_or(0, |(_, around)| around.len());
        let is_in = |(own, around): &&(IterId, Vec<IterId>)| {
            *own == iter || around.contains(&iter) && around.len() < depth + loops as usize
        };
        self.loops.iter().filter(is_in).map(|(own, _)| *own).collect()
    }

    /// Returns the line on which a loop begins, in the user's file. Loops of other files have no line, unless all are.
    fn line(&self, program: &Program, iter: IterId) -> Option<u32> {
        let place = |iter: IterId| program.iters[iter.index()].location.as_ref();
        let is_own = |iter: IterId| place(iter).is_some_and(|place| *place.file == *self.file);
        let is_foreign = !is_own(iter) && self.loops.iter().any(|(other, _)| is_own(*other));
        place(iter).filter(|_| !is_foreign).map(|place| place.line)
    }

    /// Returns the list of all loops, for messages.
    fn listed(&self, program: &Program) -> String {
        let shown = |(iter, _): &(IterId, Vec<IterId>)| {
            let iter = &program.iters[iter.index()];
            match &iter.location {
                Some(place) if *place.file != *self.file => format!("`{}` ({}:{})", iter.name, place.file, place.line),
                Some(place) => format!("`{}` (line {})", iter.name, place.line),
                None => format!("`{}`", iter.name),
            }
        };
        match self.loops.as_slice() {
            [] => "there are no loops".to_owned(),
            loops => format!("the loops are {}", loops.iter().map(shown).collect::<Vec<_>>().join(", ")),
        }
    }

    /// Refuses parallel loops inside of others.
    fn refuse_nested(
        &self,
        program: &Program,
        chosen: &BTreeMap<IterId, ParallelLoops>,
    ) -> Result<(), Vec<Diagnostic>> {
        let iter = |iter: IterId| &program.iters[iter.index()];
        let nested = self.loops.iter().filter_map(|(inner, around)| {
            let outer = around.iter().find(|outer| chosen.contains_key(outer) && chosen.contains_key(inner))?;
            let (inner, outer) = (iter(*inner), iter(*outer));
            let message = format!("the parallel loop `{}` is inside of the parallel loop `{}`", inner.name, outer.name);
            let error = Diagnostic::new(Kind::Unsupported, inner.location.clone(), message);
            let error =
                error.note_at(outer.location.clone(), "the thread that runs an iteration of this loop runs all of it");
            Some(error.hint(format!("choose one of them, such as --parallel {}", outer.name)))
        });
        let nested: Vec<_> = nested.collect();
        if nested.is_empty() { Ok(()) } else { Err(nested) }
    }
}
