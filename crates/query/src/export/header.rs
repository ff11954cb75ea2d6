//! What every answer about one size starts with.

use std::io::{self, Write};

use symloc_model::{Distribution, Int, Locality, Model, Place};

use super::text;

/// What every answer about one size starts with.
#[derive(Clone, Debug)]
pub struct Header {
    /// The function.
    pub function: String,
    /// The size.
    pub parameters: Vec<(String, i128)>,
    /// Bytes per line, if all arrays agree on them.
    pub line_bytes: Option<u64>,
    /// Whether a line holds one element of each array.
    pub element: bool,
    /// N, the number of accesses.
    pub accesses: Int,
    /// m, the number of distinct blocks.
    pub blocks: Int,
}

impl Header {
    /// The header of a model's answer.
    pub fn new(model: &Model, distribution: &Distribution) -> Self {
        Self {
            function: model.function.clone(),
            parameters: distribution.parameters.clone(),
            line_bytes: distribution.line_bytes,
            element: distribution.element,
            accesses: distribution.accesses.clone(),
            blocks: distribution.blocks.clone(),
        }
    }

    /// The header of an answer about caches.
    pub fn of_locality(model: &Model, locality: &Locality) -> Self {
        Self::at(model, locality.place(), locality.accesses(), locality.blocks())
    }

    /// The header of an answer about so many accesses to so many blocks at a size.
    pub fn at(model: &Model, place: &Place, accesses: &Int, blocks: &Int) -> Self {
        Self {
            function: model.function.clone(),
            parameters: place.parameters.clone(),
            line_bytes: place.line_bytes,
            element: place.element,
            accesses: accesses.clone(),
            blocks: blocks.clone(),
        }
    }

    /// The first lines of every answer for people.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let lines = text::lines(self.line_bytes, self.element);
        match self.parameters.as_slice() {
            [] => writeln!(out, "{}, {lines}", self.function)?,
            sizes => writeln!(out, "{} at {}, {lines}", self.function, text::sizes(sizes))?,
        }
        writeln!(out, "{} accesses, {} first touches", self.accesses, self.blocks)
    }
}
