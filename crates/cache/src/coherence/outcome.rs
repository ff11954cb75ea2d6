//! An access of a thread, and what comes of it.

use crate::level::Request;

/// An access of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadRequest {
    /// The thread, from 0.
    pub thread: usize,
    /// The number of barriers before it. Phases never decrease.
    pub phase: u64,
    /// The block.
    pub block: u64,
    /// What it does.
    pub request: Request,
}

/// The outcome of an access of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadOutcome {
    /// The nearest of the thread's own levels that has the line, valid or not; their number if none has it.
    pub own: usize,
    /// The reason why that line is invalid; `None` if it is valid, or if there is none.
    pub lost: Option<LostLine>,
    /// The shared level that held the block, from 0, or their number if none did; `None` if they were not asked.
    pub shared: Option<usize>,
}

/// The reason why a line is invalid when its thread accesses it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LostLine {
    /// Another thread wrote the block in a phase after that of the thread's previous access, and before that of this one: the
    /// line is lost however the threads of a phase interleave.
    TrueSharing,
    /// Other threads wrote the block in the phase of one of these accesses, and in no phase between: without races they wrote
    /// other elements, and another interleaving may lose the line or not.
    FalseSharing,
}

/// The state of a line in the levels of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MesiState {
    /// The thread has written it, and nobody else has it.
    Modified,
    /// Nobody else has it.
    Exclusive,
    /// Others may have it.
    Shared,
    /// It is not there, or another thread has written the block since.
    Invalid,
}

/// The messages that keep the caches of threads coherent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoherenceTraffic {
    /// The number of writes to lines that the thread had, but others might have as well.
    pub upgrades: u64,
    /// The number of copies that became invalid, one for each thread that had one.
    pub invalidations: u64,
    /// The number of written lines that were taken from another thread's levels.
    pub transfers: u64,
}
