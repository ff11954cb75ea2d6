//! Runs closures under isl's operation limit, and gives up if they exceed it or if formulas become too long.

use symloc_isl::Context;

use crate::Error;

/// Runs a closure that may take so many steps of isl; `None` if it takes more, or leads to formulas that are too long. Must not be
/// nested: it counts from zero.
pub(crate) fn limited<T>(
    isl: &Context,
    steps: u64,
    run: impl FnOnce() -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    let before = isl.max_operations();
    isl.reset_operations();
    isl.set_max_operations(steps);
    let result = run();
    isl.reset_operations();
    isl.set_max_operations(before);
    match result {
        Ok(result) => Ok(Some(result)),
        Err(error) if error.is_limit() => Ok(None),
        Err(Error::Intricate) => Ok(None),
        Err(error) => Err(error),
    }
}
