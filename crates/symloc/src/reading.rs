//! A program as it was read, with what is to be said of that.

use std::io::Write;

use symloc_affine::{Assumption, ParamId, Program};
use symloc_mlir::Source;
use symloc_query::source::checksum;

/// A program, and what messages and models call its source.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub name: String,
    /// Of the bytes of the source; nothing if it is no file.
    pub checksum: Option<u32>,
    pub program: Program,
    /// Notes on how it was read, for standard error.
    pub said: Vec<String>,
    /// What belongs to every answer, such as what was left out.
    pub remarks: Vec<String>,
    /// What was taken for granted when it was read.
    pub assumptions: Vec<Assumption>,
    /// The parameter that is the number of elements per line, if it is symbolic.
    pub line: Option<ParamId>,
    /// What a network was lowered to.
    pub lowered: Option<String>,
}

impl Input {
    /// Prints the notes on how it was read.
    pub(crate) fn say(&self) {
        for note in &self.said {
            // Nobody is left to tell if standard error is closed.
            let _ = write!(std::io::stderr(), "{note}");
        }
    }

    /// With the checksum of its source, unless it was written as another text first, as kernels are as MLIR.
    pub(crate) fn read_from(self, source: &Source) -> Self {
        let checksum = (self.name == source.name).then(|| checksum(&source.bytes));
        Self { checksum, ..self }
    }
}
