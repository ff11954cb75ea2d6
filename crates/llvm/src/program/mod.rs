//! The program from what the walk has found ([`draft`]): arrays with subscripts ([`delinearize`]), and what the model
//! relies on ([`notes`]).

pub(crate) mod delinearize;
pub(crate) mod draft;
pub(crate) mod notes;
