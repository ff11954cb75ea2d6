//! The meaning of the values of the classes.

/// The meaning of the values of the classes, which determines their relation to the cache size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Reuse intervals x: the cache is Denning's working set s(x).
    Intervals,
    /// Places x in the LRU stack: the cache of x blocks is the first in which these accesses hit.
    Places,
}
