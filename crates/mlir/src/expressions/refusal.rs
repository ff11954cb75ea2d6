//! Reasons why a value is not known.

use symloc_affine::{Location, Overflow};
use symloc_frontend::arithmetic::Trouble;
use symloc_frontend::cases::TooMany;
use symloc_frontend::delinearize;

use super::maps::MapError;
use crate::ffi::Val;

/// The reason why a value is not known.
#[derive(Clone, Debug)]
pub(crate) enum Refusal {
    /// It comes from an operation that has been reported already.
    Reported,
    /// A reason of its own.
    Because(Reason),
}

/// A reason with its place and a hint.
#[derive(Clone, Debug)]
pub(crate) struct Reason {
    pub(crate) why: String,
    pub(crate) at: Option<Location>,
    pub(crate) hint: Option<String>,
}

/// The cause of an operation without an affine value.
pub(crate) enum Cause<'a> {
    /// This operand has no affine value.
    Operand(Val<'a>),
    /// The operation itself.
    Here { why: String, hint: Option<&'static str> },
}

impl Cause<'_> {
    pub(crate) fn here(why: impl Into<String>) -> Self {
        Cause::Here { why: why.into(), hint: None }
    }

    pub(crate) fn hinted(why: impl Into<String>, hint: &'static str) -> Self {
        Cause::Here { why: why.into(), hint: Some(hint) }
    }

    pub(crate) fn product() -> Self {
        Trouble::Product.into()
    }

    pub(crate) fn divisor() -> Self {
        Trouble::Divisor.into()
    }
}

impl From<Overflow> for Cause<'_> {
    fn from(overflow: Overflow) -> Self {
        Cause::here(overflow.to_string())
    }
}

impl From<TooMany> for Cause<'_> {
    fn from(error: TooMany) -> Self {
        Trouble::from(error).into()
    }
}

impl From<Trouble> for Cause<'_> {
    fn from(trouble: Trouble) -> Self {
        Cause::Here { why: trouble.why(), hint: trouble.hint() }
    }
}

impl From<delinearize::Refusal> for Cause<'_> {
    fn from(refusal: delinearize::Refusal) -> Self {
        use delinearize::Refusal as R;
        let hint = match &refusal {
            R::Trouble(trouble) => return trouble.clone().into(),
            R::Strides => "use an array of two dimensions, or one row length for the array",
            R::Apart(_) => "use an array of two dimensions, or a constant distance",
            R::LeavesRow => "use an array of two dimensions, or bounds from which it follows",
            R::Unaligned(_) | R::NoDimension => return Cause::here(refusal.why()),
        };
        Cause::hinted(refusal.why(), hint)
    }
}

impl From<MapError> for Cause<'_> {
    fn from(error: MapError) -> Self {
        match error {
            MapError::Input => Cause::here("the map has more inputs than the operation has operands"),
            MapError::Product => Cause::product(),
            MapError::Divisor => Cause::divisor(),
            MapError::Size => Trouble::Size.into(),
            MapError::Overflow(overflow) => overflow.into(),
        }
    }
}
