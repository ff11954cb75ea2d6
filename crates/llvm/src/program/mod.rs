//! The program from what the walk has found ([`draft`]): arrays with subscripts ([`delinearize`]), what the model
//! relies on ([`notes`]), and where its arrays are declared ([`variables`]). For what is refused, [`hints`] are tried.

pub(crate) mod delinearize;
pub(crate) mod draft;
pub(crate) mod hints;
pub(crate) mod notes;
pub(crate) mod variables;
