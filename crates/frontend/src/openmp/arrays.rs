//! The arrays of which each thread has its own: those that clauses name, and those that are declared in a parallel region.

use std::collections::BTreeSet;

use symloc_affine::{ArrayId, IterId, Location};

use crate::openmp::clauses::{COPIED_ARRAY, OwnVariables, Refused};
use crate::openmp::constructs::Construct;
use crate::openmp::places::{ProgramPlaces, lines};
use crate::parallel::ArrayVariable;

/// The reason why `threadprivate` is refused for arrays.
pub(super) const THREAD_PRIVATE: &str =
    "each thread has one of its own in the whole program, also in what is not read here";

/// The reason why clauses such as `reduction` are refused for variables outside of functions.
const COPIED_GLOBAL: &str = "each access to it counts, as it is declared outside of functions, and those that copy it for threads are not in the source";

/// The reason why clauses are refused for arguments in Fortran.
const COPIED_ARGUMENT: &str =
    "it is an argument or outlives the procedure, so each access to it counts, and each thread has its own";

/// The reason why `private` is refused for what is no array in the source.
const NO_VARIABLE: &str = "it is a pointer, and the target of each thread's own one is not known";

/// The reason why `private` is refused for a name that several arrays have.
const SEVERAL: &str = "it is not known which array of this name each thread has its own of";

/// The reason why `private` is refused for an array that others name, too.
const IN_FUNCTION: &str = "a function that is called here uses the array, and may mean the one that threads share";

/// The reason why `private` is refused for an array that pointers lead to.
const BY_POINTER: &str = "another name stands for the array here, and may mean the one that threads share";

/// Returns what to do about a reason, if it is about arrays.
pub(super) fn hint(why: &str) -> Option<&'static str> {
    match why {
        COPIED_ARGUMENT => Some("use a local variable"),
        COPIED_GLOBAL => Some("use a local variable in the loop, and assign it to this one behind the loop"),
        COPIED_ARRAY => Some("use one array for all threads, with a row for each iteration"),
        NO_VARIABLE => Some("declare the pointer in the loop that threads share"),
        SEVERAL => Some("give the array a name that no other one has"),
        IN_FUNCTION | BY_POINTER => Some("declare an array in the loop that threads share"),
        _ => None,
    }
}

/// A variable of `private`, with the lines of its construct that name it.
struct NamedVariable<'n> {
    name: &'n str,
    lines: &'n BTreeSet<u32>,
}

impl NamedVariable<'_> {
    fn has(&self, line: u32) -> bool {
        self.lines.contains(&line)
    }
}

/// The arrays of a program, with those that are variables.
pub(super) struct OwnArrays<'r> {
    pub(super) places: &'r ProgramPlaces<'r>,
    pub(super) variables: &'r [ArrayVariable],
}

