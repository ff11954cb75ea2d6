//! The evaluator as a Python module, `symloc._symloc`.
//!
//! Thin on purpose: a model, questions to it in the words of the command line (`model`), and sweeps over arrays of sizes and
//! caches (`sweep`), which are broadcast (`broadcast`) and whose results are columns (`columns`). What users see of it is written
//! in Python, in `symloc/`.

mod broadcast;
mod columns;
mod model;
mod sweep;

use pyo3::prelude::*;

pyo3::create_exception!(
    symloc._symloc,
    SymlocError,
    pyo3::exceptions::PyValueError,
    "What symloc refuses, with the reason."
);

/// An error as Python has it: the message of the command line, and its advice on a line of its own.
fn refused(error: &symloc_query::CliError) -> PyErr {
    let hint = match error {
        symloc_query::CliError::Refused { hint: Some(hint), .. } => format!("\nhelp: {hint}"),
        _ => String::new(),
    };
    SymlocError::new_err(format!("{error}{hint}"))
}

#[pymodule]
fn _symloc(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("SymlocError", module.py().get_type::<SymlocError>())?;
    module.add_class::<model::Model>()?;
    module.add_class::<columns::Columns>()
}
