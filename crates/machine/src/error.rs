//! Errors of caches that cannot be used as described.

/// The reasons why caches cannot be used as described.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CacheRequestError {
    /// A size in bytes is not a whole number of lines.
    #[error("{bytes} bytes are not a whole number of {line_bytes}-byte lines")]
    PartOfLine {
        /// The size.
        bytes: u64,
        /// Bytes per line.
        line_bytes: u64,
    },
    /// A size in bytes where lines have none.
    #[error("the arrays of this model differ in their element size, so a size in bytes says nothing")]
    NoLineBytes,
    /// The lines cannot be divided into sets.
    #[error("a cache of {lines} lines is not a whole number of sets of {ways} ways")]
    PartOfSet {
        /// The number of lines the cache holds.
        lines: u64,
        /// The number of lines a set holds.
        ways: u64,
    },
    /// A cache that is not LRU, or has other special properties.
    #[error("a model knows caches that replace the least recently used line, write back, and do nothing else")]
    Special,
    /// Two different line sizes.
    #[error("lines of {first} and of {other} bytes in one question")]
    TwoLines {
        /// The first of them, in bytes.
        first: u64,
        /// The second one, in bytes.
        other: u64,
    },
}
