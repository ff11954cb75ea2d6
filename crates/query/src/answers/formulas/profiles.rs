//! The profiles of a model, for `scaling`, `table` and pictures.

use symloc_locality::{Counts, Growth, lru_profiles, profiles};
use symloc_model::{LineModel, Model};
use symloc_report::MissModel;
use symloc_report::answers::formulas::profiles::Profiles;

use crate::answers::formulas::tables::no_formulas;
use crate::error::CliError;

/// Derives the profiles of LRU if they are requested and all distances are known, else those of Denning's model. Models in
/// which the size of a line or a tile is a symbol have none.
pub(crate) fn derive<'a>(
    model: &'a Model,
    line: &'a LineModel,
    miss_model: MissModel,
    counts: Counts,
    growth: &Growth,
) -> Result<Profiles<'a>, CliError> {
    if !model.line_counts.is_empty() {
        let what = if line.symbolic.is_some() { "line" } else { "tile" };
        return Err(CliError::with_hint(
            format!("the {what} size of this model is a symbol, so it has no rows in leading terms"),
            "`symloc scaling` prints the exact formulas",
        ));
    }
    let exact = match miss_model {
        MissModel::Lru => lru_profiles(model, line, counts, growth).map_err(no_formulas)?,
        MissModel::Denning => None,
    };
    Ok(match exact {
        Some(profiles) => Profiles { model, line, miss_model: MissModel::Lru, profiles, at_size: None },
        None => {
            let profiles = profiles(model, line, counts, growth).map_err(no_formulas)?;
            Profiles { model, line, miss_model: MissModel::Denning, profiles, at_size: None }
        }
    })
}
