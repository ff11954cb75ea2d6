//! Reasons for which delinearisation of an object, or of one access, fails.

use symloc_affine::{Expr, Overflow, ParamId};

use crate::arithmetic::Trouble;

/// A reason why an object cannot be divided into rows, or an access has no subscripts in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// An error of the arithmetic.
    Trouble(Trouble),
    /// Two strides, neither of which is a multiple of the other; with a size in the shorter one.
    Strides(Option<ParamId>),
    /// No access moves within a row: the distance of elements is this size.
    Apart(ParamId),
    /// The subscript within a row may leave it.
    LeavesRow,
    /// An access to this number of bytes whose address is not a multiple of it.
    Unaligned(i64),
    /// An access to this number of bytes in rows whose length in bytes need not be a multiple of it.
    UnalignedRows {
        /// The bytes of the access.
        bytes: i64,
        /// The length of a row in bytes.
        length: Expr,
    },
    /// The conditions on the sizes under which all accesses stay within their rows leave this one no iteration.
    NeverExecuted,
    /// A subscript of an object without dimensions.
    NoDimension,
}

impl Refusal {
    /// Returns the reason, as a clause about the array or the access.
    pub fn why(&self) -> String {
        match self {
            Refusal::Trouble(trouble) => trouble.why(),
            Refusal::Strides(_) => "its row strides do not divide each other".to_owned(),
            Refusal::Apart(_) => {
                "the distance of its elements is a size, so the number of elements in a line depends on that size"
                    .to_owned()
            }
            Refusal::LeavesRow => "cannot prove that the inner subscript stays within its row".to_owned(),
            Refusal::Unaligned(bytes) => format!(
                "it touches {bytes} bytes that do not start at a multiple of their size, and may lie in two lines"
            ),
            Refusal::UnalignedRows { bytes, .. } => format!(
                "it touches {bytes} bytes of rows that need not start at a multiple of that, so it may lie in two lines"
            ),
            Refusal::NeverExecuted => {
                "it is executed at no size at which all accesses to this array stay within their rows".to_owned()
            }
            Refusal::NoDimension => "it has no dimensions".to_owned(),
        }
    }
}

impl From<Trouble> for Refusal {
    fn from(trouble: Trouble) -> Self {
        Refusal::Trouble(trouble)
    }
}

impl From<Overflow> for Refusal {
    fn from(overflow: Overflow) -> Self {
        Refusal::Trouble(overflow.into())
    }
}
