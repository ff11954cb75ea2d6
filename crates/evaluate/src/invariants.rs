//! The invariants of every program. The errors describe the violation.

use symloc_quasi::Int;

use crate::cumulative::Below;

/// Checks that each access is in one class, that each block has one first touch, and that the intervals, imaginary ones included,
/// sum to N·m (RI sum invariance).
pub(crate) fn check_intervals(all: &Below, accesses: &Int, blocks: &Int) -> Result<(), String> {
    if all.count != *accesses {
        return Err(format!("the classes hold {} accesses, the program makes {accesses}", all.count));
    }
    let touches = &all.count - &all.real;
    if touches != *blocks {
        return Err(format!("{touches} first touches of {blocks} blocks"));
    }
    let (sum, expected) = (&all.weighted, accesses * blocks);
    if *sum != expected {
        return Err(format!("the reuse intervals sum to {sum}, accesses times blocks is {expected}"));
    }
    Ok(())
}

/// Checks that each access is a reuse or the first touch of a block.
pub(crate) fn check_reuses(reuses: &Int, accesses: &Int, first_touches: &Int) -> Result<(), String> {
    let expected = accesses - first_touches;
    if *reuses == expected {
        return Ok(());
    }
    Err(format!(
        "the classes of distances hold {reuses} accesses, the program makes {expected} that are no first touches"
    ))
}
