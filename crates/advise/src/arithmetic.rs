//! The arithmetic of a statement: how long the next iteration waits for its result, and its divisions.

/// The arithmetic of a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Arithmetic {
    /// The cycles from a value of the array or variable that it writes to the value that is written; those of an addition
    /// if it reads none.
    pub latency: f64,
    /// The divisions and roots.
    pub divisions: f64,
}
