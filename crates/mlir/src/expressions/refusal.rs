//! Reasons why a value is not known.

use symloc_frontend::arithmetic::Trouble;
use symloc_frontend::delinearize;
use symloc_frontend::raising::{self, Reason};

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

/// The cause of an operation without an affine value; an operand is a value of MLIR.
pub(crate) type Cause<'a> = raising::Cause<Val<'a>>;

/// Returns the remedy for an array that cannot be divided into rows.
pub(crate) fn row_hint(refusal: &delinearize::Refusal) -> Option<&'static str> {
    use delinearize::Refusal as R;
    match refusal {
        R::Strides(_) => Some("use an array of two dimensions, or one row length for the array"),
        R::Apart(_) => Some("use an array of two dimensions, or a constant distance"),
        R::NeverExecuted => {
            Some("use rows of one length that hold all elements accessed in them, or give a flag a value with --assume")
        }
        R::LeavesRow => Some("use an array of two dimensions, or bounds from which it follows"),
        R::Unaligned(_) | R::UnalignedRows { .. } | R::NoDimension | R::Trouble(_) => None,
    }
}

impl From<MapError> for Cause<'_> {
    fn from(error: MapError) -> Self {
        match error {
            MapError::Input => Cause::here("the map has more inputs than the operation has operands"),
            MapError::Product => Trouble::Product(Vec::new()).into(),
            MapError::Divisor => Trouble::Divisor.into(),
            MapError::Size => Trouble::Size.into(),
            MapError::Overflow(overflow) => overflow.into(),
        }
    }
}
