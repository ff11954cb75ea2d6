//! A program at one size.

use symloc_model::NamedSizes;
use symloc_quasi::Int;

/// The program at one size, with one line size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The size.
    pub parameters: Vec<(String, i128)>,
    /// Bytes per cache line, if all arrays agree on them.
    pub line_bytes: Option<u64>,
    /// True if a line holds one element of each array.
    pub element: bool,
}

impl Instance {
    /// Returns the size, for another evaluation at it.
    pub fn sizes(&self) -> NamedSizes {
        // Sizes were 64 bits before they were evaluated.
        let values = self.parameters.iter();
        values.filter_map(|(name, value)| Some((name.clone(), i64::try_from(*value).ok()?))).collect()
    }
}

/// The numbers of accesses and of distinct blocks at one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    /// The size and the line size.
    pub place: Instance,
    /// N, the number of accesses.
    pub accesses: Int,
    /// m, the number of distinct blocks; also the number of first touches.
    pub blocks: Int,
}
