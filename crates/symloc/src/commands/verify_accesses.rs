//! The part of `verify` that looks at each access by itself.

use std::collections::BTreeSet;

use symloc_model::{Attribution, Evaluator, Int, Sizes};
use symloc_query::CliError;
use symloc_sim::{IntervalHistogram, Trace};

use super::simulate::refused;
use super::verify::differ;

/// Compares how many reuses of each access are longer than `x`, for every interval x that occurs anywhere: that is
/// the whole histogram of the access, and its misses in every cache.
pub(super) fn differ_accesses(
    differences: &mut Vec<String>,
    evaluator: &Evaluator<'_>,
    sizes: &Sizes,
    trace: &Trace<'_>,
) -> Result<(), CliError> {
    let program = evaluator.model().outline()?;
    let attribution: Attribution = evaluator.attribution(sizes)?;
    let simulated = IntervalHistogram::by_access(trace).map_err(refused)?;
    let intervals: BTreeSet<u64> = simulated.iter().flat_map(|histogram| histogram.real.keys().copied()).collect();
    for ((access, share), histogram) in program.accesses.iter().zip(attribution.shares()).zip(&simulated) {
        let place =
            format!("{}:{}: {}{}", access.line, access.column, program.arrays[access.array].name, access.subscripts);
        differ(differences, &format!("{place}: accesses"), share.accesses(), &Int::from(histogram.accesses));
        differ(differences, &format!("{place}: first touches"), &share.first_touches(), &Int::from(histogram.blocks));
        for x in &intervals {
            let longer: u64 = histogram.real.range(x + 1..).map(|(_, count)| count).sum();
            let derived = share.misses(Some(&Int::from(*x))).reuse;
            differ(differences, &format!("{place}: intervals above {x}"), &derived, &Int::from(longer));
        }
    }
    Ok(())
}
