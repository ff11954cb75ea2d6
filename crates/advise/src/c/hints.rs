//! Hints to the compiler that an innermost loop gets, and the sums that it collects for them.

use std::collections::BTreeSet;

use symloc_isl::AstNode;

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
    /// The element's type.
    pub(crate) kind: String,
    /// The variable.
    pub(crate) variable: String,
}

/// A loop of isl's code, in which there is no other loop.
#[derive(Clone, Copy)]
pub(crate) struct InnermostCode<'c> {
    /// Its iterator in the code.
    pub(crate) iterator: &'c str,
    /// Its names in the source.
    pub(crate) names: &'c BTreeSet<String>,
    pub(crate) body: &'c AstNode,
}
