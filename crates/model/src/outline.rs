//! Access to the arrays, accesses and nests of a model's program.

use crate::error::RequestError;
use crate::types::{Model, Outline};

impl Model {
    /// Returns true if each thread has a copy of its own of some array.
    pub fn has_arrays_per_thread(&self) -> bool {
        self.program.iter().flat_map(|outline| &outline.arrays).any(|array| array.per_thread)
    }

    /// Returns the arrays and accesses of the program, or an error if the model does not name them.
    pub fn outline(&self) -> Result<&Outline, RequestError> {
        let unattributed = || RequestError::Unattributed { generator: self.generator.clone() };
        self.program.as_ref().ok_or_else(unattributed)
    }

    /// Returns the nest of each access, by its position in [`Outline::nests`], or an error if the model does not distinguish nests.
    pub fn nest_of_accesses(&self) -> Result<Vec<usize>, RequestError> {
        let outline = self.outline()?;
        let numbered = outline.nests.iter().enumerate();
        let of: Vec<usize> = numbered.flat_map(|(index, nest)| std::iter::repeat_n(index, nest.accesses)).collect();
        match of.len() == outline.accesses.len() {
            true => Ok(of),
            false => Err(RequestError::NoNests { generator: self.generator.clone() }),
        }
    }
}
