//! The program from what the walk has found ([`draft`]): arrays with subscripts ([`delinearize`]), and what the model
//! relies on ([`notes`]). For what is refused, [`hints`] are tried.

pub(crate) mod delinearize;
pub(crate) mod draft;
pub(crate) mod hints;
pub(crate) mod notes;
