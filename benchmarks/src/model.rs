//! Derives programs at one line size, with rows that start lines.

use symloc_affine::{Layout, Line, Program};
use symloc_model::Model;
use symloc_reuse::{Limits, LineSizes, Options, Origin, Phase};

use crate::Failure;

/// Derives the model of a program, with reuse distances if `exact`.
pub(crate) fn derive(program: &Program, line: Line, exact: bool, enter: &dyn Fn(Phase)) -> Result<Model, Failure> {
    let distances = exact.then(Limits::default);
    let options = Options { distances, enter, ..Options::new(Layout::Rows, LineSizes::Fixed(vec![line])) };
    Ok(symloc_reuse::derive(program, &options)?.into_model(program, Layout::Rows, Origin::default()))
}
