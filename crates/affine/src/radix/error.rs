//! Why a program has no form in digits.

use crate::expr::Overflow;
use crate::program::Location;

/// The reason why a program with tiles of symbolic size has no affine form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RadixError {
    /// Something of the program does not fit.
    #[error("{why}")]
    Unsuited {
        /// The part that does not fit, with the names of the source.
        why: String,
        /// Advice.
        hint: &'static str,
        /// Its place, if the source tells.
        location: Option<Location>,
    },
    /// A coefficient overflowed.
    #[error(transparent)]
    Overflow(#[from] Overflow),
}

impl RadixError {
    /// Returns the error about something at a place.
    pub(super) fn at(location: Option<&Location>, why: impl Into<String>, hint: &'static str) -> Self {
        Self::Unsuited { why: why.into(), hint, location: location.cloned() }
    }
}
