//! The linear layout at one size for arrays with symbolic strides: contiguous rows without padding.
//!
//! The dynamic extents of a memref have no values. At given sizes the trace shows which part of each dimension is
//! touched, and the smallest array that contains it has constant strides.

use symloc_affine::{Array, Extent, Program, Strides, listed};
use symloc_replay::{Code, Survey};

use crate::error::DerivationError;

/// Returns the program with constant strides for all arrays: the strides that are known at this size, or those of the
/// smallest array that contains all touched elements; and a note that names the latter arrays, if there are any.
///
/// # Errors
///
/// If strides do not fit 64 bits, or if the program cannot be run at this size.
pub fn at_size(program: &Program, sizes: &[i64]) -> Result<(Program, Option<String>), DerivationError> {
    if program.arrays.iter().all(|array| array.strides.is_some()) {
        return Ok((program.clone(), None));
    }
    let (program, extents) = extents_at(program, sizes)?;
    let (program, taken) = with_strides(program, extents)?;
    let note = || format!("arrays are taken to be as large as what is accessed: {}", listed(&taken));
    let note = (!taken.is_empty()).then(note);
    Ok((program, note))
}

/// Returns the program with the extents and strides that are known at a size, and the extents of the touched parts.
///
/// # Errors
///
/// If the program cannot be run at this size.
pub fn extents_at(program: &Program, sizes: &[i64]) -> Result<(Program, Vec<Vec<i64>>), DerivationError> {
    let program = known_at(program, sizes);
    let extents = Survey::of(&Code::new(&program, sizes)?)?.extents(&program);
    Ok((program, extents))
}

/// Evaluates the extents and strides that are known at a size of the program.
fn known_at(program: &Program, sizes: &[i64]) -> Program {
    let mut program = program.clone();
    for array in &mut program.arrays {
        array.strides = array.strides_at(sizes);
        for extent in &mut array.shape {
            if let Some(value) = extent.at(sizes) {
                *extent = Extent::Known(value);
            }
        }
    }
    program
}

fn with_strides(mut program: Program, extents: Vec<Vec<i64>>) -> Result<(Program, Vec<String>), DerivationError> {
    let mut taken = Vec::new();
    for (array, extents) in program.arrays.iter_mut().zip(extents).filter(|(array, _)| array.strides.is_none()) {
        array.strides = Some(row_major(array, &extents)?);
        let shape: Vec<_> = extents.iter().map(i64::to_string).collect();
        taken.push(format!("{}[{}]", array.name, shape.join("][")));
    }
    Ok((program, taken))
}

/// Returns the strides of an array with contiguous rows. It has no extents if none of its elements is touched.
fn row_major(array: &Array, extents: &[i64]) -> Result<Strides, DerivationError> {
    let extent = |dimension| extents.get(dimension).copied().unwrap_or(1).max(1);
    let strides = Strides::row_major(&(0..array.shape.len()).map(extent).collect::<Vec<_>>());
    strides.ok_or_else(|| DerivationError::refused(format!("the strides of `{}` do not fit 64 bits", array.name)))
}
