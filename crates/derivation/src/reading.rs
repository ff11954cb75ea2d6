//! A program as it was read, with the notes of the reading.

use symloc_affine::{Assumption, ParamId, Program};
use symloc_mlir::Source;

/// A program as it was read, and the name of its source in messages and models.
#[derive(Clone, Debug)]
pub struct Input {
    /// The name of its source.
    pub name: String,
    /// The checksum of the bytes of the source, if the program was read from these.
    pub checksum: Option<u32>,
    /// The program.
    pub program: Program,
    /// The notes of the reading, for standard error.
    pub said: Vec<String>,
    /// The remarks that belong to every output, for example about parts that were left out.
    pub remarks: Vec<String>,
    /// The assumptions that were made when it was read.
    pub assumptions: Vec<Assumption>,
    /// The parameter that is the number of elements per line, if it is symbolic.
    pub line: Option<ParamId>,
    /// The text to which a network was lowered.
    pub lowered: Option<String>,
}

impl Input {
    /// Adds the checksum of its source (CRC-32), unless the text that was read is a different one, such as a kernel written as
    /// MLIR.
    pub fn read_from(self, source: &Source) -> Self {
        let checksum = (self.name == source.name).then(|| crc32fast::hash(&source.bytes));
        Self { checksum, ..self }
    }
}
