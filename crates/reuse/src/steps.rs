//! Work that may take too many of isl's elementary steps.

use symloc_isl::Context;

use crate::Error;

/// Runs something that may take so many steps; nothing if it takes more. Not to be used within itself: it counts from zero.
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
        Err(Error::Isl(symloc_isl::Error::Limit { .. })) => Ok(None),
        Err(error) => Err(error),
    }
}
