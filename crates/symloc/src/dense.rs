//! The program at one size, with contiguous rows.

use symloc_affine::Program;
use symloc_derivation::dense;
use symloc_query::{CliError, output};

use crate::refusal::told;

/// Returns the program with constant strides for all arrays; prints a note that names those whose size is not known.
///
/// # Errors
///
/// If strides do not fit 64 bits, or if the program cannot be run at this size.
pub(crate) fn at_size(program: &Program, sizes: &[i64]) -> Result<Program, CliError> {
    let (program, note) = dense::at_size(program, sizes).map_err(told)?;
    note.iter().for_each(|note| output::tell("note", note));
    Ok(program)
}

/// Returns the program with the extents and strides that are known at a size, and the extents of the touched parts.
pub(crate) fn extents_at(program: &Program, sizes: &[i64]) -> Result<(Program, Vec<Vec<i64>>), CliError> {
    dense::extents_at(program, sizes).map_err(told)
}
