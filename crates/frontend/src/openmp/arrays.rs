//! The arrays of which each thread has its own: those that clauses name, and those that are declared in a parallel region.

use symloc_affine::{ArrayId, IterId, Location};

use crate::openmp::clauses::{COPIED_ARRAY, OwnVariables, Refused};
use crate::openmp::constructs::Construct;
use crate::openmp::places::{ProgramPlaces, lines};
use crate::parallel::ArrayVariable;

/// The reason why `threadprivate` is refused for arrays.
pub(super) const THREAD_PRIVATE: &str =
    "each thread has an array of its own in the whole program, also in what is not read here";

/// The reason why `private` is refused for what is no array in the source.
const NO_VARIABLE: &str = "it is a pointer, and the target of each thread's own one is not known";

/// The reason why `private` is refused for a name that several arrays have.
const SEVERAL: &str = "it is not known which array of this name each thread has its own of";

/// The reason why `private` is refused for an array that others name, too.
const IN_FUNCTION: &str = "a function that is called here uses the array that threads share";

/// Returns what to do about a reason, if it is about arrays.
pub(super) fn hint(why: &str) -> Option<&'static str> {
    match why {
        COPIED_ARRAY => Some("use one array for all threads, with a row for each iteration"),
        NO_VARIABLE => Some("declare the pointer in the loop that threads share"),
        SEVERAL => Some("give the array a name that no other one has"),
        IN_FUNCTION => Some("pass the array to the function"),
        _ => None,
    }
}

/// The arrays of a program, with those that are variables.
pub(super) struct OwnArrays<'r> {
    pub(super) places: &'r ProgramPlaces<'r>,
    pub(super) variables: &'r [ArrayVariable],
}

impl OwnArrays<'_> {
    /// Returns the arrays that `private` gives each thread its own of, in a construct around some loops.
    ///
    /// # Errors
    ///
    /// If it is not known which array is meant, or if others use it, too.
    pub(super) fn own(
        &self,
        own: &OwnVariables,
        construct: &Construct,
        iters: &[IterId],
    ) -> Result<Vec<ArrayId>, Refused> {
        let found = own.private.iter().map(|name| self.named(name, construct, iters));
        Ok(found.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    /// Returns the refusal of a construct before or after which the elements of an array are copied.
    pub(super) fn copied(&self, own: &OwnVariables, construct: &Construct) -> Option<Refused> {
        let used = self.used_in(construct);
        let name = own.copied.iter().find(|name| used.iter().any(|array| self.name(*array) == *name))?;
        Some(Refused { subject: name.clone(), why: COPIED_ARRAY })
    }

    /// Returns the array of a name in a construct; `None` if it uses none, or one that is declared in its loops.
    fn named(&self, name: &String, construct: &Construct, iters: &[IterId]) -> Result<Option<ArrayId>, Refused> {
        let is_declared_here = |array: ArrayId| {
            self.variable(array).is_some_and(|variable| iters.iter().all(|iter| variable.declared_in.contains(iter)))
        };
        let mut named = self.used_in(construct);
        named.retain(|array| self.name(*array) == name && !is_declared_here(*array));
        let refused = |why: &'static str| Refused { subject: name.clone(), why };
        let [array] = named[..] else {
            return if named.is_empty() { Ok(None) } else { Err(refused(SEVERAL)) };
        };
        let variable = self.variable(array).ok_or_else(|| refused(NO_VARIABLE))?;
        if !iters.iter().all(|iter| variable.named_at.contains(iter)) {
            return Err(refused(SEVERAL));
        }
        // What is declared outside of functions may be named in any.
        if variable.places.is_empty() && !self.is_used_in_text_only(array, construct) {
            return Err(refused(IN_FUNCTION));
        }
        Ok(Some(array))
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
        let accesses = self.places.program.accesses.iter().enumerate().filter(|(_, access)| access.array == array);
        let mut inside = accesses.filter(|(index, _)| self.places.is_made_in(*index, construct, lines));
        inside.all(|(_, access)| self.places.is_in(&access.location, construct, lines))
    }

    /// Returns the variables, by their numbers, that are declared in a region, each with the loops in its text.
    pub(super) fn declared_in_region(&self, construct: &Construct) -> Vec<(usize, Vec<IterId>)> {
        let is_in = |place: &Location| self.places.is_in(place, construct, lines(construct));
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
