//! Reuse intervals of a model on each thread, beside those of the threads of a recorded run.

use std::path::Path;

use symloc_evaluate::{Bin, Evaluator, MissModel};
use symloc_model::{LineChoice, Model, NamedSizes};

use super::team::TeamAccess;
use crate::common::reuse::{Histogram, intervals, unlike};

/// Returns true if a model has formulas for threads.
pub(super) fn has_formulas(model: &Path) -> bool {
    Model::load(model).unwrap().threads.is_some()
}

/// Returns the first difference between the reuse intervals of a model at a size, on each of `count` threads, and those of a run
/// in blocks of `bytes` bytes; of first touches, those in a repeated run. A model without formulas for threads is compared on one
/// thread.
pub(super) fn intervals_unlike(
    model: &Path,
    sizes: &[(String, i64)],
    run: &[TeamAccess],
    (count, bytes): (u32, u64),
) -> Option<String> {
    let model = Model::load(model).unwrap();
    if model.threads.is_none() && count > 1 {
        return None;
    }
    let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
    let sizes: NamedSizes = sizes.iter().map(|(name, value)| (name.clone(), *value)).collect();
    (0..count).find_map(|number| {
        let at = model.on_thread(&sizes, number.into(), count.into()).unwrap();
        let derived = match evaluator.distribution(MissModel::Denning, &at) {
            Ok(derived) => derived,
            Err(error) => return Some(format!("intervals of thread {number}: {error}")),
        };
        let own = run.iter().filter(|access| access.thread == number as usize);
        let compiled = intervals(&own.map(|access| access.address / bytes).collect::<Vec<_>>());
        let real = unlike("interval", &compiled.real, &histogram(&derived.real));
        let found = real.or_else(|| unlike("imaginary interval", &compiled.imaginary, &histogram(&derived.imaginary)));
        found.map(|found| format!("thread {number}: {found}"))
    })
}

fn histogram(bins: &[Bin]) -> Histogram {
    let number = |number: &symloc_evaluate::Int| number.to_string().parse::<u64>().unwrap();
    bins.iter().map(|bin| (number(&bin.interval), number(&bin.count))).collect()
}
