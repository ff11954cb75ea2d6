//! The profiles of a model, for `scaling`, `table` and pictures.

use symloc_locality::{Counts, Growth, lru_profiles, profiles};
use symloc_model::{LineModel, Model};
use symloc_report::MissModel;
use symloc_report::answers::formulas::profiles::Profiles;

use crate::answers::formulas::tables::no_formulas;
use crate::error::CliError;

/// Derives the profiles of LRU if they are requested and all distances are known, else those of Denning's model.
pub(crate) fn derive<'a>(
    model: &'a Model,
    line: &'a LineModel,
    miss_model: MissModel,
    counts: Counts,
    growth: &Growth,
) -> Result<Profiles<'a>, CliError> {
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
