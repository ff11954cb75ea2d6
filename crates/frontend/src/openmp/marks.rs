//! The loops of a program that constructs are about.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostics::{Diagnostic, Kind, Note};
use crate::parallel::{AssignedVariable, LoopMark, ParallelMarks, RefusedMark, SourceVariables, not_one_sequence};
use symloc_affine::{ArrayId, If, IterId, Location, Loop, Node, Program};

use crate::openmp::arrays::{self, OwnArrays, THREAD_PRIVATE};
use crate::openmp::clauses::{OwnVariables, Refused, Sharing};
use crate::openmp::constructs::{Construct, ConstructKind};
use crate::openmp::places::{ProgramPlaces, lines};

/// The reason why a variable is refused that a loop assigns to.
const SHARED_VARIABLE: &str = "threads share it, and iterations of this loop assign to it";

/// The reason why a variable is refused that every thread assigns to.
const ASSIGNED_BY_ALL: &str = "threads share it, and each of them assigns to it";

/// Returns the marks that the constructs of a text are on a program. `callers` has, by access, its place in the function
/// itself, which for inlined code is that of the call; `variables` are those of the source, and `source` is the user's name of the compiled
/// file.
pub fn marks(
    constructs: &[Construct],
    program: &Program,
    callers: &[Option<Location>],
    variables: SourceVariables,
    source: &str,
) -> ParallelMarks {
    let SourceVariables { arrays, assigned } = variables;
    let marks = ParallelMarks { variables: arrays, ..ParallelMarks::default() };
    let places = ProgramPlaces { program, callers, source };
    let mut reader = MarkReader { places, around: BTreeMap::new(), assigned, marks };
    reader.visit(&program.body, &mut Vec::new());
    let concerned: Vec<&Construct> = constructs.iter().filter(|construct| reader.concerns(construct)).collect();
    for construct in &concerned {
        match &construct.kind {
            ConstructKind::Loop { head, sharing } => {
                reader.shared(construct, *head, sharing, &concerned);
            }
            ConstructKind::Refused { head, refused } => {
                let iters = head.map(|head| reader.loops(construct, head)).unwrap_or_default();
                reader.refuse(construct, refused, iters);
            }
            ConstructKind::OneThread => {
                let text = format!("`{}` is taken to be run by thread 0, and the others wait", construct.name);
                reader.note(construct, text);
            }
            ConstructKind::ThreadPrivate(names) => reader.thread_private(construct, names),
            ConstructKind::ThreadNumber => reader.numbered(construct),
            ConstructKind::Region { .. } => {}
        }
    }
    for construct in &concerned {
        if let ConstructKind::Region { covered, own, left_out } = &construct.kind {
            reader.leave_out(construct, left_out);
            reader.region(construct, covered, own);
        }
    }
    reader.marks
}

/// Returns the regions around a construct, each with the variables of which it gives each thread its own.
fn regions_around<'c>(construct: &Construct, all: &[&'c Construct]) -> Vec<(&'c Construct, &'c OwnVariables)> {
    let is_around =
        |other: &Construct| other.file == construct.file && (other.line..=other.last_line).contains(&construct.line);
    let region = |other: &&'c Construct| match &other.kind {
        ConstructKind::Region { own, .. } if is_around(other) => Some((*other, own)),
        _ => None,
    };
    all.iter().filter_map(region).collect()
}

/// A program, and the marks so far.
struct MarkReader<'r> {
    places: ProgramPlaces<'r>,
    /// By access, the iterators of the loops around it.
    around: BTreeMap<usize, Vec<IterId>>,
    /// The variables in registers that are assigned to.
    assigned: Vec<AssignedVariable>,
    marks: ParallelMarks,
}

