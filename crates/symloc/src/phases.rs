//! The phases of a command, which the thread that watches over its limits sees too.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The phases so far, and when each began.
#[derive(Clone, Debug, Default)]
pub(crate) struct Phases(Arc<Mutex<Vec<(String, Instant)>>>);

impl Phases {
    /// Keeps the other thread from them while the guard lives. What a thread that panicked leaves behind is still of use.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Vec<(String, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
