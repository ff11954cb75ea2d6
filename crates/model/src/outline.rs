//! What a model tells about its program: arrays, accesses and nests.

use crate::data::{Model, Outline};
use crate::error::RequestError;

impl Model {
    /// The arrays and accesses of the program; an error for models that do not name them.
    pub fn outline(&self) -> Result<&Outline, RequestError> {
        let unattributed = || RequestError::Unattributed { generator: self.generator.clone() };
        self.program.as_ref().ok_or_else(unattributed)
    }

    /// The nest of each access, by its position in [`Outline::nests`]; an error for models that do not tell nests apart.
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
