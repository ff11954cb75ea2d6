//! The caches in which orders are compared.

use symloc_advise::Hierarchy;
use symloc_affine::{Line, Program};
use symloc_derivation::lines::lines_at;
use symloc_query::CliError;
use symloc_query::options::cache_design::CacheDesign;
use symloc_query::options::caches::{CacheArgs, single};

use crate::input::LineArgs;
use crate::refusal::told;

/// Returns the caches and their names. `program` is the one whose accesses other commands count: in the one that is advised on,
/// scalars are arrays, too.
pub(in crate::commands) fn hierarchy(
    caches: &CacheArgs,
    lines: &LineArgs,
    program: &Program,
) -> Result<(Hierarchy, Vec<String>), CliError> {
    let levels = caches.levels(|_| Ok(()))?;
    let levels = single(&levels)?;
    let line = match levels.iter().find_map(|level| level.cache.line_bytes) {
        Some(bytes) => Line::Bytes(bytes),
        None => match lines_at(&lines.lines(None), program, &[]).map_err(told)?.as_slice() {
            [only] => *only,
            _ => return Err(CliError::refused("several line sizes: orders are compared at one")),
        },
    };
    let bytes = line.bytes(program);
    let built = levels.iter().map(|level| CacheDesign::new(level, bytes)).collect::<Result<Vec<_>, _>>()?;
    CacheDesign::check_order(&built)?;
    let designs = built.iter().map(|level| level.design(false)).collect::<Result<Vec<_>, _>>()?;
    let named = built.into_iter().enumerate();
    let names = named.map(|(index, level)| level.name.unwrap_or_else(|| format!("L{}", index + 1))).collect();
    Ok((Hierarchy { designs, line }, names))
}
