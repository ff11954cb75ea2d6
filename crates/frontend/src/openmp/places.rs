//! The accesses of a program in the text of constructs.

use symloc_affine::{Location, Program};

use crate::openmp::constructs::Construct;
use crate::presumed::is_one_file;

/// A program with the places of its accesses.
pub(super) struct ProgramPlaces<'r> {
    pub(super) program: &'r Program,
    /// By access, its place in the function itself.
    pub(super) callers: &'r [Option<Location>],
    /// The user's name of the compiled file.
    pub(super) source: &'r str,
}

impl ProgramPlaces<'_> {
    /// Returns true if a place is on some lines of the file of a construct.
    pub(super) fn is_in(&self, place: &Location, construct: &Construct, (first, last): (u32, u32)) -> bool {
        let file = construct.file.as_deref().unwrap_or(self.source);
        is_one_file(&place.file, file) && (first..=last).contains(&place.line)
    }

    /// Returns the line in a construct of an access, or of the call that makes it; `None` if it is not made there.
    pub(super) fn line_in(&self, index: usize, construct: &Construct) -> Option<u32> {
        let is_in = |place: &&Location| self.is_in(place, construct, lines(construct));
        self.places(index).find(is_in).map(|place| place.line)
    }

    /// Returns true if an access is on some lines of the file of a construct, or is made by what is called there.
    pub(super) fn is_made_in(&self, index: usize, construct: &Construct, lines: (u32, u32)) -> bool {
        self.places(index).any(|place| self.is_in(place, construct, lines))
    }

    /// Returns the place of an access, and that of the call in the function itself that makes it.
    fn places(&self, index: usize) -> impl Iterator<Item = &Location> {
        let caller = self.callers.get(index).and_then(Option::as_ref);
        let own = self.program.accesses.get(index).map(|access| &access.location);
        own.into_iter().chain(caller)
    }
}

/// Returns the first and the last line of a construct.
pub(super) fn lines(construct: &Construct) -> (u32, u32) {
    (construct.line, construct.last_line)
}
