//! Finds rows that move through memory by whole lines, as along a column of an array: they may use few of the sets of a cache.

use crate::code::Code;
use crate::cursor::placed;
use crate::error::ReplayError;
use crate::memory::MemoryMap;
use crate::path::{PathStep, paths};

/// An access that moves by `lines` lines from one iteration of the innermost loop to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The index of the access in the program's table.
    pub access: usize,
    /// The distance in lines, at least 2.
    pub lines: u64,
    /// The largest number of iterations of the loop.
    pub iterations: u64,
}

/// Returns the columns of a program, in the order of its text.
///
/// # Errors
///
/// [`ReplayError::Overflow`] if an address leaves 64 bits.
pub fn columns(code: &Code<'_>, memory: &MemoryMap) -> Result<Vec<Column>, ReplayError> {
    let body = placed(code, memory)?;
    let mut iters = vec![0; code.program.iters.len()];
    let mut columns = Vec::new();
    for path in paths(&body) {
        let (bytes, line) = (path.site.bytes().unsigned_abs(), memory.line_bytes());
        let Some(PathStep::Loop(head)) = path.steps().last() else { continue };
        if !bytes.is_multiple_of(line) || bytes <= line {
            continue;
        }
        let Some(span) = head.span() else { continue };
        let longest =
            path.largest(&span, &mut iters)?.map_or(0, |span| span.unsigned_abs().div_ceil(head.step.unsigned_abs()));
        columns.push(Column { access: path.site.access, lines: bytes / line, iterations: longest });
    }
    Ok(columns)
}
