//! The RI sum test: Σ v·c over all classes is N·m (DESIGN section 2), or the derivation is wrong.
//!
//! Evaluating a model checks it at that size; here are the sizes: small and large, divisible and not.

use symloc_model::{EvalError, LineChoice, Model, Sizes};
use symloc_query::CliError;

/// Sizes along which samples are taken; the parameters of one sample differ by a few.
const SCALES: [i64; 14] = [1, 2, 3, 5, 8, 12, 16, 19, 24, 32, 48, 64, 96, 128];

/// How many samples are enough.
const ENOUGH: usize = 6;

/// The most points of free iterators that one sample may visit.
const POINTS: u64 = 200_000;

/// Tests the RI sum of every line size at sampled sizes of the context.
pub(crate) fn ri_sums(model: &Model) -> Result<(), CliError> {
    for line in &model.lines {
        let choice = match (model.lines.as_slice(), line.line_bytes) {
            ([_, _, ..], Some(bytes)) => LineChoice::Bytes(bytes),
            _ => LineChoice::Only,
        };
        let evaluator = model.evaluator(choice)?.with_limit(POINTS);
        let mut tested = 0;
        for scale in SCALES {
            for stagger in [0, 1, -1, 3] {
                let sizes = model.parameters.iter().enumerate();
                let sizes: Sizes = sizes.map(|(k, name)| (name.as_str(), scale + stagger * k as i64)).collect();
                match evaluator.at(&sizes) {
                    Ok(_) => tested += 1,
                    Err(EvalError::OutsideContext { .. } | EvalError::Limit { .. }) => {}
                    Err(error) => {
                        return Err(CliError::with_hint(
                            format!("internal error: {error}"),
                            "please report this program",
                        ));
                    }
                }
            }
            if tested >= ENOUGH && scale >= 19 {
                break;
            }
        }
    }
    Ok(())
}
