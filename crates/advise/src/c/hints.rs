//! Hints to the compiler that an innermost loop gets, and the sums that it collects for them.

/// The pragma about a loop's iterations.
pub(crate) enum LoopHint {
    /// Nothing.
    None,
    /// They may run at once, where these sums are collected.
    Vectors(Vec<CollectedSum>),
}

/// A sum that a loop collects in a variable.
pub(crate) struct CollectedSum {
    /// The statement of the program.
    pub(crate) statement: usize,
    /// The element, in the loops around.
    pub(crate) element: String,
    /// The variables that the element's text uses and the loops around do not have, with their values.
    pub(crate) values: Vec<(String, String)>,
    /// The element's type.
    pub(crate) kind: String,
    /// The variable.
    pub(crate) variable: String,
}
