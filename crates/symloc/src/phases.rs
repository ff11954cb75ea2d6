//! The phases of a command, shared with the watchdog thread.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The progress of a command, shared with the watchdog thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Phases(Arc<Mutex<State>>);

/// The progress of a command so far.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// The phases, and the time at which each began.
    pub entered: Vec<(String, Instant)>,
    /// A hint for when a limit is reached, besides raising it.
    pub advice: Option<String>,
}

impl Phases {
    /// Locks the state for this thread. The state stays usable after a thread that held the lock has panicked.
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Returns the hint for a limit that an option raises.
    pub(crate) fn help(&self, option: &str) -> String {
        let or = self.advice.iter().map(|advice| format!(", or {advice}"));
        format!("raise it with {option}{}", or.collect::<String>())
    }
}
