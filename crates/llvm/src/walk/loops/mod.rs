//! Counted loops from natural loops: the phis of a header as functions of the iteration ([`induction`],
//! [`periodic_phis`], [`exit_flags`]), the first iteration in which the loop is left ([`trip_count`]), and the loop
//! between these bounds ([`counted`]).

pub(crate) mod counted;
pub(crate) mod counter;
pub(crate) mod exit_flags;
pub(crate) mod induction;
pub(crate) mod periodic_phis;
pub(crate) mod trip_count;
pub(crate) mod ways_out;
