//! The operations of `linalg` in a function, before they are loops.

use symloc_affine::Location;

use crate::ffi::{self, Op};
use crate::input::places::Places;

/// An operation of `linalg`: loops around one computation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructuredOperation {
    /// Its place.
    pub location: Option<Location>,
    /// True if it is at the top level of the function, in no loop or branch.
    pub is_apart: bool,
}

/// Returns the operations of `linalg` of a function, in the sequence of the text.
pub(crate) fn operations(function: Op, places: &Places) -> Vec<StructuredOperation> {
    let mut found = Vec::new();
    push_structured(function, function, places, &mut found);
    found
}

fn push_structured(op: Op, function: Op, places: &Places, found: &mut Vec<StructuredOperation>) {
    for inner in ffi::regions(op).into_iter().flat_map(ffi::operations) {
        // What is in the region of such an operation is its computation.
        if ffi::name(inner).starts_with("linalg.") {
            let is_apart = op == function;
            found.push(StructuredOperation { location: places.of(inner), is_apart });
        } else {
            push_structured(inner, function, places, found);
        }
    }
}
