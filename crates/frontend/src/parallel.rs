//! The loops that a source marks as parallel.

use symloc_affine::{ArrayId, CollapseError, If, IterId, Location, Loop, Node, ParallelLoops, Program};

use crate::diagnostics::{Diagnostic, Kind, Note};

/// The loops that a source marks as parallel. The program itself is sequential: a user chooses which of them have
/// threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParallelMarks {
    /// True if the request itself asks for threads, as `-fopenmp` does.
    pub asked: bool,
    /// The loops that can have threads.
    pub loops: Vec<LoopMark>,
    /// The constructs that cannot.
    pub refused: Vec<RefusedMark>,
    /// The reason why no loop can have threads, whichever is chosen.
    pub forbidden: Option<Diagnostic>,
    /// The notes about marks that are taken.
    pub notes: Vec<Note>,
    /// The arrays that are variables of the source.
    pub variables: Vec<ArrayVariable>,
}

/// An array that is a variable of the source, not the target of a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayVariable {
    /// The array.
    pub array: ArrayId,
    /// Its name in the source.
    pub name: String,
    /// The place of its declaration, and those of the calls that it is declared in, up to the function itself. None for variables
    /// outside of functions and `static` ones, of which there is one for all threads.
    pub places: Vec<Location>,
    /// The loops in whose text it is declared, or in a function that is called there: threads that share one have each their own.
    pub declared_in: Vec<IterId>,
    /// The loops at which its name may be known: those in the same call of the same function.
    pub named_at: Vec<IterId>,
}

/// A local variable that is in a register, and assigned to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignedVariable {
    /// Its name in the source.
    pub name: String,
    /// The place of its declaration, and those of the calls that it is declared in, up to the function itself.
    pub declared: Vec<Location>,
    /// The places where it is assigned to, by its name or by a pointer, and those of the calls that do so.
    pub assigned: Vec<Location>,
}

/// The variables of a source that threads may share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceVariables {
    /// The arrays that are variables.
    pub arrays: Vec<ArrayVariable>,
    /// The variables in registers.
    pub assigned: Vec<AssignedVariable>,
}

/// A loop that can have threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopMark {
    /// Its iterator; of a nest, that of the outermost loop.
    pub iter: IterId,
    /// The schedule that the source gives it, and the number of its loops.
    pub parallel: ParallelLoops,
    /// The place of the mark: a pragma, or an operation.
    pub location: Option<Location>,
    /// The variables of which the source gives each thread its own.
    pub own: Vec<String>,
    /// The variables that the source says to be linear in the iterator.
    pub linear: Vec<String>,
    /// The arrays of which clauses of the source give each thread its own.
    pub arrays: Vec<ArrayId>,
}

/// A construct for threads that cannot be taken as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedMark {
    /// The reason, and what to do.
    pub error: Diagnostic,
    /// The iterators of its loop; if the user chooses all of them, the construct does not matter. Empty if it has none.
    pub iters: Vec<IterId>,
    /// True if it forbids threads in the whole program, whichever loops are chosen.
    pub is_of_program: bool,
}

impl ParallelMarks {
    /// Returns the schedules of a program's loops, and makes these sequential. Nests whose iterations are no one sequence are
    /// refused. A note tells the loops of operations with several iterators, of which threads share the outermost one.
    pub fn taken_from(program: &mut Program) -> Self {
        let mut marks = Self::default();
        for (iter, data) in (0_u32..).map(IterId).zip(&mut program.iters) {
            let (location, parallel) = (data.location.clone(), data.parallel.take());
            marks.loops.extend(parallel.map(|parallel| LoopMark {
                iter,
                parallel,
                location,
                own: Vec::new(),
                linear: Vec::new(),
                arrays: Vec::new(),
            }));
        }
        let (loops, broken): (_, Vec<LoopMark>) =
            marks.loops.into_iter().partition(|mark| mark.why_not(program).is_none());
        (marks.loops, marks.refused) = (loops, broken.iter().filter_map(|mark| mark.refused(program)).collect());
        let several: Vec<IterId> =
            marks.loops.iter().filter(|mark| mark.parallel.loops == 1).map(|mark| mark.iter).collect();
        let several = several.into_iter().filter(|iter| has_several(program, &program.body, *iter));
        let note = |iter: IterId| {
            let text = "threads share the iterations of the outermost loop of this operation";
            Note::new(program.iters[iter.index()].location.clone(), text)
        };
        marks.notes = several.map(note).collect();
        marks
    }

    /// Returns the mark of a loop; `None` if the source does not mark it.
    pub fn of(&self, iter: IterId) -> Option<&LoopMark> {
        self.loops.iter().find(|mark| mark.iter == iter)
    }

    /// Returns true if the source marks no loop.
    pub fn is_empty(&self) -> bool {
        self.loops.is_empty() && self.refused.is_empty()
    }
}

impl LoopMark {
    /// Returns the reason why the iterations of its loops are no one sequence, if there is one.
    fn why_not(&self, program: &Program) -> Option<&'static str> {
        not_one_sequence(program, &program.body, self.iter, self.parallel.loops)
    }

    /// Returns the refusal of a mark whose iterations are no one sequence.
    fn refused(&self, program: &Program) -> Option<RefusedMark> {
        let message = format!("`collapse({})` has no model with threads", self.parallel.loops);
        let error = Diagnostic::new(Kind::Unsupported, self.location.clone(), message).note(self.why_not(program)?);
        let hint = format!("--parallel {} takes the outer loop alone", program.iters[self.iter.index()].name);
        Some(RefusedMark { error: error.hint(hint), iters: vec![self.iter], is_of_program: false })
    }
}

/// Returns the reason why the iterations of a loop and the `count - 1` directly in it are no sequence that OpenMP divides in one
/// way; `None` if they are, or if the loop is not in these nodes.
pub(crate) fn not_one_sequence(program: &Program, nodes: &[Node], iter: IterId, count: u32) -> Option<&'static str> {
    nodes.iter().find_map(|node| match node {
        Node::Loop(l) if l.iter == iter => l.collapsed(count).err().map(|error| match error {
            CollapseError::NotPerfect(outer) if program.iters[outer.index()].ends_midway => {
                "the end of a loop is in memory, so it is read between the loops: compute it in front of all of them"
            }
            CollapseError::NotPerfect(_) => "its loops, as they are read, are not directly in each other",
            CollapseError::NotRectangular(_) => {
                "the bounds of an inner loop depend on an outer one, and compilers divide such iterations differently"
            }
        }),
        Node::Loop(l) => not_one_sequence(program, &l.body, iter, count),
        Node::If(If { then, otherwise, .. }) => {
            [then, otherwise].into_iter().find_map(|nodes| not_one_sequence(program, nodes, iter, count))
        }
        Node::Access(_) | Node::Operations(_) | Node::Mark(_) => None,
    })
}

/// Returns true if a loop and the one directly in it are at one place.
fn has_several(program: &Program, nodes: &[Node], iter: IterId) -> bool {
    let place = |iter: IterId| program.iters[iter.index()].location.as_ref();
    nodes.iter().any(|node| match node {
        Node::Loop(Loop { iter: found, body, .. }) if *found == iter => {
            let is_at = |node: &Node| matches!(node, Node::Loop(inner) if place(inner.iter) == place(iter));
            place(iter).is_some() && body.iter().any(is_at)
        }
        Node::Loop(Loop { body, .. }) => has_several(program, body, iter),
        Node::If(guard) => has_several(program, &guard.then, iter) || has_several(program, &guard.otherwise, iter),
        Node::Access(_) | Node::Operations(_) | Node::Mark(_) => false,
    })
}
