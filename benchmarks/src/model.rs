//! Derives programs at one line size, with rows that start lines.

use symloc_affine::{Layout, Line, Program};
use symloc_model::Model;
use symloc_reuse::{DeriveOptions, Limits, LineSizes, ModelOrigin, Phase};

use crate::BoxedError;

/// Derives the model of a program, with reuse distances if `exact`.
pub(crate) fn derive(program: &Program, line: Line, exact: bool, enter: &dyn Fn(Phase)) -> Result<Model, BoxedError> {
    let distances = exact.then(Limits::default);
    let options = DeriveOptions { distances, enter, ..DeriveOptions::new(Layout::Rows, LineSizes::Fixed(vec![line])) };
    Ok(symloc_reuse::derive(program, &options)?.into_model(program, Layout::Rows, ModelOrigin::default()))
}
