//! Reasons why a value is not known.

use std::rc::Rc;

use symloc_affine::{Location, Overflow};

use crate::arithmetic::Trouble;
use crate::cases::TooMany;
use crate::delinearize::Refusal;

/// The reason why a value is not known, with its place and a hint. Cheap to copy, because values are copied often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason(Rc<ReasonText>);

#[derive(Debug, PartialEq, Eq)]
struct ReasonText {
    why: String,
    at: Option<Location>,
    hint: Option<String>,
}

impl Reason {
    /// Returns a reason; without a place, it is that of the error.
    pub fn new(why: impl Into<String>, at: Option<Location>, hint: Option<&str>) -> Self {
        Self(Rc::new(ReasonText { why: why.into(), at, hint: hint.map(str::to_owned) }))
    }

    /// Returns the clause about the value.
    pub fn why(&self) -> &str {
        &self.0.why
    }

    /// Returns the place, if it is not that of the error.
    pub fn at(&self) -> Option<&Location> {
        self.0.at.as_ref()
    }

    /// Returns the remedy.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// Returns the reason with another hint.
    #[must_use]
    pub fn with_hint(&self, hint: Option<&str>) -> Self {
        Self::new(self.why(), self.at().cloned(), hint)
    }

    /// Returns the reason with another place.
    #[must_use]
    pub fn with_place(&self, at: Option<Location>) -> Self {
        Self::new(self.why(), at, self.hint())
    }
}

/// The cause of an operation without an affine value. A front end makes a [`Reason`] of it, with the place and the names
/// of its language; `O` is what it knows of an operand.
#[derive(Clone, Debug)]
pub enum Cause<O = Reason> {
    /// This operand has no affine value.
    Operand(O),
    /// An error of the arithmetic.
    Trouble(Trouble),
    /// The object cannot be divided into rows.
    Rows(Refusal),
    /// The operation itself.
    Here {
        /// The clause about the value.
        why: String,
        /// The remedy.
        hint: Option<&'static str>,
    },
}

impl<O> Cause<O> {
    /// Returns a cause in the operation itself, without a remedy.
    pub fn here(why: impl Into<String>) -> Self {
        Cause::Here { why: why.into(), hint: None }
    }

    /// Returns a cause in the operation itself.
    pub fn hinted(why: impl Into<String>, hint: &'static str) -> Self {
        Cause::Here { why: why.into(), hint: Some(hint) }
    }
}

impl<O> From<Trouble> for Cause<O> {
    fn from(trouble: Trouble) -> Self {
        Cause::Trouble(trouble)
    }
}

impl<O> From<Overflow> for Cause<O> {
    fn from(overflow: Overflow) -> Self {
        Cause::Trouble(overflow.into())
    }
}

impl<O> From<TooMany> for Cause<O> {
    fn from(error: TooMany) -> Self {
        Cause::Trouble(error.into())
    }
}

impl<O> From<Refusal> for Cause<O> {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Trouble(trouble) => Cause::Trouble(trouble),
            refusal => Cause::Rows(refusal),
        }
    }
}
