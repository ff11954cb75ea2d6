//! Counts reuses by the pair of accesses that they are between.
//!
//! A reuse is between two static accesses: the one that touched the block last, and the one that touches it now. For each such
//! pair the reuse intervals and distances are counted, as [`intervals`](crate::intervals) and [`distances`](crate::distances)
//! define them. First touches are no reuses.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use symloc_affine::AccessId;

use crate::distances::Stack;
use crate::error::SimError;
use crate::trace::{Block, Trace};

/// From each pair of a previous access and the one after it to the histogram of the values between them.
pub type ByReuse = BTreeMap<(AccessId, AccessId), BTreeMap<u64, u64>>;

/// Measures the reuse intervals of a trace.
///
/// # Errors
///
/// As for [`Trace::for_each`].
pub fn intervals(trace: &Trace<'_>) -> Result<ByReuse, SimError> {
    let mut latest: Vec<u64> = Vec::new();
    let mut rank = 0;
    measure(trace, |block| {
        rank += 1;
        match latest.get_mut(block.index()) {
            Some(before) => Some(rank - std::mem::replace(before, rank)),
            None => {
                latest.push(rank);
                None
            }
        }
    })
}

/// Measures the reuse distances of a trace.
///
/// # Errors
///
/// As for [`Trace::for_each`].
pub fn distances(trace: &Trace<'_>) -> Result<ByReuse, SimError> {
    let mut stack = Stack::new();
    measure(trace, |block| stack.touch(block))
}

/// Counts the `value` of every access to a block that was touched before.
fn measure(trace: &Trace<'_>, mut value: impl FnMut(Block) -> Option<u64>) -> Result<ByReuse, SimError> {
    // By block, the access that touched it last.
    let mut owners: Vec<AccessId> = Vec::new();
    let mut tallies: FxHashMap<_, FxHashMap<u64, u64>> = FxHashMap::default();
    trace.for_each(|access, block| match (owners.get_mut(block.index()), value(block)) {
        (Some(owner), Some(value)) => {
            let reuse = (std::mem::replace(owner, access), access);
            *tallies.entry(reuse).or_default().entry(value).or_insert(0) += 1;
        }
        _ => owners.push(access),
    })?;
    Ok(tallies.into_iter().map(|(reuse, tally)| (reuse, tally.into_iter().collect())).collect())
}
