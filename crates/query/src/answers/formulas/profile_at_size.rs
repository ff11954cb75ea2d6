//! The size of a profile, and the caches of a machine among its rows.

use num_bigint::BigInt;
use symloc_model::{LineModel, Model, NamedSizes};
use symloc_report::answers::formulas::profiles::at_size::SizedCaches;
use symloc_report::formats::text;

use crate::error::CliError;
use crate::options::ParameterArgs;
use crate::options::caches::CacheArgs;

/// Returns the given size with the caches, or `None` if neither sizes nor caches are given.
pub(crate) fn sized_caches(
    model: &Model,
    line: &LineModel,
    sizes: &ParameterArgs,
    caches: &CacheArgs,
) -> Result<Option<SizedCaches>, CliError> {
    if sizes.is_empty() && caches.is_empty() {
        return Ok(None);
    }
    if sizes.is_empty() && !model.parameters.is_empty() {
        return Err(CliError::with_hint(
            "caches have a place among the rows only at a size",
            "give the sizes with `-D`, as in `-D n=2000`",
        ));
    }
    let sizes = sizes.grid(&model.function, &model.parameters)?.single()?;
    let shown: Vec<_> = sizes.iter().map(|(name, value)| (name.clone(), i128::from(*value))).collect();
    let point = sizes.into_iter().collect::<NamedSizes>().point(model)?;
    let mut levels = Vec::new();
    if !caches.is_empty() {
        for level in caches.levels(|_| Ok(()))?.caches() {
            let name = level.name.clone().unwrap_or_else(|| level.cache.capacity.to_string());
            levels.push((name, level.cache.lines(line.line_bytes)?));
        }
    }
    levels.sort_by_key(|(_, lines)| *lines);
    let point = point.into_iter().map(BigInt::from).collect();
    Ok(Some(SizedCaches { text: text::grouped_sizes(&shown), point, levels }))
}
