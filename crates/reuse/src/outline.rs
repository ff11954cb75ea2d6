//! What a model tells about its program, so that it can attribute counts to arrays and accesses.

use symloc_affine::{self as affine, Program};
use symloc_model::{Access, AccessKind, Array, Outline};

/// The arrays and accesses of a program, with the numbers that the derivation gives them; `source` is the file that need
/// not be named.
pub(crate) fn outline(program: &Program, source: &str) -> Outline {
    let array = |array: &affine::Array| Array {
        name: array.name.clone(),
        element_bytes: array.element_bytes,
        rank: array.shape.len(),
    };
    let access = |access: &affine::Access| Access {
        array: access.array.index(),
        kind: match access.kind {
            affine::AccessKind::Read => AccessKind::Read,
            affine::AccessKind::Write => AccessKind::Write,
        },
        subscripts: access.subscripts.iter().map(|subscript| format!("[{}]", program.show(subscript))).collect(),
        file: (*access.location.file != *source).then(|| access.location.file.to_string()),
        line: access.location.line,
        column: access.location.column,
    };
    Outline {
        arrays: program.arrays.iter().map(array).collect(),
        accesses: program.accesses.iter().map(access).collect(),
    }
}