impl OwnArrays<'_> {
    /// Returns the arrays that `private` gives each thread its own of, in a construct around a loop.
    ///
    /// # Errors
    ///
    /// If it is not known which array is meant, or if others use it, too.
    pub(super) fn own(&self, own: &OwnVariables, construct: &Construct, iter: IterId) -> Result<Vec<ArrayId>, Refused> {
        let none = BTreeSet::new();
        let found = own.private.iter().map(|name| {
            let lines = own.named.get(name).unwrap_or(&none);
            self.named(&NamedVariable { name, lines }, construct, iter)
        });
        Ok(found.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    /// Returns the refusal of a construct before or after which the elements of an array are copied.
    pub(super) fn copied(&self, own: &OwnVariables, construct: &Construct) -> Option<Refused> {
        // Of a pointer in C, the address alone is copied.
        let is_copied = |array: &ArrayId| {
            own.copied.contains(self.name(*array)) && (construct.is_fortran || self.variable(*array).is_some())
        };
        let array = self.used_in(construct).into_iter().find(is_copied)?;
        let why = match self.places.program.array(array).shape.is_empty() {
            true if construct.is_fortran => COPIED_ARGUMENT,
            true => COPIED_GLOBAL,
            false => COPIED_ARRAY,
        };
        Some(Refused { subject: self.name(array).clone(), why })
    }

    /// Returns the array of a name in a construct around a loop; `None` if it uses none, or one that is declared in the loop.
    fn named(
        &self,
        named: &NamedVariable<'_>,
        construct: &Construct,
        iter: IterId,
    ) -> Result<Option<ArrayId>, Refused> {
        let is_meant = |array: &ArrayId| {
            // Of a function that is called twice each call has its own.
            let is_here =
                |variable: &ArrayVariable| variable.named_at.contains(&iter) && !variable.declared_in.contains(&iter);
            self.name(*array) == named.name && self.variable(*array).is_none_or(is_here)
        };
        let mut arrays = self.used_in(construct);
        arrays.retain(|array| is_meant(array) && self.is_named(*array, named, construct));
        let refused = |why: &'static str| Refused { subject: named.name.to_owned(), why };
        let [array] = arrays[..] else {
            return if arrays.is_empty() { Ok(None) } else { Err(refused(SEVERAL)) };
        };
        let no_variable = if construct.is_fortran { COPIED_ARGUMENT } else { NO_VARIABLE };
        let variable = self.variable(array).ok_or_else(|| refused(no_variable))?;
        // What is declared outside of functions may be named in any.
        if variable.places.is_empty() && !self.is_used_in_text_only(array, construct) {
            return Err(refused(IN_FUNCTION));
        }
        if !self.lines_of(array, construct).all(|line| named.has(line)) {
            return Err(refused(BY_POINTER));
        }
        Ok(Some(array))
    }

    /// Returns true if the text of a construct names an array where it accesses it; a local one also where it passes the array to a function.
    fn is_named(&self, array: ArrayId, named: &NamedVariable<'_>, construct: &Construct) -> bool {
        let is_global = self.variable(array).is_some_and(|variable| variable.places.is_empty());
        let in_text = |index: usize| {
            self.places.is_in(&self.places.program.accesses[index].location, construct, lines(construct))
        };
        let mut accesses = self.accesses_to(array).filter(|index| !is_global || in_text(*index));
        accesses.any(|index| self.places.line_in(index, construct).is_some_and(|line| named.has(line)))
    }

    /// Returns the lines of a construct with accesses to an array: of what is called there, those of the calls.
    fn lines_of(&self, array: ArrayId, construct: &Construct) -> impl Iterator<Item = u32> {
        self.accesses_to(array).filter_map(|index| self.places.line_in(index, construct))
    }

    /// Returns the accesses to an array, by their numbers.
    fn accesses_to(&self, array: ArrayId) -> impl Iterator<Item = usize> {
        let accesses = self.places.program.accesses.iter().enumerate();
        accesses.filter(move |(_, access)| access.array == array).map(|(index, _)| index)
    }

    /// Returns the arrays that are accessed in a construct, or in what is called there, each once.
    fn used_in(&self, construct: &Construct) -> Vec<ArrayId> {
        let lines = lines(construct);
        let inside = self.places.program.accesses.iter().enumerate();
        let inside = inside.filter(|(index, _)| self.places.is_made_in(*index, construct, lines));
        let mut arrays: Vec<ArrayId> = inside.map(|(_, access)| access.array).collect();
        arrays.sort();
        arrays.dedup();
        arrays
    }

    /// Returns true if the accesses to an array in a construct are all in its text.
    fn is_used_in_text_only(&self, array: ArrayId, construct: &Construct) -> bool {
        let lines = lines(construct);
        let mut inside = self.accesses_to(array).filter(|index| self.places.is_made_in(*index, construct, lines));
        inside.all(|index| self.places.is_in(&self.places.program.accesses[index].location, construct, lines))
    }

    /// Returns the variables, by their numbers, that are declared in a region, each with the loops in its text. On the line of the pragma,
    /// as in a macro, nothing is known to be in the region.
    pub(super) fn declared_in_region(&self, construct: &Construct) -> Vec<(usize, Vec<IterId>)> {
        let (first, last) = lines(construct);
        let is_in = |place: &Location| self.places.is_in(place, construct, (first.saturating_add(1), last));
        let numbered = (0_u32..).map(IterId).zip(&self.places.program.iters);
        let inside = numbered.filter(|(_, iter)| iter.location.as_ref().is_some_and(is_in));
        let loops: Vec<IterId> = inside.map(|(iter, _)| iter).collect();
        let variables = self.variables.iter().enumerate();
        let declared = variables.filter(|(_, variable)| variable.places.iter().any(is_in));
        declared.map(|(number, _)| (number, loops.clone())).collect()
    }

    fn variable(&self, array: ArrayId) -> Option<&ArrayVariable> {
        self.variables.iter().find(|variable| variable.array == array)
    }

    /// Returns the name of an array in the source, as far as it is known.
    fn name(&self, array: ArrayId) -> &String {
        self.variable(array).map_or(&self.places.program.array(array).name, |variable| &variable.name)
    }
}
