//! The choice among a model's line sizes.

/// The choice of one of a model's line sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineChoice {
    /// The only one there is.
    #[default]
    Only,
    /// The one with this number of bytes per line.
    Bytes(u64),
}
