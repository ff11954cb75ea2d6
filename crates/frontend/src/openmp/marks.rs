//! The loops of a program that constructs are about.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostics::{Diagnostic, Kind, Note};
use crate::parallel::{LoopMark, ParallelMarks, RefusedMark, not_one_sequence};
use symloc_affine::{If, IterId, Location, Loop, Node, Program};

use crate::openmp::clauses::{OWN_ARRAY, Refused, Sharing};
use crate::openmp::constructs::{Construct, ConstructKind};
use crate::presumed::is_one_file;

/// Returns the marks that the constructs of a text are on a program. `callers` has, by access, its place in the function
/// itself, which for inlined code is that of the call; `source` is the user's name of the compiled file.
pub fn marks(constructs: &[Construct], program: &Program, callers: &[Option<Location>], source: &str) -> ParallelMarks {
    let mut reader = MarkReader { program, callers, source, around: BTreeMap::new(), marks: ParallelMarks::default() };
    reader.visit(&program.body, &mut Vec::new());
    let concerned: Vec<&Construct> = constructs.iter().filter(|construct| reader.concerns(construct)).collect();
    for construct in &concerned {
        match &construct.kind {
            ConstructKind::Loop { head, sharing } => {
                reader.shared(construct, *head, sharing, private_around(construct, &concerned));
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
        if let ConstructKind::Region { covered, private, left_out } = &construct.kind {
            reader.leave_out(construct, left_out);
            reader.region(construct, covered, private);
        }
    }
    reader.marks
}

/// Returns the variables of which each thread has its own in the regions around a construct.
fn private_around(construct: &Construct, all: &[&Construct]) -> Vec<String> {
    let is_around =
        |other: &&&Construct| other.file == construct.file && (other.line..=other.last_line).contains(&construct.line);
    let names = |other: &&Construct| match &other.kind {
        ConstructKind::Region { private, .. } => private.clone(),
        _ => Vec::new(),
    };
    all.iter().filter(is_around).flat_map(names).collect()
}

/// A program, and the marks so far.
struct MarkReader<'r> {
    program: &'r Program,
    callers: &'r [Option<Location>],
    source: &'r str,
    /// By access, the iterators of the loops around it.
    around: BTreeMap<usize, Vec<IterId>>,
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

    /// Returns true if a place is on some lines of the file of a construct.
    fn is_in(&self, place: &Location, construct: &Construct, (first, last): (u32, u32)) -> bool {
        let file = construct.file.as_deref().unwrap_or(self.source);
        is_one_file(&place.file, file) && (first..=last).contains(&place.line)
    }

    /// Returns true if an access is on some lines of the file of a construct, or is made by what is called there.
    fn is_made_in(&self, index: usize, construct: &Construct, lines: (u32, u32)) -> bool {
        let caller = self.callers.get(index).and_then(Option::as_ref);
        let own = self.program.accesses.get(index).map(|access| &access.location);
        own.into_iter().chain(caller).any(|place| self.is_in(place, construct, lines))
    }

    fn lines(construct: &Construct) -> (u32, u32) {
        (construct.line, construct.last_line)
    }

    /// Returns true if the program has accesses or loops in a construct, or if it is about all of the program.
    fn concerns(&self, construct: &Construct) -> bool {
        if matches!(construct.kind, ConstructKind::ThreadPrivate(_)) {
            return true;
        }
        let loops = self.program.iters.iter().filter_map(|iter| iter.location.as_ref());
        let accesses = self.program.accesses.iter().map(|access| &access.location);
        let mut places = accesses.chain(self.callers.iter().flatten()).chain(loops);
        places.any(|place| self.is_in(place, construct, construct.scope))
    }

    /// Returns the iterators of the outermost loops that begin on a line; of several next to each other, the first.
    fn loops(&self, construct: &Construct, line: u32) -> Vec<IterId> {
        let begins = |iter: &IterId| {
            let location = self.program.iters[iter.index()].location.as_ref();
            location.is_some_and(|place| self.is_in(place, construct, (line, line)))
        };
        let outermost = self.around.values().filter_map(|around| around.iter().copied().find(begins));
        let outermost: BTreeSet<IterId> = outermost.collect();
        let place = |iter: &IterId| self.program.iters[iter.index()].location.as_ref();
        let first = outermost.iter().filter_map(place).min();
        outermost.iter().copied().filter(|iter| place(iter) == first).collect()
    }

    fn shared(&mut self, construct: &Construct, head: u32, sharing: &Sharing, around: Vec<String>) {
        let iters = self.loops(construct, head);
        if iters.is_empty() {
            let refused = Refused { subject: construct.name.clone(), why: "its loop has no accesses of its own here" };
            return self.refuse(construct, &refused, iters);
        }
        if let Some(refused) = self.own_array(&sharing.private, construct) {
            return self.refuse(construct, &refused, iters);
        }
        if let Some(why) =
            iters.iter().find_map(|iter| not_one_sequence(&self.program.body, *iter, sharing.parallel.loops))
        {
            let subject = format!("collapse({})", sharing.parallel.loops);
            return self.refuse(construct, &Refused { subject, why }, iters);
        }
        self.leave_out(construct, &sharing.left_out);
        if sharing.nowait {
            self.note(construct, "`nowait` is left out: threads are taken to wait for each other behind the loop");
        }
        let (parallel, location) = (sharing.parallel, Some(self.place(construct)));
        let own = [around, sharing.private.clone()].concat();
        let mark = |iter: IterId| LoopMark { iter, parallel, location: location.clone(), own: own.clone() };
        self.marks.loops.extend(iters.into_iter().map(mark));
    }

    /// Returns the refusal of a construct with an array among the variables of which each thread has its own.
    fn own_array(&self, private: &[String], construct: &Construct) -> Option<Refused> {
        let is_inside = |index: usize| self.is_made_in(index, construct, Self::lines(construct));
        let inside = self.program.accesses.iter().enumerate().filter(|(index, _)| is_inside(*index));
        let mut arrays = inside.map(|(_, access)| &self.program.array(access.array).name);
        let own = arrays.find(|name| private.contains(name))?;
        Some(Refused { subject: own.clone(), why: OWN_ARRAY })
    }

    /// Refuses the accesses of a region that every thread makes.
    fn region(&mut self, construct: &Construct, covered: &[(u32, u32)], private: &[String]) {
        if let Some(refused) = self.own_array(private, construct) {
            self.refuse(construct, &refused, Vec::new());
        }
        let shared: BTreeSet<IterId> = self.marks.loops.iter().map(|mark| mark.iter).collect();
        let by_all = self.program.accesses.iter().enumerate().find(|(index, _)| {
            let is_shared = self.around.get(index).is_some_and(|around| around.iter().any(|i| shared.contains(i)));
            let is_covered = || covered.iter().any(|lines| self.is_made_in(*index, construct, *lines));
            self.is_made_in(*index, construct, Self::lines(construct)) && !is_shared && !is_covered()
        });
        if let Some((_, access)) = by_all {
            let message = "every thread makes this access, outside of the loops that they share";
            let error = Diagnostic::new(Kind::Unsupported, Some(access.location.clone()), message);
            let error = error.note_at(Some(self.place(construct)), "the parallel region begins here");
            let hint = "put it into a loop of `#pragma omp for` or under `#pragma omp single`, or choose loops with --parallel LINE";
            self.marks.refused.push(RefusedMark { error: error.hint(hint), iters: Vec::new(), is_of_program: false });
        }
    }

    /// Refuses threads in a program with arrays of which each thread has its own.
    fn thread_private(&mut self, construct: &Construct, names: &[String]) {
        if let Some(array) = self.program.arrays.iter().find(|array| names.contains(&array.name)) {
            let message = format!("`{}` is `threadprivate`, so the program has no model with threads", array.name);
            let error = Diagnostic::new(Kind::Unsupported, Some(self.place(construct)), message);
            let error = error.note(OWN_ARRAY).hint("use one array for all threads, with a row for each iteration");
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

    fn place(&self, construct: &Construct) -> Location {
        Location::new(construct.file.as_deref().unwrap_or(self.source), construct.line, 1)
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
        let line = iters.first().and_then(|iter| self.program.iters[iter.index()].location.as_ref());
        let hint = match line {
            _ if *why == OWN_ARRAY => "use one array for all threads, with a row for each iteration".to_owned(),
            Some(place) => format!("--parallel {} takes the loop with a static schedule", place.line),
            None => "choose the loops that threads share with --parallel LINE".to_owned(),
        };
        self.marks.refused.push(RefusedMark { error: error.hint(hint), iters, is_of_program: false });
    }
}
