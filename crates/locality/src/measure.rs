//! What the values of the classes are.

/// What the values of the classes are, and so what a cache has to do with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Reuse intervals x: the cache is Denning's working set s(x).
    Intervals,
    /// Places x in the LRU stack: the cache of x blocks is the first in which these accesses hit.
    Places,
}
