//! The linear layout at one size, where strides are symbolic: rows follow each other without padding.
//!
//! A memref with dynamic extents says nothing about their values. At given sizes the trace tells how much of each dimension
//! is touched, and with the smallest array that holds it the strides are numbers.

use symloc_affine::{Array, Extent, Program, Strides, listed};
use symloc_query::{CliError, output};

/// Are there arrays whose strides are symbolic?
pub(crate) fn needs_strides(program: &Program) -> bool {
    program.arrays.iter().any(|array| array.strides.is_none())
}

/// Makes numbers of the extents and strides that are known at a size of the program.
pub(crate) fn at_size(program: &Program, sizes: &[i64]) -> Program {
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

/// The program with constant strides for all arrays, of which so many elements are touched in each dimension; says which
/// ones it found.
pub(crate) fn with_strides(program: &Program, extents: Vec<Vec<i64>>) -> Result<Program, CliError> {
    let mut dense = program.clone();
    let mut taken = Vec::new();
    for (array, extents) in dense.arrays.iter_mut().zip(extents).filter(|(array, _)| array.strides.is_none()) {
        array.strides = Some(row_major(array, &extents)?);
        let shape: Vec<_> = extents.iter().map(i64::to_string).collect();
        taken.push(format!("{}[{}]", array.name, shape.join("][")));
    }
    if !taken.is_empty() {
        output::tell("note", &format!("arrays are taken to be as large as what is accessed: {}", listed(&taken)));
    }
    Ok(dense)
}

fn row_major(array: &Array, extents: &[i64]) -> Result<Strides, CliError> {
    let mut strides = vec![1_i64; array.shape.len()];
    for dimension in (1..strides.len()).rev() {
        let extent = extents.get(dimension).copied().unwrap_or(1).max(1);
        let product = strides[dimension].checked_mul(extent);
        strides[dimension - 1] =
            product.ok_or_else(|| CliError::refused(format!("the strides of `{}` do not fit 64 bits", array.name)))?;
    }
    Ok(Strides { offset: 0, strides })
}
