//! The locality table of a model: exact, or in leading terms.

use std::sync::Arc;

use symloc_locality::{Counts, Growth};
use symloc_model::Model;
use symloc_report::answers::formulas::profiles::{ProfileColumns, Profiles};
use symloc_report::answers::formulas::table::LocalityTable;
use symloc_report::answers::formulas::tables::{TableAnswer, Tables};
use symloc_report::{Format, Sheet};

use super::profiles;
use super::tables::TablesAbout;
use crate::error::CliError;

/// Returns the table of a model as sheets, in leading terms from `profiles` where the exact one is long.
pub(crate) fn sheets(
    model: &Arc<Model>,
    about: TablesAbout,
    profiles: Option<&Profiles<'_>>,
    format: Format,
) -> Result<Vec<Sheet>, CliError> {
    let table = LocalityTable { tables: about.derive(Arc::clone(model), None)? };
    Ok(match profiles.filter(|_| !table.is_short()) {
        Some(profiles) => profiles.sheets(format, ProfileColumns::Table),
        None => table.sheets(format),
    })
}

/// Returns a table in leading terms, if they are known.
pub(crate) fn in_leading_terms(table: &LocalityTable, operations: bool) -> Option<Profiles<'_>> {
    let Tables { model, miss_model, .. } = &table.tables;
    let line = table.tables.line_model()?;
    let counts = Counts { operations, ..Counts::default() };
    profiles::derive(model, line, *miss_model, counts, &Growth::default()).ok()
}
