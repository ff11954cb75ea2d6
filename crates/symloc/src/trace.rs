//! The trace of a program at a size, with a limit on its length.

use clap::Args;
use symloc_affine::{Layout, Line, Program};
use symloc_query::CliError;
use symloc_sim::{SimError, Trace};

/// The limits of a trace.
#[derive(Clone, Debug, Args)]
pub(crate) struct TraceArgs {
    /// Give up if there are more accesses; a hundred billion take up to a quarter of an hour on a cache, longer one by
    /// one
    #[arg(long, value_name = "COUNT", default_value_t = 100_000_000_000)]
    pub max_accesses: u64,
}

impl TraceArgs {
    /// Returns the trace at one size; fails if it is too long.
    pub(crate) fn trace<'p>(
        &self,
        program: &'p Program,
        sizes: &[i64],
        layout: Layout,
        line: Line,
    ) -> Result<Trace<'p>, CliError> {
        Trace::with_limit(program, sizes, layout, line, self.max_accesses).map_err(refused)
    }
}

/// Turns an error of the interpreter into an error of the command.
pub(crate) fn refused(error: SimError) -> CliError {
    match error {
        SimError::TooManyAccesses { limit } => too_long(limit),
        _ => CliError::refused(error.to_string()),
    }
}

/// Returns the error for a trace that is too long.
pub(crate) fn too_long(limit: u64) -> CliError {
    CliError::with_hint(format!("limit: the trace has more than {limit} accesses"), "raise it with --max-accesses")
}
