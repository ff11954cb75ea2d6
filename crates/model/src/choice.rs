//! Which of a model's line sizes a question is about.

/// Which of a model's line sizes is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineChoice {
    /// The only one there is.
    #[default]
    Only,
    /// The one with so many bytes per line.
    Bytes(u64),
}
