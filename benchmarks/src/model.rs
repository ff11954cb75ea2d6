//! Programs derived at one line size, with rows that start lines.

use symloc_affine::{Layout, Line, Program};
use symloc_isl::Context;
use symloc_model::Model;
use symloc_reuse::{Limits, Origin, Phase};

use crate::Failure;

/// The model of a program, with reuse distances if they are wanted.
pub(crate) fn derive(
    program: &Program,
    line: Line,
    exact: bool,
    enter: &mut dyn FnMut(Phase),
) -> Result<Model, Failure> {
    let isl = Context::new()?;
    let mut derived = symloc_reuse::derive(&isl, program, Layout::Rows, &[line], enter)?;
    for held in derived.lines.iter_mut().filter(|_| exact) {
        let (classes, limits) = (&held.classes, Limits::default());
        held.distances = Some(symloc_reuse::distances(&isl, program, Layout::Rows, line, classes, limits, enter)?);
    }
    Ok(derived.into_model(program, Layout::Rows, Origin::default()))
}