impl MarkReader<'_> {
    fn visit(&mut self, nodes: &[Node], around: &mut Vec<IterId>) {
        for node in nodes {
            match node {
                Node::Loop(Loop { iter, body, .. }) => {
                    around.push(*iter);
                    self.visit(body, around);
                    around.pop();
                }
                Node::If(If { then, otherwise, .. }) => {
                    self.visit(then, around);
                    self.visit(otherwise, around);
                }
                Node::Access(id) => drop(self.around.insert(id.index(), around.clone())),
                Node::Operations(_) | Node::Mark(_) => {}
            }
        }
    }

    /// Returns true if the program has accesses or loops in a construct, or if it is about all of the program.
    fn concerns(&self, construct: &Construct) -> bool {
        if matches!(construct.kind, ConstructKind::ThreadPrivate(_)) {
            return true;
        }
        let loops = self.places.program.iters.iter().filter_map(|iter| iter.location.as_ref());
        let accesses = self.places.program.accesses.iter().map(|access| &access.location);
        let mut places = accesses.chain(self.places.callers.iter().flatten()).chain(loops);
        places.any(|place| self.places.is_in(place, construct, construct.scope))
    }

    /// Returns the iterators of the outermost loops that begin on a line; of several next to each other, the first.
    fn loops(&self, construct: &Construct, line: u32) -> Vec<IterId> {
        let begins = |iter: &IterId| {
            let location = self.places.program.iters[iter.index()].location.as_ref();
            location.is_some_and(|place| self.places.is_in(place, construct, (line, line)))
        };
        let outermost = self.around.values().filter_map(|around| around.iter().copied().find(begins));
        let outermost: BTreeSet<IterId> = outermost.collect();
        let place = |iter: &IterId| self.places.program.iters[iter.index()].location.as_ref();
        let first = outermost.iter().filter_map(place).min();
        outermost.iter().copied().filter(|iter| place(iter) == first).collect()
    }

    fn shared(&mut self, construct: &Construct, head: u32, sharing: &Sharing, all: &[&Construct]) {
        let iters = self.loops(construct, head);
        if iters.is_empty() {
            let refused = Refused { subject: construct.name.clone(), why: "its loop has no accesses of its own here" };
            return self.refuse(construct, &refused, iters);
        }
        let regions = regions_around(construct, all);
        let mut own = OwnVariables::default();
        regions.iter().for_each(|(_, of_region)| own.extend(of_region));
        own.extend(&sharing.own);
        let around: Vec<&Construct> = regions.iter().map(|(region, _)| *region).chain([construct]).collect();
        if let Some(name) = self.assigned_in(construct, &sharing.atomic, &own, &around) {
            return self.refuse(construct, &Refused { subject: name, why: SHARED_VARIABLE }, iters);
        }
        let of_loop = |iter: &IterId| self.arrays().own(&own, construct, *iter);
        let copied = self.arrays().copied(&sharing.own, construct).map(Err);
        let arrays: Vec<Vec<ArrayId>> = match copied.unwrap_or_else(|| iters.iter().map(of_loop).collect()) {
            Ok(arrays) => arrays,
            Err(refused) => return self.refuse(construct, &refused, iters),
        };
        let program = self.places.program;
        if let Some(why) =
            iters.iter().find_map(|iter| not_one_sequence(program, &program.body, *iter, sharing.parallel.loops))
        {
            let subject = format!("collapse({})", sharing.parallel.loops);
            return self.refuse(construct, &Refused { subject, why }, iters);
        }
        self.leave_out(construct, &sharing.left_out);
        if sharing.nowait {
            self.note(construct, "`nowait` is left out: threads are taken to wait for each other behind the loop");
        }
        let (parallel, location) = (sharing.parallel, Some(self.place(construct)));
        // The counters of Fortran's loops count beside the number of iterations that are left.
        let linear: Vec<String> = own.linear.iter().chain(&own.counters).cloned().collect();
        let own: Vec<String> = own.names().cloned().collect();
        let mark = |(iter, arrays): (IterId, Vec<ArrayId>)| {
            let (location, own, linear) = (location.clone(), own.clone(), linear.clone());
            LoopMark { iter, parallel, location, own, linear, arrays }
        };
        self.marks.loops.extend(iters.into_iter().zip(arrays).map(mark));
    }

    /// Returns a variable that a construct assigns to, apart from some of its lines, and that threads share: it is declared in none of
    /// the constructs around, and no clause names it.
    fn assigned_in(
        &self,
        construct: &Construct,
        covered: &[(u32, u32)],
        own: &OwnVariables,
        around: &[&Construct],
    ) -> Option<String> {
        let is_inside = |place: &Location, construct: &Construct| {
            // On the line of a pragma, as in a macro, nothing is known to be inside.
            let (first, last) = lines(construct);
            self.places.is_in(place, construct, (first.saturating_add(1), last))
        };
        let is_own = |variable: &AssignedVariable| {
            own.not_declared().any(|name| *name == variable.name)
                || variable.declared.iter().any(|place| around.iter().any(|construct| is_inside(place, construct)))
        };
        let is_assigned = |place: &Location| {
            let is_covered = || covered.iter().any(|lines| self.places.is_in(place, construct, *lines));
            self.places.is_in(place, construct, lines(construct)) && !is_covered()
        };
        let mut assigned = self.assigned.iter().filter(|variable| variable.assigned.iter().any(is_assigned));
        assigned.find(|variable| !is_own(variable)).map(|variable| variable.name.clone())
    }

    /// Refuses the accesses of a region that every thread makes.
    fn region(&mut self, construct: &Construct, covered: &[(u32, u32)], own: &OwnVariables) {
        if let Some(refused) = self.arrays().copied(own, construct) {
            self.refuse(construct, &refused, Vec::new());
        }
        if let Some(name) = self.assigned_in(construct, covered, own, &[construct]) {
            self.refuse(construct, &Refused { subject: name, why: ASSIGNED_BY_ALL }, Vec::new());
        }
        for (variable, iters) in self.arrays().declared_in_region(construct) {
            self.marks.variables[variable].declared_in.extend(iters);
        }
        let shared: BTreeSet<IterId> = self.marks.loops.iter().map(|mark| mark.iter).collect();
        let by_all = self.places.program.accesses.iter().enumerate().find(|(index, _)| {
            let is_shared = self.around.get(index).is_some_and(|around| around.iter().any(|i| shared.contains(i)));
            let is_covered = || covered.iter().any(|lines| self.places.is_made_in(*index, construct, *lines));
            self.places.is_made_in(*index, construct, lines(construct)) && !is_shared && !is_covered()
        });
        if let Some((_, access)) = by_all {
            let message = "every thread makes this access, outside of the loops that they share";
            let error = Diagnostic::new(Kind::Unsupported, Some(access.location.clone()), message);
            let error = error.note_at(Some(self.place(construct)), "the parallel region begins here");
            let hint = "put it into a loop that threads share, or let one thread make it (`single`), or choose loops with --parallel LINE";
            self.marks.refused.push(RefusedMark { error: error.hint(hint), iters: Vec::new(), is_of_program: false });
        }
    }

    /// Refuses threads in a program with arrays of which each thread has its own.
    fn thread_private(&mut self, construct: &Construct, names: &[String]) {
        let array = self.places.program.arrays.iter().find(|array| names.contains(&array.name));
        // It is not known here what a common block holds.
        let common = names.iter().find(|name| name.starts_with('/'));
        if let Some(name) = array.map(|array| &array.name).or(common) {
            let message = format!("`{name}` is `threadprivate`, so the program has no model with threads");
            let error = Diagnostic::new(Kind::Unsupported, Some(self.place(construct)), message);
            let error = error.note(THREAD_PRIVATE).hint("declare a variable in the loop that threads share");
            self.marks.refused.push(RefusedMark { error, iters: Vec::new(), is_of_program: true });
        }
    }

    /// Refuses threads in a program that asks for their numbers.
    fn numbered(&mut self, construct: &Construct) {
        let message = format!("a program with `{}` has no model with threads", construct.name);
        let error = Diagnostic::new(Kind::Unsupported, Some(self.place(construct)), message);
        let error =
            error.note("its value depends on the thread or on the number of threads, and one thread is taken here");
        let error = error
            .hint("leave it out: let the iterator of the loop that threads share choose what each of them touches");
        self.marks.refused.push(RefusedMark { error, iters: Vec::new(), is_of_program: true });
    }

    fn arrays(&self) -> OwnArrays<'_> {
        OwnArrays { places: &self.places, variables: &self.marks.variables }
    }

    fn place(&self, construct: &Construct) -> Location {
        Location::new(construct.file.as_deref().unwrap_or(self.places.source), construct.line, 1)
    }

    /// Notes clauses that would change the number of threads.
    fn leave_out(&mut self, construct: &Construct, clauses: &[String]) {
        for clause in clauses {
            self.note(construct, format!("`{clause}` is left out: there are as many threads as a question asks for"));
        }
    }

    fn note(&mut self, construct: &Construct, text: impl Into<String>) {
        let note = Note::new(Some(self.place(construct)), text);
        self.marks.notes.push(note);
    }

    fn refuse(&mut self, construct: &Construct, refused: &Refused, iters: Vec<IterId>) {
        let Refused { subject, why } = refused;
        let message = format!("`{subject}` has no model with threads");
        let error = Diagnostic::new(Kind::Unsupported, Some(self.place(construct)), message).note(*why);
        let line = iters.first().and_then(|iter| self.places.program.iters[iter.index()].location.as_ref());
        let hint = match (arrays::hint(why), line) {
            _ if [SHARED_VARIABLE, ASSIGNED_BY_ALL].contains(why) => format!(
                "declare it there, or name it in a clause: private({subject}), or reduction(+: {subject}) if it is a sum"
            ),
            (Some(hint), _) => hint.to_owned(),
            (None, Some(place)) => format!("--parallel {} takes the loop with a static schedule", place.line),
            (None, None) => "choose the loops that threads share with --parallel LINE".to_owned(),
        };
        self.marks.refused.push(RefusedMark { error: error.hint(hint), iters, is_of_program: false });
    }
}
