//! Counted loops from natural loops.
//!
//! The phis of a header are functions of the iteration ([`induction`]): by the instructions ([`progress`]), by dry runs
//! of the body ([`dry_run`]), with a period ([`periodic_phis`]), or flags that end the loop ([`exit_flags`]). One of
//! them is the [`counter`]. The loop is left in the first iteration ([`trip_count`], [`first_time`]) in which an exit
//! condition holds, at its top ([`top_exit`]) or elsewhere ([`all_exits`], [`ways_out`]). Counters must not wrap around
//! before ([`wrapping`]). [`counted`] makes the loop between these bounds; [`carried`] tells what else its iterations hand on.

pub(crate) mod all_exits;
pub(crate) mod carried;
pub(crate) mod counted;
pub(crate) mod counter;
pub(crate) mod dry_run;
pub(crate) mod exit_flags;
pub(crate) mod first_time;
pub(crate) mod induction;
pub(crate) mod periodic_phis;
pub(crate) mod progress;
pub(crate) mod top_exit;
pub(crate) mod trip_count;
pub(crate) mod ways_out;
pub(crate) mod wrapping;
