//! The layout of arrays by default, and the line sizes at a size.

use symloc_affine::{Layout, Line, Program};
use symloc_reuse::LineSizes;

use crate::error::DerivationError;

/// Returns the layout by default: rows follow each other as in memory; but with a symbolic line size, on which their
/// offsets in lines would depend, every row starts a line.
pub fn default_layout(lines: &LineSizes) -> Layout {
    match lines {
        LineSizes::Fixed(_) => Layout::Memory,
        LineSizes::Symbolic(_) => Layout::Rows,
    }
}

/// Returns the line sizes at a size of the program.
///
/// # Errors
///
/// If the symbolic line size is not a number of elements.
pub fn lines_at(lines: &LineSizes, program: &Program, sizes: &[i64]) -> Result<Vec<Line>, DerivationError> {
    match lines {
        LineSizes::Fixed(lines) => Ok(lines.clone()),
        LineSizes::Symbolic(parameter) => {
            let elements = u64::try_from(sizes[parameter.index()]).ok().filter(|elements| *elements > 0);
            let bytes = elements.and_then(|elements| elements.checked_mul(program.largest_element()));
            let name = &program.params[parameter.index()].name;
            let refused = || DerivationError::refused(format!("{name} is not a number of elements in a line"));
            bytes.map(|bytes| vec![Line::Bytes(bytes)]).ok_or_else(refused)
        }
    }
}
