//! The RI sum test: Σ v·c over all classes is N·m (DESIGN section 2), or the derivation is wrong.
//!
//! It is tested as an identity of polynomials, for all large sizes at once, where the sums over free iterators have a closed
//! form; and always at sampled sizes, small and large, divisible and not, because evaluating a model checks it there.

use symloc_locality::{Identity, regimes, ri_sum_identity};
use symloc_model::{EvalError, LineChoice, Model, Sizes};
use symloc_quasi::{Notation, Style};
use symloc_query::CliError;

/// Sizes along which samples are taken; the parameters of one sample differ by a few.
const SCALES: [i64; 14] = [1, 2, 3, 5, 8, 12, 16, 19, 24, 32, 48, 64, 96, 128];

/// Symbolic line sizes to go with them, in elements.
const LINES: [i64; 5] = [4, 1, 8, 3, 2];

/// How many samples are enough.
const ENOUGH: usize = 6;

/// The most points of free iterators that one sample may visit.
const POINTS: u64 = 200_000;

/// What the test found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Checked {
    /// How many polynomial identities hold: one for each line size and residue class of the sizes.
    pub identities: usize,
    /// How many could not be decided on formulas.
    pub undecided: usize,
    /// At how many sizes the sums were evaluated.
    pub samples: usize,
}

/// Tests the RI sum of every line size.
pub(crate) fn ri_sums(model: &Model) -> Result<Checked, CliError> {
    let mut checked = Checked::default();
    identities(model, &mut checked)?;
    samples(model, &mut checked)?;
    Ok(checked)
}

fn wrong(what: &str) -> CliError {
    CliError::with_hint(format!("internal error: {what}"), "please report this program")
}

fn identities(model: &Model, checked: &mut Checked) -> Result<(), CliError> {
    for line in &model.lines {
        // A context without large sizes, or with too many residues, leaves the samples.
        let Ok(regimes) = regimes(model, line) else {
            checked.undecided += 1;
            continue;
        };
        for regime in regimes {
            match ri_sum_identity(&regime) {
                Identity::Holds => checked.identities += 1,
                Identity::NotApplicable(_) => checked.undecided += 1,
                Identity::Fails(difference) => {
                    let difference = Notation::new(Style::Plain, &model.names()).poly(&difference);
                    return Err(wrong(&format!("the reuse intervals miss accesses times blocks by {difference}")));
                }
            }
        }
    }
    Ok(())
}

fn samples(model: &Model, checked: &mut Checked) -> Result<(), CliError> {
    for line in &model.lines {
        let choice = match (model.lines.as_slice(), line.line_bytes) {
            ([_, _, ..], Some(bytes)) => LineChoice::Bytes(bytes),
            _ => LineChoice::Only,
        };
        let evaluator = model.evaluator(choice)?.with_limit(POINTS);
        let mut tested = 0;
        for (scale, row) in SCALES.into_iter().zip(0..) {
            for (stagger, column) in [0, 1, -1, 3].into_iter().zip(0..) {
                let sizes = model.parameters.iter().enumerate();
                let mut sizes: Sizes = sizes.map(|(k, name)| (name.as_str(), scale + stagger * k as i64)).collect();
                if let Some(line) = line.symbolic {
                    sizes.insert(model.parameters[line.parameter].as_str(), LINES[(row + column) % LINES.len()]);
                }
                match evaluator.at(&sizes) {
                    Ok(_) => tested += 1,
                    Err(EvalError::OutsideContext { .. } | EvalError::Limit { .. }) => {}
                    Err(error) => return Err(wrong(&error.to_string())),
                }
            }
            if tested >= ENOUGH && scale >= 19 {
                break;
            }
        }
        checked.samples += tested;
    }
    Ok(())
}
