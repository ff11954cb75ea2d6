//! Why an object has no rows that could be told, or an access no subscripts in them.

use symloc_affine::{Overflow, ParamId};

use crate::arithmetic::Trouble;

/// Why an object cannot be divided into rows, or an access has no place in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Arithmetic fails.
    Trouble(Trouble),
    /// Of two strides neither is a multiple of the other.
    Strides,
    /// No access moves within a row: elements are this size apart.
    Apart(ParamId),
    /// The subscript within a row may leave it.
    LeavesRow,
    /// So many bytes that do not start at a multiple of their size.
    Unaligned(i64),
    /// The access has a subscript, and the object no dimension.
    NoDimension,
}

impl Refusal {
    /// Returns what is wrong, as a clause about the array or the access.
    pub fn why(&self) -> String {
        match self {
            Refusal::Trouble(trouble) => trouble.why(),
            Refusal::Strides => "its row strides do not divide each other".to_owned(),
            Refusal::Apart(_) => {
                "its elements are a size apart, so how many of them share a line depends on that size".to_owned()
            }
            Refusal::LeavesRow => "cannot prove that the inner subscript stays within its row".to_owned(),
            Refusal::Unaligned(bytes) => format!(
                "it touches {bytes} bytes that do not start at a multiple of their size, and may lie in two lines"
            ),
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
