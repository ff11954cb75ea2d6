//! Each access by itself.

use std::collections::BTreeSet;

use symloc_model::{Attribution, Evaluator, Int, Sizes};
use symloc_sim::{IntervalHistogram, Trace};

use crate::{Differences, VerifyError};

/// Compares how many reuses of each access are longer than `x`, for every interval x that occurs anywhere: that is
/// the whole histogram of the access, and its misses in every cache.
pub(crate) fn compare(
    found: &mut Differences,
    evaluator: &Evaluator<'_>,
    sizes: &Sizes,
    trace: &Trace<'_>,
) -> Result<(), VerifyError> {
    let program = evaluator.model().outline()?;
    let attribution: Attribution = evaluator.attribution(sizes)?;
    let simulated = IntervalHistogram::by_access(trace)?;
    let intervals: BTreeSet<u64> = simulated.iter().flat_map(|histogram| histogram.real.keys().copied()).collect();
    for ((access, share), histogram) in program.accesses.iter().zip(attribution.shares()).zip(&simulated) {
        let place =
            format!("{}:{}: {}{}", access.line, access.column, program.arrays[access.array].name, access.subscripts);
        found.differ(&format!("{place}: accesses"), share.accesses(), &Int::from(histogram.accesses));
        found.differ(&format!("{place}: first touches"), &share.first_touches(), &Int::from(histogram.blocks));
        for x in &intervals {
            let longer: u64 = histogram.real.range(x + 1..).map(|(_, count)| count).sum();
            let derived = share.misses(Some(&Int::from(*x))).reuse;
            found.differ(&format!("{place}: intervals above {x}"), &derived, &Int::from(longer));
        }
    }
    Ok(())
}
