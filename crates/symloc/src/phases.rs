//! The phases of a command, which the thread that watches over its limits sees too.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// What a command does, for the thread that watches over its limits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Phases(Arc<Mutex<State>>);

/// What a command has done so far.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// The phases, and when each began.
    pub entered: Vec<(String, Instant)>,
    /// What helps if a limit is reached, apart from raising it.
    pub advice: Option<String>,
}

impl Phases {
    /// Keeps the other thread from them while the guard lives. What a thread that panicked leaves behind is still of use.
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// What helps if a limit is reached that an option raises.
    pub(crate) fn help(&self, option: &str) -> String {
        let or = self.advice.iter().map(|advice| format!(", or {advice}"));
        format!("raise it with {option}{}", or.collect::<String>())
    }
}
