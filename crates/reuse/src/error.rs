//! The errors that stop a derivation.

use symloc_affine::{AccessId, LayoutError, RadixError};

/// An error of the derivation.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The layout gives an array no blocks.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// With a symbolic line size, an access has no affine block.
    #[error(transparent)]
    Line(#[from] LineError),
    /// The program has tiles of symbolic size that have no affine form.
    #[error(transparent)]
    Tiles(#[from] RadixError),
    /// The program has tiles of symbolic size, which this has no form for.
    #[error("the size of a tile is a parameter, which only reuse with lines of fixed size has formulas for")]
    SymbolicTiles,
    /// isl or Barvinok failed, or reached a limit.
    #[error(transparent)]
    Isl(#[from] symloc_isl::Error),
    /// The number of accesses or blocks is not finite.
    #[error("{0} is unbounded: some loop or parameter has no upper limit")]
    Unbounded(&'static str),
    /// The context is empty.
    #[error("no size satisfies all conditions on the parameters")]
    NoSize,
    /// The reuse of an access takes more than the limit allows.
    #[error("{limit}, for the reuse of access {access}", access = .access.0)]
    Limit {
        /// The access.
        access: AccessId,
        /// The limit.
        limit: symloc_isl::Error,
    },
    /// Processes have taken as much processor time as the limit allows, the last of it for the reuse of an access.
    #[error("limit: a process has taken {} s of processor time, at last for the reuse of access {access}", .limit.as_secs(), access = .access.0)]
    Time {
        /// The access.
        access: AccessId,
        /// The limit.
        limit: std::time::Duration,
    },
    /// A number of blocks has no short formula.
    #[error("a number of blocks has no short formula")]
    Intricate,
    /// A process that derived the reuse of an access ended too early.
    #[error("the process that derived the reuse of access {access} {reason}", access = .access.0)]
    Worker {
        /// The access.
        access: AccessId,
        /// The way it ended.
        reason: String,
    },
    /// Barvinok takes too long for one set, whose points have to be counted.
    #[error("limit: counting one set takes longer than {} s", .0.as_secs())]
    Endless(std::time::Duration),
    /// No process could be started.
    #[error("cannot start a worker process: {0}")]
    Start(#[source] std::io::Error),
    /// Something that holds for every program did not hold. A bug in symloc.
    #[error("internal error: {0}; please report this program")]
    Internal(String),
}

impl Error {
    /// Returns true if a limit on steps or time was reached.
    pub(crate) fn is_limit(&self) -> bool {
        let is_of_isl = matches!(self, Self::Isl(symloc_isl::Error::Limit { .. }));
        is_of_isl || matches!(self, Self::Limit { .. } | Self::Time { .. } | Self::Endless(_))
    }

    /// Adds the access whose reuse was being derived to a limit error; returns other errors unchanged.
    pub(crate) fn of(self, access: AccessId) -> Self {
        match self {
            Self::Isl(limit @ symloc_isl::Error::Limit { .. }) => Self::Limit { access, limit },
            other => other,
        }
    }
}

/// The reason why a program has no lines of symbolic size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("with a symbolic line size, {reason}")]
pub struct LineError {
    /// The access that does not fit.
    pub access: AccessId,
    /// The reason.
    pub reason: String,
}
